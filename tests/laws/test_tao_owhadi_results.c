/* What `rill reproduce` shows of Tao & Owhadi: every row agrees, or refutes a named claim, and would not if it were
 * wrong; curves have the points their columns promise. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "papers/emit.h"
#include "papers/tao_owhadi.h"
#include "rows.h"

struct collected {
  const char *name;
  struct rows *rows; /* NULL: not looked at */
  unsigned points, curves;
  size_t columns;
};

static enum rill_status take_row(void *self, const struct rill_result_row *row, struct rill_error *error) {
  struct collected *c = self;
  (void)error;
  if (c->rows != NULL) rows_check(c->rows, row);
  return RILL_OK;
}

static enum rill_status take_curve(void *self, const struct rill_result_curve *curve, struct rill_error *error) {
  struct collected *c = self;
  (void)error;
  c->curves++;
  c->columns = curve->column_count;
  return RILL_OK;
}

static enum rill_status take_point(void *self, const double *values, struct rill_error *error) {
  struct collected *c = self;
  (void)error;
  c->points++;
  /* A motion that does not fail has no time of failure. */
  bool gap = strcmp(c->name, "tao-owhadi-stability") == 0 && isnan(values[c->columns - 1]);
  for (size_t i = 0; i < c->columns - gap; i++) ck_assert(isfinite(values[i]));
  return RILL_OK;
}

static enum rill_status refuse_row(void *self, const struct rill_result_row *row, struct rill_error *error) {
  (void)self, (void)row;
  return rill_error_set(error, RILL_ERROR_WRITE, "no room");
}

/* Claims of the paper that do not hold: Newmark at w = 2000 and the sign of gravity; the latter for the chain; the
 * limit of Verlet for DNA. */
static const struct {
  const char *name;
  unsigned known, curves;
} expected[] = {{"tao-owhadi-figure-1", 2, 9},  {"tao-owhadi-stability", 0, 14}, {"tao-owhadi-figure-2a", 0, 1},
                {"tao-owhadi-figure-2b", 0, 1}, {"tao-owhadi-figure-3", 1, 5},   {"tao-owhadi-figure-8", 1, 2},
                {"tao-owhadi-figure-9", 0, 1},  {"tao-owhadi-figure-10", 0, 4}};

START_TEST(rows_agree) {
  static struct rows rows; /* of all results: none repeats another's */
  struct rill_error error = {0};
  size_t count;
  const struct rill_result *results = rill_tao_owhadi_results(&count);
  ck_assert_uint_eq(count, sizeof expected / sizeof expected[0]);
  for (size_t i = 0; i < count; i++) {
    const unsigned before = rows.count, known = rows.known;
    struct collected c = {.name = results[i].name, .rows = &rows}, again = {.name = results[i].name};
    const struct rill_result_sink sink = {take_row, take_curve, take_point, &c, false},
                                  rows_only = {take_row, NULL, NULL, &again, false};
    rows.result = results[i].name;
    ck_assert_str_eq(results[i].name, expected[i].name);
    ck_assert_msg(results[i].compute(&sink, &error) == RILL_OK, "%s", error.text);
    ck_assert_uint_ge(rows.count - before, 4);
    ck_assert_uint_eq(rows.known - known, expected[i].known);
    ck_assert_uint_eq(c.curves, expected[i].curves);
    ck_assert_uint_ge(c.points, 5);
    if (i > 5) ck_assert(results[i].compute(&rows_only, &error) == RILL_OK);
  }
}
END_TEST

START_TEST(a_full_sink_stops_the_result) {
  struct rill_error error = {0};
  size_t count;
  const struct rill_result *results = rill_tao_owhadi_results(&count);
  const struct rill_result_sink sink = {refuse_row, NULL, NULL, NULL, false};
  for (size_t i = 0; i < count; i++) ck_assert(results[i].compute(&sink, &error) == RILL_ERROR_WRITE);
}
END_TEST

/* --- mutants: what rows.h refuses --- */

START_TEST(verdicts) {
  static const struct rill_claim claim = {2, 3, "because"};
  const struct rill_expected one = rill_expect(RILL_SOURCE_PAPER, 1, 0.01), data = rill_paper(NULL);
  const struct rill_expected wide = rill_expect(RILL_SOURCE_PAPER, 1, 1.5); /* its tolerance reaches into the claim */
  ck_assert_int_eq(rill_verdict_of(one, NULL, 1.02), RILL_VERDICT_DIFFERS);
  ck_assert_int_eq(rill_verdict_of(one, NULL, NAN), RILL_VERDICT_DIFFERS);
  ck_assert_int_eq(rill_verdict_of(one, NULL, 1.005), RILL_VERDICT_AGREES);
  ck_assert_int_eq(rill_verdict_of(one, &claim, 1.005), RILL_VERDICT_KNOWN_DEVIATION);
  ck_assert_int_eq(rill_verdict_of(one, &claim, 2.5), RILL_VERDICT_DIFFERS); /* the refuted claim */
  ck_assert_int_eq(rill_verdict_of(wide, &claim, 2.4), RILL_VERDICT_DIFFERS);
  ck_assert_int_eq(rill_verdict_of(wide, &claim, 1.9), RILL_VERDICT_KNOWN_DEVIATION);
  ck_assert_int_eq(rill_verdict_of(one, &claim, 1.5), RILL_VERDICT_DIFFERS); /* neither */
  ck_assert_int_eq(rill_verdict_of(data, NULL, 1), RILL_VERDICT_NONE);
}
END_TEST

START_TEST(a_tolerance_is_half_of_the_last_digit) {
  static const struct {
    const char *digits;
    double value, tolerance;
  } rows[] = {{"3.960e-6", 3.96e-6, 5e-10}, {"0.0040", 0.004, 5e-5}, {"24.944499828", 24.944499828, 5e-10},
              {"-1.32e-5", -1.32e-5, 5e-8}, {"44", 44, 0.5},         {"1E2", 100, 50}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const struct rill_expected e = rill_independent(rows[i].digits);
    ck_assert_double_eq(e.value, rows[i].value);
    ck_assert_double_le(fabs(e.tolerance - rows[i].tolerance), 1e-12 * rows[i].tolerance);
    ck_assert_int_eq(e.source, RILL_SOURCE_INDEPENDENT);
  }
  ck_assert_double_eq(rill_loosened(rill_paper("0.5"), 1).tolerance, 1.05);
}
END_TEST

START_TEST(rows_that_cannot_fail_are_seen) {
  const struct rill_claim near = {1.005, 2, "because"};
  const struct rill_expected wide = rill_expect(RILL_SOURCE_INDEPENDENT, 8.13, 8.2), zero = rill_paper("0.0"),
                             rough = rill_exact(0, 1e-3), one = rill_expect(RILL_SOURCE_PAPER, 1, 0.01);
  ck_assert(!rows_can_fail(&wide) && !rows_can_fail(&zero) && !rows_can_fail(&rough) && rows_can_fail(&one));
  ck_assert(!rows_refutes(&one, &near));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("Tao & Owhadi");
  TCase *tests = tcase_create("results");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, rows_agree);
  tcase_add_test(tests, a_full_sink_stops_the_result);
  tcase_add_test(tests, verdicts);
  tcase_add_test(tests, a_tolerance_is_half_of_the_last_digit);
  tcase_add_test(tests, rows_that_cannot_fail_are_seen);
  suite_add_tcase(suite, tests);
  return rill_run_suite(suite);
}
