/* The first-order variational linearised integrator. */
#ifndef RILL_INTEGRATORS_LINEARISED_H
#define RILL_INTEGRATORS_LINEARISED_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_zs_euler;

#endif
