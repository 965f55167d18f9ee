/* The water system: its creation, its state in memory and in checkpoints, and what is done before each step. */
#include "water/water_system.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "parallel/agree.h"
#include "water/lanes/lanes.h"
#include "water/water_atoms.h"
#include "water/water_barostat.h"
#include "water/water_bath.h"
#include "water/water_bodies.h"
#include "water/water_domain.h"
#include "water/water_evaluate.h"
#include "water/water_filtered.h"
#include "water/water_hand_out.h"
#include "water/water_implicit.h"
#include "water/water_lead.h"
#include "water/water_observe.h"
#include "water/water_passes.h"
#include "water/water_penalised.h"
#include "water/water_rescale.h"
#include "water/water_rigid.h"
#include "water/water_thermal.h"
#include "water/water_trial.h"

double rill_water_bond_tolerance(double stiffness) { return stiffness > 0.0 ? 0.2 : 0.0; }

static void destroy(void *self) {
  struct rill_water *water = self;
  if (water == NULL) return;
  rill_water_field_destroy(water->field);
  rill_water_domain_destroy(water);
  rill_water_bodies_destroy(water);
  rill_water_stiff_destroy(water);
  rill_water_implicit_destroy(water);
  rill_water_barostat_destroy(water);
  rill_release(water->q);
  rill_release(water->v);
  rill_release(water->f);
  rill_release(water->part[0]);
  rill_release(water->part[1]);
  rill_release(water->saved.q);
  rill_release(water->saved.v);
  rill_release(water->results);
  rill_release(water->field_fault);
  rill_release(water);
}

/* ---- for every method ---- */

static double degrees_of_freedom(const void *self) { return rill_water_freedom(self).all; }

bool rill_water_find_shift(const double centre[3], double shift[3]) {
  double largest = 0;
  for (int c = 0; c < 3; c++) {
    shift[c] = nearbyint(centre[c] * 1024) / 1024;
    if (fabs(shift[c]) > largest) largest = fabs(shift[c]);
  }
  return largest > 0.5;
}

static void recentre(struct rill_water *water) {
  double centre[3], shift[3];
  rill_water_momenta(water, NULL, centre, NULL, NULL, NULL);
  if (!rill_water_find_shift(centre, shift)) return;
  if (water->of_bodies) rill_water_bodies_shift(water, shift);
  for (size_t k = 0; k < RILL_COORDINATES && !water->of_bodies; k++)
    for (size_t m = 0; m < water->molecules; m++) water->q[k * water->stride + m] -= shift[k % 3];
  for (int c = 0; c < 3; c++) water->offset[c] += shift[c];
  rill_water_moved(water); /* so that forces do not depend on when they are evaluated */
}

static enum rill_status begin_step(void *self, uint64_t step, double h, struct rill_error *error) {
  struct rill_water *water = self;
  const double *t = water->options.temperature;
  (void)h;
  (void)error;
  if (step % RILL_WATER_RECENTRED == 0 && !water->options.periodic) recentre(water);
  water->iterations = 0;
  water->implicit.report = (struct rill_implicit_report){.residual = NAN};
  water->temperature_half = water->temperature_half_translation = water->temperature_half_rotation = NAN;
  if (rill_water_ramps(&water->options))
    water->temperature = t[0] + (t[1] - t[0]) * ((double)(step + 1) / (double)water->options.steps);
  return RILL_OK;
}

/* Whether one-step Newmark has left its acceleration. */
static bool has_newmark(const double *acceleration) { return acceleration != NULL && !isnan(acceleration[0]); }

static struct rill_drift_result save_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->flows->copy_aside(range, water->stride, water->q, water->saved.q);
  water->flows->copy_aside(range, water->stride, water->v, water->saved.v);
  if (has_newmark(water->stiff.newmark))
    water->flows->copy_aside(range, water->stride, water->stiff.newmark, water->saved.newmark);
  return (struct rill_drift_result){0};
}

static void save(void *self) {
  struct rill_water *water = self;
  const struct rill_water_pass pass = {.water = water};
  rill_timers_start(water->options.timers);
  memcpy(water->saved.offset, water->offset, sizeof water->offset);
  water->saved.supplied = water->supplied;
  if (rill_water_has_barostat(water)) rill_water_barostat_save(water);
  if (water->of_bodies) {
    rill_water_bodies_save(water);
  } else {
    rill_water_over_molecules(&pass, save_range);
    if (water->penalised && !has_newmark(water->stiff.newmark)) water->saved.newmark[0] = NAN;
  }
  rill_timers_stop(water->options.timers, RILL_PHASE_COPY);
}

static void restore_atoms(struct rill_water *water) {
  size_t bytes = RILL_COORDINATES * water->stride * sizeof *water->q;
  memcpy(water->offset, water->saved.offset, sizeof water->offset);
  water->supplied = water->saved.supplied;
  rill_water_moved(water);
  if (water->of_bodies) {
    rill_water_bodies_restore(water);
    return;
  }
  memcpy(water->q, water->saved.q, bytes);
  memcpy(water->v, water->saved.v, bytes);
  if (has_newmark(water->saved.newmark)) memcpy(water->stiff.newmark, water->saved.newmark, bytes);
  else if (water->penalised) water->stiff.newmark[0] = NAN;
}

static void restore(void *self) {
  struct rill_water *water = self;
  struct rill_error unused = {0};
  (void)rill_water_lead(water, RILL_LEAD_RESTORE, &unused); /* a failure shows in what follows */
  restore_atoms(water);
  if (rill_water_has_barostat(water)) rill_water_barostat_restore(water);
}

static enum rill_status observe(void *self, struct rill_observation *observation, struct rill_error *error) {
  RILL_TRY(rill_water_lead(self, RILL_LEAD_OBSERVE, error));
  return rill_water_observe(self, observation, error);
}

/* Fills the columns beyond the molecules with one model triangle, at rest, which never feels a force: flows only
 * round it. */
static void fill_inert_columns(struct rill_water *water) {
  const struct rill_water_model *model = &water->options.model;
  double half = 0.5 * model->bond[2], height = sqrt(model->bond[0] * model->bond[0] - half * half);
  for (size_t m = water->molecules; m < water->stride; m++) {
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      water->q[k * water->stride + m] = water->v[k * water->stride + m] = 0;
    water->q[3 * water->stride + m] = half;
    water->q[4 * water->stride + m] = height;
    water->q[6 * water->stride + m] = -half;
    water->q[7 * water->stride + m] = height;
  }
}

/* Saves arrays as they are in memory; the inert columns as they were at the start. */
static void archive_parts(struct rill_water *water, struct rill_archive *archive) {
  uint64_t filtered = water->stiff.filtered || water->stiff.recalled;
  rill_archive_reals(archive, "offset", water->offset, 3);
  if (!archive->reading) fill_inert_columns(water);
  if (water->of_bodies) {
    rill_water_bodies_archive(water, archive);
  } else {
    rill_water_archive_columns(water, archive, "q", water->q, RILL_COORDINATES);
    rill_water_archive_columns(water, archive, "v", water->v, RILL_COORDINATES);
  }
  if (water->penalised) {
    rill_water_archive_newmark(water, archive);
    rill_water_archive_filter(water, archive);
    rill_archive_integers(archive, "filtered", &filtered, 1);
  }
  if (rill_water_rescales(water)) rill_archive_reals(archive, "supplied", &water->supplied, 1);
  if (water->options.trials) rill_water_archive_trials(&water->trials, archive);
  if (rill_water_has_barostat(water)) rill_water_barostat_archive(water, archive);
  if (archive->reading) {
    rill_water_moved(water);
    water->stiff.recalled = filtered != 0;
  }
}

/* A rank other than 0 writes nothing, and reads what is not in columns from rank 0. */
static enum rill_status archive_shared(struct rill_water *water, struct rill_archive *archive,
                                       struct rill_error *error) {
  const bool first = water->domain->ranks->rank == 0;
  struct rill_archive others, received;
  enum rill_status status;
  RILL_TRY(rill_water_lead(water, archive->reading ? RILL_LEAD_READ : RILL_LEAD_WRITE, error));
  if (!archive->reading) {
    archive_parts(water, archive);
    return RILL_OK;
  }
  status = rill_water_share_archive(water, archive, &others, error);
  if (status == RILL_OK && !first) status = rill_archive_open(others.bytes, others.length, &received, error);
  if (status == RILL_OK) {
    if (!first) memcpy(received.group, others.group, sizeof received.group);
    rill_water_deal(water);
    archive_parts(water, first ? archive : &received);
    status = rill_water_field_set_molecules(water->field, water->molecules, water->q, error);
  }
  rill_archive_release(&others);
  return rill_agree(water->domain->ranks, status, NULL, 0, error);
}

static void archive_state(void *self, struct rill_archive *archive) {
  struct rill_water *water = self;
  struct rill_error error = {0};
  if (water->domain == NULL) archive_parts(water, archive);
  else if (archive_shared(water, archive, &error) != RILL_OK)
    rill_archive_fail(archive, error.status, "%s", error.text);
}

#define WATER_OPS(label, sentence)                                                                                   \
  {                                                                                                                  \
    .name = label, .summary = sentence, .part_name = {"lj", "coulomb", "confine", "penalty", "field"},               \
    .degrees_of_freedom = degrees_of_freedom, .begin_step = begin_step, .observe = observe, .save = save,            \
    .restore = restore, .archive = archive_state, .destroy = destroy,                                                \
  }
static const struct rill_system_ops system_ops = WATER_OPS("water", "rigid water"),
                                    bodies_ops = WATER_OPS("water as rigid bodies",
                                                           "water as rigid bodies: centres, "
                                                           "attitudes, momenta and angular momenta"),
                                    penalised_ops = WATER_OPS("penalised water",
                                                              "water whose bonds "
                                                              "are stiff springs");
#undef WATER_OPS

/* ---- creation and state ---- */

/* After positions or velocities were set. */
static void settle(struct rill_water *water) {
  if (water->penalised) water->stiff.newmark[0] = NAN;
  rill_water_moved(water);
  rill_water_bodies_adopt(water);
}

/* Velocities at the start, which may be those of a file. */
static void project_start(struct rill_water *water) {
  if (water->penalised || water->of_bodies) return;
  water->flows->project(&water->rigid, rill_water_columns(water),
                        (struct rill_columns){.stride = water->stride, .q = water->q, .v = water->v});
}

enum rill_status rill_water_place_share(struct rill_water *water, const double *positions, const double *velocities,
                                        bool moving, struct rill_error *error) {
  const struct rill_positions q = rill_positions_by_molecule(positions), v = rill_positions_by_molecule(velocities);
  enum rill_status status;
  rill_water_deal(water);
  RILL_TRY(rill_water_hand_out(water, &q, NULL, water->q, error));
  if (moving) RILL_TRY(rill_water_hand_out(water, &v, NULL, water->v, error));
  settle(water);
  project_start(water);
  status = rill_water_field_set_molecules(water->field, water->molecules, water->q, error);
  return rill_water_agree(water, status, error);
}

enum rill_status rill_water_place(struct rill_system *system, const double *positions, const double *velocities,
                                  struct rill_error *error) {
  const struct rill_water_message message = {.command = RILL_LEAD_PLACE, .moving = velocities != NULL};
  RILL_TRY(rill_water_tell(system->self, message, error));
  return rill_water_place_share(system->self, positions, velocities, velocities != NULL, error);
}

void rill_water_set_state(struct rill_system *system, const double *positions, const double *velocities) {
  struct rill_water *water = system->self;
  rill_water_bodies_follow(water);
  for (size_t m = 0; m < water->molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      if (positions != NULL)
        water->q[k * water->stride + m] = positions[RILL_COORDINATES * m + k] - water->offset[k % 3];
      if (velocities != NULL) water->v[k * water->stride + m] = velocities[RILL_COORDINATES * m + k];
    }
  settle(water);
}

void rill_water_copy_state(const struct rill_system *system, double *positions, double *velocities) {
  struct rill_water *water = system->self;
  if (water->domain != NULL) {
    if (positions != NULL) rill_water_collect_molecules(water, RILL_LEAD_STATE, positions);
    if (velocities != NULL) rill_water_collect_molecules(water, RILL_LEAD_VELOCITIES, velocities);
    return;
  }
  rill_water_bodies_follow(water);
  for (size_t m = 0; m < water->molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      if (positions != NULL)
        positions[RILL_COORDINATES * m + k] = water->q[k * water->stride + m] + water->offset[k % 3];
      if (velocities != NULL) velocities[RILL_COORDINATES * m + k] = water->v[k * water->stride + m];
    }
}

enum rill_status rill_water_copy_forces(const struct rill_system *system, double *forces, struct rill_error *error) {
  struct rill_water *water = system->self;
  rill_water_evaluate(water, NULL);
  RILL_TRY(rill_water_field_failed(water, error));
  if (water->penalised)
    water->flows->stiff_product(&water->stiff.penalty, rill_water_columns(water), water->stride, true, water->q, NULL,
                                water->stiff.scratch, water->molecules);
  for (size_t m = 0; m < water->molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      const size_t i = k * water->stride + m;
      forces[RILL_COORDINATES * m + k] = water->f[i] + (water->penalised ? water->stiff.scratch[i] : 0);
    }
  return RILL_OK;
}

void rill_water_copy_positions(const struct rill_system *system, double *positions) {
  struct rill_water *water = system->self;
  const double *q;
  if (water->domain != NULL) {
    rill_water_collect_molecules(water, RILL_LEAD_POSITIONS, positions);
    return;
  }
  q = rill_water_physical(water);
  for (size_t m = 0; m < water->molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      positions[RILL_COORDINATES * m + k] = q[k * water->stride + m] + water->offset[k % 3];
}

void rill_water_list_counts(const struct rill_system *system, struct rill_periodic_counts *counts) {
  *counts = rill_water_field_counts(((const struct rill_water *)system->self)->field);
}

double rill_water_helped(const struct rill_system *system) {
  return rill_team_helped(rill_water_field_team(((const struct rill_water *)system->self)->field));
}

size_t rill_water_phases(const struct rill_system *system, struct rill_field_phase phases[RILL_FIELD_PHASES]) {
  return rill_water_field_phases(((const struct rill_water *)system->self)->field, phases);
}

const struct rill_cell *rill_water_cell(const struct rill_system *system) {
  return rill_water_field_cell(((const struct rill_water *)system->self)->field);
}

enum rill_status rill_water_set_cell(struct rill_system *system, const double vectors[3][3],
                                     struct rill_error *error) {
  struct rill_water *water = system->self;
  RILL_TRY(rill_water_field_set_cell(water->field, vectors, error));
  rill_water_moved(water);
  return RILL_OK;
}

double rill_water_reach(const struct rill_system *system) {
  return rill_water_field_reach(((const struct rill_water *)system->self)->field);
}

size_t rill_water_molecules(const struct rill_system *system) { return rill_water_all(system->self); }

static const struct rill_flow_ops *flow_of(const struct rill_water *water) {
  const bool ou_is_offered = water->options.thermostat;
  if (water->of_bodies) return ou_is_offered ? &rill_water_bodies_flow : &rill_water_bodies_flow_without_ou;
  if (water->penalised) return ou_is_offered ? &rill_water_penalised_flow : &rill_water_penalised_flow_without_ou;
  return ou_is_offered ? &rill_water_rigid_flow : &rill_water_rigid_flow_without_ou;
}

enum rill_status rill_water_create(const struct rill_water_options *options, struct rill_system *system,
                                   struct rill_error *error) {
  struct rill_water *water = rill_allocate(1, sizeof *water);
  enum rill_status status = RILL_ERROR_MEMORY;
  struct rill_field_options field = {.periodic = options->periodic,
                                     .box = options->box,
                                     .mesh = options->mesh,
                                     .reference = options->reference_kernel,
                                     .isa = options->isa,
                                     .threads = options->threads,
                                     .timers = options->timers};
  const bool divided = options->box.ranks != NULL;
  size_t count;
  field.box.all = options->molecules;
  field.box.bond_tolerance = rill_water_bond_tolerance(options->stiffness);
  *system = (struct rill_system){0};
  if (water == NULL) goto memory;
  water->options = *options;
  water->options.positions = water->options.velocities = NULL;
  water->molecules = divided || options->bare ? 0 : options->molecules;
  water->stride = divided ? rill_water_domain_columns(options->molecules, options->box.ranks->count)
                          : rill_padded(options->bare ? 1 : options->molecules);
  count = RILL_COORDINATES * water->stride;
  water->q = rill_allocate(count, sizeof *water->q);
  water->v = rill_allocate(count, sizeof *water->v);
  water->f = rill_allocate(count, sizeof *water->f);
  water->saved.q = rill_allocate(count, sizeof *water->saved.q);
  water->saved.v = rill_allocate(count, sizeof *water->saved.v);
  water->results = rill_allocate(options->threads > 1 ? (size_t)options->threads : 1, sizeof *water->results);
  if (water->q == NULL || water->v == NULL || water->f == NULL || water->saved.q == NULL || water->saved.v == NULL ||
      water->results == NULL)
    goto memory;
  if (divided) status = rill_water_domain_create(water, error);
  if (divided && status != RILL_OK) goto fail;
  water->penalised = options->stiffness > 0;
  water->of_bodies = !water->penalised && rill_constraint_solver_is_of_bodies(options->constraints.solver);
  if (water->penalised) status = rill_water_stiff_create(water, error);
  else status = rill_rigid_create(&options->model, &options->constraints, &water->rigid, error);
  if (status != RILL_OK) goto fail;
  if (water->of_bodies) {
    status = rill_water_bodies_create(water, error);
    if (status != RILL_OK) goto fail;
  }
  if (options->periodic && options->confined) {
    status = rill_error_set(error, RILL_ERROR_UNSUPPORTED, "a confining wall is for a cluster; remove it for a box");
    goto fail;
  }
  if (options->rescale_time > 0 && options->molecules < 2) {
    status = rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                            "the velocities of one molecule cannot be scaled by v-rescale: without its momentum and "
                            "angular momentum none are left; use gla or baoab");
    goto fail;
  }
  status = options->bare ? rill_water_field_create_bare(&options->model, &field, &water->field, error)
                         : rill_water_field_create(&options->model, divided ? water->stride - 1 : options->molecules,
                                                   water->stride, &field, &water->field, error);
  if (status != RILL_OK) goto fail;
  water->field_options = field;
  water->field_options.mesh.beta = field.box.beta;
  if (rill_water_has_barostat(water)) status = rill_water_barostat_create(water, error);
  if (status != RILL_OK) goto fail;
  water->flows = rill_water_flow_table(options->isa);
  water->temperature = options->temperature[0];
  water->temperature_half = water->temperature_half_translation = water->temperature_half_rotation = NAN;
  water->ou_temperature = water->ou_step = NAN;
  water->ou.noise = rill_noise_create(options->seed, RILL_STREAM_THERMOSTAT);
  water->ou.single = options->box.precision == RILL_PRECISION_MIXED;
  water->trial_noise = rill_noise_create(options->seed, RILL_STREAM_TRIALS);
  water->rescale_noise = rill_noise_create(options->seed, RILL_STREAM_RESCALE);
  water->trials.change = NAN;
  water->stiff.filter = rill_filter_identity;
  rill_water_implicit_create(water);
  *system =
      (struct rill_system){.ops = water->of_bodies   ? &bodies_ops
                                  : water->penalised ? &penalised_ops
                                                     : &system_ops,
                           .flow = flow_of(water),
                           /* positions of atoms are not independent in a rigid body */
                           .implicit = water->of_bodies ? NULL : &water->implicit.capability,
                           .thermal = options->thermostat ? &rill_water_thermal_ops : NULL,
                           .trial = options->trials ? &rill_water_trial_ops : NULL,
                           .trials = options->trials ? &water->trials : NULL,
                           .barostat = rill_water_has_barostat(water) ? &rill_water_barostat_ops : NULL,
                           .cell_moves = rill_water_has_barostat(water) ? &water->pressure.moves : NULL,
                           .followers = divided && options->box.ranks->rank == 0 ? &rill_water_followers_ops : NULL,
                           .timers = options->timers,
                           .lanes = &rill_water_lanes,
                           .self = water};
  fill_inert_columns(water);
  memcpy(water->saved.q, water->q, count * sizeof *water->q); /* columns that no save copies stay inert */
  rill_water_set_state(system, options->positions, options->velocities);
  project_start(water);
  save(water);
  return RILL_OK;
memory:
  status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", options->molecules);
  if (divided) options->box.ranks->broken = true; /* the others wait */
fail:
  destroy(water);
  return status;
}
