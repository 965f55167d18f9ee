/* Warnings before a run of water begins. */
#ifndef RILL_SIMULATION_WATER_WARNINGS_H
#define RILL_SIMULATION_WATER_WARNINGS_H

#include "simulation/simulation.h"

/* Writes notes about: noise that an earlier run drew, statistics after the end, friction that shifts temperatures,
 * steps that are too long, penalties, single precision far from the origin. */
void rill_warn_of_water(const struct rill_simulation *sim);

#endif
