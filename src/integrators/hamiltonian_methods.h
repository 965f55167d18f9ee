/* Methods over the `hamiltonian` capability: the implicit midpoint rule, and generating functions of both types by
 * shooting. */
#ifndef RILL_INTEGRATORS_HAMILTONIAN_METHODS_H
#define RILL_INTEGRATORS_HAMILTONIAN_METHODS_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_hamiltonian_midpoint, rill_method_hamiltonian_shooting,
    rill_method_discrete_hamiltonian;

#endif
