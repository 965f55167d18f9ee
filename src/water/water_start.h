/* The start of a run of water, for other files of the system; the rest is in water_system.h. */
#ifndef RILL_WATER_WATER_START_H
#define RILL_WATER_WATER_START_H

#include "water/water_state.h"

/* Removes the angular momentum about the centre of mass.  RILL_ERROR_INPUT: the inertia is singular. */
enum rill_status rill_water_stop_turning(struct rill_water *water, struct rill_error *error);

#endif
