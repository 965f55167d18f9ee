/* The `implicit` capability: what fully implicit methods of large systems ask for.
 *
 * Positions q and velocities v of n coordinates (padding included, which stays at rest), masses a coordinate.  The
 * potential may have a stiff part whose Hessian couples few coordinates, so that M + scale H is solved directly; all
 * else is reached through forces and derivatives of forces alone, by fixed points or Krylov subspaces. */
#ifndef RILL_MECH_IMPLICIT_H
#define RILL_MECH_IMPLICIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "mech/mechanical.h"
#include "numerics/nonlinear.h"

/* Of the nonlinear solves of the last step: largest iterations and residual, evaluations in all (derivatives count).
 */
struct rill_implicit_report {
  unsigned iterations, evaluations;
  double residual; /* of the positions; in the system's unit */
};

struct rill_implicit_ops {
  /* f = -grad V(q), whole: [n], overwritten. */
  void (*force)(void *self, const double *q, double *f);
  /* out = the derivative of the force at q along u: [n], overwritten.  NULL: not offered. */
  void (*force_derivative)(void *self, const double *q, const double *u, double *out);
  /* (M + scale H) out = b, H a part of the stiff Hessian at q (STIFF or GAUSS_NEWTON); M out = b without a stiff
   * part. */
  void (*stiff_solve)(void *self, enum rill_hessian_part part, double scale, const double *q, const double *b,
                      double *out);
  /* out = H u. */
  void (*stiff_product)(void *self, enum rill_hessian_part part, const double *q, const double *u, double *out);
  /* q along v for a time h; then onto the constraints by impulses along their gradients at the old q, which v gets
   * too. */
  enum rill_status (*drift)(void *self, double h, double *q, double *v, struct rill_error *error);
  /* u -= M^-1 Dg(along)^T mu, so that Dg(at) u = 0: the derivative of the drift's projection; the velocity projection
   * for along = at. */
  void (*project)(void *self, const double *along, const double *at, double *u);
  /* The positions were written to. */
  void (*moved)(void *self);
};

struct rill_implicit {
  const struct rill_implicit_ops *ops;
  size_t n;
  double *q, *v;        /* [n] */
  const double *mass;   /* [n] */
  double *acceleration; /* one-step Newmark's, part of the state: [n], the first NaN when there is none */
  bool constrained, stiff;
  double length; /* tolerances of positions are relative to it */
  struct rill_implicit_report *report;
  void *self;
};

/* Adds a solve to the report of the step. */
static inline void rill_implicit_note(const struct rill_implicit *implicit,
                                      const struct rill_nonlinear_report *solve) {
  struct rill_implicit_report *report = implicit->report;
  if (solve->iterations > report->iterations) report->iterations = solve->iterations;
  report->evaluations += solve->evaluations;
  if (!(solve->residual <= report->residual)) report->residual = solve->residual;
}

#endif
