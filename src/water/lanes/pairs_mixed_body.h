/* The pair loops of clusters in lanes, in mixed precision, in the order of pairs_mixed_body.h of water/forces.  A
 * vector of floats is twice as wide as one of doubles, and holds two neighbouring molecules. */
#ifndef RILL_WATER_LANES_PAIRS_MIXED_BODY_H
#define RILL_WATER_LANES_PAIRS_MIXED_BODY_H

#include "water/forces/site_mixed_body.h"
#include "water/forces/small_mixed_body.h"
#include "water/lanes/kernels.h"

/* Molecules i and i + 1. */
struct lanes_two {
  vreal oxygen[3][2];
  vfloat hydrogen[6];
};

/* They interact with molecules j and j + 1; forces on these are added to g. */
SPECIALISED void lanes_mixed_meet(const struct rill_lane_pairs *pairs, const struct mixed_constants *constants,
                                  const struct lanes_two *two, size_t j, float *g, vfmask mask, const int masked,
                                  vfloat f[9]) {
  const size_t room = pairs->room, at = j * RILL_WIDTH;
  vfloat between[3];
#pragma GCC unroll 3
  for (size_t c = 0; c < 3; c++) {
    const double *o = pairs->oxygen + c * room + at;
    const vreal d[2] = {v_load(o) - two->oxygen[c][0], v_load(o + RILL_WIDTH) - two->oxygen[c][1]};
    between[c] = vf_keep(vf_narrow(d));
  }
#pragma GCC unroll 3
  for (size_t b = 0; b < 3; b++) {
    vfloat site[3], force[3];
#pragma GCC unroll 3
    for (size_t c = 0; c < 3; c++) {
      site[c] = between[c];
      if (b > 0) site[c] = vf_keep(site[c] + vf_load(pairs->hydrogen + (3 * (b - 1) + c) * room + at));
      force[c] = vf_set(0.0f);
    }
    mixed_meet_site(constants, two->hydrogen, (int)b, site, mask, masked, 0, f, force, NULL);
#pragma GCC unroll 3
    for (size_t c = 0; c < 3; c++) {
      float *to = g + (3 * b + c) * room;
      vf_store(to, vf_load(to) + force[c]);
    }
  }
}

/* Molecules i and i + 1 (masked: i alone) of the block that starts at `begin` interact with their half of the ring;
 * the closing pairs of an even ring belong to the first half of the molecules. */
SPECIALISED void lanes_mixed_walk(const struct rill_lane_pairs *pairs, const struct mixed_constants *constants,
                                  size_t begin, size_t i, const int masked) {
  const size_t molecules = pairs->molecules, room = pairs->room, half = molecules / 2, last = (molecules - 1) / 2;
  const vfmask first = vf_mask_first(RILL_WIDTH);
  float *scratch = pairs->scratch + (i - begin) * RILL_WIDTH;
  struct lanes_two two;
  vfloat f[9];
  vreal total[9][2];
  for (size_t k = 0; k < 9; k++) {
    if (k < 3)
      for (size_t l = 0; l < 2; l++) two.oxygen[k][l] = v_load(pairs->oxygen + k * room + (i + l) * RILL_WIDTH);
    else two.hydrogen[k - 3] = vf_keep(vf_load(pairs->hydrogen + (k - 3) * room + i * RILL_WIDTH));
    f[k] = vf_set(0.0f);
    total[k][0] = total[k][1] = v_set(0.0);
  }
  for (size_t from = 1; from <= last; from += RUN) {
    const size_t end = from + RUN <= last ? from + RUN : last + 1;
    for (size_t s = from; s < end; s++)
      lanes_mixed_meet(pairs, constants, &two, i + s, scratch + s * RILL_WIDTH, first, masked, f);
    mixed_flush(f, total);
  }
  if (2 * half == molecules && i < half) {
    float *to = scratch + half * RILL_WIDTH;
    if (i + 1 < half) lanes_mixed_meet(pairs, constants, &two, i + half, to, first, 0, f);
    else lanes_mixed_meet(pairs, constants, &two, i + half, to, first, 1, f);
    mixed_flush(f, total);
  }
  for (size_t l = 0; l < 2; l++)
    for (size_t k = 0; k < 9; k++) v_store(pairs->own + (9 * (i - begin + l) + k) * RILL_WIDTH, total[k][l]);
}

/* Adds a block's forces on others, then its own sums; clears the scratch. */
static void lanes_mixed_spill(const struct rill_lane_pairs *pairs, size_t begin, size_t end, double *f) {
  const size_t molecules = pairs->molecules, stride = pairs->stride, room = pairs->room;
  for (size_t k = 0; k < 9; k++) {
    float *from = pairs->scratch + k * room;
    for (size_t m = begin; m < end + molecules / 2; m += 2, from += RILL_FLOAT_WIDTH) {
      vreal half[2];
      vf_widen(vf_load(from), half);
      vf_store(from, vf_set(0.0f));
      for (size_t l = 0; l < 2; l++) {
        const size_t j = m + l;
        double *to =
            j < molecules ? f + k * stride + j * RILL_WIDTH : pairs->beyond + k * room + (j - molecules) * RILL_WIDTH;
        v_store(to, v_load(to) + half[l]);
      }
    }
    for (size_t i = begin; i < end; i++) {
      double *to = f + k * stride + i * RILL_WIDTH;
      v_store(to, v_load(to) + v_load(pairs->own + (9 * (i - begin) + k) * RILL_WIDTH));
    }
  }
}

static void lanes_mixed_extend(const struct rill_lane_pairs *pairs, const double *q) {
  const size_t molecules = pairs->molecules, stride = pairs->stride, room = pairs->room;
  const size_t end = molecules + molecules / 2 + 2; /* two molecules a vector, of which the second may be masked */
  for (size_t m = 0; m < end; m += 2) {
    const double *from[2];
    vreal o[3][2];
    for (size_t l = 0; l < 2; l++) from[l] = q + (m + l) % molecules * RILL_WIDTH;
    for (size_t c = 0; c < 3; c++)
      for (size_t l = 0; l < 2; l++) {
        o[c][l] = v_load(from[l] + c * stride);
        v_store(pairs->oxygen + c * room + (m + l) * RILL_WIDTH, o[c][l]);
      }
    for (size_t k = 3; k < 9; k++) {
      const vreal d[2] = {v_load(from[0] + k * stride) - o[k % 3][0], v_load(from[1] + k * stride) - o[k % 3][1]};
      vf_store(pairs->hydrogen + (k - 3) * room + m * RILL_WIDTH, vf_narrow(d));
    }
  }
}

/* Molecules at most one vector of doubles: the sums of mixed_do_small_ring.  The scratch has the molecules' own
 * forces, then those on their partners for each shift, which are added in the order of the shifts. */
static void lanes_mixed_small_ring(const struct rill_lane_pairs *pairs, const double *q, double *f) {
  const size_t molecules = pairs->molecules, stride = pairs->stride, half = molecules / 2, last = (molecules - 1) / 2;
  const size_t record = MIXED_SITES * RILL_FLOAT_WIDTH, of_shift = molecules * record;
  const bool closed = 2 * half == molecules; /* the closing pairs belong to the first half of the molecules */
  const struct mixed_constants constants = mixed_small_constants(pairs->constants);
  const vfmask all = vf_mask_first(RILL_FLOAT_WIDTH);
  for (size_t m = 0; m < molecules; m++)
    for (size_t c = 0; c < 3; c++) {
      const double *at = q + c * stride + m * RILL_WIDTH;
      const vreal o = v_load(at), d[2] = {v_load(at + 3 * stride) - o, v_load(at + 6 * stride) - o};
      const vfloat h = vf_narrow(d);
      vf_store(pairs->hydrogen + m * record + c * RILL_FLOAT_WIDTH, h);
      vf_store(pairs->hydrogen + m * record + (3 + c) * RILL_FLOAT_WIDTH, vf_swap(h));
    }
  for (size_t i = 0; i < molecules; i++) {
    const size_t shifts = last + (closed && i < half ? 1 : 0);
    vreal o[3];
    vfloat h[3], own[MIXED_SITES];
    for (size_t c = 0; c < 3; c++) {
      o[c] = v_keep(v_load(q + c * stride + i * RILL_WIDTH));
      h[c] = vf_keep(vf_load(pairs->hydrogen + i * record + c * RILL_FLOAT_WIDTH));
    }
    for (size_t k = 0; k < MIXED_SITES; k++) own[k] = vf_set(0.0f);
    for (size_t s = 1; s <= shifts; s++) {
      const size_t j = i + s < molecules ? i + s : i + s - molecules;
      const float *partner = pairs->hydrogen + j * record;
      float *to = pairs->scratch + s * of_shift + j * record;
      vfloat between[3], k[3], turned[3], force[MIXED_SITES];
#pragma GCC unroll 3
      for (size_t c = 0; c < 3; c++) {
        between[c] = vf_keep(vf_both(v_load(q + c * stride + j * RILL_WIDTH) - o[c]));
        k[c] = vf_load(partner + c * RILL_FLOAT_WIDTH);
        turned[c] = vf_load(partner + (3 + c) * RILL_FLOAT_WIDTH);
      }
      mixed_meet_molecule(&constants, between, h, k, turned, all, 0, own, force);
#pragma GCC unroll 6
      for (size_t n = 0; n < MIXED_SITES; n++) vf_store(to + n * RILL_FLOAT_WIDTH, force[n]);
    }
    for (size_t k = 0; k < MIXED_SITES; k++) vf_store(pairs->scratch + i * record + k * RILL_FLOAT_WIDTH, own[k]);
  }
  for (size_t m = 0; m < molecules; m++) {
    const size_t shifts = last + (closed && m >= half ? 1 : 0);
    vfloat total[MIXED_SITES];
    for (size_t k = 0; k < MIXED_SITES; k++) {
      const float *from = pairs->scratch + m * record + k * RILL_FLOAT_WIDTH;
      vfloat by_partners = vf_set(0.0f);
      for (size_t s = 1; s <= shifts; s++) by_partners += vf_load(from + s * of_shift);
      total[k] = vf_load(from) + by_partners;
    }
    mixed_store_small(total, f + m * RILL_WIDTH, stride);
  }
}

static void lanes_mixed_pairs(const struct rill_lane_pairs *pairs, const double *q, double *f) {
  const size_t molecules = pairs->molecules, half = molecules / 2;
  const struct mixed_constants constants = mixed_constants_of(pairs->constants);
  if (molecules <= RILL_WIDTH) {
    lanes_mixed_small_ring(pairs, q, f);
    return;
  }
  lanes_mixed_extend(pairs, q);
  lanes_clear(f, 9, pairs->stride, molecules);
  lanes_clear(pairs->beyond, 9, pairs->room, half + 2);
  for (size_t begin = 0; begin < molecules; begin += RILL_FLOAT_WIDTH) {
    const size_t end = begin + RILL_FLOAT_WIDTH < molecules ? begin + RILL_FLOAT_WIDTH : molecules;
    /* the second of two neighbours takes the terms of a shift before the first does: see lanes_blocks */
    for (size_t i = begin + (end - begin + 1) / 2 * 2; i > begin;) {
      i -= 2;
      if (i + 1 < end) lanes_mixed_walk(pairs, &constants, begin, i, 0);
      else lanes_mixed_walk(pairs, &constants, begin, i, 1);
    }
    lanes_mixed_spill(pairs, begin, end, f);
  }
  for (size_t k = 0; k < 9; k++)
    for (size_t m = 0; m < half * RILL_WIDTH; m += RILL_WIDTH) {
      double *to = f + k * pairs->stride + m;
      v_store(to, v_load(to) + v_load(pairs->beyond + k * pairs->room + m));
    }
}

#endif
