/* Verdicts on small systems, of a run in memory or in a file: energy and momentum maps, or in a heat bath its
 * temperature and the law of the kinetic energy; constraints. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/statistics.h"
#include "base/memory.h"
#include "output/series_file.h"
#include "study/validate.h"

static const double energy_limit = 1e-3;    /* drift of the energy, relative to the kinetic energy's range */
static const double change_limit = 0.5;     /* largest change of the energy since the start, relative to the same */
static const double residual_limit = 1e-9;  /* of constraints, in the system's units */
static const double momentum_limit = 1e-10; /* relative to the largest of the momentum maps */
static const double skipped_part = 0.1;     /* of a run in a bath, before equipartition is judged */

static double range_of(const double *values, size_t count, size_t stride) {
  double least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    least = fmin(least, values[i * stride]);
    most = fmax(most, values[i * stride]);
  }
  return most - least;
}

static void judge_energy(const struct rill_series_file_rows *rows, double *scratch, struct rill_verdicts *verdicts) {
  size_t n = rows->frames;
  double kinetic = range_of(rows->energy, n, RILL_SERIES_ENERGY), span = rows->time[n - 1] - rows->time[0], change,
         spread, allowed;
  struct rill_drift drift;
  struct rill_finding finding = {.what = "energy", .unit = "", .limit = energy_limit};
  for (size_t i = 0; i < n; i++) scratch[i] = rows->energy[RILL_SERIES_ENERGY * i + 2];
  spread = range_of(scratch, n, 1);
  drift = rill_drift_of(rows->time, scratch, n);
  /* Without exchange of energy, as in the equilibrium of a free body, the energy itself sets the scale. */
  kinetic = fmax(kinetic, 1e-6 * fabs(scratch[0]));
  change = drift.slope * span / kinetic;
  finding.value = change;
  finding.error = drift.error * span / kinetic;
  allowed = 3 * (isfinite(drift.error) ? drift.error : drift.bound) * span / kinetic;
  if (!isfinite(change) ||
      (!isfinite(drift.error) && fabs(change) > energy_limit && fabs(change) <= energy_limit + allowed)) {
    finding.verdict = RILL_VERDICT_OPEN;
    snprintf(finding.text, sizeof finding.text, "the drift cannot be determined: %s",
             rill_sampling_name(drift.sampling));
  } else if (fabs(change) > energy_limit + allowed) {
    finding.verdict = RILL_VERDICT_FAILS;
    snprintf(finding.text, sizeof finding.text,
             "drift over the run, as a fraction of the kinetic energy's range: shorten the step, or use a method "
             "that is symplectic or conserves the energy");
  } else {
    finding.verdict = RILL_VERDICT_PASSES;
    snprintf(finding.text, sizeof finding.text,
             "drifts by no more than %.1g of the kinetic energy's range over the run, within three standard errors; "
             "varies "
             "by %.3g of it",
             energy_limit, spread / kinetic);
  }
  rill_verdicts_add(verdicts, &finding);
}

/* An energy that changes as much as the kinetic energy does is not conserved at all, whatever its drift. */
static void judge_energy_change(const struct rill_series_file_rows *rows, struct rill_verdicts *verdicts) {
  const double *energy = rows->energy, first = energy[2],
               kinetic = fmax(range_of(energy, rows->frames, RILL_SERIES_ENERGY), 1e-3 * fabs(first));
  struct rill_finding finding = {.what = "energy change", .unit = "", .error = NAN, .limit = change_limit};
  double most = 0;
  bool kept;
  for (size_t i = 0; i < rows->frames && isfinite(most); i++) {
    const double change = fabs(energy[RILL_SERIES_ENERGY * i + 2] - first);
    if (!(change <= most)) most = change;
  }
  finding.value = most > 0 ? most / kinetic : 0;
  kept = finding.value <= change_limit;
  finding.verdict = kept ? RILL_VERDICT_PASSES : RILL_VERDICT_FAILS;
  snprintf(finding.text, sizeof finding.text,
           kept ? "largest change since the start, as a fraction of the kinetic energy's range"
                : "largest change since the start, as a fraction of the kinetic energy's range: the integration "
                  "failed, or the method does not conserve the energy; shorten the step");
  rill_verdicts_add(verdicts, &finding);
}

static void judge_residual(const struct rill_series_file_rows *rows, size_t column, const char *what,
                           struct rill_verdicts *verdicts) {
  struct rill_finding finding = {.what = what, .unit = "", .error = NAN, .limit = residual_limit};
  double most = 0;
  bool any = false;
  for (size_t i = 0; i < rows->frames; i++) {
    double r = fabs(rows->residual[RILL_SERIES_RESIDUAL * i + column]);
    any = any || isfinite(r);
    most = fmax(most, r);
  }
  if (!any) return;
  finding.value = most;
  finding.verdict = most <= residual_limit ? RILL_VERDICT_PASSES : RILL_VERDICT_OPEN;
  snprintf(finding.text, sizeof finding.text,
           most <= residual_limit
               ? "residuals are within %.0e in all samples"
               : "residuals exceed %.0e: the penalty or the method admits them, or the tolerance of the solves is "
                 "too large",
           residual_limit);
  rill_verdicts_add(verdicts, &finding);
}

/* Forces may change a momentum map, and a body's rotation changes its momentum about its own axes: a change is no
 * failure. */
static void judge_momenta(const struct rill_series_file_rows *rows, struct rill_verdicts *verdicts) {
  static const char *const names[RILL_SERIES_MOMENTUM] = {
      "momentum x", "momentum y", "momentum z", "angular momentum x", "angular momentum y", "angular momentum z"};
  double scale = 0;
  for (size_t i = 0; i < RILL_SERIES_MOMENTUM * rows->frames; i++) scale = fmax(scale, fabs(rows->momentum[i]));
  for (size_t k = 0; k < RILL_SERIES_MOMENTUM && scale > 0; k++) {
    struct rill_finding finding = {.unit = "", .error = NAN, .limit = momentum_limit};
    double change = range_of(rows->momentum + k, rows->frames, RILL_SERIES_MOMENTUM) / scale;
    if (!isfinite(rows->momentum[k]) || !isfinite(change)) continue;
    finding.what = names[k];
    finding.value = change;
    finding.verdict = change <= momentum_limit ? RILL_VERDICT_PASSES : RILL_VERDICT_OPEN;
    snprintf(finding.text, sizeof finding.text,
             change <= momentum_limit
                 ? "is conserved to %.0e of the largest momentum map"
                 : "changes by more than %.0e of the largest momentum map: forces or supports may change it, and a "
                   "body's rotation changes its momentum about its own axes",
             momentum_limit);
    rill_verdicts_add(verdicts, &finding);
  }
}

/* Under baoab the temperature of the half step has no error of order h^2. */
static enum rill_status judge_bath(const struct rill_series_file_rows *rows, const struct rill_deck *deck,
                                   double freedom, struct rill_verdicts *verdicts, struct rill_error *error) {
  const size_t n = rows->frames, column = deck->thermostat.method == RILL_BAOAB;
  const bool si = deck->units == RILL_UNITS_SI;
  struct rill_finding findings[RILL_FINDINGS];
  double *values = rill_allocate(2 * n, sizeof *values);
  struct rill_evidence e = {.rows = n,
                            .time = rows->time,
                            .potential = values,
                            .temperature = values + n,
                            .degrees_of_freedom = freedom,
                            .thermostatted = true,
                            .target = {deck->thermostat.temperature[0], deck->thermostat.temperature[1]}};
  size_t count = 0;
  if (values == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu samples", n);
  for (size_t i = 0; i < n; i++) {
    values[i] = rows->energy[RILL_SERIES_ENERGY * i + 1];
    values[n + i] = rows->temperature[RILL_SERIES_TEMPERATURE * i + column];
  }
  count = rill_judge_bath(&e, &(struct rill_evidence_units){si ? "s" : "", si ? "J" : ""}, findings);
  for (size_t i = 0; i < count; i++) rill_verdicts_add(verdicts, &findings[i]);
  rill_release(values);
  return count > 0 ? RILL_OK : rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu samples", n);
}

/* Forces beside those of the Lagrangian do work, and no law says how much. */
static void leave_energy_open(const struct rill_series_file_rows *rows, struct rill_verdicts *verdicts) {
  const double *energy = rows->energy;
  struct rill_finding finding = {.what = "energy change", .unit = "", .error = NAN, .limit = NAN};
  finding.value = energy[RILL_SERIES_ENERGY * (rows->frames - 1) + 2] - energy[2];
  finding.verdict = RILL_VERDICT_OPEN;
  snprintf(finding.text, sizeof finding.text,
           "from the first sample to the last: [force], [control] and [friction] do work, so that no law judges it; "
           "compare with a shorter step (rill compare)");
  rill_verdicts_add(verdicts, &finding);
}

static enum rill_status judge(const struct rill_series_file_rows *rows, const struct rill_deck *deck, double freedom,
                              struct rill_verdicts *verdicts, struct rill_error *error) {
  const bool bath = deck->thermostat.method != RILL_NO_BATH;
  double *scratch = rill_allocate(rows->frames, sizeof *scratch);
  if (scratch == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu samples", rows->frames);
  if (rows->frames < 2) {
    rill_release(scratch);
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%zu sample%s, expected at least 2; use a longer run or a shorter interval", rows->frames,
                          rows->frames == 1 ? "" : "s");
  }
  if (rill_deck_is_forced(deck)) {
    leave_energy_open(rows, verdicts);
  } else if (!bath) {
    judge_energy_change(rows, verdicts);
    judge_energy(rows, scratch, verdicts);
  }
  rill_release(scratch);
  if (bath) RILL_TRY(judge_bath(rows, deck, freedom, verdicts, error));
  judge_residual(rows, 0, "constraints", verdicts);
  judge_residual(rows, 1, "their velocities", verdicts);
  if (!bath) judge_momenta(rows, verdicts);
  return RILL_OK;
}

/* Reads the deck in the file's header, and makes its system for the number of degrees of freedom. */
static enum rill_status read_deck(const char *path, struct rill_simulation *sim, struct rill_error *error) {
  struct rill_series_file_info info;
  enum rill_status status = rill_series_file_describe(path, &info, error);
  if (status == RILL_OK)
    status = rill_deck_read_text(&rill_deck_registry, path, info.deck, NULL, 0, &sim->deck, error);
  rill_series_file_info_release(&info);
  if (status == RILL_OK) status = rill_simulation_find(sim, error);
  if (status == RILL_OK) status = rill_simulation_create_system(sim, error);
  return status;
}

/* A file without temperatures is that of a run without a bath, whose deck is not needed. */
static enum rill_status judge_file(const char *path, const struct rill_series_file_rows *rows,
                                   struct rill_simulation *sim, struct rill_verdicts *verdicts,
                                   struct rill_error *error) {
  const bool bath = rows->frames > 0 && isfinite(rows->temperature[0]);
  if (bath) RILL_TRY(read_deck(path, sim, error));
  if (judge(rows, &sim->deck, bath ? rill_simulation_degrees_of_freedom(sim) : NAN, verdicts, error) == RILL_OK)
    return RILL_OK;
  return rill_error_prefix(error, "%s", path);
}

enum rill_status rill_validate_series_file(const char *path, struct rill_verdicts *verdicts,
                                           struct rill_error *error) {
  struct rill_simulation *sim = rill_allocate(1, sizeof *sim);
  struct rill_series_file_rows rows = {0};
  enum rill_status status;
  if (sim == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_series_file_read(path, &rows, error);
  if (status == RILL_OK) status = judge_file(path, &rows, sim, verdicts, error);
  rill_series_file_rows_release(&rows);
  rill_simulation_release(sim);
  rill_release(sim);
  return status;
}

/* ---- a deck's run ---- */

struct sampler {
  const struct rill_system *system;
  struct rill_series_file_rows rows;
  size_t capacity;
  double shares_from;         /* time, after the run has come to equilibrium */
  struct rill_average *share; /* [shares]: m v^2 of each momentum */
  size_t shares;              /* 0: not of this run */
};

/* Momenta that are independent, each with a mass: without constraints, or about the axes of a body.  Those on the
 * step are the bath's under gla alone. */
static size_t count_shares(const struct rill_simulation *sim) {
  const struct rill_system *system = &sim->system;
  if (sim->deck.thermostat.method != RILL_GLA ||
      sim->deck.thermostat.temperature[0] != sim->deck.thermostat.temperature[1])
    return 0;
  if (system->group != NULL) return system->group->dimension;
  return system->mechanical != NULL && system->mechanical->m == 0 && system->mechanical->n > 1 ? system->mechanical->n
                                                                                               : 0;
}

static void add_shares(struct sampler *sampler) {
  const struct rill_system *system = sampler->system;
  const double *p = system->state->p;
  double velocity[3];
  if (system->group != NULL) system->group->ops->inertia_inverse(system->group->self, p, velocity);
  for (size_t i = 0; i < sampler->shares; i++)
    rill_average_add(&sampler->share[i],
                     p[i] * (system->group != NULL ? velocity[i] : p[i] / system->mechanical->mass[i]));
}

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct sampler *sampler = self;
  struct rill_series_file_rows *rows = &sampler->rows;
  size_t i = rows->frames;
  struct rill_observation o;
  (void)step;
  RILL_TRY(sampler->system->ops->observe(sampler->system->self, &o, error));
  if (time >= sampler->shares_from) add_shares(sampler);
  if (i >= sampler->capacity) return RILL_OK;
  rows->time[i] = time;
  rows->energy[RILL_SERIES_ENERGY * i] = o.kinetic;
  rows->energy[RILL_SERIES_ENERGY * i + 1] = o.potential;
  rows->energy[RILL_SERIES_ENERGY * i + 2] = o.kinetic + o.potential;
  for (size_t d = 0; d < 3; d++) {
    rows->momentum[RILL_SERIES_MOMENTUM * i + d] = o.momentum[d];
    rows->momentum[RILL_SERIES_MOMENTUM * i + 3 + d] = o.angular_momentum[d];
  }
  rows->residual[RILL_SERIES_RESIDUAL * i] = o.position_deviation_max;
  rows->residual[RILL_SERIES_RESIDUAL * i + 1] = o.velocity_deviation_max;
  rows->temperature[RILL_SERIES_TEMPERATURE * i] = o.temperature;
  rows->temperature[RILL_SERIES_TEMPERATURE * i + 1] = o.temperature_half;
  rows->frames++;
  return RILL_OK;
}

static enum rill_status allocate(struct sampler *sampler, struct rill_error *error) {
  struct rill_series_file_rows *rows = &sampler->rows;
  size_t n = sampler->capacity;
  rows->time = rill_allocate(n, sizeof(double));
  rows->energy = rill_allocate(n * RILL_SERIES_ENERGY, sizeof(double));
  rows->momentum = rill_allocate(n * RILL_SERIES_MOMENTUM, sizeof(double));
  rows->residual = rill_allocate(n * RILL_SERIES_RESIDUAL, sizeof(double));
  rows->temperature = rill_allocate(n * RILL_SERIES_TEMPERATURE, sizeof(double));
  sampler->share = rill_allocate(sampler->shares, sizeof *sampler->share);
  if (rows->time != NULL && rows->energy != NULL && rows->momentum != NULL && rows->residual != NULL &&
      rows->temperature != NULL && sampler->share != NULL)
    return RILL_OK;
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu samples", n);
}

static enum rill_status run_deck(const struct rill_validate_request *request, struct rill_simulation *sim,
                                 struct sampler *sampler, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  struct rill_observer observers[2] = {{deck->output.series_interval, sample, sampler, true, true}};
  struct rill_driver driver = {.system = &sim->system,
                               .integrator = sim->integrator,
                               .guard = &sim->guard,
                               .observers = observers,
                               .observer_count = 1,
                               .last = deck->integrator.steps,
                               .stop = request->stop};
  sampler->system = &sim->system;
  sampler->shares = count_shares(sim);
  sampler->shares_from = skipped_part * (double)deck->integrator.steps * deck->integrator.step;
  sampler->capacity = (size_t)(deck->integrator.steps / deck->output.series_interval) + 2;
  RILL_TRY(allocate(sampler, error));
  if (request->watch != NULL) observers[driver.observer_count++] = request->watch(request->context, sim);
  return rill_driver_run(&driver, error);
}

enum rill_status rill_validate_small(const struct rill_validate_request *request, struct rill_simulation *sim,
                                     struct rill_verdicts *verdicts, struct rill_error *error) {
  struct sampler sampler = {0};
  struct rill_finding finding;
  enum rill_status status;
  sim->threads = request->threads;
  RILL_TRY(rill_simulation_create(sim, error));
  RILL_TRY(rill_simulation_watch_limits(sim, error));
  status = run_deck(request, sim, &sampler, error);
  if (status == RILL_OK &&
      judge(&sampler.rows, &sim->deck, rill_simulation_degrees_of_freedom(sim), verdicts, error) != RILL_OK)
    status = rill_error_prefix(error, "%s", sim->deck.path);
  if (status == RILL_OK && sampler.shares > 0 &&
      rill_judge_equipartition(sampler.share, sampler.shares, sim->deck.thermostat.temperature[0],
                               rill_simulation_energy_unit(sim), &finding))
    rill_verdicts_add(verdicts, &finding);
  rill_release(sampler.share);
  rill_series_file_rows_release(&sampler.rows);
  return status;
}
