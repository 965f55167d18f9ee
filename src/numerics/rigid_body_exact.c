#include "numerics/rigid_body_exact.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "numerics/elliptic.h"
#include "numerics/quaternion.h"

/* Gauss-Legendre on [-1, 1], 10 points, positive half. */
static const double node[5] = {0.14887433898163121089, 0.43339539412924719080, 0.67940956829902440623,
                               0.86506336668898451073, 0.97390652851717172008};
static const double weight[5] = {0.29552422471475287017, 0.26926671930999635509, 0.21908636251598204400,
                                 0.14945134915058059315, 0.06667134430868813759};

static const double panel = 0.25; /* in u: 10 points give round-off accuracy, poles are at least pi/2 away */

static void turned_omega(const struct rill_rigid_body_exact *exact, double u, double w[3]) {
  double sn, cn, dn;
  rill_elliptic_functions(u, exact->parameter, &sn, &cn, &dn);
  w[0] = exact->amplitude[0] * cn;
  w[1] = exact->amplitude[1] * sn;
  w[2] = exact->amplitude[2] * dn;
}

static double spin_rate(const struct rill_rigid_body_exact *exact, double u) {
  double w[3], m3;
  turned_omega(exact, u, w);
  m3 = exact->inertia[2] * w[2];
  return w[2] + (exact->twice_kinetic - m3 * w[2]) / (exact->momentum + m3);
}

/* The change of chi from u = from to u = to, integrated panel by panel. */
static double spin_angle(const struct rill_rigid_body_exact *exact, double from, double to) {
  double panels = fmax(1, ceil(fabs(to - from) / panel)), half = 0.5 * (to - from) / panels, sum = 0;
  for (double i = 0; i < panels; i++) {
    double middle = from + (2 * i + 1) * half;
    for (int k = 0; k < 5; k++)
      sum += weight[k] * (spin_rate(exact, middle + half * node[k]) + spin_rate(exact, middle - half * node[k]));
  }
  return half * sum / exact->rate;
}

/* z(chi) times the smallest rotation that takes I w / |J| to e3. */
static void attitude_of(const struct rill_rigid_body_exact *exact, const double w[3], double chi, double q[4]) {
  const double turn[4] = {cos(0.5 * chi), 0, 0, sin(0.5 * chi)};
  double a[3], smallest[4];
  for (int i = 0; i < 3; i++) a[i] = exact->inertia[i] * w[i] / exact->momentum;
  smallest[0] = 1 + a[2];
  smallest[1] = a[1];
  smallest[2] = -a[0];
  smallest[3] = 0;
  rill_quaternion_normalise(smallest);
  rill_quaternion_multiply(turn, smallest, q);
}

/* Transforms from the body frame to the rotated frame, and back. */
static void turn(const struct rill_rigid_body_exact *exact, const double body[3], double turned[3]) {
  for (int i = 0; i < 3; i++) turned[i] = exact->sign[i] * body[exact->axis[i]];
}

static void turn_back(const struct rill_rigid_body_exact *exact, const double turned[3], double body[3]) {
  for (int i = 0; i < 3; i++) body[exact->axis[i]] = exact->sign[i] * turned[i];
}

/* Chooses axes in the order of inertia, increasing, or decreasing when |J|^2 < 2 T I of the middle axis; w3 > 0; a
 * proper rotation. */
static void choose_frame(struct rill_rigid_body_exact *exact, const double inertia[3], const double omega[3]) {
  int order[3] = {0, 1, 2};
  double square = 0, twice = 0, excess = 0;
  bool odd = false;
  for (int i = 0; i < 3; i++) {
    square += inertia[i] * inertia[i] * omega[i] * omega[i];
    twice += inertia[i] * omega[i] * omega[i];
  }
  for (int pass = 0; pass < 3; pass++) {
    int i = pass == 1 ? 1 : 0;
    if (inertia[order[i]] > inertia[order[i + 1]]) {
      int swap = order[i];
      order[i] = order[i + 1];
      order[i + 1] = swap;
      odd = !odd;
    }
  }
  /* |J|^2 - 2 T I2 by components, to avoid cancellation. */
  for (int i = 0; i < 3; i += 2) {
    double moment = inertia[order[i]], rate = omega[order[i]];
    excess += moment * (moment - inertia[order[1]]) * rate * rate;
  }
  if (excess < 0 || inertia[order[1]] == inertia[order[2]]) {
    int swap = order[0];
    order[0] = order[2];
    order[2] = swap;
    odd = !odd;
  }
  for (int i = 0; i < 3; i++) {
    exact->axis[i] = order[i];
    exact->inertia[i] = inertia[order[i]];
  }
  exact->sign[2] = omega[order[2]] < 0 ? -1 : 1;
  exact->sign[1] = 1;
  exact->sign[0] = odd ? -exact->sign[2] : exact->sign[2];
  exact->momentum = sqrt(square);
  exact->twice_kinetic = twice;
}

void rill_rigid_body_exact_set(struct rill_rigid_body_exact *exact, const double inertia[3], const double omega[3],
                               const double attitude[4]) {
  double w[3], i1, i2, i3, tilt[3];
  memset(exact, 0, sizeof *exact);
  choose_frame(exact, inertia, omega);
  turn(exact, omega, w);
  i1 = exact->inertia[0];
  i2 = exact->inertia[1];
  i3 = exact->inertia[2];
  /* 2 T I3 - |J|^2 and |J|^2 - 2 T I1, likewise. */
  tilt[0] = i1 * (i3 - i1) * w[0] * w[0] + i2 * (i3 - i2) * w[1] * w[1];
  tilt[2] = i2 * (i2 - i1) * w[1] * w[1] + i3 * (i3 - i1) * w[2] * w[2];
  if (tilt[2] != 0) {
    exact->amplitude[0] = i3 != i1 ? sqrt(tilt[0] / (i1 * (i3 - i1))) : 0;
    exact->amplitude[1] = i3 != i2 ? sqrt(tilt[0] / (i2 * (i3 - i2))) : 0;
    exact->amplitude[2] = sqrt(tilt[2] / (i3 * (i3 - i1)));
    exact->rate = sqrt((i3 - i2) / i1 * (tilt[2] / (i2 * i3)));
    exact->parameter = i3 != i2 ? fmin((i2 - i1) / (i3 - i2) * (tilt[0] / tilt[2]), 1) : 0;
    if (i3 < i1) exact->rate = -exact->rate;
  }
  if (exact->rate == 0 || (w[0] == 0) + (w[1] == 0) + (w[2] == 0) >= 2) { /* steady rotation: w is constant */
    memcpy(exact->amplitude, w, sizeof w);
    exact->rate = exact->parameter = 0;
  } else {
    exact->phase =
        rill_elliptic_first_kind(atan2(w[1] / exact->amplitude[1], w[0] / exact->amplitude[0]), exact->parameter);
  }
  exact->quarter_period = rill_elliptic_quarter_period(exact->parameter);
  if (exact->rate != 0 && isfinite(exact->quarter_period))
    exact->period_angle = spin_angle(exact, 0, 2 * exact->quarter_period);
  memcpy(exact->attitude, attitude, sizeof exact->attitude);
  if (exact->momentum > 0) {
    double q[4];
    attitude_of(exact, w, 0, q);
    rill_quaternion_conjugate(q, exact->start);
  }
}

void rill_rigid_body_exact_at(const struct rill_rigid_body_exact *exact, double t, double attitude[4],
                              double omega[3]) {
  double w[3], chi, q[4], product[4], relative[4];
  if (!(exact->momentum > 0)) {
    memcpy(attitude, exact->attitude, sizeof exact->attitude);
    memset(omega, 0, 3 * sizeof *omega);
    return;
  }
  if (exact->rate == 0) {
    memcpy(w, exact->amplitude, sizeof w);
    chi = t * (w[2] + (exact->twice_kinetic - exact->inertia[2] * w[2] * w[2]) /
                          (exact->momentum + exact->inertia[2] * w[2]));
  } else {
    double u = exact->rate * t, half = 2 * exact->quarter_period, periods = isfinite(half) ? trunc(u / half) : 0;
    double rest = periods != 0 ? fma(-periods, half, u) : u;
    turned_omega(exact, exact->phase + (fmod(periods, 2) != 0 ? half : 0) + rest, w);
    chi = periods * exact->period_angle + spin_angle(exact, exact->phase, exact->phase + rest);
  }
  attitude_of(exact, w, chi, q);
  rill_quaternion_multiply(exact->start, q, product);
  /* From the rotated frame to the body frame: the vector part transforms as a vector. */
  relative[0] = product[0];
  turn_back(exact, product + 1, relative + 1);
  rill_quaternion_multiply(exact->attitude, relative, attitude);
  turn_back(exact, w, omega);
}
