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
  /* The physical positions, refreshed by the system's observe: q, but q + beta h^2 a after a step of the Zhang-Skeel
   * family: [n].  NULL: always q. */
  double *position;
  /* One-step Newmark's acceleration, which is no function of (q, p) and so belongs to the state: [n], NaN when there is
   * none.  NULL: the system has no room for it. */
  double *acceleration;
  /* What rounding has added to q in compensated updates: q - compensation is the better value; it belongs to the state,
   * and is 0 otherwise: [n].  NULL: the system has no room for it. */
  double *compensation;
  size_t multipliers;   /* m, or the number of penalties */
  /* [multipliers].  Of constraints: in the last step (flows: at its start; dvp and energy-momentum: its mean), in the sign
   * of its method; NaN before the first.  Of penalties: -w^2 (s(x) + Ds(x) (position - x)), refreshed by observe. */
  double *multiplier;
  unsigned iterations;  /* of the nonlinear solver in the last step */
  double residual;      /* its last residual */
};

#endif
