/* The momentum at the beginning of a step from which a shooting method's curve has the momentum of the state: solved
 * by Broyden's method, since the two agree up to the order of the method (Leok & Shingel, section 3). */
#ifndef RILL_INTEGRATORS_INITIAL_MOMENTUM_H
#define RILL_INTEGRATORS_INITIAL_MOMENTUM_H

#include "base/status.h"
#include "mech/state.h"
#include "numerics/broyden.h"

struct rill_initial_momentum {
  double tolerance; /* relative */
  unsigned max_iterations;
  double *momentum, *residual; /* the present momentum; p_k - p_0 of its curve: [n] */
  struct rill_broyden broyden;
};

enum rill_status rill_initial_momentum_create(size_t n, double tolerance, unsigned max_iterations,
                                              struct rill_initial_momentum *solver, struct rill_error *error);
void rill_initial_momentum_destroy(struct rill_initial_momentum *solver); /* accepts a zeroed struct */

/* Iterates from the state's momentum; the last curve has the corrected momentum.  aim shoots from solver->momentum,
 * fills solver->residual, and sets *size to the largest term of p_0, or to NaN when the curve is not finite.  Sets
 * the state's iterations and residual.  RILL_ERROR_NOT_FINITE, RILL_ERROR_CONVERGENCE, and the errors of aim. */
enum rill_status rill_initial_momentum_find(struct rill_initial_momentum *solver, struct rill_state *state,
                                            enum rill_status (*aim)(void *self, double *size,
                                                                    struct rill_error *error),
                                            void *self, struct rill_error *error);

#endif
