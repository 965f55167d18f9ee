#define RILL_SIMD_NEON
#include "water/forces/pairs_body.h"

#include "water/forces/pairs_mixed_body.h"

const struct rill_pair_kernel rill_pairs_neon = RILL_PAIR_KERNEL;
const struct rill_pair_kernel rill_pairs_mixed_neon = RILL_MIXED_PAIR_KERNEL;
