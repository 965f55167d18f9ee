/* Parameters of smooth particle-mesh Ewald from one requested accuracy. */
#ifndef RILL_WATER_PME_ACCURACY_H
#define RILL_WATER_PME_ACCURACY_H

#include "water/pme/pme.h"

/* Root mean square force of an atom in liquid TIP3P at 298 K, kJ/mol/nm, without constraint forces.  Errors of every
 * model are estimated relative to it; the forces of the others are up to 1.3 times as large (OPC), so that their
 * meshes are finer than they need be.  A run measures the error at its start (water_accuracy.h). */
extern const double rill_liquid_force;

/* Estimated root mean square errors of an atom's force, relative to rill_liquid_force.  The estimate assumes the
 * charge correlations of liquid water: there it is within a quarter of the measured errors, from 1e-2 to 1e-12.  In a
 * box that is less than three quarters full, molecules are assumed to be at the liquid's density, as in droplets,
 * slabs and films; for molecules that are far apart it is only a guide, which a measurement follows
 * (water/water_accuracy.h). */
struct rill_pme_expectation {
  double real; /* of cutting the real part */
  double mesh;
};

/* Whether this number of molecules fills at least three quarters of a box of that volume, nm3, with liquid. */
int rill_pme_is_filled(size_t molecules, double volume);

/* How the real part is cut: by the distance of atoms, or of molecules' oxygens. */
struct rill_pme_cut {
  double cutoff; /* nm */
  int by_molecules;
};

/* RILL_ERROR_INPUT as rill_pme_create for box and charges. */
enum rill_status rill_pme_expect(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                 struct rill_pme_cut cut, const struct rill_pme_parameters *parameters,
                                 struct rill_pme_expectation *expectation, struct rill_error *error);

/* Chooses the cheapest order and grid, of many molecules one that costs little more and has fewer points, which suits
 * ranks, or that which is wished for (wish may be NULL), whose estimated mesh error is
 * at most `accuracy` (up to 1e-2; a sixth more for a grid that is wished for, since a measurement decides), and a
 * beta for which the error of the real part is a fortieth of it when atoms are cut, at most a third when molecules
 * are cut. precision is copied.  RILL_ERROR_INPUT if the accuracy cannot be reached: it is outside the range or, with
 * a float mesh, below 2e-6, the cutoff is too short, or the grid too large; the message says what cutoff or box is
 * needed. */
enum rill_status rill_pme_choose(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                 struct rill_pme_cut cut, double accuracy, enum rill_mesh_precision precision,
                                 const struct rill_pme_wish *wish, struct rill_pme_parameters *parameters,
                                 struct rill_error *error);

#endif
