/* A rigid water model as forces and constraints use it: charges, masses, lengths; and the geometry of molecules. */
#ifndef RILL_WATER_MODEL_MODEL_H
#define RILL_WATER_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "water/model/species.h"

/* Atoms are O, H1, H2. */
enum { RILL_ATOMS = 3, RILL_BONDS = 3, RILL_COORDINATES = 9 };

/* The first and the second atom of each bond (constraint). */
static const size_t rill_bond_ends[RILL_BONDS][2] = {{0, 1}, {0, 2}, {1, 2}};

struct rill_water_model {
  char name[32];
  double coulomb_constant;   /* kJ mol-1 nm e-2 */
  double mass[RILL_ATOMS];   /* u */
  double charge[RILL_ATOMS]; /* e; the first is that of the oxygen, or of M */
  double bond[RILL_BONDS];   /* nm */
  double c12, c6;            /* kJ nm12/mol, kJ nm6/mol; between oxygens: c12/r12 - c6/r6 */
  double site_weight; /* a: the charge of the oxygen stands at M = (1 - 2a) r_O + a r_H1 + a r_H2; 0: at the oxygen */
};

/* The model with these numbers.  coulomb_constant 0: CODATA 2018's. */
struct rill_water_model rill_water_model_make(const struct rill_water_species *species, double coulomb_constant);

/* The same.  RILL_ERROR_INPUT for a molecule that cannot be. */
enum rill_status rill_water_model_of(const struct rill_water_species *species, double coulomb_constant,
                                     struct rill_water_model *model, struct rill_error *error);

/* The model of this name, one of the table (species.h); NULL: the default.  RILL_ERROR_INPUT for another name. */
enum rill_status rill_water_model_find(const char *name, double coulomb_constant, struct rill_water_model *model,
                                       struct rill_error *error);

/* The angle H-O-H, degrees; the dipole moment, e nm; the principal moments of inertia, u nm2, in increasing order.
 * Both hydrogens are at the same distance from the oxygen, and have the same charge and mass. */
double rill_water_angle(const struct rill_water_model *model);
double rill_water_dipole(const struct rill_water_model *model);
void rill_water_inertia(const struct rill_water_model *model, double moment[3]);

/* Returns the largest |d - d0| / d0 over bonds and molecules of positions [molecules][3][3] nm, or NaN; *worst (may
 * be NULL) is set to the molecule. */
double rill_water_deviation(const struct rill_water_model *model, const double *positions, size_t molecules,
                            size_t *worst);

/* The first model of the table with the geometry that is nearest to that of the positions, by the above deviation
 * from it (*deviation, *worst).  Others may have the same: rill_water_same_geometry. */
const struct rill_water_species *rill_water_nearest_geometry(const double *positions, size_t molecules,
                                                             double *deviation, size_t *worst);
bool rill_water_same_geometry(const struct rill_water_species *a, const struct rill_water_species *b);

/* The names of the models with the geometry of this one, "spc, spce", written to text [size]; returns text. */
const char *rill_water_geometry_names(const struct rill_water_species *species, char *text, size_t size);

/* Restores each molecule to the model's geometry: hydrogens move; oxygen, bisector and plane are kept.
 * RILL_ERROR_INPUT names the first molecule whose hydrogens do not define a plane. */
enum rill_status rill_water_rigidify(const struct rill_water_model *model, double *positions, size_t molecules,
                                     struct rill_error *error);

#endif
