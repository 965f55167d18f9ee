/* The massless site M of four-site models, which has the oxygen's charge: M = (1 - 2a) r_O + a r_H1 + a r_H2 with
 * a = model->site_weight.
 *
 * M is no coordinate.  With C the linear map from the atoms to the charges (M, H1, H2), the energy of the atoms q is
 * U(C q), and the forces are C^T f with f those on the charges: the force on M is divided among O, H1 and H2 by the
 * same weights.  Since C is constant and linear, this holds for bonds that stretch too; the sums of forces, of
 * torques, and of r . f are the same for atoms and charges.
 *
 * Coordinates are laid out as in water/forces/forces.h, [9][stride]; those of the charges have M in place of O. */
#ifndef RILL_WATER_MODEL_SITE_H
#define RILL_WATER_MODEL_SITE_H

#include "water/model/model.h"

/* The charges as a three-site model of their own: their bonds, no Lennard-Jones interaction, and for masses the
 * weights by which the positions of M, H1 and H2 give the molecule's centre of mass.  (Those of the hydrogens may be
 * negative.)  A three-site model is returned as it is, with its Lennard-Jones interaction. */
struct rill_water_model rill_water_charges(const struct rill_water_model *model);

/* Charges of the atoms that give a molecule the same charge and dipole moment as those at M, H1 and H2, e. */
void rill_site_effective_charges(const struct rill_water_model *model, double charge[RILL_ATOMS]);

/* For molecules first ... last-1: the charges' positions of the atoms q. */
void rill_site_place(double weight, size_t stride, size_t first, size_t last, const double *q, double *charges);

/* Forces on charges to forces on atoms, in place. */
void rill_site_spread(double weight, size_t stride, size_t first, size_t last, double *f);

/* Adds forces on the charges, g, to those on the atoms, f. */
void rill_site_add(double weight, size_t stride, size_t first, size_t last, const double *g, double *f);

#endif
