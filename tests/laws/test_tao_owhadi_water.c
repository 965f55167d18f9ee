/* What `rill reproduce` shows of Tao & Owhadi on water, the deterministic figures 5 and 6: every row agrees, or
 * refutes a named claim, and would not if it were wrong; curves have the points their columns promise.  Sampled
 * figures take longer: the physics tests and `rill reproduce` itself. */
#include <math.h>
#include <string.h>

#include "papers/tao_owhadi_water.h"
#include "rows.h"

struct collected {
  const char *name;
  struct rows *rows; /* NULL: not looked at */
  unsigned points, curves;
  size_t columns;
  double largest; /* |number| of the curves, but for the first column */
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
  for (size_t i = 0; i < c->columns; i++) {
    ck_assert(isfinite(values[i]));
    if (i > 0) c->largest = fmax(c->largest, fabs(values[i]));
  }
  return RILL_OK;
}

static enum rill_status refuse_row(void *self, const struct rill_result_row *row, struct rill_error *error) {
  (void)self, (void)row;
  return rill_error_set(error, RILL_ERROR_WRITE, "no room");
}

static const struct rill_result *find(const char *name) {
  size_t count;
  const struct rill_result *results = rill_tao_owhadi_water_results(&count);
  ck_assert_uint_eq(count, 5);
  for (size_t i = 0; i < count; i++)
    if (strcmp(results[i].name, name) == 0) return &results[i];
  ck_abort_msg("no result %s", name);
  return NULL;
}

/* Averages at x do not converge; the full block does not keep the angular momentum. */
static const struct {
  const char *name;
  unsigned known, curves, points;
} expected[] = {{"tao-owhadi-figure-5", 1, 1, 397}, {"tao-owhadi-figure-6", 1, 4, 4 * 1001}};

START_TEST(rows_agree) {
  static struct rows rows;
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    struct rill_error error = {0};
    const unsigned before = rows.count, known = rows.known;
    struct collected c = {.name = expected[i].name, .rows = &rows}, again = {.name = expected[i].name};
    const struct rill_result_sink sink = {take_row, take_curve, take_point, &c, false};
    const struct rill_result_sink rows_only = {take_row, NULL, NULL, &again, false};
    rows.result = expected[i].name;
    ck_assert_msg(find(expected[i].name)->compute(&sink, &error) == RILL_OK, "%s", error.text);
    ck_assert_uint_ge(rows.count - before, 6);
    ck_assert_uint_eq(rows.known - known, expected[i].known);
    ck_assert_uint_eq(c.curves, expected[i].curves);
    ck_assert_uint_eq(c.points, expected[i].points);
    ck_assert_double_gt(c.largest, 10); /* multipliers; the energy that one-step Newmark gains */
    ck_assert(find(expected[i].name)->compute(&rows_only, &error) == RILL_OK);
  }
}
END_TEST

/* The mutant: a method's number judged by what is expected of another. */
struct judged {
  const char *quantity[64];
  struct rill_expected expected[64];
  double ours[64];
  int count;
};

static enum rill_status keep_row(void *self, const struct rill_result_row *row, struct rill_error *error) {
  struct judged *j = self;
  (void)error;
  if (row->verdict == RILL_VERDICT_NONE || row->expected.source == RILL_SOURCE_EXACT) return RILL_OK;
  j->quantity[j->count] = row->quantity;
  j->expected[j->count] = row->expected;
  j->ours[j->count++] = row->ours;
  return RILL_OK;
}

START_TEST(another_methods_number_differs) {
  int pairs = 0;
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    struct rill_error error = {0};
    struct judged j = {.count = 0};
    const struct rill_result_sink sink = {keep_row, NULL, NULL, &j, false};
    ck_assert(find(expected[i].name)->compute(&sink, &error) == RILL_OK);
    for (int a = 0; a < j.count; a++)
      for (int b = 0; b < j.count; b++) {
        if (a == b || strcmp(j.quantity[a], j.quantity[b]) != 0) continue;
        ck_assert_int_eq(rill_verdict_of(j.expected[a], NULL, j.ours[b]), RILL_VERDICT_DIFFERS);
        pairs++;
      }
  }
  ck_assert_int_ge(pairs, 10);
}
END_TEST

START_TEST(a_full_sink_stops_the_result) {
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    struct rill_error error = {0};
    const struct rill_result_sink sink = {refuse_row, NULL, NULL, NULL, false};
    ck_assert_int_eq(find(expected[i].name)->compute(&sink, &error), RILL_ERROR_WRITE);
    ck_assert_str_eq(error.text, "no room");
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("tao & owhadi, water");
  TCase *cases = tcase_create("water");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, rows_agree);
  tcase_add_test(cases, another_methods_number_differs);
  tcase_add_test(cases, a_full_sink_stops_the_result);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
