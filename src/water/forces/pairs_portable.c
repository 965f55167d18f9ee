#define RILL_SIMD_PORTABLE
#define RILL_PAIR_KERNEL rill_pairs_portable
/* Without an estimate of 1/r to refine. */
#define RILL_PAIR_DIVIDED(a, b) 1
#include "water/forces/pairs_body.h"
