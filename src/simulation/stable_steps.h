/* The largest stable steps that were measured, and the warning about a step beyond them. */
#ifndef RILL_SIMULATION_STABLE_STEPS_H
#define RILL_SIMULATION_STABLE_STEPS_H

#include "simulation/simulation.h"

/* ps; NaN where nothing was measured for the deck's method. */
double rill_stable_step(const struct rill_simulation *sim);

/* One line, "warning: ...", when the deck's step is longer. */
void rill_stable_step_warn(const struct rill_simulation *sim);

#endif
