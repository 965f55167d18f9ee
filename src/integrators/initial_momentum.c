#include "integrators/initial_momentum.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numerics/newton.h"

enum rill_status rill_initial_momentum_create(size_t n, double tolerance, unsigned max_iterations,
                                              struct rill_initial_momentum *solver, struct rill_error *error) {
  *solver =
      (struct rill_initial_momentum){.tolerance = fmax(tolerance, DBL_EPSILON), .max_iterations = max_iterations};
  solver->momentum = rill_allocate(2 * n, sizeof *solver->momentum);
  if (solver->momentum == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a shooting method");
  solver->residual = solver->momentum + n;
  return rill_broyden_create(n, &solver->broyden, error);
}

void rill_initial_momentum_destroy(struct rill_initial_momentum *solver) {
  rill_broyden_destroy(&solver->broyden);
  rill_release(solver->momentum);
  solver->momentum = solver->residual = NULL;
}

static double largest(const double *x, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++)
    if (fabs(x[i]) > most || isnan(x[i])) most = fabs(x[i]);
  return most;
}

enum rill_status rill_initial_momentum_find(struct rill_initial_momentum *solver, struct rill_state *state,
                                            enum rill_status (*aim)(void *self, double *size,
                                                                    struct rill_error *error),
                                            void *self, struct rill_error *error) {
  const size_t n = state->n;
  double before = INFINITY, size = 0;
  bool last = false;
  memcpy(solver->momentum, state->p, n * sizeof *state->p);
  rill_broyden_begin(&solver->broyden);
  for (state->iterations = 1; state->iterations <= solver->max_iterations; state->iterations++) {
    double floor;
    RILL_TRY(aim(self, &size, error));
    state->residual = largest(solver->residual, n);
    if (!isfinite(state->residual) || !isfinite(size))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE,
                            "the shooting method met a momentum that is not finite in iteration %u; take a smaller "
                            "step",
                            state->iterations);
    floor = 2 * DBL_EPSILON * size;
    if (last || state->residual <= floor) return RILL_OK;
    last = rill_newton_done(state->residual, before, solver->tolerance * largest(state->p, n), floor);
    before = state->residual;
    rill_broyden_correct(&solver->broyden, solver->residual, solver->momentum);
  }
  return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                        "the initial momentum of a shooting method did not converge in %u iterations: residual %.3g "
                        "of terms up to %.3g; take a smaller step",
                        solver->max_iterations, state->residual, size);
}
