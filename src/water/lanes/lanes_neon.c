#define RILL_SIMD_NEON
/* Largest clusters, in double and in mixed precision, that are faster in lanes: measured with bench/lanes. */
enum { WORTHWHILE = 48, WORTHWHILE_MIXED = 48 };
#include "water/lanes/lanes_body.h"

const struct rill_lanes_kernel rill_lanes_neon = RILL_LANES_KERNEL;
