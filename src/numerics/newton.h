/* Newton-Raphson with a dense Jacobian, solved by LAPACK; workspace at creation.
 *
 * Iterates to round-off: it stops when the change, or the next change as predicted from the rate of the last two
 * (Hairer & Wanner, Solving ODEs II, IV.8), is below the tolerance, or when the change is one that rounding explains.
 */
#ifndef RILL_NUMERICS_NEWTON_H
#define RILL_NUMERICS_NEWTON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Whether an iteration that has just made a change of this size is done.  before: the change before it, INFINITY in
 * the first iteration; target: the wanted size; floor: a change that rounding explains.  Changes that have ceased to
 * shrink within a factor of 1e4 of either are taken for rounding of an ill-conditioned equation. */
static inline bool rill_newton_done(double change, double before, double target, double floor) {
  double rate = before < 1e300 ? change / before : 1;
  return change <= target + floor || (rate < 0.5 && change * rate <= (1 - rate) * target) ||
         (before < 1e300 && rate >= 0.5 && change <= 1e4 * (target + floor));
}

/* residual: [n]; jacobian: [n][n] column major, entry (i, j) at j n + i, all zero on entry. */
typedef void rill_newton_function(void *context, const double *x, double *residual, double *jacobian);

struct rill_newton {
  size_t n, leading;        /* unknowns; the first `leading` of them judge convergence, multipliers behind follow */
  double tolerance;         /* of changes, relative to the largest leading unknown; at least the unit round-off */
  unsigned max_iterations;
  double *x;                /* [n] in: first guess, out: solution */
  double floor;             /* in: an absolute change that rounding explains; may be 0 */
  unsigned iterations;      /* out */
  double residual_size;     /* out: largest residual before the last correction */
  double change;            /* out: the last change */
  double *residual, *jacobian;
  int *pivots;
};

/* tolerance 0: to round-off; max_iterations 0: 50. */
enum rill_status rill_newton_create(size_t n, size_t leading, double tolerance, unsigned max_iterations,
                                    struct rill_newton *newton, struct rill_error *error);
void rill_newton_destroy(struct rill_newton *newton);   /* accepts a zeroed struct */

/* RILL_ERROR_CONVERGENCE (a singular Jacobian too) and RILL_ERROR_NOT_FINITE name iteration, residual and remedy. */
enum rill_status rill_newton_solve(struct rill_newton *newton, rill_newton_function *function, void *context,
                                   struct rill_error *error);

/* x = A^-1 x, A: [n][n] column major, overwritten by its factors; pivots: [n].  RILL_ERROR_CONVERGENCE when singular.
 */
enum rill_status rill_dense_solve(size_t n, double *a, int *pivots, double *x, struct rill_error *error);

/* Factors of a, column major, for solves with many right-hand sides; RILL_ERROR_CONVERGENCE when singular. */
enum rill_status rill_dense_factor(size_t n, double *a, int *pivots, struct rill_error *error);
/* x = A^-1 x for each of the columns of x: [columns][n]. */
void rill_dense_solve_factored(size_t n, const double *a, const int *pivots, size_t columns, double *x);

#endif
