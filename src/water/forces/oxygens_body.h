/* The vector body of water/forces/oxygens.h; a file that includes it names the instruction set. */
#ifndef RILL_WATER_FORCES_OXYGENS_BODY_H
#define RILL_WATER_FORCES_OXYGENS_BODY_H

#include "base/simd/simd.h"
#include "base/simd/specialised.h"
#include "water/forces/oxygens.h"

/* 1/r2.  With y an estimate of 1/r and e = 1 - r2 y2 it is y2 (1 + e + e2 + ...). */
SPECIALISED vreal inverse_of_square(vreal r2) {
  vreal y, y2, e, series = v_set(1.0);
  if (RILL_ESTIMATE_TERMS == 0) return v_set(1.0) / r2;
  y = v_rsqrt_estimate(r2);
  y2 = y * y;
  e = v_fnma(r2, y2, v_set(1.0));
#pragma GCC unroll 4
  for (int k = 0; k < RILL_ESTIMATE_TERMS; k++) series = v_fma(series, e, v_set(1.0));
  return y2 * series;
}

static void add_oxygens(const struct rill_oxygens *oxygens, size_t stride, size_t first, size_t last, double *f) {
  const vreal repulsion = v_set(oxygens->repulsion), attraction = v_set(oxygens->attraction);
  const size_t room = oxygens->room;
  for (size_t k = first; k < last; k += RILL_WIDTH) {
    const vmask mask = v_mask_first(last - k);
    const double *x = oxygens->x + k;
    const vreal own[3] = {v_loadu(x), v_loadu(x + room), v_loadu(x + 2 * room)};
    vreal force[3] = {v_set(0.0), v_set(0.0), v_set(0.0)};
    for (size_t ahead = oxygens->width; ahead < oxygens->columns; ahead += oxygens->width) {
      const vreal d0 = own[0] - v_loadu(x + ahead), d1 = own[1] - v_loadu(x + room + ahead);
      const vreal d2 = own[2] - v_loadu(x + 2 * room + ahead);
      const vreal i2 = inverse_of_square(v_fma(d2, d2, v_fma(d1, d1, d0 * d0))), i6 = i2 * i2 * i2;
      const vreal s = v_fma(repulsion, i6, attraction) * (i6 * i2); /* force over r */
      force[0] = v_fma(s, d0, force[0]);
      force[1] = v_fma(s, d1, force[1]);
      force[2] = v_fma(s, d2, force[2]);
    }
    for (size_t c = 0; c < 3; c++) {
      double *to = f + c * stride + k;
      const vreal before = v_loadu(to);
      v_storeu(to, v_select(mask, before + force[c], before));
    }
  }
}

#endif
