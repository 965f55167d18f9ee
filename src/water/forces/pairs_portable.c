#define RILL_SIMD_PORTABLE
/* Portable code has no estimate of 1/r to refine. */
#define RILL_PAIR_DIVIDED(a, b) 1
#include "water/forces/pairs_body.h"

#include "water/forces/pairs_mixed_body.h"

const struct rill_pair_kernel rill_pairs_portable = RILL_PAIR_KERNEL;
const struct rill_pair_kernel rill_pairs_mixed_portable = RILL_MIXED_PAIR_KERNEL;
