#define RILL_SIMD_AVX512
#define RILL_PAIR_KERNEL rill_pairs_avx512
/* Root and quotient of eight take twice the divider's time of four, and the estimate's correction is shorter. */
#define RILL_PAIR_DIVIDED(a, b) 0
#include "water/forces/pairs_body.h"
