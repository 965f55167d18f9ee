#define RILL_SIMD_AVX512
#define RILL_PAIR_KERNEL rill_pairs_avx512
/* The estimate is cheap and its correction short; roots and quotients of eight take twice the time of four. */
#define RILL_PAIR_DIVIDED(a, b) 0
#include "water/forces/pairs_body.h"
