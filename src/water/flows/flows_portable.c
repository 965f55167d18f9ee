#define RILL_SIMD_PORTABLE
#include "water/flows/flows_body.h"

const struct rill_water_flow_table rill_water_flows_portable = RILL_WATER_FLOWS;
