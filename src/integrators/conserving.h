/* Implicit methods of separable systems: energy-momentum, the energy-preserving scheme of Chorin et al., implicit
 * midpoint; and the two first-order splittings. */
#ifndef RILL_INTEGRATORS_CONSERVING_H
#define RILL_INTEGRATORS_CONSERVING_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_energy_momentum, rill_method_energy_preserving,
    rill_method_implicit_midpoint, rill_method_symplectic_euler, rill_method_lie_trotter;

#endif
