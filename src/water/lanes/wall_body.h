/* The confining wall of clusters in lanes: the sums of water/forces/wall.c, in their order. */
#ifndef RILL_WATER_LANES_WALL_BODY_H
#define RILL_WATER_LANES_WALL_BODY_H

#include "base/simd/simd.h"
#include "water/lanes/kernels.h"

static void confine(const struct rill_lane_wall *wall, const double *q, double *f) {
  const size_t molecules = wall->molecules, stride = wall->stride;
  const double number = (double)molecules;
  const vreal zero = v_set(0.0), n = v_set(number), beyond = v_set(wall->radius * wall->radius);
  double share[RILL_ATOMS];
  vreal centre[3] = {zero, zero, zero}, reaction[3] = {zero, zero, zero}, energy = zero;
  vmask acts;
  for (size_t a = 0; a < RILL_ATOMS; a++) share[a] = wall->mass[a] / (wall->mass[0] + wall->mass[1] + wall->mass[2]);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < molecules; m++)
      centre[k % 3] += v_set(share[k / 3] / number) * v_load(q + k * stride + m * RILL_WIDTH);
  for (size_t m = 0; m < molecules; m++) {
    vreal d[3], r2, r, excess;
    for (size_t c = 0; c < 3; c++) {
      d[c] = -centre[c];
      for (size_t a = 0; a < RILL_ATOMS; a++)
        d[c] += v_set(share[a]) * v_load(q + (3 * a + c) * stride + m * RILL_WIDTH);
    }
    r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    acts = v_less(beyond, r2);
    if (!v_any(acts)) continue;
    r = v_sqrt(r2);
    excess = r - v_set(wall->radius);
    energy = v_select(acts, energy + v_set(0.5 * wall->stiffness) * excess * excess, energy);
    for (size_t c = 0; c < 3; c++) {
      const vreal force = v_set(-wall->stiffness) * excess * d[c] / r;
      for (size_t a = 0; a < RILL_ATOMS; a++) {
        double *to = f + (3 * a + c) * stride + m * RILL_WIDTH;
        const vreal before = v_load(to);
        v_store(to, v_select(acts, before + force * v_set(share[a]), before));
      }
      reaction[c] = v_select(acts, reaction[c] - force / n, reaction[c]);
    }
  }
  acts = v_less(zero, energy);
  if (!v_any(acts)) return;
  for (size_t k = 0; k < RILL_COORDINATES; k++) {
    const vreal push = reaction[k % 3] * v_set(share[k / 3]);
    for (size_t m = 0; m < molecules; m++) {
      double *to = f + k * stride + m * RILL_WIDTH;
      const vreal before = v_load(to);
      v_store(to, v_select(acts, before + push, before));
    }
  }
}

#endif
