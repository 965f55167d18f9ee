#include "water/forces/wall.h"

#include <math.h>

/* The sums of water/lanes/wall_body.h, in their order. */
double rill_wall_evaluate(const struct rill_wall *wall, const struct rill_water_model *model, size_t molecules,
                          size_t stride, const double *q, double *f) {
  const double *mass = model->mass, n = (double)molecules;
  double share[RILL_ATOMS], centre[3] = {0}, reaction[3] = {0}, energy = 0;
  for (size_t a = 0; a < RILL_ATOMS; a++) share[a] = mass[a] / (mass[0] + mass[1] + mass[2]);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < molecules; m++) centre[k % 3] += share[k / 3] / n * q[k * stride + m];
  for (size_t m = 0; m < molecules; m++) {
    double d[3], r2, r, excess;
    for (size_t c = 0; c < 3; c++) {
      d[c] = -centre[c];
      for (size_t a = 0; a < RILL_ATOMS; a++) d[c] += share[a] * q[(3 * a + c) * stride + m];
    }
    r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (!(r2 > wall->radius * wall->radius)) continue;
    r = sqrt(r2);
    excess = r - wall->radius;
    energy += 0.5 * wall->stiffness * excess * excess;
    for (size_t c = 0; c < 3; c++) {
      double force = -wall->stiffness * excess * d[c] / r;
      for (size_t a = 0; a < RILL_ATOMS; a++) f[(3 * a + c) * stride + m] += force * share[a];
      reaction[c] -= force / n;
    }
  }
  if (energy > 0)
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      for (size_t m = 0; m < molecules; m++) f[k * stride + m] += reaction[k % 3] * share[k / 3];
  return energy;
}
