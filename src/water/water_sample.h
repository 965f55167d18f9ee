/* What properties of the liquid are computed from: quantities of molecules as a whole, of the present state. */
#ifndef RILL_WATER_WATER_SAMPLE_H
#define RILL_WATER_WATER_SAMPLE_H

#include "mech/system.h"

/* Arrays: [3][molecules], filled unless NULL. */
struct rill_water_sample {
  double *centre;   /* of mass, nm, in any image */
  double *velocity; /* of the centre of mass, relative to the mean of all molecules, nm/ps */
  double *axis;     /* unit vectors along the dipoles */
};

/* charge: of the atoms, e, those of a fourth site divided among them.  Computes no forces. */
void rill_water_sample_molecules(const struct rill_system *system, const double charge[3],
                                 struct rill_water_sample *sample);
/* The dipole of all molecules, e nm. */
void rill_water_total_dipole(const struct rill_system *system, const double charge[3], double dipole[3]);
/* Kinetic energy of the velocities at the end of the step, kJ/mol. */
double rill_water_kinetic_energy(const struct rill_system *system);

/* Potential energy, kJ/mol, unless NULL, and the molecular pressure tensor of a box, kJ/mol/nm3, symmetrised; costs
 * little where the last kick knew that they are wanted (rill_integrator_want), else an evaluation of the forces.
 * Errors as in that. */
enum rill_status rill_water_sample_forces(const struct rill_system *system, double *potential, double pressure[3][3],
                                          struct rill_error *error);

#endif
