#define RILL_SIMD_PORTABLE
/* Largest clusters, in double and in mixed precision, that are faster in lanes: measured with bench/lanes. */
enum { WORTHWHILE = 28, WORTHWHILE_MIXED = 28 };
#include "water/lanes/lanes_body.h"

const struct rill_lanes_kernel rill_lanes_portable = RILL_LANES_KERNEL;
