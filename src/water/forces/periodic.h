/* Forces of rigid water in a periodic box, or in an open cluster with a cutoff, in real space: Lennard-Jones between
 * oxygens and Coulomb between charges within a cutoff.  The reciprocal part of an Ewald sum (with the self energy) is
 * computed elsewhere; the correction for pairs within a molecule is computed here.  In a four-site model the oxygen's
 * charge is at the site M (water/model/site.h); "by molecules" means by oxygens all the same.
 *
 * Coordinates are laid out as in water/forces/forces.h, unwrapped or wrapped; molecules need not be whole.  Energies
 * in kJ/mol, forces in kJ/mol/nm, lengths in nm.
 *
 * Forces and energies are functions of the positions alone: they depend neither on the number of threads nor on when
 * lists were built. */
#ifndef RILL_WATER_FORCES_PERIODIC_H
#define RILL_WATER_FORCES_PERIODIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/team.h"
#include "water/cell.h"
#include "water/domain/halo.h"
#include "water/forces/energies.h"
#include "water/forces/periodic_options.h"
#include "water/help.h"
#include "water/model/model.h"

struct rill_periodic_counts {
  uint64_t evaluations, builds, prunes, rescaled;
  size_t images;
  double buffer, inner_buffer; /* nm */
  double outer, inner;         /* average list length of a molecule, each pair once, with padding */
  size_t bytes;
};

/* Time spent in the phases of evaluations, on the first thread. */
enum rill_periodic_phase {
  RILL_PERIODIC_LISTS, /* building, pruning and checking neighbour lists */
  RILL_PERIODIC_PAIRS,
  RILL_PERIODIC_MOVING, /* packing positions into records, unpacking forces, making molecules whole */
  RILL_PERIODIC_PHASES
};

struct rill_periodic;

/* Errors: RILL_ERROR_INPUT for sizes, a bad box, a cutoff that is too long for the box; RILL_ERROR_UNSUPPORTED for an
 * isa that this machine lacks, or an Ewald parameter too large for the polynomials. */
enum rill_status rill_periodic_create(const struct rill_water_model *model, size_t molecules, size_t stride,
                                      const struct rill_periodic_options *options, struct rill_periodic **periodic,
                                      struct rill_error *error);

/* q: [9][stride], in; f: [9][stride], out (overwritten; 0 beyond the molecules).  energies may be NULL, which is
 * faster; the forces are the same bytes.  RILL_ERROR_NOT_FINITE if a position is not finite, RILL_ERROR_INPUT if a
 * molecule is far from its shape. */
enum rill_status rill_periodic_evaluate(struct rill_periodic *periodic, const double *q, double *f,
                                        struct rill_periodic_energies *energies, struct rill_error *error);

/* The same, with what is wanted besides (the virial alone: energies are NaN; the virial is the same bytes), and with
 * other work on the same positions done beside it.  The calling thread does `work`, which
 * should take no more than its share of the total, before it joins the others, who do not wait for it.  Where `help`
 * is given, `work` only prepares it, before all else: then all threads call `help` between pieces of their own work,
 * until it returns RILL_HELP_OVER; first: this is the calling thread, which alone may send messages.  Then `finish`
 * adds to the forces of molecules first ... last-1, which are in the cache of the thread `part` that calls it; first
 * is a multiple of RILL_LANES.  Each may be NULL. */
struct rill_beside {
  void (*work)(void *context);
  enum rill_help (*help)(void *context, bool first);
  void (*finish)(void *context, size_t part, size_t first, size_t last);
  void *context;
};
enum rill_status rill_periodic_evaluate_beside(struct rill_periodic *periodic, const double *q, double *f,
                                               enum rill_wanted wanted, struct rill_periodic_energies *energies,
                                               struct rill_beside beside, struct rill_error *error);

/* [molecules]: a permutation into spatial order, from when the lists were last built; NULL before that, and with the
 * plain loops. */
const uint32_t *rill_periodic_places(const struct rill_periodic *periodic);

/* Seconds since creation, by phase; for the vector kernels only. */
const double *rill_periodic_seconds(const struct rill_periodic *periodic);
const char *rill_periodic_phase_name(enum rill_periodic_phase phase);

/* The threads of evaluations, for use by others between them; owned here. */
struct rill_team *rill_periodic_team(const struct rill_periodic *periodic);

/* The cell, owned here; NULL for an open cluster. */
const struct rill_cell *rill_periodic_cell(const struct rill_periodic *periodic);

/* Changes the cell; forces are then, to the byte, those of a system made with it.  Positions are the caller's to
 * move.  RILL_ERROR_INPUT for a bad cell, or one that is too small for the cutoff: nothing has changed then. */
enum rill_status rill_periodic_set_cell(struct rill_periodic *periodic, const double vectors[3][3],
                                        struct rill_error *error);

/* ---- where ranks share the box ----
 *
 * `molecules` is then the number of columns that there is room for; none is used at first. */

/* Takes the positions of this rank's molecules, q [9][stride], for the evaluation that follows.  *stale: the lists no
 * longer hold all pairs, or there are none; when that is so on any rank, molecules must move to the ranks that own
 * them, and set_molecules be called on all, before the evaluation.  RILL_ERROR_NOT_FINITE, on this rank. */
enum rill_status rill_periodic_place(struct rill_periodic *periodic, const double *q, bool *stale,
                                     struct rill_error *error);
/* The rank that owns a molecule, by the last place. */
int rill_periodic_owner(const struct rill_periodic *periodic, size_t molecule);
/* This rank now has so many molecules, to be placed again; lists are built by the next evaluation. */
enum rill_status rill_periodic_set_molecules(struct rill_periodic *periodic, size_t molecules, const double *q,
                                             struct rill_error *error);
/* How far lists reach, nm; 0 with the plain loops. */
double rill_periodic_reach(const struct rill_periodic *periodic);
/* How far atoms may be beyond the brick of their rank, nm: half of the lists' buffer, and the longest bond that is
 * accepted. */
double rill_periodic_margin(const struct rill_periodic *periodic);
/* The halo; NULL when alone. */
const struct rill_halo *rill_periodic_halo(const struct rill_periodic *periodic);

struct rill_periodic_counts rill_periodic_counts(const struct rill_periodic *periodic);
/* Pairs of molecules on the inner lists, without padding; 0 with the plain loops. */
uint64_t rill_periodic_pairs(const struct rill_periodic *periodic);
void rill_periodic_destroy(struct rill_periodic *periodic);

#endif
