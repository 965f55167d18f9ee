/* The largest stable steps that were measured, and the warning about a step beyond them. */
#ifndef RILL_CLI_STABLE_STEPS_H
#define RILL_CLI_STABLE_STEPS_H

#include "cli/setup.h"

/* ps; NaN where nothing was measured for the deck's method. */
double rill_stable_step(const struct rill_setup *setup);

/* One line, "warning: ...", when the deck's step is longer. */
void rill_stable_step_warn(const struct rill_setup *setup, FILE *notes);

#endif
