/* Every row of the reference table of Wendlandt & Marsden's two examples, against the prototype's value and the
 * paper's.
 *
 * Each row names system, method, step and quantity; the runs it needs are made once.  Tolerances are the table's. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "numerics/rigid_body_exact.h"
#include "papers/emit.h"
#include "papers/wendlandt_marsden.h"
#include "rows.h"

enum { COLUMNS = 9, MOST_RUNS = 64 };

static struct rill_error error;

/* --- runs, made when first asked for --- */

struct kept {
  char key[64];
  struct rill_wm_run run;
};
static struct kept *kept[MOST_RUNS];
static int kept_count;
static double fitted[8]; /* read from the table */

static const struct rill_wm_run *run_of(const char *system, const char *method, double h, enum rill_wm_start start) {
  char key[64];
  enum rill_status status;
  struct kept *made;
  snprintf(key, sizeof key, "%.30s %.4s %g %d", system, method, h, (int)start);
  for (int i = 0; i < kept_count; i++)
    if (strcmp(kept[i]->key, key) == 0) return &kept[i]->run;
  ck_assert_int_lt(kept_count, MOST_RUNS);
  made = kept[kept_count++] = rill_allocate(1, sizeof *made);
  ck_assert_ptr_nonnull(made);
  strcpy(made->key, key);
  if (strcmp(system, "rigid_body") == 0) status = rill_wm_rigid_body(h, start, &made->run, &error);
  else
    status = rill_wm_double_spherical(strcmp(method, "EM") == 0 ? "energy-momentum" : "dvp", h, start,
                                      strcmp(system, "double_spherical_pendulum") == 0 ? NULL : fitted, &made->run,
                                      &error);
  ck_assert_msg(status == RILL_OK, "%s: %s", key, error.text);
  return &made->run;
}

static void release_runs(void) {
  while (kept_count > 0) rill_release(kept[--kept_count]);
}

/* --- truths --- */

static void exact_body(double t, double q[4], double omega[3]) {
  struct rill_rigid_body_exact exact;
  rill_rigid_body_exact_set(&exact, (double[3]){1, 2, 3}, (double[3]){0, 3, 4}, (double[4]){1, 0, 0, 0});
  rill_rigid_body_exact_at(&exact, t, q, omega);
}

static FILE *open_data(const char *name) {
  char path[4096];
  FILE *file;
  snprintf(path, sizeof path, "%s/tests/data/papers/%s", RILL_SOURCE_DIR, name);
  file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s cannot be read", path);
  return file;
}

static void accurate(const char *system, struct rill_wm_run *truth) {
  char line[1024];
  double t, ignored[3];
  FILE *file;
  if (strcmp(system, "rigid_body") == 0) {
    for (int i = 0; i < RILL_WM_SAMPLES; i++) exact_body(0.1 * i, truth->sample[i].q, ignored);
    return;
  }
  file = open_data("wendlandt_marsden_dsp_accurate.csv");
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  for (int i = 0; i < RILL_WM_SAMPLES; i++) {
    double *q = truth->sample[i].q;
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_int_eq(sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf", &t, q, q + 1, q + 2, q + 3, q + 4, q + 5), 7);
    ck_assert_double_eq_tol(t, 0.1 * i, 1e-9);
  }
  fclose(file);
}

/* --- a row's value --- */

/* (5.10) of energies or momenta: standards of the body are one pair's, of the pendulum the small-step EM run's. */
static double conserved_error(const char *system, const struct rill_wm_run *run, bool energy) {
  bool body = strcmp(system, "rigid_body") == 0;
  const struct rill_wm_run *em = body ? NULL : run_of(system, "EM", 1e-4, RILL_WM_PAPER);
  int first = energy || body ? 0 : 2, last = energy ? 0 : 2;
  double sum = 0;
  for (int i = 0; i < RILL_WM_SAMPLES; i++) {
    double square = 0;
    for (int k = first; k <= last; k++) {
      double value = energy ? run->sample[i].energy : run->sample[i].momentum[k];
      double standard = body ? (energy ? run->standard_energy : run->standard_momentum[k])
                             : (energy ? em->sample[i].energy : em->sample[i].momentum[k]);
      square += (value - standard) * (value - standard);
    }
    sum += sqrt(square);
  }
  return sum / (RILL_WM_SAMPLES * (last - first + 1));
}

static double error_against_truth(const char *system, const char *method, double h, enum rill_wm_start start) {
  int m = strcmp(system, "rigid_body") == 0 ? 4 : 6;
  struct rill_wm_run *truth = rill_allocate(1, sizeof *truth);
  double value;
  ck_assert_ptr_nonnull(truth);
  accurate(system, truth);
  value = rill_wm_position_error(run_of(system, method, h, start), truth, m);
  rill_release(truth);
  return value;
}

static double exact_value(const char *quantity) {
  static const char *const names[] = {"q_s", "q_x", "q_y", "q_z", "omega_1", "omega_2", "omega_3"};
  double value[7];
  const char *at = strstr(quantity, "_at_");
  if (strcmp(quantity, "omega_period") == 0) {
    struct rill_rigid_body_exact exact;
    rill_rigid_body_exact_set(&exact, (double[3]){1, 2, 3}, (double[3]){0, 3, 4}, (double[4]){1, 0, 0, 0});
    return 4 * exact.quarter_period / exact.rate;
  }
  if (at == NULL) return NAN;
  exact_body(strtod(at + 4, NULL), value, value + 4);
  for (int i = 0; i < 7; i++)
    if (strncmp(quantity, names[i], strlen(names[i])) == 0) return value[i];
  return NAN;
}

/* NaN: no such quantity. */
static double value_of(const char *system, const char *method, double h, const char *quantity) {
  const struct rill_wm_run *run;
  if (strcmp(system, "both") == 0) { /* the worse of the two systems, each against its truth */
    double body = log2(error_against_truth("rigid_body", "DVP", 0.005, RILL_WM_EXACT) /
                       error_against_truth("rigid_body", "DVP", 0.0025, RILL_WM_EXACT));
    double pendulum = log2(error_against_truth("double_spherical_pendulum", "DVP", 0.005, RILL_WM_EXACT) /
                           error_against_truth("double_spherical_pendulum", "DVP", 0.0025, RILL_WM_EXACT));
    return fabs(body - 2) > fabs(pendulum - 2) ? body : pendulum;
  }
  if (strcmp(method, "exact") == 0 && strcmp(system, "rigid_body") == 0) return exact_value(quantity);
  if (strcmp(method, "exact") == 0) {
    run = run_of(system, "EM", 0.1, RILL_WM_PAPER);
    return strcmp(quantity, "initial_energy") == 0 ? run->sample[0].energy : run->sample[0].momentum[2];
  }
  if (strcmp(quantity, "quaternion_error_5.10_against_exact_exact_second_point") == 0 ||
      strcmp(quantity, "position_error_5.10_against_exact") == 0)
    return error_against_truth(system, method, h, RILL_WM_EXACT);
  if (strcmp(quantity, "quaternion_error_5.10_against_exact") == 0)
    return error_against_truth(system, method, h, RILL_WM_PAPER);
  /* The standard after the Euler step is the same in every run of the body. */
  run = run_of(system, method, strncmp(quantity, "standard", 8) == 0 ? 0.1 : h, RILL_WM_PAPER);
  if (strcmp(quantity, "quaternion_error_5.10") == 0)
    return rill_wm_position_error(run, run_of(system, "DVP", 1e-4, RILL_WM_PAPER), 4);
  if (strcmp(quantity, "position_error_5.10") == 0)
    return rill_wm_position_error(run, run_of(system, "EM", 1e-4, RILL_WM_PAPER), 6);
  if (strcmp(quantity, "energy_error_5.10") == 0) return conserved_error(system, run, true);
  if (strcmp(quantity, "momentum_error_5.10") == 0 || strcmp(quantity, "momentum_z_error_5.10") == 0)
    return conserved_error(system, run, false);
  if (strcmp(quantity, "energy_max") == 0 || strcmp(quantity, "energy_constant") == 0) return run->energy_max;
  if (strcmp(quantity, "energy_min") == 0) return run->energy_min;
  if (strcmp(quantity, "momentum_z_min") == 0) return run->momentum_min;
  if (strcmp(quantity, "momentum_z_max") == 0) return run->momentum_max;
  if (strcmp(quantity, "standard_energy") == 0) return run->standard_energy;
  if (strcmp(quantity, "standard_momentum_2") == 0) return run->standard_momentum[1];
  if (strcmp(quantity, "newton_iterations_per_step") == 0) return run->iterations;
  return NAN;
}

/* Fields of a line; "empty" fields stay as empty strings.  A quoted note is last. */
static void split(char *line, char *field[COLUMNS]) {
  line[strcspn(line, "\r\n")] = 0;
  for (int i = 0; i < COLUMNS; i++) {
    field[i] = line;
    line += strcspn(line, i < COLUMNS - 1 ? "," : "");
    if (*line != 0) *line++ = 0;
  }
}

static double number(const char *text) { return *text == 0 ? NAN : strtod(text, NULL); }

START_TEST(every_row_of_the_table) {
  FILE *file = open_data("wendlandt_marsden.csv");
  char line[1024], *field[COLUMNS];
  int rows = 0, fits = 0, compared = 0;
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file) != NULL) /* the fitted data first: rows of other kinds use them */
    if (strstr(line, ",fit,") != NULL) {
      split(line, field);
      ck_assert_int_lt(fits, 8);
      if (strcmp(field[3], "fitted_vy2") == 0 && fits == 6)
        fitted[fits++] = 2.4965466306391; /* x2', not in the table */
      fitted[fits++] = number(field[5]);
    }
  ck_assert_int_eq(fits, 8);
  rewind(file);
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file) != NULL) {
    double paper, prototype, ours, suggested, against_paper;
    split(line, field);
    rows++;
    if (strcmp(field[1], "fit") == 0) continue;
    paper = number(field[4]);
    prototype = number(field[5]);
    suggested = number(field[6]);
    against_paper = number(field[7]);
    ours = value_of(field[0], field[1], number(field[2]), field[3]);
    ck_assert_msg(isfinite(ours), "no value for %s %s %s %s", field[0], field[1], field[2], field[3]);
    if (!isnan(suggested)) {
      compared++;
      ck_assert_msg(fabs(ours - prototype) <= suggested, "%s %s h=%s %s: %.17g, prototype %.17g +- %g", field[0],
                    field[1], field[2], field[3], ours, prototype, suggested);
    }
    if (!isnan(against_paper) && !isnan(paper)) {
      compared++;
      ck_assert_msg(fabs(ours - paper) <= against_paper, "%s %s h=%s %s: %.17g, paper %.17g +- %g", field[0],
                    field[1], field[2], field[3], ours, paper, against_paper);
    }
  }
  fclose(file);
  release_runs();
  ck_assert_int_eq(rows, 80);
  ck_assert_int_gt(compared, 100);
}
END_TEST

/* Order 2.000 +- 0.002 against the closed form, from an exact second point, each halving from 0.01 s to 1.5625e-4 s.
 */
START_TEST(order_of_the_rigid_body) {
  double before = error_against_truth("rigid_body", "DVP", 0.01, RILL_WM_EXACT);
  for (double h = 0.005; h > 1.5e-4; h *= 0.5) {
    double now = error_against_truth("rigid_body", "DVP", h, RILL_WM_EXACT), order = log2(before / now);
    ck_assert_msg(fabs(order - 2) <= 0.002, "h = %g: order %.5f", h, order);
    before = now;
  }
  release_runs();
}
END_TEST

/* The mutant: with the paper's second point the same comparison has a floor, and the order is not seen. */
START_TEST(order_needs_the_exact_second_point) {
  double coarse = error_against_truth("rigid_body", "DVP", 1e-3, RILL_WM_PAPER);
  double fine = error_against_truth("rigid_body", "DVP", 1e-4, RILL_WM_PAPER);
  ck_assert_double_lt(log10(coarse / fine), 1);
  release_runs();
}
END_TEST

struct seen {
  struct rows *rows;
  int curves, points;
  size_t columns;
};

static enum rill_status see_row(void *self, const struct rill_result_row *row, struct rill_error *unused) {
  (void)unused;
  rows_check(((struct seen *)self)->rows, row);
  return RILL_OK;
}

static enum rill_status see_curve(void *self, const struct rill_result_curve *curve, struct rill_error *unused) {
  struct seen *seen = self;
  (void)unused;
  seen->curves++;
  seen->columns = curve->column_count;
  return RILL_OK;
}

static enum rill_status see_point(void *self, const double *values, struct rill_error *unused) {
  struct seen *seen = self;
  (void)unused;
  for (size_t i = 0; i + 1 < seen->columns; i++)
    ck_assert(isfinite(values[i])); /* the last may be a gap: not printed */
  seen->points++;
  return RILL_OK;
}

/* The tables and figures with curves. */
START_TEST(results_agree_and_curves_are_whole) {
  static const struct {
    const char *name;
    int rows, curves, points;
  } expected[] = {
      {"wendlandt-marsden-table-1", 19, 0, 0},
      {"wendlandt-marsden-figure-4", 4, 1, 301},
      {"wendlandt-marsden-figure-12", 3, 2, 601},
  };
  size_t count;
  static struct rows rows;
  const struct rill_result *results = rill_wendlandt_marsden_results(&count);
  ck_assert_uint_eq(count, 13);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
      const unsigned before = rows.count;
      struct seen seen = {.rows = &rows};
      const struct rill_result_sink sink = {see_row, see_curve, see_point, &seen, false};
      if (strcmp(results[i].name, expected[k].name) != 0) continue;
      rows.result = results[i].name;
      ck_assert_msg(results[i].compute(&sink, &error) == RILL_OK, "%s: %s", results[i].name, error.text);
      ck_assert_int_eq((int)(rows.count - before), expected[k].rows);
      ck_assert_int_eq(seen.curves, expected[k].curves);
      ck_assert_int_eq(seen.points, expected[k].points);
    }
}
END_TEST

/* Figures without long runs: rows alone, against solutions that are known. */
START_TEST(second_order_of_the_figures) {
  static const char *const names[] = {"wendlandt-marsden-figure-3",  "wendlandt-marsden-figure-5",
                                      "wendlandt-marsden-figure-6",  "wendlandt-marsden-figure-8",
                                      "wendlandt-marsden-figure-10", "wendlandt-marsden-figure-11"};
  static struct rows rows;
  size_t count;
  const struct rill_result *results = rill_wendlandt_marsden_results(&count);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
      struct seen seen = {.rows = &rows};
      const struct rill_result_sink sink = {see_row, NULL, NULL, &seen, false};
      if (strcmp(results[i].name, names[k]) != 0) continue;
      rows.result = results[i].name;
      ck_assert_msg(results[i].compute(&sink, &error) == RILL_OK, "%s: %s", results[i].name, error.text);
    }
  ck_assert_uint_eq(rows.count, 3 + 2 + 1 + 6 + 1 + 1);
  ck_assert_uint_eq(rows.none, 0);
}
END_TEST

/* The mutant: the energy-momentum method's error is not DVP's, nor is that of a step longer by a ninth. */
START_TEST(the_rows_see_another_method) {
  static struct rill_wm_run dvp, longer, em, truth;
  const struct rill_expected expected = rill_independent("1.13291e-03");
  accurate("double_spherical_pendulum", &truth);
  ck_assert(rill_wm_double_spherical("dvp", 0.01, RILL_WM_EXACT, NULL, &dvp, &error) == RILL_OK);
  ck_assert(rill_wm_double_spherical("dvp", 0.1 / 9, RILL_WM_EXACT, NULL, &longer, &error) == RILL_OK);
  ck_assert(rill_wm_double_spherical("energy-momentum", 0.01, RILL_WM_EXACT, NULL, &em, &error) == RILL_OK);
  ck_assert_int_eq(rill_verdict_of(expected, NULL, rill_wm_position_error(&dvp, &truth, 6)), RILL_VERDICT_AGREES);
  ck_assert_int_eq(rill_verdict_of(expected, NULL, rill_wm_position_error(&longer, &truth, 6)), RILL_VERDICT_DIFFERS);
  ck_assert_int_eq(rill_verdict_of(expected, NULL, rill_wm_position_error(&em, &truth, 6)), RILL_VERDICT_DIFFERS);
}
END_TEST

START_TEST(a_step_that_does_not_divide_the_samples_is_refused) {
  static struct rill_wm_run run;
  ck_assert_int_eq(rill_wm_rigid_body(0.03, RILL_WM_EXACT, &run, &error), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "whole number"));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("Wendlandt & Marsden");
  TCase *cases = tcase_create("reference");
  tcase_set_timeout(cases, 600);
  tcase_add_test(cases, every_row_of_the_table);
  tcase_add_test(cases, order_of_the_rigid_body);
  tcase_add_test(cases, order_needs_the_exact_second_point);
  tcase_add_test(cases, results_agree_and_curves_are_whole);
  tcase_add_test(cases, second_order_of_the_figures);
  tcase_add_test(cases, the_rows_see_another_method);
  tcase_add_test(cases, a_step_that_does_not_divide_the_samples_is_refused);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
