#define RILL_SIMD_NEON
#include "water/bodies/bodies_body.h"

const struct rill_body_table rill_bodies_neon = RILL_BODIES;
