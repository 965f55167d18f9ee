#define RILL_SIMD_AVX2
#include "water/pme/mesh_body.h"

const struct rill_mesh_kernel rill_mesh_avx2_double = RILL_MESH_KERNEL;
