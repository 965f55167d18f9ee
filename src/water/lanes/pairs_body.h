/* The pair loops of clusters in lanes, in double precision.  Each force is the sum that pairs_body.h of water/forces
 * makes, in its order: only what is in a vector differs. */
#ifndef RILL_WATER_LANES_PAIRS_BODY_H
#define RILL_WATER_LANES_PAIRS_BODY_H

#include "water/forces/site_body.h"
#include "water/lanes/kernels.h"

static inline void lanes_clear(double *x, size_t rows, size_t stride, size_t columns) {
  for (size_t k = 0; k < rows; k++)
    for (size_t m = 0; m < columns * RILL_WIDTH; m += RILL_WIDTH) v_store(x + k * stride + m, v_set(0.0));
}

/* Molecules at most one vector: in one shift of the ring, for each site b of the partners, first the sums of all
 * molecules i < count take their terms, then those of all partners i + shift. */
SPECIALISED void lanes_turn_ring(const struct rill_lane_pairs *pairs, const double *q, double *f, size_t shift,
                                 size_t count) {
  const size_t molecules = pairs->molecules, stride = pairs->stride;
  const vmask all = v_mask_first(RILL_WIDTH);
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++) {
    const double *partners = q + 3 * (size_t)b * stride;
    double *on_partners = f + 3 * (size_t)b * stride;
    for (size_t i = 0; i < count; i++) {
      const size_t j = i + shift < molecules ? i + shift : i + shift - molecules;
      const double *y = partners + j * RILL_WIDTH;
      vreal x[9], own[9], force[3] = {v_set(0.0), v_set(0.0), v_set(0.0)};
      const vreal site[3] = {v_keep(v_load(y)), v_keep(v_load(y + stride)), v_keep(v_load(y + 2 * stride))};
#pragma GCC unroll 9
      for (size_t k = 0; k < 9; k++) {
        x[k] = v_load(q + k * stride + i * RILL_WIDTH);
        own[k] = v_load(f + k * stride + i * RILL_WIDTH);
      }
      meet_site(pairs->constants, x, b, site, all, 0, 0, own, force, NULL);
#pragma GCC unroll 9
      for (size_t k = 0; k < 9; k++) v_store(f + k * stride + i * RILL_WIDTH, own[k]);
      for (size_t c = 0; c < 3; c++) v_store(pairs->own + (3 * i + c) * RILL_WIDTH, force[c]);
    }
    for (size_t i = 0; i < count; i++) {
      const size_t j = i + shift < molecules ? i + shift : i + shift - molecules;
      for (size_t c = 0; c < 3; c++) {
        double *to = on_partners + c * stride + j * RILL_WIDTH;
        v_store(to, v_load(to) + v_load(pairs->own + (3 * i + c) * RILL_WIDTH));
      }
    }
  }
}

static void lanes_small_ring(const struct rill_lane_pairs *pairs, const double *q, double *f) {
  const size_t molecules = pairs->molecules;
  lanes_clear(f, 9, pairs->stride, molecules);
  for (size_t s = 1; 2 * s < molecules; s++) lanes_turn_ring(pairs, q, f, s, molecules);
  if (molecules % 2 == 0) lanes_turn_ring(pairs, q, f, molecules / 2, molecules / 2);
}

/* One molecule x interacts with the molecules at y ... y + (count - 1) RILL_WIDTH, whose forces are added to g. */
SPECIALISED void lanes_meet_run(const struct rill_pair_constants *constants, const vreal x[9], const double *y,
                                size_t stride, double *g, size_t g_stride, size_t count, vreal f[9]) {
  const vmask all = v_mask_first(RILL_WIDTH);
  for (size_t m = 0; m < count; m++, y += RILL_WIDTH, g += RILL_WIDTH)
#pragma GCC unroll 3
    for (size_t b = 0; b < 3; b++) {
      const double *yb = y + 3 * b * stride;
      double *gb = g + 3 * b * g_stride;
      const vreal site[3] = {v_keep(v_load(yb)), v_keep(v_load(yb + stride)), v_keep(v_load(yb + 2 * stride))};
      vreal force[3] = {v_set(0.0), v_set(0.0), v_set(0.0)};
      meet_site(constants, x, (int)b, site, all, 0, 0, f, force, NULL);
      v_store(gb, v_load(gb) + force[0]);
      v_store(gb + g_stride, v_load(gb + g_stride) + force[1]);
      v_store(gb + 2 * g_stride, v_load(gb + 2 * g_stride) + force[2]);
    }
}

/* More molecules: blocks of RILL_WIDTH molecules i, as one cluster alone has them.  There a partner takes the terms
 * of a block in the order of the shifts, which is the descending order of i; a block's own sums are added to its
 * columns when it is done; and the second turn of the ring when all are done. */
static void lanes_blocks(const struct rill_lane_pairs *pairs, const double *q, double *f) {
  const size_t molecules = pairs->molecules, stride = pairs->stride, half = molecules / 2;
  lanes_clear(f, 9, stride, molecules);
  lanes_clear(pairs->beyond, 9, pairs->room, half);
  for (size_t begin = 0; begin < molecules; begin += RILL_WIDTH) {
    const size_t end = begin + RILL_WIDTH < molecules ? begin + RILL_WIDTH : molecules;
    for (size_t i = end; i-- > begin;) {
      /* partners i + 1 ... last - 1, of which those from `molecules` on are on the second turn */
      const size_t last = i + (molecules - 1) / 2 + 1 + (molecules % 2 == 0 && i < half ? 1 : 0);
      const size_t first_turn = last < molecules ? last : molecules;
      vreal x[9], own[9];
      for (size_t k = 0; k < 9; k++) {
        x[k] = v_keep(v_load(q + k * stride + i * RILL_WIDTH));
        own[k] = v_set(0.0);
      }
      lanes_meet_run(pairs->constants, x, q + (i + 1) * RILL_WIDTH, stride, f + (i + 1) * RILL_WIDTH, stride,
                     first_turn - (i + 1), own);
      lanes_meet_run(pairs->constants, x, q, stride, pairs->beyond, pairs->room, last - first_turn, own);
      for (size_t k = 0; k < 9; k++) v_store(pairs->own + (9 * (i - begin) + k) * RILL_WIDTH, own[k]);
    }
    for (size_t k = 0; k < 9; k++)
      for (size_t i = begin; i < end; i++) {
        double *to = f + k * stride + i * RILL_WIDTH;
        v_store(to, v_load(to) + v_load(pairs->own + (9 * (i - begin) + k) * RILL_WIDTH));
      }
  }
  for (size_t k = 0; k < 9; k++)
    for (size_t m = 0; m < half * RILL_WIDTH; m += RILL_WIDTH)
      v_store(f + k * stride + m, v_load(f + k * stride + m) + v_load(pairs->beyond + k * pairs->room + m));
}

static void lanes_pairs(const struct rill_lane_pairs *pairs, const double *q, double *f) {
  if (pairs->molecules <= RILL_WIDTH) lanes_small_ring(pairs, q, f);
  else lanes_blocks(pairs, q, f);
}

#endif
