/* The flow that scales velocities: a bath. */
#ifndef RILL_WATER_WATER_RESCALE_H
#define RILL_WATER_WATER_RESCALE_H

#include "water/water_state.h"

enum rill_status rill_water_rescale(void *self, double h, uint64_t step, struct rill_error *error);

#endif
