#define RILL_SIMD_AVX512
#define RILL_PAIR_KERNEL rill_pairs_avx512
#include "water/forces/pairs_body.h"
