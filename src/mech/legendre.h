/* The Legendre transform of a Lagrangian with holonomic constraints, from momenta to velocities.
 *
 * Momenta are determined up to the rows of Dg: among p + Dg(q)^T nu, the one is chosen that is L_v(q, v) for a
 * tangent velocity, Dg(q) v = 0.  A state stores its momenta in this form. */
#ifndef RILL_MECH_LEGENDRE_H
#define RILL_MECH_LEGENDRE_H

#include "mech/lagrangian.h"
#include "numerics/newton.h"

struct rill_legendre {
  const struct rill_lagrangian *lagrangian; /* borrowed */
  struct rill_newton newton;                /* unknowns (v, nu) */
  double *velocity, *multiplier;            /* [n], [m]: v and nu of the last transform; inside newton */
  double *momentum;                         /* [n]: L_v(q, v) */
  double *dvv, *jacobian;                   /* [n][n], [m][n] */
  const double *q, *p;                      /* of the present transform */
};

enum rill_status rill_legendre_create(const struct rill_lagrangian *lagrangian, struct rill_legendre *legendre,
                                      struct rill_error *error);
void rill_legendre_destroy(struct rill_legendre *legendre); /* accepts a zeroed struct */

/* Fills velocity, multiplier and momentum from (q, p).  RILL_ERROR_CONVERGENCE for a Lagrangian that is not regular
 * there. */
enum rill_status rill_legendre_transform(struct rill_legendre *legendre, const double *q, const double *p,
                                         struct rill_error *error);

#endif
