/* Broyden's quasi-Newton method for r(x) = 0 where r' is near -1: the inverse of -r' begins as the identity, and each
 * change of x improves it by a matrix of rank one. */
#ifndef RILL_NUMERICS_BROYDEN_H
#define RILL_NUMERICS_BROYDEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct rill_broyden {
  size_t n;
  bool begun;                              /* `before` and `change` are of the last correction */
  double *inverse;                         /* [n][n], rows */
  double *change, *before, *seen, *across; /* [n] */
};

enum rill_status rill_broyden_create(size_t n, struct rill_broyden *broyden, struct rill_error *error);
void rill_broyden_destroy(struct rill_broyden *broyden); /* accepts a zeroed struct */

/* Begins with the identity. */
void rill_broyden_begin(struct rill_broyden *broyden);

/* Corrects x, [n], where r is the residual, [n], after learning from the last correction. */
void rill_broyden_correct(struct rill_broyden *broyden, const double *r, double *x);

#endif
