#define RILL_SIMD_AVX2
/* Pairs of like sites, three of nine, use the divider.  Root and quotient take 14 (Zen 3) to 17 cycles (Golden Cove)
 * of the divider, an estimate and its correction 5 of the multipliers.  With three to five such pairs the time hardly
 * changes; with none and all it is 1.15 and 1.6 times longer. */
#define RILL_PAIR_DIVIDED(a, b) ((a) == (b))
#include "water/forces/pairs_body.h"

#include "water/forces/pairs_mixed_body.h"

const struct rill_pair_kernel rill_pairs_avx2 = RILL_PAIR_KERNEL;
const struct rill_pair_kernel rill_pairs_mixed_avx2 = RILL_MIXED_PAIR_KERNEL;
