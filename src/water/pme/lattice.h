/* Boxes as used by the Ewald sums; private to src/water/pme/. */
#ifndef RILL_WATER_PME_LATTICE_H
#define RILL_WATER_PME_LATTICE_H

#include "base/status.h"
#include "water/model/model.h"

struct rill_lattice {
  double box[3][3];     /* rows: the box vectors; lower triangular */
  double inverse[3][3]; /* columns: the reciprocal vectors (without 2 pi); lower triangular too */
  double volume;
};

/* RILL_ERROR_INPUT if the box is not lower triangular with a positive diagonal, or the molecule is not neutral. */
enum rill_status rill_lattice_find(const struct rill_water_model *model, const double box[3][3],
                                   struct rill_lattice *lattice, struct rill_error *error);

/* Subtracts the contribution of atoms' positions relative to their molecules' centres of mass from the atomic virial:
 * molecular = atomic - sum over atoms of (r - centre)_i f_j. */
void rill_virial_of_molecules(const struct rill_water_model *model, size_t molecules, size_t stride, const double *q,
                              const double *f, const double atomic[3][3], double molecular[3][3]);

#endif
