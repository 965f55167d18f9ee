/* Pairs within a molecule do not interact.  Where the smooth part of their interaction is included elsewhere
 * (reciprocal space, a reaction field) it is subtracted here: energy -charges S(r2), forces along the bonds. */
#ifndef RILL_WATER_FORCES_EXCLUDED_H
#define RILL_WATER_FORCES_EXCLUDED_H

#include <stddef.h>

#include "base/exact_sum.h"
#include "water/forces/smooth.h"
#include "water/model/model.h"

enum { RILL_EXCLUDED_TERMS = 9 };

/* S by its Taylor series about the bonds of the model's charges: exact to rounding for |r2 - bond2| up to `trusted`;
 * beyond that S is evaluated directly. */
struct rill_excluded {
  int any, terms; /* of the series that are not 0: two of a reaction field */
  struct rill_smooth smooth;
  double trusted;
  double charges[RILL_BONDS], bond2[RILL_BONDS], series[RILL_BONDS][RILL_EXCLUDED_TERMS];
  double own;         /* energy of a molecule's charges in their own reaction fields */
  double site_weight; /* of the model: the first charge is at the site */
};

struct rill_excluded rill_excluded_create(const struct rill_water_model *model, const struct rill_smooth *smooth);

/* For whole molecules first ... last-1: adds to f and, unless it is NULL, to the energy. */
void rill_excluded_add(const struct rill_excluded *excluded, size_t stride, size_t first, size_t last,
                       const double *q, double *f, struct rill_exact_sum *energy);

#endif
