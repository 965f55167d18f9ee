/* The forces and energies of a water system at its positions, or at others. */
#ifndef RILL_WATER_WATER_EVALUATE_H
#define RILL_WATER_WATER_EVALUATE_H

#include "water/water_state.h"

/* Computes forces at q if they are stale, or energies are requested.  If that fails, they are NaN, and field_fault
 * says why. */
void rill_water_evaluate(struct rill_water *water, struct rill_field_energies *energies);

/* Evaluates the field at positions that may differ from q, and records whether it failed. */
void rill_water_evaluate_at(struct rill_water *water, const double *q, double *f,
                            struct rill_field_energies *energies);

/* For a kick with these flags: forces; with RILL_FLOW_ENERGY energies, virial and `soft`, with RILL_FLOW_VIRIAL the
 * virial alone, unless they are known. */
void rill_water_evaluate_for(struct rill_water *water, unsigned flags);

/* Fast or slow forces at q, in *f, which the system owns. */
enum rill_status rill_water_evaluate_part(struct rill_water *water, int slow, const double **f,
                                          struct rill_error *error);

/* Returns the field's error, if there was one. */
enum rill_status rill_water_field_failed(const struct rill_water *water, struct rill_error *error);

/* Energies at positions that may differ from q in penalised water; those of rill_water_add_outside are stored. */
void rill_water_energies_at(struct rill_water *water, const double *q, struct rill_field_energies *energies);

/* Adds the forces of the wall and of external fields at q to f, and stores their energies; over ranks these are known
 * where they are wanted, on all ranks. */
void rill_water_add_outside(struct rill_water *water, const double *q, double *f, bool wanted);
static inline double rill_water_outside_energy(const struct rill_water *water) {
  return water->confine_energy + water->external_energy;
}

#endif
