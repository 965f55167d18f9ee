#define RILL_SIMD_NEON
/* Not measured: those of the portable kernels, whose vectors are as wide. */
enum { WORTHWHILE = 28, WORTHWHILE_MIXED = 28 };
#include "water/lanes/lanes_body.h"

const struct rill_lanes_kernel rill_lanes_neon = RILL_LANES_KERNEL;
