/* A small system under several methods and steps: errors against a fine reference, and the time of a step. */
#include "study/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/timers.h"
#include "deck/units.h"
#include "simulation/simulation.h"
#include "simulation/small_summary.h"
#include "study/method_label.h"

enum { MOST_METHODS = 64, MOST_STEPS = 16, MOST_SAMPLES = 1000, MOST_NUMBERS = 4000000, REPEATS = 15 };
static const double timed_seconds = 2e-3; /* duration of one timed sequence of steps */
static const uint64_t reference_steps_most = 4000000;

/* Positions at equally spaced times, and the results of a run. */
struct track {
  double *positions; /* [samples][n] */
  struct rill_small_summary summary;
  bool every_step;     /* energies are evaluated after every step */
  double energy_error; /* largest deviation from the start, over the evaluated energies */
  double seconds;      /* of the whole run, without evaluating energies */
};

/* One row of the table. */
struct candidate {
  char label[RILL_METHOD_LABEL]; /* method, or method/option/... */
  const char *step_text;
  struct rill_simulation sim;
  double position_error, energy_error, momentum_error, residual, iterations;
  double seconds[REPEATS], step_seconds; /* per step: repeats, median */
  char failure[256];                     /* "" on success */
};

struct comparison {
  const struct rill_compare_request *request;
  const char *path;
  struct rill_given_overrides given;
  const struct rill_deck *deck; /* as given */
  double span;                  /* of the run, in the deck's units */
  const char *methods[MOST_METHODS], *steps[MOST_STEPS];
  size_t method_count, step_count, candidate_count, samples, n;
  struct candidate *candidates; /* [method_count][step_count] */
  double *reference, *trial;    /* [samples][n] */
  double reference_step, uncertainty;
  char reference_method[80];
  int reference_order;
  bool conserved[RILL_SMALL_MOMENTA]; /* momentum maps that the reference conserves */
};

/* ---- what is compared ---- */

/* Reads the deck with the candidate's method and step in it, so that they pass the same checks as in any deck. */
static enum rill_status enter(struct comparison *comparison, const char *method, const char *step,
                              struct candidate *candidate, struct rill_error *error) {
  struct rill_overrides o = {0};
  struct rill_method_label label;
  char span[RILL_NUMBER_TEXT];
  RILL_TRY(rill_method_label_read(method, false, &label, &o, error));
  snprintf(candidate->label, sizeof candidate->label, "%s", label.text);
  candidate->step_text = step;
  rill_overrides_put(&o, "integrator.step=%s", step);
  rill_overrides_put(&o, "integrator.time=%s %s", rill_number_format(comparison->span, span),
                     rill_deck_time_unit(comparison->deck));
  if (rill_overrides_put_given(&comparison->given, comparison->path, &o, error) != RILL_OK ||
      rill_simulation_read(comparison->path, o.list, o.count, &candidate->sim, error) != RILL_OK)
    return rill_error_prefix(error, "method %s, step %s", method, step);
  return RILL_OK;
}

static enum rill_status start(struct candidate *candidate, struct rill_error *error) {
  rill_simulation_clear(&candidate->sim);
  return rill_simulation_create(&candidate->sim, error);
}

/* `all`: every method that binds, with the deck's composition if it has one. */
static enum rill_status name_all_methods(struct comparison *comparison, struct rill_error *error) {
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  enum rill_status status;
  if (sim == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  sim->deck = *comparison->deck;
  status = rill_simulation_find(sim, error);
  if (status == RILL_OK) status = rill_simulation_create_system(sim, error);
  for (size_t i = 0; status == RILL_OK && i < count && comparison->method_count < MOST_METHODS; i++)
    if (rill_method_refusal(methods[i], &sim->system, RILL_NO_BATH) == RILL_BINDS &&
        (sim->composition == NULL ||
         rill_composition_refusal(sim->composition, methods[i], &sim->system, RILL_NO_BATH) == RILL_BINDS))
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

static void take_sample(const struct candidate *candidate, size_t n, double *positions) {
  const struct rill_state *state = candidate->sim.system.state;
  memcpy(positions, state->position != NULL ? state->position : state->q, n * sizeof *positions);
}

/* Makes `steps` steps; evaluates the energy after each if track->every_step. */
static enum rill_status run_stretch(struct candidate *candidate, struct track *track, uint64_t first, uint64_t steps,
                                    double start, struct rill_error *error) {
  const struct rill_system *system = &candidate->sim.system;
  struct rill_observation o;
  double begun = rill_clock();
  for (uint64_t k = first; k < first + steps; k++) {
    RILL_TRY(rill_integrator_step(candidate->sim.integrator, k, false, error));
    if (!track->every_step) continue;
    track->seconds += rill_clock() - begun;
    RILL_TRY(system->ops->observe(system->self, &o, error));
    track->energy_error = larger(track->energy_error, fabs(o.kinetic + o.potential - start));
    begun = rill_clock();
  }
  track->seconds += rill_clock() - begun;
  return RILL_OK;
}

/* Makes the whole run, and samples at equally spaced times, the first one after the first interval. */
static enum rill_status run_track(const struct comparison *comparison, struct candidate *candidate,
                                  struct track *track, struct rill_error *error) {
  const struct rill_system *system = &candidate->sim.system;
  uint64_t steps = candidate->sim.deck.integrator.steps, stride = steps / comparison->samples, done = 0;
  double h = candidate->sim.deck.integrator.step;
  struct rill_observation o;
  track->summary = (struct rill_small_summary){0};
  track->seconds = track->energy_error = 0;
  RILL_TRY(system->ops->observe(system->self, &o, error));
  rill_small_summary_add(&track->summary, 0, &o);
  for (size_t i = 0; i < comparison->samples; i++) {
    RILL_TRY(run_stretch(candidate, track, done, stride, track->summary.first, error));
    done += stride;
    RILL_TRY(system->ops->observe(system->self, &o, error));
    if (!isfinite(o.kinetic + o.potential))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE, "step %" PRIu64 ": the energy is not finite", done);
    rill_small_summary_add(&track->summary, (double)done * h, &o);
    take_sample(candidate, comparison->n, track->positions + i * comparison->n);
    if (rill_compare_is_stopped(comparison->request))
      return rill_error_set(error, RILL_INTERRUPTED, "stopped by a signal");
  }
  return RILL_OK;
}

static double distance(const double *a, const double *b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = larger(most, fabs(a[i] - b[i]));
  return most;
}

static double momentum_error(const struct comparison *comparison, const struct rill_small_summary *summary) {
  double most = 0;
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++)
    if (comparison->conserved[i]) most = larger(most, summary->momentum_change[i]);
  return most;
}

/* Chooses the binding method of the highest order as the reference; symmetric methods of order 2 count with the
 * composition of order 8. */
static void choose_reference(struct comparison *comparison, const struct rill_system *system) {
  static const char eighth[] = "yoshida8";
  const struct rill_composition *composition = rill_composition_find(eighth);
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  for (size_t i = 0; i < count; i++) {
    const struct rill_method *m = methods[i];
    bool composed = rill_composition_refusal(composition, m, system, RILL_NO_BATH) == RILL_BINDS;
    int order = composed ? composition->order : m->order;
    if (rill_method_refusal(m, system, RILL_NO_BATH) != RILL_BINDS || order <= comparison->reference_order) continue;
    comparison->reference_order = order;
    snprintf(comparison->reference_method, sizeof comparison->reference_method, "%s%s%s", m->name,
             composed ? "/" : "", composed ? eighth : "");
  }
}

static void note_conserved(struct comparison *comparison, const struct rill_small_summary *summary) {
  double scale = 0;
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++)
    if (isfinite(summary->momentum[i]))
      scale = larger(scale, fabs(summary->momentum[i]) + summary->momentum_change[i]);
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++)
    comparison->conserved[i] = scale > 0 && isfinite(summary->momentum[i]) && fabs(summary->momentum[i]) > 0 &&
                               summary->momentum_change[i] <= 1e-9 * scale;
}

/* Adds a run of the reference at half the previous step: extrapolates the two runs to remove the error's leading
 * term, h^order. raw: positions of the previous run; *done is set when shorter steps no longer improve the result. */
static void refine(struct comparison *comparison, const struct candidate *candidate, const struct track *track,
                   double *raw, int *runs, bool *done) {
  size_t numbers = comparison->samples * comparison->n;
  double ahead = ldexp(1, comparison->reference_order) - 1, change = 0, scale = 0;
  for (size_t i = 0; i < numbers; i++) {
    double better = track->positions[i] + (*runs > 0 ? (track->positions[i] - raw[i]) / ahead : 0);
    change = larger(change, fabs(better - comparison->reference[i]));
    scale = larger(scale, fabs(better));
    comparison->trial[i] = better;
  }
  memcpy(raw, track->positions, numbers * sizeof *raw);
  /* Round-off or chaos limits the accuracy. */
  *done = *runs > 1 && change > 0.5 * comparison->uncertainty;
  if (*done) return;
  if (*runs > 0) comparison->uncertainty = change;
  memcpy(comparison->reference, comparison->trial, numbers * sizeof *raw);
  comparison->reference_step = candidate->sim.deck.integrator.step;
  note_conserved(comparison, &track->summary);
  *done = *runs > 0 && change <= 1e-13 * scale;
  ++*runs;
}

static enum rill_status run_reference(struct comparison *comparison, double h, struct candidate *candidate,
                                      struct track *track, struct rill_error *error) {
  char step[RILL_NUMBER_TEXT + 8], number[RILL_NUMBER_TEXT];
  snprintf(step, sizeof step, "%s %s", rill_number_format(h, number), rill_deck_time_unit(comparison->deck));
  rill_simulation_release(&candidate->sim);
  RILL_TRY(enter(comparison, comparison->reference_method, step, candidate, error));
  RILL_TRY(start(candidate, error));
  return run_track(comparison, candidate, track, error);
}

/* Runs the reference with shorter and shorter steps until it no longer improves. */
static enum rill_status make_reference(struct comparison *comparison, double finest, struct rill_error *error) {
  size_t numbers = comparison->samples * comparison->n;
  struct candidate *candidate = calloc(1, sizeof *candidate);
  struct track track = {.positions = rill_allocate(2 * numbers, sizeof(double))};
  uint64_t parts = (uint64_t)llround(comparison->span / finest);
  bool done = false;
  int runs = 0;
  enum rill_status status = RILL_OK;
  comparison->uncertainty = INFINITY;
  if (candidate == NULL || track.positions == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (int halvings = 1; status == RILL_OK && !done && (parts << halvings) <= reference_steps_most; halvings++) {
    status = run_reference(comparison, comparison->span / (double)(parts << halvings), candidate, &track, error);
    if (status == RILL_OK) {
      refine(comparison, candidate, &track, track.positions + numbers, &runs, &done);
    } else if (status == RILL_ERROR_CONVERGENCE || status == RILL_ERROR_NOT_FINITE || status == RILL_ERROR_FAILED) {
      rill_error_clear(error); /* this step is too long for the method: the next is shorter */
      status = RILL_OK;
    }
  }
  if (status == RILL_OK && runs == 0)
    status = rill_error_set(error, RILL_ERROR_FAILED, "the reference method, %s, failed at every step that was tried",
                            comparison->reference_method);
  if (candidate != NULL) rill_simulation_release(&candidate->sim);
  rill_release(track.positions);
  free(candidate);
  return status;
}

static void fail(struct candidate *candidate, const struct rill_error *error) {
  snprintf(candidate->failure, sizeof candidate->failure, "%.250s", error->text);
  for (char *c = candidate->failure; *c != '\0'; c++)
    if (*c == '\n') *c = ' ';
}

static enum rill_status judge(struct comparison *comparison, struct candidate *candidate, struct track *track,
                              struct rill_error *error) {
  enum rill_status status = start(candidate, error);
  candidate->position_error = candidate->energy_error = candidate->momentum_error = candidate->residual =
      candidate->iterations = candidate->step_seconds = NAN;
  if (status == RILL_OK) status = run_track(comparison, candidate, track, error);
  if (status == RILL_INTERRUPTED || status == RILL_ERROR_MEMORY) return status;
  if (status != RILL_OK) {
    fail(candidate, error);
    rill_error_clear(error);
    return RILL_OK;
  }
  candidate->position_error = distance(track->positions, comparison->reference, comparison->samples * comparison->n);
  candidate->energy_error = track->energy_error;
  candidate->momentum_error = momentum_error(comparison, &track->summary);
  candidate->residual = candidate->sim.system.state->m > 0 ? track->summary.position_residual : NAN;
  candidate->iterations = track->summary.iterations / (double)comparison->samples;
  candidate->step_seconds = track->seconds / (double)candidate->sim.deck.integrator.steps;
  return RILL_OK;
}

/* Times a sequence of steps from the start. The candidates take turns, so that a busy moment of the machine affects
 * all alike. */
static enum rill_status time_candidate(struct candidate *candidate, int repeat, struct rill_error *error) {
  uint64_t steps = (uint64_t)(timed_seconds / candidate->step_seconds) + 1;
  double begun;
  if (steps > candidate->sim.deck.integrator.steps) steps = candidate->sim.deck.integrator.steps;
  RILL_TRY(start(candidate, error));
  begun = rill_clock();
  for (uint64_t k = 0; k < steps; k++) RILL_TRY(rill_integrator_step(candidate->sim.integrator, k, false, error));
  candidate->seconds[repeat] = (rill_clock() - begun) / (double)steps;
  return RILL_OK;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static enum rill_status time_all(struct comparison *comparison, struct rill_error *error) {
  for (int repeat = 0; repeat < REPEATS; repeat++)
    for (size_t i = 0; i < comparison->candidate_count; i++)
      if (comparison->candidates[i].failure[0] == '\0')
        RILL_TRY(time_candidate(&comparison->candidates[i], repeat, error));
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    struct candidate *candidate = &comparison->candidates[i];
    if (candidate->failure[0] != '\0') continue;
    qsort(candidate->seconds, REPEATS, sizeof candidate->seconds[0], by_size);
    candidate->step_seconds = candidate->seconds[REPEATS / 2];
  }
  return RILL_OK;
}

/* ---- setting up ---- */

/* Chooses the largest number of samples that divides the number of steps of every candidate; large systems have
 * fewer. */
static void choose_samples(struct comparison *comparison) {
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

static enum rill_status set_up(struct comparison *comparison, struct rill_error *error) {
  double finest = INFINITY;
  comparison->candidates = calloc(comparison->method_count * comparison->step_count, sizeof *comparison->candidates);
  if (comparison->candidates == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (size_t m = 0; m < comparison->method_count; m++)
    for (size_t s = 0; s < comparison->step_count; s++) {
      struct candidate *candidate = &comparison->candidates[comparison->candidate_count++];
      enum rill_status status = enter(comparison, comparison->methods[m], comparison->steps[s], candidate, error);
      if (status == RILL_OK && start(candidate, error) != RILL_OK) /* refused before any candidate runs */
        status = rill_error_prefix(error, "%s", candidate->label);
      RILL_TRY(status);
      if (candidate->sim.deck.integrator.steps == 0)
        return rill_error_set(error, RILL_ERROR_USAGE, "%s: a comparison needs a run of at least one step",
                              comparison->path);
      finest = fmin(finest, candidate->sim.deck.integrator.step);
    }
  RILL_TRY(rill_overrides_check(&comparison->given, error));
  comparison->n = comparison->candidates[0].sim.system.state->n;
  choose_samples(comparison);
  choose_reference(comparison, &comparison->candidates[0].sim.system);
  comparison->reference_step = NAN;
  comparison->reference = rill_allocate(comparison->samples * comparison->n, sizeof *comparison->reference);
  comparison->trial = rill_allocate(comparison->samples * comparison->n, sizeof *comparison->trial);
  if (comparison->reference == NULL || comparison->trial == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the reference");
  return make_reference(comparison, finest, error);
}

static enum rill_status judge_all(struct comparison *comparison, struct rill_error *error) {
  struct track track = {.positions = rill_allocate(comparison->samples * comparison->n, sizeof(double)),
                        .every_step = true};
  enum rill_status status = track.positions != NULL ? RILL_OK : rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (size_t i = 0; status == RILL_OK && i < comparison->candidate_count; i++)
    status = judge(comparison, &comparison->candidates[i], &track, error);
  rill_release(track.positions);
  return status;
}

static void release(struct comparison *comparison) {
  for (size_t i = 0; i < comparison->candidate_count; i++) rill_simulation_release(&comparison->candidates[i].sim);
  free(comparison->candidates);
  rill_release(comparison->reference);
  rill_release(comparison->trial);
}

/* ---- the comparison ---- */

/* The steps to compare: the given ones, or the deck's and its half and quarter. */
static enum rill_status choose_steps(struct comparison *comparison, char *given, char texts[3][64],
                                     struct rill_error *error) {
  if (given != NULL)
    return rill_compare_split(given, "--steps", comparison->steps, MOST_STEPS, &comparison->step_count, error);
  for (int i = 0; i < 3; i++) {
    char number[RILL_NUMBER_TEXT];
    snprintf(texts[i], 64, "%s %s", rill_number_format(ldexp(comparison->deck->integrator.step, -i), number),
             rill_deck_time_unit(comparison->deck));
    comparison->steps[comparison->step_count++] = texts[i];
  }
  return RILL_OK;
}

static enum rill_status refuse_twice(const struct comparison *comparison, struct rill_error *error) {
  for (size_t i = 0; i < comparison->method_count; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(comparison->methods[i], comparison->methods[k]) == 0)
        return rill_error_set(error, RILL_ERROR_USAGE, "--methods: %s is given twice", comparison->methods[i]);
  return RILL_OK;
}

static bool any_conserved(const struct comparison *comparison) {
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++)
    if (comparison->conserved[i]) return true;
  return false;
}

enum { POSITION, ENERGY, MOMENTUM, RESIDUAL, ITERATIONS, STEP_TIME, TOTAL_TIME, COLUMNS };

#define COLUMNS_WITH(unit)                                                                                           \
  {                                                                                                                  \
    [POSITION] = {.name = "position_error", .heading = "position", .format = "%12.3e", .factor = 1},                 \
    [ENERGY] = {.name = "energy_error" unit, .heading = "energy", .format = "%12.3e", .factor = 1},                  \
    [MOMENTUM] = {.name = "momentum_error", .heading = "momentum", .format = "%12.3e", .factor = 1},                 \
    [RESIDUAL] = {.name = "constraint_residual", .heading = "constraint", .format = "%12.3e", .factor = 1},          \
    [ITERATIONS] = {.name = "iterations", .heading = "iterations", .format = "%12.2f", .factor = 1},                 \
    [STEP_TIME] = {.name = "step_us", .heading = "us/step", .format = "%12.3g", .factor = 1},                        \
    [TOTAL_TIME] = {.name = "total_ms", .heading = "total ms", .format = "%12.4g", .factor = 1},                     \
  }
static const struct rill_compare_column columns[] = COLUMNS_WITH(""), columns_si[] = COLUMNS_WITH("_J");

static enum rill_status report(const struct comparison *comparison, struct rill_compare_table *table,
                               struct rill_error *error) {
  const char *unit = table->time_unit, *space = *unit != '\0' ? " " : "";
  table->rows = calloc(comparison->candidate_count, sizeof *table->rows);
  if (table->rows == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  table->columns = comparison->deck->units == RILL_UNITS_SI ? columns_si : columns;
  table->column_count = COLUMNS;
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    const struct candidate *c = &comparison->candidates[i];
    struct rill_compare_row *row = &table->rows[table->row_count++];
    const uint64_t steps = c->sim.deck.integrator.steps;
    *row = (struct rill_compare_row){.step = c->sim.deck.integrator.step,
                                     .steps = steps,
                                     .value = {[POSITION] = c->position_error,
                                               [ENERGY] = c->energy_error,
                                               [MOMENTUM] = any_conserved(comparison) ? c->momentum_error : NAN,
                                               [RESIDUAL] = c->residual,
                                               [ITERATIONS] = c->iterations,
                                               [STEP_TIME] = c->step_seconds * 1e6,
                                               [TOTAL_TIME] = c->step_seconds * (double)steps * 1e3}};
    memcpy(row->label, c->label, sizeof row->label);
    memcpy(row->failure, c->failure, sizeof row->failure);
  }
  snprintf(table->title, sizeof table->title, "%s over %g%s%s; reference %s at step %.3g%s%s, accurate to %.1e",
           comparison->deck->system.kind, comparison->span, space, unit, comparison->reference_method,
           comparison->reference_step, space, unit, comparison->uncertainty);
  return RILL_OK;
}

static enum rill_status compare(struct comparison *comparison, char *methods, char *steps,
                                struct rill_compare_table *table, struct rill_error *error) {
  char texts[3][64];
  comparison->span = (double)comparison->deck->integrator.steps * comparison->deck->integrator.step;
  if (strcmp(methods, "all") == 0) RILL_TRY(name_all_methods(comparison, error));
  else
    RILL_TRY(rill_compare_split(methods, "--methods", comparison->methods, MOST_METHODS, &comparison->method_count,
                                error));
  rill_method_labels_note_former(comparison->methods, comparison->method_count, comparison->request->notes);
  RILL_TRY(refuse_twice(comparison, error));
  RILL_TRY(choose_steps(comparison, steps, texts, error));
  RILL_TRY(set_up(comparison, error));
  RILL_TRY(judge_all(comparison, error));
  RILL_TRY(time_all(comparison, error));
  return report(comparison, table, error);
}

enum rill_status rill_compare_small(const struct rill_compare_request *request, const struct rill_deck *deck,
                                    struct rill_compare_table *table, struct rill_error *error) {
  struct comparison *comparison = calloc(1, sizeof *comparison);
  char *methods = strdup(request->methods != NULL ? request->methods : "all");
  char *steps = request->steps != NULL ? strdup(request->steps) : NULL;
  enum rill_status status;
  if (comparison == NULL || methods == NULL || (request->steps != NULL && steps == NULL)) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  } else {
    comparison->request = request;
    comparison->path = request->path;
    comparison->deck = deck;
    comparison->given = (struct rill_given_overrides){request->overrides, request->override_count, {false}};
    status = compare(comparison, methods, steps, table, error);
  }
  if (comparison != NULL) release(comparison);
  free(comparison);
  free(methods);
  free(steps);
  return status;
}
