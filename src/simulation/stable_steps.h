/* The measured largest stable steps, and the warning about a longer step. */
#ifndef RILL_SIMULATION_STABLE_STEPS_H
#define RILL_SIMULATION_STABLE_STEPS_H

#include "simulation/simulation.h"

/* ps; NaN when the deck's method was not measured. */
double rill_stable_step(const struct rill_simulation *sim);

/* One line, "warning: ...", when the deck's step is longer. */
void rill_stable_step_warn(const struct rill_simulation *sim);

#endif
