/* The confining wall: a half-harmonic potential on the molecules' centres of mass, U = (k/2) sum_m max(0, |R_m - R| -
 * radius)^2, R the cluster's centre of mass.
 *
 * The wall moves with the cluster, so that momentum and angular momentum are conserved: the force on the centre is
 * distributed over all molecules. */
#include <math.h>

#include "water/water_state.h"

double rill_water_confine(const struct rill_water *water, const double *q, double *f) {
  const struct rill_water_options *options = &water->options;
  const double *mass = options->model.mass;
  double total = rill_water_mass(&options->model), centre[3] = {0}, reaction[3] = {0}, energy = 0;
  size_t n = water->molecules, stride = water->stride;
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < n; m++) centre[k % 3] += mass[k / 3] * q[k * stride + m] / (total * (double)n);
  for (size_t m = 0; m < n; m++) {
    double d[3], r, excess;
    for (size_t c = 0; c < 3; c++) {
      d[c] = -centre[c];
      for (size_t a = 0; a < RILL_ATOMS; a++) d[c] += mass[a] / total * q[(3 * a + c) * stride + m];
    }
    r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    excess = r - options->confine_radius;
    if (!(excess > 0)) continue;
    energy += 0.5 * options->confine_stiffness * excess * excess;
    for (size_t c = 0; c < 3; c++) {
      double force = -options->confine_stiffness * excess * d[c] / r;
      for (size_t a = 0; a < RILL_ATOMS; a++) f[(3 * a + c) * stride + m] += force * mass[a] / total;
      reaction[c] -= force / (double)n;
    }
  }
  if (energy > 0)
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = 0; m < n; m++) f[k * stride + m] += reaction[k % 3] * mass[k / 3] / total;
  return energy;
}
