/* The forces of water, for any boundary: all pairs in vacuum, or those within a cutoff; or in a periodic box, real
 * space and the reciprocal part of an Ewald sum by a mesh. */
#ifndef RILL_WATER_WATER_FIELD_H
#define RILL_WATER_WATER_FIELD_H

#include <stdbool.h>

#include "water/forces/forces.h"
#include "water/forces/periodic.h"
#include "water/model/positions.h"
#include "water/pme/pme.h"

struct rill_field_options;
struct rill_field_energies;

/* Molecules whose forces are wanted, of all those at q, which are first moved by `shift`. */
struct rill_field_sample {
  struct rill_positions q;
  double shift[3];         /* nm */
  const size_t *molecules; /* [count], in ascending order; borrowed */
  size_t count;
};

/* Where a box is to be shared by ranks, its field is made, evaluated once and destroyed by all of them: f is
 * [count][9], and errors are those of rill_water_field_create and rill_water_field_evaluate. */
struct rill_field_elsewhere {
  enum rill_status (*evaluate)(void *context, const struct rill_field_options *options,
                               const struct rill_field_sample *sample, double *f,
                               struct rill_field_energies *energies, struct rill_error *error);
  void *context;
  struct rill_error fault; /* ranks cannot work together: not an error of the field */
};

struct rill_field_options {
  bool periodic;
  /* isa, threads and reference apply to the whole field.  In vacuum, unless it is open, all pairs are computed, and
   * only the precision is used. */
  struct rill_periodic_options box;
  struct rill_pme_parameters mesh;        /* of an Ewald sum; beta is in box */
  struct rill_pme_wish wish;              /* for the choice of the mesh (water_accuracy.h) */
  struct rill_field_elsewhere *elsewhere; /* for measuring its forces there; NULL: here */
  bool reference;
  enum rill_isa isa;
  int threads;
  struct rill_timers *timers; /* for the phases of an evaluation; borrowed, may be NULL */
};

struct rill_field_energies {
  double lj;      /* including the tail */
  double coulomb; /* total */
  double lj_tail;
  double virial[3][3];                     /* of molecules, including the tail; not computed in vacuum */
  double real, excluded, reciprocal, self; /* in a box: the terms of coulomb */
};

struct rill_water_field;

/* Errors as rill_water_forces_create, rill_periodic_create, rill_pme_create. */
enum rill_status rill_water_field_create(const struct rill_water_model *model, size_t molecules, size_t stride,
                                         const struct rill_field_options *options, struct rill_water_field **field,
                                         struct rill_error *error);

/* One that has a cell, a reach and a team, but no lists and no mesh: for a box, whose forces are not to be evaluated.
 */
enum rill_status rill_water_field_create_bare(const struct rill_water_model *model,
                                              const struct rill_field_options *options,
                                              struct rill_water_field **field, struct rill_error *error);

/* q, f: [9][stride]; energies may be NULL.  Errors as rill_periodic_evaluate; f is then NaN. */
enum rill_status rill_water_field_evaluate(struct rill_water_field *field, const double *q, double *f,
                                           struct rill_field_energies *energies, struct rill_error *error);

/* Forces, the same bytes, and energies->virial, the same bytes as well, in a box; the energies are NaN.  It costs
 * about six tenths of what the energies cost. */
enum rill_status rill_water_field_evaluate_virial(struct rill_water_field *field, const double *q, double *f,
                                                  struct rill_field_energies *energies, struct rill_error *error);

/* The mesh's part of an Ewald sum is slow: it varies over the length 1/beta.  All other forces are fast. */
enum rill_status rill_water_field_evaluate_part(struct rill_water_field *field, bool slow, const double *q, double *f,
                                                struct rill_error *error);

/* Whether there are slow forces. */
bool rill_water_field_divides(const struct rill_water_field *field);

/* In a box: how often lists were built, and their lengths; zeros in vacuum. */
struct rill_periodic_counts rill_water_field_counts(const struct rill_water_field *field);

/* Time spent in the phases of evaluations in a box, on the first thread; returns the number of phases, 0 in
 * vacuum. */
enum { RILL_FIELD_PHASES = RILL_PERIODIC_PHASES + RILL_PME_PHASES };
struct rill_field_phase {
  const char *part, *name; /* part: "" or "mesh "; name: of the phase */
  double seconds;
};
size_t rill_water_field_phases(const struct rill_water_field *field,
                               struct rill_field_phase phases[RILL_FIELD_PHASES]);

/* The cell, which all parts of the field read; owned here.  NULL in vacuum. */
const struct rill_cell *rill_water_field_cell(const struct rill_water_field *field);

/* Changes the cell; the mesh keeps its grid and beta.  Forces are then, to the byte, those of a field made with this
 * cell and this mesh.  Errors as rill_periodic_set_cell and rill_pme_set_box. */
enum rill_status rill_water_field_set_cell(struct rill_water_field *field, const double vectors[3][3],
                                           struct rill_error *error);

/* Where ranks share the box (options.box.ranks): as rill_periodic_place and its fellows, for the mesh as well. */
enum rill_status rill_water_field_place(struct rill_water_field *field, const double *q, bool *stale,
                                        struct rill_error *error);
int rill_water_field_owner(const struct rill_water_field *field, size_t molecule);
enum rill_status rill_water_field_set_molecules(struct rill_water_field *field, size_t molecules, const double *q,
                                                struct rill_error *error);

const struct rill_halo *rill_water_field_halo(const struct rill_water_field *field);
/* What the mesh of this rank has sent; zeros without one. */
struct rill_pme_traffic rill_water_field_traffic(const struct rill_water_field *field,
                                                 enum rill_pme_traffic_kind kind);
double rill_water_field_reach(const struct rill_water_field *field);

/* The threads of the forces, for use between evaluations; NULL: one thread. */
struct rill_team *rill_water_field_team(const struct rill_water_field *field);

void rill_water_field_destroy(struct rill_water_field *field);

#endif
