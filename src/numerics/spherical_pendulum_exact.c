#include "numerics/spherical_pendulum_exact.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_sf_ellint.h>

#include "numerics/elliptic.h"
#include "numerics/so3.h"

/* The amplitude of u, continuous: it grows by pi in each 2 K. */
static double amplitude(double u, double m) {
  const double half_period = 2 * rill_elliptic_quarter_period(m), turns = rint(u / half_period);
  double sn, cn, dn;
  rill_elliptic_functions(u - turns * half_period, m, &sn, &cn, &dn);
  return turns * acos(-1.0) + atan2(sn, cn);
}

/* The azimuth at u less that at 0: 1 / (l^2 - z^2) is the mean of 1 / (l - z) and 1 / (l + z), over l. */
static double azimuth(const struct rill_spherical_pendulum_exact *exact, double u) {
  const double below = exact->length - exact->lowest, above = exact->length + exact->lowest,
               range = exact->highest - exact->lowest, k = sqrt(exact->parameter),
               phi = amplitude(u, exact->parameter);
  const double first = gsl_sf_ellint_P(phi, k, -range / below, GSL_PREC_DOUBLE) / below,
               second = gsl_sf_ellint_P(phi, k, range / above, GSL_PREC_DOUBLE) / above;
  return exact->momentum / (2 * exact->length * exact->rate) * (first + second);
}

/* A root of x^3 + b x^2 + c x + d near x, by Newton's method. */
static double polish(double b, double c, double d, double x) {
  for (int k = 0; k < 4; k++) {
    const double slope = (3 * x + 2 * b) * x + c;
    if (slope != 0) x -= (((x + b) * x + c) * x + d) / slope;
  }
  return x;
}

bool rill_spherical_pendulum_exact_set(struct rill_spherical_pendulum_exact *exact, double gravity, const double q[3],
                                       const double v[3]) {
  const double square = rill_dot3(q, q), energy = 0.5 * rill_dot3(v, v) + gravity * q[2], third = acos(-1.0) * 2 / 3;
  const double momentum = q[0] * v[1] - q[1] * v[0];
  /* (z - a) (z - b) (z - c) = z^3 + x z^2 - l^2 z + y */
  const double x = -energy / gravity, y = (energy * square - 0.5 * momentum * momentum) / gravity;
  const double p = square / 3 + x * x / 9, s = x / 3 * (x * x / 9 + square / 2) + y / 2;
  const double angle = acos(fmax(-1, fmin(1, -s / (p * sqrt(p))))) / 3, size = 2 * sqrt(p);
  const double a = polish(x, -square, y, size * cos(angle + third) - x / 3),
               b = polish(x, -square, y, size * cos(angle - third) - x / 3),
               c = polish(x, -square, y, size * cos(angle) - x / 3);
  *exact = (struct rill_spherical_pendulum_exact){
      .length = sqrt(square), .lowest = a, .highest = b, .momentum = momentum, .parameter = (b - a) / (c - a)};
  if (momentum == 0 || !(b - a > sqrt(DBL_EPSILON) * exact->length)) return false;
  exact->rate = sqrt(0.5 * gravity * (c - a)) / exact->length;
  exact->phase = rill_elliptic_first_kind(asin(sqrt(fmax(0, fmin(1, (q[2] - a) / (b - a))))), exact->parameter);
  if (v[2] < 0) exact->phase = -exact->phase;
  exact->azimuth = atan2(q[1], q[0]) - azimuth(exact, exact->phase);
  const double half_period = 2 * rill_elliptic_quarter_period(exact->parameter);
  exact->period = half_period / exact->rate;
  exact->turn = azimuth(exact, half_period);
  return true;
}

void rill_spherical_pendulum_exact_at(const struct rill_spherical_pendulum_exact *exact, double t, double q[3],
                                      double v[3]) {
  const double u = exact->rate * t + exact->phase, range = exact->highest - exact->lowest,
               phi = exact->azimuth + azimuth(exact, u);
  double sn, cn, dn;
  rill_elliptic_functions(u, exact->parameter, &sn, &cn, &dn);
  const double z = exact->lowest + range * sn * sn, rise = 2 * range * exact->rate * sn * cn * dn;
  const double radius = sqrt((exact->length - z) * (exact->length + z));
  const double outward = -z * rise / radius, around = exact->momentum / radius;
  q[0] = radius * cos(phi), q[1] = radius * sin(phi), q[2] = z;
  v[0] = outward * cos(phi) - around * sin(phi), v[1] = outward * sin(phi) + around * cos(phi), v[2] = rise;
}
