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
  /* [multipliers], refreshed by observe from the present state.  Of constraints of a mechanical system: what its
   * accelerations need, (Dg M^-1 Dg^T) multiplier = Dg M^-1 grad V - D2g(v, v), whatever the method.  Of penalties:
   * -w^2 (s(x) + Ds(x) (position - x)).  Of other lagrangian systems: the mean over the last step, which its method has solved
   * for (dvp); NaN before the first. */
  double *multiplier;
  /* [m].  Of a mechanical system under flows: SHAKE's multiplier of the last step, at the step's start; NaN before the first.
   * NULL: none. */
  double *step_multiplier;
  unsigned iterations;  /* of the nonlinear solver in the last step */
  double residual;      /* its last residual */
};

#endif
