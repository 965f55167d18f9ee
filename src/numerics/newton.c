#include "numerics/newton.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numerics/blas.h"

enum { DEFAULT_ITERATIONS = 50 };

enum rill_status rill_newton_create(size_t n, size_t leading, double tolerance, unsigned max_iterations,
                                    struct rill_newton *newton, struct rill_error *error) {
  *newton = (struct rill_newton){.n = n,
                                 .leading = leading,
                                 .tolerance = tolerance > DBL_EPSILON ? tolerance : DBL_EPSILON,
                                 .max_iterations = max_iterations > 0 ? max_iterations : DEFAULT_ITERATIONS};
  newton->x = rill_allocate(n, sizeof *newton->x);
  newton->residual = rill_allocate(n, sizeof *newton->residual);
  newton->jacobian = rill_allocate(n * n, sizeof *newton->jacobian);
  newton->pivots = rill_allocate(n, sizeof *newton->pivots);
  if (newton->x != NULL && newton->residual != NULL && newton->jacobian != NULL && newton->pivots != NULL)
    return RILL_OK;
  rill_newton_destroy(newton);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a Newton solve of %zu unknowns", n);
}

void rill_newton_destroy(struct rill_newton *newton) {
  rill_release(newton->x);
  rill_release(newton->residual);
  rill_release(newton->jacobian);
  rill_release(newton->pivots);
  *newton = (struct rill_newton){0};
}

enum rill_status rill_dense_solve(size_t n, double *a, int *pivots, double *x, struct rill_error *error) {
  const lapack_int order = (lapack_int)n;
  lapack_int info;
  rill_blas_enter();
  info = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, order, 1, a, order, pivots, x, order);
  rill_blas_leave();
  if (info != 0)
    return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                          "a linear solve of %zu unknowns met a singular matrix at pivot %d", n, (int)info);
  return RILL_OK;
}

enum rill_status rill_dense_factor(size_t n, double *a, int *pivots, struct rill_error *error) {
  const lapack_int order = (lapack_int)n;
  lapack_int info;
  rill_blas_enter();
  info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, order, order, a, order, pivots);
  rill_blas_leave();
  if (info != 0)
    return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                          "a linear solve of %zu unknowns met a singular matrix at pivot %d", n, (int)info);
  return RILL_OK;
}

void rill_dense_solve_factored(size_t n, const double *a, const int *pivots, size_t columns, double *x) {
  const lapack_int order = (lapack_int)n;
  rill_blas_enter();
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', order, (lapack_int)columns, a, order, pivots, x, order);
  rill_blas_leave();
}

static double largest(const double *x, size_t n) {
  double size = 0;
  for (size_t i = 0; i < n; i++) size = fabs(x[i]) > size || isnan(x[i]) ? fabs(x[i]) : size;
  return size;
}

enum rill_status rill_newton_solve(struct rill_newton *newton, rill_newton_function *function, void *context,
                                   struct rill_error *error) {
  double before = INFINITY, size = 0;
  for (newton->iterations = 1; newton->iterations <= newton->max_iterations; newton->iterations++) {
    memset(newton->jacobian, 0, newton->n * newton->n * sizeof *newton->jacobian);
    function(context, newton->x, newton->residual, newton->jacobian);
    newton->residual_size = largest(newton->residual, newton->n);
    if (!isfinite(newton->residual_size))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE,
                            "Newton's method met a residual that is not finite in iteration %u; take a smaller step",
                            newton->iterations);
    RILL_TRY(rill_dense_solve(newton->n, newton->jacobian, newton->pivots, newton->residual, error));
    for (size_t i = 0; i < newton->n; i++) newton->x[i] -= newton->residual[i];
    newton->change = largest(newton->residual, newton->leading);
    size = largest(newton->x, newton->leading);
    if (rill_newton_done(newton->change, before, newton->tolerance * size, newton->floor)) return RILL_OK;
    before = newton->change;
  }
  newton->iterations = newton->max_iterations;
  return rill_error_set(
      error, RILL_ERROR_CONVERGENCE,
      "Newton's method did not converge in %u iterations: residual %.3g, last change %.3g of unknowns of "
      "size %.3g; take a smaller step",
      newton->max_iterations, newton->residual_size, newton->change, size);
}
