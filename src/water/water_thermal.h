/* The thermal capability of water. */
#ifndef RILL_WATER_WATER_THERMAL_H
#define RILL_WATER_WATER_THERMAL_H

#include "water/water_state.h"

extern const struct rill_thermal_ops rill_water_thermal_ops;

#endif
