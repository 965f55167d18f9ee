#define RILL_SIMD_PORTABLE
/* Largest clusters, in double and in mixed precision, that are faster in lanes: measured with bench/lanes, in vectors
 * twice as wide; of 24 molecules a step now takes 0.92 times the instructions, of 7 molecules 0.75 times. */
enum { WORTHWHILE = 28, WORTHWHILE_MIXED = 28 };
#include "water/lanes/lanes_body.h"

const struct rill_lanes_kernel rill_lanes_portable = RILL_LANES_KERNEL;
