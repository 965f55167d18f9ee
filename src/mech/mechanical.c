#include "mech/mechanical.h"

#include <float.h>
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
  return rill_error_set(
      error, RILL_ERROR_CONVERGENCE,
      "the matrix M + beta h^2 H is singular or not finite; take a smaller step, or hessian = gauss-newton");
}

enum rill_status rill_acceleration_linear(struct rill_acceleration_solver *solver, enum rill_hessian_part part,
                                          double scale, const double *q, const double *shift, double *a,
                                          struct rill_error *error) {
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
    if (fabs(x[i]) > most || isnan(x[i])) most = fabs(x[i]); /* keeps NaN */
  return most;
}

/* solver->change = -(V'(x + scale a) + M a), the residual of the equation. */
static void find_remainder(struct rill_acceleration_solver *solver, double scale, const double *x, const double *a) {
  const struct rill_mechanical *mechanical = solver->mechanical;
  for (size_t i = 0; i < mechanical->n; i++) solver->shifted[i] = x[i] + scale * a[i];
  mechanical->ops->gradient(mechanical->self, solver->shifted, solver->gradient);
  for (size_t i = 0; i < mechanical->n; i++) solver->change[i] = -solver->gradient[i] - mechanical->mass[i] * a[i];
}

/* scale a M a / 2 + V(x + scale a); the acceleration is a stationary point of it. */
static double merit(struct rill_acceleration_solver *solver, double scale, const double *x, const double *a) {
  const struct rill_mechanical *mechanical = solver->mechanical;
  double sum = 0;
  for (size_t i = 0; i < mechanical->n; i++) {
    solver->shifted[i] = x[i] + scale * a[i];
    sum += mechanical->mass[i] * a[i] * a[i];
  }
  return 0.5 * scale * sum + mechanical->ops->potential(mechanical->self, solver->shifted);
}

/* Halves the change until the merit is not above `before`, except for rounding. */
static void shorten(struct rill_acceleration_solver *solver, double scale, const double *x, double before,
                    double *a) {
  enum { HALVINGS = 40 };
  const double allowed = before + 64 * DBL_EPSILON * fabs(before);
  for (int halving = 0; halving < HALVINGS && !(merit(solver, scale, x, a) <= allowed); halving++)
    for (size_t i = 0; i < solver->mechanical->n; i++) a[i] -= solver->change[i] *= 0.5;
}

/* Newton's method from a = 0 with this part of the Hessian; guarded: the merit must not increase. */
static enum rill_status iterate(struct rill_acceleration_solver *solver, enum rill_hessian_part part, bool guarded,
                                double scale, const double *x, double tolerance, unsigned max_iterations, double *a,
                                struct rill_error *error) {
  size_t n = solver->mechanical->n;
  double previous = INFINITY, limit = 0, rounding;
  for (size_t i = 0; i < n; i++) a[i] = 0;
  for (solver->iterations = 1; solver->iterations <= max_iterations; solver->iterations++) {
    double before = guarded ? merit(solver, scale, x, a) : 0;
    find_remainder(solver, scale, x, a);
    RILL_TRY(factor(solver, part, scale, solver->shifted, error));
    rill_band_solve(&solver->matrix, solver->change);
    for (size_t i = 0; i < n; i++) a[i] += solver->change[i];
    solver->residual = largest(solver->change, n);
    limit = tolerance * largest(a, n);
    /* Converged when the change is small, or when round-off stops its decrease: a stiff force loses digits that a
     * cannot recover, and the rounding of positions of a long chain exceeds scale * a. */
    rounding = scale > 0 ? 4 * DBL_EPSILON * largest(solver->shifted, n) / scale : 0;
    if (solver->residual <= limit ||
        (solver->residual >= 0.5 * previous && solver->residual <= 1e6 * limit + rounding))
      return RILL_OK;
    if (!isfinite(solver->residual)) break;
    previous = solver->residual;
    if (guarded) shorten(solver, scale, x, before, a);
  }
  return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                        "Newton's method for the acceleration did not converge: last change %.3g, allowed %.3g, %u "
                        "iterations; take a smaller step",
                        solver->residual, limit, max_iterations);
}

enum rill_status rill_acceleration_pushforward(struct rill_acceleration_solver *solver, enum rill_hessian_part part,
                                               double scale, const double *x, double tolerance,
                                               unsigned max_iterations, double *a, struct rill_error *error) {
  enum rill_status status = iterate(solver, part, false, scale, x, tolerance, max_iterations, a, error);
  if (status != RILL_ERROR_CONVERGENCE || !solver->mechanical->stiff) return status;
  /* Newton's method occasionally cycles with a stiff penalty.  The Gauss-Newton part of the Hessian is positive, so
   * that each correction descends. */
  status = iterate(solver, RILL_HESSIAN_GAUSS_NEWTON, true, scale, x, tolerance, max_iterations, a, error);
  solver->iterations += max_iterations;
  return status;
}
