/* rill compare on water: the deck's system under several methods and steps, from the same positions and velocities,
 * with the same noise, over the same time. */
#include "study/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rdf.h"
#include "analysis/statistics.h"
#include "base/memory.h"
#include "base/units.h"
#include "deck/units.h"
#include "mech/driver.h"
#include "mech/timing.h"
#include "simulation/simulation.h"
#include "study/compare_columns.h"
#include "study/compare_samples.h"
#include "study/method_label.h"
#include "water/neighbours/box.h"

enum {
  MOST_METHODS = 32,
  MOST_STEPS = 16,
  MOST_SAMPLES = 50000,
  SAMPLED_STEPS = 10, /* interval of the samples, in longest steps */
  REFINEMENTS = 2,    /* bisections of the factor 2 between a stable and an unstable step */
  SCAN_LOOKS = 50,
  STATE = RILL_COORDINATES
};
static const double timed_seconds = 0.02; /* duration of one timed sequence of steps */
static const double skipped_part = 0.1;   /* of a run, unless [rdf] from or means_from is given */
static const double broken_bond = 0.5;    /* |d - d0| / d0 */
static const double scan_range = 16;      /* tries steps up to this many times longer or shorter than the deck's */

/* A row of the table while it is computed. */
struct row {
  char label[RILL_METHOD_LABEL], failure[256];
  double step, stiffness;
  uint64_t steps;
  struct rill_compare_numbers numbers;
};

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

static void clear_numbers(struct rill_compare_numbers *numbers) {
#define X(part, name, heading, format, factor) numbers->name = NAN;
  RILL_COMPARE_WATER_COLUMNS(X)
#undef X
}

/* What each sample has; the last ones are observables. */
enum { TIME, ENERGY, TEMPERATURE_HALF, POTENTIAL, SOFT, TEMPERATURE, MEAN_DISTANCE, SAMPLED };

static const struct {
  int sampled;
  struct rill_compare_observable named;
} observables[] = {
    {SOFT, {"lj-coulomb", "lj_coulomb", "the energy of molecules (Lennard-Jones and Coulomb)", "kJ/mol"}},
    {POTENTIAL, {"potential", "potential", "the potential energy", "kJ/mol"}},
    {TEMPERATURE, {"temperature", "temperature", "the kinetic temperature on the step", "K"}},
    {MEAN_DISTANCE, {"oo", "oo", "the mean O-O distance", "nm"}},
};
enum { OBSERVABLES = sizeof observables / sizeof observables[0] };

struct candidate {
  struct row row;
  struct rill_simulation sim;
  struct rill_rdf *rdf; /* NULL for one molecule */
  bool penalised;
  bool solves;                                     /* everything except forces and thermostat is a nonlinear solve */
  struct rill_mean mean[RILL_COMPARE_OBSERVABLES]; /* of the observables */
  double interval;                                 /* ps between the samples */
  struct rill_price price[RILL_COMPARE_OBSERVABLES];
  /* gathered by the observer */
  const struct comparison *comparison;
  double *samples; /* [SAMPLED][capacity], column by column */
  size_t count, capacity;
  double *positions; /* [N][9] */
  struct rill_observation first;
  double iterations, observing; /* sum; seconds */
  /* for each repeat */
  double step_seconds[RILL_COMPARE_REPEATS], forces[RILL_COMPARE_REPEATS], solve[RILL_COMPARE_REPEATS],
      thermostat[RILL_COMPARE_REPEATS], rest[RILL_COMPARE_REPEATS];
  size_t timed;
};

struct comparison {
  const struct rill_compare_request *request;
  const char *path;
  const struct rill_deck *deck; /* as given */
  struct rill_given_overrides given;
  size_t method_count, step_count, candidate_count, molecules, repeats;
  const char *methods[MOST_METHODS], *steps[MOST_STEPS];
  double span, from, interval, scan;                             /* ps; interval: between samples; scan: 0 for none */
  struct candidate **candidates;                                 /* [method_count][step_count] */
  size_t observable_count, observable[RILL_COMPARE_OBSERVABLES]; /* in `observables` */
  bool takes_distances;                                          /* MEAN_DISTANCE is among them */
  size_t judge;                   /* the method that distributions are compared with: the first rigid one */
  struct candidate *biased;       /* the run of --reference; NULL: none */
  double *positions, *velocities; /* [N][9]: the start */
  struct candidate *again;        /* the judge with another seed */
};

/* ---- what is compared ---- */

/* Whether the formulation is penalised: for methods that cannot use constraints, or when an option chooses it. */
static bool is_penalised(const struct rill_method_label *label) {
  const struct rill_method *method = label->method;
  const unsigned needs = method == NULL ? 0 : method->implicit != NULL ? method->implicit_needs : method->needs;
  return (needs & (RILL_NEEDS_PENALTY | RILL_NEEDS_NO_CONSTRAINTS)) || rill_method_label_is_penalised(label);
}

/* Reads the deck with a method, a step and a length of the run in it, so that they pass the same checks as in any
 * deck. seed: added to the deck's seed. */
static enum rill_status enter(struct comparison *comparison, const char *label, const char *step, const char *length,
                              uint64_t seed, struct candidate *candidate, struct rill_error *error) {
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

static void format_span(const struct comparison *comparison, char text[64]) {
  char number[RILL_NUMBER_TEXT];
  snprintf(text, 64, "integrator.time=%s ps", rill_number_format(comparison->span, number));
}

/* Whether two candidates have the same method with the same options. */
static bool are_same(const struct candidate *a, const struct candidate *b) {
  const struct rill_deck *p = &a->sim.deck, *q = &b->sim.deck;
  return a->sim.method == b->sim.method && p->integrator.step == q->integrator.step &&
         p->penalty.stiffness == q->penalty.stiffness &&
         (a->penalised || p->constraints.solver == q->constraints.solver) && rill_deck_same_options(p, q);
}

static enum rill_status refuse_twice(const struct comparison *comparison, const struct candidate *candidate,
                                     struct rill_error *error) {
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    const struct candidate *other = comparison->candidates[i];
    if (!are_same(other, candidate)) continue;
    if (strcmp(other->row.label, candidate->row.label) == 0)
      return rill_error_set(error, RILL_ERROR_USAGE, "--methods: %s is given twice, with the step %g fs",
                            candidate->row.label, candidate->row.step * 1e3);
    return rill_error_set(error, RILL_ERROR_USAGE, "--methods: %s and %s are the same method", other->row.label,
                          candidate->row.label);
  }
  return RILL_OK;
}

/* ---- the start ---- */

static enum rill_status create(const struct comparison *comparison, struct candidate *candidate,
                               const struct rill_notes *notes, struct rill_error *error) {
  candidate->sim.threads = comparison->request->threads;
  candidate->sim.notes = notes;
  return rill_simulation_create(&candidate->sim, error);
}

static enum rill_status make_start(struct comparison *comparison, struct rill_error *error) {
  struct candidate *rigid = calloc(1, sizeof *rigid);
  char length[64];
  enum rill_status status;
  if (rigid == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  format_span(comparison, length);
  status = enter(comparison, "rattle", comparison->steps[0], length, 0, rigid, error);
  if (status == RILL_OK) status = create(comparison, rigid, comparison->request->notes, error);
  if (status == RILL_OK) {
    comparison->molecules = rill_water_molecules(&rigid->sim.system);
    comparison->positions = rill_allocate(STATE * comparison->molecules, sizeof(double));
    comparison->velocities = rill_allocate(STATE * comparison->molecules, sizeof(double));
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
static enum rill_status start(const struct comparison *comparison, struct candidate *candidate,
                              const struct rill_notes *notes, struct rill_error *error) {
  bool own_minimum = candidate->sim.deck.start.minimize && candidate->penalised;
  if (create(comparison, candidate, notes, error) != RILL_OK)
    return rill_error_prefix(error, "%s", candidate->row.label);
  rill_water_set_state(&candidate->sim.system, own_minimum ? NULL : comparison->positions, comparison->velocities);
  return RILL_OK;
}

/* Makes a copy of the judge with another seed, for other noise or, without a thermostat, other velocities. */
static enum rill_status make_again(struct comparison *comparison, const char *length, struct rill_error *error) {
  struct candidate *again = comparison->again = calloc(1, sizeof *again);
  if (again == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  RILL_TRY(enter(comparison, comparison->methods[comparison->judge], comparison->steps[0], length, 1, again, error));
  if (comparison->deck->thermostat.method != RILL_NO_BATH) return start(comparison, again, NULL, error);
  return create(comparison, again, NULL, error);
}

static bool has_seed(const struct comparison *comparison) {
  return comparison->deck->thermostat.method != RILL_NO_BATH ||
         comparison->deck->start.velocities == RILL_VELOCITIES_MAXWELL;
}

/* ---- runs ---- */

/* rms (and largest) relative deviation of the bonds. */
static void deviations(const struct rill_water_model *model, const double *x, size_t molecules, double *rms,
                       double *most) {
  static const size_t ends[RILL_BONDS][2] = {{0, 1}, {0, 2}, {1, 2}};
  double squares = 0;
  for (size_t m = 0; m < molecules; m++)
    for (size_t b = 0; b < RILL_BONDS; b++) {
      double r2 = 0, off;
      for (size_t c = 0; c < 3; c++) {
        double r = x[9 * m + 3 * ends[b][1] + c] - x[9 * m + 3 * ends[b][0] + c];
        r2 += r * r;
      }
      off = fabs(sqrt(r2) / model->bond[b] - 1);
      squares += off * off;
      *most = fmax(*most, off);
    }
  *rms += squares / (double)(RILL_BONDS * molecules); /* summed; the root is taken at the end */
}

static double largest_change(const double now[3], const double then[3]) {
  double most = 0;
  for (int c = 0; c < 3; c++) most = fmax(most, fabs(now[c] - then[c]));
  return most;
}

/* Of oxygens, over all pairs. */
static double mean_distance(const double *x, size_t molecules) {
  double sum = 0;
  for (size_t i = 0; i < molecules; i++)
    for (size_t j = 0; j < i; j++) {
      const double *a = x + STATE * i, *b = x + STATE * j;
      sum += sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
    }
  return 2 * sum / ((double)molecules * (double)(molecules - 1));
}

static double *column(const struct candidate *candidate, size_t index) {
  return candidate->samples + index * candidate->capacity;
}

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct candidate *candidate = self;
  struct rill_compare_numbers *n = &candidate->row.numbers;
  const struct rill_system *system = &candidate->sim.system;
  const size_t molecules = candidate->comparison->molecules, i = candidate->count;
  struct rill_observation o;
  double started = rill_clock();
  RILL_TRY(system->ops->observe(system->self, &o, error));
  if (i >= candidate->capacity) return RILL_OK;
  if (!(o.position_deviation_max < broken_bond))
    return rill_error_set(error, RILL_ERROR_FAILED, "step %" PRIu64 ": a bond deviates by more than half its length",
                          step);
  if (step == 0) candidate->first = o;
  candidate->iterations += o.iterations;
  n->iterations_most = fmax(n->iterations_most, o.iterations);
  n->residual_nm = fmax(n->residual_nm, o.residual);
  n->velocity_deviation_max = fmax(n->velocity_deviation_max, o.velocity_deviation_max);
  if (candidate->sim.deck.thermostat.method == RILL_NO_BATH) {
    n->momentum_change_u_nm_ps =
        fmax(n->momentum_change_u_nm_ps, largest_change(o.momentum, candidate->first.momentum));
    n->angular_momentum_change_u_nm2_ps =
        candidate->sim.structure.has_box /* a box does not conserve it */
            ? NAN
            : fmax(n->angular_momentum_change_u_nm2_ps,
                   largest_change(o.angular_momentum, candidate->first.angular_momentum));
  }
  rill_water_copy_state(system, candidate->positions, NULL);
  deviations(&candidate->sim.model, candidate->positions, molecules, &n->bond_deviation_x_rms,
             &n->bond_deviation_x_max);
  rill_water_copy_positions(system, candidate->positions);
  const double values[SAMPLED] = {
      [TIME] = time,
      [ENERGY] = o.kinetic + o.potential,
      [TEMPERATURE_HALF] = o.temperature_half,
      [POTENTIAL] = o.potential,
      [SOFT] = o.part[0] + o.part[1],
      [TEMPERATURE] = o.temperature,
      [MEAN_DISTANCE] = candidate->comparison->takes_distances ? mean_distance(candidate->positions, molecules) : NAN,
  };
  for (size_t k = 0; k < SAMPLED; k++) column(candidate, k)[i] = values[k];
  candidate->count++;
  deviations(&candidate->sim.model, candidate->positions, molecules, &n->bond_deviation_q_rms,
             &n->bond_deviation_q_max);
  if (candidate->rdf != NULL && time >= candidate->comparison->from) {
    if (rill_rdf_is_periodic(candidate->rdf))
      RILL_TRY(rill_rdf_sample_box(candidate->rdf, candidate->positions,
                                   (const double(*)[3])candidate->sim.structure.box, error));
    else rill_rdf_sample(candidate->rdf, candidate->positions);
  }
  candidate->observing += rill_clock() - started;
  return RILL_OK;
}

static const struct candidate *judge_of(const struct comparison *comparison) {
  return comparison->candidates[comparison->judge * comparison->step_count];
}

/* Half-step quantities are missing at step 0. */
static struct rill_mean mean_from(const struct candidate *candidate, size_t index, size_t first) {
  const double *values = column(candidate, index);
  if (first < candidate->count && isnan(values[first])) first++;
  return rill_mean_of(values + first, candidate->count - first);
}

static size_t first_counted(const struct candidate *candidate) {
  const double *time = column(candidate, TIME);
  size_t first = 0;
  while (first + 2 < candidate->count && time[first] < candidate->comparison->from) first++;
  return first;
}

static void conclude(struct candidate *candidate) {
  const struct comparison *comparison = candidate->comparison;
  struct rill_compare_numbers *n = &candidate->row.numbers;
  const size_t first = first_counted(candidate);
  const double *time = column(candidate, TIME), *energy = column(candidate, ENERGY), count = (double)candidate->count;
  struct rill_drift drift = rill_drift_of(time + first, energy + first, candidate->count - first);
  struct rill_mean mean;
  n->energy_drift_kJ_mol_ns = drift.slope * RILL_NANOSECOND;
  n->energy_drift_error_kJ_mol_ns = drift.error * RILL_NANOSECOND;
  n->energy_deviation_kJ_mol = mean_from(candidate, ENERGY, first).deviation;
  mean = mean_from(candidate, POTENTIAL, first);
  n->potential_kJ_mol = mean.mean;
  n->potential_error_kJ_mol = mean.error;
  n->soft_kJ_mol = mean_from(candidate, SOFT, first).mean;
  mean = mean_from(candidate, TEMPERATURE, first);
  n->temperature_K = mean.mean;
  n->temperature_error_K = mean.error;
  for (size_t k = 0; k < comparison->observable_count; k++)
    candidate->mean[k] = mean_from(candidate, (size_t)observables[comparison->observable[k]].sampled, first);
  mean = mean_from(candidate, TEMPERATURE_HALF, first);
  n->temperature_half_K = mean.mean;
  n->temperature_half_error_K = mean.error;
  n->bond_deviation_x_rms = sqrt(n->bond_deviation_x_rms / count);
  n->bond_deviation_q_rms = sqrt(n->bond_deviation_q_rms / count);
  if (!candidate->penalised || candidate->solves) n->iterations_mean = candidate->iterations / count;
  else n->iterations_most = NAN; /* one linear solve */
  n->observation_us = candidate->observing / count * 1e6;
  if (candidate->rdf != NULL) n->oo_mean_nm = rill_rdf_mean(candidate->rdf);
}

/* At constant energy the energy is evaluated after every step, so that no extreme between two samples is missed. */
static enum rill_status follow_energy(void *self, uint64_t step, double time, struct rill_error *error) {
  struct candidate *candidate = self;
  const struct rill_system *system = &candidate->sim.system;
  double *change = &candidate->row.numbers.energy_change_kJ_mol;
  struct rill_observation o;
  (void)step, (void)time;
  RILL_TRY(system->ops->observe(system->self, &o, error));
  *change =
      fmax(*change, fabs(o.kinetic + o.potential - column(candidate, ENERGY)[0])); /* the first sample sets it */
  return RILL_OK;
}

static enum rill_status run_from_start(struct candidate *candidate, uint64_t stride, struct rill_error *error) {
  const bool keeps_energy = candidate->sim.deck.thermostat.method == RILL_NO_BATH;
  struct rill_observer observers[] = {{stride, sample, candidate, true, false},
                                      {keeps_energy ? 1 : stride, follow_energy, candidate, false, false}};
  struct rill_driver driver = {.system = &candidate->sim.system,
                               .integrator = candidate->sim.integrator,
                               .observers = observers,
                               .observer_count = sizeof observers / sizeof observers[0],
                               .last = candidate->row.steps,
                               .stop = candidate->comparison->request->stop};
  return rill_driver_run(&driver, error);
}

static void note_failure(struct candidate *candidate, struct rill_error *error) {
  snprintf(candidate->row.failure, sizeof candidate->row.failure, "%.*s", (int)strcspn(error->text, "\n"),
           error->text);
  clear_numbers(&candidate->row.numbers);
  rill_error_clear(error);
}

static bool ends_comparison(enum rill_status status) {
  return status == RILL_INTERRUPTED || status == RILL_ERROR_MEMORY;
}

/* Makes the whole run.  Errors are reported in the candidate's row. */
static enum rill_status judge(const struct comparison *comparison, struct candidate *candidate,
                              struct rill_error *error) {
  struct rill_compare_numbers *n = &candidate->row.numbers;
  uint64_t stride = (uint64_t)llround(comparison->interval / candidate->row.step);
  enum rill_status status;
  double begun = rill_clock();
  if (stride < 1) stride = 1;
  candidate->interval = (double)stride * candidate->row.step;
  clear_numbers(n);
  for (size_t k = 0; k < RILL_COMPARE_OBSERVABLES; k++) rill_price_clear(&candidate->price[k]);
  n->bond_deviation_x_rms = n->bond_deviation_q_rms = 0;
  candidate->capacity = (size_t)(candidate->row.steps / stride) + 2;
  candidate->samples = rill_allocate(SAMPLED * candidate->capacity, sizeof *candidate->samples);
  candidate->positions = rill_allocate(STATE * comparison->molecules, sizeof *candidate->positions);
  if (candidate->samples == NULL || candidate->positions == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the samples");
  if (comparison->molecules > 1) {
    const struct rill_deck *deck = comparison->deck;
    const struct rill_structure *structure = &candidate->sim.structure;
    double max = deck->rdf.on ? deck->rdf.max : 1.0;
    struct rill_box box;
    if (structure->has_box) RILL_TRY(rill_box_create((const double(*)[3])structure->box, &box, error));
    if (structure->has_box && !deck->rdf.on) max = fmin(max, 0.5 * box.shortest);
    RILL_TRY((structure->has_box ? rill_rdf_create_periodic : rill_rdf_create)(
        comparison->molecules, max, deck->rdf.on ? deck->rdf.bins : 200, &candidate->rdf, error));
  }
  status = run_from_start(candidate, stride, error);
  if (ends_comparison(status)) return status;
  if (status == RILL_OK) conclude(candidate);
  else note_failure(candidate, error);
  rill_note(comparison->request->notes, "%s%s, step %g fs: %s (%.1f s)", candidate->row.label,
            candidate == comparison->again ? " with another seed" : "", candidate->row.step * 1e3,
            status == RILL_OK ? "done" : "failed", rill_clock() - begun);
  rill_release(candidate->samples);
  rill_release(candidate->positions);
  candidate->samples = candidate->positions = NULL;
  return RILL_OK;
}

static enum rill_status judge_all(struct comparison *comparison, struct rill_error *error) {
  const struct candidate *reference = judge_of(comparison);
  double noise = NAN;
  for (size_t i = 0; i < comparison->candidate_count; i++)
    RILL_TRY(judge(comparison, comparison->candidates[i], error));
  if (comparison->biased != NULL) RILL_TRY(judge(comparison, comparison->biased, error));
  if (reference->rdf == NULL || reference->row.failure[0] != '\0') return RILL_OK;
  if (comparison->again != NULL) {
    RILL_TRY(judge(comparison, comparison->again, error));
    if (comparison->again->row.failure[0] == '\0') noise = rill_rdf_distance(comparison->again->rdf, reference->rdf);
  }
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    struct candidate *candidate = comparison->candidates[i];
    if (candidate->row.failure[0] != '\0') continue;
    candidate->row.numbers.oo_distance_L1 = rill_rdf_distance(candidate->rdf, reference->rdf);
    candidate->row.numbers.oo_seed_noise_L1 = noise;
  }
  return RILL_OK;
}

/* ---- times ---- */

/* Derives results from the times of a stretch; a nonlinear solve is everything except forces and thermostat. */
static enum rill_status time_candidate(struct candidate *candidate, struct rill_error *error) {
  const size_t r = candidate->timed;
  struct rill_step_times times;
  double known;
  RILL_TRY(rill_integrator_time(candidate->sim.integrator, &candidate->sim.timers, timed_seconds, &times, error));
  known = times.part[RILL_PHASE_FORCES] + times.part[RILL_PHASE_THERMOSTAT];
  candidate->step_seconds[r] = times.step;
  candidate->forces[r] = times.part[RILL_PHASE_FORCES];
  candidate->thermostat[r] = times.part[RILL_PHASE_THERMOSTAT];
  candidate->solve[r] = candidate->solves ? fmax(0, times.step - known) : times.part[RILL_PHASE_CONSTRAINTS];
  candidate->rest[r] = candidate->solves ? NAN : fmax(0, times.step - known - times.part[RILL_PHASE_CONSTRAINTS]);
  candidate->row.numbers.force_evaluations = times.intervals[RILL_PHASE_FORCES];
  candidate->timed++;
  return RILL_OK;
}

static double nanoseconds_a_day(double step, double seconds) {
  return seconds > 0 && step > 0 ? step * 1e-3 * 86400 / seconds : NAN;
}

static void conclude_times(struct candidate *candidate) {
  struct rill_compare_numbers *n = &candidate->row.numbers;
  const size_t count = candidate->timed;
  double step;
  if (count == 0) return;
  step = rill_median(candidate->step_seconds, count);
  n->step_us = step * 1e6;
  n->step_least_us = candidate->step_seconds[0] * 1e6;
  n->step_most_us = candidate->step_seconds[count - 1] * 1e6;
  n->forces_us = rill_median(candidate->forces, count) * 1e6;
  n->solve_us = rill_median(candidate->solve, count) * 1e6;
  if (candidate->sim.deck.thermostat.method != RILL_NO_BATH)
    n->thermostat_us = rill_median(candidate->thermostat, count) * 1e6;
  n->rest_us = rill_median(candidate->rest, count) * 1e6;
  n->speed_ns_day = nanoseconds_a_day(candidate->row.step, step);
}

/* The candidates take turns, so that a busy moment of the machine affects all alike. */
static enum rill_status time_all(struct comparison *comparison, struct rill_error *error) {
  for (size_t repeat = 0; repeat < comparison->repeats; repeat++)
    for (size_t i = 0; i < comparison->candidate_count; i++) {
      struct candidate *candidate = comparison->candidates[i];
      if (rill_compare_is_stopped(comparison->request))
        return rill_error_set(error, RILL_INTERRUPTED, "stopped by a signal");
      if (candidate->row.failure[0] != '\0' || candidate->timed != repeat) continue;
      if (time_candidate(candidate, error) != RILL_OK)
        rill_error_clear(error); /* it fails after the length of the run: it is not timed again */
    }
  for (size_t i = 0; i < comparison->candidate_count; i++) conclude_times(comparison->candidates[i]);
  return RILL_OK;
}

/* ---- independent samples ---- */

/* The run that biases are taken from: that of --reference, or the judge at its shortest step. */
static const struct candidate *unbiased(const struct comparison *comparison) {
  const struct candidate *shortest = judge_of(comparison);
  if (comparison->biased != NULL) return comparison->biased;
  for (size_t s = 1; s < comparison->step_count; s++) {
    const struct candidate *other = comparison->candidates[comparison->judge * comparison->step_count + s];
    if (other->row.step < shortest->row.step) shortest = other;
  }
  return shortest;
}

static void name_unbiased(const struct comparison *comparison, char *text, size_t size) {
  const struct candidate *reference = unbiased(comparison);
  snprintf(text, size, "%s at %g fs%s%s", reference->row.label, reference->row.step * 1e3,
           reference == comparison->biased ? ", another run" : "", reference->penalised ? " (penalised)" : "");
}

static void price_all(struct comparison *comparison) {
  const struct candidate *reference = unbiased(comparison);
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    struct candidate *candidate = comparison->candidates[i];
    const struct rill_compare_numbers *n = &candidate->row.numbers;
    if (candidate->row.failure[0] != '\0' || candidate->timed == 0) continue;
    for (size_t k = 0; k < comparison->observable_count; k++) {
      candidate->price[k] = rill_price_of(&candidate->mean[k], candidate->interval, candidate->row.step,
                                          (double[]){n->step_least_us * 1e-6, n->step_us * 1e-6});
      if (candidate != reference && reference->row.failure[0] == '\0')
        rill_price_add_bias(&candidate->price[k], &reference->mean[k]);
    }
  }
}

/* The observables that are counted; by default the one that rigid and penalised molecules have in common. */
static enum rill_status choose_observables(struct comparison *comparison, char *given, struct rill_error *error) {
  static const char standard[] = "lj-coulomb";
  const char *names[RILL_COMPARE_OBSERVABLES] = {standard};
  const bool pairs = comparison->molecules > 1 && comparison->deck->system.boundary == RILL_BOUNDARY_VACUUM;
  size_t count = 1;
  if (comparison->deck->thermostat.method == RILL_NO_BATH) {
    if (given == NULL && comparison->request->reference == NULL) return RILL_OK;
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--%s: independent samples are counted under a thermostat; set thermostat.method",
                          given != NULL ? "observables" : "reference");
  }
  if (given != NULL)
    RILL_TRY(rill_compare_split(given, "--observables", names, RILL_COMPARE_OBSERVABLES, &count, error));
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < OBSERVABLES && strcmp(names[i], observables[k].named.name) != 0) k++;
    if (k == OBSERVABLES)
      return rill_error_set(
          error, RILL_ERROR_USAGE,
          "--observables %s: not an observable of water; expected lj-coulomb, potential, temperature "
          "or oo",
          names[i]);
    if (observables[k].sampled == MEAN_DISTANCE && !pairs)
      return rill_error_set(error, RILL_ERROR_USAGE,
                            "--observables oo: the mean O-O distance is that of a cluster of two or more in vacuum");
    for (size_t j = 0; j < comparison->observable_count; j++)
      if (comparison->observable[j] == k)
        return rill_error_set(error, RILL_ERROR_USAGE, "--observables: %s is given twice", names[i]);
    comparison->takes_distances |= observables[k].sampled == MEAN_DISTANCE;
    comparison->observable[comparison->observable_count++] = k;
  }
  return RILL_OK;
}

/* ---- the largest stable step ---- */

struct watch {
  const struct rill_system *system;
  double reference; /* K */
  bool thermostatted;
  double start, sum; /* energy; temperatures of the second half */
  size_t looks, counted;
};

/* A broken bond ends a run at once.  Without a thermostat, a rise of the energy by k T / 2 per degree of freedom does
 * so, too; with one, the temperature of the second half is judged. */
static enum rill_status look(void *self, uint64_t step, double time, struct rill_error *error) {
  struct watch *watch = self;
  struct rill_observation o;
  double kt = RILL_GAS_CONSTANT * watch->reference;
  (void)time;
  RILL_TRY(watch->system->ops->observe(watch->system->self, &o, error));
  if (step == 0) watch->start = o.kinetic + o.potential;
  if (!(o.position_deviation_max < broken_bond)) return rill_error_set(error, RILL_ERROR_FAILED, "a bond is broken");
  if (!watch->thermostatted && kt > 0 &&
      o.kinetic + o.potential - watch->start > 0.5 * kt * watch->system->ops->degrees_of_freedom(watch->system->self))
    return rill_error_set(error, RILL_ERROR_FAILED, "the energy rises");
  if (watch->looks++ < SCAN_LOOKS / 2) return RILL_OK;
  watch->sum += o.temperature;
  watch->counted++;
  return RILL_OK;
}

static enum rill_status survives(struct comparison *comparison, const char *label, double h, bool *stable,
                                 struct rill_error *error) {
  struct candidate *candidate = calloc(1, sizeof *candidate);
  const struct rill_deck *deck = comparison->deck;
  char step[64], length[64], number[RILL_NUMBER_TEXT];
  struct watch watch = {0};
  uint64_t steps = (uint64_t)ceil(comparison->scan / h);
  enum rill_status status;
  if (candidate == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  snprintf(step, sizeof step, "%s ps", rill_number_format(h, number));
  snprintf(length, sizeof length, "integrator.steps=%" PRIu64, steps);
  status = enter(comparison, label, step, length, 0, candidate, error);
  if (status == RILL_OK) status = start(comparison, candidate, NULL, error);
  if (status == RILL_OK) {
    struct rill_observer observer = {1 + (steps - 1) / SCAN_LOOKS, look, &watch, false, false};
    struct rill_driver driver = {.system = &candidate->sim.system,
                                 .integrator = candidate->sim.integrator,
                                 .observers = &observer,
                                 .observer_count = 1,
                                 .last = steps,
                                 .stop = comparison->request->stop};
    watch.system = &candidate->sim.system;
    watch.thermostatted = deck->thermostat.method != RILL_NO_BATH;
    watch.reference = watch.thermostatted ? fmax(deck->thermostat.temperature[0], deck->thermostat.temperature[1])
                                          : deck->start.temperature;
    status = rill_driver_run(&driver, error);
    *stable =
        status == RILL_OK && !(watch.thermostatted && watch.sum > 1.5 * watch.reference * (double)watch.counted);
    if (!ends_comparison(status)) {
      rill_error_clear(error);
      status = RILL_OK;
    }
  }
  rill_simulation_release(&candidate->sim);
  free(candidate);
  return status;
}

/* Doubles or halves the step until one is stable and the next is not; then bisects the factor between them. */
static enum rill_status scan(struct comparison *comparison, const char *label, double h, double *largest,
                             struct rill_error *error) {
  double most = h * scan_range, least = h / scan_range, factor = 2;
  bool stable = false;
  *largest = NAN;
  RILL_TRY(survives(comparison, label, h, &stable, error));
  if (stable) {
    for (*largest = h; *largest * factor <= most; *largest *= factor) {
      RILL_TRY(survives(comparison, label, *largest * factor, &stable, error));
      if (!stable) break;
    }
  } else {
    while (!stable && (h /= factor) >= least) RILL_TRY(survives(comparison, label, h, &stable, error));
    if (stable) *largest = h;
  }
  for (int i = 0; i < REFINEMENTS && *largest < most; i++) {
    factor = sqrt(factor);
    RILL_TRY(survives(comparison, label, *largest * factor, &stable, error));
    if (stable) *largest *= factor;
  }
  return RILL_OK;
}

static void note_stable(const struct comparison *comparison, const char *method, double largest, double seconds) {
  if (isnan(largest)) rill_note(comparison->request->notes, "%s: no stable step (%.1f s)", method, seconds);
  else rill_note(comparison->request->notes, "%s: stable to %.3g fs (%.1f s)", method, largest * 1e3, seconds);
}

static enum rill_status scan_all(struct comparison *comparison, struct rill_error *error) {
  for (size_t m = 0; m < comparison->method_count; m++) {
    const size_t first = m * comparison->step_count;
    double largest, begun = rill_clock();
    RILL_TRY(scan(comparison, comparison->methods[m], comparison->deck->integrator.step, &largest, error));
    for (size_t s = 0; s < comparison->step_count; s++)
      comparison->candidates[first + s]->row.numbers.stable_step_fs = largest * 1e3;
    note_stable(comparison, comparison->methods[m], largest, rill_clock() - begun);
  }
  return RILL_OK;
}

/* ---- the command ---- */

/* Whether a method binds with its default options. */
static enum rill_status probe(struct comparison *comparison, const char *method, const char *length, bool *binds,
                              struct rill_error *error) {
  struct candidate *candidate = calloc(1, sizeof *candidate);
  enum rill_status status;
  if (candidate == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = enter(comparison, method, comparison->steps[0], length, 0, candidate, error);
  if (status == RILL_OK) status = start(comparison, candidate, NULL, error);
  *binds = status == RILL_OK;
  rill_simulation_release(&candidate->sim);
  free(candidate);
  if (status != RILL_ERROR_UNSUPPORTED) return status;
  rill_error_clear(error);
  return RILL_OK;
}

/* `all`: every method that binds. */
static enum rill_status name_all_methods(struct comparison *comparison, const char *length,
                                         struct rill_error *error) {
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  for (size_t i = 0; i < count && comparison->method_count < MOST_METHODS; i++) {
    bool binds = false;
    RILL_TRY(probe(comparison, methods[i]->name, length, &binds, error));
    if (binds) comparison->methods[comparison->method_count++] = methods[i]->name;
  }
  return RILL_OK;
}

/* Makes the run of --reference, "METHOD@STEP", with noise of its own, so that its means are independent. */
static enum rill_status make_unbiased(struct comparison *comparison, const char *length, struct rill_error *error) {
  const char *text = comparison->request->reference, *at = text != NULL ? strchr(text, '@') : NULL;
  char label[RILL_METHOD_LABEL];
  if (text == NULL) return RILL_OK;
  if (at == NULL || (size_t)(at - text) >= sizeof label)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--reference %.60s: METHOD@STEP is expected, such as rattle/settle@0.5fs", text);
  snprintf(label, sizeof label, "%.*s", (int)(at - text), text);
  comparison->biased = calloc(1, sizeof *comparison->biased);
  if (comparison->biased == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (enter(comparison, label, at + 1, length, 2, comparison->biased, error) != RILL_OK)
    return rill_error_prefix(error, "--reference");
  return start(comparison, comparison->biased, NULL, error);
}

/* Reads, creates and binds all candidates before any of them runs: those that do not bind are refused. */
static enum rill_status set_up(struct comparison *comparison, const char *length, struct rill_error *error) {
  double longest = 0;
  comparison->candidates = calloc(comparison->method_count * comparison->step_count, sizeof(struct candidate *));
  if (comparison->candidates == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (size_t m = 0; m < comparison->method_count; m++)
    for (size_t s = 0; s < comparison->step_count; s++) {
      struct candidate *candidate = calloc(1, sizeof *candidate);
      enum rill_status status;
      if (candidate == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
      status = enter(comparison, comparison->methods[m], comparison->steps[s], length, 0, candidate, error);
      if (status == RILL_OK) status = refuse_twice(comparison, candidate, error);
      if (status == RILL_OK) status = start(comparison, candidate, comparison->request->notes, error);
      comparison->candidates[comparison->candidate_count++] = candidate;
      RILL_TRY(status);
      if (candidate->row.steps == 0)
        return rill_error_set(error, RILL_ERROR_USAGE, "%s: a comparison needs a run of at least one step",
                              comparison->path);
      longest = fmax(longest, candidate->row.step);
    }
  RILL_TRY(make_unbiased(comparison, length, error));
  if (comparison->biased != NULL) longest = fmax(longest, comparison->biased->row.step);
  for (size_t m = comparison->method_count; m-- > 0;)
    if (!comparison->candidates[m * comparison->step_count]->penalised) comparison->judge = m;
  comparison->interval = fmax(SAMPLED_STEPS * longest, comparison->span / MOST_SAMPLES);
  RILL_TRY(rill_overrides_check(&comparison->given, error));
  return has_seed(comparison) && comparison->molecules > 1 ? make_again(comparison, length, error) : RILL_OK;
}

static void release_candidate(struct candidate *candidate) {
  if (candidate == NULL) return;
  rill_simulation_release(&candidate->sim);
  rill_rdf_destroy(candidate->rdf);
  rill_release(candidate->samples);
  rill_release(candidate->positions);
  free(candidate);
}

static void release(struct comparison *comparison) {
  for (size_t i = 0; i < comparison->candidate_count; i++) release_candidate(comparison->candidates[i]);
  release_candidate(comparison->again);
  release_candidate(comparison->biased);
  free(comparison->candidates);
  rill_release(comparison->positions);
  rill_release(comparison->velocities);
}

static enum rill_status add_observables(const struct comparison *comparison, struct rill_compare_table *table,
                                        struct rill_error *error) {
  struct rill_compare_observable named[RILL_COMPARE_OBSERVABLES];
  char reference[160];
  if (comparison->observable_count == 0) return RILL_OK;
  for (size_t k = 0; k < comparison->observable_count; k++) named[k] = observables[comparison->observable[k]].named;
  name_unbiased(comparison, reference, sizeof reference);
  return rill_compare_add_observables(table, named, comparison->observable_count, reference, error);
}

static enum rill_status report(const struct comparison *comparison, struct rill_compare_table *table,
                               struct rill_error *error) {
  const bool thermostatted = comparison->deck->thermostat.method != RILL_NO_BATH;
  char bath[64];
  table->rows = calloc(comparison->candidate_count, sizeof *table->rows);
  if (table->rows == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  memcpy(table->parts, parts, sizeof parts);
  memcpy(table->columns, columns, sizeof columns);
  table->part_count = PARTS;
  table->column_count = COLUMNS;
  RILL_TRY(add_observables(comparison, table, error));
  table->penalised = judge_of(comparison)->penalised;
  snprintf(table->reference, sizeof table->reference, "%s", comparison->methods[comparison->judge]);
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    const struct row *row = &comparison->candidates[i]->row;
    struct rill_compare_row *out = &table->rows[table->row_count++];
    *out = (struct rill_compare_row){.step = row->step, .steps = row->steps, .stiffness = row->stiffness};
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

static enum rill_status choose_span(struct comparison *comparison, struct rill_error *error) {
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

static enum rill_status compare(struct comparison *comparison, char *methods, char *steps, char *observed,
                                struct rill_compare_table *table, struct rill_error *error) {
  const struct rill_deck *deck = comparison->deck;
  char length[64], step[64], number[RILL_NUMBER_TEXT];
  RILL_TRY(choose_span(comparison, error));
  format_span(comparison, length);
  if (steps != NULL) {
    RILL_TRY(rill_compare_split(steps, "--steps", comparison->steps, MOST_STEPS, &comparison->step_count, error));
  } else {
    snprintf(step, sizeof step, "%s ps", rill_number_format(deck->integrator.step, number));
    comparison->steps[comparison->step_count++] = step;
  }
  RILL_TRY(make_start(comparison, error));
  RILL_TRY(choose_observables(comparison, observed, error));
  if (strcmp(methods, "all") == 0) RILL_TRY(name_all_methods(comparison, length, error));
  else
    RILL_TRY(rill_compare_split(methods, "--methods", comparison->methods, MOST_METHODS, &comparison->method_count,
                                error));
  rill_method_labels_note_former(comparison->methods, comparison->method_count, comparison->request->notes);
  RILL_TRY(set_up(comparison, length, error));
  RILL_TRY(judge_all(comparison, error));
  RILL_TRY(time_all(comparison, error));
  price_all(comparison);
  if (comparison->scan > 0) RILL_TRY(scan_all(comparison, error));
  return report(comparison, table, error);
}

enum rill_status rill_compare_water(const struct rill_compare_request *request, const struct rill_deck *deck,
                                    struct rill_compare_table *table, struct rill_error *error) {
  struct comparison *comparison = calloc(1, sizeof *comparison);
  char *methods = strdup(request->methods != NULL ? request->methods : "all");
  char *steps = request->steps != NULL ? strdup(request->steps) : NULL;
  char *observed = request->observables != NULL ? strdup(request->observables) : NULL;
  enum rill_status status;
  if (comparison == NULL || methods == NULL || (request->steps != NULL && steps == NULL) ||
      (request->observables != NULL && observed == NULL)) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  } else {
    comparison->request = request;
    comparison->path = request->path;
    comparison->given = (struct rill_given_overrides){request->overrides, request->override_count, {false}};
    comparison->deck = deck;
    comparison->repeats = request->repeats > 0 ? request->repeats : 5;
    comparison->scan = request->scan;
    status = compare(comparison, methods, steps, observed, table, error);
  }
  if (comparison != NULL) release(comparison);
  free(comparison);
  free(methods);
  free(steps);
  free(observed);
  return status;
}
