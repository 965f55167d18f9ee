/* Runge-Kutta methods of order 2 for g' = g xi^, p' = ad^*_xi p + F(g), xi = I^-1 p: references for variational
 * methods on groups (Leok & Shingel, section 2.4, where they are called RK, SRK and LGM). */
#ifndef RILL_INTEGRATORS_GROUP_RUNGE_KUTTA_H
#define RILL_INTEGRATORS_GROUP_RUNGE_KUTTA_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_ambient_explicit_midpoint, rill_method_ambient_implicit_midpoint,
    rill_method_crouch_grossman;

#endif
