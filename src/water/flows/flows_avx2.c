#define RILL_SIMD_AVX2
#include "water/flows/flows_body.h"

const struct rill_water_flow_table rill_water_flows_avx2 = RILL_WATER_FLOWS;
