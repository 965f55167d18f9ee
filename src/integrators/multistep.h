/* Multistep methods on separable systems without constraints: the two-step form of Stoermer-Verlet, and symmetric
 * linear multistep methods of order 8 for q'' = a(q).  Earlier positions and accelerations are in the state's history
 * (mech/state.h). */
#ifndef RILL_INTEGRATORS_MULTISTEP_H
#define RILL_INTEGRATORS_MULTISTEP_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_verlet_two_step, rill_method_quinlan_tremaine, rill_method_symmetric8;

/* The coefficients of sum_j alpha_j q_{n+j} = h^2 sum_j beta_j a_{n+j}, j = 0 .. k, as integers: beta_j is
 * force_j / denominator.  alpha: [k + 1], force: [k + 1]. */
struct rill_multistep_coefficients {
  const char *method; /* its name */
  int k, order;
  const int *alpha, *force;
  int denominator;
};

/* Those of the methods above. */
const struct rill_multistep_coefficients *rill_multistep_coefficients(size_t *count);

#endif
