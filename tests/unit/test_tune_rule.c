/* What rill tune decides from measurements: which changes are kept, errors of medians, the step for a bias. */
#include <math.h>

#include "base/random.h"
#include "study/tune_rule.h"
#include "suite.h"

START_TEST(gains_are_kept_beyond_their_noise) {
  static const struct {
    struct rill_gain gain;
    bool kept;
    enum rill_gain_verdict verdict;
  } table[] = {
      {{0.05, 0.002}, true, RILL_GAIN_KEPT},    {{0.05, 0.01}, true, RILL_GAIN_OPEN}, /* the error is still large */
      {{0.05, 0.017}, false, RILL_GAIN_OPEN},   {{0.011, 0.003}, true, RILL_GAIN_KEPT},
      {{0.011, 0.004}, false, RILL_GAIN_OPEN},  {{0.009, 0.001}, false, RILL_GAIN_OPEN},
      {{0.009, 0.0001}, false, RILL_GAIN_NONE}, /* real, but too small */
      {{0.0, 0.003}, false, RILL_GAIN_NONE},    {{0.0, 0.004}, false, RILL_GAIN_OPEN},
      {{-0.3, 0.1}, false, RILL_GAIN_NONE},     {{-0.3, 0.2}, false, RILL_GAIN_OPEN},
      {{0.5, INFINITY}, false, RILL_GAIN_OPEN}, {{NAN, NAN}, false, RILL_GAIN_OPEN},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    ck_assert_msg(rill_gain_is_kept(table[i].gain) == table[i].kept, "row %zu is kept", i);
    ck_assert_msg(rill_gain_judge(table[i].gain) == table[i].verdict, "row %zu is judged %d", i,
                  (int)rill_gain_judge(table[i].gain));
  }
}
END_TEST

/* A normal number by the central limit theorem, of mean 0 and deviation 1. */
static double normal(const struct rill_noise *noise, uint64_t trial, uint32_t index) {
  double sum = -6;
  for (uint32_t k = 0; k < 3; k++) {
    uint32_t bits[4];
    rill_noise_bits(noise, trial, index, k, bits);
    for (int j = 0; j < 4; j++) sum += (double)bits[j] * 0x1p-32;
  }
  return sum;
}

/* Over many samples the error is the scatter of the medians; outliers hardly change them. */
START_TEST(errors_of_medians_are_their_scatter) {
  enum { TRIALS = 2000, SIZE = 40 };
  const struct rill_noise noise = rill_noise_create(1, RILL_STREAM_TEST);
  double squares = 0, errors = 0;
  for (uint64_t trial = 0; trial < TRIALS; trial++) {
    double values[SIZE];
    struct rill_gain gain;
    for (uint32_t i = 0; i < SIZE; i++)
      values[i] = 3 + 0.1 * normal(&noise, trial, i) + (_i != 0 && i == 7 ? 1e3 : 0);
    gain = rill_gain_of_pairs(values, SIZE);
    squares += pow(gain.part - 3, 2);
    errors += gain.error;
  }
  ck_assert_double_eq_tol(errors / TRIALS / sqrt(squares / TRIALS), 1, 0.08);
}
END_TEST

START_TEST(gains_follow_one_another) {
  const struct rill_gain first = {0.2, 0.03}, second = {0.25, 0.04}, both = rill_gain_after(first, second);
  ck_assert_double_eq_tol(both.part, 0.4, 1e-15);
  ck_assert_double_eq_tol(both.error, hypot(0.8 * 0.04, 0.75 * 0.03), 1e-15);
  ck_assert(rill_gain_may_exceed((struct rill_gain){0.15, 0.04}, first));   /* up to 0.27 */
  ck_assert(!rill_gain_may_exceed((struct rill_gain){0.15, 0.019}, first)); /* up to 0.207 */
  ck_assert(!rill_gain_may_exceed((struct rill_gain){0.205, 0.001}, first));
}
END_TEST

START_TEST(means_have_the_larger_error) {
  const struct rill_gain apart[] = {{0.1, 0.001}, {0.2, 0.001}, {0.3, 0.001}, {0.4, 0.001}};
  const struct rill_gain near[] = {{0.1, 0.02}, {0.1, 0.02}, {0.1, 0.02}, {0.1, 0.02}};
  ck_assert_double_eq_tol(rill_gain_mean(apart, 4).part, 0.25, 1e-15);
  ck_assert_double_eq_tol(rill_gain_mean(apart, 4).error, sqrt(0.05 / 12), 1e-15);
  ck_assert_double_eq_tol(rill_gain_mean(near, 4).part, 0.1, 1e-15);
  ck_assert_double_eq_tol(rill_gain_mean(near, 4).error, 0.01, 1e-15);
}
END_TEST

START_TEST(few_values_have_no_error) {
  double two[] = {1, 2};
  ck_assert(isinf(rill_gain_of_pairs(two, 2).error));
  ck_assert(isinf(rill_gain_of_pairs(two, 0).error));
}
END_TEST

START_TEST(steps_keep_a_bias) {
  ck_assert_double_eq_tol(rill_step_for_bias(0.125, 0, 2, 2), 4, 1e-12);
  ck_assert_double_eq_tol(rill_step_for_bias(-0.125, 0, 2, 2), 4, 1e-12);
  ck_assert_double_eq_tol(rill_step_for_bias(0.1, 0.0125, 2, 2), 4, 1e-12); /* two errors count */
  ck_assert_double_eq_tol(rill_step_for_bias(0.0625, 0, 4, 16), 4, 1e-12);
  ck_assert(isinf(rill_step_for_bias(0, 0, 2, 1)));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("tune rule");
  TCase *cases = tcase_create("tune rule");
  tcase_add_test(cases, gains_are_kept_beyond_their_noise);
  tcase_add_loop_test(cases, errors_of_medians_are_their_scatter, 0, 2);
  tcase_add_test(cases, gains_follow_one_another);
  tcase_add_test(cases, means_have_the_larger_error);
  tcase_add_test(cases, few_values_have_no_error);
  tcase_add_test(cases, steps_keep_a_bias);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
