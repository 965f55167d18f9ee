/* analysis: means and drifts of correlated series, distributions of pair distances (H01, H04).
 *
 * Series are made of pieces for which all that is estimated is known: first-order autoregressive, x_i = phi x_{i-1} +
 * z_i, damped oscillations, sums of both.  Every law stands with a mutant, the formula somebody might have written
 * (or the rule that stood here before), that must break it. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analysis/rdf.h"
#include "analysis/statistics.h"
#include "analysis/step_limit.h"
#include "analysis/verdicts.h"
#include "base/random.h"
#include "suite.h"

enum { SEEDS = 100, LONGEST = 2048 };

static double normal(struct rill_noise *noise, size_t i, double z[4]) {
  if (i % 4 == 0) rill_noise_normal(noise, i / 4, 0, 0, z);
  return z[i % 4];
}

/* ---- series ---- */

/* Damped oscillations of variance 1: correlation exp(-k/tau) cos(2 pi k/period); period 0: none. */
struct mode {
  double variance, tau, period;
};
enum { MOST_MODES = 2 };
struct series {
  const char *name;
  struct mode modes[MOST_MODES];
};

static double correlation_of(const struct mode *mode, double k) {
  return exp(-k / mode->tau) * (mode->period > 0 ? cos(2 * M_PI * k / mode->period) : 1);
}

/* A complex autoregressive process of each mode, of which the real part is added up. */
static void fill_modes(uint64_t seed, const struct series *series, size_t count, double *x) {
  memset(x, 0, count * sizeof *x);
  for (uint64_t m = 0; m < MOST_MODES && series->modes[m].variance > 0; m++) {
    const struct mode *mode = &series->modes[m];
    struct rill_noise noise = rill_noise_create(seed + 1000 * m, RILL_STREAM_TEST);
    const double damping = exp(-1 / mode->tau), angle = mode->period > 0 ? 2 * M_PI / mode->period : 0;
    const double a = damping * cos(angle), b = damping * sin(angle), noisy = sqrt(1 - damping * damping);
    double z[4], u = 0, v = 0;
    for (size_t i = 0; i < count; i++) {
      const double scale = i == 0 ? 1 : noisy, next = a * u - b * v + scale * normal(&noise, 2 * i, z);
      v = b * u + a * v + scale * normal(&noise, 2 * i + 1, z);
      u = next;
      x[i] += sqrt(mode->variance) * u;
    }
  }
}

/* Exact variance of the mean of n samples. */
static double modes_variance(const struct series *series, size_t n) {
  double sum = 0;
  for (int m = 0; m < MOST_MODES && series->modes[m].variance > 0; m++) {
    sum += series->modes[m].variance;
    for (size_t k = 1; k < n && (double)k < 40 * fmax(1, series->modes[m].tau); k++)
      sum +=
          2 * (1 - (double)k / (double)n) * series->modes[m].variance * correlation_of(&series->modes[m], (double)k);
  }
  return sum / (double)n;
}

/* Noise of spectrum 1/f down to the whole length: octaves of relaxation times, far beyond it. */
static void fill_flicker(uint64_t seed, size_t count, double *x) {
  static double octave[LONGEST];
  memset(x, 0, count * sizeof *x);
  for (int m = 0; m < 14; m++) {
    const struct series one = {"", {{1, exp2(m), 0}}};
    fill_modes(seed + 100000 * (uint64_t)(m + 1), &one, count, octave);
    for (size_t i = 0; i < count; i++) x[i] += octave[i];
  }
}

/* ---- means ---- */

static double naive_error(const double *x, size_t count) {
  double mean = 0, squares = 0;
  for (size_t i = 0; i < count; i++) mean += x[i] / (double)count;
  for (size_t i = 0; i < count; i++) squares += (x[i] - mean) * (x[i] - mean);
  return sqrt(squares / ((double)count * (double)(count - 1)));
}

/* Blocks of B samples, the first with B^3 > 2 n g(B)^2 (Lee et al., Phys. Rev. E 83, 066706 (2011)): stops too early
 * where fast oscillations make the first blocks anticorrelated. */
static double first_block_error(const double *x, size_t count) {
  static double values[LONGEST];
  const double samples = (double)count;
  double first = NAN, error = NAN;
  memcpy(values, x, count * sizeof *x);
  for (double block = 1; count >= 4; block *= 2) {
    error = naive_error(values, count);
    if (isnan(first)) first = error * error;
    if (block * block * block > 2 * samples * pow(error * error / first, 2)) return error;
    count /= 2;
    for (size_t i = 0; i < count; i++) values[i] = 0.5 * (values[2 * i] + values[2 * i + 1]);
  }
  return error;
}

/* How an estimate of an error does over many seeds: the mean of its square against the true one. */
struct record {
  double squares, within, count;
};

static void note(struct record *record, double deviation, double error) {
  if (isnan(error)) return;
  record->squares += error * error;
  record->within += fabs(deviation) < error ? 1 : 0;
  record->count++;
}

/* The mean of squares scatters by 4 to 6 % over 100 seeds; it is 10 to 25 % too large where the spectrum rises from
 * zero, and at 50 to 100 correlation times.  Intervals of one error hold 0.62 to 0.75 (0.683 of a normal
 * distribution), which 100 seeds tell to 0.05. */
static int is_right(const struct record *record, double variance) {
  const double ratio = record->squares / record->count / variance, within = record->within / record->count;
  return ratio > 0.85 && ratio < 1.4 && within > 0.53 && within < 0.83;
}

static const struct series known[] = {
    {"white", {{1, 1e-3, 0}}},
    {"correlated", {{1, 1.44, 0}}},
    {"slow", {{1, 8, 0}}},
    {"oscillations", {{1, 20, 10}}},
    {"persistent oscillations", {{1, 60, 7}}},
    {"slow below fast", {{1, 1e-3, 0}, {0.12, 8, 0}}},
    {"slow below oscillations", {{1, 20, 10}, {0.12, 8, 0}}},
};
enum { KNOWN = sizeof known / sizeof known[0] };

START_TEST(mean_errors_are_right) {
  static double x[LONGEST];
  const struct series *series = &known[_i];
  const double variance = modes_variance(series, LONGEST);
  struct record found = {0}, naive = {0}, early = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct rill_mean mean;
    fill_modes(seed, series, LONGEST, x);
    mean = rill_mean_of(x, LONGEST);
    ck_assert_uint_eq(mean.samples, LONGEST);
    ck_assert(isnan(mean.error) == (mean.sampling != RILL_SAMPLING_ENOUGH));
    note(&found, mean.mean, mean.error);
    note(&naive, mean.mean, naive_error(x, LONGEST));
    note(&early, mean.mean, first_block_error(x, LONGEST));
  }
  ck_assert_msg(is_right(&found, variance) && found.count >= 0.75 * SEEDS,
                "%s: %g of %d seeds have an error, squares %g times the variance, %g within", series->name,
                found.count, SEEDS, found.squares / found.count / variance, found.within / found.count);
  ck_assert_int_eq(is_right(&naive, variance), _i == 0);        /* a mutant: all samples independent */
  if (_i >= 5) ck_assert_int_eq(is_right(&early, variance), 0); /* a mutant: the earlier rule */
}
END_TEST

/* Samples of a block that is not full yet count in the mean, whose error falls by the square root of their number. */
START_TEST(samples_beyond_the_blocks_count) {
  static double x[LONGEST];
  struct rill_average average = {0};
  struct rill_mean full, more;
  size_t n = 0;
  fill_modes(1, &known[0], LONGEST, x);
  while (n < LONGEST / 2) rill_average_add(&average, x[n++]);
  ck_assert_uint_eq(average.blocks * average.block_samples, n);
  full = rill_average_mean(&average);
  ck_assert_int_eq(full.sampling, RILL_SAMPLING_ENOUGH);
  for (size_t i = 1; i < average.block_samples; i++) rill_average_add(&average, x[n++]);
  more = rill_average_mean(&average);
  ck_assert_uint_lt(average.blocks * average.block_samples, n);
  ck_assert_double_eq_tol(more.error / full.error, sqrt((double)(LONGEST / 2) / (double)n), 1e-12);
}
END_TEST

/* Of 1/f noise and of series not much longer than their correlation time there is no error. */
START_TEST(means_without_an_error) {
  static const struct series short_one = {"", {{1, LONGEST / 6., 0}}};
  static double x[LONGEST];
  int flicker = 0, unbounded = 0, few = 0, walks = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    struct rill_mean mean;
    double walk = 0, z[4];
    struct rill_noise noise = rill_noise_create(seed, RILL_STREAM_TEST);
    fill_flicker(seed, LONGEST, x);
    mean = rill_mean_of(x, LONGEST);
    flicker += mean.sampling != RILL_SAMPLING_ENOUGH;
    unbounded += mean.sampling == RILL_SAMPLING_UNBOUNDED;
    fill_modes(seed, &short_one, LONGEST, x);
    few += rill_mean_of(x, LONGEST).sampling == RILL_SAMPLING_FEW;
    for (size_t i = 0; i < LONGEST; i++) x[i] = walk += normal(&noise, i, z);
    walks += rill_mean_of(x, LONGEST).sampling == RILL_SAMPLING_FEW;
  }
  ck_assert_msg(flicker >= 37 && unbounded >= 24 && few >= 30 && walks >= 38,
                "flicker %d, of these unbounded %d; short %d; walks %d", flicker, unbounded, few, walks);
}
END_TEST

/* What a running mean has seen is all in its state: broken off anywhere and read from an archive, it ends with the
 * same bytes; and its memory does not grow. */
START_TEST(running_means_continue) {
  static const size_t breaks[] = {0, 1, 255, 256, 300, 511, 1500};
  static double x[LONGEST];
  struct rill_trend whole = {0};
  fill_modes(3, &known[2], LONGEST, x);
  for (size_t i = 0; i < LONGEST; i++) rill_trend_add(&whole, 0.5 * (double)i, x[i]);
  ck_assert_uint_ge(whole.y.blocks, RILL_BLOCKS / 2);
  for (size_t k = 0; k < sizeof breaks / sizeof breaks[0]; k++) {
    struct rill_trend part = {0}, rest = {0};
    struct rill_archive written = {0}, read;
    static struct rill_error failure;
    for (size_t i = 0; i < breaks[k]; i++) rill_trend_add(&part, 0.5 * (double)i, x[i]);
    rill_trend_archive(&part, &written);
    ck_assert_int_eq(rill_archive_open(written.bytes, written.length, &read, &failure), RILL_OK);
    rill_trend_archive(&rest, &read);
    ck_assert_int_eq(rill_archive_status(&read, &failure), RILL_OK);
    rill_archive_release(&written);
    for (size_t i = breaks[k]; i < LONGEST; i++) rill_trend_add(&rest, 0.5 * (double)i, x[i]);
    ck_assert_mem_eq(&rest, &whole, sizeof rest);
  }
  {
    struct rill_archive written = {0}, read;
    struct rill_average bad = {.samples = 10, .block_samples = 1, .blocks = 9}, kept = {0};
    static struct rill_error failure;
    rill_average_archive(&bad, &written); /* refused on writing as on reading */
    ck_assert_int_eq(rill_archive_status(&written, &failure), RILL_ERROR_INPUT);
    rill_archive_release(&written);
    ck_assert_uint_eq(kept.blocks, 0);
    (void)read;
  }
}
END_TEST

START_TEST(means_of_small_things) {
  const double x[] = {1, 2, 4, 7};
  double large[1000];
  struct rill_mean mean = rill_mean_of(x, 0);
  ck_assert(isnan(mean.mean) && isnan(mean.deviation) && isnan(mean.error));
  mean = rill_mean_of(x, 1);
  ck_assert_double_eq(mean.mean, 1);
  ck_assert(isnan(mean.deviation) && isnan(mean.error));
  mean = rill_mean_of(x, 3);
  ck_assert_double_eq_tol(mean.mean, 7.0 / 3, 1e-15);
  ck_assert_double_eq_tol(mean.deviation, sqrt(7.0 / 3), 1e-15);
  mean = rill_mean_of(x, 4);
  ck_assert_double_eq(mean.mean, 3.5);
  ck_assert(isnan(mean.error) && isnan(mean.independent) && mean.sampling == RILL_SAMPLING_FEW);
  for (int i = 0; i < 1000; i++) large[i] = 3.25;
  mean = rill_mean_of(large, 1000);
  ck_assert_double_eq(mean.deviation, 0);
  ck_assert_double_eq(mean.error, 0);
  ck_assert_double_eq(mean.independent, 1000);
  /* A deviation of 1e-3 on a mean of 1e9, whose square has no digits left for it. */
  for (int i = 0; i < 1000; i++) large[i] = 1e9 + (i % 2 == 0 ? 1e-3 : -1e-3);
  mean = rill_mean_of(large, 1000);
  ck_assert_double_eq_tol(mean.deviation, 1e-3, 1e-6);
  large[500] = NAN;
  mean = rill_mean_of(large, 1000);
  ck_assert(isnan(mean.mean) && isnan(mean.error) && mean.sampling == RILL_SAMPLING_FEW);
}
END_TEST

START_TEST(correlation_times_are_right) {
  static const double phis[] = {-0.5, 0.5, 0.9};
  static double x[LONGEST];
  for (int p = 0; p < 3; p++) {
    const struct series series = {"", {{1, -1 / log(fabs(phis[p])), phis[p] < 0 ? 2 : 0}}};
    double sum = 0, expected = 0.5 * (1 + phis[p]) / (1 - phis[p]);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      fill_modes(seed, &series, LONGEST, x);
      sum += rill_correlation_time(x, LONGEST) / SEEDS;
    }
    ck_assert_double_eq_tol(sum, expected,
                            0.05 * expected + 0.02); /* the mean taken off costs 3 %, 100 seeds scatter 2.3 % */
  }
  for (int i = 0; i < LONGEST; i++) x[i] = 1;
  ck_assert(isnan(rill_correlation_time(x, LONGEST)));
  ck_assert(isnan(rill_correlation_time(x, 3)));
}
END_TEST

static double variance_of(const struct series *series) {
  double sum = 0;
  for (int m = 0; m < MOST_MODES; m++) sum += series->modes[m].variance;
  return sum;
}

/* From the spectral density: of AR(1) processes tau = (1 + phi) / (2 (1 - phi)), of all series what the variance of
 * the mean implies; also where oscillations close a window of the autocorrelation too early.  The quoted errors, of a
 * posterior, are up to 1.9 times the scatter over seeds. */
START_TEST(correlation_times_have_errors) {
  static double x[LONGEST];
  const double interval = 0.25;
  const struct series *series = &known[_i];
  const double exact = 0.5 * interval * LONGEST * modes_variance(series, LONGEST) / variance_of(series);
  double sum = 0, squares = 0, quoted = 0, within = 0, count = 0, windowed = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct rill_mean mean;
    double error, time;
    fill_modes(seed, series, LONGEST, x);
    windowed += interval * rill_correlation_time(x, LONGEST) / SEEDS;
    mean = rill_mean_of(x, LONGEST);
    time = rill_mean_correlation_time(&mean, interval, &error);
    ck_assert(isnan(time) == isnan(mean.error) && isnan(error) == isnan(time));
    if (isnan(time)) continue;
    sum += time;
    squares += (time - exact) * (time - exact);
    quoted += error * error;
    within += fabs(time - exact) < error ? 1 : 0;
    count++;
  }
  ck_assert_msg(count >= 0.75 * SEEDS && fabs(sum / count / exact - 1) < 0.15, "%s: tau is %g, expected %g",
                series->name, sum / count, exact);
  ck_assert_msg(quoted / squares > 0.9 && quoted / squares < 4.5 && within / count > 0.5 && within / count < 0.95,
                "%s: squared errors are %g of the scatter, %g lie within", series->name, quoted / squares,
                within / count);
  ck_assert_int_eq(fabs(windowed / exact - 1) < 0.15, _i < 3); /* a mutant: the window */
}
END_TEST

START_TEST(correlation_times_of_small_things) {
  double x[32], error = 0;
  struct rill_mean mean;
  for (int i = 0; i < 32; i++) x[i] = 2;
  mean = rill_mean_of(x, 32); /* without fluctuation */
  ck_assert(isnan(rill_mean_correlation_time(&mean, 1, &error)) && isnan(error));
  mean = rill_mean_of(x, 3); /* too few samples */
  ck_assert(isnan(rill_mean_correlation_time(&mean, 1, &error)) && isnan(error));
}
END_TEST

/* Slope 1e-3 per unit of t under noise with a correlation; the variance of the slope is that of the spectrum at
 * frequency zero over the sum of squares of t. */
START_TEST(drifts_are_right) {
  static double t[LONGEST], y[LONGEST];
  const double slope = 1e-3, spacing = 0.25, n = LONGEST;
  const double spread = spacing * spacing * n * (n * n - 1) / 12;
  const struct series *series = &known[_i];
  const double variance = modes_variance(series, LONGEST) * n / spread;
  struct record found = {0}, naive = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct rill_drift drift;
    fill_modes(seed, series, LONGEST, y);
    for (size_t i = 0; i < LONGEST; i++) {
      t[i] = 100 + spacing * (double)i;
      y[i] += 40 + slope * t[i];
    }
    drift = rill_drift_of(t, y, LONGEST);
    if (_i < 3) ck_assert_double_lt(fabs(drift.slope - slope), 4.5 * sqrt(variance));
    note(&found, drift.slope - slope, drift.error);
    note(&naive, drift.slope - slope, naive_error(y, LONGEST) * sqrt(n / spread));
  }
  ck_assert_msg(is_right(&found, variance) && found.count >= 0.75 * SEEDS,
                "%s: %g of %d seeds have an error, squares %g times the variance, %g within", series->name,
                found.count, SEEDS, found.squares / found.count / variance, found.within / found.count);
  ck_assert_int_eq(is_right(&naive, variance), _i == 0); /* a mutant: residuals taken for independent */
}
END_TEST

START_TEST(drifts_of_small_things) {
  double t[32], y[32], same[32];
  struct rill_drift drift;
  for (int i = 0; i < 32; i++) {
    t[i] = i;
    y[i] = 1 + 2 * i;
    same[i] = 2;
  }
  drift = rill_drift_of(t, y, 32);
  ck_assert_double_eq_tol(drift.slope, 2, 1e-15);
  ck_assert_double_eq_tol(drift.error, 0, 1e-15);
  drift = rill_drift_of(t, y, 15);
  ck_assert_double_eq_tol(drift.slope, 2, 1e-15);
  ck_assert(isnan(drift.error) && drift.sampling == RILL_SAMPLING_FEW);
  ck_assert(isnan(rill_drift_of(t, y, 1).slope));
  ck_assert(isnan(rill_drift_of(same, y, 8).slope));
}
END_TEST

/* --- pair distances
 * -------------------------------------------------------------------------------------------------- */

/* Points spread evenly over a ball of radius 1: an ideal gas without a box.  Their distances r have the cumulative
 * distribution r^3 - 9 r^4 / 16 + r^6 / 32 (Hammersley, Ann. Math. Stat. 21, 447 (1950)). */
static double ball_distribution(double r) {
  return r * r * r - 9.0 / 16 * r * r * r * r + r * r * r * r * r * r / 32;
}

static void fill_ball(struct rill_noise *noise, uint64_t sample, size_t molecules, double *positions) {
  for (size_t m = 0; m < molecules; m++) {
    double u[4], squared = 2;
    for (uint32_t use = 0; squared > 1; use++) {
      rill_noise_uniform(noise, sample, (uint32_t)m, use, u);
      squared = 0;
      for (int d = 0; d < 3; d++) squared += (2 * u[d] - 1) * (2 * u[d] - 1);
    }
    for (int d = 0; d < 3; d++) positions[9 * m + (size_t)d] = 2 * u[d] - 1;
  }
}

/* Mean square of the deviations from the ball's distribution in standard errors, with the densities times `factor`.
 */
static double misfit(const struct rill_rdf *rdf, double max, double factor) {
  const size_t bins = rill_rdf_bins(rdf);
  const double width = max / (double)bins;
  double density[64], error[64], beyond, sum = 0, counted = 0;
  rill_rdf_result(rdf, density, error, &beyond);
  for (size_t i = 0; i < bins; i++) {
    if (isnan(error[i])) continue;
    double low = (double)i * width, exact = (ball_distribution(low + width) - ball_distribution(low)) / width;
    double deviation = (density[i] * factor - exact) / error[i];
    sum += deviation * deviation;
    counted++;
  }
  ck_assert_double_ge(counted, 0.6 * (double)bins);
  return sum / counted;
}

/* With 15 degrees of freedom or more of the errors a square of Student's t has the mean 15/13 at most; 20 bins,
 * nearly independent, scatter by sqrt(2.8/20) = 0.37: four of these are allowed.  The mutant counts N where N - 1 is
 * meant (H01). */
START_TEST(ideal_gas_is_right) {
  static const struct { size_t molecules, samples; } cases[] = {{2, 200000}, {7, 20000}, {20, 2500}, {640, 64}};
  static double positions[9 * 1000];
  const double max = 1.6;
  for (int c = 0; c < 4; c++) {
    struct rill_noise noise = rill_noise_create(11 + (uint64_t)c, RILL_STREAM_TEST);
    static struct rill_error failure;
    struct rill_rdf *rdf;
    double density[20], beyond, sum = 0, n = (double)cases[c].molecules;
    ck_assert_int_eq(rill_rdf_create(cases[c].molecules, max, 20, &rdf, &failure), RILL_OK);
    for (uint64_t s = 0; s < cases[c].samples; s++) {
      fill_ball(&noise, s, cases[c].molecules, positions);
      rill_rdf_sample(rdf, positions);
    }
    ck_assert_uint_eq(rill_rdf_samples(rdf), cases[c].samples);
    ck_assert_double_lt(misfit(rdf, max, 1), 15.0 / 13 + 4 * 0.37);
    ck_assert_double_gt(misfit(rdf, max, 1), 0.1);
    if (cases[c].molecules < 640) ck_assert_double_gt(misfit(rdf, max, (n - 1) / n), 15.0 / 13 + 4 * 0.37);
    rill_rdf_result(rdf, density, NULL, &beyond);
    for (int i = 0; i < 20; i++) sum += density[i] * max / 20;
    ck_assert_double_eq_tol(sum + beyond, 1, 1e-13);
    ck_assert_double_eq_tol(beyond, 1 - ball_distribution(max), 0.01);
    rill_rdf_destroy(rdf);
  }
}
END_TEST

static struct rill_rdf *sampled(const double *distances, size_t count, double max, size_t bins) {
  static struct rill_error failure;
  struct rill_rdf *rdf;
  double positions[18] = {0};
  ck_assert_int_eq(rill_rdf_create(2, max, bins, &rdf, &failure), RILL_OK);
  for (size_t i = 0; i < count; i++) {
    positions[11] = distances[i];
    positions[12] = 77; /* hydrogens do not matter */
    rill_rdf_sample(rdf, positions);
  }
  return rdf;
}

START_TEST(distances_fall_in_their_bins) {
  const double distances[] = {0, 0.24, 0.26, 0.5, 0.99999999999999988, 1, 3, NAN};
  double density[4], error[4], beyond;
  struct rill_rdf *rdf = sampled(distances, 8, 1, 4);
  rill_rdf_result(rdf, density, error, &beyond);
  ck_assert_double_eq(density[0], 2.0 / 8 * 4);
  ck_assert_double_eq(density[1], 1.0 / 8 * 4);
  ck_assert_double_eq(density[2], 1.0 / 8 * 4);
  ck_assert_double_eq(density[3], 1.0 / 8 * 4);
  ck_assert_double_eq(beyond, 3.0 / 8);
  ck_assert(isnan(error[1])); /* 8 samples are too few */
  ck_assert_double_eq(rill_rdf_centre(rdf, 0), 0.125);
  ck_assert_double_eq(rill_rdf_centre(rdf, 3), 0.875);
  rill_rdf_destroy(rdf);
  rdf = sampled(distances, 3, 1, 4);
  rill_rdf_result(rdf, NULL, error, NULL);
  ck_assert(isnan(error[0]));
  rill_rdf_destroy(rdf);
}
END_TEST

/* Whatever the number of samples, all of them count, and blocks of correlated samples give an honest error: states
 * that last 100 samples each, two of them, at random. */
START_TEST(blocks_merge) {
  double density[2], error[2];
  for (size_t count = 1; count < 400; count += 7) {
    static double distances[400];
    struct rill_rdf *rdf;
    for (size_t i = 0; i < count; i++) distances[i] = i % 3 == 0 ? 0.25 : 0.75;
    rdf = sampled(distances, count, 1, 2);
    rill_rdf_result(rdf, density, NULL, NULL);
    ck_assert_double_eq_tol(density[0], 2 * (double)((count + 2) / 3) / (double)count, 1e-14);
    rill_rdf_destroy(rdf);
  }
  double squared = 0, scatter = 0, quoted = 0;
  enum { RUNS = 200, COUNT = 20000, DURATION = 100 };
  for (uint64_t run = 0; run < RUNS; run++) {
    static double distances[COUNT];
    struct rill_noise noise = rill_noise_create(run + 1, RILL_STREAM_TEST);
    struct rill_rdf *rdf;
    double u[4];
    for (size_t i = 0; i < COUNT; i++) {
      if (i % DURATION == 0) rill_noise_uniform(&noise, i, 0, 0, u);
      distances[i] = u[0] < 0.5 ? 0.25 : 0.75;
    }
    rdf = sampled(distances, COUNT, 1, 2);
    rill_rdf_result(rdf, density, error, NULL);
    if (!isnan(error[0])) {
      squared += error[0] * error[0];
      quoted++;
    }
    scatter += (density[0] - 1) * (density[0] - 1) / RUNS;
    rill_rdf_destroy(rdf);
  }
  squared /= quoted;
  /* 200 runs tell the scatter to 10 % (three times that is allowed), and the error to 4 %. */
  ck_assert_double_ge(quoted, 0.8 * RUNS);
  ck_assert_double_eq_tol(squared / scatter, 1, 0.3);
  ck_assert_double_eq_tol(squared, 1.0 / (COUNT / DURATION), 0.15 / (COUNT / DURATION));
}
END_TEST

START_TEST(few_molecules_have_no_pairs) {
  static struct rill_error failure;
  struct rill_rdf *rdf;
  double positions[9] = {0}, density[3], error[3], beyond;
  for (size_t molecules = 0; molecules < 2; molecules++) {
    ck_assert_int_eq(rill_rdf_create(molecules, 1, 3, &rdf, &failure), RILL_OK);
    for (int s = 0; s < 100; s++) rill_rdf_sample(rdf, positions);
    ck_assert_uint_eq(rill_rdf_samples(rdf), 100);
    rill_rdf_result(rdf, density, error, &beyond);
    for (int i = 0; i < 3; i++) ck_assert(isnan(density[i]) && isnan(error[i]));
    ck_assert(isnan(beyond));
    rill_rdf_destroy(rdf);
  }
  ck_assert_int_eq(rill_rdf_create(7, 0, 3, &rdf, &failure), RILL_ERROR_USAGE);
  ck_assert_int_eq(rill_rdf_create(7, -1, 3, &rdf, &failure), RILL_ERROR_USAGE);
  ck_assert_int_eq(rill_rdf_create(7, NAN, 3, &rdf, &failure), RILL_ERROR_USAGE);
  ck_assert_int_eq(rill_rdf_create(7, 1, 0, &rdf, &failure), RILL_ERROR_USAGE);
  ck_assert_ptr_null(rdf);
  ck_assert_int_eq(rill_rdf_create(7, 1, SIZE_MAX / 70, &rdf, &failure), RILL_ERROR_MEMORY);
  rill_rdf_destroy(NULL);
}
END_TEST

/* Distributions with nothing in common are 2 apart; pairs beyond the range count, and sample numbers do not. */
START_TEST(distances_of_distributions) {
  const double near[] = {0.1, 0.1, 0.6, 0.6}, half[] = {0.1, 0.6}, far[] = {0.3, 0.9}, mixed[] = {0.1, 0.1, 0.1, 5};
  struct rill_rdf *a = sampled(near, 4, 1, 4), *b = sampled(half, 2, 1, 4), *c = sampled(far, 2, 1, 4),
                  *d = sampled(mixed, 4, 1, 4), *other = sampled(near, 4, 1, 5), *empty = sampled(near, 0, 1, 4);
  ck_assert_double_eq(rill_rdf_distance(a, a), 0);
  ck_assert_double_eq(rill_rdf_distance(a, b), 0);
  ck_assert_double_eq(rill_rdf_distance(a, c), 2);
  ck_assert_double_eq_tol(rill_rdf_distance(a, d), 0.25 + 0.5 + 0.25, 1e-15);
  ck_assert_double_eq_tol(rill_rdf_distance(d, a), 1, 1e-15);
  ck_assert(isnan(rill_rdf_distance(a, other)) && isnan(rill_rdf_distance(a, empty)));
  ck_assert_double_eq_tol(rill_rdf_mean(a), 0.5 * (0.125 + 0.625), 1e-15);
  ck_assert_double_eq_tol(rill_rdf_mean(d), 0.125, 1e-15); /* of those in the range */
  ck_assert(isnan(rill_rdf_mean(empty)));
  rill_rdf_destroy(a), rill_rdf_destroy(b), rill_rdf_destroy(c), rill_rdf_destroy(d);
  rill_rdf_destroy(other), rill_rdf_destroy(empty);
}
END_TEST

/* --- in a box ----------------------------------------------------------------------------------------------------
 */

/* A cube, a slab, a rhombic dodecahedron, a cell tilted so much that the nearest image is not the one of the nearest
 * fractions (D04), and one that stands askew in space. */
static const double boxes[][3][3] = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}},
                                     {{1.1, 0, 0}, {0, 3, 0}, {0, 0, 2}},
                                     {{2, 0, 0}, {0, 2, 0}, {1, 1, 1.4142135623730951}},
                                     {{1.5, 0, 0}, {0.75, 1.3, 0}, {0.7, 0.65, 1.2}},
                                     {{1, 1, 0.2}, {-1, 1.2, 0.3}, {0.1, -0.3, 1.7}}};
static const double shortest[] = {2, 1.1, 2, 1.3656500283747661, 1.4282856857085701};
enum { BOXES = sizeof boxes / sizeof boxes[0] };

/* Uniform over the box, and each molecule in some image of it (D03). */
static void fill_box(struct rill_noise *noise, uint64_t sample, const double box[3][3], size_t molecules,
                     double *positions) {
  for (size_t m = 0; m < molecules; m++) {
    double u[4], image[4];
    rill_noise_uniform(noise, sample, (uint32_t)m, 0, u);
    rill_noise_uniform(noise, sample, (uint32_t)m, 1, image);
    for (int d = 0; d < 3; d++) {
      positions[9 * m + (size_t)d] = 0;
      for (int i = 0; i < 3; i++) positions[9 * m + (size_t)d] += (u[i] + floor(7 * image[i]) - 3) * box[i][d];
    }
  }
}

static struct rill_rdf *gas(int b, size_t molecules, size_t samples, double max, size_t bins, double *positions) {
  struct rill_noise noise = rill_noise_create(5 + (uint64_t)b, RILL_STREAM_TEST);
  static struct rill_error failure;
  struct rill_rdf *rdf;
  ck_assert_int_eq(rill_rdf_create_periodic(molecules, max, bins, &rdf, &failure), RILL_OK);
  for (uint64_t s = 0; s < samples; s++) {
    fill_box(&noise, s, boxes[b], molecules, positions);
    ck_assert_int_eq(rill_rdf_sample_box(rdf, positions, boxes[b], &failure), RILL_OK);
  }
  return rdf;
}

/* g against 1 in standard errors, with g times a factor; without the first bin, which holds too few. */
static double misfit_of_g(const struct rill_rdf *rdf, double factor) {
  const size_t bins = rill_rdf_bins(rdf);
  double g[64], error[64], sum = 0, counted = 0;
  rill_rdf_g(rdf, g, error, NULL);
  for (size_t i = 1; i < bins; i++)
    if (!isnan(error[i])) {
      sum += pow((g[i] * factor - 1) / error[i], 2);
      counted++;
    }
  ck_assert_double_ge(counted, 0.5 * (double)bins);
  return sum / counted;
}

/* An ideal gas has g = 1, for any number of molecules (H01) and also beyond half of the box (H03).  Limits as in
 * ideal_gas_is_right: 7 bins scatter by sqrt(2.8/7) = 0.63, and the worst of 60 stays within five of these.  The
 * mutant counts N where N - 1 is meant. */
START_TEST(ideal_gas_in_a_box_is_one) {
  static const struct { size_t molecules, samples; } cases[] = {{2, 30000}, {7, 3000}, {20, 1000}, {100, 64}};
  static const double ranges[] = {0.5, 0.6, 1};
  static double positions[9 * 200];
  for (int b = 0; b < BOXES; b++)
    for (int c = 0; c < 4; c++)
      for (int r = 0; r < 3; r++) {
        const double n = (double)cases[c].molecules, max = ranges[r] * shortest[b];
        struct rill_rdf *rdf = gas(b, cases[c].molecules, cases[c].samples, max, 8, positions);
        ck_assert_double_lt(misfit_of_g(rdf, 1), 15.0 / 13 + 5 * 0.63);
        if (n < 10) ck_assert_double_gt(misfit_of_g(rdf, (n - 1) / n), 15.0 / 13 + 5 * 0.63);
        ck_assert_double_eq_tol(rill_rdf_reach(rdf), 0.5 * shortest[b], 1e-12);
        rill_rdf_destroy(rdf);
      }
}
END_TEST

/* Cells against a plain loop over molecules and images; g and neighbours of the same counts, to round-off. */
START_TEST(all_images_in_the_range_count) {
  enum { BINS = 16, MOST = 60, IMAGES = 6 };
  static double positions[9 * MOST], g[BINS], neighbours[BINS];
  for (int b = 0; b < BOXES; b++)
    for (size_t molecules = 2; molecules <= MOST; molecules += 29) {
      const double max = shortest[b] * (molecules == 2 ? 1 : 0.7), n = (double)molecules;
      struct rill_rdf *rdf = gas(b, molecules, 1, max, BINS, positions);
      double counts[BINS] = {0}, within = 0, volume, cross[3];
      for (int i = 0; i < 3; i++)
        cross[i] =
            boxes[b][1][(i + 1) % 3] * boxes[b][2][(i + 2) % 3] - boxes[b][1][(i + 2) % 3] * boxes[b][2][(i + 1) % 3];
      volume = boxes[b][0][0] * cross[0] + boxes[b][0][1] * cross[1] + boxes[b][0][2] * cross[2];
      for (size_t i = 0; i < molecules; i++)
        for (size_t j = 0; j < i; j++)
          for (int k = 0; k < (4 * IMAGES + 1) * (4 * IMAGES + 1) * (4 * IMAGES + 1); k++) {
            const int step[3] = {k % (4 * IMAGES + 1) - 2 * IMAGES,
                                 k / (4 * IMAGES + 1) % (4 * IMAGES + 1) - 2 * IMAGES,
                                 k / (4 * IMAGES + 1) / (4 * IMAGES + 1) - 2 * IMAGES};
            double squared = 0;
            for (size_t d = 0; d < 3; d++) {
              double x = positions[9 * i + d] - positions[9 * j + d];
              for (int c = 0; c < 3; c++) x += step[c] * boxes[b][c][d];
              squared += x * x;
            }
            if (squared < max * max) counts[(int)(sqrt(squared) / max * BINS)]++;
          }
      rill_rdf_g(rdf, g, NULL, neighbours);
      for (int i = 0; i < BINS; i++) {
        const double low = max * i / BINS, high = max * (i + 1) / BINS;
        const double shell = 4 * 3.14159265358979323846 / 3 * (pow(high, 3) - pow(low, 3));
        within += counts[i];
        ck_assert_double_eq_tol(g[i], counts[i] / (n * (n - 1) / 2) * fabs(volume) / shell, 1e-11 * (1 + g[i]));
        ck_assert_double_eq_tol(neighbours[i], 2 * within / n, 1e-12);
      }
      rill_rdf_destroy(rdf);
    }
}
END_TEST

/* Molecules crowded into a corner of a cube, whole, in several images. */
static void crowd(const double box[3][3], size_t molecules, double *positions) {
  const struct rill_noise noise = rill_noise_create(9, RILL_STREAM_TEST);
  for (size_t m = 0; m < molecules; m++) {
    double u[3][4];
    for (uint32_t a = 0; a < 3; a++) rill_noise_uniform(&noise, a, (uint32_t)m, 0, u[a]);
    for (size_t a = 0; a < 3; a++)
      for (size_t c = 0; c < 3; c++)
        positions[9 * m + 3 * a + c] =
            0.45 * u[0][c] + (a > 0 ? 0.2 * u[a][c] - 0.1 : 0) + ((double)((m + c) % 3) - 1) * box[c][c];
  }
}

/* Nearest images in a plain loop, with cells of more atoms than are compared at a time. */
START_TEST(pairs_of_atoms_are_counted) {
  enum { BINS = 20, MOLECULES = 300 };
  static const double max = 0.9;
  static double positions[9 * MOLECULES], neighbours[BINS];
  const double edge = boxes[0][0][0];
  crowd(boxes[0], MOLECULES, positions);
  for (int pair = 0; pair < RILL_RDF_PAIRS; pair++) {
    double counts[BINS] = {0}, within = 0;
    struct rill_error failure;
    struct rill_rdf *rdf;
    ck_assert_int_eq(rill_rdf_create_pair((enum rill_rdf_pair)pair, MOLECULES, max, BINS, &rdf, &failure), RILL_OK);
    ck_assert_int_eq(rill_rdf_sample_box(rdf, positions, boxes[0], &failure), RILL_OK);
    for (size_t i = 0; i < 3 * MOLECULES; i++)
      for (size_t j = 0; j < 3 * MOLECULES; j++) {
        const bool first = i % 3 == 0, second = j % 3 == 0; /* oxygens */
        double squared = 0;
        if (i / 3 == j / 3 || first != (pair != RILL_RDF_HH) || second != (pair == RILL_RDF_OO)) continue;
        for (size_t c = 0; c < 3; c++) {
          double x = positions[3 * i + c] - positions[3 * j + c];
          x -= edge * nearbyint(x / edge);
          squared += x * x;
        }
        if (squared < max * max) counts[(int)(sqrt(squared) / max * BINS)]++;
      }
    rill_rdf_g(rdf, NULL, NULL, neighbours);
    for (int i = 0; i < BINS; i++) {
      within += counts[i];
      ck_assert_double_eq_tol(neighbours[i], within / (pair == RILL_RDF_HH ? 2 * MOLECULES : MOLECULES), 1e-9);
    }
    ck_assert_double_gt(within, 80 * MOLECULES);
    rill_rdf_destroy(rdf);
  }
}
END_TEST

/* A box that changes: counts times the mean volume; errors of blocks; what is refused leaves the samples alone. */
START_TEST(boxes_may_change_and_may_be_bad) {
  static const double flat[3][3] = {{1, 0, 0}, {2, 0, 0}, {0, 0, 1}},
                      unknown[3][3] = {{NAN, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static struct rill_error failure;
  double positions[18] = {0}, box[3][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, g[2], error[2];
  const double shell = 4 * 3.14159265358979323846 / 3 * 0.125;
  struct rill_rdf *rdf;
  ck_assert_int_eq(rill_rdf_create_periodic(2, 1, 2, &rdf, &failure), RILL_OK);
  ck_assert(rill_rdf_is_periodic(rdf));
  positions[9] = 2.25; /* 0.25 away, in another image */
  for (int s = 0; s < 4; s++) {
    box[2][2] = 2 + s;
    ck_assert_int_eq(rill_rdf_sample_box(rdf, positions, box, &failure), RILL_OK);
  }
  ck_assert_int_eq(rill_rdf_sample_box(rdf, positions, flat, &failure), RILL_ERROR_INPUT);
  ck_assert_int_eq(rill_rdf_sample_box(rdf, positions, unknown, &failure), RILL_ERROR_INPUT);
  box[0][0] = 0.9;
  ck_assert_int_eq(rill_rdf_sample_box(rdf, positions, box, &failure), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(failure.text, "0.9 nm"));
  box[0][0] = 2;
  positions[0] = INFINITY;
  ck_assert_int_eq(rill_rdf_sample_box(rdf, positions, box, &failure), RILL_ERROR_INPUT);
  ck_assert_uint_eq(rill_rdf_samples(rdf), 4);
  rill_rdf_g(rdf, g, error, NULL);
  ck_assert_double_eq_tol(g[0], 4 * 3.5 / shell, 1e-12 * g[0]);
  ck_assert(isnan(error[0])); /* of 4 samples */
  ck_assert_double_eq(g[1], 0);
  ck_assert_double_eq(rill_rdf_distance(rdf, rdf), 0);
  rill_rdf_destroy(rdf);
}
END_TEST

/* ---- limits for steps of 0 ---- */

START_TEST(limits_are_those_of_a_line) {
  const double step[] = {1, 2, 4, 3, 5}, error[] = {0.1, 0.2, 0.1, NAN, 0};
  double mean[5];
  for (int order = 1; order <= 4; order++) {
    struct rill_step_limit limit;
    for (int i = 0; i < 5; i++) mean[i] = i < 3 ? 7 - 0.25 * pow(step[i], order) : 1000;
    limit = rill_step_limit_of(step, mean, error, 5, order);
    ck_assert_uint_eq(limit.runs, 3);
    ck_assert_uint_eq(limit.freedom, 1);
    ck_assert_double_eq_tol(limit.limit, 7, 1e-12);
    ck_assert_double_eq_tol(limit.slope, -0.25, 1e-12);
    ck_assert_double_lt(limit.chi_squared, 1e-20);
    ck_assert(rill_step_limit_fits(&limit));
    mean[1] += 1; /* five standard errors and more of the fit */
    limit = rill_step_limit_of(step, mean, error, 5, order);
    ck_assert(!rill_step_limit_fits(&limit));
  }
}
END_TEST

/* Two runs have a limit without a test of it, with the errors of two numbers; runs with one step have none. */
START_TEST(limits_of_few_runs) {
  const double step[] = {2, 4}, same[] = {2, 2}, mean[] = {1, 2}, error[] = {0.3, 0.4};
  struct rill_step_limit limit = rill_step_limit_of(step, mean, error, 2, 2);
  ck_assert_double_eq_tol(limit.limit, 2. / 3, 1e-12); /* (4 mean_0 - mean_1) / 3 */
  ck_assert_double_eq_tol(limit.limit_error, sqrt(1.2 * 1.2 + 0.4 * 0.4) / 3, 1e-12);
  ck_assert_double_eq_tol(limit.slope, 1. / 12, 1e-12);
  ck_assert_double_eq_tol(limit.slope_error, 0.5 / 12, 1e-12);
  ck_assert(isnan(limit.probability) && !rill_step_limit_fits(&limit));
  ck_assert(isnan(rill_step_limit_of(same, mean, error, 2, 2).limit));
  ck_assert(isnan(rill_step_limit_of(step, mean, error, 1, 2).limit));
  ck_assert(isnan(rill_step_limit_of(step, mean, error, 0, 2).limit));
}
END_TEST

/* Over many fits limits scatter as their errors say, and chi squared has its law; with errors said to be half as
 * large it has not. */
START_TEST(limits_scatter_as_they_should) {
  enum { FITS = 2000, RUNS = 4 };
  const double step[RUNS] = {1, 2, 3, 4}, error[RUNS] = {0.5, 0.2, 0.3, 0.1};
  const struct rill_noise noise = rill_noise_create(21, RILL_STREAM_TEST);
  static double half[FITS];
  for (int wrong = 0; wrong <= 1; wrong++) {
    double squares = 0, probability;
    for (uint64_t i = 0; i < FITS; i++) {
      double z[4], mean[RUNS], told[RUNS];
      struct rill_step_limit limit;
      rill_noise_normal(&noise, i, 0, 0, z);
      for (int r = 0; r < RUNS; r++) {
        mean[r] = 3 + 0.5 * step[r] * step[r] + error[r] * z[r];
        told[r] = wrong ? 0.5 * error[r] : error[r];
      }
      limit = rill_step_limit_of(step, mean, told, RUNS, 2);
      squares += pow((limit.limit - 3) / limit.limit_error, 2) / FITS;
      half[i] = 0.5 * limit.chi_squared;
    }
    probability = rill_kinetic_probability(half, FITS, 2);
    ck_assert_msg((fabs(squares - 1) < 4 * sqrt(2. / FITS)) == !wrong, "squared deviation of the limit: %g", squares);
    ck_assert_msg((probability > 0.003) == !wrong, "chi squared: %g", probability);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("analysis");
  TCase *cases = tcase_create("analysis"), *samples = rill_long_cases(suite, 120);
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, mean_errors_are_right, 0, KNOWN);
  tcase_add_test(cases, samples_beyond_the_blocks_count);
  tcase_add_test(cases, means_without_an_error);
  tcase_add_test(cases, running_means_continue);
  tcase_add_test(cases, means_of_small_things);
  tcase_add_test(cases, correlation_times_are_right);
  tcase_add_loop_test(cases, correlation_times_have_errors, 0, KNOWN);
  tcase_add_test(cases, correlation_times_of_small_things);
  tcase_add_loop_test(cases, drifts_are_right, 0, KNOWN);
  tcase_add_test(cases, drifts_of_small_things);
  tcase_add_test(cases, ideal_gas_is_right);
  tcase_add_test(cases, distances_fall_in_their_bins);
  tcase_add_test(cases, blocks_merge);
  tcase_add_test(cases, few_molecules_have_no_pairs);
  tcase_add_test(cases, distances_of_distributions);
  tcase_add_test(cases, all_images_in_the_range_count);
  tcase_add_test(cases, pairs_of_atoms_are_counted);
  tcase_add_test(cases, boxes_may_change_and_may_be_bad);
  tcase_add_test(cases, limits_are_those_of_a_line);
  tcase_add_test(cases, limits_of_few_runs);
  tcase_add_test(cases, limits_scatter_as_they_should);
  suite_add_tcase(suite, cases);
  tcase_add_test(samples, ideal_gas_in_a_box_is_one);
  return rill_run_suite(suite);
}
