#include "ensemble/estimates.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"

enum rill_status rill_estimates_create(size_t ladders, size_t rungs, struct rill_estimates *estimates,
                                       struct rill_error *error) {
  *estimates = (struct rill_estimates){.ladders = ladders, .rungs = rungs};
  estimates->reference = rill_allocate(rungs, sizeof *estimates->reference);
  estimates->samples = rill_allocate(ladders * rungs, sizeof *estimates->samples);
  if (estimates->reference != NULL && estimates->samples != NULL) return RILL_OK;
  rill_estimates_release(estimates);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the averages of %zu replicas", ladders * rungs);
}

/* ---- gathering ---- */

static void add(struct rill_sums *sums, const struct rill_sums *more) {
  sums->u += more->u;
  sums->uu += more->uu;
  sums->kinetic += more->kinetic;
}

static void merge_pairs(struct rill_rung_samples *samples) {
  for (size_t b = 0; b < RILL_ESTIMATE_BLOCKS / 2; b++) {
    struct rill_sums pair = samples->block[2 * b];
    add(&pair, &samples->block[2 * b + 1]);
    samples->block[b] = pair;
  }
  samples->blocks /= 2;
  samples->block_samples *= 2;
}

void rill_estimates_add(struct rill_estimates *estimates, size_t ladder, size_t rung, double potential,
                        double kinetic) {
  struct rill_rung_samples *samples = &estimates->samples[ladder * estimates->rungs + rung];
  struct rill_sums sample = {.kinetic = kinetic};
  bool first = true;
  for (size_t l = 0; first && l < estimates->ladders; l++)
    first = estimates->samples[l * estimates->rungs + rung].samples == 0;
  if (first) estimates->reference[rung] = potential;
  if (samples->block_samples == 0) samples->block_samples = 1;
  sample.u = potential - estimates->reference[rung];
  sample.uu = sample.u * sample.u;
  add(&samples->filling, &sample);
  samples->samples++;
  if (samples->samples % samples->block_samples != 0) return;
  samples->block[samples->blocks++] = samples->filling;
  samples->filling = (struct rill_sums){0};
  if (samples->blocks == RILL_ESTIMATE_BLOCKS) merge_pairs(samples);
}

/* ---- results ---- */

struct moments {
  double n;
  struct rill_sums sums;
};

static double mean(const struct moments *m) { return m->sums.u / m->n; }
static double variance(const struct moments *m) { return m->sums.uu / m->n - mean(m) * mean(m); }

static void include(struct moments *m, const struct rill_sums *sums, double n, double sign) {
  m->n += sign * n;
  m->sums.u += sign * sums->u;
  m->sums.uu += sign * sums->uu;
  m->sums.kinetic += sign * sums->kinetic;
}

/* All samples of the blocks [from, to) of a ladder. */
static struct moments of_blocks(const struct rill_rung_samples *samples, size_t from, size_t to) {
  struct moments m = {0};
  for (size_t b = from; b < to; b++) include(&m, &samples->block[b], (double)samples->block_samples, 1);
  return m;
}

static struct moments of_rung(const struct rill_estimates *estimates, size_t rung) {
  struct moments all = {0};
  for (size_t l = 0; l < estimates->ladders; l++) {
    const struct rill_rung_samples *samples = &estimates->samples[l * estimates->rungs + rung];
    const struct moments blocks = of_blocks(samples, 0, samples->blocks);
    const double rest = (double)samples->samples - blocks.n;
    include(&all, &blocks.sums, blocks.n, 1);
    include(&all, &samples->filling, rest, 1);
  }
  return all;
}

/* Number of groups of `together` blocks of all ladders. */
static size_t count_groups(const struct rill_estimates *estimates, size_t rung, size_t together) {
  size_t groups = 0;
  for (size_t l = 0; l < estimates->ladders; l++)
    groups += estimates->samples[l * estimates->rungs + rung].blocks / together;
  return groups;
}

/* Squared errors of mean and variance, leaving out groups of `together` blocks. */
static void jackknife(const struct rill_estimates *estimates, size_t rung, const struct moments *all, size_t together,
                      double squared[2]) {
  const double groups = (double)count_groups(estimates, rung, together);
  double sum[2] = {0}, squares[2] = {0};
  for (size_t l = 0; l < estimates->ladders; l++) {
    const struct rill_rung_samples *samples = &estimates->samples[l * estimates->rungs + rung];
    for (size_t b = 0; b + together <= samples->blocks; b += together) {
      const struct moments out = of_blocks(samples, b, b + together);
      struct moments rest = *all;
      double change[2];
      include(&rest, &out.sums, out.n, -1);
      change[0] = mean(&rest) - mean(all);
      change[1] = variance(&rest) - variance(all);
      for (int i = 0; i < 2; i++) {
        sum[i] += change[i];
        squares[i] += change[i] * change[i];
      }
    }
  }
  for (int i = 0; i < 2; i++) squared[i] = (groups - 1) / groups * (squares[i] - sum[i] * sum[i] / groups);
}

static void largest_errors(const struct rill_estimates *estimates, size_t rung, const struct moments *all,
                           double errors[2]) {
  errors[0] = errors[1] = NAN;
  for (size_t together = 1; count_groups(estimates, rung, together) >= RILL_ESTIMATE_LEAST_BLOCKS; together *= 2) {
    double squared[2];
    jackknife(estimates, rung, all, together, squared);
    for (int i = 0; i < 2; i++) errors[i] = fmax(errors[i], sqrt(fmax(squared[i], 0)));
  }
}

/* Split R-hat: sqrt of the variance of all over that within the halves of ladders, 1 when all sample the same. */
static double split_spread(const struct rill_estimates *estimates, size_t rung) {
  double within = 0, sum = 0, squares = 0, n = INFINITY;
  size_t chains = 0;
  for (size_t l = 0; l < estimates->ladders; l++) {
    const struct rill_rung_samples *samples = &estimates->samples[l * estimates->rungs + rung];
    const size_t half = samples->blocks / 2;
    for (size_t part = 0; half > 0 && part < 2; part++) {
      const struct moments chain = of_blocks(samples, part * half, (part + 1) * half);
      within += variance(&chain) * chain.n / (chain.n - 1);
      sum += mean(&chain);
      squares += mean(&chain) * mean(&chain);
      n = fmin(n, chain.n);
      chains++;
    }
  }
  if (chains < 2 || !(n > 1)) return NAN;
  within /= (double)chains;
  return sqrt((n - 1) / n + (squares - sum * sum / (double)chains) / (double)(chains - 1) / within);
}

struct rill_rung_estimate rill_estimate(const struct rill_estimates *estimates, size_t rung, double thermal) {
  const struct moments all = of_rung(estimates, rung);
  struct rill_rung_estimate estimate = {.samples = (uint64_t)all.n,
                                        .potential = NAN,
                                        .potential_error = NAN,
                                        .fluctuation = NAN,
                                        .fluctuation_error = NAN,
                                        .kinetic = NAN,
                                        .independent = NAN,
                                        .spread = NAN};
  double errors[2];
  if (!(all.n > 0)) return estimate;
  estimate.potential = estimates->reference[rung] + mean(&all);
  estimate.kinetic = all.sums.kinetic / all.n;
  if (all.n < 2) return estimate;
  largest_errors(estimates, rung, &all, errors);
  estimate.potential_error = errors[0];
  estimate.fluctuation = variance(&all) / (thermal * thermal);
  estimate.fluctuation_error = errors[1] / (thermal * thermal);
  estimate.independent = fmin(variance(&all) / (errors[0] * errors[0]), all.n);
  estimate.spread = split_spread(estimates, rung);
  return estimate;
}

/* ---- resuming ---- */

static void archive_samples(struct rill_rung_samples *samples, struct rill_archive *archive) {
  uint64_t counts[] = {samples->samples, samples->block_samples, samples->blocks};
  rill_archive_integers(archive, "counts", counts, 3);
  if (archive->reading && archive->status == RILL_OK &&
      (counts[2] >= RILL_ESTIMATE_BLOCKS || (counts[1] == 0 ? counts[0] : counts[0] / counts[1]) != counts[2])) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "%scounts contradict each other", archive->group);
    return;
  }
  samples->samples = counts[0];
  samples->block_samples = counts[1];
  samples->blocks = counts[2];
  rill_archive_reals(archive, "filling", &samples->filling.u, 3);
  rill_archive_reals(archive, "blocks", &samples->block[0].u, 3 * samples->blocks);
}

_Static_assert(sizeof(struct rill_sums) == 3 * sizeof(double), "sums are archived as triples of numbers");

void rill_estimates_archive(struct rill_estimates *estimates, struct rill_archive *archive) {
  char name[64];
  rill_archive_reals(archive, "reference", estimates->reference, estimates->rungs);
  for (size_t i = 0; i < estimates->ladders * estimates->rungs; i++) {
    snprintf(name, sizeof name, "ladder-%zu-rung-%zu", i / estimates->rungs, i % estimates->rungs);
    rill_archive_enter(archive, name);
    archive_samples(&estimates->samples[i], archive);
    rill_archive_leave(archive);
  }
}

void rill_estimates_release(struct rill_estimates *estimates) {
  rill_release(estimates->reference);
  rill_release(estimates->samples);
  *estimates = (struct rill_estimates){0};
}
