/* Methods whose steps vary in length, on separable systems without constraints.  The deck's step is one of fictitious
 * time; the time is in the state's clock (mech/state.h). */
#ifndef RILL_INTEGRATORS_STEP_CONTROL_H
#define RILL_INTEGRATORS_STEP_CONTROL_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_verlet_transformed, rill_method_verlet_adaptive, rill_method_verlet_naive,
    rill_method_dvp_energy;

#endif
