#define RILL_SIMD_NEON
#include "water/neighbours/lists_body.h"

const struct rill_list_kernel rill_lists_neon = RILL_LIST_KERNEL;
