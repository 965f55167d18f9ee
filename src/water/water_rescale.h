/* The flow that scales velocities: a bath. */
#ifndef RILL_WATER_WATER_RESCALE_H
#define RILL_WATER_WATER_RESCALE_H

#include "water/water_state.h"

enum rill_status rill_water_rescale(void *self, double h, uint64_t step, struct rill_error *error);
static inline bool rill_water_rescales(const struct rill_water *water) { return water->options.rescale_time > 0; }

#endif
