/* Solutions of Hamilton's equations by a one-step method, with their tangents; shared by the methods over the
 * `hamiltonian` capability.
 *
 *   z = (q, p),   z' = f(z) = (H_p, -H_q),   f'(z) = ((H_pq, H_pp), (-H_qq, -H_qp)) */
#ifndef RILL_INTEGRATORS_HAMILTONIAN_CURVE_H
#define RILL_INTEGRATORS_HAMILTONIAN_CURVE_H

#include "base/choices.h"
#include "mech/hamiltonian.h"
#include "numerics/newton.h"

struct rill_hamiltonian_curve {
  const struct rill_hamiltonian *hamiltonian; /* borrowed */
  enum rill_shooting_base base;               /* rk4, explicit-midpoint or implicit-midpoint */
  size_t n, tangents;
  double *z, *dz; /* the point, [2n], and its tangents, tangent after tangent: [tangents][2n] */
  double *f, *df; /* the slope there */
  struct rill_hamiltonian_values values;
  struct rill_newton newton; /* unknown: the midpoint */
  double span;               /* of the present step */
  double *stage, *dstage, *next, *dnext;
  double *matrix; /* [2n][2n], columns */
  int *pivots;
  double *memory;
  enum rill_status status; /* of evaluations inside Newton's method */
  struct rill_error *error;
};

/* tangents: 0 or a number of them. */
enum rill_status rill_hamiltonian_curve_create(const struct rill_hamiltonian *hamiltonian,
                                               enum rill_shooting_base base, size_t tangents, double tolerance,
                                               unsigned max_iterations, struct rill_hamiltonian_curve *curve,
                                               struct rill_error *error);
void rill_hamiltonian_curve_destroy(struct rill_hamiltonian_curve *curve); /* accepts a zeroed struct */

/* Fills f and df at z. */
enum rill_status rill_hamiltonian_curve_slope(struct rill_hamiltonian_curve *curve, struct rill_error *error);

/* Moves z by a span; f must be the slope there, and is overwritten. */
enum rill_status rill_hamiltonian_curve_step(struct rill_hamiltonian_curve *curve, double span,
                                             struct rill_error *error);

#endif
