/* The state of a small system, in canonical variables: what integrators with a step of their own read and write.
 *
 * Water keeps its state to itself (it is moved by flows only) and offers none. */
#ifndef RILL_MECH_STATE_H
#define RILL_MECH_STATE_H

#include <stddef.h>

struct rill_state {
  size_t n, m;          /* coordinates (R^n, or 9 for a rotation matrix), constraints */
  double *q;            /* [n] */
  double *p;            /* [n] conjugate momenta dL/dv; on SO(3) the body momentum stands in p[0..2] */
  double *position;     /* [n] the physical positions: q, but q + beta h^2 a after a step of the Zhang-Skeel family */
  double *multiplier;   /* [m] at the start of the last step, in the sign of its method; NaN before the first */
  unsigned iterations;  /* of the nonlinear solver in the last step */
  double residual;      /* its last residual */
};

#endif
