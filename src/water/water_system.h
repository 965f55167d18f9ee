/* Water, rigid or penalised, as a system of the waist: assembles model, forces, constraints, thermostat and confinement.
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

/* What rill_water_create puts into box.bond_tolerance: penalised bonds in a box may stretch by so much before the run
 * is stopped; 0 (the default) for rigid molecules. */
double rill_water_bond_tolerance(double stiffness);

/* The system owns copies of everything.  *system is filled in; release with system->ops->destroy(system->self). */
enum rill_status rill_water_create(const struct rill_water_options *options, struct rill_system *system,
                                   struct rill_error *error);

/* Maxwell velocities at a temperature, projected; noise of stream RILL_STREAM_VELOCITIES. */
enum rill_status rill_water_draw_velocities(struct rill_system *system, double temperature, uint64_t seed,
                                            struct rill_error *error);

/* Takes the total momentum, and the angular momentum about the centre of mass, off the velocities.  What was removed counts as
 * lost degrees of freedom unless noise puts it back.  RILL_REMOVE_AUTO:
 * what its summary says.  RILL_ERROR_INPUT for one molecule. */
enum rill_status rill_water_remove_momentum(struct rill_system *system, enum rill_momentum_removal removal,
                                            struct rill_error *error);

/* Unwrapped positions, and velocities: [molecules][3][3], either may be NULL.  They are the state: of the Zhang-Skeel family
 * x, while the physical positions are q = x + beta h^2 a. */
void rill_water_copy_state(const struct rill_system *system, double *positions, double *velocities);

/* Unwrapped physical positions: [molecules][3][3].  They may take an evaluation of the forces. */
void rill_water_copy_positions(const struct rill_system *system, double *positions);

/* The multipliers of the bonds' constraints, F = Dg^T lambda with g = |r|^2 - d^2: [molecules][3], kJ/mol/nm2.
 * Rigid water: of the present state, (Dg M^-1 Dg^T) lambda = -Dg M^-1 F - v.D2g.v, in both.  Penalised water: the estimators
 * at_x = -w^2 g(x) and at_q = -w^2 (g(x) + beta h^2 Dg(x) a) (Tao & Owhadi 2016, (1.8)); where w h is not small only the
 * second one's averages converge to the multipliers.  Either may be NULL. */
void rill_water_multipliers(const struct rill_system *system, double *at_x, double *at_q);

/* Forces on the atoms at the present positions (x), without those of constraints: [molecules][3][3], kJ/mol/nm.  The errors of
 * their evaluation. */
enum rill_status rill_water_copy_forces(const struct rill_system *system, double *forces, struct rill_error *error);

/* Puts positions and velocities in (the inverse of copy; the same shapes), as they are. */
void rill_water_set_state(struct rill_system *system, const double *positions, const double *velocities);

/* Where the time of its forces went: rill_water_field_phases. */
size_t rill_water_phases(const struct rill_system *system, struct rill_field_phase phases[RILL_FIELD_PHASES]);
/* Of the neighbour lists in a box; zeros in vacuum. */
void rill_water_list_counts(const struct rill_system *system, struct rill_periodic_counts *counts);

size_t rill_water_molecules(const struct rill_system *system);

#endif
