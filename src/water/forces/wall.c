#include "water/forces/wall.h"

#include <math.h>

double rill_wall_evaluate(const struct rill_wall *wall, const struct rill_water_model *model, size_t molecules,
                          size_t stride, const double *q, double *f) {
  const double *mass = model->mass;
  double total = mass[0] + mass[1] + mass[2], centre[3] = {0}, reaction[3] = {0}, energy = 0;
  size_t n = molecules;
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < n; m++) centre[k % 3] += mass[k / 3] * q[k * stride + m] / (total * (double)n);
  for (size_t m = 0; m < n; m++) {
    double d[3], r, excess;
    for (size_t c = 0; c < 3; c++) {
      d[c] = -centre[c];
      for (size_t a = 0; a < RILL_ATOMS; a++) d[c] += mass[a] / total * q[(3 * a + c) * stride + m];
    }
    r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    excess = r - wall->radius;
    if (!(excess > 0)) continue;
    energy += 0.5 * wall->stiffness * excess * excess;
    for (size_t c = 0; c < 3; c++) {
      double force = -wall->stiffness * excess * d[c] / r;
      for (size_t a = 0; a < RILL_ATOMS; a++) f[(3 * a + c) * stride + m] += force * mass[a] / total;
      reaction[c] -= force / (double)n;
    }
  }
  if (energy > 0)
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = 0; m < n; m++) f[k * stride + m] += reaction[k % 3] * mass[k / 3] / total;
  return energy;
}
