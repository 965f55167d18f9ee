/* Forces of rigid water in vacuum: all pairs of molecules, Coulomb between the three charges and Lennard-Jones
 * between oxygens, in double or mixed precision.  In a four-site model the oxygen's charge is at the site M
 * (water/model/site.h), and q and f are still those of the atoms.
 *
 * Coordinates are structure-of-arrays: component c (x, y, z) of atom a of molecule m is at data[(3 * a + c) * stride
 * + m].  Energies in kJ/mol, forces in kJ/mol/nm, lengths in nm. */
#ifndef RILL_WATER_FORCES_FORCES_H
#define RILL_WATER_FORCES_FORCES_H

#include <stddef.h>

#include "base/choices.h"
#include "base/cpu.h"
#include "base/status.h"
#include "base/team.h"
#include "base/timers.h"
#include "water/forces/energies.h"
#include "water/model/model.h"

struct rill_water_forces;

/* `reference` selects the plain loops, whatever the isa.  stride: a multiple of RILL_LANES.  threads: an upper limit;
 * forces are the same bytes for any number.  All workspace is allocated here.  Errors: RILL_ERROR_INPUT for sizes,
 * RILL_ERROR_UNSUPPORTED for an isa that this machine lacks or hydrogens of unequal charge; RILL_ERROR_MEMORY. */
enum rill_status rill_water_forces_create(const struct rill_water_model *model, size_t molecules, size_t stride,
                                          int reference, enum rill_isa isa, int threads,
                                          struct rill_water_forces **forces, struct rill_error *error);

/* The same in mixed precision: pairs in single precision, in the frame of one of the two molecules, and their sums in
 * double.  Errors of forces are about 1e-6 of the largest force.  Small systems, of no more molecules than a vector
 * of doubles has lanes, are computed in double precision, which is as fast. */
enum rill_status rill_water_forces_create_mixed(const struct rill_water_model *model, size_t molecules, size_t stride,
                                                enum rill_isa isa, int threads, struct rill_water_forces **forces,
                                                struct rill_error *error);

/* q: [9][stride] positions, in; columns >= molecules are ignored.  f: [9][stride] forces, out (overwritten); columns
 * >= molecules: 0.  energies may be NULL (which is faster); the forces are the same bytes either way.  Forces are not
 * finite if a position is not, or if two molecules coincide. */
void rill_water_forces_evaluate(struct rill_water_forces *forces, const double *q, double *f,
                                struct rill_water_energies *energies);

/* Timers for the phases of an evaluation; borrowed, may be NULL. */
void rill_water_forces_time(struct rill_water_forces *forces, struct rill_timers *timers);

/* The threads that share the work, for use by others between evaluations; NULL: one thread. */
struct rill_team *rill_water_forces_team(const struct rill_water_forces *forces);

void rill_water_forces_destroy(struct rill_water_forces *forces);

#endif
