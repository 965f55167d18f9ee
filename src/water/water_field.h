/* The forces of water, whatever its boundary: all pairs in vacuum, or those within a cutoff; or in a periodic box, real
 * space with the mesh's part of an Ewald sum. */
#ifndef RILL_WATER_WATER_FIELD_H
#define RILL_WATER_WATER_FIELD_H

#include <stdbool.h>

#include "water/forces/forces.h"
#include "water/forces/periodic.h"
#include "water/pme/pme.h"

struct rill_field_options {
  bool periodic;
  /* isa, threads and reference are the field's.  In vacuum, unless it is open, all pairs are taken, and of this the
   * precision counts alone. */
  struct rill_periodic_options box;
  struct rill_pme_parameters mesh;  /* of an Ewald sum; beta is the box's */
  bool reference;
  enum rill_isa isa;
  int threads;
  struct rill_timers *timers; /* for what an evaluation is made of; borrowed, may be NULL */
};

struct rill_field_energies {
  double lj;      /* with the tail */
  double coulomb; /* all of it */
  double lj_tail;
  double virial[3][3]; /* of molecules, with the tail; in vacuum not found */
  double real, excluded, reciprocal, self; /* of a box: what coulomb is the sum of */
};

struct rill_water_field;

/* Errors as rill_water_forces_create, rill_periodic_create, rill_pme_create. */
enum rill_status rill_water_field_create(const struct rill_water_model *model, size_t molecules, size_t stride,
                                         const struct rill_field_options *options, struct rill_water_field **field,
                                         struct rill_error *error);

/* q, f: [9][stride]; energies may be NULL.  Errors as rill_periodic_evaluate; f is then NaN. */
enum rill_status rill_water_field_evaluate(struct rill_water_field *field, const double *q, double *f,
                                           struct rill_field_energies *energies, struct rill_error *error);

/* The mesh's part of an Ewald sum is slow: it varies over the length 1/beta.  All else is fast. */
enum rill_status rill_water_field_evaluate_part(struct rill_water_field *field, bool slow, const double *q, double *f,
                                                struct rill_error *error);

/* Whether there are slow forces. */
bool rill_water_field_divides(const struct rill_water_field *field);

/* Of a box: how often lists were made, and how long they are; zeros in vacuum. */
struct rill_periodic_counts rill_water_field_counts(const struct rill_water_field *field);

/* Where the time of evaluations in a box went, on the first thread; returns how many phases there are, 0 in vacuum. */
enum { RILL_FIELD_PHASES = RILL_PERIODIC_PHASES + RILL_PME_PHASES };
struct rill_field_phase {
  const char *part, *name; /* "" or "mesh "; of the phase */
  double seconds;
};
size_t rill_water_field_phases(const struct rill_water_field *field, struct rill_field_phase phases[RILL_FIELD_PHASES]);

/* nm3; infinity in vacuum. */
double rill_water_field_volume(const struct rill_water_field *field);

/* The threads of the forces, for use between evaluations; NULL: one. */
struct rill_team *rill_water_field_team(const struct rill_water_field *field);

void rill_water_field_destroy(struct rill_water_field *field);

#endif
