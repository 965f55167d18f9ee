/* Molecules of rings that fit into a vector of doubles, in mixed precision: one pair of molecules a lane of doubles.
 * A vector of floats is twice as wide, and its halves hold two pairs of sites of each.  Shared by a cluster alone and
 * clusters in lanes, and included after the instruction set is named. */
#ifndef RILL_WATER_FORCES_SMALL_MIXED_BODY_H
#define RILL_WATER_FORCES_SMALL_MIXED_BODY_H

#include "water/forces/site_mixed_body.h"

/* Sites of a molecule: its oxygen in both halves, then its hydrogens, the first in the lower half. */
enum { MIXED_SITES = 6 };

/* Both halves have the pair of oxygens: half of its force in each. */
static inline struct mixed_constants mixed_small_constants(const struct rill_pair_constants *from) {
  struct mixed_constants constants = mixed_constants_of(from);
  constants.charge = constants.charge * vf_set(0.5f);
  constants.repulsion = constants.repulsion * vf_set(0.5f);
  constants.attraction = constants.attraction * vf_set(0.5f);
  return constants;
}

/* Molecules x and y interact.  between: from the oxygens of x to those of y; h, k: hydrogens of x and of y, relative
 * to their oxygens; turned: k with its halves exchanged.  Forces on x are added to f, those on y are g. */
SPECIALISED void mixed_meet_molecule(const struct mixed_constants *constants, const vfloat between[3],
                                     const vfloat h[3], const vfloat k[3], const vfloat turned[3], vfmask mask,
                                     const int masked, vfloat f[MIXED_SITES], vfloat g[MIXED_SITES]) {
  vfloat d[3], e[3], crossed[3], s;
  s = mixed_strength(constants, RILL_PAIR_OO, between, mask, masked, 0, NULL);
#pragma GCC unroll 3
  for (int c = 0; c < 3; c++) {
    f[c] = vf_fnma(s, between[c], f[c]);
    g[c] = s * between[c];
    d[c] = vf_keep(between[c] + k[c]);
    e[c] = vf_keep(between[c] - h[c]);
  }
  s = mixed_strength(constants, RILL_PAIR_OH, d, mask, masked, 0, NULL);
#pragma GCC unroll 3
  for (int c = 0; c < 3; c++) {
    f[c] = vf_fnma(s, d[c], f[c]);
    g[3 + c] = s * d[c];
    d[c] = d[c] - h[c];
  }
  s = mixed_strength(constants, RILL_PAIR_OH, e, mask, masked, 0, NULL);
#pragma GCC unroll 3
  for (int c = 0; c < 3; c++) {
    f[3 + c] = vf_fnma(s, e[c], f[3 + c]);
    g[c] = vf_fma(s, e[c], g[c]);
    e[c] = e[c] + turned[c];
  }
  s = mixed_strength(constants, RILL_PAIR_HH, d, mask, masked, 0, NULL);
#pragma GCC unroll 3
  for (int c = 0; c < 3; c++) {
    f[3 + c] = vf_fnma(s, d[c], f[3 + c]);
    g[3 + c] = vf_fma(s, d[c], g[3 + c]);
  }
  s = mixed_strength(constants, RILL_PAIR_HH, e, mask, masked, 0, NULL);
#pragma GCC unroll 3
  for (int c = 0; c < 3; c++) {
    f[3 + c] = vf_fnma(s, e[c], f[3 + c]);
    crossed[c] = s * e[c];
    g[3 + c] = g[3 + c] + vf_swap(crossed[c]);
  }
}

/* Stores forces on the atoms of a molecule. */
static inline void mixed_store_small(const vfloat total[MIXED_SITES], double *f, size_t stride) {
  for (size_t c = 0; c < 3; c++) {
    vreal oxygen[2], hydrogen[2];
    vf_widen(total[c], oxygen);
    vf_widen(total[3 + c], hydrogen);
    v_storeu(f + c * stride, oxygen[0] + oxygen[1]);
    for (size_t a = 0; a < 2; a++) v_storeu(f + (3 * a + 3 + c) * stride, hydrogen[a]);
  }
}

#endif
