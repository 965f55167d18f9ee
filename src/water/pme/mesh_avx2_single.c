#define RILL_SIMD_AVX2
#define RILL_REAL_SINGLE
#include "water/pme/mesh_body.h"

const struct rill_mesh_kernel rill_mesh_avx2_single = RILL_MESH_KERNEL;
