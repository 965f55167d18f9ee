#define RILL_SIMD_PORTABLE
#define RILL_REAL_SINGLE
#include "water/pme/mesh_body.h"

const struct rill_mesh_kernel rill_mesh_portable_single = RILL_MESH_KERNEL;
