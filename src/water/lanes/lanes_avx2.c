#define RILL_SIMD_AVX2
/* Largest clusters, in double and in mixed precision, that are faster in lanes: measured with bench/lanes. */
enum { WORTHWHILE = 24, WORTHWHILE_MIXED = 24 };
#include "water/lanes/lanes_body.h"

const struct rill_lanes_kernel rill_lanes_avx2 = RILL_LANES_KERNEL;
