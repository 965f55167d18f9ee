/* Galerkin variational integrators on Lie groups: Leok & Shingel, sections 2.1, 2.2. */
#ifndef RILL_INTEGRATORS_LIE_GALERKIN_H
#define RILL_INTEGRATORS_LIE_GALERKIN_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_lie_galerkin;

#endif
