#define RILL_SIMD_AVX2
#define RILL_PAIR_KERNEL rill_pairs_avx2
#include "water/forces/pairs_body.h"
