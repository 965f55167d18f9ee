#define RILL_SIMD_NEON
#include "water/pme/mesh_body.h"

const struct rill_mesh_kernel rill_mesh_neon_double = RILL_MESH_KERNEL;
