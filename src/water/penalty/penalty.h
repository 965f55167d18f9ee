/* The penalty that replaces the constraints in penalised water: U = (w^2/2) sum_c g_c^2, g_c = |r_c|^2 - d_c^2, for
 * the three bonds r_c of a molecule (Tao & Owhadi 2016, section 4.3).  Bonds and signs as in
 * water/constraints/rigid.h.
 *
 * With s_ic = -1 for a bond's first atom, +1 for its second, 0 for the third, a molecule's
 *   force     F_i = -2 w^2 sum_c s_ic g_c r_c
 *   Hessian   w^2 sum_c s_c s_c^T (x) (4 r_c r_c^T + 2 g_c I);  Gauss-Newton's omits 2 g_c I
 *   (a.V3.a)_i = w^2 sum_c s_ic (4 |d_c|^2 r_c + 8 (r_c.d_c) d_c),  d_c the bond of a are combinations of bonds, so
 *   that a linear solve with M + scale H takes one 3 x 3 system (Woodbury's identity). */
#ifndef RILL_WATER_PENALTY_PENALTY_H
#define RILL_WATER_PENALTY_PENALTY_H

#include <stddef.h>

#include "base/status.h"
#include "water/model/model.h"

struct rill_penalty {
  double stiffness2;       /* w^2, kJ/mol/nm4 */
  double d2[RILL_BONDS];   /* nm2 */
  double mass[RILL_ATOMS]; /* u */
  double inverse_mass[RILL_ATOMS];
};

/* stiffness: the papers' w, sqrt(kJ/mol)/nm2.  RILL_ERROR_INPUT if it is not positive and finite, or a mass is not
 * positive. */
enum rill_status rill_penalty_create(const struct rill_water_model *model, double stiffness,
                                     struct rill_penalty *penalty, struct rill_error *error);

/* kJ/mol, of molecules at q [9][stride]. */
double rill_penalty_energy(const struct rill_penalty *penalty, size_t molecules, size_t stride, const double *q);

/* The harmonic force constant of a bond at its length, 4 d^2 w^2, kJ/mol/nm2. */
double rill_penalty_bond_constant(const struct rill_penalty *penalty, int bond);

/* The largest angular frequency of a molecule's bonds, 1/ps: Verlet's method needs h below 2 / frequency. */
double rill_penalty_frequency(const struct rill_penalty *penalty);

#endif
