/* The water system: state, flows, and errors that stop a run. */
#include "water/water_system.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/units.h"
#include "mech/pushforward.h"
#include "water/lanes/lanes.h"
#include "water/water_state.h"

/* Flows are shared among threads from this number of molecules on: below it, sharing costs more than it saves. */
enum { TEAM_FROM = 256 };
double rill_water_bond_tolerance(double stiffness) { return stiffness > 0.0 ? 0.2 : 0.0; }

static void destroy(void *self) {
  struct rill_water *water = self;
  if (water == NULL) return;
  rill_water_field_destroy(water->field);
  rill_release(water->q);
  rill_release(water->v);
  rill_release(water->f);
  rill_release(water->part[0]);
  rill_release(water->part[1]);
  rill_release(water->saved.q);
  rill_release(water->saved.v);
  rill_release(water->saved.newmark);
  rill_release(water->saved.bodies);
  rill_release(water->body_block);
  rill_pushforward_destroy(water->pushforward);
  rill_release(water->a);
  rill_release(water->physical);
  rill_release(water->newmark);
  rill_release(water->scratch);
  rill_release(water->moved_q);
  rill_release(water->moved_f);
  rill_release(water->centres);
  rill_release(water->masses);
  rill_release(water->derivative_work);
  rill_release(water->results);
  rill_release(water->field_fault);
  rill_release(water);
}

/* ---- forces ---- */

void rill_water_evaluate_at(struct rill_water *water, const double *q, double *f,
                            struct rill_field_energies *energies) {
  static _Thread_local struct rill_error fault; /* large, and there may be thousands of systems */
  rill_error_clear(&fault);
  water->field_status = rill_water_field_evaluate(water->field, q, f, energies, &fault);
  if (water->field_status == RILL_OK) return;
  rill_release(water->field_fault);
  water->field_fault = rill_allocate(fault.length + 1, 1);
  if (water->field_fault != NULL) memcpy(water->field_fault, fault.text, fault.length + 1);
}

void rill_water_add_outside(struct rill_water *water, const double *q, double *f) {
  const struct rill_water_options *options = &water->options;
  const struct rill_wall wall = {options->confine_radius, options->confine_stiffness};
  water->confine_energy = water->external_energy = 0.0;
  if (options->confined)
    water->confine_energy = rill_wall_evaluate(&wall, &options->model, water->molecules, water->stride, q, f);
  if (rill_external_acts(&options->external))
    water->external_energy = rill_external_evaluate(&options->external, &options->model, water->molecules,
                                                    water->stride, water->offset, q, f);
}

void rill_water_evaluate(struct rill_water *water, struct rill_field_energies *energies) {
  if (water->fresh && energies == NULL) return;
  if (!water->fresh) water->energies_known = false;
  rill_timers_start(water->options.timers);
  rill_water_evaluate_at(water, water->q, water->f, energies);
  rill_water_add_outside(water, water->q, water->f);
  water->fresh = true;
  rill_timers_stop(water->options.timers, RILL_PHASE_FORCES);
}

void rill_water_evaluate_for(struct rill_water *water, unsigned flags) {
  if (!(flags & RILL_FLOW_ENERGY)) {
    rill_water_evaluate(water, NULL);
    return;
  }
  if (water->fresh && water->energies_known) return;
  rill_water_evaluate(water, &water->energies);
  water->soft = water->energies.lj + water->energies.coulomb + rill_water_outside_energy(water);
  water->energies_known = true;
}

/* Fast or slow forces at q. */
static enum rill_status evaluate_part(struct rill_water *water, int slow, const double **f,
                                      struct rill_error *error) {
  if (water->part[slow] == NULL)
    water->part[slow] = rill_allocate(RILL_COORDINATES * water->stride, sizeof *water->part[slow]);
  if (water->part[slow] == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a part of the forces");
  *f = water->part[slow];
  if (water->part_fresh[slow]) return RILL_OK;
  rill_timers_start(water->options.timers);
  RILL_TRY(rill_water_field_evaluate_part(water->field, slow, water->q, water->part[slow], error));
  if (!slow) rill_water_add_outside(water, water->q, water->part[slow]);
  rill_timers_stop(water->options.timers, RILL_PHASE_FORCES);
  water->part_fresh[slow] = true;
  return RILL_OK;
}

void rill_water_energies_at(struct rill_water *water, const double *q, struct rill_field_energies *energies) {
  if (q == water->q) {
    rill_water_evaluate(water, energies);
    return;
  }
  rill_water_evaluate_at(water, q, water->scratch, energies);
  rill_water_add_outside(water, q, water->scratch);
}

/* ---- error messages ---- */

static size_t bad_molecule(const struct rill_water *water) {
  double worst = -1;
  size_t at = 0;
  for (size_t m = 0; m < water->molecules; m++) {
    double size = 0;
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      double moved = water->q[k * water->stride + m] - water->saved.q[k * water->stride + m];
      size += moved * moved;
    }
    if (!isfinite(size)) return m;
    if (size > worst) {
      worst = size;
      at = m;
    }
  }
  return at;
}

static double largest_force(const struct rill_water *water, size_t *molecule) {
  double largest = 0;
  *molecule = 0;
  for (size_t a = 0; a < RILL_ATOMS; a++)
    for (size_t m = 0; m < water->molecules; m++) {
      const double *f = water->f + 3 * a * water->stride + m;
      double size =
          sqrt(f[0] * f[0] + f[water->stride] * f[water->stride] + f[2 * water->stride] * f[2 * water->stride]);
      if (!(size <= largest)) {
        largest = size;
        *molecule = m;
      }
    }
  return largest;
}

enum rill_status rill_water_trouble(const struct rill_water *water, enum rill_status status, const char *what,
                                    struct rill_error *error) {
  size_t molecule, pushed, first = 0, second = 0;
  double force, nearest = INFINITY;
  const double *q = water->saved.q;
  rill_water_bodies_place_saved(water);
  molecule = bad_molecule(water);
  force = largest_force(water, &pushed);
  for (size_t i = 0; i < water->molecules && !water->options.periodic; i++)
    for (size_t j = i + 1; j < water->molecules; j++) {
      double d2 = 0;
      for (size_t c = 0; c < 3; c++) d2 += pow(q[c * water->stride + j] - q[c * water->stride + i], 2);
      if (d2 < nearest) {
        nearest = d2;
        first = i;
        second = j;
      }
    }
  rill_error_set(error, status, "%s of molecule %zu; largest force %.3g kJ/mol/nm, on molecule %zu", what,
                 molecule + 1, force, pushed + 1);
  if (isfinite(nearest))
    rill_error_add(error, status, "nearest pair: molecules %zu and %zu, oxygens %.4f nm apart", first + 1, second + 1,
                   sqrt(nearest));
  return rill_error_add(error, status,
                        "usual remedies: a relaxed start (start.minimize = yes), a shorter step, a lower "
                        "start temperature");
}

/* ---- flows ---- */

static struct rill_columns columns(struct rill_water *water) {
  return (struct rill_columns){water->stride, water->q, water->v};
}

/* One range for each thread, the same in every flow, so that its data stays in the processor's cache. */
static size_t count_ranges(const struct rill_water *water) {
  return (size_t)rill_team_threads(rill_water_field_team(water->field));
}

static struct rill_range range_at(const struct rill_water *water, size_t index) {
  const size_t ranges = count_ranges(water), lanes = water->stride / RILL_LANES;
  return (struct rill_range){rill_share(lanes, index, ranges) * RILL_LANES,
                             rill_share(lanes, index + 1, ranges) * RILL_LANES};
}

struct shared_pass {
  const struct rill_water_pass *pass;
  rill_water_range_body body;
};

static void pass_over_range(void *context, size_t index) {
  const struct shared_pass *shared = context;
  struct rill_water *water = shared->pass->water;
  water->results[index] = shared->body(shared->pass, range_at(water, index));
}

struct rill_drift_result rill_water_over_molecules(const struct rill_water_pass *pass, rill_water_range_body body) {
  struct rill_water *water = pass->water;
  struct rill_team *team = rill_water_field_team(water->field);
  const size_t ranges = count_ranges(water);
  struct shared_pass shared = {pass, body};
  struct rill_drift_result all = {0, false};
  if (team == NULL || water->molecules < TEAM_FROM) return body(pass, (struct rill_range){0, water->stride});
  rill_team_run(team, ranges, false, pass_over_range, &shared);
  for (size_t i = 0; i < ranges; i++) {
    if (water->results[i].iterations > all.iterations) all.iterations = water->results[i].iterations;
    if (water->results[i].failed) all.failed = true;
  }
  return all;
}

static struct rill_drift_result drift_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  struct rill_drift_result result =
      water->flows->drift(&water->rigid, range, columns(water), pass->h, (pass->flags & RILL_FLOW_DIFFERENCE) != 0);
  if (!result.failed && (pass->flags & RILL_FLOW_PROJECT))
    result.failed = !water->flows->project(&water->rigid, range, columns(water));
  return result;
}

static enum rill_status drift(void *self, double h, unsigned flags, struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h, .flags = flags};
  struct rill_drift_result result;
  rill_timers_start(water->options.timers);
  result = rill_water_over_molecules(&pass, drift_range);
  rill_water_moved(water);
  if (result.iterations > water->iterations) water->iterations = result.iterations;
  rill_timers_stop(water->options.timers, RILL_PHASE_CONSTRAINTS);
  if (!result.failed) return RILL_OK;
  return rill_water_trouble(water, RILL_ERROR_CONVERGENCE,
                            water->rigid.solver == RILL_SETTLE
                                ? "SETTLE cannot close the triangle"
                                : "the constraint solver reached its iteration limit at the bonds",
                            error);
}

static enum rill_status velocity_trouble(const struct rill_water *water, struct rill_error *error) {
  return rill_water_trouble(water, RILL_ERROR_CONVERGENCE,
                            "the velocity projection reached its iteration limit at the bonds", error);
}

static struct rill_drift_result kick_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  bool fine = water->flows->kick(&water->rigid, range, columns(water), pass->in, pass->h,
                                 (pass->flags & RILL_FLOW_PROJECT) != 0);
  return (struct rill_drift_result){0, !fine};
}

static enum rill_status kick(void *self, double h, double h_base, const struct rill_filter *filter, unsigned flags,
                             struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h, .flags = flags, .in = water->f};
  struct rill_drift_result result;
  (void)h_base;
  (void)filter; /* the identity: binding refuses others */
  if (flags & (RILL_FLOW_FAST | RILL_FLOW_SLOW)) {
    RILL_TRY(evaluate_part(water, (flags & RILL_FLOW_SLOW) != 0, &pass.in, error));
  } else {
    rill_water_evaluate_for(water, flags);
    RILL_TRY(rill_water_field_failed(water, error));
  }
  rill_timers_start(water->options.timers);
  result = rill_water_over_molecules(&pass, kick_range);
  rill_timers_stop(water->options.timers, flags & RILL_FLOW_PROJECT ? RILL_PHASE_CONSTRAINTS : RILL_PHASE_KICK);
  return result.failed ? velocity_trouble(water, error) : RILL_OK;
}

/* Friction rates of the atoms, 1/ps. */
static double rate_of(const struct rill_water_options *options, int atom) {
  return options->friction_law == RILL_FRICTION_UNIFORM ? options->friction
                                                        : options->friction / options->model.mass[atom];
}

/* v = e^(-rate h) v + sqrt((1 - e^(-2 rate h)) k T / m) xi: the exact flow of dv = -rate v dt + noise. */
void rill_water_find_ou(const struct rill_water_options *options, double temperature, double h, struct rill_ou *ou) {
  for (int a = 0; a < RILL_ATOMS; a++) {
    double rate = rate_of(options, a);
    ou->decay[a] = exp(-rate * h);
    ou->amplitude[a] = sqrt(-expm1(-2 * rate * h) * RILL_GAS_CONSTANT * temperature / options->model.mass[a]);
  }
}

void rill_water_prepare_ou(struct rill_water *water, double h) {
  if (water->ou_temperature == water->temperature && water->ou_step == h) return;
  rill_water_find_ou(&water->options, water->temperature, h, &water->ou);
  water->ou_temperature = water->temperature;
  water->ou_step = h;
}

static struct rill_drift_result ou_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  bool fine =
      water->flows->ou(&water->rigid, range, columns(water), &water->ou, pass->step, pass->use, water->molecules);
  return (struct rill_drift_result){0, !fine};
}

static enum rill_status ou(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h, .step = step, .use = use};
  struct rill_drift_result result;
  rill_timers_start(water->options.timers);
  rill_water_prepare_ou(water, h);
  result = rill_water_over_molecules(&pass, ou_range);
  rill_timers_stop(water->options.timers, RILL_PHASE_THERMOSTAT);
  return result.failed ? velocity_trouble(water, error) : RILL_OK;
}

bool rill_water_ou_commutes(const void *self) {
  const struct rill_water *water = self;
  return water->options.friction_law == RILL_FRICTION_UNIFORM;
}

static bool accepts(const void *self, const struct rill_filter *filter) {
  (void)self;
  return filter == &rill_filter_identity;
}

static bool divides(const void *self) {
  const struct rill_water *water = self;
  return rill_water_field_divides(water->field);
}

void rill_water_observe_half_step(void *self) {
  struct rill_water *water = self;
  struct rill_water_freedom freedom = rill_water_freedom(water);
  double kinetic, translation;
  rill_water_bodies_follow(water);
  rill_water_kinetic(water, &kinetic, &translation);
  water->temperature_half = rill_water_temperature(kinetic, freedom.all);
  water->temperature_half_translation = rill_water_temperature(translation, freedom.translation);
  water->temperature_half_rotation = rill_water_temperature(kinetic - translation, freedom.rotation);
}

static const struct rill_flow_ops flow_ops = {
    .drift_exact = false,
    .constrained = true,
    .drift = drift,
    .kick = kick,
    .ou = ou,
    .ou_commutes = rill_water_ou_commutes,
    .rescale = rill_water_rescale,
    .accepts = accepts,
    .divides = divides,
    .observe_half_step = rill_water_observe_half_step,
};
static const struct rill_flow_ops flow_ops_without_ou = {
    .drift_exact = false,
    .constrained = true,
    .drift = drift,
    .kick = kick,
    .accepts = accepts,
    .divides = divides,
    .observe_half_step = rill_water_observe_half_step,
};

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
  water->report = (struct rill_implicit_report){.residual = NAN};
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
  if (has_newmark(water->newmark))
    water->flows->copy_aside(range, water->stride, water->newmark, water->saved.newmark);
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
    if (water->penalised && !has_newmark(water->newmark)) water->saved.newmark[0] = NAN;
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
  if (has_newmark(water->saved.newmark)) memcpy(water->newmark, water->saved.newmark, bytes);
  else if (water->penalised) water->newmark[0] = NAN;
}

static void restore(void *self) {
  struct rill_water *water = self;
  restore_atoms(water);
  if (rill_water_has_barostat(water)) rill_water_barostat_restore(water);
}

/* Saves the filter, which determines the physical positions; its name belongs to the method, and is not saved. */
static void archive_filter(struct rill_water *water, struct rill_archive *archive) {
  struct rill_filter *filter = &water->filter;
  uint64_t words[] = {filter->kind, filter->hessian, filter->takes_hessian, filter->max_iterations,
                      filter->nonlinear};
  double numbers[] = {filter->beta, filter->tolerance, water->filter_scale};
  rill_archive_integers(archive, "filter", words, sizeof words / sizeof words[0]);
  rill_archive_reals(archive, "filter_options", numbers, sizeof numbers / sizeof numbers[0]);
  if (!archive->reading) return;
  if (words[0] > RILL_FILTER_PUSHFORWARD || words[1] > RILL_HESSIAN_GAUSS_NEWTON || words[3] > UINT_MAX ||
      words[4] > RILL_NEWTON_KRYLOV) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "there is no such filter");
    return;
  }
  filter->kind = (enum rill_filter_kind)words[0];
  filter->hessian = (enum rill_hessian_part)words[1];
  filter->takes_hessian = words[2] != 0;
  filter->max_iterations = (unsigned)words[3];
  filter->nonlinear = (enum rill_nonlinear_kind)words[4];
  filter->beta = numbers[0];
  filter->tolerance = numbers[1];
  water->filter_scale = numbers[2];
}

static void archive_trials(struct rill_trials *trials, struct rill_archive *archive) {
  uint64_t counts[] = {trials->made, trials->accepted, trials->failed, trials->unreturned};
  rill_archive_integers(archive, "trials", counts, sizeof counts / sizeof counts[0]);
  rill_archive_reals(archive, "trial_change", &trials->change, 1);
  trials->made = counts[0];
  trials->accepted = counts[1];
  trials->failed = counts[2];
  trials->unreturned = counts[3];
}

/* Saves arrays as they are in memory, including the inert columns. */
static void archive_state(void *self, struct rill_archive *archive) {
  struct rill_water *water = self;
  const size_t count = RILL_COORDINATES * water->stride;
  uint64_t filtered = water->filtered || water->recalled;
  rill_archive_reals(archive, "offset", water->offset, 3);
  if (water->of_bodies) {
    rill_water_bodies_archive(water, archive);
  } else {
    rill_archive_reals(archive, "q", water->q, count);
    rill_archive_reals(archive, "v", water->v, count);
  }
  if (water->penalised) {
    rill_archive_reals(archive, "newmark", water->newmark, count);
    archive_filter(water, archive);
    rill_archive_integers(archive, "filtered", &filtered, 1);
  }
  if (rill_water_rescales(water)) rill_archive_reals(archive, "supplied", &water->supplied, 1);
  if (water->options.trials) archive_trials(&water->trials, archive);
  if (rill_water_has_barostat(water)) rill_water_barostat_archive(water, archive);
  if (archive->reading) {
    rill_water_moved(water);
    water->recalled = filtered != 0;
  }
}

#define WATER_OPS(label, sentence)                                                                                   \
  {                                                                                                                  \
    .name = label, .summary = sentence, .part_name = {"lj", "coulomb", "confine", "penalty", "field"},               \
    .degrees_of_freedom = degrees_of_freedom, .begin_step = begin_step, .observe = rill_water_observe, .save = save, \
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

/* Tolerances of positions are relative to this length: 1e-13 of it, the default, is 1e-12 nm. */
static const double RILL_WATER_LENGTH = 10; /* nm */

/* Fills the columns beyond the molecules with one model triangle, at rest, which never feels a force. */
static void fill_inert_columns(struct rill_water *water) {
  const struct rill_water_model *model = &water->options.model;
  double half = 0.5 * model->bond[2], height = sqrt(model->bond[0] * model->bond[0] - half * half);
  for (size_t m = water->molecules; m < water->stride; m++) {
    water->q[3 * water->stride + m] = half;
    water->q[4 * water->stride + m] = height;
    water->q[6 * water->stride + m] = -half;
    water->q[7 * water->stride + m] = height;
  }
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
  if (water->penalised) water->newmark[0] = NAN;
  rill_water_moved(water);
  rill_water_bodies_adopt(water);
}

void rill_water_copy_state(const struct rill_system *system, double *positions, double *velocities) {
  struct rill_water *water = system->self;
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
    water->flows->stiff_product(&water->penalty, (struct rill_range){0, water->stride}, water->stride, true, water->q,
                                NULL, water->scratch, water->molecules);
  for (size_t m = 0; m < water->molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      const size_t i = k * water->stride + m;
      forces[RILL_COORDINATES * m + k] = water->f[i] + (water->penalised ? water->scratch[i] : 0);
    }
  return RILL_OK;
}

void rill_water_copy_positions(const struct rill_system *system, double *positions) {
  struct rill_water *water = system->self;
  const double *q = rill_water_physical(water);
  for (size_t m = 0; m < water->molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      positions[RILL_COORDINATES * m + k] = q[k * water->stride + m] + water->offset[k % 3];
}

void rill_water_list_counts(const struct rill_system *system, struct rill_periodic_counts *counts) {
  *counts = rill_water_field_counts(((const struct rill_water *)system->self)->field);
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

size_t rill_water_molecules(const struct rill_system *system) {
  const struct rill_water *water = system->self;
  return water->molecules;
}

static enum rill_status create_bodies(struct rill_water *water, struct rill_error *error) {
  const enum rill_rotor rotor =
      water->options.constraints.solver == RILL_BODIES_LGVI ? RILL_ROTOR_LGVI : RILL_ROTOR_AXES;
  water->body_block = rill_allocate(RILL_BODY_ROWS * water->stride, sizeof *water->body_block);
  water->saved.bodies = rill_allocate(RILL_BODY_ROWS * water->stride, sizeof *water->saved.bodies);
  if (water->body_block == NULL || water->saved.bodies == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", water->molecules);
  water->bodies = rill_bodies_of(water->body_block, water->stride);
  water->body_flows = rill_body_table(water->options.isa);
  water->body_ou.noise = rill_noise_create(water->options.seed, RILL_STREAM_THERMOSTAT);
  water->body_ou.single = water->ou.single;
  return rill_body_create(&water->options.model, rotor, &water->body, error);
}

static enum rill_status create_penalised(struct rill_water *water, struct rill_error *error) {
  const size_t count = RILL_COORDINATES * water->stride;
  water->a = rill_allocate(count, sizeof *water->a);
  water->physical = rill_allocate(count, sizeof *water->physical);
  water->newmark = rill_allocate(count, sizeof *water->newmark);
  water->saved.newmark = rill_allocate(count, sizeof *water->newmark);
  if (water->a == NULL || water->physical == NULL || water->newmark == NULL || water->saved.newmark == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", water->molecules);
  return rill_penalty_create(&water->options.model, water->options.stiffness, &water->penalty, error);
}

static const struct rill_flow_ops *flow_of(const struct rill_water *water) {
  const bool ou_is_offered = water->options.thermostat;
  if (water->of_bodies) return ou_is_offered ? &rill_water_bodies_flow : &rill_water_bodies_flow_without_ou;
  if (water->penalised) return ou_is_offered ? &rill_water_penalised_flow : &rill_water_penalised_flow_without_ou;
  return ou_is_offered ? &flow_ops : &flow_ops_without_ou;
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
  size_t count;
  field.box.bond_tolerance = rill_water_bond_tolerance(options->stiffness);
  *system = (struct rill_system){0};
  if (water == NULL) goto memory;
  water->options = *options;
  water->options.positions = water->options.velocities = NULL;
  water->molecules = options->molecules;
  water->stride = rill_padded(options->molecules);
  count = RILL_COORDINATES * water->stride;
  water->q = rill_allocate(count, sizeof *water->q);
  water->v = rill_allocate(count, sizeof *water->v);
  water->f = rill_allocate(count, sizeof *water->f);
  water->saved.q = rill_allocate(count, sizeof *water->saved.q);
  water->saved.v = rill_allocate(count, sizeof *water->saved.v);
  water->scratch = rill_allocate(count, sizeof *water->scratch);
  water->masses = rill_allocate(count, sizeof *water->masses);
  water->results = rill_allocate(options->threads > 1 ? (size_t)options->threads : 1, sizeof *water->results);
  if (water->q == NULL || water->v == NULL || water->f == NULL || water->saved.q == NULL || water->saved.v == NULL ||
      water->scratch == NULL || water->masses == NULL || water->results == NULL)
    goto memory;
  if (options->model.site_weight != 0.0 && !options->periodic && !options->box.open) {
    water->derivative_work = rill_allocate(2 * count, sizeof *water->derivative_work);
    if (water->derivative_work == NULL) goto memory;
  }
  water->penalised = options->stiffness > 0;
  water->of_bodies = !water->penalised && rill_constraint_solver_is_of_bodies(options->constraints.solver);
  if (water->penalised) status = create_penalised(water, error);
  else status = rill_rigid_create(&options->model, &options->constraints, &water->rigid, error);
  if (status != RILL_OK) goto fail;
  if (water->of_bodies) {
    status = create_bodies(water, error);
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
  status = rill_water_field_create(&options->model, options->molecules, water->stride, &field, &water->field, error);
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
  water->filter = rill_filter_identity;
  water->report.residual = NAN;
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < water->stride; m++) water->masses[k * water->stride + m] = options->model.mass[k / 3];
  water->implicit = (struct rill_implicit){
      .ops = options->periodic || options->box.open ? &rill_water_box_implicit_ops : &rill_water_implicit_ops,
      .n = count,
      .q = water->q,
      .v = water->v,
      .mass = water->masses,
      .acceleration = water->newmark,
      .constrained = !water->penalised,
      .stiff = water->penalised,
      .length = RILL_WATER_LENGTH,
      .report = &water->report,
      .self = water};
  *system = (struct rill_system){.ops = water->of_bodies   ? &bodies_ops
                                        : water->penalised ? &penalised_ops
                                                           : &system_ops,
                                 .flow = flow_of(water),
                                 /* positions of atoms are not independent in a rigid body */
                                 .implicit = water->of_bodies ? NULL : &water->implicit,
                                 .thermal = options->thermostat ? &rill_water_thermal_ops : NULL,
                                 .trial = options->trials ? &rill_water_trial_ops : NULL,
                                 .trials = options->trials ? &water->trials : NULL,
                                 .barostat = rill_water_has_barostat(water) ? &rill_water_barostat_ops : NULL,
                                 .cell_moves = rill_water_has_barostat(water) ? &water->cell_moves : NULL,
                                 .timers = options->timers,
                                 .lanes = &rill_water_lanes,
                                 .self = water};
  fill_inert_columns(water);
  rill_water_set_state(system, options->positions, options->velocities);
  if (!water->penalised && !water->of_bodies)
    water->flows->project(&water->rigid, (struct rill_range){0, water->stride}, columns(water));
  save(water);
  return RILL_OK;
memory:
  status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", options->molecules);
fail:
  destroy(water);
  return status;
}
