/* Water, rigid or penalised, as a system: combines model, forces, constraints, thermostat and confinement.
 *
 * Offers the flow capability: constrained drift, kick and Ornstein-Uhlenbeck flow.  Units: nm, ps, u, kJ/mol, K. */
#ifndef RILL_WATER_WATER_SYSTEM_H
#define RILL_WATER_WATER_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mech/system.h"
#include "water/water_field.h"
#include "water/water_options.h"

/* The value of box.bond_tolerance that rill_water_create uses: in a box, penalised bonds may stretch by this fraction
 * before the run is stopped; 0 (the default) for rigid molecules. */
double rill_water_bond_tolerance(double stiffness);

/* Creates the system, which owns copies of everything, in *system; release it with
 * system->ops->destroy(system->self). */
enum rill_status rill_water_create(const struct rill_water_options *options, struct rill_system *system,
                                   struct rill_error *error);

/* Draws Maxwell velocities at a temperature, projected; from the noise stream RILL_STREAM_VELOCITIES. */
enum rill_status rill_water_draw_velocities(struct rill_system *system, double temperature, uint64_t seed,
                                            struct rill_error *error);

/* Removes the total momentum, and the angular momentum about the centre of mass, from the velocities.  They count as
 * lost degrees of freedom unless noise restores them.  RILL_REMOVE_AUTO: as its summary says.  RILL_ERROR_INPUT for
 * one molecule. */
enum rill_status rill_water_remove_momentum(struct rill_system *system, enum rill_momentum_removal removal,
                                            struct rill_error *error);

/* Unwrapped positions, and velocities: [molecules][3][3], either may be NULL.  They are the state: for the
 * Zhang-Skeel family x, while the physical positions are q = x + beta h^2 a. */
void rill_water_copy_state(const struct rill_system *system, double *positions, double *velocities);

/* Unwrapped physical positions: [molecules][3][3].  Computing them may evaluate the forces. */
void rill_water_copy_positions(const struct rill_system *system, double *positions);

/* The multipliers of the bonds' constraints, F = Dg^T lambda with g = |r|^2 - d^2: [molecules][3], kJ/mol/nm2. Rigid
 * water: from the present state, (Dg M^-1 Dg^T) lambda = -Dg M^-1 F - v.D2g.v, in both.  Penalised water: the
 * estimators at_x = -w^2 g(x) and at_q = -w^2 (g(x) + beta h^2 Dg(x) a) (Tao & Owhadi 2016, (1.8)); where w h is not
 * small only the second one's averages converge to the multipliers.  Either may be NULL. */
void rill_water_multipliers(const struct rill_system *system, double *at_x, double *at_q);

/* The same of one molecule, from 0, [3] each; where ranks share the box as well: NaN when they are lost. */
void rill_water_multipliers_of(const struct rill_system *system, size_t molecule, double at_x[RILL_BONDS],
                               double at_q[RILL_BONDS]);

/* Forces on the atoms at the present positions (x), without constraint forces: [molecules][3][3], kJ/mol/nm.  Errors
 * as in their evaluation. */
enum rill_status rill_water_copy_forces(const struct rill_system *system, double *forces, struct rill_error *error);

/* On rank 0 of those that share a box, for a system that was just created: hands out molecules, with velocities or,
 * where these are NULL, at rest, as rill_water_create has them on one process. */
enum rill_status rill_water_place(struct rill_system *system, const double *positions, const double *velocities,
                                  struct rill_error *error);

/* Sets positions and velocities (the inverse of copy; the same shapes), without projection. */
void rill_water_set_state(struct rill_system *system, const double *positions, const double *velocities);

/* Time spent in the phases of the forces: rill_water_field_phases. */
size_t rill_water_phases(const struct rill_system *system, struct rill_field_phase phases[RILL_FIELD_PHASES]);
/* Counts of the neighbour lists in a box; zeros in vacuum. */
void rill_water_list_counts(const struct rill_system *system, struct rill_periodic_counts *counts);

/* Which part of the shared work other threads than the caller's have done since the last call: rill_team_helped. */
double rill_water_helped(const struct rill_system *system);

/* The present cell, owned by the system; NULL in vacuum. */
const struct rill_cell *rill_water_cell(const struct rill_system *system);

/* Sets the cell, without moving molecules; the mesh keeps its grid and beta.  Errors as rill_water_field_set_cell. */
enum rill_status rill_water_set_cell(struct rill_system *system, const double vectors[3][3],
                                     struct rill_error *error);

/* How far the neighbour lists of a box reach, nm. */
double rill_water_reach(const struct rill_system *system);

/* Of the whole box, where ranks share it. */
size_t rill_water_molecules(const struct rill_system *system);

#endif
