/* The `nonholonomic` capability: constraints linear in the velocities, A(q) v = 0, which follow from no constraint of
 * positions, on a Lagrangian with a constant diagonal mass.  Lagrange-d'Alembert:
 *
 *   (d/dt) L_v - L_q = A(q)^T lambda,   A(q) v = 0. */
#ifndef RILL_MECH_NONHOLONOMIC_H
#define RILL_MECH_NONHOLONOMIC_H

#include <stddef.h>

#include "base/status.h"

struct rill_nonholonomic_ops {
  void (*rows)(const void *self, const double *q, double *a);                     /* A: [k][n], overwritten */
  void (*rates)(const void *self, const double *q, const double *v, double *out); /* D_q (A v): [k][n], overwritten */
};

struct rill_nonholonomic {
  const struct rill_nonholonomic_ops *ops;
  size_t n, k;
  const double *mass; /* [n] */
  const void *self;
};

/* Solves with A M^-1 A^T. */
struct rill_nonholonomic_solver {
  const struct rill_nonholonomic *constraints;
  double *a, *rates, *product, *lambda; /* [k][n] twice, [k][k], [k] */
  int *pivots;
};

enum rill_status rill_nonholonomic_solver_create(const struct rill_nonholonomic *constraints,
                                                 struct rill_nonholonomic_solver *solver, struct rill_error *error);
void rill_nonholonomic_solver_destroy(struct rill_nonholonomic_solver *solver); /* accepts a zeroed struct */

/* p -= A^T lambda with A M^-1 p = 0, the projection that is orthogonal in the metric M^-1: [n]. */
enum rill_status rill_nonholonomic_project(struct rill_nonholonomic_solver *solver, const double *q, double *p,
                                           struct rill_error *error);

/* force += A^T lambda, where lambda keeps the velocities v on the constraints: (d/dt) (A v) = 0: [n]. */
enum rill_status rill_nonholonomic_add_reaction(struct rill_nonholonomic_solver *solver, const double *q,
                                                const double *v, double *force, struct rill_error *error);

/* Largest and root mean square of A(q) v. */
void rill_nonholonomic_deviation(struct rill_nonholonomic_solver *solver, const double *q, const double *v,
                                 double *most, double *rms);

#endif
