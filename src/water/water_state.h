/* The state of a water system, shared by its files; private to src/water/. */
#ifndef RILL_WATER_WATER_STATE_H
#define RILL_WATER_WATER_STATE_H

#include "mech/system.h"
#include "water/bodies/bodies.h"
#include "water/flows/flows.h"
#include "water/forces/wall.h"
#include "water/water_field.h"
#include "water/penalty/penalty.h"
#include "water/water_options.h"

/* At constant pressure: the mesh in use, and the volume for which it was chosen. */
struct rill_water_plan {
  struct rill_pme_parameters mesh;
  double volume; /* nm3 */
};
struct rill_water_pressure {
  struct rill_water_plan plan;
  struct rill_cell_moves moves;
  struct rill_noise noise;
  double *q, *f;   /* [9][stride] after a proposed move */
  double *centres; /* [3][stride] of bodies, before it */
};

/* Penalised water: the kick's acceleration and what it was computed with; valid for the system's q while `filtered`.
 * The arrays are NULL for other water. */
struct rill_water_stiff {
  struct rill_penalty penalty;
  bool filtered;
  bool recalled;             /* was `filtered` in its checkpoint: to be recomputed, uncounted */
  struct rill_filter filter; /* of the last kick; identity before the first */
  double scale;              /* beta h^2 */
  double *a;                 /* [9][stride] */
  double *physical;          /* [9][stride] q + beta h^2 a; scratch */
  double *newmark;           /* [9][stride] one-step Newmark's acceleration; the first is NaN if there is none */
  double *scratch;           /* [9][stride] */
  struct rill_pushforward *pushforward; /* the nonlinear solver of that filter; created at its first kick */
};

/* The implicit capability; its arrays are allocated when a method begins to use it. */
struct rill_water_implicit {
  struct rill_implicit capability;
  struct rill_implicit_report report;
  double *masses;          /* [9][stride] */
  double *derivative_work; /* [18][stride] of clusters of a model with a site; else NULL */
};

/* Molecules as rigid bodies: the state is in `block`, in `columns` by name; the atoms' q is updated in each drift, v
 * when it is needed. */
struct rill_water_bodies {
  bool velocities_behind;
  double *block;                /* [RILL_BODY_ROWS][stride]; NULL for other water */
  double inert[RILL_BODY_ROWS]; /* a column beyond the molecules, at the start */
  bool inert_known;
  struct rill_bodies columns;
  struct rill_body molecule;
  const struct rill_body_table *flows;
  struct rill_body_ou ou;
};

struct rill_domain;

struct rill_water_snapshot {
  double *q, *v; /* [9][stride] */
  double *newmark;
  double *bodies; /* [RILL_BODY_ROWS][stride], for rigid bodies, from which q and v are computed */
  double offset[3];
  double supplied;
  double cell[3][3]; /* at constant pressure, like the next two */
  struct rill_water_plan plan;
  struct rill_cell_moves cell_moves;
};

struct rill_water {
  struct rill_water_options options; /* without positions and velocities */
  bool penalised, of_bodies;         /* neither: bonds are constraints */
  size_t molecules, stride;
  double *q, *v, *f;   /* [9][stride]; columns beyond the molecules are inert */
  double offset[3];    /* unwrapped position = q + offset */
  bool fresh;          /* f belongs to q */
  bool energies_known; /* with f: the next two belong to q */
  bool virial_known;   /* of the energies; it may be known without the others */
  struct rill_field_energies energies;
  double soft;     /* potential energy without that of stiff bonds */
  double *part[2]; /* [9][stride] fast and slow forces; allocated at the first kick by one */
  bool part_fresh[2];
  double confine_energy, external_energy;
  struct rill_water_field *field;
  struct rill_field_options field_options; /* with the cell of its creation */
  enum rill_status field_status;           /* of the last evaluation */
  char *field_fault;                       /* its message when it failed; owned */
  struct rill_rigid rigid;
  const struct rill_water_flow_table *flows;
  struct rill_drift_result *results; /* [threads] of a flow */
  unsigned iterations;               /* of the position solver, in the last step */

  struct rill_ou ou;
  double ou_temperature, ou_step; /* for which ou was computed */
  double temperature;             /* of the bath, at the current step */
  struct rill_noise rescale_noise;
  double supplied; /* kJ/mol: by the bath that scales velocities, and by moves of the cell beside it */
  double temperature_half, temperature_half_translation, temperature_half_rotation;
  double removed_linear, removed_angular; /* degrees of freedom: 0 or 3 */
  struct rill_trials trials;
  struct rill_noise trial_noise;

  struct rill_water_pressure pressure;
  struct rill_water_stiff stiff;
  struct rill_water_bodies body;
  struct rill_water_implicit implicit;
  struct rill_water_snapshot saved;
  struct rill_domain *domain; /* where ranks share the box: `molecules` are then those of this one; else NULL */
};

/* Positions changed: evaluated quantities are stale. */
static inline void rill_water_moved(struct rill_water *water) {
  water->fresh = water->stiff.filtered = water->stiff.recalled = false;
  water->part_fresh[0] = water->part_fresh[1] = false;
}

/* Before every step with such a number, a cluster whose centre is more than 0.5 nm from the origin along an axis is
 * brought back, by multiples of 2^-10 nm: floating-point numbers are finest there.  Returns false if it need not be.
 */
enum { RILL_WATER_RECENTRED = 256 };
bool rill_water_find_shift(const double centre[3], double shift[3]);

/* A coordinate of an atom of a molecule, in x[9][stride]. */
static inline double rill_water_coordinate(const struct rill_water *water, const double *x, size_t molecule,
                                           size_t atom, size_t c) {
  return x[(3 * atom + c) * water->stride + molecule];
}

static inline double rill_water_mass(const struct rill_water_model *model) {
  return model->mass[0] + model->mass[1] + model->mass[2];
}
double rill_water_whole_mass(const struct rill_water *water);

/* Of all ranks that share a box: rill_water_place; moving: with velocities.  Rank 0 has both. */
enum rill_status rill_water_place_share(struct rill_water *water, const double *positions, const double *velocities,
                                        bool moving, struct rill_error *error);

/* The columns that flows act on: those of molecules, in whole vectors. */
struct rill_range rill_water_columns(const struct rill_water *water);

#endif
