/* Ensembles without a system: exchanges of independent samples against their exact law, the walks, the averages. */
#include <math.h>
#include <string.h>

#include "analysis/density_ratio.h"
#include "ensemble/advice.h"
#include "ensemble/estimates.h"
#include "ensemble/exchange.h"
#include "ensemble/rungs.h"
#include "suite.h"

static struct rill_error error;

static void ok(enum rill_status status) { ck_assert_msg(status == RILL_OK, "%s", error.text); }

/* A uniform number for (sample, replica). */
static double uniform(uint64_t sample, uint32_t replica) {
  const struct rill_noise noise = rill_noise_create(11, RILL_STREAM_TEST);
  double u[4];
  rill_noise_uniform(&noise, sample, replica, 0, u);
  return u[0];
}

/* Energy of d = 6 harmonic degrees of freedom at k T: a sum of three exponential variates. */
static double harmonic(uint64_t sample, uint32_t replica, double thermal) {
  double u[4];
  const struct rill_noise noise = rill_noise_create(12, RILL_STREAM_TEST);
  rill_noise_uniform(&noise, sample, replica, 0, u);
  return -thermal * log(u[0] * u[1] * u[2]);
}

/* The table of Predescu's law, checked against draws of gamma variates. */
START_TEST(harmonic_law) {
  ck_assert_double_eq_tol(rill_harmonic_acceptance(6, 1.2), 0.8305, 5e-5);
  ck_assert_double_eq_tol(rill_harmonic_acceptance(36, 1.05), 0.8844, 5e-5);
  ck_assert_double_eq_tol(rill_harmonic_acceptance(36, 1.2), 0.5873, 5e-5);
  ck_assert_double_eq_tol(rill_harmonic_acceptance(42, 1.5), 0.1930, 5e-5);
  ck_assert_double_eq_tol(rill_harmonic_acceptance(114, 2), 0.0003, 5e-5);
  ck_assert_uint_eq(rill_harmonic_rungs(36, 0.58, 100, 120), 2);
  ck_assert_uint_eq(rill_harmonic_rungs(36, 0.58, 100, 144), 3);
  ck_assert_uint_eq(rill_harmonic_rungs(36, 0.59, 100, 120), 3);
}
END_TEST

/* From energies at two temperatures alone: the exact law, within errors that are the scatter of repetitions. */
START_TEST(acceptance_from_energies) {
  enum { REPEATED = 40, GROUPS = 10, EACH = 20, SAMPLES = GROUPS * EACH };
  const double exact = rill_harmonic_acceptance(6, 1.5), difference = 1 - 1 / 1.5;
  static double low[SAMPLES], high[SAMPLES];
  double sum = 0, squares = 0, errors = 0, scatter;
  for (uint64_t k = 0; k < REPEATED; k++) {
    const struct rill_energy_samples cold = {GROUPS, EACH, low}, hot = {GROUPS, EACH, high};
    struct rill_expected_acceptance found;
    for (uint64_t i = 0; i < SAMPLES; i++) {
      low[i] = harmonic(k * SAMPLES + i, 0, 1);
      high[i] = harmonic(k * SAMPLES + i, 1, 1.5);
    }
    ok(rill_acceptance_expected(&cold, &hot, difference, &found, &error));
    sum += found.mean;
    squares += found.mean * found.mean;
    errors += found.error;
  }
  scatter = sqrt((squares - sum * sum / REPEATED) / (REPEATED - 1));
  ck_assert_double_le(fabs(sum / REPEATED - exact), 3 * scatter / sqrt(REPEATED));
  ck_assert_double_lt(scatter, 0.03);
  ck_assert_double_eq_tol(errors / REPEATED / scatter, 1, 0.3); /* the scatter is known to a ninth */
}
END_TEST

static void harmonic_pairs(size_t rungs, const double *temperature, double *acceptance) {
  for (size_t i = 0; i + 1 < rungs; i++)
    acceptance[i] = rill_harmonic_acceptance(36, temperature[i + 1] / temperature[i]);
}

/* A harmonic ladder is even when it is geometric, which an uneven one becomes but for the interpolation; with as many
 * temperatures as an acceptance takes, it has that acceptance. */
START_TEST(even_temperatures) {
  enum { RUNGS = 7 };
  const double uneven[RUNGS] = {10, 11, 13, 14, 17, 19, 21}, ratio = pow(2.1, 1.0 / (RUNGS - 1));
  double acceptance[RUNGS - 1], even[RUNGS], enough[20], found;
  size_t rungs;
  harmonic_pairs(RUNGS, uneven, acceptance);
  found = rill_even_temperatures(RUNGS, uneven, acceptance, RUNGS, even);
  ck_assert_double_eq_tol(found, rill_harmonic_acceptance(36, ratio), 0.02);
  for (size_t i = 0; i < RUNGS; i++) ck_assert_double_eq_tol(even[i] / (10 * pow(ratio, (double)i)), 1, 0.01);
  ck_assert_double_eq(even[0], 10);
  ck_assert_double_eq(even[RUNGS - 1], 21);
  harmonic_pairs(RUNGS, even, acceptance);
  for (size_t i = 0; i + 1 < RUNGS; i++) ck_assert_double_eq_tol(acceptance[i], found, 0.03);
  rungs = rill_even_rungs(RUNGS, acceptance, 0.8);
  ck_assert_uint_gt(rungs, RUNGS);
  ck_assert_double_ge(rill_even_temperatures(RUNGS, even, acceptance, rungs, enough), 0.8);
  ck_assert_double_lt(rill_even_temperatures(RUNGS, even, acceptance, rungs - 1, enough), 0.8);
}
END_TEST

/* Two temperatures have nothing between them; more divide the interval between two evenly. */
START_TEST(few_temperatures) {
  const double ends[2] = {100, 200}, acceptance[1] = {0.2};
  double even[4];
  ck_assert_double_eq_tol(rill_even_temperatures(2, ends, acceptance, 2, even), 0.2, 1e-12);
  ck_assert_double_eq(even[1], 200);
  ck_assert_double_eq_tol(rill_even_temperatures(2, ends, acceptance, 3, even), 0.6, 1e-12);
  ck_assert_double_eq_tol(even[1], 150, 1e-12);
  (void)rill_even_temperatures(2, ends, acceptance, 4, even);
  ck_assert_double_eq_tol(even[1], 100 + 100.0 / 3, 1e-12);
  ck_assert_uint_eq(rill_even_rungs(2, acceptance, 0.6), 3);
  ck_assert_uint_eq(rill_even_rungs(2, acceptance, 0.61), 4);
  ck_assert_uint_eq(rill_even_rungs(2, acceptance, 0.1), 2);
}
END_TEST

/* Seeds of replicas differ, between ensembles too, and fit into a double. */
START_TEST(seeds) {
  for (uint64_t r = 0; r < 100; r++) {
    ck_assert_uint_lt(rill_replica_seed(1, r), UINT64_C(1) << 53);
    for (uint64_t q = 0; q < 100; q++) {
      ck_assert(q == r || rill_replica_seed(1, r) != rill_replica_seed(1, q));
      ck_assert(rill_replica_seed(1, r) != rill_replica_seed(2, q));
    }
  }
}
END_TEST

/* Independent samples at temperatures in the ratio 1.2: counted and expected acceptances meet the exact law. */
START_TEST(acceptance_of_independent_samples) {
  enum { LADDERS = 4, RUNGS = 4, ATTEMPTS = 20000 };
  const double beta[RUNGS] = {1, 1 / 1.2, 1 / 1.44, 1 / 1.728}, expected = rill_harmonic_acceptance(6, 1.2);
  double potential[LADDERS * RUNGS];
  struct rill_exchange exchange;
  ok(rill_exchange_create(LADDERS, RUNGS, beta, 3, &exchange, &error));
  for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
    for (uint32_t r = 0; r < LADDERS * RUNGS; r++) potential[r] = harmonic(attempt, r, 1 / beta[exchange.rung[r]]);
    rill_exchange_attempt(&exchange, attempt, potential);
  }
  for (size_t pair = 0; pair + 1 < RUNGS; pair++) {
    const struct rill_mean mean = rill_average_mean(&exchange.probability[pair]);
    uint64_t tried = 0, accepted = 0;
    for (size_t l = 0; l < LADDERS; l++) {
      tried += exchange.tried[l * RUNGS + pair];
      accepted += exchange.accepted[l * RUNGS + pair];
    }
    ck_assert_uint_eq(tried, LADDERS * ATTEMPTS / 2);
    ck_assert_double_le(fabs(mean.mean - expected), 4 * mean.error);
    ck_assert_double_le(fabs((double)accepted / (double)tried - expected),
                        4 * sqrt(expected * (1 - expected) / (double)tried));
  }
  rill_exchange_release(&exchange);
}
END_TEST

/* With equal energies every exchange is accepted: replicas walk to the top and back without a pause, and even and odd
 * pairs alternate, so that a round trip takes 2 * rungs attempts. */
START_TEST(walks) {
  enum { RUNGS = 5, ATTEMPTS = 1000 };
  const double beta[RUNGS] = {5, 4, 3, 2, 1}, potential[RUNGS] = {0};
  struct rill_exchange exchange;
  uint64_t visits = 0;
  ok(rill_exchange_create(1, RUNGS, beta, 3, &exchange, &error));
  for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) rill_exchange_attempt(&exchange, attempt, potential);
  ck_assert_uint_eq(exchange.attempts, ATTEMPTS);
  ck_assert_uint_ge(rill_exchange_round_trips(&exchange), RUNGS * (ATTEMPTS / (2 * RUNGS) - 2));
  ck_assert_uint_le(rill_exchange_round_trips(&exchange), RUNGS * ATTEMPTS / (2 * RUNGS));
  for (size_t r = 0; r < RUNGS; r++) { /* each replica is at each rung equally often */
    for (size_t i = 0; i < RUNGS; i++) {
      visits += exchange.visits[r * RUNGS + i];
      ck_assert_double_eq_tol((double)exchange.visits[r * RUNGS + i], ATTEMPTS / (double)RUNGS, 2);
    }
    ck_assert_uint_eq(exchange.rung[rill_exchange_holder(&exchange, 0, r)], r);
  }
  ck_assert_uint_eq(visits, RUNGS * ATTEMPTS);
  ck_assert_uint_eq(exchange.downward[0], 0);
  ck_assert_uint_eq(exchange.upward[RUNGS - 1], 0);
  ck_assert_double_eq_tol((double)exchange.upward[2], (double)exchange.downward[2], 20);
  rill_exchange_release(&exchange);
}
END_TEST

/* A lower energy at the higher temperature is always exchanged, a higher one hardly ever. */
START_TEST(the_lower_energy_goes_to_the_lower_temperature) {
  const double beta[2] = {2, 1};
  for (int wrong = 0; wrong <= 1; wrong++) {
    const double potential[2] = {wrong ? 0 : -50, wrong ? -50 : 0};
    struct rill_exchange exchange;
    ok(rill_exchange_create(1, 2, beta, 3, &exchange, &error));
    rill_exchange_attempt(&exchange, 0, potential);
    ck_assert_uint_eq(exchange.accepted[0], (uint64_t)wrong);
    ck_assert_uint_eq(exchange.rung[0], (size_t)wrong);
    rill_exchange_attempt(&exchange, 1, potential); /* there is no odd pair */
    ck_assert_uint_eq(exchange.tried[0], 1);
    rill_exchange_release(&exchange);
  }
}
END_TEST

/* Written, read and continued: the same as without a pause.  A permutation that is none is refused. */
START_TEST(exchanges_are_resumed) {
  enum { LADDERS = 2, RUNGS = 3 };
  const double beta[RUNGS] = {3, 2, 1};
  struct rill_exchange whole, parts;
  struct rill_archive written = {0}, read;
  double potential[LADDERS * RUNGS];
  ok(rill_exchange_create(LADDERS, RUNGS, beta, 3, &whole, &error));
  ok(rill_exchange_create(LADDERS, RUNGS, beta, 3, &parts, &error));
  for (uint64_t attempt = 0; attempt < 100; attempt++) {
    for (uint32_t r = 0; r < LADDERS * RUNGS; r++) potential[r] = uniform(attempt, r);
    rill_exchange_attempt(&whole, attempt, potential);
    if (attempt == 36) {
      rill_exchange_archive(&whole, &written);
      ok(rill_archive_status(&written, &error));
      ok(rill_archive_open(written.bytes, written.length, &read, &error));
      rill_exchange_archive(&parts, &read);
      ok(rill_archive_status(&read, &error));
    }
    if (attempt > 36) rill_exchange_attempt(&parts, attempt, potential);
  }
  ck_assert_mem_eq(whole.rung, parts.rung, LADDERS * RUNGS * sizeof *whole.rung);
  ck_assert_mem_eq(whole.accepted, parts.accepted, LADDERS * RUNGS * sizeof *whole.accepted);
  ck_assert_mem_eq(whole.trips, parts.trips, LADDERS * RUNGS * sizeof *whole.trips);
  ck_assert_mem_eq(whole.visits, parts.visits, LADDERS * RUNGS * RUNGS * sizeof *whole.visits);
  ck_assert_uint_eq(whole.attempts, parts.attempts);
  ck_assert_double_eq(rill_average_mean(&whole.probability[0]).mean, rill_average_mean(&parts.probability[0]).mean);
  whole.rung[0] = whole.rung[1];
  rill_archive_release(&written);
  rill_exchange_archive(&whole, &written);
  ok(rill_archive_open(written.bytes, written.length, &read, &error));
  rill_exchange_archive(&parts, &read);
  ck_assert_int_eq(rill_archive_status(&read, &error), RILL_ERROR_INPUT);
  rill_error_clear(&error);
  rill_archive_release(&written);
  rill_exchange_release(&whole);
  rill_exchange_release(&parts);
}
END_TEST

/* ---- averages ---- */

enum { SAMPLES = 5000, CHAINS = 12 };
static const double thermal = 2;

/* Energies of twelve chains; with `memory` each sample is kept for that many steps. */
static struct rill_estimates estimates_of(uint64_t memory, double shift) {
  struct rill_estimates estimates;
  ok(rill_estimates_create(CHAINS, 1, &estimates, &error));
  for (uint64_t i = 0; i < SAMPLES; i++)
    for (uint32_t l = 0; l < CHAINS; l++)
      rill_estimates_add(&estimates, l, 0, -100 + harmonic(i / memory, l, thermal) + (l < CHAINS / 2 ? shift : 0), 7);
  return estimates;
}

/* <U> = 3 k T and C = 3 for six harmonic degrees of freedom; var U = 3 (kT)^2. */
START_TEST(averages_of_independent_samples) {
  struct rill_estimates estimates = estimates_of(1, 0);
  const struct rill_rung_estimate e = rill_estimate(&estimates, 0, thermal);
  const double exact = sqrt(3.0 * thermal * thermal / (CHAINS * SAMPLES));
  ck_assert_uint_eq(e.samples, CHAINS * SAMPLES);
  ck_assert_double_le(fabs(e.potential - (-100 + 3 * thermal)), 4 * e.potential_error);
  ck_assert_double_eq_tol(e.potential_error / exact, 1.15, 0.25); /* the largest over lengths of blocks */
  ck_assert_double_le(fabs(e.fluctuation - 3), 4 * e.fluctuation_error);
  /* var of (u - <u>)^2 of a gamma variate of shape 3: (mu4 - s^4) = (45 - 9) (kT)^4 */
  ck_assert_double_eq_tol(e.fluctuation_error / sqrt(36.0 / (CHAINS * SAMPLES)), 1.15, 0.3);
  ck_assert_double_eq(e.kinetic, 7);
  ck_assert_double_eq_tol(e.spread, 1, 0.01);
  ck_assert_double_ge(e.independent, 0.4 * CHAINS * SAMPLES);
  rill_estimates_release(&estimates);
}
END_TEST

/* A correlation over 200 samples, more than the shortest blocks have, makes errors larger, not smaller. */
START_TEST(errors_of_correlated_samples) {
  struct rill_estimates estimates = estimates_of(200, 0);
  const struct rill_rung_estimate e = rill_estimate(&estimates, 0, thermal);
  const double exact = sqrt(3.0 * thermal * thermal / (CHAINS * SAMPLES / 200));
  ck_assert_double_eq_tol(e.potential_error / exact, 1.2, 0.3);
  ck_assert_double_le(fabs(e.potential - (-100 + 3 * thermal)), 4 * e.potential_error);
  ck_assert_double_le(e.independent, 1.6 * CHAINS * SAMPLES / 200);
  rill_estimates_release(&estimates);
}
END_TEST

/* A ladder that is off shows in R-hat. */
START_TEST(ladders_that_disagree) {
  struct rill_estimates estimates = estimates_of(1, 4);
  ck_assert_double_ge(rill_estimate(&estimates, 0, thermal).spread, 1.1);
  rill_estimates_release(&estimates);
}
END_TEST

START_TEST(averages_of_few_samples) {
  struct rill_estimates estimates;
  ok(rill_estimates_create(2, 1, &estimates, &error));
  ck_assert(isnan(rill_estimate(&estimates, 0, thermal).potential));
  rill_estimates_add(&estimates, 0, 0, -3, 1);
  ck_assert_double_eq(rill_estimate(&estimates, 0, thermal).potential, -3);
  ck_assert(isnan(rill_estimate(&estimates, 0, thermal).fluctuation));
  rill_estimates_add(&estimates, 1, 0, -5, 1);
  ck_assert_double_eq(rill_estimate(&estimates, 0, thermal).potential, -4);
  ck_assert_double_eq(rill_estimate(&estimates, 0, thermal).fluctuation, 1 / (thermal * thermal));
  ck_assert(isnan(rill_estimate(&estimates, 0, thermal).potential_error));
  rill_estimates_release(&estimates);
}
END_TEST

START_TEST(averages_are_resumed) {
  struct rill_estimates whole = estimates_of(1, 0), parts;
  struct rill_archive written = {0}, again = {0}, read;
  rill_estimates_archive(&whole, &written);
  ok(rill_archive_status(&written, &error));
  ok(rill_archive_open(written.bytes, written.length, &read, &error));
  ok(rill_estimates_create(CHAINS, 1, &parts, &error));
  rill_estimates_archive(&parts, &read);
  ok(rill_archive_status(&read, &error));
  for (int i = 0; i < 77; i++) {
    rill_estimates_add(&whole, 1, 0, uniform(9, (uint32_t)i), i);
    rill_estimates_add(&parts, 1, 0, uniform(9, (uint32_t)i), i);
  }
  rill_archive_release(&written);
  rill_estimates_archive(&whole, &written);
  rill_estimates_archive(&parts, &again);
  ck_assert_uint_eq(written.length, again.length);
  ck_assert_mem_eq(written.bytes, again.bytes, written.length);
  ck_assert_double_eq(whole.reference[0], parts.reference[0]);
  rill_archive_release(&written);
  rill_archive_release(&again);
  rill_estimates_release(&whole);
  rill_estimates_release(&parts);
}
END_TEST

/* Energies at two temperatures: the slope is the difference of 1 / kT; samples that do not overlap have none. */
START_TEST(slopes_of_density_ratios) {
  enum { COUNT = 20000 };
  static double low[COUNT], high[COUNT];
  struct rill_slope slope;
  for (uint32_t i = 0; i < COUNT; i++) {
    low[i] = harmonic(i, 0, 2);
    high[i] = harmonic(i, 1, 2.4);
  }
  slope = rill_density_ratio_slope(low, COUNT, high, COUNT / 2);
  ck_assert_double_le(slope.error, 0.004);
  ck_assert_double_ge(slope.error, 0.001);
  ck_assert_double_le(fabs(slope.slope - (1 / 2.0 - 1 / 2.4)), 4 * slope.error);
  for (uint32_t i = 0; i < COUNT; i++) high[i] = 100 + harmonic(i, 1, 0.1);
  ck_assert(isnan(rill_density_ratio_slope(low, COUNT, high, COUNT).slope));
  ck_assert(isnan(rill_density_ratio_slope(low, 3, low, COUNT).slope));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("replicas");
  TCase *cases = tcase_create("replicas");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, harmonic_law);
  tcase_add_test(cases, acceptance_from_energies);
  tcase_add_test(cases, even_temperatures);
  tcase_add_test(cases, few_temperatures);
  tcase_add_test(cases, seeds);
  tcase_add_test(cases, acceptance_of_independent_samples);
  tcase_add_test(cases, walks);
  tcase_add_test(cases, the_lower_energy_goes_to_the_lower_temperature);
  tcase_add_test(cases, exchanges_are_resumed);
  tcase_add_test(cases, averages_of_independent_samples);
  tcase_add_test(cases, errors_of_correlated_samples);
  tcase_add_test(cases, ladders_that_disagree);
  tcase_add_test(cases, averages_of_few_samples);
  tcase_add_test(cases, averages_are_resumed);
  tcase_add_test(cases, slopes_of_density_ratios);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
