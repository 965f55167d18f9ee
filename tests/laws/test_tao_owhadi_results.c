/* What `rill reproduce` shows of Tao & Owhadi: every row agrees, but for the named claims that do not hold; curves
 * have the points their columns promise. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "papers/tao_owhadi.h"
#include "suite.h"

struct collected {
  const char *name;
  unsigned rows, known, points, curves;
  size_t columns;
};

static enum rill_status take_row(void *self, const struct rill_result_row *row, struct rill_error *error) {
  struct collected *c = self;
  (void)error;
  c->rows++;
  c->known += row->verdict == RILL_VERDICT_KNOWN_DEVIATION;
  ck_assert_msg(row->verdict != RILL_VERDICT_DIFFERS, "%s, %s, %s: paper %.9g, ours %.9g", c->name, row->quantity,
                row->setting, row->paper, row->ours);
  ck_assert_msg(isfinite(row->ours), "%s, %s, %s", c->name, row->quantity, row->setting);
  ck_assert_uint_lt(strlen(row->setting), sizeof row->setting - 1); /* none is cut */
  if (row->verdict == RILL_VERDICT_KNOWN_DEVIATION) ck_assert_ptr_nonnull(row->reason);
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
static const struct { const char *name; unsigned known, curves;
} expected[] = {{"tao-owhadi-figure-1", 2, 9},  {"tao-owhadi-stability", 0, 14},
                {"tao-owhadi-figure-2a", 0, 1}, {"tao-owhadi-figure-2b", 0, 1},
                {"tao-owhadi-figure-3", 1, 5}, {"tao-owhadi-figure-8", 1, 2},  {"tao-owhadi-figure-9", 0, 1},
                {"tao-owhadi-figure-10", 0, 4}};

START_TEST(rows_agree) {
  struct rill_error error = {0};
  size_t count;
  const struct rill_result *results = rill_tao_owhadi_results(&count);
  ck_assert_uint_eq(count, sizeof expected / sizeof expected[0]);
  for (size_t i = 0; i < count; i++) {
    struct collected c = {.name = results[i].name};
    const struct rill_result_sink sink = {take_row, take_curve, take_point, &c, false},
                                  rows_only = {take_row, NULL, NULL, &c, false};
    ck_assert_str_eq(results[i].name, expected[i].name);
    ck_assert_msg(results[i].compute(&sink, &error) == RILL_OK, "%s", error.text);
    ck_assert_uint_ge(c.rows, 4);
    ck_assert_uint_eq(c.known, expected[i].known);
    ck_assert_uint_eq(c.curves, expected[i].curves);
    ck_assert_uint_ge(c.points, 5);
    if (i > 4) ck_assert(results[i].compute(&rows_only, &error) == RILL_OK);
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

/* The mutant: a value off by twice its tolerance, and one that is no number, are not said to agree. */
START_TEST(verdicts) {
  ck_assert(rill_verdict_of(1, 1.02, 0.01) == RILL_VERDICT_DIFFERS);
  ck_assert(rill_verdict_of(1, NAN, 0.01) == RILL_VERDICT_DIFFERS);
  ck_assert(rill_verdict_of(1, 1.005, 0.01) == RILL_VERDICT_AGREES);
  ck_assert(rill_verdict_of(NAN, 1, NAN) == RILL_VERDICT_DATA);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("Tao & Owhadi");
  TCase *tests = tcase_create("results");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, rows_agree);
  tcase_add_test(tests, a_full_sink_stops_the_result);
  tcase_add_test(tests, verdicts);
  suite_add_tcase(suite, tests);
  return rill_run_suite(suite);
}
