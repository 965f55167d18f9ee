/* The pair kernel in mixed precision; included after pairs_body.h, whose sums and energies of small rings it shares.
 *
 * Each pair is computed in the frame of one of its molecules: the vector from its oxygen to the other's is computed
 * in double precision and then rounded; hydrogens are single precision vectors from their oxygens.  So a distance is
 * rounded once, relative to its own length, wherever the cluster is.  Forces are added in single precision over one
 * block of i and at most RUN shifts, and in double precision beyond.
 *
 * In the extended x, rows 0 ... 2 are the oxygens; the six rows of the hydrogens follow as single precision numbers,
 * each `columns` long. */
#include "water/forces/site_mixed_body.h"
#include "water/forces/small_mixed_body.h"

static inline const float *mixed_hydrogens(const struct rill_pair_work *work) {
  return (const float *)(work->x + 3 * work->columns);
}

/* The positions of a block of molecules. */
struct mixed_block {
  vreal oxygen[3][2];
  vfloat hydrogen[6];
};

SPECIALISED void mixed_meet_block(const struct rill_pair_work *work, const struct mixed_constants *constants,
                                  const struct mixed_block *block, size_t j, float *g, vfmask mask, const int masked,
                                  const int energies, vfloat f[9], vreal sums[RILL_SUM_COUNT]) {
  const size_t columns = work->columns;
  const float *hydrogens = mixed_hydrogens(work) + j;
  vfloat between[3], pair_sums[RILL_SUM_COUNT];
#pragma GCC unroll 3
  for (size_t c = 0; c < 3; c++) {
    const double *o = work->x + c * columns + j;
    const vreal d[2] = {v_loadu(o) - block->oxygen[c][0], v_loadu(o + RILL_WIDTH) - block->oxygen[c][1]};
    between[c] = vf_keep(vf_narrow(d));
  }
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++) {
    vfloat site[3], force[3];
#pragma GCC unroll 3
    for (int c = 0; c < 3; c++) {
      site[c] = between[c];
      if (b > 0) site[c] = vf_keep(site[c] + vf_load(hydrogens + (size_t)(3 * (b - 1) + c) * columns));
      force[c] = vf_set(0.0f);
    }
    mixed_meet_site(constants, block->hydrogen, b, site, mask, masked, energies, f, force, pair_sums);
#pragma GCC unroll 3
    for (int c = 0; c < 3; c++) {
      float *to = g + (size_t)(3 * b + c) * columns;
      vf_store(to, vf_load(to) + force[c]);
    }
  }
  if (energies)
    for (int k = 0; k < RILL_SUM_COUNT; k++) {
      vreal half[2];
      vf_widen(pair_sums[k], half);
      sums[k] += half[0] + half[1];
    }
}

/* Adds one block's forces on the others from the scratch array, which is cleared, to the part's. */
static inline void mixed_spill(const struct rill_pair_work *work, size_t i) {
  const size_t columns = work->columns, window = work->molecules / 2 + RILL_FLOAT_WIDTH;
  for (size_t k = 0; k < 9; k++) {
    float *from = work->scratch + k * columns;
    double *to = work->f + k * columns + i;
    for (size_t m = 0; m < window; m += RILL_FLOAT_WIDTH) {
      vreal half[2];
      vf_widen(vf_load(from + m), half);
      v_store(to + m, v_load(to + m) + half[0]);
      v_store(to + m + RILL_WIDTH, v_load(to + m + RILL_WIDTH) + half[1]);
      vf_store(from + m, vf_set(0.0f));
    }
  }
}

SPECIALISED void mixed_walk_ring(const struct rill_pair_work *work, const struct mixed_constants *constants, size_t i,
                                 const int masked, const int energies, vreal sums[RILL_SUM_COUNT]) {
  const size_t molecules = work->molecules, columns = work->columns, half = molecules / 2;
  const vfmask mask = vf_mask_first(molecules - i);
  const size_t last = (molecules - 1) / 2;
  struct mixed_block block;
  vfloat f[9];
  vreal total[9][2];
  for (size_t k = 0; k < 9; k++) {
    if (k < 3)
      for (size_t l = 0; l < 2; l++) block.oxygen[k][l] = v_load(work->x + k * columns + i + l * RILL_WIDTH);
    else block.hydrogen[k - 3] = vf_keep(vf_load(mixed_hydrogens(work) + (k - 3) * columns + i));
    f[k] = vf_set(0.0f);
    total[k][0] = total[k][1] = v_set(0.0);
  }
  for (size_t begin = 1; begin <= last; begin += RUN) {
    const size_t end = begin + RUN <= last ? begin + RUN : last + 1;
    for (size_t s = begin; s < end; s++)
      mixed_meet_block(work, constants, &block, i + s, work->scratch + s, mask, masked, energies, f, sums);
    mixed_flush(f, total);
  }
  if (2 * half == molecules && i < half) {
    mixed_meet_block(work, constants, &block, i + half, work->scratch + half, vf_mask_first(half - i), 1, energies, f,
                     sums);
    mixed_flush(f, total);
  }
  mixed_spill(work, i);
  for (size_t k = 0; k < 9; k++)
    for (size_t l = 0; l < 2; l++) {
      double *own = work->f + k * columns + i + l * RILL_WIDTH;
      v_store(own, v_load(own) + total[k][l]);
    }
}

SPECIALISED void mixed_do_work(struct rill_pair_work *work, const int energies) {
  vreal sums[RILL_SUM_COUNT] = {v_set(0.0), v_set(0.0), v_set(0.0)};
  const struct mixed_constants constants = mixed_constants_of(work->constants);
  for (size_t k = 0; k < 9; k++)
    for (size_t m = work->first; m < work->touched; m += RILL_WIDTH)
      v_store(work->f + k * work->columns + m, v_set(0.0));
  for (size_t i = work->first; i < work->end && i < work->molecules; i += RILL_FLOAT_WIDTH)
    if (i + RILL_FLOAT_WIDTH <= work->molecules) mixed_walk_ring(work, &constants, i, 0, energies, sums);
    else mixed_walk_ring(work, &constants, i, 1, energies, sums);
  if (energies)
    for (int k = 0; k < RILL_SUM_COUNT; k++) work->sums[k] = v_sum(sums[k]);
}

static void mixed_work_of_part(struct rill_pair_work *work, int energies) {
  if (energies) mixed_do_work(work, 1);
  else mixed_do_work(work, 0);
}

/* As extend; hydrogens are relative to their oxygens.  Finite to the end of the last block, where lanes are
 * masked. */
static void mixed_extend(const double *q, size_t stride, double *x, size_t columns, size_t molecules, size_t row,
                         size_t row_end) {
  const size_t needed = molecules + RILL_FLOAT_WIDTH + molecules / 2 + RILL_FLOAT_WIDTH;
  for (size_t k = row; k < row_end && k < 3; k++) {
    double *to = x + k * columns;
    for (size_t m = 0; m < molecules; m++) to[m] = q[k * stride + m];
    for (size_t m = molecules; m < needed; m++) to[m] = to[m - molecules];
  }
  for (size_t k = row < 3 ? 3 : row; k < row_end; k++) {
    float *to = (float *)(x + 3 * columns) + (k - 3) * columns;
    for (size_t m = 0; m < molecules; m++) to[m] = (float)(q[k * stride + m] - q[k % 3 * stride + m]);
    for (size_t m = molecules; m < needed; m++) to[m] = to[m - molecules];
  }
}

/* One shift of a small ring, which is rotated in registers; o: oxygens, h: hydrogens relative to them. */
SPECIALISED void mixed_turn_ring(const struct rill_pair_work *work, const struct mixed_constants *constants,
                                 const vreal o[3], const vfloat h[3], size_t shift, vfmask mask,
                                 vfloat f[MIXED_SITES], vfloat g[MIXED_SITES]) {
  const vint upper = v_int(RILL_WIDTH), ahead = v_load_int(work->constants->turn[shift]);
  const vint back = v_load_int(work->constants->turn[work->molecules - shift]);
  const vint32 of_partners = vi_narrow((const vint[2]){ahead, ahead + upper});
  const vint32 turning = vi_narrow((const vint[2]){ahead + upper, ahead});
  const vint32 home = vi_narrow((const vint[2]){back, back + upper});
  vfloat between[3], k[3], turned[3], force[MIXED_SITES];
#pragma GCC unroll 3
  for (int c = 0; c < 3; c++) {
    between[c] = vf_keep(vf_both(v_permute(o[c], ahead) - o[c]));
    k[c] = vf_keep(vf_permute(h[c], of_partners));
    turned[c] = vf_keep(vf_permute(h[c], turning));
  }
  mixed_meet_molecule(constants, between, h, k, turned, mask, 1, f, force);
#pragma GCC unroll 6
  for (int i = 0; i < MIXED_SITES; i++) g[i] += vf_permute(force[i], home);
}

/* As do_small_ring. */
static void mixed_do_small_ring(const struct rill_pair_work *work, const double *q, double *forces, size_t stride) {
  const size_t molecules = work->molecules;
  const struct mixed_constants constants = mixed_small_constants(work->constants);
  const vmask all = v_mask_first(molecules);
  const vfmask both = vf_mask_halves(molecules);
  vreal o[3];
  vfloat h[3], f[MIXED_SITES], g[MIXED_SITES];
  for (size_t c = 0; c < 3; c++) {
    vreal d[2];
    o[c] = v_keep(v_and_mask(v_loadu(q + c * stride), all));
    for (size_t a = 0; a < 2; a++) d[a] = v_and_mask(v_loadu(q + (3 * a + 3 + c) * stride), all) - o[c];
    h[c] = vf_keep(vf_narrow(d));
  }
  for (int i = 0; i < MIXED_SITES; i++) f[i] = g[i] = vf_set(0.0f);
  for (size_t s = 1; 2 * s < molecules; s++) mixed_turn_ring(work, &constants, o, h, s, both, f, g);
  if (molecules % 2 == 0) mixed_turn_ring(work, &constants, o, h, molecules / 2, vf_mask_halves(molecules / 2), f, g);
  for (int i = 0; i < MIXED_SITES; i++) f[i] += g[i];
  mixed_store_small(f, forces, stride);
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = RILL_WIDTH; m < stride; m += RILL_WIDTH) v_storeu(forces + k * stride + m, v_set(0.0));
}

/* Energies in double precision: they are wanted less often, and an ensemble's exchanges depend on them. */
static void mixed_small_ring(struct rill_pair_work *work, const double *q, double *f, size_t stride, int energies) {
  if (energies) small_ring(work, q, f, stride, 1);
  mixed_do_small_ring(work, q, f, stride);
}

#define RILL_MIXED_PAIR_KERNEL                                                                                       \
  {                                                                                                                  \
    RILL_WIDTH, RILL_FLOAT_WIDTH, 1, RILL_FLOAT_ESTIMATE_ERROR, RILL_FLOAT_ESTIMATE_TERMS, mixed_small_ring,         \
        mixed_extend, mixed_work_of_part, gather, add_oxygens                                                        \
  }
