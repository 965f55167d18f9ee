#define RILL_SIMD_AVX2
#include "water/bodies/bodies_body.h"

const struct rill_body_table rill_bodies_avx2 = RILL_BODIES;
