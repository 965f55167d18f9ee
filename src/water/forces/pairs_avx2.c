#define RILL_SIMD_AVX2
/* Like sites: three pairs of nine.  Root and quotient take 14 (Zen 3) to 17 cycles (Golden Cove) of the divider, an
 * estimate and its correction 5 of the multipliers.  Between three and five pairs the time hardly changes; none and
 * all are 1.15 and 1.6 times slower. */
#define RILL_PAIR_DIVIDED(a, b) ((a) == (b))
#include "water/forces/pairs_body.h"

#include "water/forces/pairs_mixed_body.h"

const struct rill_pair_kernel rill_pairs_avx2 = RILL_PAIR_KERNEL;
const struct rill_pair_kernel rill_pairs_mixed_avx2 = RILL_MIXED_PAIR_KERNEL;
