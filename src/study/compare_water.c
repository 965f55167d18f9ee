/* rill compare on water: the deck's system under several methods and steps, from the same positions and velocities,
 * with the same noise, over the same time. */
#include "study/compare_water.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "deck/units.h"

enum { MOST_SAMPLES = 50000, SAMPLED_STEPS = 10 }; /* sampled steps: interval of the samples, in longest steps */
static const double skipped_part = 0.1;            /* of a run, unless [rdf] from or means_from is given */

enum { COST, LAWS, SAMPLING, PARTS };

static const struct rill_compare_part parts[PARTS] = {
    [COST] = {"time and work per step",
              "us/step: median of interleaved repeats, with the minimum and the maximum; forces, solve (constraints, "
              "linear or nonlinear), thermostat and rest are its parts;\nobservation: microseconds per sample, not "
              "part of a step; evaluations: of forces and their derivatives per step; us/day: simulated time per day "
              "of wall time"},
    [LAWS] =
        {"conservation",
         "bonds: rms of |d-d0|/d0 at the state x and at the physical positions q; drift in kJ/mol/ns, fluctuation "
         "(standard deviation) and largest change of the\ntotal energy at q in kJ/mol; momenta: largest change, "
         "in u nm/ps and u nm2/ps (- with a thermostat)"},
    [SAMPLING] =
        {"sampling",
         "temperatures in K, on-step and half-step; energies in kJ/mol; +-: standard error, - with too few "
         "independent samples; L1: distance of the O-O distribution from that of the reference; seeds: that\n"
         "of the reference with another seed"},
};

static const struct rill_compare_column columns[] = {
#define X(part, name, heading, format, factor) {part, #name, heading, format, factor},
    RILL_COMPARE_WATER_COLUMNS(X)
#undef X
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };
_Static_assert(sizeof(struct rill_compare_numbers) == COLUMNS * sizeof(double),
               "numbers are copied as an array of doubles");
_Static_assert((int)COLUMNS <= (int)RILL_COMPARE_VALUES, "a row holds all columns");

/* ---- what is compared ---- */

/* Whether the formulation is penalised: for methods that cannot use constraints, or when an option chooses it. */
static bool is_penalised(const struct rill_method_label *label) {
  const struct rill_method *method = label->method;
  const unsigned needs = method == NULL ? 0 : method->implicit != NULL ? method->implicit_needs : method->needs;
  return (needs & (RILL_NEEDS_PENALTY | RILL_NEEDS_NO_CONSTRAINTS)) || rill_method_label_is_penalised(label);
}

/* Reads the deck with a method, a step and a length of the run in it, so that they pass the same checks as in any
 * deck. seed: added to the deck's seed. */
enum rill_status rill_water_enter(struct rill_water_comparison *comparison, const char *label, const char *step,
                                  const char *length, uint64_t seed, struct rill_water_candidate *candidate,
                                  struct rill_error *error) {
  struct rill_overrides o = {0};
  struct rill_method_label read;
  const struct rill_method *method;
  RILL_TRY(rill_method_label_read(label, true, &read, &o, error));
  method = read.method;
  candidate->comparison = comparison;
  candidate->penalised = is_penalised(&read);
  candidate->solves =
      method != NULL && (method->splitting == NULL || (rill_method_reads(method) & RILL_READS_SOLVER));
  snprintf(candidate->row.label, sizeof candidate->row.label, "%s", read.text);
  if (candidate->penalised && read.formulation != NULL && !rill_method_label_is_penalised(&read))
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "--methods %s: the method has no form for constraints; expected, for example, %s/20akma",
                          label, method->name);
  if (candidate->penalised && !read.names_stiffness && !(comparison->deck->penalty.stiffness > 0))
    return rill_error_set(
        error, RILL_ERROR_UNSUPPORTED,
        "--methods %s: the method moves penalised water, but the deck has no stiffness; give [penalty] stiffness, or "
        "an option, as in %s/20akma",
        label, label);
  if (candidate->penalised && read.names_solver)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "--methods %s: the method moves penalised water, which has no constraints to solve", label);
  rill_overrides_put(&o, "integrator.step=%s", step);
  rill_overrides_put(&o, "%s", length);
  rill_overrides_put(&o, "output.interval=1 step");
  rill_overrides_put(&o, "output.series_interval=1 step");
  if (comparison->deck->penalty.record) rill_overrides_put(&o, "penalty.record=none");
  if (seed != 0 && comparison->deck->thermostat.method != RILL_NO_BATH)
    rill_overrides_put(&o, "thermostat.seed=%" PRIu64, comparison->deck->thermostat.seed + seed);
  else if (seed != 0) rill_overrides_put(&o, "start.seed=%" PRIu64, comparison->deck->start.seed + seed);
  if (!candidate->penalised && comparison->deck->penalty.stiffness > 0)
    rill_overrides_put(&o, "penalty.stiffness=0 akma");
  if (rill_overrides_put_given(&comparison->given, comparison->path, &o, error) != RILL_OK ||
      rill_simulation_read(comparison->path, o.list, o.count, &candidate->sim, error) != RILL_OK)
    return rill_error_prefix(error, "method %s, step %s", label, step);
  candidate->row.step = candidate->sim.deck.integrator.step;
  candidate->row.steps = candidate->sim.deck.integrator.steps;
  candidate->row.stiffness = candidate->sim.deck.penalty.stiffness;
  return RILL_OK;
}

static void format_span(const struct rill_water_comparison *comparison, char text[64]) {
  char number[RILL_NUMBER_TEXT];
  snprintf(text, 64, "integrator.time=%s ps", rill_number_format(comparison->span, number));
}

/* Whether two candidates have the same method with the same options. */
static bool are_same(const struct rill_water_candidate *a, const struct rill_water_candidate *b) {
  const struct rill_deck *p = &a->sim.deck, *q = &b->sim.deck;
  return a->sim.method == b->sim.method && p->integrator.step == q->integrator.step &&
         p->penalty.stiffness == q->penalty.stiffness &&
         (a->penalised || p->constraints.solver == q->constraints.solver) && rill_deck_same_options(p, q);
}

static enum rill_status refuse_twice(const struct rill_water_comparison *comparison,
                                     const struct rill_water_candidate *candidate, struct rill_error *error) {
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    const struct rill_water_candidate *other = comparison->candidates[i];
    if (!are_same(other, candidate)) continue;
    if (strcmp(other->row.label, candidate->row.label) == 0)
      return rill_error_set(error, RILL_ERROR_USAGE, "--methods and --steps: %s is given twice, with the step %g fs",
                            candidate->row.label, candidate->row.step * 1e3);
    return rill_error_set(error, RILL_ERROR_USAGE, "--methods: %s and %s are the same method", other->row.label,
                          candidate->row.label);
  }
  return RILL_OK;
}

/* ---- the start ---- */

static enum rill_status create(const struct rill_water_comparison *comparison, struct rill_water_candidate *candidate,
                               const struct rill_notes *notes, struct rill_error *error) {
  candidate->sim.threads = comparison->request->threads;
  candidate->sim.notes = notes;
  return rill_simulation_create(&candidate->sim, error);
}

static enum rill_status make_start(struct rill_water_comparison *comparison, struct rill_error *error) {
  struct rill_water_candidate *rigid = calloc(1, sizeof *rigid);
  char length[64];
  enum rill_status status;
  if (rigid == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  format_span(comparison, length);
  status = rill_water_enter(comparison, "rattle", comparison->steps[0], length, 0, rigid, error);
  if (status == RILL_OK) status = create(comparison, rigid, comparison->request->notes, error);
  if (status == RILL_OK) {
    comparison->molecules = rill_water_molecules(&rigid->sim.system);
    comparison->positions = rill_allocate(RILL_COORDINATES * comparison->molecules, sizeof(double));
    comparison->velocities = rill_allocate(RILL_COORDINATES * comparison->molecules, sizeof(double));
    if (comparison->positions == NULL || comparison->velocities == NULL)
      status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the start");
  }
  if (status == RILL_OK) rill_water_copy_state(&rigid->sim.system, comparison->positions, comparison->velocities);
  rill_simulation_release(&rigid->sim);
  free(rigid);
  return status;
}

/* Makes the bound system at the common start: rigid molecules, or each formulation's own minimum when the deck
 * minimises. */
enum rill_status rill_water_start(const struct rill_water_comparison *comparison,
                                  struct rill_water_candidate *candidate, const struct rill_notes *notes,
                                  struct rill_error *error) {
  bool own_minimum = candidate->sim.deck.start.minimize && candidate->penalised;
  if (create(comparison, candidate, notes, error) != RILL_OK)
    return rill_error_prefix(error, "%s", candidate->row.label);
  rill_water_set_state(&candidate->sim.system, own_minimum ? NULL : comparison->positions, comparison->velocities);
  return RILL_OK;
}

/* Makes a copy of the reference with another seed, for other noise or, without a thermostat, other velocities. */
static enum rill_status make_again(struct rill_water_comparison *comparison, const char *length,
                                   struct rill_error *error) {
  struct rill_water_candidate *again = comparison->again = calloc(1, sizeof *again);
  if (again == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  RILL_TRY(rill_water_enter(comparison, comparison->methods[comparison->reference_method], comparison->steps[0],
                            length, 1, again, error));
  if (comparison->deck->thermostat.method != RILL_NO_BATH) return rill_water_start(comparison, again, NULL, error);
  return create(comparison, again, NULL, error);
}

static bool has_seed(const struct rill_water_comparison *comparison) {
  return comparison->deck->thermostat.method != RILL_NO_BATH ||
         comparison->deck->start.velocities == RILL_VELOCITIES_MAXWELL;
}

/* ---- the command ---- */

/* Whether a method binds with its default options. */
static enum rill_status probe(struct rill_water_comparison *comparison, const char *method, const char *length,
                              bool *binds, struct rill_error *error) {
  struct rill_water_candidate *candidate = calloc(1, sizeof *candidate);
  enum rill_status status;
  if (candidate == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_water_enter(comparison, method, comparison->steps[0], length, 0, candidate, error);
  if (status == RILL_OK) status = rill_water_start(comparison, candidate, NULL, error);
  *binds = status == RILL_OK;
  rill_simulation_release(&candidate->sim);
  free(candidate);
  if (status != RILL_ERROR_UNSUPPORTED) return status;
  rill_error_clear(error);
  return RILL_OK;
}

/* `all`: every method that binds. */
static enum rill_status name_all_methods(struct rill_water_comparison *comparison, const char *length,
                                         struct rill_error *error) {
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  for (size_t i = 0; i < count && comparison->method_count < RILL_WATER_METHODS; i++) {
    bool binds = false;
    RILL_TRY(probe(comparison, methods[i]->name, length, &binds, error));
    if (binds) comparison->methods[comparison->method_count++] = methods[i]->name;
  }
  return RILL_OK;
}

/* Reads, creates and binds all candidates before any of them runs: those that do not bind are refused. */
static enum rill_status set_up(struct rill_water_comparison *comparison, const char *length,
                               struct rill_error *error) {
  double longest = 0;
  comparison->candidates =
      calloc(comparison->method_count * comparison->step_count, sizeof(struct rill_water_candidate *));
  if (comparison->candidates == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (size_t m = 0; m < comparison->method_count; m++)
    for (size_t s = 0; s < comparison->step_count; s++) {
      struct rill_water_candidate *candidate = calloc(1, sizeof *candidate);
      enum rill_status status;
      if (candidate == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
      status =
          rill_water_enter(comparison, comparison->methods[m], comparison->steps[s], length, 0, candidate, error);
      if (status == RILL_OK) status = refuse_twice(comparison, candidate, error);
      if (status == RILL_OK) status = rill_water_start(comparison, candidate, comparison->request->notes, error);
      comparison->candidates[comparison->candidate_count++] = candidate;
      RILL_TRY(status);
      if (candidate->row.steps == 0)
        return rill_error_set(error, RILL_ERROR_USAGE, "%s: a comparison needs a run of at least one step",
                              comparison->path);
      longest = fmax(longest, candidate->row.step);
    }
  RILL_TRY(rill_water_make_reference_run(comparison, length, error));
  if (comparison->reference_run != NULL) longest = fmax(longest, comparison->reference_run->row.step);
  for (size_t m = comparison->method_count; m-- > 0;)
    if (!comparison->candidates[m * comparison->step_count]->penalised) comparison->reference_method = m;
  comparison->interval = fmax(SAMPLED_STEPS * longest, comparison->span / MOST_SAMPLES);
  RILL_TRY(rill_overrides_check(&comparison->given, error));
  return has_seed(comparison) && comparison->molecules > 1 ? make_again(comparison, length, error) : RILL_OK;
}

static void release_candidate(struct rill_water_candidate *candidate) {
  if (candidate == NULL) return;
  rill_simulation_release(&candidate->sim);
  rill_rdf_destroy(candidate->rdf);
  rill_release(candidate->samples);
  rill_release(candidate->positions);
  free(candidate);
}

static void release(struct rill_water_comparison *comparison) {
  for (size_t i = 0; i < comparison->candidate_count; i++) release_candidate(comparison->candidates[i]);
  release_candidate(comparison->again);
  release_candidate(comparison->reference_run);
  free(comparison->candidates);
  rill_release(comparison->positions);
  rill_release(comparison->velocities);
}

static enum rill_status report(const struct rill_water_comparison *comparison, struct rill_compare_table *table,
                               struct rill_error *error) {
  const bool thermostatted = comparison->deck->thermostat.method != RILL_NO_BATH;
  char bath[64];
  table->rows = calloc(comparison->candidate_count, sizeof *table->rows);
  if (table->rows == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  memcpy(table->parts, parts, sizeof parts);
  memcpy(table->columns, columns, sizeof columns);
  table->part_count = PARTS;
  table->column_count = COLUMNS;
  RILL_TRY(rill_water_add_observables(comparison, table, error));
  table->penalised = rill_water_reference_of(comparison)->penalised;
  snprintf(table->reference, sizeof table->reference, "%s", comparison->methods[comparison->reference_method]);
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    const struct rill_water_row *row = &comparison->candidates[i]->row;
    struct rill_compare_row *out = &table->rows[table->row_count++];
    *out = (struct rill_compare_row){.step = row->step,
                                     .steps = row->steps,
                                     .order = rill_compare_order(&comparison->candidates[i]->sim),
                                     .stiffness = row->stiffness};
    memcpy(out->label, row->label, sizeof out->label);
    memcpy(out->failure, row->failure, sizeof out->failure);
    memcpy(out->value, &row->numbers, sizeof row->numbers);
    memcpy(out->value + COLUMNS, comparison->candidates[i]->price,
           comparison->observable_count * sizeof(struct rill_price));
  }
  if (thermostatted)
    snprintf(bath, sizeof bath, "%s, %g K",
             rill_choice_word(rill_thermostat_choices, comparison->deck->thermostat.method),
             comparison->deck->thermostat.temperature[1]);
  snprintf(table->title, sizeof table->title,
           "%zu water molecules over %g ps, %s; statistics from %g ps on; reference %s%s", comparison->molecules,
           comparison->span, thermostatted ? bath : "constant energy", comparison->from, table->reference,
           table->penalised ? ", penalised" : "");
  return RILL_OK;
}

static enum rill_status choose_span(struct rill_water_comparison *comparison, struct rill_error *error) {
  const struct rill_deck *deck = comparison->deck;
  comparison->span = (double)deck->integrator.steps * deck->integrator.step;
  comparison->from = deck->rdf.on ? deck->rdf.from : deck->output.means_from;
  if (!(comparison->from > 0)) comparison->from = skipped_part * comparison->span;
  if (!(comparison->from > 0 && comparison->from >= comparison->span)) return RILL_OK;
  return rill_error_set(
      error, RILL_ERROR_USAGE,
      "%s: %s = %g ps leaves no samples to compare in a run of %g ps; expected an earlier time, such as %g ps",
      comparison->path, deck->rdf.on ? "[rdf] from" : "[output] means_from", comparison->from, comparison->span,
      skipped_part * comparison->span);
}

static enum rill_status compare(struct rill_water_comparison *comparison, char *methods, char *steps,
                                struct rill_compare_table *table, struct rill_error *error) {
  const struct rill_deck *deck = comparison->deck;
  char length[64], step[64], number[RILL_NUMBER_TEXT];
  RILL_TRY(choose_span(comparison, error));
  format_span(comparison, length);
  if (steps != NULL) {
    RILL_TRY(
        rill_compare_split(steps, "--steps", comparison->steps, RILL_WATER_STEPS, &comparison->step_count, error));
  } else {
    snprintf(step, sizeof step, "%s ps", rill_number_format(deck->integrator.step, number));
    comparison->steps[comparison->step_count++] = step;
  }
  RILL_TRY(make_start(comparison, error));
  RILL_TRY(rill_water_choose_observables(comparison, error));
  if (strcmp(methods, "all") == 0) RILL_TRY(name_all_methods(comparison, length, error));
  else
    RILL_TRY(rill_compare_split(methods, "--methods", comparison->methods, RILL_WATER_METHODS,
                                &comparison->method_count, error));
  rill_method_labels_note_former(comparison->methods, comparison->method_count, comparison->request->notes);
  RILL_TRY(set_up(comparison, length, error));
  RILL_TRY(rill_water_judge_all(comparison, error));
  RILL_TRY(rill_water_time_all(comparison, error));
  rill_water_price_all(comparison);
  if (comparison->scan > 0) RILL_TRY(rill_water_scan_all(comparison, error));
  return report(comparison, table, error);
}

enum rill_status rill_compare_water(const struct rill_compare_request *request, const struct rill_deck *deck,
                                    struct rill_compare_table *table, struct rill_error *error) {
  struct rill_water_comparison *comparison = calloc(1, sizeof *comparison);
  char *methods = strdup(request->methods != NULL ? request->methods : "all");
  char *steps = request->steps != NULL ? strdup(request->steps) : NULL;
  enum rill_status status;
  if (comparison == NULL || methods == NULL || (request->steps != NULL && steps == NULL)) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  } else {
    comparison->request = request;
    comparison->path = request->path;
    comparison->given = (struct rill_given_overrides){request->overrides, request->override_count, {false}};
    comparison->deck = deck;
    comparison->repeats = request->repeats > 0 ? request->repeats : 5;
    comparison->scan = request->scan;
    status = compare(comparison, methods, steps, table, error);
  }
  if (comparison != NULL) release(comparison);
  free(comparison);
  free(methods);
  free(steps);
  return status;
}
