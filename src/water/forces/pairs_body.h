/* The vector body of the pair kernel; a file that includes it, once, names the instruction set. */
#include "water/forces/oxygens_body.h"
#include "water/forces/site_body.h"

/* Block x interacts with the block at y, whose forces are added to g in memory. */
SPECIALISED void meet_block(const struct rill_pair_constants *constants, const vreal x[9], const double *y, double *g,
                            size_t columns, vmask mask, const int masked, const int energies, vreal f[9],
                            vreal sums[RILL_SUM_COUNT]) {
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++) {
    const double *yb = y + 3 * (size_t)b * columns;
    double *gb = g + 3 * (size_t)b * columns;
    const vreal site[3] = {v_keep(v_loadu(yb)), v_keep(v_loadu(yb + columns)), v_keep(v_loadu(yb + 2 * columns))};
    vreal force[3] = {v_set(0.0), v_set(0.0), v_set(0.0)};
    meet_site(constants, x, b, site, mask, masked, energies, f, force, sums);
    v_storeu(gb, v_loadu(gb) + force[0]);
    v_storeu(gb + columns, v_loadu(gb + columns) + force[1]);
    v_storeu(gb + 2 * columns, v_loadu(gb + 2 * columns) + force[2]);
  }
}

/* A block of i interacts with its half of the ring. */
SPECIALISED void walk_ring(const struct rill_pair_work *work, size_t i, const int masked, const int energies,
                           vreal sums[RILL_SUM_COUNT]) {
  const size_t molecules = work->molecules, columns = work->columns, half = molecules / 2;
  const double *y = work->x + i;
  double *g = work->f + i;
  const vmask mask = v_mask_first(molecules - i);
  vreal x[9], f[9];
  for (size_t k = 0; k < 9; k++) {
    x[k] = v_keep(v_load(y + k * columns));
    f[k] = v_set(0.0);
  }
  for (size_t s = 1; 2 * s < molecules; s++)
    meet_block(work->constants, x, y + s, g + s, columns, mask, masked, energies, f, sums);
  if (2 * half == molecules && i < half)
    meet_block(work->constants, x, y + half, g + half, columns, v_mask_first(half - i), 1, energies, f, sums);
  for (size_t k = 0; k < 9; k++) v_store(g + k * columns, v_load(g + k * columns) + f[k]);
}

SPECIALISED void do_work(struct rill_pair_work *work, const int energies) {
  vreal sums[RILL_SUM_COUNT] = {v_set(0.0), v_set(0.0), v_set(0.0)};
  for (size_t k = 0; k < 9; k++)
    for (size_t m = work->first; m < work->touched; m += RILL_WIDTH)
      v_store(work->f + k * work->columns + m, v_set(0.0));
  for (size_t i = work->first; i < work->end && i < work->molecules; i += RILL_WIDTH)
    if (i + RILL_WIDTH <= work->molecules) walk_ring(work, i, 0, energies, sums);
    else walk_ring(work, i, 1, energies, sums);
  if (energies)
    for (int k = 0; k < RILL_SUM_COUNT; k++) work->sums[k] = v_sum(sums[k]);
}

static void work_of_part(struct rill_pair_work *work, int energies) {
  if (energies) do_work(work, 1);
  else do_work(work, 0);
}

/* One shift of a ring that fits into a vector: it is rotated in registers. */
SPECIALISED void turn_ring(const struct rill_pair_work *work, const vreal x[9], size_t shift, vmask mask,
                           const int energies, vreal f[9], vreal sums[RILL_SUM_COUNT]) {
  const vint ahead = v_load_int(work->constants->turn[shift]);
  const vint back = v_load_int(work->constants->turn[work->molecules - shift]);
#pragma GCC unroll 3
  for (int b = 0; b < 3; b++) {
    vreal site[3], force[3] = {v_set(0.0), v_set(0.0), v_set(0.0)};
    for (int c = 0; c < 3; c++) site[c] = v_keep(v_permute(x[3 * b + c], ahead));
    meet_site(work->constants, x, b, site, mask, 1, energies, f, force, sums);
    for (int c = 0; c < 3; c++) f[3 * b + c] += v_permute(force[c], back);
  }
}

/* Lanes beyond the molecules hold 0 and interact with themselves, masked. */
SPECIALISED void do_small_ring(struct rill_pair_work *work, const double *q, double *forces, size_t stride,
                               const int energies) {
  const size_t molecules = work->molecules;
  const vmask all = v_mask_first(molecules);
  vreal x[9], f[9], sums[RILL_SUM_COUNT] = {v_set(0.0), v_set(0.0), v_set(0.0)};
  for (size_t k = 0; k < 9; k++) {
    x[k] = v_keep(v_and_mask(v_loadu(q + k * stride), all));
    f[k] = v_set(0.0);
  }
  for (size_t s = 1; 2 * s < molecules; s++) turn_ring(work, x, s, all, energies, f, sums);
  if (molecules % 2 == 0) turn_ring(work, x, molecules / 2, v_mask_first(molecules / 2), energies, f, sums);
  for (size_t k = 0; k < 9; k++) {
    v_storeu(forces + k * stride, f[k]);
    for (size_t m = RILL_WIDTH; m < stride; m += RILL_WIDTH) v_storeu(forces + k * stride + m, v_set(0.0));
  }
  if (energies)
    for (int k = 0; k < RILL_SUM_COUNT; k++) work->sums[k] = v_sum(sums[k]);
}

static void small_ring(struct rill_pair_work *work, const double *q, double *f, size_t stride, int energies) {
  if (energies) do_small_ring(work, q, f, stride, 1);
  else do_small_ring(work, q, f, stride, 0);
}

/* Every pass writes one turn of the ring; values beyond the molecules in q are overwritten by the next one. */
static void extend(const double *q, size_t stride, double *x, size_t columns, size_t molecules, size_t row,
                   size_t row_end) {
  const size_t needed = rill_padded(molecules) + molecules / 2;
  for (size_t k = row; k < row_end; k++)
    for (size_t turn = 0; turn < needed; turn += molecules) {
      const size_t count = molecules < needed - turn ? molecules : needed - turn;
      for (size_t m = 0; m < count; m += RILL_WIDTH)
        v_storeu(x + k * columns + turn + m, v_loadu(q + k * stride + m));
    }
}

static void gather(const struct rill_pair_work *work, int parts, size_t row, size_t row_end, double *f,
                   size_t stride) {
  const size_t molecules = work->molecules, columns = work->columns;
  for (size_t k = row; k < row_end; k++) {
    double *total = work->f + k * columns;
    for (int p = 1; p < parts; p++) {
      const double *part = work[p].f + k * columns;
      for (size_t m = work[p].first; m < work[p].touched; m += RILL_WIDTH)
        v_store(total + m, v_load(total + m) + v_load(part + m));
    }
    for (size_t m = 0; m < stride; m += RILL_WIDTH) {
      vreal sum = v_set(0.0);
      if (m < molecules) sum = v_load(total + m);
      if (m < molecules / 2) sum += v_loadu(total + m + molecules); /* j is at most N/2 beyond i */
      if (m + RILL_WIDTH > molecules) sum = v_and_mask(sum, v_mask_first(m < molecules ? molecules - m : 0));
      v_storeu(f + k * stride + m, sum);
    }
  }
}

#define RILL_PAIR_KERNEL                                                                                             \
  {                                                                                                                  \
    RILL_WIDTH, RILL_LANES, 0, RILL_ESTIMATE_ERROR, RILL_ESTIMATE_TERMS, small_ring, extend, work_of_part, gather,   \
        add_oxygens                                                                                                  \
  }
