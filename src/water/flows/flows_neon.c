#define RILL_SIMD_NEON
#include "water/flows/flows_body.h"

const struct rill_water_flow_table rill_water_flows_neon = RILL_WATER_FLOWS;
