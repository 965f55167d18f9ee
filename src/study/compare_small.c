/* A small system under several methods and steps: errors against a fine reference, and the time of a step. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/timers.h"
#include "deck/units.h"
#include "simulation/small.h"
#include "study/compare_small.h"

enum { MOST_SAMPLES = 1000, MOST_NUMBERS = 4000000, REPEATS = 15 };

/* ---- what is compared ---- */

enum rill_status rill_small_enter(struct rill_small_comparison *comparison, const char *method, const char *step,
                                  uint64_t seed, struct rill_small_candidate *candidate, struct rill_error *error) {
  struct rill_overrides o = {0};
  struct rill_method_label label;
  char span[RILL_NUMBER_TEXT];
  RILL_TRY(rill_method_label_read(method, false, &label, &o, error));
  o.without_penalty = label.formulation != NULL && !rill_method_label_is_penalised(&label);
  comparison->names_formulation |= label.formulation != NULL;
  snprintf(candidate->label, sizeof candidate->label, "%s", label.text);
  candidate->step_text = step;
  rill_overrides_put(&o, "integrator.step=%s", step);
  rill_overrides_put(&o, "integrator.time=%s %s", rill_number_format(comparison->span, span),
                     rill_deck_time_unit(comparison->deck));
  rill_overrides_put(&o, "output.interval=1 step");
  if (rill_method_label_is_penalised(&label) && comparison->deck->thermostat.measure != RILL_MEASURE_CONSTRAINED)
    rill_overrides_put(&o, "thermostat.measure=constrained"); /* springs have no constraints to correct */
  if (seed != 0 && rill_small_is_sampled(comparison))
    rill_overrides_put(&o, "thermostat.seed=%" PRIu64, comparison->deck->thermostat.seed + seed);
  if (rill_overrides_put_given(&comparison->given, comparison->path, &o, error) != RILL_OK ||
      rill_simulation_read(comparison->path, o.list, o.count, &candidate->sim, error) != RILL_OK)
    return rill_error_prefix(error, "method %s, step %s", method, step);
  if (candidate->sim.method->varies)
    return rill_error_set(
        error, RILL_ERROR_UNSUPPORTED,
        "method %s: its steps vary in length, and a comparison is made at equal times; see the column "
        "clock of a run's series",
        method);
  if (rill_method_label_is_penalised(&label) && !(rill_small_stiffness(&candidate->sim) > 0))
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "method %s: springs need a stiffness above 0, such as w=20, or penalty.stiffness", method);
  return RILL_OK;
}

enum rill_status rill_small_start(struct rill_small_candidate *candidate, struct rill_error *error) {
  rill_simulation_clear(&candidate->sim);
  RILL_TRY(rill_simulation_create(&candidate->sim, error));
  return rill_simulation_watch_limits(&candidate->sim, error);
}

enum rill_status rill_small_create_system(const struct rill_small_comparison *comparison, const char *formulation,
                                          struct rill_simulation *sim, struct rill_error *error) {
  struct rill_overrides o = {.without_penalty = formulation != NULL};
  if (formulation != NULL) rill_overrides_put(&o, "system.formulation=%s", formulation);
  rill_overrides_put_common(&comparison->given, &o);
  RILL_TRY(rill_simulation_read(comparison->path, o.list, o.count, sim, error));
  return rill_simulation_create_system(sim, error);
}

double rill_small_stiffness(const struct rill_simulation *sim) {
  const struct rill_system_type *type = sim->type;
  for (size_t i = 0; i < type->parameter_count; i++)
    if (strcmp(rill_parameter_section(&type->parameters[i]), "penalty") == 0 &&
        rill_parameter_has_effect(type, i, sim->values))
      return sim->values[i].number[0];
  return 0;
}

/* `all`: every method that binds, with the deck's composition if it has one. */
static enum rill_status name_all_methods(struct rill_small_comparison *comparison, struct rill_error *error) {
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  const enum rill_thermostat bath = comparison->deck->thermostat.method;
  enum rill_status status;
  if (sim == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_small_create_system(comparison, NULL, sim, error);
  for (size_t i = 0; status == RILL_OK && i < count && comparison->method_count < RILL_SMALL_METHODS; i++)
    if (!methods[i]->varies && rill_method_refusal(methods[i], &sim->system, bath) == RILL_BINDS &&
        (sim->composition == NULL ||
         rill_composition_refusal(sim->composition, methods[i], &sim->system, bath) == RILL_BINDS))
      comparison->methods[comparison->method_count++] = methods[i]->name;
  if (status == RILL_OK && comparison->method_count == 0)
    status =
        rill_error_set(error, RILL_ERROR_UNSUPPORTED, "%s: no method binds to the system with the composition %s",
                       comparison->path, comparison->deck->integrator.composition);
  rill_simulation_release(sim);
  free(sim);
  return status;
}

/* ---- runs ---- */

static double larger(double a, double b) { return b > a || isnan(b) ? b : a; }

static double distance(const double *a, const double *b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = larger(most, fabs(a[i] - b[i]));
  return most;
}

/* After a step of the Zhang-Skeel family the state is x, and the physical positions are q = x + beta h^2 a. */
static void take_sample(const struct rill_small_comparison *comparison, const struct rill_small_candidate *candidate,
                        size_t index, struct rill_track *track) {
  const struct rill_state *state = candidate->sim.system.state;
  const size_t n = comparison->n;
  memcpy(track->positions + index * n, state->position != NULL ? state->position : state->q, n * sizeof(double));
  if (!isnan(track->x_error))
    track->x_error = larger(track->x_error, distance(state->q, comparison->reference + index * n, n));
}

static enum rill_status look(struct rill_small_candidate *candidate, uint64_t step, struct rill_error *error) {
  const struct rill_system *system = &candidate->sim.system;
  struct rill_guard *guard = &candidate->sim.guard;
  if (system->ops->observe(system->self, &guard->observation, error) != RILL_OK ||
      rill_guard_judge(guard, &guard->observation, step, error) != RILL_OK)
    return rill_error_prefix(error, "step %" PRIu64, step);
  return rill_guard_accept(guard, NULL, step, error);
}

enum rill_status rill_small_advance(struct rill_small_candidate *candidate, uint64_t first, uint64_t steps,
                                    double *seconds, struct rill_error *error) {
  const uint64_t interval = candidate->sim.guard.interval, end = first + steps;
  for (uint64_t done = first; done < end;) {
    const uint64_t examined = done - done % interval + interval, next = examined < end ? examined : end;
    const double begun = rill_clock();
    for (; done < next; done++) RILL_TRY(rill_integrator_step(candidate->sim.integrator, done, false, error));
    *seconds += rill_clock() - begun;
    RILL_TRY(look(candidate, done, error));
  }
  return RILL_OK;
}

/* Evaluates the energy after each step if track->every_step. */
static enum rill_status run_stretch(struct rill_small_candidate *candidate, struct rill_track *track, uint64_t first,
                                    uint64_t steps, double start, struct rill_error *error) {
  const struct rill_observation *o = &candidate->sim.guard.observation;
  const uint64_t piece = track->every_step ? 1 : steps;
  for (uint64_t k = first; k < first + steps; k += piece) {
    RILL_TRY(rill_small_advance(candidate, k, piece, &track->seconds, error));
    track->energy_error = larger(track->energy_error, fabs(o->kinetic + o->potential - start));
  }
  return RILL_OK;
}

enum rill_status rill_small_run_track(const struct rill_small_comparison *comparison,
                                      struct rill_small_candidate *candidate, struct rill_track *track,
                                      struct rill_error *error) {
  const struct rill_observation *o = &candidate->sim.guard.observation;
  const uint64_t stride = candidate->sim.deck.integrator.steps / comparison->samples;
  const double h = candidate->sim.deck.integrator.step;
  uint64_t done = 0;
  track->summary = (struct rill_small_summary){0};
  track->seconds = track->energy_error = 0;
  track->x_error = track->judged && rill_small_moves_other_coordinates(&candidate->sim) ? 0 : NAN;
  rill_small_summary_add(&track->summary, 0, o);
  for (size_t i = 0; i < comparison->samples; i++) {
    RILL_TRY(run_stretch(candidate, track, done, stride, track->summary.first, error));
    done += stride;
    rill_small_summary_add(&track->summary, (double)done * h, o);
    take_sample(comparison, candidate, i, track);
    if (rill_compare_is_stopped(comparison->request))
      return rill_error_set(error, RILL_INTERRUPTED, "stopped by a signal");
  }
  return RILL_OK;
}

static double momentum_error(const struct rill_small_comparison *comparison,
                             const struct rill_small_summary *summary) {
  double most = 0;
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++)
    if (comparison->conserved[i]) most = larger(most, summary->momentum_change[i]);
  return most;
}

void rill_small_fail(struct rill_small_candidate *candidate, struct rill_error *error) {
  snprintf(candidate->failure, sizeof candidate->failure, "%.250s", error->text);
  for (char *c = candidate->failure; *c != '\0'; c++)
    if (*c == '\n') *c = ' ';
  rill_error_clear(error);
}

static enum rill_status judge(struct rill_small_comparison *comparison, struct rill_small_candidate *candidate,
                              struct rill_track *track, struct rill_error *error) {
  enum rill_status status = rill_small_start(candidate, error);
  candidate->position_error = candidate->x_error = candidate->energy_error = candidate->momentum_error =
      candidate->residual = candidate->iterations = candidate->step_seconds = NAN;
  if (status == RILL_OK) status = rill_small_run_track(comparison, candidate, track, error);
  if (status == RILL_INTERRUPTED || status == RILL_ERROR_MEMORY) return status;
  if (status != RILL_OK) {
    rill_small_fail(candidate, error);
    return RILL_OK;
  }
  candidate->position_error = distance(track->positions, comparison->reference, comparison->samples * comparison->n);
  candidate->x_error = track->x_error;
  candidate->energy_error = candidate->sim.forcing != NULL ? NAN : track->energy_error; /* forces do work */
  candidate->momentum_error = momentum_error(comparison, &track->summary);
  candidate->residual = candidate->sim.system.state->m > 0 ? track->summary.position_residual : NAN;
  candidate->iterations = track->summary.iterations / (double)comparison->samples;
  candidate->step_seconds = track->seconds / (double)candidate->sim.deck.integrator.steps;
  return RILL_OK;
}

/* ---- setting up ---- */

/* Chooses the largest number of samples that divides the number of steps of every candidate; large systems have
 * fewer. */
static void choose_samples(struct rill_small_comparison *comparison) {
  uint64_t most = 1 + MOST_NUMBERS / comparison->n;
  if (most > MOST_SAMPLES) most = MOST_SAMPLES;
  for (size_t i = 0; i < comparison->candidate_count; i++)
    if (comparison->candidates[i].sim.deck.integrator.steps < most)
      most = comparison->candidates[i].sim.deck.integrator.steps;
  for (comparison->samples = (size_t)most; comparison->samples > 1; comparison->samples--) {
    bool all = true;
    for (size_t i = 0; i < comparison->candidate_count; i++)
      all = all && comparison->candidates[i].sim.deck.integrator.steps % comparison->samples == 0;
    if (all) break;
  }
}

/* row: the candidates of one method, `count` of them. */
static enum rill_status refuse_step_twice(const struct rill_small_candidate *row, size_t count,
                                          struct rill_error *error) {
  for (size_t i = 0; i + 1 < count; i++)
    if (row[i].sim.deck.integrator.step == row[count - 1].sim.deck.integrator.step)
      return rill_error_set(error, RILL_ERROR_USAGE, "--steps: the step %s is given twice", row[count - 1].step_text);
  return RILL_OK;
}

static enum rill_status set_up(struct rill_small_comparison *comparison, struct rill_error *error) {
  comparison->candidates = calloc(comparison->method_count * comparison->step_count, sizeof *comparison->candidates);
  if (comparison->candidates == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (size_t m = 0; m < comparison->method_count; m++)
    for (size_t s = 0; s < comparison->step_count; s++) {
      struct rill_small_candidate *candidate = &comparison->candidates[comparison->candidate_count++];
      enum rill_status status =
          rill_small_enter(comparison, comparison->methods[m], comparison->steps[s], 0, candidate, error);
      if (status == RILL_OK && rill_small_start(candidate, error) != RILL_OK) /* refused before any candidate runs */
        status = rill_error_prefix(error, "%s", candidate->label);
      RILL_TRY(status);
      if (candidate->sim.deck.integrator.steps == 0)
        return rill_error_set(error, RILL_ERROR_USAGE, "%s: a comparison needs a run of at least one step",
                              comparison->path);
      RILL_TRY(refuse_step_twice(candidate - s, s + 1, error));
      if (candidate->sim.system.state->n != comparison->candidates[0].sim.system.state->n)
        return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                              "--methods: the systems of %s and %s have not the same "
                              "coordinates",
                              comparison->candidates[0].label, candidate->label);
    }
  RILL_TRY(rill_overrides_check(&comparison->given, error));
  comparison->n = comparison->candidates[0].sim.system.state->n;
  return RILL_OK;
}

/* Of a trajectory, against a reference. */
static enum rill_status judge_all(struct rill_small_comparison *comparison, struct rill_error *error) {
  double finest = INFINITY;
  for (size_t i = 0; i < comparison->candidate_count; i++)
    finest = fmin(finest, comparison->candidates[i].sim.deck.integrator.step);
  choose_samples(comparison);
  comparison->reference_step = NAN;
  comparison->reference = rill_allocate(comparison->samples * comparison->n, sizeof *comparison->reference);
  comparison->trial = rill_allocate(comparison->samples * comparison->n, sizeof *comparison->trial);
  if (comparison->reference == NULL || comparison->trial == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the reference");
  RILL_TRY(rill_small_make_reference(comparison, finest, error));
  struct rill_track track = {.positions = rill_allocate(comparison->samples * comparison->n, sizeof(double)),
                             .judged = true,
                             .every_step = true};
  enum rill_status status = track.positions != NULL ? RILL_OK : rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (size_t i = 0; status == RILL_OK && i < comparison->candidate_count; i++)
    status = judge(comparison, &comparison->candidates[i], &track, error);
  rill_release(track.positions);
  return status;
}

static void release(struct rill_small_comparison *comparison) {
  for (size_t i = 0; i < comparison->candidate_count; i++) rill_simulation_release(&comparison->candidates[i].sim);
  if (comparison->reference_run != NULL) rill_simulation_release(&comparison->reference_run->sim);
  free(comparison->reference_run);
  free(comparison->candidates);
  rill_release(comparison->reference);
  rill_release(comparison->trial);
}

/* ---- the comparison ---- */

/* The steps to compare: the given ones, or the deck's and its half and quarter. */
static enum rill_status choose_steps(struct rill_small_comparison *comparison, char *given, char texts[3][64],
                                     struct rill_error *error) {
  if (given != NULL)
    return rill_compare_split(given, "--steps", comparison->steps, RILL_SMALL_STEPS, &comparison->step_count, error);
  for (int i = 0; i < 3; i++) {
    char number[RILL_NUMBER_TEXT];
    snprintf(texts[i], 64, "%s %s", rill_number_format(ldexp(comparison->deck->integrator.step, -i), number),
             rill_deck_time_unit(comparison->deck));
    comparison->steps[comparison->step_count++] = texts[i];
  }
  return RILL_OK;
}

static enum rill_status refuse_twice(const struct rill_small_comparison *comparison, struct rill_error *error) {
  for (size_t i = 0; i < comparison->method_count; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(comparison->methods[i], comparison->methods[k]) == 0)
        return rill_error_set(error, RILL_ERROR_USAGE, "--methods: %s is given twice", comparison->methods[i]);
  return RILL_OK;
}

static bool any_conserved(const struct rill_small_comparison *comparison) {
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++)
    if (comparison->conserved[i]) return true;
  return false;
}

enum {
  POSITION,
  POSITION_X,
  ENERGY,
  MOMENTUM,
  RESIDUAL,
  ITERATIONS,
  STEP_TIME,
  LEAST_TIME,
  MOST_TIME,
  TOTAL_TIME,
  COLUMNS
};

#define COLUMNS_WITH(unit)                                                                                           \
  {                                                                                                                  \
    [POSITION] = {.name = "position_error", .heading = "position", .format = "%12.3e", .factor = 1},                 \
    [POSITION_X] = {.name = "position_x_error", .heading = "at x", .format = "%12.3e", .factor = 1},                 \
    [ENERGY] = {.name = "energy_error" unit, .heading = "energy", .format = "%12.3e", .factor = 1},                  \
    [MOMENTUM] = {.name = "momentum_error", .heading = "momentum", .format = "%12.3e", .factor = 1},                 \
    [RESIDUAL] = {.name = "constraint_residual", .heading = "constraint", .format = "%12.3e", .factor = 1},          \
    [ITERATIONS] = {.name = "iterations", .heading = "iterations", .format = "%12.2f", .factor = 1},                 \
    [STEP_TIME] = {.name = "step_us", .heading = "us/step", .format = "%12.3g", .factor = 1},                        \
    [LEAST_TIME] = {.name = "step_least_us", .heading = "least", .format = "%10.3g", .factor = 1},                   \
    [MOST_TIME] = {.name = "step_most_us", .heading = "most", .format = "%10.3g", .factor = 1},                      \
    [TOTAL_TIME] = {.name = "total_ms", .heading = "total ms", .format = "%12.4g", .factor = 1},                     \
  }
static const struct rill_compare_column columns[] = COLUMNS_WITH(""), columns_si[] = COLUMNS_WITH("_J");

static const struct rill_compare_part errors = {
    .note =
        "position: largest difference of a coordinate from the reference; at x: the same for a method's own "
        "coordinates, where those are not the positions;\nenergy: largest deviation from the start, over all steps "
        "(none where forces from outside do work); "
        "momentum: largest change of the momentum maps that the reference conserves; "
        "us/step: median of interleaved repeats, with the least and the most"};

static const struct rill_compare_part times = {
    .note = "us/step: median of interleaved repeats, with the least and the most, without observation"};

static void put_values(const struct rill_small_comparison *comparison, const struct rill_small_candidate *c,
                       double *values) {
  values[POSITION] = c->position_error;
  values[POSITION_X] = c->x_error;
  values[ENERGY] = c->energy_error;
  values[MOMENTUM] = any_conserved(comparison) ? c->momentum_error : NAN;
  values[RESIDUAL] = c->residual;
  values[ITERATIONS] = c->iterations;
  values[STEP_TIME] = c->step_seconds * 1e6;
  values[LEAST_TIME] = c->seconds[0] * 1e6;
  values[MOST_TIME] = c->seconds[comparison->repeats - 1] * 1e6;
  values[TOTAL_TIME] = c->step_seconds * (double)c->sim.deck.integrator.steps * 1e3;
  memcpy(values + COLUMNS, c->price, comparison->observable_count * sizeof(struct rill_price));
}

static void put_title(const struct rill_small_comparison *comparison, struct rill_compare_table *table) {
  const char *unit = table->time_unit, *space = *unit != '\0' ? " " : "";
  char penalty[64] = "";
  if (table->penalised) snprintf(penalty, sizeof penalty, " of the penalised system, w = %g,", comparison->stiffness);
  snprintf(table->reference, sizeof table->reference, "%s%s", comparison->reference_method, penalty);
  snprintf(table->title, sizeof table->title, "%s over %g%s%s; reference %s at step %.3g%s%s, accurate to %.1e",
           comparison->deck->system.kind, comparison->span, space, unit, table->reference, comparison->reference_step,
           space, unit, comparison->uncertainty);
}

static void put_title_of_samples(const struct rill_small_comparison *comparison, struct rill_compare_table *table) {
  const char *unit = table->time_unit, *space = *unit != '\0' ? " " : "";
  const struct rill_deck *deck = comparison->deck;
  snprintf(table->title, sizeof table->title,
           "%s over %g%s%s, %s, k T = %g%s; statistics from %g%s%s on; reference %s%s", deck->system.kind,
           comparison->span, space, unit, rill_choice_word(rill_thermostat_choices, deck->thermostat.method),
           deck->thermostat.temperature[1], deck->units == RILL_UNITS_SI ? " J" : "", comparison->from, space, unit,
           table->reference, table->penalised ? ", penalised" : "");
}

static enum rill_status report(const struct rill_small_comparison *comparison, struct rill_compare_table *table,
                               struct rill_error *error) {
  table->rows = calloc(comparison->candidate_count, sizeof *table->rows);
  if (table->rows == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  memcpy(table->columns, comparison->deck->units == RILL_UNITS_SI ? columns_si : columns, sizeof columns);
  table->column_count = COLUMNS;
  table->parts[0] = rill_small_is_sampled(comparison) ? times : errors;
  table->part_count = 1;
  if (rill_small_is_sampled(comparison)) RILL_TRY(rill_small_add_observables(comparison, table, error));
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    const struct rill_small_candidate *c = &comparison->candidates[i];
    struct rill_compare_row *row = &table->rows[table->row_count++];
    *row = (struct rill_compare_row){.step = c->sim.deck.integrator.step,
                                     .steps = c->sim.deck.integrator.steps,
                                     .order = rill_compare_order(&c->sim)};
    memcpy(row->label, c->label, sizeof row->label);
    memcpy(row->failure, c->failure, sizeof row->failure);
    if (row->failure[0] == '\0') put_values(comparison, c, row->value);
    else
      for (size_t k = 0; k < table->column_count; k++) row->value[k] = NAN;
  }
  table->penalised = comparison->stiffness > 0;
  if (rill_small_is_sampled(comparison)) put_title_of_samples(comparison, table);
  else put_title(comparison, table);
  return RILL_OK;
}

static enum rill_status compare(struct rill_small_comparison *comparison, char *methods, char *steps,
                                struct rill_compare_table *table, struct rill_error *error) {
  char texts[3][64];
  comparison->span = (double)comparison->deck->integrator.steps * comparison->deck->integrator.step;
  if (strcmp(methods, "all") == 0) RILL_TRY(name_all_methods(comparison, error));
  else
    RILL_TRY(rill_compare_split(methods, "--methods", comparison->methods, RILL_SMALL_METHODS,
                                &comparison->method_count, error));
  rill_method_labels_note_former(comparison->methods, comparison->method_count, comparison->request->notes);
  RILL_TRY(refuse_twice(comparison, error));
  RILL_TRY(choose_steps(comparison, steps, texts, error));
  RILL_TRY(set_up(comparison, error));
  RILL_TRY(rill_small_choose_observables(comparison, error));
  RILL_TRY((rill_small_is_sampled(comparison) ? rill_small_sample_all : judge_all)(comparison, error));
  RILL_TRY(rill_small_time_all(comparison, error));
  if (rill_small_is_sampled(comparison)) rill_small_price_all(comparison);
  return report(comparison, table, error);
}

enum rill_status rill_compare_small(const struct rill_compare_request *request, const struct rill_deck *deck,
                                    struct rill_compare_table *table, struct rill_error *error) {
  struct rill_small_comparison *comparison = calloc(1, sizeof *comparison);
  char *methods = strdup(request->methods != NULL ? request->methods : "all");
  char *steps = request->steps != NULL ? strdup(request->steps) : NULL;
  enum rill_status status;
  if (comparison == NULL || methods == NULL || (request->steps != NULL && steps == NULL)) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  } else {
    comparison->request = request;
    comparison->path = request->path;
    comparison->deck = deck;
    comparison->repeats = request->repeats > 0 ? request->repeats : REPEATS;
    comparison->given = (struct rill_given_overrides){request->overrides, request->override_count, {false}};
    status = compare(comparison, methods, steps, table, error);
  }
  if (comparison != NULL) release(comparison);
  free(comparison);
  free(methods);
  free(steps);
  return status;
}
