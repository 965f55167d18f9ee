/* Collocation on the prolongation of the Euler-Lagrange equations, as a one-step method for q'' = a(q), a separable
 * system: Leok & Shingel, section 3, remark 4; "Prolongation-collocation variational integrators", IMA J. Numer.
 * Anal. 32, 1194 (2012).  The curve of a step of length h is the polynomial of degree 5 with
 *
 *   q(0) = q_0, q'(0) = v_0,  q'' = a(q) and q''' = a'(q) q' at both ends,
 *
 * so that its acceleration is Hermite's cubic through a_0, a_1 with the slopes j_0, j_1, and
 *
 *   q_1 = q_0 + h v_0 + h^2 (7 a_0 + 3 a_1) / 20 + h^3 (3 j_0 - 2 j_1) / 60,
 *   v_1 = v_0 + h (a_0 + a_1) / 2 + h^2 (j_0 - j_1) / 12.
 *
 * Order 4, and symmetric, since the conditions are the same from either end. */
#ifndef RILL_INTEGRATORS_PROLONGATION_H
#define RILL_INTEGRATORS_PROLONGATION_H

#include "mech/system.h"
#include "numerics/newton.h"

struct rill_prolongation {
  const struct rill_lagrangian *lagrangian;
  const struct rill_mechanical *mechanical; /* with third derivatives */
  size_t n;
  double h;
  struct rill_newton newton;     /* unknowns q_1, v_1 */
  double *from;                  /* q_0 + ... and v_0 + ..., without a_1, j_1: [2n] */
  double *a, *j;                 /* at the present point: [n] */
  double *by_q, *jerk;           /* a'(q), j_q(q, v): [n][n], rows */
  double *probe, *above, *below; /* [n] */
  double *matrix, *tangents;     /* [2n][2n] columns; [2n][2n], tangent after tangent */
  int *pivots;
  double *memory;
};

enum rill_status rill_prolongation_create(const struct rill_system *system, double tolerance, unsigned max_iterations,
                                          struct rill_prolongation *prolongation, struct rill_error *error);
void rill_prolongation_destroy(struct rill_prolongation *prolongation); /* accepts a zeroed struct */

/* Moves (q, p), [n], and 2n tangents of each, [2n][n], by a step of length h. */
enum rill_status rill_prolongation_step(struct rill_prolongation *prolongation, double h, double *q, double *p,
                                        double *dq, double *dp, struct rill_error *error);

#endif
