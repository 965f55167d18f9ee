/* What `rill reproduce` shows of Tao & Owhadi on water, the deterministic figures 5 and 6: every row agrees, but for the named
 * claims that do not hold; curves have the points their columns promise.  Sampled figures take longer: the physics tests
 * and `rill reproduce` itself. */
#include <math.h>
#include <string.h>

#include "papers/tao_owhadi_water.h"
#include "suite.h"

struct collected {
  const char *name;
  unsigned rows, known, points, curves;
  size_t columns;
  double largest;              /* |number| of the curves, but for the first column */
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
static const struct { const char *name; unsigned known, curves, points;
} expected[] = {{"tao-owhadi-figure-5", 1, 1, 397}, {"tao-owhadi-figure-6", 1, 4, 4 * 1001}};

START_TEST(rows_agree) {
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    struct rill_error error = {0};
    struct collected c = {.name = expected[i].name};
    const struct rill_result_sink sink = {take_row, take_curve, take_point, &c, false};
    const struct rill_result_sink rows_only = {take_row, NULL, NULL, &c, false};
    ck_assert_msg(find(expected[i].name)->compute(&sink, &error) == RILL_OK, "%s", error.text);
    ck_assert_uint_ge(c.rows, 7);
    ck_assert_uint_eq(c.known, expected[i].known);
    ck_assert_uint_eq(c.curves, expected[i].curves);
    ck_assert_uint_eq(c.points, expected[i].points);
    ck_assert_double_gt(c.largest, 10); /* multipliers; the energy that one-step Newmark gains */
    ck_assert(find(expected[i].name)->compute(&rows_only, &error) == RILL_OK);
  }
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
  tcase_add_test(cases, a_full_sink_stops_the_result);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
