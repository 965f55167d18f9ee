/* Lennard-Jones between oxygens with a cutoff: c12/r12 - c6/r6, truncated, shifted to zero at the cutoff, or with the
 * force switched off smoothly from a given radius; and corrections for what the cutoff omits in a liquid of uniform
 * density. */
#ifndef RILL_WATER_FORCES_LENNARD_JONES_H
#define RILL_WATER_FORCES_LENNARD_JONES_H

#include "base/choices.h"
#include "water/model/model.h"

/* Within the cutoff V = c12/r12 - c6/r6 - constant, and beyond `from`, with d = r - from:
 *   force gains  quadratic d2 + cubic d3,  V loses  quadratic/3 d3 + cubic/4 d4. */
struct rill_lennard_jones {
  double c12, c6, cutoff, from, quadratic, cubic, constant;
};

/* from: where the switch begins, below the cutoff; ignored by the other kinds. */
struct rill_lennard_jones rill_lennard_jones_create(const struct rill_water_model *model, enum rill_lj_kind kind,
                                                    double cutoff, double from);

/* Returns the energy, and *force_over_r, at a distance below the cutoff. */
double rill_lennard_jones_at(const struct rill_lennard_jones *lj, double r, double *force_over_r);

/* The part of the whole potential that the cutoff, the shift and the switch omit, with g(r) = 1 outside `from` (or
 * the cutoff) and the constant within: the energy of N molecules in a volume, and their virial (trace), kJ/mol; the
 * pressure is virial / 3V. */
void rill_lennard_jones_tail(const struct rill_lennard_jones *lj, double molecules, double volume, double *energy,
                             double *virial);

#endif
