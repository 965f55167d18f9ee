/* Verdicts on water: a deck's run or a trajectory's series, and tests of a deck's method. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "integrators/registry.h"
#include "integrators/splittings.h"
#include "output/series.h"
#include "output/trajectory.h"
#include "simulation/limits.h"
#include "simulation/series_columns.h"
#include "simulation/water.h"
#include "study/validate.h"

enum { REVERSED_STEPS = 200, THREADED_STEPS = 20, ORDER_SAMPLES = 400, STATE = RILL_COORDINATES };
static const double order_span = 2;         /* ps: longest test of the order */
static const double order_tolerance = 0.25; /* relative, of the ratio of fluctuations */
static const double reversal_limit = 1e-9;  /* nm */

/* ---- evidence ---- */

/* The columns that the evidence uses, in its order. */
enum {
  TIME,
  POTENTIAL,
  TOTAL,
  TEMPERATURE,
  TRANSLATION,
  ROTATION,
  POSITION,
  VELOCITY,
  MOMENTUM,
  ANGULAR = MOMENTUM + 3,
  RESIDUAL = ANGULAR + 3,
  PRESSURE,
  VOLUME,
  EFFECTIVE, /* the last: of decks that have it */
  COLUMNS
};

static void choose_columns(const struct rill_deck *deck, enum rill_series_column columns[COLUMNS]) {
  bool half = deck->thermostat.method == RILL_BAOAB; /* baoab's half-step temperature is the accurate one */
  const enum rill_series_column chosen[COLUMNS] = {
      RILL_SERIES_time_ps,
      RILL_SERIES_potential,
      RILL_SERIES_total,
      half ? RILL_SERIES_temperature_half : RILL_SERIES_temperature,
      half ? RILL_SERIES_temperature_half_translation : RILL_SERIES_temperature_translation,
      half ? RILL_SERIES_temperature_half_rotation : RILL_SERIES_temperature_rotation,
      RILL_SERIES_position_deviation_max,
      RILL_SERIES_velocity_deviation_max,
      RILL_SERIES_momentum_x,
      RILL_SERIES_momentum_y,
      RILL_SERIES_momentum_z,
      RILL_SERIES_angular_momentum_x,
      RILL_SERIES_angular_momentum_y,
      RILL_SERIES_angular_momentum_z,
      RILL_SERIES_residual,
      RILL_SERIES_pressure_bath,
      RILL_SERIES_volume,
      RILL_SERIES_effective,
  };
  memcpy(columns, chosen, sizeof chosen);
}

/* Scales of the momenta: the sum of the sizes of thermal momenta, and of their moments at the molecules' mean
 * distance from the centre; and their errors in one step by rounding and by residuals of solves.  Each kick rounds a
 * momentum and an impulse h f, where f is the force of hydrogen bonds and, in penalised water, of springs;
 * position-shake computes velocities from differences of positions. Pairs in single precision round forces. */
static void choose_scales(const struct rill_deck *deck, const struct rill_water_model *model, const double *positions,
                          size_t molecules, double temperature, double residual, struct rill_evidence *e) {
  static const double of_hydrogen_bonds = 1000; /* kJ/mol/nm */
  const double kt = RILL_GAS_CONSTANT * temperature, h = deck->integrator.step, count = (double)molecules;
  const double of_double = 0x1p-53, of_forces = deck->forces.precision == RILL_PRECISION_MIXED ? 0x1p-24 : of_double;
  const double spring = 2 * deck->penalty.stiffness * model->bond[0] * sqrt(kt);
  const double force = hypot(of_hydrogen_bonds, spring);
  double centre[3] = {0}, squares = 0, origin = 0, momentum = 0, mass = 0, rounding = 0, radius;
  for (size_t m = 0; m < molecules; m++)
    for (int d = 0; d < 3; d++) centre[d] += positions[STATE * m + (size_t)d] / count;
  for (size_t m = 0; m < molecules; m++)
    for (int d = 0; d < 3; d++) {
      squares += pow(positions[STATE * m + (size_t)d] - centre[d], 2) / count;
      origin += pow(positions[STATE * m + (size_t)d], 2) / count;
    }
  radius = sqrt(squares) + model->bond[0];
  for (int a = 0; a < RILL_ATOMS; a++) {
    const double differences = rill_method_find(deck->integrator.method) == &rill_method_position_shake
                                   ? model->mass[a] * sqrt(origin) / h
                                   : 0;
    momentum += count * sqrt(3 * model->mass[a] * kt);
    mass += count * model->mass[a];
    rounding +=
        count * (pow(of_double, 2) * (3 * model->mass[a] * kt + pow(differences, 2)) + pow(of_forces * h * force, 2));
  }
  e->momentum_scale = momentum;
  e->angular_momentum_scale = momentum * radius;
  e->momentum_rounding = sqrt(rounding);
  e->angular_momentum_rounding = sqrt(rounding) * radius;
  e->momentum_residual = residual * mass / h;
  e->angular_momentum_residual = residual * mass / h * radius;
}

/* The limit for a bond that is a spring, at the higher temperature of bath and start, but at least 300 K. */
static double bond_limit(const struct rill_deck *deck, const struct rill_water_model *model, double start) {
  const double bath = deck->thermostat.method != RILL_NO_BATH
                          ? fmax(deck->thermostat.temperature[0], deck->thermostat.temperature[1])
                          : 0;
  if (!(deck->penalty.stiffness > 0)) return 0;
  return rill_stop_stretch(deck->penalty.stiffness, model->bond[0],
                           fmax(RILL_ENERGY_TEMPERATURE, fmax(bath, isfinite(start) ? start : 0)), 1);
}

/* Of rotation, and of the vibrations of stiff bonds, in the mean that the bath keeps. */
static double rotation_share(const struct rill_deck *deck, size_t molecules, double freedom) {
  const double of_rotation = (deck->penalty.stiffness > 0 ? 6.0 : 3.0) * (double)molecules;
  const double rotation = deck->thermostat.rotation_friction * of_rotation;
  return rotation > 0 ? rotation / (rotation + deck->thermostat.friction * (freedom - of_rotation)) : 0;
}

/* values: [COLUMNS][rows] */
static enum rill_status judge_series(const struct rill_deck *deck, const struct rill_water_model *model,
                                     const double *positions, size_t molecules, double freedom, const double *values,
                                     size_t rows, struct rill_verdicts *verdicts, struct rill_error *error) {
  struct rill_finding findings[RILL_FINDINGS];
  bool thermostatted = deck->thermostat.method != RILL_NO_BATH;
  const bool barostatted = deck->barostat.method != RILL_NO_BAROSTAT;
  const bool rescaled = deck->thermostat.method == RILL_V_RESCALE;
  const bool trapped = deck->field.on && deck->field.trap > 0;
  bool isolated = !thermostatted && !deck->confine.on && deck->system.boundary == RILL_BOUNDARY_VACUUM && rows > 1;
  struct rill_evidence e = {
      .rows = rows,
      .time = values + TIME * rows,
      .potential = values + POTENTIAL * rows,
      .total = values + TOTAL * rows,
      .effective = rescaled ? values + EFFECTIVE * rows : NULL,
      .temperature = values + TEMPERATURE * rows,
      .translation = values + TRANSLATION * rows,
      .rotation = values + ROTATION * rows,
      .position_deviation = values + POSITION * rows,
      .velocity_deviation = values + VELOCITY * rows,
      .degrees_of_freedom = freedom,
      .step = deck->integrator.step,
      .thermostatted = thermostatted,
      .target = {deck->thermostat.temperature[0], deck->thermostat.temperature[1]},
      .rotation_share = rotation_share(deck, molecules, freedom),
      .pressure = barostatted ? values + PRESSURE * rows : NULL,
      .volume = barostatted ? values + VOLUME * rows : NULL,
      .target_pressure = deck->barostat.pressure / RILL_BAR,
      .supply = rill_stop_supply(deck, model, freedom),
      .rigid = !(deck->penalty.stiffness > 0),
      .bond_limit = bond_limit(deck, model, values[TEMPERATURE * rows]),
      .cut_by_molecules =
          deck->system.boundary == RILL_BOUNDARY_PERIODIC && deck->forces.cutoff_by == RILL_CUTOFF_MOLECULE,
      .position_tolerance = deck->constraints.tolerance,
      .velocity_tolerance = deck->constraints.velocity_tolerance,
  };
  size_t count;
  for (int d = 0; d < 3; d++) {
    e.momentum[d] = values + (size_t)(MOMENTUM + d) * rows;
    e.angular_momentum[d] = values + (size_t)(ANGULAR + d) * rows;
  }
  if (isolated) {
    double sum = 0, residual = 0;
    for (size_t i = 0; i < rows; i++) {
      sum += e.temperature[i];
      residual = fmax(residual, values[RESIDUAL * rows + i]); /* NaN without a solve */
    }
    choose_scales(deck, model, positions, molecules, sum / (double)rows, residual, &e);
    e.keeps_momentum = e.momentum_scale > 0 && !trapped;
    e.keeps_angular_momentum = e.momentum_scale > 0 && !rill_water_has_electric(deck);
  }
  count = rill_judge(&e, findings);
  if (count == 0) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu samples", rows);
  for (size_t i = 0; i < count; i++) rill_verdicts_add(verdicts, &findings[i]);
  return RILL_OK;
}

/* ---- trajectories ---- */

static enum rill_status judge_file(struct rill_trajectory_reader *reader, const char *path, struct rill_deck *deck,
                                   struct rill_verdicts *verdicts, struct rill_error *error) {
  enum rill_series_column chosen[COLUMNS];
  const char *names[COLUMNS];
  struct rill_water_species species;
  struct rill_water_model model;
  size_t rows, molecules = rill_trajectory_molecules(reader);
  double *values = NULL, *positions = rill_allocate(STATE * molecules, sizeof *positions), time;
  uint64_t step;
  const size_t columns = deck->thermostat.method == RILL_V_RESCALE ? COLUMNS : EFFECTIVE;
  enum rill_status status;
  if (positions == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: no memory for a frame", path);
  choose_columns(deck, chosen);
  for (size_t c = 0; c < columns; c++) names[c] = rill_series_names[chosen[c]];
  status = rill_water_model_of_deck(deck, &species, &model, error);
  if (status == RILL_OK)
    status = rill_trajectory_read_columns(reader, "series", columns, names, &rows, &values, error);
  if (status == RILL_OK && rill_trajectory_frames(reader) > 0)
    status = rill_trajectory_read(reader, 0, &step, &time, positions, NULL, NULL, error);
  if (status == RILL_OK)
    status = judge_series(deck, &model, positions, molecules, rill_trajectory_degrees_of_freedom(reader), values,
                          rows, verdicts, error);
  rill_release(values);
  rill_release(positions);
  return status;
}

/* A frame that is not finite, impossible, or out of order makes the file faulty, whatever its series contain. */
static enum rill_status judge_frames(struct rill_trajectory_reader *reader, struct rill_verdicts *verdicts,
                                     struct rill_error *error) {
  struct rill_trajectory_survey *survey = rill_allocate(1, sizeof *survey);
  struct rill_finding finding = {
      .what = "frames", .verdict = RILL_VERDICT_PASSES, .error = NAN, .limit = 0, .unit = "frames"};
  enum rill_status status;
  if (survey == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a survey of the frames");
  status = rill_trajectory_survey(reader, survey, error);
  finding.value = (double)(survey->damaged + survey->disordered);
  if (survey->damaged > 0)
    snprintf(finding.text, sizeof finding.text, "%zu of %zu frames are damaged; the first: %.250s", survey->damaged,
             rill_trajectory_frames(reader), survey->first_damage.text);
  else if (survey->disordered > 0)
    snprintf(finding.text, sizeof finding.text, "%zu of %zu frames are not later than the one before; the first: %zu",
             survey->disordered, rill_trajectory_frames(reader), survey->first_disordered);
  else
    snprintf(finding.text, sizeof finding.text,
             "all %zu frames are finite and possible, and each is later than the one before",
             rill_trajectory_frames(reader));
  if (finding.value > 0) finding.verdict = RILL_VERDICT_FAILS;
  if (status == RILL_OK) rill_verdicts_add(verdicts, &finding);
  rill_release(survey);
  return status;
}

enum rill_status rill_validate_trajectory(const char *path, struct rill_verdicts *verdicts,
                                          struct rill_error *error) {
  struct rill_trajectory_reader *reader;
  struct rill_deck *deck = malloc(sizeof *deck);
  enum rill_status status;
  if (deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_trajectory_open(path, &reader, error);
  if (status == RILL_OK) {
    if (rill_trajectory_deck(reader)[0] == '\0')
      status = rill_error_set(error, RILL_ERROR_INPUT, "%s contains no deck: only runs of rill can be judged", path);
    else status = rill_deck_read_text(&rill_deck_registry, path, rill_trajectory_deck(reader), NULL, 0, deck, error);
    if (status == RILL_OK) status = judge_frames(reader, verdicts, error);
    if (status == RILL_OK)
      status = deck->ensemble.on ? rill_validate_ensemble(reader, deck, verdicts, error)
                                 : judge_file(reader, path, deck, verdicts, error);
    rill_trajectory_reader_close(reader);
  }
  free(deck);
  return status;
}

/* ---- decks ---- */

struct trial {
  const struct rill_validate_request *request;
  size_t molecules;
  double *positions, *velocities; /* [molecules][9]: at the end of the run */
  double cell[3][3];              /* then, of a box */
};

/* Makes the deck's system and method, in the state at the end of its run if there was one.  step: 0 for the deck's
 * step. */
static enum rill_status prepare(const struct trial *trial, bool constant_energy, double step, int threads,
                                struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_validate_request *request = trial->request;
  RILL_TRY(rill_simulation_read(request->path, request->overrides, request->override_count, sim, error));
  if (constant_energy) {
    sim->deck.thermostat.method = RILL_NO_BATH;
    sim->deck.start.velocities = RILL_VELOCITIES_ZERO; /* the state of the run's end is set below */
    sim->deck.start.minimize = false;
    sim->deck.penalty.record = false;
    sim->deck.barostat.method = RILL_NO_BAROSTAT;
  }
  sim->deck.integrator.step = step > 0 ? step : sim->deck.integrator.step;
  sim->threads = threads;
  RILL_TRY(rill_simulation_create(sim, error));
  if (trial->positions == NULL) return RILL_OK;
  rill_water_set_state(&sim->system, trial->positions, trial->velocities);
  if (rill_water_cell(&sim->system) == NULL) return RILL_OK;
  return rill_water_set_cell(&sim->system, (const double(*)[3])trial->cell, error);
}

struct sampler {
  struct rill_simulation *sim;
  struct rill_series *series;
};

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct sampler *sampler = self;
  struct rill_observation o;
  double row[RILL_SERIES_COLUMNS];
  RILL_TRY(sampler->sim->system.ops->observe(sampler->sim->system.self, &o, error));
  rill_series_row(step, time, &o, row);
  return rill_series_append(sampler->series, row, error);
}

static enum rill_status sample_properties(void *self, uint64_t step, double time, struct rill_error *error) {
  return rill_properties_sample(self, step, time, error);
}

static enum rill_status run_deck(const struct trial *trial, struct rill_simulation *sim, struct rill_series *series,
                                 struct rill_properties *properties, struct rill_error *error) {
  const struct rill_validate_request *request = trial->request;
  struct sampler sampler = {sim, series};
  struct rill_observer observers[3] = {{sim->deck.output.series_interval, sample, &sampler, true, true}};
  struct rill_driver driver = {.system = &sim->system,
                               .guard = &sim->guard,
                               .integrator = sim->integrator,
                               .observers = observers,
                               .observer_count = 1,
                               .last = sim->deck.integrator.steps,
                               .stop = request->stop};
  RILL_TRY(rill_simulation_watch_limits(sim, error));
  if (properties != NULL) {
    observers[driver.observer_count++] =
        (struct rill_observer){sim->deck.properties.interval, sample_properties, properties, false, false};
    driver.energy_interval = rill_properties_energy_interval(properties);
  }
  if (request->watch != NULL) observers[driver.observer_count++] = request->watch(request->context, sim);
  return rill_driver_run(&driver, error);
}

static enum rill_status judge_run(struct trial *trial, struct rill_verdicts *verdicts, struct rill_error *error) {
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  struct rill_series *series = NULL;
  struct rill_properties *properties = NULL;
  enum rill_series_column chosen[COLUMNS];
  double *values = NULL, *start = NULL;
  size_t rows;
  enum rill_status status = RILL_ERROR_MEMORY;
  if (sim == NULL) return rill_error_set(error, status, "no memory");
  status = prepare(trial, false, 0, trial->request->threads, sim, error);
  if (status == RILL_OK)
    status = rill_series_create(NULL, false, NULL, RILL_SERIES_COLUMNS, rill_series_names, rill_series_units, &series,
                                error);
  if (status == RILL_OK && sim->deck.properties.on) status = rill_properties_create(sim, &properties, error);
  if (status != RILL_OK) goto done;
  trial->molecules = rill_water_molecules(&sim->system);
  start = rill_allocate(STATE * trial->molecules, sizeof *start);
  if (start != NULL) rill_water_copy_state(&sim->system, start, NULL);
  status = run_deck(trial, sim, series, properties, error);
  if (status != RILL_OK) goto done;
  rows = rill_series_rows(series);
  values = rill_allocate(COLUMNS * rows, sizeof *values);
  trial->positions = rill_allocate(STATE * trial->molecules, sizeof(double));
  trial->velocities = rill_allocate(STATE * trial->molecules, sizeof(double));
  if (start == NULL || values == NULL || trial->positions == NULL || trial->velocities == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu samples", rows);
    goto done;
  }
  rill_water_copy_state(&sim->system, trial->positions, trial->velocities);
  if (rill_water_cell(&sim->system) != NULL)
    memcpy(trial->cell, rill_water_cell(&sim->system)->vector, sizeof trial->cell);
  choose_columns(&sim->deck, chosen);
  for (int c = 0; c < COLUMNS; c++) rill_series_column(series, chosen[c], values + (size_t)c * rows);
  status = judge_series(&sim->deck, &sim->model, start, trial->molecules,
                        sim->system.ops->degrees_of_freedom(sim->system.self), values, rows, verdicts, error);
  if (status == RILL_OK && properties != NULL) status = rill_validate_properties(properties, verdicts, error);
done:
  rill_properties_destroy(properties);
  if (series != NULL && rill_series_close(series, error) != RILL_OK) status = error->status;
  rill_release(values);
  rill_release(start);
  rill_simulation_release(sim);
  free(sim);
  return status;
}

/* ---- tests of the method, at constant energy, from the end of the run ---- */

/* Standard deviation of the total energy over `steps` steps, sampled every `stride`. */
static enum rill_status fluctuation(const struct trial *trial, double step, uint64_t steps, uint64_t stride,
                                    double *deviation, struct rill_error *error) {
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  double sum = 0, squares = 0, first = 0, count = 0;
  enum rill_status status = RILL_ERROR_MEMORY;
  if (sim == NULL) return rill_error_set(error, status, "no memory");
  status = prepare(trial, true, step, trial->request->threads, sim, error);
  for (uint64_t i = 0; status == RILL_OK && i <= steps; i++) {
    struct rill_observation o;
    if (i > 0) status = rill_integrator_step(sim->integrator, i - 1, false, error);
    if (status != RILL_OK || i % stride != 0) continue;
    status = sim->system.ops->observe(sim->system.self, &o, error);
    if (count == 0) first = o.kinetic + o.potential;
    sum += o.kinetic + o.potential - first;
    squares += pow(o.kinetic + o.potential - first, 2);
    count++;
  }
  *deviation = sqrt(fmax(0, squares / count - sum * sum / (count * count)));
  rill_simulation_release(sim);
  free(sim);
  return status;
}

static enum rill_status try_order(const struct trial *trial, const struct rill_simulation *deck, int order,
                                  struct rill_verdicts *verdicts, struct rill_error *error) {
  double h = deck->deck.integrator.step, expected = pow(2, order), coarse, fine, ratio;
  uint64_t steps = (uint64_t)ceil(fmin(order_span, (double)deck->deck.integrator.steps * h) / h);
  uint64_t stride = steps / ORDER_SAMPLES + 1;
  struct rill_finding finding = {.what = "order", .unit = "", .error = NAN, .limit = expected};
  steps -= steps % stride;
  RILL_TRY(fluctuation(trial, h, steps, stride, &coarse, error));
  RILL_TRY(fluctuation(trial, h / 2, 2 * steps, 2 * stride, &fine, error));
  ratio = finding.value = coarse / fine;
  if (fabs(ratio / expected - 1) <= order_tolerance) {
    finding.verdict = RILL_VERDICT_PASSES;
    snprintf(finding.text, sizeof finding.text,
             "halving the step reduces the fluctuation of the total energy by a factor of %.3g (from %.3g kJ/mol), "
             "as expected of order %d",
             ratio, coarse, order);
  } else {
    bool noise = deck->deck.system.boundary == RILL_BOUNDARY_PERIODIC;
    finding.verdict = noise ? RILL_VERDICT_OPEN : RILL_VERDICT_FAILS;
    snprintf(
        finding.text, sizeof finding.text,
        "halving the step reduces the fluctuation of the total energy (%.3g kJ/mol) by a factor of %.3g, but order "
        "%d implies %g: %s",
        coarse, ratio, order, expected,
        noise ? "cutoffs and rounding of the forces mask the method's error"
              : "the step is too long for the method, or the tolerance of the solves is too large");
  }
  rill_verdicts_add(verdicts, &finding);
  return RILL_OK;
}

static enum rill_status try_reversal(const struct trial *trial, struct rill_verdicts *verdicts,
                                     struct rill_error *error) {
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  size_t size = STATE * trial->molecules;
  double *q = rill_allocate(size, sizeof *q), *v = rill_allocate(size, sizeof *v), most = 0;
  enum rill_status status = RILL_ERROR_MEMORY;
  struct rill_finding finding = {.what = "reversal", .unit = "nm", .error = NAN};
  if (sim == NULL || q == NULL || v == NULL) {
    rill_error_set(error, status, "no memory");
    goto done;
  }
  status = prepare(trial, true, 0, trial->request->threads, sim, error);
  if (status != RILL_OK) goto done;
  for (uint64_t i = 0; status == RILL_OK && i < REVERSED_STEPS; i++)
    status = rill_integrator_step(sim->integrator, i, false, error);
  if (status != RILL_OK) goto done;
  rill_water_copy_state(&sim->system, q, v);
  for (size_t i = 0; i < size; i++) v[i] = -v[i];
  rill_water_set_state(&sim->system, q, v);
  for (uint64_t i = 0; status == RILL_OK && i < REVERSED_STEPS; i++)
    status = rill_integrator_step(sim->integrator, REVERSED_STEPS + i, false, error);
  if (status != RILL_OK) goto done;
  rill_water_copy_state(&sim->system, q, v);
  for (size_t i = 0; i < size; i++) most = fmax(most, fabs(q[i] - trial->positions[i]));
  finding.value = most;
  finding.limit = reversal_limit;
  finding.verdict = most <= reversal_limit ? RILL_VERDICT_PASSES : RILL_VERDICT_FAILS;
  snprintf(finding.text, sizeof finding.text,
           most <= reversal_limit
               ? "%d steps forward and, with reversed velocities, as many back return to the start within %.1g nm"
               : "%d steps forward and, with reversed velocities, as many back should return to the start within "
                 "%.1g nm: tighten tolerances",
           REVERSED_STEPS, reversal_limit);
  rill_verdicts_add(verdicts, &finding);
done:
  rill_release(q);
  rill_release(v);
  if (sim != NULL) rill_simulation_release(sim);
  free(sim);
  return status;
}

/* Makes some steps of the unchanged deck, including its thermostat. */
static enum rill_status some_steps(const struct trial *trial, int threads, uint64_t steps, double *q, double *v,
                                   struct rill_error *error) {
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  enum rill_status status = RILL_ERROR_MEMORY;
  if (sim == NULL) return rill_error_set(error, status, "no memory");
  status = prepare(trial, false, 0, threads, sim, error);
  for (uint64_t i = 0; status == RILL_OK && i < steps; i++)
    status = rill_integrator_step(sim->integrator, i, false, error);
  if (status == RILL_OK) rill_water_copy_state(&sim->system, q, v);
  rill_simulation_release(sim);
  free(sim);
  return status;
}

/* At constant pressure until the cell has moved. */
static enum rill_status try_threads(const struct trial *trial, const struct rill_deck *deck,
                                    struct rill_verdicts *verdicts, struct rill_error *error) {
  const bool moves = deck->barostat.method != RILL_NO_BAROSTAT;
  const uint64_t steps = THREADED_STEPS + (moves ? deck->barostat.interval : 0);
  size_t size = STATE * trial->molecules;
  double *q = rill_allocate(4 * size, sizeof *q);
  struct rill_finding finding = {.what = "threads", .unit = "", .value = NAN, .error = NAN, .limit = NAN};
  enum rill_status status = RILL_ERROR_MEMORY;
  if (q == NULL) return rill_error_set(error, status, "no memory");
  status = some_steps(trial, 1, steps, q, q + size, error);
  if (status == RILL_OK) status = some_steps(trial, 3, steps, q + 2 * size, q + 3 * size, error);
  finding.verdict = memcmp(q, q + 2 * size, 2 * size * sizeof *q) == 0 ? RILL_VERDICT_PASSES : RILL_VERDICT_FAILS;
  snprintf(finding.text, sizeof finding.text,
           finding.verdict == RILL_VERDICT_PASSES ? "%" PRIu64 " steps on 1 and on 3 threads give the same bits"
                                                  : "%" PRIu64 " steps on 1 and on 3 threads give different bits",
           steps);
  if (status == RILL_OK) rill_verdicts_add(verdicts, &finding);
  rill_release(q);
  return status;
}

enum rill_status rill_validate_water(const struct rill_validate_request *request, struct rill_simulation *sim,
                                     struct rill_verdicts *verdicts, struct rill_error *error) {
  struct trial trial = {.request = request};
  enum rill_status status = judge_run(&trial, verdicts, error);
  if (status == RILL_OK && !(sim->deck.penalty.stiffness > 0)) {
    const struct rill_composition *composition = rill_composition_find(sim->deck.integrator.composition);
    status = try_order(&trial, sim, composition != NULL ? composition->order : sim->method->order, verdicts, error);
  }
  if (status == RILL_OK && sim->method->symmetric && sim->deck.forces.precision != RILL_PRECISION_MIXED)
    status = try_reversal(&trial, verdicts, error);
  if (status == RILL_OK) status = try_threads(&trial, &sim->deck, verdicts, error);
  rill_release(trial.positions);
  rill_release(trial.velocities);
  return status;
}
