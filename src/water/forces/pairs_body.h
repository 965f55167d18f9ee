/* The vector body of the pair kernel; included once by a file that names the instruction set and RILL_PAIR_KERNEL. */
#include "base/simd/simd.h"
#include "water/forces/pairs.h"

#define RILL_INLINE static inline __attribute__((always_inline))

/* A sweep of one shift and then the next would load what it has just stored, one column aside, and wait for it.  So
 * shifts run over a tile of blocks in steps of the width, and a tile fits into the first-level cache. */
enum { RILL_TILE = 8 * RILL_WIDTH };

/* Block x meets block y: f (of x) stays in registers, g (of y) is added to in memory. */
RILL_INLINE void rill_pairs_meet(const struct rill_pair_constants *constants, const double *x, const double *y, double *g,
                                 size_t columns, vmask mask, const int masked, const int energies, vreal f[9],
                                 vreal sums[RILL_SUM_COUNT]) {
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++) {
    const double *yb = y + 3 * (size_t)b * columns;
    double *gb = g + 3 * (size_t)b * columns;
    const vreal y0 = v_loadu(yb), y1 = v_loadu(yb + columns), y2 = v_loadu(yb + 2 * columns);
    vreal g0 = v_set(0.0), g1 = v_set(0.0), g2 = v_set(0.0);
#pragma GCC unroll 3
    for (int a = 0; a < 3; a++) {
      const double *xa = x + 3 * (size_t)a * columns;
      const enum rill_site_pair kind = (enum rill_site_pair)((a > 0) + (b > 0));
      const double(*series)[RILL_LANES] = constants->series[kind];
      const vreal d0 = y0 - v_load(xa), d1 = y1 - v_load(xa + columns), d2 = y2 - v_load(xa + 2 * columns);
      const vreal r2 = v_fma(d2, d2, v_fma(d1, d1, d0 * d0));
      vreal estimate = v_rsqrt_estimate(r2), inverse2, e, s;
      if (masked) estimate = v_and_mask(estimate, mask);
      inverse2 = estimate * estimate;
      e = v_fnma(r2, inverse2, v_set(1.0));
      s = v_load(series[RILL_ESTIMATE_TERMS]);
#pragma GCC unroll 8
      for (int k = RILL_ESTIMATE_TERMS - 1; k >= 0; k--) s = v_fma(s, e, v_load(series[k]));
      s = s * (inverse2 * estimate);
      if (kind == RILL_PAIR_OO) {
        const vreal r6 = s * s, r4 = r2 * r6;
        s = s * v_load(constants->charge);
        if (energies) {
          sums[RILL_SUM_R6] += r6;
          sums[RILL_SUM_R12] = v_fma(r6, r6, sums[RILL_SUM_R12]);
          sums[RILL_SUM_COULOMB] = v_fma(r2, s, sums[RILL_SUM_COULOMB]);
        }
        s = v_fma(r4 * r4, v_fma(v_load(constants->repulsion), r6, v_load(constants->attraction)), s);
      } else if (energies) {
        sums[RILL_SUM_COULOMB] = v_fma(r2, s, sums[RILL_SUM_COULOMB]);
      }
      f[3 * a] = v_fnma(s, d0, f[3 * a]);
      f[3 * a + 1] = v_fnma(s, d1, f[3 * a + 1]);
      f[3 * a + 2] = v_fnma(s, d2, f[3 * a + 2]);
      g0 = v_fma(s, d0, g0);
      g1 = v_fma(s, d1, g1);
      g2 = v_fma(s, d2, g2);
    }
    v_storeu(gb, v_loadu(gb) + g0);
    v_storeu(gb + columns, v_loadu(gb + columns) + g1);
    v_storeu(gb + 2 * columns, v_loadu(gb + 2 * columns) + g2);
  }
}

/* All shifts of one block of i. */
RILL_INLINE void rill_pairs_of_block(const struct rill_pair_work *work, size_t i, const int masked, const int energies,
                                     vreal sums[RILL_SUM_COUNT]) {
  const size_t molecules = work->molecules, columns = work->columns, last = (molecules - 1) / 2;
  const double *x = work->x + i;
  double *g = work->f + i;
  const vmask mask = v_mask_first(molecules - i);
  vreal f[9];
  for (int k = 0; k < 9; k++) f[k] = v_set(0.0);
  for (size_t tile = 1; tile <= last; tile += RILL_TILE) {
    const size_t tile_last = tile + RILL_TILE - 1 < last ? tile + RILL_TILE - 1 : last;
    for (size_t start = tile; start < tile + RILL_WIDTH; start++)
      for (size_t s = start; s <= tile_last; s += RILL_WIDTH)
        rill_pairs_meet(work->constants, x, x + s, g + s, columns, mask, masked, energies, f, sums);
  }
  if (molecules % 2 == 0 && i < molecules / 2)
    rill_pairs_meet(work->constants, x, x + molecules / 2, g + molecules / 2, columns, v_mask_first(molecules / 2 - i), 1,
                    energies, f, sums);
  for (size_t k = 0; k < 9; k++) v_store(g + k * columns, v_load(g + k * columns) + f[k]);
}

RILL_INLINE void rill_pairs_of_work(const struct rill_pair_work *work, const int energies) {
  vreal sums[RILL_SUM_COUNT] = {v_set(0.0), v_set(0.0), v_set(0.0)};
  for (size_t i = work->first; i < work->end && i < work->molecules; i += RILL_WIDTH)
    if (i + RILL_WIDTH <= work->molecules)
      rill_pairs_of_block(work, i, 0, energies, sums);
    else
      rill_pairs_of_block(work, i, 1, energies, sums);
  if (energies)
    for (int k = 0; k < RILL_SUM_COUNT; k++) work->sums[k] = v_sum(sums[k]);
}

static void rill_pairs_work(const struct rill_pair_work *work) {
  if (work->sums != NULL)
    rill_pairs_of_work(work, 1);
  else
    rill_pairs_of_work(work, 0);
}

/* Every pass writes one turn of the ring; what stands beyond the molecules in q is overwritten by the next one. */
static void rill_pairs_extend(const double *q, size_t stride, double *x, size_t columns, size_t molecules) {
  const size_t needed = (molecules + RILL_LANES - 1) / RILL_LANES * RILL_LANES + molecules / 2;
  for (size_t k = 0; k < 9; k++)
    for (size_t turn = 0; turn < needed; turn += molecules) {
      const size_t count = molecules < needed - turn ? molecules : needed - turn;
      for (size_t m = 0; m < count; m += RILL_WIDTH) v_storeu(x + k * columns + turn + m, v_loadu(q + k * stride + m));
    }
}

static void rill_pairs_add(double *target, const double *source, size_t count) {
  for (size_t m = 0; m < count; m += RILL_WIDTH) v_store(target + m, v_load(target + m) + v_load(source + m));
}

static void rill_pairs_fold(const double *extended, double *f, size_t stride, size_t molecules) {
  for (size_t m = 0; m < stride; m += RILL_WIDTH) {
    if (m >= molecules) {
      v_storeu(f + m, v_set(0.0));
    } else {
      vreal sum = v_load(extended + m);
      if (m < molecules / 2) sum += v_loadu(extended + m + molecules); /* as j, at most N/2 beyond i */
      v_storeu(f + m, v_and_mask(sum, v_mask_first(molecules - m)));
    }
  }
}

const struct rill_pair_kernel RILL_PAIR_KERNEL = {
    .estimate_error = RILL_ESTIMATE_ERROR,
    .series_terms = RILL_ESTIMATE_TERMS,
    .extend = rill_pairs_extend,
    .work = rill_pairs_work,
    .add = rill_pairs_add,
    .fold = rill_pairs_fold,
};
