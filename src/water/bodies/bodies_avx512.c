#define RILL_SIMD_AVX512
#include "water/bodies/bodies_body.h"

const struct rill_body_table rill_bodies_avx512 = RILL_BODIES;
