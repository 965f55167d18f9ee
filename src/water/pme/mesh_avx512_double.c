#define RILL_SIMD_AVX512
#include "water/pme/mesh_body.h"

const struct rill_mesh_kernel rill_mesh_avx512_double = RILL_MESH_KERNEL;
