/* Methods for Lagrangians with constraints on velocities: the discrete Lagrange-d'Alembert principle, and the
 * classical Runge-Kutta method, which also serves other Lagrangians, as what is structure-keeping is compared with.
 */
#ifndef RILL_INTEGRATORS_NONHOLONOMIC_H
#define RILL_INTEGRATORS_NONHOLONOMIC_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_lagrange_d_alembert, rill_method_rk4, rill_method_rk4_projected;

#endif
