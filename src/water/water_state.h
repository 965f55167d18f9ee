/* Shared by the files of the water system; private to src/water/. */
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

struct rill_water_snapshot {
  double *q, *v; /* [9][stride] */
  double *newmark;
  double *bodies; /* [RILL_BODY_ROWS][stride], for rigid bodies, from which q and v are computed */
  double offset[3], supplied;
  bool fresh;
  double cell[3][3]; /* at constant pressure, like the next two */
  struct rill_water_plan plan;
  struct rill_cell_moves cell_moves;
};

struct rill_water {
  struct rill_water_options options; /* without positions and velocities */
  size_t molecules, stride;
  double *q, *v, *f;   /* [9][stride]; columns beyond the molecules are inert */
  bool fresh;          /* f belongs to q */
  bool energies_known; /* with f: the next two belong to q */
  struct rill_field_energies energies;
  double soft; /* potential energy without that of stiff bonds */
  struct rill_trials trials;
  struct rill_noise trial_noise;
  double *part[2]; /* [9][stride] fast and slow forces; allocated at the first kick by one */
  bool part_fresh[2];
  double offset[3]; /* unwrapped position = q + offset */
  struct rill_water_field *field;
  struct rill_field_options field_options; /* with the cell of its creation */
  enum rill_status field_status;           /* of the last evaluation */
  char *field_fault;                       /* its message when it failed; owned */
  struct rill_rigid rigid;
  const struct rill_water_flow_table *flows;
  struct rill_ou ou;
  double ou_temperature, ou_step;         /* for which ou was computed */
  double temperature;                     /* of the bath, at the current step */
  double removed_linear, removed_angular; /* degrees of freedom: 0 or 3 */
  double temperature_half, temperature_half_translation, temperature_half_rotation;
  double confine_energy, external_energy;
  struct rill_noise rescale_noise;
  double supplied;     /* kJ/mol: by the bath that scales velocities, and by moves of the cell beside it */
  unsigned iterations; /* of the position solver, in the last step */
  struct rill_drift_result *results; /* [threads] of a flow */
  struct rill_water_snapshot saved;

  /* At constant pressure. */
  struct rill_water_plan plan;
  struct rill_cell_moves cell_moves;
  struct rill_noise cell_noise;
  double *moved_q, *moved_f; /* [9][stride] after a proposed move */
  double *centres;           /* [3][stride] of bodies, before it */

  /* Penalised water: the kick's acceleration and what it was computed with; valid for q while `filtered`. */
  bool penalised, filtered;
  bool recalled; /* was `filtered` in its checkpoint: to be recomputed, uncounted */
  struct rill_penalty penalty;
  struct rill_filter filter; /* of the last kick; identity before the first */
  double filter_scale;       /* beta h^2 */
  /* The next three are NULL for other water. */
  double *a;        /* [9][stride] */
  double *physical; /* [9][stride] q + beta h^2 a; scratch */
  double *newmark;  /* one-step Newmark's acceleration; the first is NaN if there is none */
  double *scratch;  /* [9][stride] */
  struct rill_implicit implicit;
  struct rill_implicit_report report;
  double *masses;                       /* [9][stride] */
  double *derivative_work;              /* [18][stride] of clusters of a model with a site; else NULL */
  struct rill_pushforward *pushforward; /* the nonlinear solver of that filter; created at its first kick */

  /* Molecules as rigid bodies: the state is in `bodies`; q is updated in each drift, v when it is needed. */
  bool of_bodies, velocities_behind;
  double *body_block; /* [RILL_BODY_ROWS][stride] */
  struct rill_bodies bodies;
  struct rill_body body;
  const struct rill_body_table *body_flows;
  struct rill_body_ou body_ou;
};

/* One flow over all molecules: its arguments, which are passed to the body for each range. */
struct rill_water_pass {
  struct rill_water *water;
  double h;
  unsigned flags;
  uint64_t step;
  uint32_t use;
  /* for penalised water */
  const struct rill_stiff_filter *filter;
  bool full;
  double scale;
  const double *q, *in;
  double *out;
};
typedef struct rill_drift_result (*rill_water_range_body)(const struct rill_water_pass *pass,
                                                          struct rill_range range);
struct rill_drift_result rill_water_over_molecules(const struct rill_water_pass *pass, rill_water_range_body body);

/* Positions changed: evaluated quantities are stale. */
static inline void rill_water_moved(struct rill_water *water) {
  water->fresh = water->filtered = water->recalled = false;
  water->part_fresh[0] = water->part_fresh[1] = false;
}

/* The flows of penalised water (water_penalised.c), and its physical positions: in `physical`, or q itself. */
extern const struct rill_flow_ops rill_water_penalised_flow, rill_water_penalised_flow_without_ou;
const double *rill_water_physical(struct rill_water *water);
struct rill_stiff_filter rill_water_stiff_filter(const struct rill_filter *filter, double scale);

/* The flows of rigid bodies (water_bodies.c).  The atoms are computed from body_block, which holds the whole state.
 * adopt: sets the bodies from q and v; changed: body_block was set: updates q, and marks v as stale; follow: updates
 * v from the bodies if it is stale.  These do nothing for other water; save, restore and archive are for bodies
 * only. */
extern const struct rill_flow_ops rill_water_bodies_flow, rill_water_bodies_flow_without_ou;
void rill_water_bodies_adopt(struct rill_water *water);
void rill_water_bodies_changed(struct rill_water *water);
void rill_water_bodies_follow(struct rill_water *water);
void rill_water_bodies_shift(struct rill_water *water, const double shift[3]);
void rill_water_bodies_reverse(struct rill_water *water);
void rill_water_bodies_save(struct rill_water *water);
void rill_water_bodies_restore(struct rill_water *water);
void rill_water_bodies_archive(struct rill_water *water, struct rill_archive *archive);
/* Computes the saved atoms, for the message about a failed step. */
void rill_water_bodies_place_saved(const struct rill_water *water);

/* The trial capability (water_trial.c). */
extern const struct rill_trial_ops rill_water_trial_ops;

/* The barostat capability, and the part of the state that it changes (water_barostat.c).  create: after the
 * field. */
extern const struct rill_barostat_ops rill_water_barostat_ops;
enum rill_status rill_water_barostat_create(struct rill_water *water, struct rill_error *error);
void rill_water_barostat_save(struct rill_water *water);
void rill_water_barostat_restore(struct rill_water *water);
void rill_water_barostat_archive(struct rill_water *water, struct rill_archive *archive);
static inline bool rill_water_has_barostat(const struct rill_water *water) {
  return water->options.barostat.kind != RILL_NO_BAROSTAT;
}

/* The flow `rescale` (water_rescale.c). */
enum rill_status rill_water_rescale(void *self, double h, uint64_t step, struct rill_error *error);
static inline bool rill_water_rescales(const struct rill_water *water) { return water->options.rescale_time > 0; }

/* Removes the angular momentum about the centre of mass.  RILL_ERROR_INPUT: the inertia is singular. */
enum rill_status rill_water_stop_turning(struct rill_water *water, struct rill_error *error);

/* The thermal capability (water_thermal.c). */
extern const struct rill_thermal_ops rill_water_thermal_ops;

/* The implicit capability (water_implicit.c). */
extern const struct rill_implicit_ops rill_water_implicit_ops, rill_water_box_implicit_ops;

/* Before every step with such a number, a cluster whose centre is more than 0.5 nm from the origin along an axis is
 * brought back, by multiples of 2^-10 nm: floating-point numbers are finest there.  Returns false if it need not be.
 */
enum { RILL_WATER_RECENTRED = 256 };
bool rill_water_find_shift(const double centre[3], double shift[3]);

/* Whether the bath's temperature changes during the run. */
static inline bool rill_water_ramps(const struct rill_water_options *options) {
  return options->temperature[0] != options->temperature[1] && options->steps > 0;
}

/* Computes the coefficients, without noise, of the Ornstein-Uhlenbeck flow for a time h; and those of the system. */
void rill_water_find_ou(const struct rill_water_options *options, double temperature, double h, struct rill_ou *ou);
void rill_water_prepare_ou(struct rill_water *water, double h);
void rill_water_observe_half_step(void *self);
bool rill_water_ou_commutes(const void *self);
enum rill_status rill_water_trouble(const struct rill_water *water, enum rill_status status, const char *what,
                                    struct rill_error *error);

/* Computes forces at q if they are stale, or energies are requested.  If that fails, they are NaN, and field_fault
 * says why. */
void rill_water_evaluate(struct rill_water *water, struct rill_field_energies *energies);

/* Evaluates the field at positions that may differ from q, and records whether it failed. */
void rill_water_evaluate_at(struct rill_water *water, const double *q, double *f,
                            struct rill_field_energies *energies);

/* For a kick with these flags: forces, and with RILL_FLOW_ENERGY `soft`, unless they are known. */
void rill_water_evaluate_for(struct rill_water *water, unsigned flags);

/* Returns the field's error, if there was one. */
static inline enum rill_status rill_water_field_failed(const struct rill_water *water, struct rill_error *error) {
  if (water->field_status == RILL_OK) return RILL_OK;
  return rill_error_set(error, water->field_status, "%s",
                        water->field_fault != NULL ? water->field_fault : "the forces cannot be evaluated");
}

/* Energies at positions that may differ from q; those of rill_water_add_outside are stored. */
void rill_water_energies_at(struct rill_water *water, const double *q, struct rill_field_energies *energies);

/* Adds the forces of the wall and of external fields at q to f, and stores their energies. */
void rill_water_add_outside(struct rill_water *water, const double *q, double *f);
static inline double rill_water_outside_energy(const struct rill_water *water) {
  return water->confine_energy + water->external_energy;
}

/* Degrees of freedom: total, of translation and of rotation. */
struct rill_water_freedom {
  double all, translation, rotation;
};
struct rill_water_freedom rill_water_freedom(const struct rill_water *water);
double rill_water_freedom_of_all(const struct rill_water *water);

/* Temperature, K; NaN without degrees of freedom. */
double rill_water_temperature(double kinetic, double freedom);

/* Kinetic energy, total and of the molecules' centres of mass, kJ/mol. */
void rill_water_kinetic(const struct rill_water *water, double *all, double *translation);

enum rill_status rill_water_observe(void *self, struct rill_observation *observation, struct rill_error *error);

/* Linear momentum, centre of mass, angular momentum about it, and the inertia tensor about it with the contribution
 * of the molecules' own inertia; any may be NULL. */
void rill_water_momenta(const struct rill_water *water, double momentum[3], double centre[3], double angular[3],
                        double inertia[3][3], double own_inertia[3][3]);

static inline double rill_water_mass(const struct rill_water_model *model) {
  return model->mass[0] + model->mass[1] + model->mass[2];
}
static inline double rill_water_whole_mass(const struct rill_water *water) {
  return rill_water_mass(&water->options.model) * (double)water->molecules;
}

#endif
