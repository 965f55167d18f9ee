/* Variational methods on Lie groups. */
#ifndef RILL_INTEGRATORS_LIE_H
#define RILL_INTEGRATORS_LIE_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_hamilton_pontryagin, rill_method_lie_verlet;

#endif
