/* Water clusters in vacuum, of one size, in the lanes of a vector: the lanes capability of water.
 *
 * Rigid by constraints, as rigid bodies, or penalised (without the pushforward filter); with or without a wall and a
 * thermostat at constant temperature; all pairs.  No other boundaries, no ramp, no trials, no v-rescale,
 * no external fields, no plain loops. */
#ifndef RILL_WATER_LANES_LANES_H
#define RILL_WATER_LANES_LANES_H

#include "mech/lanes.h"

extern const struct rill_lanes_ops rill_water_lanes;

/* The width of a group whether or not anything is gained by it; 0: not possible. */
size_t rill_water_lanes_capacity(const void *self);

#endif
