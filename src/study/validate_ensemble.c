/* Verdicts on the trajectory of an ensemble: from the rungs and energies of its samples. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analysis/density_ratio.h"
#include "base/memory.h"
#include "base/units.h"
#include "ensemble/estimates.h"
#include "ensemble/exchange.h"
#include "study/validate.h"

/* An exchange that is accepted more rarely hardly lets replicas pass; ladders whose R-hat is larger have not sampled
 * the same; standard errors by which the slope of one pair may be off. */
static const double least_acceptance = 0.05, most_spread = 1.1, most_deviation = 4;

/* Of each ladder, for errors of slopes. */
enum { BLOCKS = 4 };

struct samples {
  size_t rows, replicas, rungs, ladders;
  double *temperature;      /* [rungs] */
  double *time;             /* [rows][2]: step, time */
  double *rung, *potential; /* [rows][replicas]; -1 and NaN: left out */
};

static enum rill_status read_table(struct rill_trajectory_reader *reader, const char *name, size_t rows,
                                   size_t columns, double **values, struct rill_error *error) {
  size_t r, c;
  RILL_TRY(rill_trajectory_read_table(reader, name, &r, &c, values, error));
  if ((rows == 0 || r >= rows) && c == columns) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "the table %s has %zu rows of %zu; expected %zu of %zu", name, r, c,
                        rows, columns);
}

static enum rill_status read_samples(struct rill_trajectory_reader *reader, struct samples *samples,
                                     struct rill_error *error) {
  size_t columns;
  samples->replicas = rill_trajectory_replicas(reader);
  RILL_TRY(rill_trajectory_ladders(reader, &samples->ladders, error));
  RILL_TRY(rill_trajectory_read_table(reader, "ladder", &samples->rungs, &columns, &samples->temperature, error));
  RILL_TRY(rill_trajectory_read_table(reader, "sample_time", &samples->rows, &columns, &samples->time, error));
  if (columns != 2) return rill_error_set(error, RILL_ERROR_INPUT, "the table sample_time has not two columns");
  RILL_TRY(read_table(reader, "sample_rung", samples->rows, samples->replicas, &samples->rung, error));
  return read_table(reader, "sample_potential", samples->rows, samples->replicas, &samples->potential, error);
}

static void release(struct samples *samples) {
  rill_release(samples->temperature);
  rill_release(samples->time);
  rill_release(samples->rung);
  rill_release(samples->potential);
}

/* Leaves out the samples before a time. */
static void skip(struct samples *samples, double from) {
  size_t first = 0;
  while (first < samples->rows && samples->time[2 * first + 1] < from) first++;
  samples->rows -= first;
  for (size_t i = 0; i < 2 * samples->rows; i++) samples->time[i] = samples->time[i + 2 * first];
  for (size_t i = 0; i < samples->rows * samples->replicas; i++) {
    samples->rung[i] = samples->rung[i + first * samples->replicas];
    samples->potential[i] = samples->potential[i + first * samples->replicas];
  }
}

static double thermal(const struct samples *samples, size_t rung) {
  return RILL_GAS_CONSTANT * samples->temperature[rung];
}

/* The energy at a rung of a ladder in a sample; NaN when no replica is there. */
static double energy_at(const struct samples *samples, size_t row, size_t ladder, size_t rung) {
  const double *rungs = samples->rung + row * samples->replicas,
               *potentials = samples->potential + row * samples->replicas;
  for (size_t r = ladder * samples->rungs; r < (ladder + 1) * samples->rungs; r++)
    if (rungs[r] == (double)rung) return potentials[r];
  return NAN;
}

/* ---- exchanges ---- */

/* The mean probability of an exchange, over the ladders of a sample. */
static double probability(const struct samples *samples, size_t row, size_t rung) {
  double sum = 0;
  for (size_t l = 0; l < samples->ladders; l++)
    sum += fmin(1, exp((1 / thermal(samples, rung) - 1 / thermal(samples, rung + 1)) *
                       (energy_at(samples, row, l, rung) - energy_at(samples, row, l, rung + 1))));
  return sum / (double)samples->ladders;
}

static void judge_acceptance(const struct samples *samples, struct rill_verdicts *verdicts) {
  struct rill_finding finding = {.what = "exchanges",
                                 .statistical = true,
                                 .limit = least_acceptance,
                                 .unit = "",
                                 .value = INFINITY,
                                 .error = NAN,
                                 .verdict = RILL_VERDICT_OPEN};
  size_t worst = 0;
  for (size_t i = 0; i + 1 < samples->rungs; i++) {
    struct rill_average average = {0};
    struct rill_mean mean;
    for (size_t row = 0; row < samples->rows; row++) rill_average_add(&average, probability(samples, row, i));
    mean = rill_average_mean(&average);
    if (!(mean.mean < finding.value)) continue;
    finding.value = mean.mean;
    finding.error = mean.error;
    worst = i;
  }
  if (!isfinite(finding.value)) return;
  finding.verdict = finding.value < least_acceptance ? RILL_VERDICT_FAILS : RILL_VERDICT_PASSES;
  snprintf(finding.text, sizeof finding.text,
           "%.3g of the exchanges between %.6g K and %.6g K are accepted, the fewest of all pairs%s", finding.value,
           samples->temperature[worst], samples->temperature[worst + 1],
           finding.verdict == RILL_VERDICT_FAILS ? ": put a temperature between them" : "");
  rill_verdicts_add(verdicts, &finding);
}

/* As struct rill_exchange counts them, but at samples only. */
static uint64_t count_round_trips(const struct samples *samples) {
  uint64_t trips = 0;
  for (size_t r = 0; r < samples->replicas; r++) {
    bool from_bottom = false, from_top = false;
    for (size_t row = 0; row < samples->rows; row++) {
      const double rung = samples->rung[row * samples->replicas + r];
      if (rung == 0) {
        trips += from_top;
        from_bottom = true;
        from_top = false;
      } else if (rung == (double)(samples->rungs - 1) && from_bottom) {
        from_top = true;
      }
    }
  }
  return trips;
}

static void judge_round_trips(const struct samples *samples, struct rill_verdicts *verdicts) {
  const uint64_t trips = count_round_trips(samples);
  struct rill_finding finding = {.what = "round trips",
                                 .limit = 1,
                                 .unit = "",
                                 .value = (double)trips,
                                 .error = NAN,
                                 .verdict = trips > 0 ? RILL_VERDICT_PASSES : RILL_VERDICT_FAILS};
  if (trips > 0)
    snprintf(finding.text, sizeof finding.text,
             "replicas went from the lowest temperature to the highest and back %" PRIu64 " times", trips);
  else
    snprintf(finding.text, sizeof finding.text,
             "no replica went from the lowest temperature to the highest and back: the ladder has not mixed; run "
             "longer, or take more temperatures");
  rill_verdicts_add(verdicts, &finding);
}

/* ---- distributions ---- */

static enum rill_status judge_ladders(const struct samples *samples, struct rill_verdicts *verdicts,
                                      struct rill_error *error) {
  struct rill_estimates estimates;
  struct rill_finding finding = {.what = "ladders",
                                 .statistical = true,
                                 .limit = most_spread,
                                 .unit = "",
                                 .value = -INFINITY,
                                 .error = NAN,
                                 .verdict = RILL_VERDICT_OPEN};
  size_t worst = 0;
  RILL_TRY(rill_estimates_create(samples->ladders, samples->rungs, &estimates, error));
  for (size_t row = 0; row < samples->rows; row++)
    for (size_t l = 0; l < samples->ladders; l++)
      for (size_t i = 0; i < samples->rungs; i++) {
        const double u = energy_at(samples, row, l, i);
        if (isfinite(u)) rill_estimates_add(&estimates, l, i, u, 0);
      }
  for (size_t i = 0; i < samples->rungs; i++) {
    const double spread = rill_estimate(&estimates, i, thermal(samples, i)).spread;
    if (!(spread > finding.value)) continue;
    finding.value = spread;
    worst = i;
  }
  rill_estimates_release(&estimates);
  if (isfinite(finding.value)) {
    finding.verdict = finding.value > most_spread ? RILL_VERDICT_FAILS : RILL_VERDICT_PASSES;
    snprintf(finding.text, sizeof finding.text,
             "R-hat of the energy over the halves of all %s is %.4g at %.6g K, the largest%s",
             samples->rungs > 1 ? "ladders" : "replicas", finding.value, samples->temperature[worst],
             finding.verdict == RILL_VERDICT_FAILS ? ": they have not sampled the same; run longer" : "");
    rill_verdicts_add(verdicts, &finding);
  }
  return RILL_OK;
}

/* Independent energies at a rung, a block of a ladder after the other. */
struct energies {
  double *of;     /* [rows * ladders] */
  size_t *count;  /* [ladders * BLOCKS]: of each block */
  size_t *before; /* [ladders * BLOCKS + 1]: of the blocks before, and of all */
};

/* scratch: [rows]. */
static void gather_energies(const struct samples *samples, size_t rung, double *scratch, struct energies *energies) {
  size_t all = 0;
  for (size_t l = 0; l < samples->ladders; l++) {
    size_t stride;
    for (size_t row = 0; row < samples->rows; row++) scratch[row] = energy_at(samples, row, l, rung);
    stride = rill_samples_apart(scratch, samples->rows);
    for (size_t b = 0; b < BLOCKS; b++) {
      const size_t from = b * samples->rows / BLOCKS, to = (b + 1) * samples->rows / BLOCKS;
      energies->before[l * BLOCKS + b] = all;
      for (size_t row = from; row < to; row += stride)
        if (isfinite(scratch[row])) energies->of[all++] = scratch[row];
      energies->count[l * BLOCKS + b] = all - energies->before[l * BLOCKS + b];
    }
  }
  energies->before[samples->ladders * BLOCKS] = all;
}

/* The standard error of the mean over blocks: it includes motions that are slower than the correlation time shows. */
static double scatter(const struct samples *samples, const struct energies *low, const struct energies *high) {
  double sum = 0, squares = 0, n = 0;
  for (size_t b = 0; b < samples->ladders * BLOCKS; b++) {
    const double slope =
        rill_density_ratio_slope(low->of + low->before[b], low->count[b], high->of + high->before[b], high->count[b])
            .slope;
    if (!isfinite(slope)) continue;
    sum += slope;
    squares += slope * slope;
    n++;
  }
  return n > 1 ? sqrt(fmax(squares - sum * sum / n, 0) / (n * (n - 1))) : NAN;
}

/* By how many standard errors the slope of the densities at rung and rung + 1 is off; NaN where it is unknown. */
static double deviation(const struct samples *samples, size_t rung, const struct energies *low,
                        const struct energies *high) {
  const size_t blocks = samples->ladders * BLOCKS;
  const struct rill_slope slope =
      rill_density_ratio_slope(low->of, low->before[blocks], high->of, high->before[blocks]);
  const double exact = 1 / thermal(samples, rung) - 1 / thermal(samples, rung + 1);
  return fabs(slope.slope - exact) / fmax(slope.error, scatter(samples, low, high));
}

static void report_slopes(const struct samples *samples, size_t worst, double off, struct rill_verdicts *verdicts) {
  struct rill_finding finding = {.what = "distributions",
                                 .statistical = true,
                                 .limit = most_deviation,
                                 .unit = "standard errors",
                                 .value = off,
                                 .error = NAN};
  finding.verdict = off > most_deviation ? RILL_VERDICT_FAILS : RILL_VERDICT_PASSES;
  snprintf(
      finding.text, sizeof finding.text,
      "the slope of ln(p(U) at %.6g K / p(U) at %.6g K) is %.2g standard errors off 1/RT - 1/RT', the most of "
      "all pairs%s",
      samples->temperature[worst + 1], samples->temperature[worst], off,
      finding.verdict == RILL_VERDICT_FAILS
          ? ": the temperatures are not sampled as they should be: a later [output] means_from, a longer run, or a "
            "shorter step?"
          : "");
  rill_verdicts_add(verdicts, &finding);
}

static enum rill_status judge_slopes(const struct samples *samples, struct rill_verdicts *verdicts,
                                     struct rill_error *error) {
  const size_t all = samples->rows * samples->ladders, blocks = samples->ladders * BLOCKS;
  double *room = rill_allocate(2 * all + samples->rows, sizeof *room), most = -1;
  size_t *counts = rill_allocate(2 * (2 * blocks + 1), sizeof *counts), worst = 0;
  struct energies energies[2];
  if (room == NULL || counts == NULL) {
    rill_release(room);
    rill_release(counts);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the energies");
  }
  for (size_t k = 0; k < 2; k++)
    energies[k] =
        (struct energies){room + k * all, counts + k * (2 * blocks + 1), counts + k * (2 * blocks + 1) + blocks};
  for (size_t i = 0; i < samples->rungs; i++) {
    double off;
    gather_energies(samples, i, room + 2 * all, &energies[i % 2]);
    off = i > 0 ? deviation(samples, i - 1, &energies[(i - 1) % 2], &energies[i % 2]) : NAN;
    if (!(off > most)) continue;
    most = off;
    worst = i - 1;
  }
  rill_release(room);
  rill_release(counts);
  if (most >= 0) report_slopes(samples, worst, most, verdicts);
  return RILL_OK;
}

enum rill_status rill_validate_ensemble(struct rill_trajectory_reader *reader, const struct rill_deck *deck,
                                        struct rill_verdicts *verdicts, struct rill_error *error) {
  struct samples samples = {0};
  enum rill_status status = read_samples(reader, &samples, error);
  if (status == RILL_OK) {
    const bool exchanges = samples.rungs > 1 && deck->ensemble.exchange != RILL_NO_EXCHANGE;
    if (exchanges) judge_round_trips(&samples, verdicts);
    skip(&samples, deck->output.means_from);
    if (exchanges) judge_acceptance(&samples, verdicts);
    status = judge_ladders(&samples, verdicts, error);
  }
  if (status == RILL_OK && samples.rungs > 1) status = judge_slopes(&samples, verdicts, error);
  release(&samples);
  return status;
}
