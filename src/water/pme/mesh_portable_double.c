#define RILL_SIMD_PORTABLE
#include "water/pme/mesh_body.h"

const struct rill_mesh_kernel rill_mesh_portable_double = RILL_MESH_KERNEL;
