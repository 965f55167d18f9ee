#define RILL_SIMD_AVX512
#include "water/neighbours/lists_body.h"

const struct rill_list_kernel rill_lists_avx512 = RILL_LIST_KERNEL;
