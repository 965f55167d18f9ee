/* The flows of penalised water: exact drifts, kicks by a filtered acceleration. */
#ifndef RILL_WATER_WATER_PENALISED_H
#define RILL_WATER_WATER_PENALISED_H

#include "water/water_state.h"

extern const struct rill_flow_ops rill_water_penalised_flow, rill_water_penalised_flow_without_ou;

#endif
