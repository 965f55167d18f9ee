#define RILL_SIMD_NEON
#define RILL_REAL_SINGLE
#include "water/pme/mesh_body.h"

const struct rill_mesh_kernel rill_mesh_neon_single = RILL_MESH_KERNEL;
