/* Parameters of smooth particle-mesh Ewald from one requested accuracy. */
#ifndef RILL_WATER_PME_ACCURACY_H
#define RILL_WATER_PME_ACCURACY_H

#include "water/pme/pme.h"

/* Root mean square errors of the force that are expected, relative to the root mean square force of an atom in liquid
 * water near 300 K, whose charge correlations they use: within a quarter of what is measured, from 1e-2 to 1e-12. */
struct rill_pme_expectation {
  double real;    /* from cutting the real part by atoms; a cutoff by molecules errs about 4 times more */
  double mesh;
};

/* RILL_ERROR_INPUT as rill_pme_create for box and charges. */
enum rill_status rill_pme_expect(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                 double cutoff, const struct rill_pme_parameters *parameters,
                                 struct rill_pme_expectation *expectation, struct rill_error *error);

/* The cheapest order and grid whose expected mesh error is at most `accuracy` (1e-2 to 1e-10), and the beta whose
 * real part errs a twelfth of it at the cutoff, so that a cutoff by molecules stays below a third.  precision is
 * taken over. RILL_ERROR_INPUT when the accuracy cannot be had: outside the range, a float mesh below 2e-6, a beta or
 * a grid too large. */
enum rill_status rill_pme_choose(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                 double cutoff, double accuracy, enum rill_mesh_precision precision,
                                 struct rill_pme_parameters *parameters, struct rill_error *error);

#endif
