/* The spherical pendulum in closed form: the height by Jacobi's elliptic functions, the azimuth by Legendre's
 * integral of the third kind.
 *
 * With the length l, gravity g along -z, and the energy e and vertical angular momentum j per mass, (l z')^2 =
 * 2 (e - g z) (l^2 - z^2) - j^2 = 2 g (z - a) (z - b) (z - c), a <= z <= b < c: z = a + (b - a) sn^2(u | m), with u =
 * rate t
 * + phase and m = (b - a) / (c - a); phi' = j / (l^2 - z^2).  Whittaker, Analytical Dynamics, section 55. */
#ifndef RILL_NUMERICS_SPHERICAL_PENDULUM_EXACT_H
#define RILL_NUMERICS_SPHERICAL_PENDULUM_EXACT_H

#include <stdbool.h>

struct rill_spherical_pendulum_exact {
  double length, lowest, highest; /* l, a, b */
  double momentum;                /* j */
  double rate, phase, parameter;  /* u = rate t + phase; m */
  double azimuth;                 /* at u = 0 */
  double period, turn;            /* of z, and the change of the azimuth over it */
};

/* q and v [3] at t = 0, |q| the length, v.q = 0; gravity > 0.  False: the motion is not of this form, because it is
 * in a vertical plane (j = 0) or has a constant height (a = b). */
bool rill_spherical_pendulum_exact_set(struct rill_spherical_pendulum_exact *exact, double gravity, const double q[3],
                                       const double v[3]);

/* Position and velocity at t, which may be negative. */
void rill_spherical_pendulum_exact_at(const struct rill_spherical_pendulum_exact *exact, double t, double q[3],
                                      double v[3]);

#endif
