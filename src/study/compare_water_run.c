/* The runs of a comparison on water, and what is sampled in them. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/timers.h"
#include "base/units.h"
#include "mech/driver.h"
#include "study/compare_water.h"
#include "water/cell.h"

static void clear_numbers(struct rill_compare_numbers *numbers) {
#define X(part, name, heading, format, factor) numbers->name = NAN;
  RILL_COMPARE_WATER_COLUMNS(X)
#undef X
}

/* rms (and largest) relative deviation of the bonds. */
static void deviations(const struct rill_water_model *model, const double *x, size_t molecules, double *rms,
                       double *most) {
  double squares = 0;
  for (size_t m = 0; m < molecules; m++)
    for (size_t b = 0; b < RILL_BONDS; b++) {
      double r2 = 0, off;
      for (size_t c = 0; c < 3; c++) {
        double r = x[9 * m + 3 * rill_bond_ends[b][1] + c] - x[9 * m + 3 * rill_bond_ends[b][0] + c];
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

static bool takes_distances(const struct rill_water_comparison *comparison) {
  for (size_t k = 0; k < comparison->observable_count; k++)
    if (comparison->observable[k].sampled == RILL_SAMPLED_MEAN_DISTANCE) return true;
  return false;
}

/* Of oxygens, over all pairs. */
static double mean_distance(const double *x, size_t molecules) {
  double sum = 0;
  for (size_t i = 0; i < molecules; i++)
    for (size_t j = 0; j < i; j++) {
      const double *a = x + RILL_COORDINATES * i, *b = x + RILL_COORDINATES * j;
      sum += sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
    }
  return 2 * sum / ((double)molecules * (double)(molecules - 1));
}

static double *column(const struct rill_water_candidate *candidate, size_t index) {
  return candidate->samples + index * candidate->capacity;
}

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  struct rill_water_candidate *candidate = self;
  struct rill_compare_numbers *n = &candidate->row.numbers;
  const struct rill_system *system = &candidate->sim.system;
  const size_t molecules = candidate->comparison->molecules, i = candidate->count;
  struct rill_observation o;
  double started = rill_clock();
  RILL_TRY(system->ops->observe(system->self, &o, error));
  if (i >= candidate->capacity) return RILL_OK;
  if (!(o.position_deviation_max < RILL_WATER_BROKEN_BOND))
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
  const double values[RILL_SAMPLED] = {
      [RILL_SAMPLED_TIME] = time,
      [RILL_SAMPLED_ENERGY] = o.kinetic + o.potential,
      [RILL_SAMPLED_TEMPERATURE_HALF] = o.temperature_half,
      [RILL_SAMPLED_POTENTIAL] = o.potential,
      [RILL_SAMPLED_SOFT] = o.part[0] + o.part[1],
      [RILL_SAMPLED_TEMPERATURE] = o.temperature,
      [RILL_SAMPLED_PRESSURE] = o.pressure_bath / RILL_BAR,
      [RILL_SAMPLED_MEAN_DISTANCE] =
          takes_distances(candidate->comparison) ? mean_distance(candidate->positions, molecules) : NAN,
  };
  for (size_t k = 0; k < RILL_SAMPLED; k++) column(candidate, k)[i] = values[k];
  candidate->count++;
  deviations(&candidate->sim.model, candidate->positions, molecules, &n->bond_deviation_q_rms,
             &n->bond_deviation_q_max);
  if (candidate->rdf != NULL && time >= candidate->comparison->from) {
    if (rill_rdf_is_periodic(candidate->rdf))
      RILL_TRY(rill_rdf_sample_box(candidate->rdf, candidate->positions,
                                   rill_water_cell(&candidate->sim.system)->vector, error));
    else rill_rdf_sample(candidate->rdf, candidate->positions);
  }
  candidate->observing += rill_clock() - started;
  return RILL_OK;
}

const struct rill_water_candidate *rill_water_reference_of(const struct rill_water_comparison *comparison) {
  return comparison->candidates[comparison->reference_method * comparison->step_count];
}

/* Half-step quantities are missing at step 0. */
static struct rill_mean mean_from(const struct rill_water_candidate *candidate, size_t index, size_t first) {
  const double *values = column(candidate, index);
  if (first < candidate->count && isnan(values[first])) first++;
  return rill_mean_of(values + first, candidate->count - first);
}

static size_t first_counted(const struct rill_water_candidate *candidate) {
  const double *time = column(candidate, RILL_SAMPLED_TIME);
  size_t first = 0;
  while (first + 2 < candidate->count && time[first] < candidate->comparison->from) first++;
  return first;
}

static void conclude(struct rill_water_candidate *candidate) {
  const struct rill_water_comparison *comparison = candidate->comparison;
  struct rill_compare_numbers *n = &candidate->row.numbers;
  const size_t first = first_counted(candidate);
  const double *time = column(candidate, RILL_SAMPLED_TIME), *energy = column(candidate, RILL_SAMPLED_ENERGY),
               count = (double)candidate->count;
  struct rill_drift drift = rill_drift_of(time + first, energy + first, candidate->count - first);
  struct rill_mean mean;
  n->energy_drift_kJ_mol_ns = drift.slope * RILL_NANOSECOND;
  n->energy_drift_error_kJ_mol_ns = drift.error * RILL_NANOSECOND;
  n->energy_deviation_kJ_mol = mean_from(candidate, RILL_SAMPLED_ENERGY, first).deviation;
  mean = mean_from(candidate, RILL_SAMPLED_POTENTIAL, first);
  n->potential_kJ_mol = mean.mean;
  n->potential_error_kJ_mol = mean.error;
  n->soft_kJ_mol = mean_from(candidate, RILL_SAMPLED_SOFT, first).mean;
  mean = mean_from(candidate, RILL_SAMPLED_TEMPERATURE, first);
  n->temperature_K = mean.mean;
  n->temperature_error_K = mean.error;
  for (size_t k = 0; k < comparison->observable_count; k++)
    candidate->mean[k] = mean_from(candidate, (size_t)comparison->observable[k].sampled, first);
  mean = mean_from(candidate, RILL_SAMPLED_TEMPERATURE_HALF, first);
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
  struct rill_water_candidate *candidate = self;
  const struct rill_system *system = &candidate->sim.system;
  double *change = &candidate->row.numbers.energy_change_kJ_mol;
  struct rill_observation o;
  (void)step, (void)time;
  RILL_TRY(system->ops->observe(system->self, &o, error));
  *change = fmax(*change, fabs(o.kinetic + o.potential -
                               column(candidate, RILL_SAMPLED_ENERGY)[0])); /* the first sample sets it */
  return RILL_OK;
}

static enum rill_status run_from_start(struct rill_water_candidate *candidate, uint64_t stride,
                                       struct rill_error *error) {
  const bool keeps_energy = candidate->sim.deck.thermostat.method == RILL_NO_BATH;
  struct rill_observer observers[] = {{stride, sample, candidate, true, true},
                                      {keeps_energy ? 1 : stride, follow_energy, candidate, false, false}};
  struct rill_driver driver = {.system = &candidate->sim.system,
                               .guard = &candidate->sim.guard,
                               .integrator = candidate->sim.integrator,
                               .observers = observers,
                               .observer_count = sizeof observers / sizeof observers[0],
                               .last = candidate->row.steps,
                               .stop = candidate->comparison->request->stop};
  RILL_TRY(rill_simulation_watch_limits(&candidate->sim, error));
  return rill_driver_run(&driver, error);
}

static void note_failure(struct rill_water_candidate *candidate, struct rill_error *error) {
  snprintf(candidate->row.failure, sizeof candidate->row.failure, "%.*s", (int)strcspn(error->text, "\n"),
           error->text);
  clear_numbers(&candidate->row.numbers);
  rill_error_clear(error);
}

bool rill_water_ends_comparison(enum rill_status status) {
  return status == RILL_INTERRUPTED || status == RILL_ERROR_MEMORY;
}

/* Makes the whole run.  Errors are reported in the candidate's row. */
static enum rill_status judge(const struct rill_water_comparison *comparison, struct rill_water_candidate *candidate,
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
  candidate->samples = rill_allocate(RILL_SAMPLED * candidate->capacity, sizeof *candidate->samples);
  candidate->positions = rill_allocate(RILL_COORDINATES * comparison->molecules, sizeof *candidate->positions);
  if (candidate->samples == NULL || candidate->positions == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the samples");
  if (comparison->molecules > 1) {
    const struct rill_deck *deck = comparison->deck;
    const struct rill_structure *structure = &candidate->sim.structure;
    double max = deck->rdf.on ? deck->rdf.max : 1.0;
    struct rill_cell box;
    if (structure->has_box) RILL_TRY(rill_cell_create((const double(*)[3])structure->box, &box, error));
    if (structure->has_box && !deck->rdf.on) max = fmin(max, 0.5 * box.shortest);
    RILL_TRY((structure->has_box ? rill_rdf_create_periodic : rill_rdf_create)(
        comparison->molecules, max, deck->rdf.on ? deck->rdf.bins : 200, &candidate->rdf, error));
  }
  status = run_from_start(candidate, stride, error);
  if (rill_water_ends_comparison(status)) return status;
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

enum rill_status rill_water_judge_all(struct rill_water_comparison *comparison, struct rill_error *error) {
  const struct rill_water_candidate *reference = rill_water_reference_of(comparison);
  double noise = NAN;
  for (size_t i = 0; i < comparison->candidate_count; i++)
    RILL_TRY(judge(comparison, comparison->candidates[i], error));
  if (comparison->reference_run != NULL) RILL_TRY(judge(comparison, comparison->reference_run, error));
  if (reference->rdf == NULL || reference->row.failure[0] != '\0') return RILL_OK;
  if (comparison->again != NULL) {
    RILL_TRY(judge(comparison, comparison->again, error));
    if (comparison->again->row.failure[0] == '\0') noise = rill_rdf_distance(comparison->again->rdf, reference->rdf);
  }
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    struct rill_water_candidate *candidate = comparison->candidates[i];
    if (candidate->row.failure[0] != '\0') continue;
    candidate->row.numbers.oo_distance_L1 = rill_rdf_distance(candidate->rdf, reference->rdf);
    candidate->row.numbers.oo_seed_noise_L1 = noise;
  }
  return RILL_OK;
}
