#define RILL_SIMD_PORTABLE
#define RILL_PAIR_KERNEL rill_pairs_portable
#include "water/forces/pairs_body.h"
