/* The state of a small system, in canonical variables: read and written by one-step methods.
 *
 * Water offers none: it is moved only by flows. */
#ifndef RILL_MECH_STATE_H
#define RILL_MECH_STATE_H

#include <stdbool.h>
#include <stddef.h>

enum { RILL_EARLIER = 7, RILL_HISTORY = 2 * RILL_EARLIER + 1 }; /* steps back, and rows of a history, at most */
enum { RILL_CLOCK_TIME, RILL_CLOCK_CARRIED, RILL_CLOCK_LENGTH, RILL_CLOCK };

struct rill_state {
  size_t n, m; /* coordinates (R^n, or 9 for a rotation matrix), constraints */
  double *q;   /* [n] */
  double *p;   /* conjugate momenta dL/dv; on SO(3) p[0..2] is the body momentum */
  /* The physical positions, updated by the system's observe: q + beta h^2 a after a step of the Zhang-Skeel family,
   * otherwise q: [n].  NULL: always q. */
  double *position;
  /* One-step Newmark's acceleration, which is not a function of (q, p) and therefore belongs to the state: [n], NaN
   * when there is none.  NULL: the system does not store it. */
  double *acceleration;
  /* The rounding error of q in compensated updates: q - compensation is the better value.  It belongs to the state;
   * 0 without compensation: [n].  NULL: the system does not store it. */
  double *compensation;
  /* Of methods whose steps vary in length, which set `clocked`: the time; what else the method carries, NaN before
   * its first step; the length of the last step.  They belong to the state: [RILL_CLOCK].  NULL: the system has none.
   */
  double *clock;
  bool clocked;
  /* Of multistep methods, which set `earlier`, the number of steps back: the increments q_k - q_{k-1}, the last one
   * first, then accelerations, earlier + 1 of them, the present one first.  They belong to the state; the first
   * number is NaN when there is no history yet: [RILL_HISTORY][n].  NULL: the system has none. */
  double *history;
  size_t earlier;
  size_t multipliers; /* m, or the number of penalties */
  /* [multipliers], updated by observe from the present state.  Constraints of a mechanical system: as its
   * accelerations need them, (Dg M^-1 Dg^T) multiplier = Dg M^-1 grad V - D2g(v, v), for any method.  Penalties:
   * -w^2 (s(x) + Ds(x) (position - x)).  Other Lagrangian systems: the mean over the last step, which the method
   * (dvp) solves for; NaN before the first. */
  double *multiplier;
  /* [m].  Mechanical system under flows: SHAKE's multiplier of the last step, at the step's start; NaN before the
   * first. NULL: none. */
  double *step_multiplier;
  unsigned iterations; /* of the nonlinear solver in the last step */
  double residual;     /* its last residual */
};

#endif
