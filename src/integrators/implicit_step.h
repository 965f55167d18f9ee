/* Implicit methods for large systems: steps of dvp, implicit-midpoint, newmark and newmark-onestep over the implicit
 * capability (mech/implicit.h). */
#ifndef RILL_INTEGRATORS_IMPLICIT_STEP_H
#define RILL_INTEGRATORS_IMPLICIT_STEP_H

#include "mech/integrator.h"

extern const struct rill_one_step rill_implicit_dvp, rill_implicit_midpoint, rill_implicit_newmark,
    rill_implicit_newmark_onestep;

#endif
