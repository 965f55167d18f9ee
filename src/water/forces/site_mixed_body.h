/* One site of molecules and the three sites of others in single precision: shared by the pair kernels of mixed
 * precision, and included after the instruction set is named. */
#ifndef RILL_WATER_FORCES_SITE_MIXED_BODY_H
#define RILL_WATER_FORCES_SITE_MIXED_BODY_H

#include "base/simd/simd.h"
#include "base/simd/specialised.h"
#include "water/forces/pairs.h"

/* Shifts whose forces are added in single precision. */
enum { RUN = 16 };

struct mixed_constants {
  vfloat series[RILL_PAIR_COUNT][RILL_FLOAT_ESTIMATE_TERMS + 1], charge, repulsion, attraction;
};

static inline struct mixed_constants mixed_constants_of(const struct rill_pair_constants *from) {
  struct mixed_constants constants;
  for (int kind = 0; kind < RILL_PAIR_COUNT; kind++)
    for (int k = 0; k <= RILL_FLOAT_ESTIMATE_TERMS; k++)
      constants.series[kind][k] = vf_set((float)from->series[kind][k][0]);
  constants.charge = vf_set((float)from->charge[0]);
  constants.repulsion = vf_set((float)from->repulsion[0]);
  constants.attraction = vf_set((float)from->attraction[0]);
  return constants;
}

/* The force between sites that are d apart, over their distance: that of their charges, and of Lennard-Jones between
 * oxygens.  Where `masked`, it is 0 beyond the mask.  With energies, the first pair, of oxygens, sets the sums. */
SPECIALISED vfloat mixed_strength(const struct mixed_constants *constants, const enum rill_site_pair kind,
                                  const vfloat d[3], vfmask mask, const int masked, const int energies,
                                  vfloat sums[RILL_SUM_COUNT]) {
  const vfloat *series = constants->series[kind];
  const vfloat r2 = vf_fma(d[2], d[2], vf_fma(d[1], d[1], d[0] * d[0]));
  vfloat estimate = vf_rsqrt_estimate(r2), estimate2, e, s;
  if (masked) estimate = vf_and_mask(estimate, mask);
  estimate2 = estimate * estimate;
  e = vf_fnma(r2, estimate2, vf_set(1.0f));
  s = series[RILL_FLOAT_ESTIMATE_TERMS];
#pragma GCC unroll 4
  for (int k = RILL_FLOAT_ESTIMATE_TERMS - 1; k >= 0; k--) s = vf_fma(s, e, series[k]);
  s = s * (estimate2 * estimate);
  if (kind == RILL_PAIR_OO) {
    const vfloat inverse6 = s * s, inverse4 = r2 * inverse6;
    s = s * constants->charge;
    if (energies) {
      sums[RILL_SUM_R6] = inverse6;
      sums[RILL_SUM_R12] = inverse6 * inverse6;
      sums[RILL_SUM_COULOMB] = r2 * s;
    }
    s = vf_fma(inverse4 * inverse4, vf_fma(constants->repulsion, inverse6, constants->attraction), s);
  } else if (energies) {
    sums[RILL_SUM_COULOMB] = vf_fma(r2, s, sums[RILL_SUM_COULOMB]);
  }
  return s;
}

/* Sites a of molecules, whose hydrogens relative to their oxygens are x, interact with a site at y, as in
 * meet_site. */
SPECIALISED void mixed_meet_site(const struct mixed_constants *constants, const vfloat x[6], const int b,
                                 const vfloat y[3], vfmask mask, const int masked, const int energies, vfloat f[9],
                                 vfloat g[3], vfloat sums[RILL_SUM_COUNT]) {
#pragma GCC unroll 3
  for (int a = 0; a < 3; a++) {
    const enum rill_site_pair kind = (enum rill_site_pair)((a > 0) + (b > 0));
    vfloat d[3], s;
#pragma GCC unroll 3
    for (int c = 0; c < 3; c++) {
      d[c] = y[c];
      if (a > 0) d[c] -= x[3 * (a - 1) + c];
    }
    s = mixed_strength(constants, kind, d, mask, masked, energies, sums);
#pragma GCC unroll 3
    for (int c = 0; c < 3; c++) {
      f[3 * a + c] = vf_fnma(s, d[c], f[3 * a + c]);
      g[c] = vf_fma(s, d[c], g[c]);
    }
  }
}

/* Adds the block's own forces, in single precision, to the total in double precision. */
SPECIALISED void mixed_flush(vfloat f[9], vreal total[9][2]) {
  for (int k = 0; k < 9; k++) {
    vreal half[2];
    vf_widen(f[k], half);
    total[k][0] += half[0];
    total[k][1] += half[1];
    f[k] = vf_set(0.0f);
  }
}

#endif
