#include "mech/mechanical.h"

#include <math.h>

#include "base/memory.h"

enum rill_status rill_mechanical_hessian_create(const struct rill_mechanical *mechanical, struct rill_band *hessian,
                                                struct rill_error *error) {
  if (mechanical->ring_bandwidth > 0)
    return rill_band_create_ring(mechanical->n, mechanical->ring_bandwidth, hessian, error);
  return rill_band_create(mechanical->n, mechanical->bandwidth, hessian, error);
}

enum rill_status rill_acceleration_solver_create(const struct rill_mechanical *mechanical,
                                                 struct rill_acceleration_solver *solver, struct rill_error *error) {
  size_t n = mechanical->n;
  *solver = (struct rill_acceleration_solver){.mechanical = mechanical};
  RILL_TRY(rill_mechanical_hessian_create(mechanical, &solver->matrix, error));
  solver->gradient = rill_allocate(n, sizeof(double));
  solver->change = rill_allocate(n, sizeof(double));
  solver->shifted = rill_allocate(n, sizeof(double));
  if (solver->gradient != NULL && solver->change != NULL && solver->shifted != NULL) return RILL_OK;
  rill_acceleration_solver_destroy(solver);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for an acceleration of %zu coordinates", n);
}

void rill_acceleration_solver_destroy(struct rill_acceleration_solver *solver) {
  rill_band_destroy(&solver->matrix);
  rill_release(solver->gradient);
  rill_release(solver->change);
  rill_release(solver->shifted);
  *solver = (struct rill_acceleration_solver){0};
}

/* Factors M + scale H(q). */
static enum rill_status factor(struct rill_acceleration_solver *solver, enum rill_hessian_part part, double scale,
                               const double *q, struct rill_error *error) {
  const struct rill_mechanical *mechanical = solver->mechanical;
  rill_band_clear(&solver->matrix);
  mechanical->ops->add_hessian(mechanical->self, part, scale, q, &solver->matrix);
  for (size_t i = 0; i < mechanical->n; i++) *rill_band_at(&solver->matrix, i, i) += mechanical->mass[i];
  if (rill_band_factor(&solver->matrix)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                        "the matrix M + beta h^2 H is singular or not finite; take a smaller step, or hessian = gauss-newton");
}

enum rill_status rill_acceleration_linear(struct rill_acceleration_solver *solver, enum rill_hessian_part part, double scale,
                                          const double *q, const double *shift, double *a, struct rill_error *error) {
  const struct rill_mechanical *mechanical = solver->mechanical;
  size_t n = mechanical->n;
  mechanical->ops->gradient(mechanical->self, q, solver->gradient);
  for (size_t i = 0; i < n; i++) a[i] = -solver->gradient[i];
  if (shift != NULL) {
    rill_band_clear(&solver->matrix);
    mechanical->ops->add_hessian(mechanical->self, part, 1.0, q, &solver->matrix);
    rill_band_multiply(&solver->matrix, shift, solver->change);
    for (size_t i = 0; i < n; i++) a[i] -= solver->change[i];
  }
  RILL_TRY(factor(solver, part, scale, q, error));
  rill_band_solve(&solver->matrix, a);
  return RILL_OK;
}

static double largest(const double *x, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    if (!(fabs(x[i]) <= most)) most = fabs(x[i]); /* NaN goes through */
  return most;
}

enum rill_status rill_acceleration_pushforward(struct rill_acceleration_solver *solver, enum rill_hessian_part part,
                                               double scale, const double *x, double tolerance, unsigned max_iterations,
                                               double *a, struct rill_error *error) {
  const struct rill_mechanical *mechanical = solver->mechanical;
  size_t n = mechanical->n;
  double previous = INFINITY, limit = 0;
  for (size_t i = 0; i < n; i++) a[i] = 0;
  for (solver->iterations = 1; solver->iterations <= max_iterations; solver->iterations++) {
    for (size_t i = 0; i < n; i++) solver->shifted[i] = x[i] + scale * a[i];
    mechanical->ops->gradient(mechanical->self, solver->shifted, solver->gradient);
    RILL_TRY(factor(solver, part, scale, solver->shifted, error));
    for (size_t i = 0; i < n; i++) solver->change[i] = -solver->gradient[i] - mechanical->mass[i] * a[i];
    rill_band_solve(&solver->matrix, solver->change);
    for (size_t i = 0; i < n; i++) a[i] += solver->change[i];
    solver->residual = largest(solver->change, n);
    limit = tolerance * largest(a, n);
    /* Done when small, or when round-off stops the decrease: a stiff force loses digits that a itself cannot get back. */
    if (solver->residual <= limit || (solver->residual >= 0.5 * previous && solver->residual <= 1e6 * limit)) return RILL_OK;
    if (!isfinite(solver->residual)) break;
    previous = solver->residual;
  }
  return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                        "Newton's method for the acceleration did not converge: last change %.3g, allowed %.3g, %u "
                        "iterations; take a smaller step",
                        solver->residual, limit, solver->iterations);
}
