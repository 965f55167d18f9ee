#define RILL_SIMD_AVX512
#include "water/forces/pairs_body.h"

#include "water/forces/pairs_mixed_body.h"

const struct rill_pair_kernel rill_pairs_avx512 = RILL_PAIR_KERNEL;
const struct rill_pair_kernel rill_pairs_mixed_avx512 = RILL_MIXED_PAIR_KERNEL;
