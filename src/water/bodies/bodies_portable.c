#define RILL_SIMD_PORTABLE
#include "water/bodies/bodies_body.h"

const struct rill_body_table rill_bodies_portable = RILL_BODIES;
