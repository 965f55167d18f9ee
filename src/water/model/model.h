/* The rigid three-site water model: parameters, geometry, and restoring a molecule to its geometry. */
#ifndef RILL_WATER_MODEL_MODEL_H
#define RILL_WATER_MODEL_MODEL_H

#include <stddef.h>

#include "base/status.h"

/* Atoms are O, H1, H2; bonds (constraints) are 0: O-H1, 1: O-H2, 2: H1-H2. */
enum { RILL_ATOMS = 3, RILL_BONDS = 3, RILL_COORDINATES = 9 };

struct rill_water_model {
  char name[32];
  double coulomb_constant;   /* kJ mol-1 nm e-2 */
  double mass[RILL_ATOMS];   /* u */
  double charge[RILL_ATOMS]; /* e */
  double bond[RILL_BONDS];   /* nm */
  double c12, c6;            /* kJ nm12/mol, kJ nm6/mol; between oxygens: c12/r12 - c6/r6 */
};

/* name: "tip3p" or "tip3p-ac"; coulomb_constant 0: CODATA 2018's.  RILL_ERROR_INPUT for another name. */
enum rill_status rill_water_model_find(const char *name, double coulomb_constant, struct rill_water_model *model,
                                       struct rill_error *error);

/* Returns the largest |d - d0| / d0 over bonds and molecules of positions [molecules][3][3] nm, or NaN; *worst (may
 * be NULL) is set to the molecule. */
double rill_water_deviation(const struct rill_water_model *model, const double *positions, size_t molecules,
                            size_t *worst);

/* Restores each molecule to the model's geometry: hydrogens move; oxygen, bisector and plane are kept.
 * RILL_ERROR_INPUT names the first molecule whose hydrogens do not define a plane. */
enum rill_status rill_water_rigidify(const struct rill_water_model *model, double *positions, size_t molecules,
                                     struct rill_error *error);

#endif
