/* Implicit methods of large systems: the steps of dvp, implicit-midpoint, newmark and newmark-onestep over the
 * implicit capability (mech/implicit.h). */
#ifndef RILL_INTEGRATORS_LARGE_H
#define RILL_INTEGRATORS_LARGE_H

#include "mech/integrator.h"

extern const struct rill_own_step rill_large_dvp, rill_large_midpoint, rill_large_newmark, rill_large_newmark_onestep;

#endif
