#define RILL_SIMD_AVX2
#include "water/neighbours/lists_body.h"

const struct rill_list_kernel rill_lists_avx2 = RILL_LIST_KERNEL;
