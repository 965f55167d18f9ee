/* The `hamiltonian` capability: H(q, p) in canonical variables, with its derivatives, without constraints.  Offered
 * by systems that have no Lagrangian, and by the others through the Legendre transform.
 *
 * A Hamiltonian is degenerate where H_pp is singular: velocities then do not determine momenta, and there is neither
 * a Lagrangian nor a generating function of Type I, Ld(q_0, q_1). */
#ifndef RILL_MECH_HAMILTONIAN_H
#define RILL_MECH_HAMILTONIAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "mech/legendre.h"

/* Matrices are [n][n], row major; dqp[i][j] = d2H / dq_i dp_j. */
struct rill_hamiltonian_values {
  double value;
  double *dq, *dp;         /* [n] */
  double *dqq, *dqp, *dpp; /* [n][n] */
};

struct rill_hamiltonian {
  /* Fills value, and the members that are not NULL; either both of the first derivatives are given or none, and all
   * three of the second or none, with the first. */
  enum rill_status (*evaluate)(void *self, const double *q, const double *p, struct rill_hamiltonian_values *values,
                               struct rill_error *error);
  size_t n;
  bool degenerate;
  void *self;
};

/* H = p.v - L(q, v), L_v(q, v) = p, of a regular Lagrangian without constraints:
 *   H_q = -L_q,  H_p = v,  H_pp = L_vv^-1 = W,  H_qp = -L_qv W,  H_qq = -L_qq + L_qv W L_qv^T. */
struct rill_legendre_hamiltonian {
  struct rill_hamiltonian hamiltonian;
  struct rill_legendre legendre;
  struct rill_lagrangian_values values;
  double *factors; /* of L_vv: [n][n] */
  int *pivots;     /* [n] */
};

enum rill_status rill_legendre_hamiltonian_create(const struct rill_lagrangian *lagrangian,
                                                  struct rill_legendre_hamiltonian *of, struct rill_error *error);
void rill_legendre_hamiltonian_destroy(struct rill_legendre_hamiltonian *of); /* accepts a zeroed struct */

#endif
