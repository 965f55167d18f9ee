/* One site of molecules and the three sites of others, in vector code: shared by the pair kernels, and included after
 * the instruction set is named. */
#ifndef RILL_WATER_FORCES_SITE_BODY_H
#define RILL_WATER_FORCES_SITE_BODY_H

#include "base/simd/simd.h"
#include "base/simd/specialised.h"
#include "water/forces/pairs.h"

/* Whether the pair of sites a, b takes its 1/r3 by square root and division; the others refine an estimate.  Divider
 * and multipliers work in parallel: a mixture can be best. */
#if defined RILL_SIMD_AVX512
/* Root and quotient of eight lanes take the divider twice as long as four, and the estimate's correction is
 * shorter. */
#define RILL_PAIR_DIVIDED(a, b) 0
#elif defined RILL_SIMD_AVX2
/* Pairs of like sites, three of nine, use the divider.  Root and quotient take 14 (Zen 3) to 17 cycles (Golden Cove)
 * of the divider, an estimate and its correction 5 of the multipliers.  With three to five such pairs the time hardly
 * changes; with none and all it is 1.15 and 1.6 times longer. */
#define RILL_PAIR_DIVIDED(a, b) ((a) == (b))
#elif defined RILL_SIMD_NEON
/* Not measured: root and quotient of two lanes take the divider of these processors for tens of cycles. */
#define RILL_PAIR_DIVIDED(a, b) 0
#else
/* Portable code has no estimate of 1/r to refine. */
#define RILL_PAIR_DIVIDED(a, b) 1
#endif

/* The three sites of molecules x interact with site b, at y, of others: f (on x) and g (on y) are added to. */
SPECIALISED void meet_site(const struct rill_pair_constants *constants, const vreal x[9], const int b,
                           const vreal y[3], vmask mask, const int masked, const int energies, vreal f[9], vreal g[3],
                           vreal sums[RILL_SUM_COUNT]) {
#pragma GCC unroll 3
  for (int a = 0; a < 3; a++) {
    const enum rill_site_pair kind = (enum rill_site_pair)((a > 0) + (b > 0));
    const double(*series)[RILL_LANES] = constants->series[kind];
    const vreal d0 = y[0] - x[3 * a], d1 = y[1] - x[3 * a + 1], d2 = y[2] - x[3 * a + 2];
    const vreal r2 = v_fma(d2, d2, v_fma(d1, d1, d0 * d0));
    vreal s; /* charges / r3, finally force / r */
    if (RILL_PAIR_DIVIDED(a, b)) {
      s = v_load(series[0]) / (r2 * v_sqrt(r2));
      if (masked) s = v_and_mask(s, mask);
    } else {
      vreal estimate = v_rsqrt_estimate(r2), estimate2, e;
      if (masked) estimate = v_and_mask(estimate, mask);
      estimate2 = estimate * estimate;
      e = v_fnma(r2, estimate2, v_set(1.0));
      s = v_load(series[RILL_ESTIMATE_TERMS]);
#pragma GCC unroll 8
      for (int k = RILL_ESTIMATE_TERMS - 1; k >= 0; k--) s = v_fma(s, e, v_load(series[k]));
      s = s * (estimate2 * estimate);
    }
    if (kind == RILL_PAIR_OO) {
      const vreal inverse6 = s * s, inverse4 = r2 * inverse6;
      s = s * v_load(constants->charge);
      if (energies) {
        sums[RILL_SUM_R6] += inverse6;
        sums[RILL_SUM_R12] = v_fma(inverse6, inverse6, sums[RILL_SUM_R12]);
        sums[RILL_SUM_COULOMB] = v_fma(r2, s, sums[RILL_SUM_COULOMB]);
      }
      s = v_fma(inverse4 * inverse4, v_fma(v_load(constants->repulsion), inverse6, v_load(constants->attraction)), s);
    } else if (energies) {
      sums[RILL_SUM_COULOMB] = v_fma(r2, s, sums[RILL_SUM_COULOMB]); /* charges / r */
    }
    f[3 * a] = v_fnma(s, d0, f[3 * a]);
    f[3 * a + 1] = v_fnma(s, d1, f[3 * a + 1]);
    f[3 * a + 2] = v_fnma(s, d2, f[3 * a + 2]);
    g[0] = v_fma(s, d0, g[0]);
    g[1] = v_fma(s, d1, g[1]);
    g[2] = v_fma(s, d2, g[2]);
  }
}

#endif
