/* The flows of water whose bonds are constraints. */
#ifndef RILL_WATER_WATER_RIGID_H
#define RILL_WATER_WATER_RIGID_H

#include "water/water_state.h"

extern const struct rill_flow_ops rill_water_rigid_flow, rill_water_rigid_flow_without_ou;

#endif
