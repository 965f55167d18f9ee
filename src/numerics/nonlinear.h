/* Fixed points x = g(x) in many unknowns, by SUNDIALS KINSOL with serial vectors: Anderson acceleration of the map,
 * or Newton's method for x - g(x) = 0 with GMRES (SPGMR) on an analytic derivative.
 *
 * Hindmarsh et al., ACM Trans. Math. Softw. 31, 363 (2005); Anderson, J. ACM 12, 547 (1965); Walker & Ni, SIAM J.
 * Numer. Anal. 49, 1715 (2011). */
#ifndef RILL_NUMERICS_NONLINEAR_H
#define RILL_NUMERICS_NONLINEAR_H

#include <stddef.h>

#include "base/choices.h"
#include "base/status.h"

struct rill_nonlinear_problem {
  size_t n;
  /* g(x): [n], overwritten.  An error ends the solve and is returned. */
  enum rill_status (*map)(void *self, const double *x, double *g, struct rill_error *error);
  /* out = u - Dg(x) u, for RILL_NEWTON_KRYLOV.  x is the point at which map was last called. */
  void (*derivative)(void *self, const double *x, const double *u, double *out);
  void *self;
};

struct rill_nonlinear_options {
  enum rill_nonlinear_kind kind;
  double tolerance;        /* of max |x - g(x)|, absolute */
  unsigned max_iterations; /* at least 1 */
};

struct rill_nonlinear_report {
  unsigned iterations;  /* of Anderson's or Newton's method */
  unsigned evaluations; /* of the map and the derivative */
  double residual;      /* max |x - g(x)| */
};

struct rill_nonlinear;

/* Allocates all workspace. */
enum rill_status rill_nonlinear_create(const struct rill_nonlinear_problem *problem,
                                       const struct rill_nonlinear_options *options, struct rill_nonlinear **solver,
                                       struct rill_error *error);

/* x: in, the initial guess; out, the last point at which map was called, with a residual within the tolerance.  g
 * (may be NULL) is set to the map's result there.  The message of RILL_ERROR_CONVERGENCE gives the residual reached;
 * x is then undefined. */
enum rill_status rill_nonlinear_solve(struct rill_nonlinear *solver, double *x, double *g,
                                      struct rill_nonlinear_report *report, struct rill_error *error);

void rill_nonlinear_destroy(struct rill_nonlinear *solver); /* accepts NULL */

#endif
