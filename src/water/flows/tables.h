/* The flow tables that this build has; used by flows.c alone. */
#ifndef RILL_WATER_FLOWS_TABLES_H
#define RILL_WATER_FLOWS_TABLES_H

#include "water/flows/flows.h"

extern const struct rill_water_flow_table rill_water_flows_portable, rill_water_flows_avx2, rill_water_flows_avx512;

#endif
