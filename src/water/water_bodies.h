/* The flows of water as rigid bodies. */
#ifndef RILL_WATER_WATER_BODIES_H
#define RILL_WATER_WATER_BODIES_H

#include "water/water_state.h"

extern const struct rill_flow_ops rill_water_bodies_flow, rill_water_bodies_flow_without_ou;

#endif
