#define RILL_SIMD_PORTABLE
#include "water/neighbours/lists_body.h"

const struct rill_list_kernel rill_lists_portable = RILL_LIST_KERNEL;
