/* A small system in a heat bath: methods that sample it, by what an independent sample costs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "study/compare_small.h"

enum { MOST_SAMPLES = 50000 };
static const double skipped_part = 0.1; /* of a run, unless means_from is given */

/* ---- the run that biases are taken from ---- */

static enum rill_status make_reference_run(struct rill_small_comparison *comparison, struct rill_error *error) {
  char label[RILL_METHOD_LABEL], example[RILL_METHOD_LABEL + 40];
  const char *step;
  if (comparison->request->reference == NULL) return RILL_OK;
  snprintf(example, sizeof example, "%s@%g%s", comparison->deck->integrator.method,
           comparison->deck->integrator.step / 2, rill_deck_time_unit(comparison->deck));
  RILL_TRY(rill_compare_split_reference(comparison->request->reference, example, label, &step, error));
  comparison->reference_run = calloc(1, sizeof *comparison->reference_run);
  if (comparison->reference_run == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (rill_small_enter(comparison, label, step, 1, comparison->reference_run, error) != RILL_OK)
    return rill_error_prefix(error, "--reference");
  return rill_small_start(comparison->reference_run, error);
}

/* Biases are differences from --reference, or from the first method whose system is not penalised, if there is one,
 * at its shortest step. */
static const struct rill_small_candidate *reference_of_biases(const struct rill_small_comparison *comparison) {
  const struct rill_small_candidate *first = comparison->candidates, *shortest;
  if (comparison->reference_run != NULL) return comparison->reference_run;
  for (size_t m = comparison->method_count; m-- > 0;)
    if (!(rill_small_stiffness(&comparison->candidates[m * comparison->step_count].sim) > 0))
      first = &comparison->candidates[m * comparison->step_count];
  shortest = first;
  for (size_t s = 1; s < comparison->step_count; s++)
    if (first[s].sim.deck.integrator.step < shortest->sim.deck.integrator.step) shortest = first + s;
  return shortest;
}

static bool has_freedom_of(const struct rill_small_candidate *a, const struct rill_small_candidate *b) {
  return rill_simulation_degrees_of_freedom(&a->sim) == rill_simulation_degrees_of_freedom(&b->sim);
}

/* Whether all runs have as many degrees of freedom. */
static bool has_one_freedom(const struct rill_small_comparison *comparison) {
  const struct rill_small_candidate *reference = reference_of_biases(comparison);
  for (size_t i = 0; i < comparison->candidate_count; i++)
    if (!has_freedom_of(&comparison->candidates[i], reference)) return false;
  return true;
}

/* ---- observables ---- */

enum { POTENTIAL, KINETIC, COORDINATE }; /* the k-th coordinate, from 0, is COORDINATE + k */

/* "q3" */
static bool find_coordinate(const struct rill_small_comparison *comparison, const char *name,
                            struct rill_compare_observable *found) {
  const char *unit = comparison->candidates[0].sim.type->coordinate_unit;
  char *end;
  const unsigned long index = name[0] == 'q' && name[1] >= '1' && name[1] <= '9' ? strtoul(name + 1, &end, 10) : 0;
  if (index < 1 || index > comparison->n || *end != '\0') return false;
  *found = (struct rill_compare_observable){.sampled = COORDINATE + (int)index - 1, .unit = unit != NULL ? unit : ""};
  snprintf(found->name, sizeof found->name, "q%lu", index);
  snprintf(found->column, sizeof found->column, "q%lu", index);
  snprintf(found->title, sizeof found->title, "the coordinate q%lu", index);
  return true;
}

static bool find(const void *context, const char *name, struct rill_compare_observable *found) {
  const struct rill_small_comparison *comparison = context;
  const char *unit = comparison->deck->units == RILL_UNITS_SI ? "J" : "";
  if (strcmp(name, "potential") == 0)
    *found =
        (struct rill_compare_observable){POTENTIAL, "potential", "potential", "the potential energy", unit, true};
  else if (strcmp(name, "kinetic") == 0)
    *found = (struct rill_compare_observable){KINETIC, "kinetic", "kinetic", "the kinetic energy", unit, true};
  else return find_coordinate(comparison, name, found);
  return true;
}

/* Of a table with several formulations, measure = stiff-limit concerns those that have constraints. */
static enum rill_status check_measure(const struct rill_small_comparison *comparison, struct rill_error *error) {
  bool corrected = comparison->deck->thermostat.measure == RILL_MEASURE_CONSTRAINED;
  for (size_t i = 0; i < comparison->candidate_count; i++)
    corrected |= comparison->candidates[i].sim.deck.thermostat.measure != RILL_MEASURE_CONSTRAINED;
  if (comparison->reference_run != NULL)
    corrected |= comparison->reference_run->sim.deck.thermostat.measure != RILL_MEASURE_CONSTRAINED;
  return corrected ? RILL_OK
                   : rill_error_set(error, RILL_ERROR_USAGE,
                                    "[thermostat] measure = stiff-limit has no effect here: no row has constraints; "
                                    "expected one, such as --methods rattle/constrained,...");
}

/* Energies depend on the degrees of freedom, so that formulations which differ in these are judged by a coordinate:
 * the last, of a chain that of its end. */
enum rill_status rill_small_choose_observables(struct rill_small_comparison *comparison, struct rill_error *error) {
  char expected[64], last[24];
  if (!rill_small_is_sampled(comparison))
    return comparison->request->observables == NULL && comparison->request->reference == NULL
               ? RILL_OK
               : rill_compare_refuse_samples(comparison->request, error);
  RILL_TRY(make_reference_run(comparison, error));
  RILL_TRY(check_measure(comparison, error));
  snprintf(expected, sizeof expected, "potential, kinetic, or a coordinate, q1 to q%zu", comparison->n);
  snprintf(last, sizeof last, "q%zu", comparison->n);
  return rill_compare_choose_observables(comparison->request->observables,
                                         has_one_freedom(comparison) ? "potential" : last, find, comparison, expected,
                                         comparison->observable, &comparison->observable_count, error);
}

static double value_of(const struct rill_small_candidate *candidate, int sampled, const struct rill_observation *o) {
  const struct rill_state *state = candidate->sim.system.state;
  const double *q = state->position != NULL ? state->position : state->q;
  return sampled == POTENTIAL ? o->potential : sampled == KINETIC ? o->kinetic : q[sampled - COORDINATE];
}

/* ---- runs ---- */

/* Makes the whole run; the observables are sampled from `from` on, and the residual and the iterations, too. */
static enum rill_status run(const struct rill_small_comparison *comparison, struct rill_small_candidate *candidate,
                            uint64_t stride, struct rill_average *averages, struct rill_error *error) {
  const struct rill_observation *o = &candidate->sim.guard.observation;
  const double h = candidate->sim.deck.integrator.step;
  size_t samples = 0;
  RILL_TRY(rill_small_start(candidate, error));
  candidate->residual = candidate->iterations = candidate->step_seconds = 0;
  for (uint64_t done = 0; done + stride <= candidate->sim.deck.integrator.steps; samples++) {
    RILL_TRY(rill_small_advance(candidate, done, stride, &candidate->step_seconds, error));
    done += stride;
    candidate->residual = fmax(candidate->residual, o->position_deviation_max);
    candidate->iterations += o->iterations;
    for (size_t k = 0; (double)done * h >= comparison->from && k < comparison->observable_count; k++)
      rill_average_add(&averages[k], value_of(candidate, comparison->observable[k].sampled, o));
    if (rill_compare_is_stopped(comparison->request))
      return rill_error_set(error, RILL_INTERRUPTED, "stopped by a signal");
  }
  candidate->iterations /= (double)samples;
  candidate->step_seconds /= (double)(samples * stride);
  if (candidate->sim.system.state->m == 0) candidate->residual = NAN;
  return RILL_OK;
}

static enum rill_status sample(const struct rill_small_comparison *comparison, struct rill_small_candidate *candidate,
                               struct rill_error *error) {
  struct rill_average averages[RILL_COMPARE_OBSERVABLES] = {{0}};
  uint64_t stride = (uint64_t)llround(comparison->interval / candidate->sim.deck.integrator.step);
  enum rill_status status;
  if (stride < 1) stride = 1;
  candidate->interval = (double)stride * candidate->sim.deck.integrator.step;
  candidate->position_error = candidate->x_error = candidate->energy_error = candidate->momentum_error = NAN;
  for (size_t k = 0; k < RILL_COMPARE_OBSERVABLES; k++) rill_price_clear(&candidate->price[k]);
  status = run(comparison, candidate, stride, averages, error);
  if (status == RILL_INTERRUPTED || status == RILL_ERROR_MEMORY) return status;
  if (status != RILL_OK) rill_small_fail(candidate, error);
  for (size_t k = 0; k < comparison->observable_count; k++) candidate->mean[k] = rill_average_mean(&averages[k]);
  return RILL_OK;
}

enum rill_status rill_small_sample_all(struct rill_small_comparison *comparison, struct rill_error *error) {
  const double means_from = comparison->deck->output.means_from;
  double longest = 0;
  for (size_t i = 0; i < comparison->candidate_count; i++)
    longest = fmax(longest, comparison->candidates[i].sim.deck.integrator.step);
  comparison->interval = fmax(longest, comparison->span / MOST_SAMPLES);
  comparison->from = means_from > 0 ? means_from : skipped_part * comparison->span;
  if (comparison->from >= comparison->span)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "%s: [output] means_from = %g leaves no samples to compare in a run of %g; expected an "
                          "earlier time, such as %g",
                          comparison->path, comparison->from, comparison->span, skipped_part * comparison->span);
  for (size_t i = 0; i < comparison->candidate_count; i++)
    RILL_TRY(sample(comparison, &comparison->candidates[i], error));
  if (comparison->reference_run != NULL) RILL_TRY(sample(comparison, comparison->reference_run, error));
  comparison->stiffness = rill_small_stiffness(&reference_of_biases(comparison)->sim);
  return RILL_OK;
}

/* ---- results ---- */

void rill_small_price_all(struct rill_small_comparison *comparison) {
  const struct rill_small_candidate *reference = reference_of_biases(comparison);
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    struct rill_small_candidate *candidate = &comparison->candidates[i];
    if (candidate->failure[0] != '\0') continue;
    for (size_t k = 0; k < comparison->observable_count; k++) {
      candidate->price[k] =
          rill_price_of(&candidate->mean[k], candidate->interval, candidate->sim.deck.integrator.step,
                        candidate->seconds, comparison->repeats);
      if (candidate != reference && reference->failure[0] == '\0' &&
          (!comparison->observable[k].extensive || has_freedom_of(candidate, reference)))
        rill_price_add_bias(&candidate->price[k], &reference->mean[k]);
    }
  }
}

static bool any_extensive(const struct rill_small_comparison *comparison) {
  for (size_t k = 0; k < comparison->observable_count; k++)
    if (comparison->observable[k].extensive) return true;
  return false;
}

/* Springs, however stiff, have another law of positions than rods, unless that of the rods is corrected. */
static bool has_unlike_laws(const struct rill_small_comparison *comparison) {
  bool rods = false, springs = false;
  for (size_t i = 0; i <= comparison->candidate_count; i++) {
    const struct rill_small_candidate *c =
        i < comparison->candidate_count ? &comparison->candidates[i] : reference_of_biases(comparison);
    springs |= rill_small_stiffness(&c->sim) > 0;
    rods |= c->sim.system.thermal->measure_varies && c->sim.deck.thermostat.measure == RILL_MEASURE_CONSTRAINED;
  }
  return rods && springs;
}

enum rill_status rill_small_add_observables(const struct rill_small_comparison *comparison,
                                            struct rill_compare_table *table, struct rill_error *error) {
  const struct rill_small_candidate *reference = reference_of_biases(comparison);
  const char *unit = table->time_unit, *space = *unit != '\0' ? " " : "";
  snprintf(table->reference, sizeof table->reference, "%s at step %g%s%s%s%s", reference->label,
           reference->sim.deck.integrator.step, space, unit,
           reference == comparison->reference_run ? ", another run" : "",
           reference->failure[0] != '\0' ? ", which failed" : "");
  table->without_bias = any_extensive(comparison) && !has_one_freedom(comparison);
  table->unlike_laws = has_unlike_laws(comparison);
  return rill_compare_add_observables(table, comparison->observable, comparison->observable_count, table->reference,
                                      error);
}
