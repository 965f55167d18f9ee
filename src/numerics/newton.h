/* Newton-Raphson with a dense Jacobian, solved by LAPACK; workspace at creation.
 *
 * Iterates to round-off: it stops when the change, or the next change as predicted from the rate of the last two (Hairer &
 * Wanner, Solving ODEs II, IV.8), is below tolerance * scale, or when changes no longer shrink and have reached `floor`,
 * below which rounding explains them. */
#ifndef RILL_NUMERICS_NEWTON_H
#define RILL_NUMERICS_NEWTON_H

#include <stddef.h>

#include "base/status.h"

/* residual: [n]; jacobian: [n][n] column major, entry (i, j) at j n + i, all zero on entry. */
typedef void rill_newton_function(void *context, const double *x, double *residual, double *jacobian);

struct rill_newton {
  size_t n, leading;        /* unknowns; the first `leading` of them judge convergence, multipliers behind follow */
  double tolerance;         /* of changes, relative to scale; at least the unit round-off */
  unsigned max_iterations;
  double *x;                /* [n] in: first guess, out: solution */
  double scale;             /* in: the size of the leading unknowns */
  double floor;             /* in: an absolute change that rounding explains */
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

/* x = A^-1 x, A: [n][n] column major, overwritten by its factors; pivots: [n].  RILL_ERROR_CONVERGENCE when singular. */
enum rill_status rill_dense_solve(size_t n, double *a, int *pivots, double *x, struct rill_error *error);

#endif
