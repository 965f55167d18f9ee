/* Leok & Shingel's methods on vector spaces, sections 2 and 3: every row of the reference table (one-step values,
 * errors at a time, energy bands, orders; tolerances are the table's), which methods are one and the same, any
 * degree, what a wrong tangent does, refusals. */
#include <float.h>
#include <locale.h>

#include "integrators/splittings.h"
#include "papers/leok_shingel_shooting.h"
#include "rows.h"
#include "small.h"

enum { COLUMNS = 7 };

static const char truth[] = "galerkin/12";

static const char *start_of(const char *system, bool one_step) {
  bool pendulum = strcmp(system, "simple-pendulum") == 0;
  if (one_step) return pendulum ? "angle = 0.7; rate = 0.5" : "position = 0.7; velocity = 0.5";
  return pendulum ? "angle = 1; rate = 0" : "position = 1; velocity = 0";
}

static void run(const char *system, const char *method, bool one_step, double h, double time, double z[2]) {
  struct small small = small_create(system, start_of(system, one_step), method, h, 0);
  small_run(&small, (uint64_t)llround(time / h));
  z[0] = small.system->state->q[0];
  z[1] = small.system->state->p[0];
  small_destroy(&small);
}

static double error_at(const char *system, const char *method, double h, double time) {
  double z[2], exact[2];
  run(system, truth, false, 0.25, time, exact);
  run(system, method, false, h, time, z);
  return fmax(fabs(z[0] - exact[0]), fabs(z[1] - exact[1]));
}

static double energy(const char *system, const char *method, double h, double time, bool highest) {
  struct small small = small_create(system, start_of(system, false), method, h, 0);
  struct rill_observation o;
  double extreme = small_energy(&small, &o);
  for (uint64_t steps = (uint64_t)llround(time / h); steps > 0; steps--) {
    double now;
    small_run(&small, 1);
    now = small_energy(&small, &o);
    extreme = highest ? fmax(extreme, now) : fmin(extreme, now);
  }
  small_destroy(&small);
  return extreme;
}

static double value_of(const char *system, const char *method, const char *quantity, double h, double time) {
  double z[2];
  if (strcmp(quantity, "error") == 0) return error_at(system, method, h, time);
  if (strcmp(quantity, "min_H") == 0 || strcmp(quantity, "max_H") == 0)
    return energy(system, method, h, time, quantity[1] == 'a');
  if (strcmp(quantity, "order") == 0) /* between two steps; `time` is the finer */
    return log2(error_at(system, method, h, 10) / error_at(system, method, time, 10)) / log2(h / time);
  run(system, method, true, h, time, z);
  return strcmp(quantity, "one_step_q") == 0 ? z[0] : z[1];
}

START_TEST(every_row_of_the_table) {
  char path[4096], line[256], complaints[8192] = "";
  int rows = 0;
  FILE *file;
  snprintf(path, sizeof path, "%s/tests/data/papers/leok_shingel.csv", RILL_SOURCE_DIR);
  file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s cannot be read", path);
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  for (; fgets(line, sizeof line, file) != NULL; rows++) {
    char *rest = line, *field[COLUMNS];
    double value, ours;
    size_t length = strlen(complaints);
    line[strcspn(line, "\n")] = 0;
    for (int i = 0; i < COLUMNS; i++) ck_assert_ptr_nonnull(field[i] = strsep(&rest, ","));
    value = strtod(field[5], NULL);
    ours = value_of(field[0], field[1], field[2], strtod(field[3], NULL), strtod(field[4], NULL));
    if (getenv("LAWS_PRINT"))
      printf("%s %s %s %s: %.17g, %s\n", field[0], field[1], field[2], field[3], ours, field[5]);
    if (!(fabs(ours - value) <= strtod(field[6], NULL)))
      snprintf(complaints + length, sizeof complaints - length, "\n%s %s %s %s: %.17g, not %s +- %s", field[0],
               field[1], field[2], field[3], ours, field[5], field[6]);
  }
  fclose(file);
  ck_assert_msg(complaints[0] == 0, "%s", complaints);
  ck_assert_int_eq(rows, 153);
}
END_TEST

/* --- one method under two names --- */

/* Largest difference after 20 steps. */
static double distance_of(const char *kind, const char *settings, const char *one, const char *other, double h) {
  struct small a = small_create(kind, settings, one, h, 0), b = small_create(kind, settings, other, h, 0);
  const struct rill_state *s = a.system->state, *t = b.system->state;
  double most = 0;
  small_run(&a, 20);
  small_run(&b, 20);
  for (size_t i = 0; i < s->n; i++) most = fmax(most, fmax(fabs(s->q[i] - t->q[i]), fabs(s->p[i] - t->p[i])));
  small_destroy(&a);
  small_destroy(&b);
  return most;
}

/* Where a formula makes two methods the same map, they agree to the rounding of 20 steps. */
START_TEST(methods_that_are_one) {
  static const char *const same[][2] = {{"galerkin/1/gauss1", "dvp"},
                                        {"galerkin/1/gauss1", "implicit-midpoint"},
                                        {"galerkin/1/lobatto2", "verlet"},
                                        {"galerkin/2/lobatto2", "verlet"},
                                        {"galerkin/3/lobatto3", "galerkin/2/lobatto3"},
                                        {"galerkin/2", "galerkin/2/gauss2"},
                                        {"galerkin/5/lobatto", "galerkin/5/lobatto6"},
                                        {"shooting", "shooting/rk4/simpson"},
                                        {"shooting/rk4/lobatto3", "shooting/rk4/simpson"},
                                        {"shooting/implicit-midpoint", "shooting/implicit-midpoint/trapezoid"},
                                        {"shooting/rk4/gauss", "shooting/rk4/gauss2"}};
  static const char *const systems[][2] = {{"simple-pendulum", "angle = 0.7; rate = 0.5; length = 1.3"},
                                           {"double-pendulum", "formulation = penalised; rates = 0.5 -0.3"},
                                           {"double-pendulum-angles", "rates = 0.5 -0.3"}};
  for (size_t s = 0; s < 3; s++)
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
      double distance;
      if (s == 2 && i > 0 && i < 5) continue; /* of a separable L, or of systems with flows */
      distance = distance_of(systems[s][0], systems[s][1], same[i][0], same[i][1], 0.02);
      ck_assert_msg(distance < 1e-12, "%s and %s on %s: %.3g", same[i][0], same[i][1], systems[s][0], distance);
    }
  ck_assert_double_ge(distance_of(systems[0][0], systems[0][1], "galerkin/2/gauss3", "galerkin/2/gauss2", 0.02),
                      1e-11);
}
END_TEST

/* The explicit form of implicit midpoint with the trapezoidal rule: with d = (q1 - q0)/h, f the force at (q0 + q1)/2,
 *   Ld = h (d.Md/2 + (h^2/8) f.M^-1 f - (V(q0) + V(q1))/2),
 * on the pendulum, where f = -sin q.  A step has p_0 = -D_1 Ld, p_1 = D_2 Ld. */
START_TEST(implicit_midpoint_with_the_trapezoid) {
  const double h = 0.2, q0 = 0.7, p0 = 0.5;
  double z[2], d, middle, gradient;
  run("simple-pendulum", "shooting/implicit-midpoint/trapezoid", true, h, h, z);
  d = (z[0] - q0) / h;
  middle = 0.5 * (q0 + z[0]);
  gradient = 0.125 * h * h * h * sin(middle) * cos(middle); /* of h^3/8 f^2 in either end point */
  ck_assert_double_eq_tol(d - gradient + 0.5 * h * sin(q0), p0, 2e-15);
  ck_assert_double_eq_tol(d + gradient - 0.5 * h * sin(z[0]), z[1], 2e-15);
}
END_TEST

/* --- orders above those of the laws of all methods --- */

/* Largest difference from the truth at ten times up to 6, of a Lagrangian that is not separable. */
static double error_of_angles(const char *method, double h) {
  struct small a = small_create("double-pendulum-angles", "rates = 0.5 -0.3", method, h, 0),
               b = small_create("double-pendulum-angles", "rates = 0.5 -0.3", "galerkin/16", 0.2, 0);
  const struct rill_state *s = a.system->state, *t = b.system->state;
  double most = 0;
  for (int part = 0; part < 10; part++) {
    small_run(&a, (uint64_t)llround(0.6 / h));
    small_run(&b, 3);
    for (size_t i = 0; i < s->n; i++) most = fmax(most, fmax(fabs(s->q[i] - t->q[i]), fabs(s->p[i] - t->p[i])));
  }
  small_destroy(&a);
  small_destroy(&b);
  return most;
}

/* Twice the degree, or the quadrature's; by steps at which errors stand between 1e-3 and rounding. */
START_TEST(orders_of_galerkin) {
  static const struct {
    const char *method;
    int order;
    double h;
  } cases[] = {{"galerkin/1/gauss", 2, 0.02},   {"galerkin/2/lobatto", 4, 0.05},  {"galerkin/3/gauss", 6, 0.05},
               {"galerkin/3/lobatto", 6, 0.05}, {"galerkin/3/lobatto3", 4, 0.05}, {"galerkin/4/gauss", 8, 0.1},
               {"galerkin/4/lobatto", 8, 0.1},  {"galerkin/4/gauss6", 8, 0.1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct rill_method_options options = {0};
    const struct rill_method special = rill_method_with(small_method(cases[i].method, &options), &options);
    double order =
        log2(error_of_angles(cases[i].method, cases[i].h) / error_of_angles(cases[i].method, 0.5 * cases[i].h));
    if (getenv("LAWS_PRINT")) printf("%s: %.3f\n", cases[i].method, order);
    ck_assert_int_eq(special.order, cases[i].order);
    ck_assert_msg(fabs(order - cases[i].order) < 0.3, "%s: order %.3f, not %d", cases[i].method, order,
                  cases[i].order);
  }
}
END_TEST

/* Degrees up to the last that there is room for: at a step of 1 the pendulum's error falls to rounding, and stays. */
START_TEST(any_degree) {
  double before = 1;
  for (unsigned degree = 2; degree <= 62; degree += 4) {
    char method[32];
    double error;
    snprintf(method, sizeof method, "galerkin/%u%s", degree, degree % 8 == 2 ? "/lobatto" : "");
    error = error_at("simple-pendulum", method, 1, 10);
    ck_assert_msg(error < 2e-13 || error < 1e-2 * before, "degree %u: %.3g after %.3g", degree, error, before);
    before = error;
  }
}
END_TEST

/* --- no drift --- */

/* Energies of the first and of the last tenth of t in [0, 3000] fill the same band, that of the reference text. */
START_TEST(energy_stays_in_its_band) {
  static const struct {
    const char *method;
    double low, high;
  } cases[] = {{"shooting/implicit-midpoint/trapezoid", -7.765e-3, 0},
               {"shooting/rk4/simpson", -5.1e-7, 7.64e-6},
               {"galerkin/2/lobatto3", -3.1e-7, 2.1e-6}};
  for (size_t i = 0; i < 3; i++) {
    struct small small = small_create("simple-pendulum", "angle = 1; rate = 0", cases[i].method, 0.2, 0);
    struct rill_observation o;
    double first = small_energy(&small, &o), low[10], high[10], width = cases[i].high - cases[i].low;
    for (int tenth = 0; tenth < 10; tenth++) {
      low[tenth] = INFINITY, high[tenth] = -INFINITY;
      for (int k = 0; k < 1500; k++) {
        double energy;
        small_run(&small, 1);
        energy = small_energy(&small, &o) - first;
        low[tenth] = fmin(low[tenth], energy), high[tenth] = fmax(high[tenth], energy);
      }
    }
    small_destroy(&small);
    for (int tenth = 0; tenth < 10; tenth += 9) {
      ck_assert_double_eq_tol(low[tenth], cases[i].low, 0.02 * width);
      ck_assert_double_eq_tol(high[tenth], cases[i].high, 0.02 * width);
    }
  }
}
END_TEST

/* --- tangents --- */

static struct rill_lagrangian_ops true_ops;

/* No second derivative of V. */
static void bad_hessian(const void *self, const double *q, const double *v, struct rill_lagrangian_values *values) {
  true_ops.evaluate(self, q, v, values);
  if (values->dqq != NULL) values->dqq[0] = 0;
}

/* The determinant of the step's derivative, by central differences (e = 1e-4: e^2 times third derivatives of the
 * step, and rounding over e), less 1. */
static double volume_change(const char *method, bool wrong) {
  struct rill_system inner = small_system("simple-pendulum", "angle = 1.1; rate = 0.5"), system = inner;
  struct rill_lagrangian lagrangian = *inner.lagrangian;
  struct rill_lagrangian_ops ops = *lagrangian.ops;
  struct rill_binding_options options = small_options(0.2, 0);
  const struct rill_method *found = small_method(method, &options.method);
  struct rill_integrator *integrator;
  const double e = 1e-4, start[2] = {1.1, 0.5};
  double image[2][2][2];
  true_ops = ops;
  if (wrong) ops.evaluate = bad_hessian;
  lagrangian.ops = &ops;
  system.lagrangian = &lagrangian;
  ck_assert(rill_integrator_create(found, &system, &options, &integrator, &small_error) == RILL_OK);
  for (int direction = 0; direction < 2; direction++)
    for (int side = 0; side < 2; side++) {
      *system.state->q = start[0] + (direction == 0) * (side ? e : -e);
      *system.state->p = start[1] + (direction == 1) * (side ? e : -e);
      ck_assert(rill_integrator_step(integrator, 0, false, &small_error) == RILL_OK);
      image[direction][side][0] = *system.state->q;
      image[direction][side][1] = *system.state->p;
    }
  rill_integrator_destroy(integrator);
  small_destroy_system(&inner);
  for (int direction = 0; direction < 2; direction++)
    for (int k = 0; k < 2; k++) image[direction][0][k] = (image[direction][1][k] - image[direction][0][k]) / (2 * e);
  return fabs(image[0][0][0] * image[1][0][1] - image[0][0][1] * image[1][0][0] - 1);
}

/* Tangents are exact: what is wrong in them is seen in the form (though along nearly exact curves they hardly matter,
 * for there the action is stationary), which a Hessian that only steers Newton's iteration, as in Galerkin methods,
 * is not. */
START_TEST(symplectic_by_exact_tangents) {
  static const char *const methods[] = {"shooting/rk4/simpson", "shooting/rk4/euler-maclaurin",
                                        "shooting/explicit-midpoint/trapezoid", "shooting/implicit-midpoint/gauss2"};
  for (size_t i = 0; i < 4; i++) {
    ck_assert_double_le(volume_change(methods[i], false), 1e-9);
    ck_assert_msg(volume_change(methods[i], true) > 1e-7, "%s: %.3g", methods[i], volume_change(methods[i], true));
  }
  ck_assert_double_le(volume_change("galerkin", true), 1e-9);
}
END_TEST

/* --- refusals --- */

static void refuses(const char *kind, const char *settings, const char *method, const char *reason) {
  struct rill_system system = small_system(kind, settings);
  struct rill_binding_options options = small_options(0.1, 0);
  struct rill_integrator *integrator;
  const struct rill_method *found = small_method(method, &options.method);
  ck_assert_msg(rill_integrator_create(found, &system, &options, &integrator, &small_error) == RILL_ERROR_UNSUPPORTED,
                "%s on %s is not refused", method, kind);
  ck_assert_ptr_null(integrator);
  ck_assert_msg(strstr(small_error.text, reason) != NULL && strstr(small_error.text, found->name) != NULL &&
                    strstr(small_error.text, system.ops->name) != NULL,
                "%s", small_error.text);
  small_destroy_system(&system);
}

START_TEST(refused_by_name) {
  refuses("simple-pendulum", "", "galerkin/3/gauss2", "singular");
  refuses("simple-pendulum", "", "galerkin/4/lobatto3", "singular");
  refuses("simple-pendulum", "", "galerkin/euler-maclaurin", "only shooting");
  refuses("simple-pendulum", "", "galerkin/1/lobatto1", "its ends");
  refuses("simple-pendulum", "", "shooting/rk4/lobatto1", "its ends");
  refuses("simple-pendulum", "", "galerkin/63/gauss99", "room");
  refuses("simple-pendulum", "", "galerkin/64/gauss64", "degree");
  refuses("double-pendulum-angles", "", "shooting/rk4/euler-maclaurin", "third derivatives");
  refuses("double-pendulum", "", "galerkin", "constraints");
  refuses("double-pendulum", "", "shooting", "constraints");
  refuses("pendulum-chain", "count = 60; formulation = penalised", "galerkin", "too many coordinates");
  refuses("pendulum-chain", "count = 60; formulation = penalised", "shooting", "too many coordinates");
}
END_TEST

/* Composed methods must be symmetric and of order 2 with the options that they have. */
START_TEST(compositions_with_options) {
  const struct rill_composition *fourth = rill_composition_find("yoshida4");
  static const struct {
    const char *method;
    bool composes;
  } cases[] = {
      {"galerkin/1/gauss", true}, {"galerkin/2/lobatto2", true},         {"shooting/implicit-midpoint/gauss3", true},
      {"galerkin/2", false},      {"shooting/explicit-midpoint", false}, {"shooting/rk4/trapezoid", false}};
  struct rill_system system = small_system("simple-pendulum", "");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct rill_binding_options options = small_options(0.1, 0);
    const struct rill_method *method = small_method(cases[i].method, &options.method);
    struct rill_integrator *integrator;
    enum rill_status status;
    options.composition = fourth;
    status = rill_integrator_create(method, &system, &options, &integrator, &small_error);
    ck_assert_msg(status == (cases[i].composes ? RILL_OK : RILL_ERROR_UNSUPPORTED), "%s", cases[i].method);
    rill_integrator_destroy(integrator);
  }
  small_destroy_system(&system);
}
END_TEST

START_TEST(quadratures_in_words) {
  static const char *const good[] = {"auto", "gauss", "gauss3", "lobatto12", "euler-maclaurin"};
  static const char *const bad[] = {"",         "gaus",      "gauss0", "gauss03", "gauss3x",
                                    "simpson3", "lobatto-4", "trapez", "auto2"};
  struct rill_action_quadrature quadrature;
  char text[RILL_ACTION_TEXT];
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    ck_assert(rill_action_quadrature_parse(good[i], &quadrature, &small_error) == RILL_OK);
    rill_action_quadrature_format(&quadrature, text);
    ck_assert_str_eq(text, good[i]);
  }
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    ck_assert_msg(rill_action_quadrature_parse(bad[i], &quadrature, &small_error) == RILL_ERROR_INPUT, "\"%s\"",
                  bad[i]);
  ck_assert(rill_action_quadrature_parse("simpson", &quadrature, &small_error) == RILL_OK);
  rill_action_quadrature_format(&quadrature, text);
  ck_assert_str_eq(text, "lobatto3");
}
END_TEST

/* --- rill reproduce --- */

struct collected {
  struct rows *rows;
  unsigned curves, points;
};

static enum rill_status take_row(void *self, const struct rill_result_row *row, struct rill_error *error) {
  (void)error;
  rows_check(((struct collected *)self)->rows, row);
  return RILL_OK;
}

static enum rill_status take_curve(void *self, const struct rill_result_curve *curve, struct rill_error *error) {
  (void)curve, (void)error;
  ((struct collected *)self)->curves++;
  return RILL_OK;
}

static enum rill_status take_point(void *self, const double *values, struct rill_error *error) {
  (void)error;
  ((struct collected *)self)->points++;
  ck_assert(isfinite(values[0]) && isfinite(values[1]));
  return RILL_OK;
}

START_TEST(figures) {
  size_t count;
  const struct rill_result *results = rill_leok_shingel_shooting_results(&count);
  static const unsigned rows[] = {14, 14 + 15, 14 + 15 + 16}; /* so far */
  ck_assert_uint_eq(count, 3);
  for (size_t i = 0; i < count; i++) {
    static struct rows seen; /* the figures share names of quantities, not settings */
    struct collected collected = {.rows = &seen};
    const struct rill_result_sink sink = {take_row, take_curve, take_point, &collected, false};
    seen.result = results[i].name;
    ck_assert_msg(results[i].compute(&sink, &small_error) == RILL_OK, "%s", small_error.text);
    ck_assert_uint_eq(seen.count, rows[i]);
    ck_assert_uint_eq(seen.known + seen.none, 0);
    ck_assert_uint_eq(collected.curves, 4);
    ck_assert_uint_eq(collected.points, 2 * (5 + 501));
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("leok-shingel");
  TCase *cases = tcase_create("leok-shingel");
  setlocale(LC_ALL, "C");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, every_row_of_the_table);
  tcase_add_test(cases, methods_that_are_one);
  tcase_add_test(cases, implicit_midpoint_with_the_trapezoid);
  tcase_add_test(cases, orders_of_galerkin);
  tcase_add_test(cases, any_degree);
  tcase_add_test(cases, energy_stays_in_its_band);
  tcase_add_test(cases, symplectic_by_exact_tangents);
  tcase_add_test(cases, refused_by_name);
  tcase_add_test(cases, compositions_with_options);
  tcase_add_test(cases, quadratures_in_words);
  tcase_add_test(cases, figures);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
