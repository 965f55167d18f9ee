/* The `implicit` capability: what fully implicit methods for large systems need.
 *
 * Positions q, velocities v and masses of n coordinates (including padding, which stays at rest).  The potential may
 * have a stiff part whose Hessian couples few coordinates, so that M + scale H is solved directly; everything else
 * uses only forces and their derivatives, by fixed-point iteration or Krylov methods. */
#ifndef RILL_MECH_IMPLICIT_H
#define RILL_MECH_IMPLICIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "mech/mechanical.h"
#include "numerics/nonlinear.h"

/* The nonlinear solves of the last step: largest number of iterations and residual, total number of evaluations
 * (including derivatives). */
struct rill_implicit_report {
  unsigned iterations, evaluations;
  double residual; /* of the positions; in the system's unit */
};

struct rill_implicit_ops {
  /* Allocates what the other functions and `mass` need; whoever uses the capability calls it first, any number of
   * times. RILL_ERROR_MEMORY. */
  enum rill_status (*begin)(void *self, struct rill_error *error);
  /* f = -grad V(q), all of it: [n], overwritten. */
  void (*force)(void *self, const double *q, double *f);
  /* out = the derivative of the force at q along u: [n], overwritten.  NULL: not offered. */
  void (*force_derivative)(void *self, const double *q, const double *u, double *out);
  /* (M + scale H) out = b, H a part of the stiff Hessian at q (STIFF or GAUSS_NEWTON); without a stiff part, M
   * out = b. */
  void (*stiff_solve)(void *self, enum rill_hessian_part part, double scale, const double *q, const double *b,
                      double *out);
  /* out = H u. */
  void (*stiff_product)(void *self, enum rill_hessian_part part, const double *q, const double *u, double *out);
  /* Moves q along v for a time h, then onto the constraints by impulses along their gradients at the old q, which v
   * receives too. */
  enum rill_status (*drift)(void *self, double h, double *q, double *v, struct rill_error *error);
  /* u -= M^-1 Dg(along)^T mu, so that Dg(at) u = 0: the derivative of the drift's projection; for along = at, the
   * velocity projection. */
  void (*project)(void *self, const double *along, const double *at, double *u);
  /* Must be called after positions were changed. */
  void (*moved)(void *self);
};

struct rill_implicit {
  const struct rill_implicit_ops *ops;
  size_t n;
  double *q, *v;        /* [n] */
  const double *mass;   /* [n]; set by begin */
  double *acceleration; /* one-step Newmark's, part of the state: [n]; the first is NaN when there is none;
                         * NULL if it is never used */
  bool constrained, stiff;
  double length; /* the length that tolerances of positions are relative to */
  struct rill_implicit_report *report;
  void *self;
};

/* Adds a solve to the step's report. */
static inline void rill_implicit_note(const struct rill_implicit *implicit,
                                      const struct rill_nonlinear_report *solve) {
  struct rill_implicit_report *report = implicit->report;
  if (solve->iterations > report->iterations) report->iterations = solve->iterations;
  report->evaluations += solve->evaluations;
  if (!(solve->residual <= report->residual)) report->residual = solve->residual;
}

#endif
