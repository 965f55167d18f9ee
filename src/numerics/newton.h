/* Newton-Raphson iteration with a dense Jacobian, solved by LAPACK; the workspace is allocated at creation.
 *
 * It iterates to round-off: it stops when the change, or the next change as predicted from the rate of the last two
 * (Hairer & Wanner, Solving ODEs II, IV.8), is below the tolerance, or when rounding explains the change. */
#ifndef RILL_NUMERICS_NEWTON_H
#define RILL_NUMERICS_NEWTON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Whether the iteration is finished after a change of this size.  before: the previous change, INFINITY in the first
 * iteration; target: the required size; floor: the largest change that rounding explains.  Changes within a factor of
 * 1e4 of either that no longer shrink are attributed to the rounding of an ill-conditioned equation. */
static inline bool rill_newton_done(double change, double before, double target, double floor) {
  double rate = before < 1e300 ? change / before : 1;
  return change <= target + floor || (rate < 0.5 && change * rate <= (1 - rate) * target) ||
         (before < 1e300 && rate >= 0.5 && change <= 1e4 * (target + floor));
}

/* residual: [n]; jacobian: [n][n] column major, entry (i, j) at j n + i, all zero on entry. */
typedef void rill_newton_function(void *context, const double *x, double *residual, double *jacobian);

struct rill_newton {
  size_t n, leading; /* unknowns; convergence is judged by the first `leading` ones, multipliers follow them */
  double tolerance;  /* of changes, relative to the largest leading unknown; at least the unit round-off */
  unsigned max_iterations;
  double *x;            /* [n] in: initial guess, out: solution */
  double floor;         /* in: the largest absolute change that rounding explains; may be 0 */
  unsigned iterations;  /* out */
  double residual_size; /* out: largest residual before the last correction */
  double change;        /* out: the last change */
  double *residual, *jacobian;
  int *pivots;
};

/* tolerance 0: to round-off; max_iterations 0: 50. */
enum rill_status rill_newton_create(size_t n, size_t leading, double tolerance, unsigned max_iterations,
                                    struct rill_newton *newton, struct rill_error *error);
void rill_newton_destroy(struct rill_newton *newton); /* accepts a zeroed struct */

/* The messages of RILL_ERROR_CONVERGENCE (also for a singular Jacobian) and RILL_ERROR_NOT_FINITE give the iteration,
 * the residual and a remedy. */
enum rill_status rill_newton_solve(struct rill_newton *newton, rill_newton_function *function, void *context,
                                   struct rill_error *error);

/* x = A^-1 x, A: [n][n] column major, overwritten by its factors; pivots: [n].  RILL_ERROR_CONVERGENCE when singular.
 */
enum rill_status rill_dense_solve(size_t n, double *a, int *pivots, double *x, struct rill_error *error);

/* Factors the column-major matrix a for solves with many right-hand sides; RILL_ERROR_CONVERGENCE when singular. */
enum rill_status rill_dense_factor(size_t n, double *a, int *pivots, struct rill_error *error);
/* x = A^-1 x for each of the columns of x: [columns][n]. */
void rill_dense_solve_factored(size_t n, const double *a, const int *pivots, size_t columns, double *x);

#endif
