#define RILL_SIMD_AVX512
#define RILL_REAL_SINGLE
#include "water/pme/mesh_body.h"

const struct rill_mesh_kernel rill_mesh_avx512_single = RILL_MESH_KERNEL;
