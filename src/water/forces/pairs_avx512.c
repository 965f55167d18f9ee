#define RILL_SIMD_AVX512
/* Root and quotient of eight lanes take the divider twice as long as four, and the estimate's correction is
 * shorter. */
#define RILL_PAIR_DIVIDED(a, b) 0
#include "water/forces/pairs_body.h"

#include "water/forces/pairs_mixed_body.h"

const struct rill_pair_kernel rill_pairs_avx512 = RILL_PAIR_KERNEL;
const struct rill_pair_kernel rill_pairs_mixed_avx512 = RILL_MIXED_PAIR_KERNEL;
