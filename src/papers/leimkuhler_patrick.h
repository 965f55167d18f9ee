/* Leimkuhler & Patrick, A symplectic integrator for Riemannian manifolds, J. Nonlinear Sci. 6, 367 (1996): the
 * particle on an ellipsoid of section 5.1, and the Lie-Poisson integrator of section 5.2 on the free rigid body. */
#ifndef RILL_PAPERS_LEIMKUHLER_PATRICK_H
#define RILL_PAPERS_LEIMKUHLER_PATRICK_H

#include "papers/result.h"

/* leimkuhler-patrick-ellipsoid, leimkuhler-patrick-lie-poisson; *count gets their number. */
const struct rill_result *rill_leimkuhler_patrick_results(size_t *count);

#endif
