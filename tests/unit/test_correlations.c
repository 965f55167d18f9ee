/* analysis: sums in blocks with the jackknife, correlations by multiple tau, their integrals and slopes,
 * displacements in a box, hydrogen bonds; against direct sums, and processes of which the answer is known. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/block_sums.h"
#include "analysis/correlation_fits.h"
#include "analysis/displacement.h"
#include "analysis/hydrogen_bonds.h"
#include "base/random.h"
#include "suite.h"

static struct rill_error error;

static double normal(struct rill_noise *noise, size_t i) {
  static double z[4];
  if (i % 4 == 0) rill_noise_normal(noise, i / 4, 0, 0, z);
  return z[i % 4];
}

/* ---- correlations against direct sums ---- */

enum { POINTS = 11, WIDTH = 3 * POINTS, SAMPLES = 300 };

static void fill_samples(double x[SAMPLES][WIDTH]) {
  struct rill_noise noise = rill_noise_create(3, RILL_STREAM_TEST);
  for (size_t i = 0; i < SAMPLES; i++)
    for (size_t k = 0; k < WIDTH; k++) x[i][k] = (i > 0 ? 0.9 * x[i - 1][k] : 0) + normal(&noise, i * WIDTH + k);
}

/* The pair's contribution, summed plainly. */
static double pair_of(enum rill_correlation kind, size_t function, const double *a, const double *b) {
  double sum = 0;
  for (size_t p = 0; p < POINTS; p++) {
    double product = 0, square = 0;
    for (size_t c = 0; c < 3; c++) {
      const double u = a[c * POINTS + p], v = b[c * POINTS + p];
      product += u * v;
      square += (u - v) * (u - v);
    }
    if (kind == RILL_CORRELATION_SQUARE) sum += square;
    else sum += function == 0 ? product : 1.5 * product * product - 0.5;
  }
  return sum / POINTS;
}

/* The values of a level: every 2^l-th sample, or means over 2^l samples. */
static size_t level_of(double x[SAMPLES][WIDTH], size_t level, bool averages, double y[SAMPLES][WIDTH]) {
  const size_t length = (size_t)1 << level;
  size_t count = 0;
  for (size_t i = 0; i < SAMPLES; i += length) {
    if (averages && i + length > SAMPLES) break;
    for (size_t k = 0; k < WIDTH; k++) {
      y[count][k] = 0;
      for (size_t s = 0; s < (averages ? length : 1); s++)
        y[count][k] += x[i + s][k] / (double)(averages ? length : 1);
    }
    count++;
  }
  return count;
}

static void check_correlator(enum rill_correlation kind, bool averages, size_t every) {
  static double x[SAMPLES][WIDTH], y[SAMPLES][WIDTH];
  const struct rill_correlator_options options = {kind, averages, POINTS, 3, 8, 4, every};
  struct rill_correlator correlator;
  double *sums;
  fill_samples(x);
  ck_assert_int_eq(rill_correlator_create(&options, &correlator, &error), RILL_OK);
  for (size_t i = 0; i < SAMPLES; i++) rill_correlator_add(&correlator, x[i]);
  ck_assert_uint_eq(correlator.lags, 8 + 3 * 4);
  ck_assert_uint_eq(rill_correlator_known(&correlator), correlator.lags);
  sums = malloc(correlator.sums.width * sizeof *sums);
  rill_block_sums_total(&correlator.sums, sums);
  for (size_t index = 0; index < correlator.lags; index++) {
    const double lag = rill_correlator_lag(&correlator, index);
    const size_t level = index < 8 ? 0 : 1 + (index - 8) / 4, apart = (size_t)lag >> level;
    const size_t count = level_of(x, level, averages, y);
    if (index > 0) ck_assert_double_gt(lag, rill_correlator_lag(&correlator, index - 1));
    for (size_t f = 0; f < correlator.functions; f++) {
      double expected = 0, pairs = 0, value = rill_correlator_value(&correlator, sums, f, index);
      for (size_t i = 0; i < count; i += every)
        if (i >= apart) {
          expected += pair_of(kind, f, y[i - apart], y[i]);
          pairs++;
        }
      ck_assert_double_eq_tol(value, expected / pairs, 1e-12 * (1 + fabs(value)));
    }
  }
  free(sums);
  rill_correlator_release(&correlator);
}

START_TEST(correlations_are_direct_sums) {
  for (int averages = 0; averages <= 1; averages++)
    for (size_t every = 1; every <= 3; every += 2) {
      check_correlator(RILL_CORRELATION_PRODUCT, averages, every);
      check_correlator(RILL_CORRELATION_SQUARE, averages, every);
      check_correlator(RILL_CORRELATION_LEGENDRE, averages, every);
    }
}
END_TEST

START_TEST(levels_reach_a_lag) {
  ck_assert_uint_eq(rill_correlator_levels(16, 15), 1);
  ck_assert_uint_eq(rill_correlator_levels(16, 16), 2);
  ck_assert_uint_eq(rill_correlator_levels(16, 1000), 8); /* 15 2^7 = 1920, 15 2^6 = 960 */
}
END_TEST

/* A correlator that is archived at any sample, and read back into a new one, continues with the same bytes. */
START_TEST(correlators_continue) {
  static double x[SAMPLES][WIDTH];
  const struct rill_correlator_options options = {RILL_CORRELATION_LEGENDRE, _i == 1, POINTS, 3, 8, 4, 3};
  struct rill_correlator whole, first, second;
  struct rill_archive end[2] = {{0}, {0}}, middle = {0}, reading;
  fill_samples(x);
  for (size_t cut = 0; cut <= SAMPLES; cut += 37) {
    ck_assert_int_eq(rill_correlator_create(&options, &whole, &error), RILL_OK);
    ck_assert_int_eq(rill_correlator_create(&options, &first, &error), RILL_OK);
    ck_assert_int_eq(rill_correlator_create(&options, &second, &error), RILL_OK);
    for (size_t i = 0; i < SAMPLES; i++) rill_correlator_add(&whole, x[i]);
    for (size_t i = 0; i < cut; i++) rill_correlator_add(&first, x[i]);
    rill_correlator_archive(&first, &middle);
    ck_assert_int_eq(rill_archive_open(middle.bytes, middle.length, &reading, &error), RILL_OK);
    rill_correlator_archive(&second, &reading);
    ck_assert_int_eq(rill_archive_status(&reading, &error), RILL_OK);
    for (size_t i = cut; i < SAMPLES; i++) rill_correlator_add(&second, x[i]);
    rill_correlator_archive(&whole, &end[0]);
    rill_correlator_archive(&second, &end[1]);
    ck_assert_uint_eq(end[0].length, end[1].length);
    ck_assert_mem_eq(end[0].bytes, end[1].bytes, end[0].length);
    rill_archive_release(&middle);
    for (int k = 0; k < 2; k++) {
      rill_archive_release(&end[k]);
      end[k] = (struct rill_archive){0};
    }
    middle = (struct rill_archive){0};
    rill_correlator_release(&whole);
    rill_correlator_release(&first);
    rill_correlator_release(&second);
  }
}
END_TEST

START_TEST(bad_archives_are_refused) {
  struct rill_block_sums sums;
  struct rill_archive archive = {0}, reading;
  ck_assert_int_eq(rill_block_sums_create(2, &sums, &error), RILL_OK);
  sums.samples = 5; /* in no block, but with the sums */
  rill_archive_size(&archive, "samples", &sums.samples);
  rill_archive_size(&archive, "block_samples", &sums.block_samples);
  rill_archive_size(&archive, "blocks", &sums.blocks);
  rill_archive_reals(&archive, "sums", sums.sums, 257 * 2);
  ck_assert_int_eq(rill_archive_open(archive.bytes, archive.length, &reading, &error), RILL_OK);
  rill_block_sums_archive(&sums, &reading);
  ck_assert_int_eq(rill_archive_status(&reading, &error), RILL_ERROR_INPUT);
  rill_archive_release(&archive);
  rill_block_sums_release(&sums);
}
END_TEST

/* ---- the jackknife ---- */

static void mean_and_variance(void *context, const double *sums, double *result) {
  (void)context;
  result[0] = sums[1] / sums[0];
  result[1] = sums[2] / sums[0] - result[0] * result[0];
}

/* The variance of independent normal numbers has the error sqrt(2 / n), the mean sqrt(1 / n): over many runs the
 * squared deviations are on average the squared errors. */
START_TEST(jackknife_errors_are_right) {
  enum { RUNS = 200, COUNT = 1000 };
  double squared[2] = {0}, claimed[2] = {0}, runs[2] = {0};
  for (int run = 0; run < RUNS; run++) {
    struct rill_noise noise = rill_noise_create(100 + (uint64_t)run, RILL_STREAM_TEST);
    struct rill_block_sums sums;
    struct rill_estimate e[2];
    ck_assert_int_eq(rill_block_sums_create(3, &sums, &error), RILL_OK);
    for (size_t i = 0; i < COUNT; i++) {
      const double x = normal(&noise, i);
      double *row = rill_block_sums_row(&sums);
      row[0] += 1;
      row[1] += x;
      row[2] += x * x;
      rill_block_sums_end_sample(&sums);
    }
    ck_assert_int_eq(rill_block_sums_estimate(&sums, mean_and_variance, NULL, 2, e, &error), RILL_OK);
    for (int k = 0; k < 2; k++) {
      if (e[k].sampling != RILL_SAMPLING_ENOUGH) continue; /* chance looks like a trend now and then */
      runs[k]++;
      squared[k] += (e[k].value - k) * (e[k].value - k);
      claimed[k] += e[k].error * e[k].error;
    }
    rill_block_sums_release(&sums);
  }
  for (int k = 0; k < 2; k++) {
    ck_assert_double_ge(runs[k], 0.95 * RUNS);
    ck_assert_double_eq_tol(claimed[k] / runs[k], (1 + k) / (double)COUNT, 0.15 * (1 + k) / (double)COUNT);
    ck_assert_double_eq_tol(squared[k] / claimed[k], 1, 0.35);
  }
}
END_TEST

START_TEST(too_few_samples_have_no_error) {
  struct rill_block_sums sums;
  struct rill_estimate e[2];
  ck_assert_int_eq(rill_block_sums_create(3, &sums, &error), RILL_OK);
  ck_assert_int_eq(rill_block_sums_estimate(&sums, mean_and_variance, NULL, 2, e, &error), RILL_OK);
  ck_assert(isnan(e[0].value) && isnan(e[0].error));
  for (int i = 0; i < 3; i++) {
    rill_block_sums_row(&sums)[0] += 1;
    rill_block_sums_row(&sums)[1] += i;
    rill_block_sums_end_sample(&sums);
  }
  ck_assert_int_eq(rill_block_sums_estimate(&sums, mean_and_variance, NULL, 2, e, &error), RILL_OK);
  ck_assert_double_eq(e[0].value, 1);
  ck_assert(isnan(e[0].error));
  ck_assert_int_eq(e[0].sampling, RILL_SAMPLING_FEW);
  rill_block_sums_release(&sums);
}
END_TEST

/* ---- integrals and slopes ---- */

/* An Ornstein-Uhlenbeck process of variance 1 and correlation time tau: the integral of its correlation is tau, and
 * the slope of the correlation's logarithm is -1 / tau. */
START_TEST(ornstein_uhlenbeck_is_recovered) {
  enum { COUNT = 400000 };
  static const double tau = 5;
  const struct rill_correlator_options options = {RILL_CORRELATION_PRODUCT, _i == 1, 5, 1, 64, 3, 1};
  struct rill_noise noise = rill_noise_create(7, RILL_STREAM_TEST);
  struct rill_correlator correlator;
  struct rill_estimate integral[64 + 2 * 32], value, slope;
  struct rill_lag_range plateau, range;
  double x[5] = {0};
  const double damping = exp(-1 / tau), noisy = sqrt(1 - damping * damping);
  ck_assert_int_eq(rill_correlator_create(&options, &correlator, &error), RILL_OK);
  for (size_t i = 0; i < COUNT / 5; i++) {
    for (size_t k = 0; k < 5; k++) x[k] = damping * x[k] + noisy * normal(&noise, 5 * i + k);
    rill_correlator_add(&correlator, x);
  }
  ck_assert_int_eq(rill_correlation_integral(&correlator, 1, integral, &plateau, &value, &error), RILL_OK);
  ck_assert_uint_lt(plateau.first, plateau.last);
  ck_assert_int_eq(value.sampling, RILL_SAMPLING_ENOUGH);
  /* the trapezoid rule's sum of exp(-k / tau) is 1 / (2 tanh(1 / 2 tau)) */
  ck_assert_double_eq_tol(value.value, 0.5 / tanh(0.5 / tau), 3 * value.error);
  ck_assert_double_lt(value.error, 0.05 * tau);
  ck_assert_double_gt(value.error, 0.002 * tau);
  ck_assert_double_ge(rill_correlator_lag(&correlator, plateau.first), 2 * tau);
  ck_assert_double_eq_tol(rill_correlator_lag(&correlator, plateau.last),
                          2 * rill_correlator_lag(&correlator, plateau.first), 8);
  range = rill_correlation_range(&correlator, 1, 1, 10);
  ck_assert_uint_eq(range.first, 1);
  ck_assert_uint_eq(range.last, 10);
  ck_assert_int_eq(rill_correlation_slope(&correlator, 1, 0, true, range, &slope, &error), RILL_OK);
  ck_assert_double_eq_tol(slope.value, -1 / tau, 3 * slope.error);
  ck_assert_double_lt(slope.error, 0.05 / tau);
  rill_correlator_release(&correlator);
}
END_TEST

/* Points that fly freely: the mean squared displacement is v^2 t^2 at every lag, across the box's faces; in relation
 * to the mean of all. */
START_TEST(free_flight_is_exact) {
  enum { MOVING = 16, STEPS = 400 };
  static const double box[3][3] = {{1.5, 0, 0}, {0.4, 2, 0}, {-0.3, 0.5, 1.7}};
  const struct rill_correlator_options options = {RILL_CORRELATION_SQUARE, false, MOVING, 3, 8, 4, 1};
  struct rill_noise noise = rill_noise_create(5, RILL_STREAM_TEST);
  struct rill_displacement displacement;
  struct rill_correlator correlator;
  double start[3 * MOVING], v[3 * MOVING], x[3 * MOVING], squares = 0, *sums;
  for (size_t i = 0; i < 3 * MOVING; i++) start[i] = 5 * normal(&noise, i);
  for (size_t i = 0; i < 3 * MOVING; i++) v[i] = 0.05 * normal(&noise, 3 * MOVING + i);
  for (size_t c = 0; c < 3; c++) {
    double mean = 0;
    for (size_t i = 0; i < MOVING; i++) mean += v[c * MOVING + i] / MOVING;
    for (size_t i = 0; i < MOVING; i++) squares += (v[c * MOVING + i] - mean) * (v[c * MOVING + i] - mean) / MOVING;
  }
  ck_assert_int_eq(rill_displacement_create(MOVING, &displacement, &error), RILL_OK);
  ck_assert_int_eq(rill_correlator_create(&options, &correlator, &error), RILL_OK);
  for (size_t s = 0; s < STEPS; s++) {
    for (size_t i = 0; i < 3 * MOVING; i++) x[i] = start[i] + v[i] * (double)s;
    for (size_t i = 0; i < MOVING; i++)
      for (size_t c = 0; c < 3; c++) /* in another image each time */
        x[c * MOVING + i] += ((double)((s + i) % 5) - 2) * box[(7 * s + i) % 3][c];
    rill_displacement_add(&displacement, x, box);
    rill_correlator_add(&correlator, displacement.sum);
  }
  sums = malloc(correlator.sums.width * sizeof *sums);
  rill_block_sums_total(&correlator.sums, sums);
  for (size_t index = 0; index < correlator.lags; index++) {
    const double lag = rill_correlator_lag(&correlator, index);
    ck_assert_double_eq_tol(rill_correlator_value(&correlator, sums, 0, index), squares * lag * lag,
                            1e-11 * (1 + lag * lag));
  }
  free(sums);
  rill_displacement_release(&displacement);
  rill_correlator_release(&correlator);
}
END_TEST

/* A barostat scales the box and all positions, far from the origin: the displacements are those of wrapped
 * positions, below the change of the box's edge; those of unwrapped ones are a hundred times larger. */
START_TEST(scaled_boxes_move_points_a_little) {
  struct rill_displacement displacement;
  double box[3][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, x[6] = {401.1, 100.3, 7, -250.2, 31, -9};
  ck_assert_int_eq(rill_displacement_create(2, &displacement, &error), RILL_OK);
  rill_displacement_add(&displacement, x, box);
  for (int i = 0; i < 3; i++) box[i][i] *= 1.01;
  for (int i = 0; i < 6; i++) x[i] *= 1.01;
  rill_displacement_add(&displacement, x, box);
  for (int i = 0; i < 6; i++) ck_assert_double_lt(fabs(displacement.sum[i]), 0.02);
  rill_displacement_release(&displacement);
}
END_TEST

/* ---- spectra, hydrogen bonds ---- */

/* A cosine gives a line at its frequency, of half of the window's length. */
START_TEST(spectra_have_lines) {
  enum { COUNT = 101 };
  double values[COUNT];
  for (int i = 0; i < COUNT; i++) values[i] = 3 * cos(2 * M_PI * 0.1 * i * 2);
  ck_assert_double_eq_tol(rill_correlation_spectrum(values, COUNT, 2, 0.1), 0.5 * 100 * 2, 0.2);
  ck_assert_double_lt(fabs(rill_correlation_spectrum(values, COUNT, 2, 0.05)), 0.1);
}
END_TEST

/* Three molecules: 1 gives a bond to 2, bent by just less or more than the limit; 3 is far, but for its image. */
START_TEST(hydrogen_bonds_are_counted) {
  static const struct rill_bond_criterion criterion = {0.35, 30};
  static const double box[3][3] = {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
  struct rill_grid *grid;
  size_t bonds;
  ck_assert_int_eq(rill_grid_create(3, &grid, &error), RILL_OK);
  for (int k = 0; k < 3; k++) {
    const double angle = (k == 0 ? 29.9 : k == 1 ? 30.1 : -29.9) * M_PI / 180, distance = k == 2 ? 0.351 : 0.349;
    const double positions[27] = {0.1,
                                  0,
                                  0,
                                  0.1 + 0.1 * cos(angle),
                                  0.1 * sin(angle),
                                  0,
                                  0.1,
                                  0,
                                  0.1,
                                  0.1 + distance,
                                  0,
                                  0,
                                  0.2 + distance,
                                  0,
                                  0,
                                  0.1 + distance,
                                  0,
                                  0.1,
                                  2.8,
                                  0,
                                  0,
                                  2.9,
                                  0,
                                  0,
                                  2.8,
                                  0.1,
                                  0}; /* gives one to 1, across the face */
    ck_assert_int_eq(rill_hydrogen_bonds_count(grid, positions, box, &criterion, &bonds, &error), RILL_OK);
    ck_assert_uint_eq(bonds, k == 0 ? 2 : 1);
  }
  rill_grid_destroy(grid);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("correlations");
  TCase *cases = tcase_create("correlations");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, correlations_are_direct_sums);
  tcase_add_test(cases, levels_reach_a_lag);
  tcase_add_loop_test(cases, correlators_continue, 0, 2);
  tcase_add_test(cases, bad_archives_are_refused);
  tcase_add_test(cases, jackknife_errors_are_right);
  tcase_add_test(cases, too_few_samples_have_no_error);
  tcase_add_loop_test(cases, ornstein_uhlenbeck_is_recovered, 0, 2);
  tcase_add_test(cases, free_flight_is_exact);
  tcase_add_test(cases, scaled_boxes_move_points_a_little);
  tcase_add_test(cases, spectra_have_lines);
  tcase_add_test(cases, hydrogen_bonds_are_counted);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
