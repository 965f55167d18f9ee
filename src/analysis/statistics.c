#include "analysis/statistics.h"

#include <math.h>

enum { FEWEST_BLOCKS = 16, COEFFICIENTS = RILL_BLOCKS / 2 };

static const double pi = 3.14159265358979323846;

const char *rill_sampling_name(enum rill_sampling sampling) {
  switch (sampling) {
  case RILL_SAMPLING_ENOUGH: return "enough samples";
  case RILL_SAMPLING_FEW: return "too few independent samples";
  case RILL_SAMPLING_UNBOUNDED: return "no finite correlation time";
  case RILL_SAMPLING_CONSERVED: return "it is conserved, see its drift";
  }
  return "?";
}

/* ---- the spectral density at frequency zero ---- */

/* Relative density at the j-th cosine: 1 + (ratio - 1) / (1 + (j / corner)^2), or 1/j. */
struct spectrum {
  double corner, ratio;
  bool flicker;
};

static double density(const struct spectrum *s, double j) {
  return s->flicker ? 1 / j : 1 + (s->ratio - 1) / (1 + (j / s->corner) * (j / s->corner));
}

/* power[j]: squared coefficients, from <= j <= to. */
struct coefficients {
  double power[COEFFICIENTS];
  size_t from, to;
};

/* Log-likelihood of a spectrum, with the prior 1/scale integrated over its scale; *scale is set to the mean of the
 * scale. */
static double log_likelihood(const struct coefficients *c, const struct spectrum *spectrum, double *scale) {
  const double count = (double)(c->to - c->from + 1);
  double logs = 0, product = 1, sum = 0;
  for (size_t j = c->from; j <= c->to; j++) {
    const double s = density(spectrum, (double)j);
    sum += c->power[j] / s;
    product *= s;
    if (j % 8 == 0 || j == c->to) {
      logs += log(product);
      product = 1;
    }
  }
  *scale = sum / (count - 2);
  return -0.5 * (logs + count * log(sum));
}

/* A set of weighted spectra: the mean likelihood, and moments of the density at zero. */
struct evidence {
  double largest, weight; /* the sum of weights is weight exp(largest) */
  double first, second;   /* moments, in the same scale */
};

static void weigh(struct evidence *e, const struct coefficients *c, double prior, double corner, double ratio,
                  bool flicker) {
  const struct spectrum spectrum = {corner, ratio, flicker};
  const double count = (double)(c->to - c->from + 1);
  double scale, likelihood = log_likelihood(c, &spectrum, &scale), weight, at_zero = scale * ratio;
  if (!(e->weight > 0)) e->largest = likelihood;
  if (likelihood > e->largest) {
    const double shrink = exp(e->largest - likelihood);
    e->weight *= shrink;
    e->first *= shrink;
    e->second *= shrink;
    e->largest = likelihood;
  }
  weight = prior * exp(likelihood - e->largest);
  e->weight += weight;
  e->first += weight * at_zero;
  e->second += weight * at_zero * at_zero * (count - 2) / fmax(count - 4, 1);
}

static double log_evidence(const struct evidence *e) { return e->largest + log(e->weight); }

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Finds the density at zero in the scale of the coefficients, and twice its square over its variance. */
static enum rill_sampling find_density(const struct coefficients *c, double *at_zero, double *freedom) {
  static const double corners[] = {6, 10, 16, 25, 40, 64, 100};
  static const double ratios[] = {0x1p-10, 0x1p-6, 0x1p-3, 0x1p-1, 0x1p1, 0x1p3, 0x1p5, 0x1p7, 0x1p10, 0x1p17};
  static const double near_corners[] = {2, 3, 4}, near_ratios[] = {0x1p4, 0x1p7, 0x1p30};
  static const double prior_of_few = 0.3, prior_of_flicker = 2, sure_of_flicker = 4;
  struct evidence flat = {0}, few = {0}, flicker = {0};
  size_t used = 0;
  double most;
  while (used < COUNT(corners) && corners[used] <= (double)c->to) used++;
  weigh(&flat, c, 0.5, 1, 1, false);
  for (size_t k = 0; k < used; k++)
    for (size_t r = 0; r < COUNT(ratios); r++)
      weigh(&flat, c, 0.5 / (double)(used * COUNT(ratios)), corners[k], ratios[r], false);
  for (size_t k = 0; k < COUNT(near_corners); k++)
    for (size_t r = 0; r < COUNT(near_ratios); r++)
      weigh(&few, c, prior_of_few / (double)(COUNT(near_corners) * COUNT(near_ratios)), near_corners[k],
            near_ratios[r], false);
  weigh(&flicker, c, prior_of_flicker, 1, 1, true);
  *at_zero = flat.first / flat.weight;
  *freedom = 2 * flat.first * flat.first / fmax(flat.second * flat.weight - flat.first * flat.first, 1e-300);
  most = fmax(log_evidence(&few), log_evidence(&flat));
  if (log_evidence(&flicker) > most + log(sure_of_flicker)) return RILL_SAMPLING_UNBOUNDED;
  return log_evidence(&flat) >= fmax(log_evidence(&few), log_evidence(&flicker)) ? RILL_SAMPLING_ENOUGH
                                                                                 : RILL_SAMPLING_FEW;
}

/* Squared standard error of the mean of blocks after fitting `parameters` parameters to them: 1 for a mean, 2 for a
 * mean and a slope, which uses up the first cosine.  NaN unless the sampling is enough. */
static enum rill_sampling judge_blocks(const double *block, size_t blocks, size_t parameters, double *squared,
                                       double *freedom) {
  struct coefficients c = {.from = parameters, .to = blocks / 2};
  double cosine[4 * RILL_BLOCKS], mean = 0, sum = 0, at_zero;
  enum rill_sampling sampling;
  *squared = *freedom = NAN;
  if (blocks < FEWEST_BLOCKS) return RILL_SAMPLING_FEW;
  for (size_t q = 0; q < 4 * blocks; q++) cosine[q] = cos(pi * (double)q / (double)(2 * blocks));
  for (size_t b = 0; b < blocks; b++) mean += block[b] / (double)blocks;
  for (size_t j = c.from; j <= c.to; j++) {
    double coefficient = 0;
    for (size_t b = 0; b < blocks; b++) coefficient += (block[b] - mean) * cosine[j * (2 * b + 1) % (4 * blocks)];
    c.power[j] = 2 * coefficient * coefficient / (double)blocks;
    sum += c.power[j];
  }
  if (!isfinite(sum)) return RILL_SAMPLING_FEW;
  if (sum == 0) { /* constant */
    *squared = 0;
    *freedom = (double)blocks;
    return RILL_SAMPLING_ENOUGH;
  }
  sampling = find_density(&c, &at_zero, freedom);
  if (sampling == RILL_SAMPLING_ENOUGH) *squared = at_zero / (double)blocks;
  else *freedom = NAN;
  return sampling;
}

/* ---- running means ---- */

static void merge_blocks(struct rill_average *a) {
  a->blocks /= 2;
  a->block_samples *= 2;
  for (size_t b = 0; b < a->blocks; b++) a->block[b] = 0.5 * (a->block[2 * b] + a->block[2 * b + 1]);
  for (size_t b = a->blocks; b < RILL_BLOCKS; b++) a->block[b] = 0;
}

void rill_average_add(struct rill_average *a, double sample) {
  double difference, before;
  if (a->samples == 0) {
    a->first = sample;
    a->block_samples = 1;
  }
  difference = sample - a->first;
  before = a->samples > 0 ? a->sum / (double)a->samples : 0;
  a->samples++;
  a->sum += difference;
  a->squares += (difference - before) * (difference - a->sum / (double)a->samples);
  a->filling += difference;
  if (a->samples % a->block_samples != 0) return;
  a->block[a->blocks++] = a->filling / (double)a->block_samples;
  a->filling = 0;
  if (a->blocks == RILL_BLOCKS) merge_blocks(a);
}

/* The fraction of samples in full blocks. */
static double full_part(const struct rill_average *a) {
  return (double)(a->blocks * a->block_samples) / (double)a->samples;
}

struct rill_mean rill_average_mean(const struct rill_average *a) {
  struct rill_mean result = {a->samples, NAN, NAN, NAN, NAN, NAN, RILL_SAMPLING_FEW};
  double squared;
  if (a->samples == 0) return result;
  result.mean = a->first + a->sum / (double)a->samples;
  if (a->samples < 2) return result;
  result.deviation = sqrt(fmax(a->squares, 0) / (double)(a->samples - 1));
  result.sampling = judge_blocks(a->block, a->blocks, 1, &squared, &result.freedom);
  if (result.sampling != RILL_SAMPLING_ENOUGH) return result;
  result.error = sqrt(squared * full_part(a));
  result.independent = result.error > 0 ? pow(result.deviation / result.error, 2) : (double)a->samples;
  return result;
}

double rill_mean_correlation_time(const struct rill_mean *mean, double interval, double *error) {
  const double time = 0.5 * interval * (double)mean->samples / mean->independent;
  *error = NAN;
  if (!(mean->error > 0)) return NAN;
  *error = time * sqrt(2 / mean->freedom + 1 / mean->independent);
  return time;
}

void rill_average_archive(struct rill_average *a, struct rill_archive *archive) {
  size_t samples = a->samples, block_samples = a->block_samples, blocks = a->blocks;
  rill_archive_size(archive, "samples", &samples);
  rill_archive_size(archive, "block_samples", &block_samples);
  rill_archive_size(archive, "blocks", &blocks);
  if (blocks >= RILL_BLOCKS || (samples > 0 && (block_samples < 1 || samples / block_samples != blocks))) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "the blocks of a running mean are inconsistent");
    return;
  }
  a->samples = samples;
  a->block_samples = block_samples;
  a->blocks = blocks;
  rill_archive_reals(archive, "first", &a->first, 1);
  rill_archive_reals(archive, "sum", &a->sum, 1);
  rill_archive_reals(archive, "squares", &a->squares, 1);
  rill_archive_reals(archive, "filling", &a->filling, 1);
  rill_archive_reals(archive, "block", a->block, RILL_BLOCKS);
}

struct rill_mean rill_mean_of(const double *values, size_t count) {
  struct rill_average average = {0};
  for (size_t i = 0; i < count; i++) rill_average_add(&average, values[i]);
  return rill_average_mean(&average);
}

/* ---- lines ---- */

void rill_trend_add(struct rill_trend *trend, double t, double y) {
  if (trend->y.samples == 0) trend->first = t;
  rill_average_add(&trend->y, y);
  trend->last = t;
  t -= trend->first;
  trend->t += t;
  trend->tt += t * t;
  trend->ty += t * (y - trend->y.first);
}

struct rill_drift rill_trend_drift(const struct rill_trend *trend) {
  const struct rill_average *y = &trend->y;
  const double samples = (double)y->samples;
  struct rill_drift result = {NAN, NAN, NAN, NAN, RILL_SAMPLING_FEW};
  double residual[RILL_BLOCKS], spread, interval, squared;
  if (y->samples < 2) return result;
  spread = trend->tt - trend->t * trend->t / samples;
  if (!(spread > 0)) return result;
  result.slope = (trend->ty - trend->t * y->sum / samples) / spread;
  result.bound = sqrt(fmax(y->squares / spread - result.slope * result.slope, 0));
  interval = (trend->last - trend->first) / (samples - 1);
  for (size_t b = 0; b < y->blocks; b++) {
    const double middle = interval * ((double)(b * y->block_samples) + 0.5 * (double)(y->block_samples - 1));
    residual[b] = y->block[b] - result.slope * middle;
  }
  result.sampling = judge_blocks(residual, y->blocks, 2, &squared, &result.freedom);
  if (result.sampling == RILL_SAMPLING_ENOUGH)
    result.error = sqrt(squared * (double)(y->blocks * y->block_samples) / spread);
  return result;
}

void rill_trend_archive(struct rill_trend *trend, struct rill_archive *archive) {
  rill_average_archive(&trend->y, archive);
  rill_archive_reals(archive, "first_t", &trend->first, 1);
  rill_archive_reals(archive, "last_t", &trend->last, 1);
  rill_archive_reals(archive, "t", &trend->t, 1);
  rill_archive_reals(archive, "tt", &trend->tt, 1);
  rill_archive_reals(archive, "ty", &trend->ty, 1);
}

struct rill_drift rill_drift_of(const double *t, const double *y, size_t count) {
  struct rill_trend trend = {0};
  for (size_t i = 0; i < count; i++) rill_trend_add(&trend, t[i], y[i]);
  return rill_trend_drift(&trend);
}

/* ---- autocorrelation ---- */

double rill_correlation_time(const double *values, size_t count) {
  double mean = 0, variance = 0, time = 0.5;
  if (count < 4) return NAN;
  for (size_t i = 0; i < count; i++) mean += (values[i] - values[0]) / (double)count;
  mean += values[0];
  for (size_t i = 0; i < count; i++) variance += (values[i] - mean) * (values[i] - mean) / (double)count;
  if (!(variance > 0)) return NAN;
  for (size_t lag = 1; lag < count && (double)lag < 6 * fmax(time, 1); lag++) {
    double sum = 0;
    for (size_t i = 0; i + lag < count; i++) sum += (values[i] - mean) * (values[i + lag] - mean);
    time += sum / ((double)(count - lag) * variance);
  }
  return time;
}

/* The correlation time is that of fast motions where a slow one has a small part, as when a cluster melts; the error
 * of the mean includes it. */
size_t rill_samples_apart(const double *values, size_t count) {
  const double tau = rill_correlation_time(values, count), independent = rill_mean_of(values, count).independent;
  const double apart = fmax(2 * tau, (double)count / independent); /* either may be NaN */
  return apart > 1 ? (size_t)ceil(apart) : 1;
}
