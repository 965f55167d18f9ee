/* The free rigid body in closed form: angular velocity by elliptic functions, attitude by one quadrature.
 *
 * Landau & Lifshitz, Mechanics, section 37, in a body frame rotated so that J never reverses about the third one;
 * with m3 = I3 w3 > 0 there, the attitude is Q = z(chi) times the smallest rotation that takes J/|J| to e3, and chi'
 * = w3 + (2 T - I3 w3^2) / (|J| + I3 w3), which has no singularity.  Signs of quaternions are continuous in t. */
#ifndef RILL_NUMERICS_RIGID_BODY_EXACT_H
#define RILL_NUMERICS_RIGID_BODY_EXACT_H

struct rill_rigid_body_exact {
  int axis[3]; /* rotated frame: component i is sign[i] times the body's component axis[i] */
  double sign[3];
  double inertia[3];              /* in the rotated frame */
  double momentum, twice_kinetic; /* |J|, 2 T */
  double amplitude[3];            /* w = (a cn, b sn, c dn)(rate t + phase | parameter) */
  double rate, phase, parameter, quarter_period;
  double period_angle;          /* change of chi in two quarter periods */
  double start[4], attitude[4]; /* conj(Q(0)); the attitude at t = 0 */
};

/* inertia: [3], positive; omega: [3] in the body frame; attitude: a unit quaternion. */
void rill_rigid_body_exact_set(struct rill_rigid_body_exact *exact, const double inertia[3], const double omega[3],
                               const double attitude[4]);

/* Time t may be negative. */
void rill_rigid_body_exact_at(const struct rill_rigid_body_exact *exact, double t, double attitude[4],
                              double omega[3]);

#endif
