/* The confining wall of clusters in lanes: the sums of water_confine.c, in their order. */
#ifndef RILL_WATER_LANES_WALL_BODY_H
#define RILL_WATER_LANES_WALL_BODY_H

#include "base/simd/simd.h"
#include "water/lanes/kernels.h"

static inline double wall_total(const struct rill_lane_wall *wall) {
  return wall->mass[0] + wall->mass[1] + wall->mass[2];
}

/* Vectors from a centre to the centre of mass of molecule m. */
static inline void wall_distance(const struct rill_lane_wall *wall, const double *q, size_t m, const vreal centre[3],
                                 vreal d[3]) {
  const double total = wall_total(wall);
  for (size_t c = 0; c < 3; c++) {
    d[c] = -centre[c];
    for (size_t a = 0; a < RILL_ATOMS; a++)
      d[c] += v_set(wall->mass[a] / total) * v_load(q + (3 * a + c) * wall->stride + m * RILL_WIDTH);
  }
}

/* Whether all molecules of all lanes are clearly inside, by a centre without divisions.  Its error is far below the
 * margin unless the cluster is far from the origin.  Lanes that are not finite, on which the wall does not act, are
 * passed over. */
static inline bool all_inside(const struct rill_lane_wall *wall, const double *q) {
  static const double margin = 1e-6, smallest_radius = 1e-3, farthest = 1e3; /* relative; nm; nm */
  const double scale = 1.0 / (wall_total(wall) * (double)wall->molecules);
  vreal centre[3] = {v_set(0.0), v_set(0.0), v_set(0.0)}, worst = v_set(0.0), away = v_set(0.0);
  if (!(wall->radius > smallest_radius)) return false;
  for (size_t k = 0; k < RILL_COORDINATES; k++) {
    const vreal weight = v_set(wall->mass[k / 3] * scale);
    for (size_t m = 0; m < wall->molecules; m++)
      centre[k % 3] = v_fma(weight, v_load(q + k * wall->stride + m * RILL_WIDTH), centre[k % 3]);
  }
  for (size_t c = 0; c < 3; c++) away = v_max(away, v_abs(centre[c]));
  for (size_t m = 0; m < wall->molecules; m++) {
    vreal d[3];
    wall_distance(wall, q, m, centre, d);
    worst = v_max(worst, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
  return !v_any(
      v_mask_or(v_less(v_set(farthest), away), v_less(v_set(wall->radius * wall->radius * (1.0 - margin)), worst)));
}

static void confine(const struct rill_lane_wall *wall, const double *q, double *f) {
  const size_t molecules = wall->molecules, stride = wall->stride;
  const double total = wall_total(wall);
  const vreal zero = v_set(0.0), all = v_set(total * (double)molecules), of_molecule = v_set(total);
  const vreal number = v_set((double)molecules);
  vreal centre[3] = {zero, zero, zero}, reaction[3] = {zero, zero, zero}, energy = zero;
  vmask acts;
  if (all_inside(wall, q)) return;
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < molecules; m++)
      centre[k % 3] += v_set(wall->mass[k / 3]) * v_load(q + k * stride + m * RILL_WIDTH) / all;
  for (size_t m = 0; m < molecules; m++) {
    vreal d[3], r, excess;
    wall_distance(wall, q, m, centre, d);
    r = v_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    excess = r - v_set(wall->radius);
    acts = v_less(zero, excess);
    if (!v_any(acts)) continue;
    energy = v_select(acts, energy + v_set(0.5 * wall->stiffness) * excess * excess, energy);
    for (size_t c = 0; c < 3; c++) {
      const vreal force = v_set(-wall->stiffness) * excess * d[c] / r;
      for (size_t a = 0; a < RILL_ATOMS; a++) {
        double *to = f + (3 * a + c) * stride + m * RILL_WIDTH;
        const vreal before = v_load(to);
        v_store(to, v_select(acts, before + force * v_set(wall->mass[a]) / of_molecule, before));
      }
      reaction[c] = v_select(acts, reaction[c] - force / number, reaction[c]);
    }
  }
  acts = v_less(zero, energy);
  if (!v_any(acts)) return;
  for (size_t k = 0; k < RILL_COORDINATES; k++) {
    const vreal share = reaction[k % 3] * v_set(wall->mass[k / 3]) / of_molecule;
    for (size_t m = 0; m < molecules; m++) {
      double *to = f + k * stride + m * RILL_WIDTH;
      const vreal before = v_load(to);
      v_store(to, v_select(acts, before + share, before));
    }
  }
}

#endif
