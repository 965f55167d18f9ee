/* numerics: Newton-Raphson, elliptic functions, the free rigid body in closed form, quadrature. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "numerics/elliptic.h"
#include "numerics/newton.h"
#include "numerics/quadrature.h"
#include "numerics/quaternion.h"
#include "numerics/rigid_body_exact.h"
#include "suite.h"

static struct rill_error error;

/* x^2 + y^2 = 4, x y = 1. */
static void circle(void *context, const double *x, double *residual, double *jacobian) {
  ++*(int *)context;
  residual[0] = x[0] * x[0] + x[1] * x[1] - 4;
  residual[1] = x[0] * x[1] - 1;
  jacobian[0] = 2 * x[0];
  jacobian[1] = x[1];
  jacobian[2] = 2 * x[1];
  jacobian[3] = x[0];
}

/* x^2 + 1 has no root; its derivative vanishes at 0. */
static void rootless(void *context, const double *x, double *residual, double *jacobian) {
  (void)context;
  residual[0] = x[0] * x[0] + 1;
  jacobian[0] = 2 * x[0];
}

static void not_finite(void *context, const double *x, double *residual, double *jacobian) {
  (void)context, (void)x;
  residual[0] = NAN;
  jacobian[0] = 1;
}

START_TEST(newton_goes_to_round_off) {
  struct rill_newton newton;
  int calls = 0;
  ck_assert_int_eq(rill_newton_create(2, 2, 0, 0, &newton, &error), RILL_OK);
  newton.x[0] = 2;
  newton.x[1] = 0.4;
  ck_assert_int_eq(rill_newton_solve(&newton, circle, &calls, &error), RILL_OK);
  ck_assert_double_eq_tol(newton.x[0], sqrt(2 + sqrt(3)), 4e-16);
  ck_assert_double_eq_tol(newton.x[1], sqrt(2 - sqrt(3)), 4e-16);
  ck_assert_int_eq((int)newton.iterations, calls);
  ck_assert_int_le(calls, 5); /* quadratic: errors 1e-1, 1e-2, 1e-4, 1e-9, 1e-17 */
  rill_newton_destroy(&newton);
  rill_newton_destroy(&newton);
}
END_TEST

START_TEST(newton_says_why_it_fails) {
  struct rill_newton newton;
  ck_assert_int_eq(rill_newton_create(1, 1, 0, 20, &newton, &error), RILL_OK);
  newton.x[0] = 0.7;
  ck_assert_int_eq(rill_newton_solve(&newton, rootless, NULL, &error), RILL_ERROR_CONVERGENCE);
  ck_assert_ptr_nonnull(strstr(error.text, "20 iterations"));
  newton.x[0] = 0;
  ck_assert_int_eq(rill_newton_solve(&newton, rootless, NULL, &error), RILL_ERROR_CONVERGENCE);
  ck_assert_ptr_nonnull(strstr(error.text, "singular"));
  ck_assert_int_eq(rill_newton_solve(&newton, not_finite, NULL, &error), RILL_ERROR_NOT_FINITE);
  rill_newton_destroy(&newton);
}
END_TEST

/* DLMF 22.2 and tables: sn, cn, dn (1 | 1/2); K(1/2) = Gamma(1/4)^2 / (4 sqrt pi). */
START_TEST(elliptic_functions) {
  static const double parameters[] = {0, 1e-9, 3.0 / 19, 0.5, 0.9, 0.999999, 1 - 1e-12, 1};
  double sn, cn, dn;
  rill_elliptic_functions(1, 0.5, &sn, &cn, &dn);
  ck_assert_double_eq_tol(sn, 0.8030018248956439, 3e-16);
  ck_assert_double_eq_tol(cn, 0.5959765676721407, 3e-16);
  ck_assert_double_eq_tol(dn, 0.8231610016315962, 3e-16);
  ck_assert_double_eq_tol(rill_elliptic_quarter_period(0.5), pow(tgamma(0.25), 2) / (4 * sqrt(M_PI)), 2e-15);
  ck_assert(isinf(rill_elliptic_quarter_period(1)));
  for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++)
    for (double u = -3.3; u < 3.5; u += 0.37) {
      double m = parameters[i];
      rill_elliptic_functions(u, m, &sn, &cn, &dn);
      ck_assert_double_eq_tol(sn * sn + cn * cn, 1, 4e-16);
      ck_assert_double_eq_tol(dn * dn + m * sn * sn, 1, 4e-16);
      /* F inverts the amplitude within a quarter period; there, next to its end, errors grow by 1 / dn. */
      if (fabs(u) < 0.95 * rill_elliptic_quarter_period(m))
        ck_assert_double_eq_tol(rill_elliptic_first_kind(atan2(sn, cn), m), u, 1e-15 * (4 + 1 / dn));
    }
  /* The mutant: the parameter taken for the modulus. */
  rill_elliptic_functions(1, 0.25, &sn, &cn, &dn);
  ck_assert_double_gt(fabs(sn - 0.8030018248956439), 1e-2);
}
END_TEST

/* 1e-12: the reference's own agreement with a long-double Runge-Kutta run is 7e-13. */
START_TEST(rigid_body_against_the_reference) {
  static const double inertia[3] = {1, 2, 3}, omega[3] = {0, 3, 4}, attitude[4] = {1, 0, 0, 0};
  struct rill_rigid_body_exact exact;
  char path[4096], line[1024];
  double most = 0;
  int rows = 0;
  FILE *file;
  snprintf(path, sizeof path, "%s/tests/data/papers/wendlandt_marsden_rb_exact.csv", RILL_SOURCE_DIR);
  file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  rill_rigid_body_exact_set(&exact, inertia, omega, attitude);
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file) != NULL) {
    double t, expected[7], value[7];
    ck_assert_int_eq(sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &t, expected, expected + 1, expected + 2,
                            expected + 3, expected + 4, expected + 5, expected + 6),
                     8);
    rill_rigid_body_exact_at(&exact, t, value, value + 4);
    for (int i = 0; i < 7; i++) most = fmax(most, fabs(value[i] - expected[i]));
    rows++;
  }
  fclose(file);
  ck_assert_int_eq(rows, 301);
  ck_assert_double_lt(most, 1e-12);
}
END_TEST

/* q' = q (0, w/2) and Euler's equations. */
static void motion(const double inertia[3], const double y[7], double rate[7]) {
  const double half[4] = {0, 0.5 * y[4], 0.5 * y[5], 0.5 * y[6]};
  rill_quaternion_multiply(y, half, rate);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    rate[4 + i] = (inertia[j] - inertia[k]) * y[4 + j] * y[4 + k] / inertia[i];
  }
}

static void runge_kutta(const double inertia[3], double y[7], double h) {
  static const double at[4] = {0, 0.5, 0.5, 1}, share[4] = {1, 2, 2, 1};
  double rate[4][7], z[7], sum[7] = {0};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < 7; i++) z[i] = y[i] + (s > 0 ? at[s] * h * rate[s - 1][i] : 0);
    motion(inertia, z, rate[s]);
    for (int i = 0; i < 7; i++) sum[i] += share[s] * rate[s][i];
  }
  for (int i = 0; i < 7; i++) y[i] += h / 6 * sum[i];
}

/* Every branch: either axis of no reversal, either sign, any order of axes, symmetric tops, a sphere, steady
 * rotations, next to the separatrix, rest, and time backward; against Runge-Kutta, whose error at 1e-3 is below 1e-9.
 */
START_TEST(rigid_body_in_general) {
  static const double cases[][6] = {{1, 2, 3, 0, 3, 4},    {1, 2, 3, .3, -1, -4},     {3, 1, 2, .5, 2, -.1},
                                    {2, 3, 1, -1, .2, .3}, {2, 1, 3, -3, .1, .2},     {2, 2, 3, 1, -1, .5},
                                    {1, 3, 3, .5, 1, 2},   {1, 3, 3, -.5, 1, 2},      {3, 2, 2, 0, 1, 2},
                                    {2, 2, 2, 1, 2, 3},    {1, 2, 3, 0, 2, 0},        {1, 2, 3, -1, 0, 0},
                                    {1, 2, 3, 0, 0, -2},   {3, 2, 1, -1, 1e-3, 1e-3}, {1.1, 1.9, 2.3, 1e-3, 2, 1e-3},
                                    {1, 2, 3, 0, 0, 0}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
    for (int direction = 1; direction >= -1; direction -= 2) {
      struct rill_rigid_body_exact exact;
      double y[7] = {.5, .5, -.5, .5, cases[c][3], cases[c][4], cases[c][5]}, value[7], most = 0;
      rill_rigid_body_exact_set(&exact, cases[c], cases[c] + 3, y);
      for (int step = 1; step <= 6000; step++) {
        runge_kutta(cases[c], y, direction * 1e-3);
        if (step % 100 != 0) continue;
        rill_rigid_body_exact_at(&exact, direction * step * 1e-3, value, value + 4);
        for (int i = 0; i < 7; i++) most = fmax(most, fabs(value[i] - y[i]));
      }
      ck_assert_msg(most < 2e-9, "case %zu, direction %d: %.3g", c, direction, most);
    }
}
END_TEST

/* Each rule integrates monomials below its order, and not the one of its order. */
START_TEST(quadrature_has_its_order) {
  for (int kind = RILL_QUADRATURE_GAUSS; kind <= RILL_QUADRATURE_LOBATTO; kind++)
    for (unsigned n = kind == RILL_QUADRATURE_GAUSS ? 1 : 2; n <= RILL_QUADRATURE_NODES; n++) {
      struct rill_quadrature rule;
      ck_assert_int_eq(rill_quadrature_set((enum rill_quadrature_kind)kind, n, &rule, &error), RILL_OK);
      for (int power = 0; power <= rule.order; power++) {
        double sum = 0;
        for (unsigned i = 0; i < n; i++) sum += rule.weight[i] * pow(rule.node[i], power);
        if (power < rule.order) ck_assert_double_eq_tol(sum, 1.0 / (power + 1), 4e-16);
        else if (n <= 6) ck_assert_double_ge(fabs(sum - 1.0 / (power + 1)), 1e-9);
      }
      for (unsigned i = 1; i < n; i++) ck_assert_double_gt(rule.node[i], rule.node[i - 1]);
      ck_assert_double_eq_tol(rule.node[0] + rule.node[n - 1], 1, 2e-16);
    }
}
END_TEST

START_TEST(quadrature_refuses) {
  struct rill_quadrature rule;
  ck_assert_int_eq(rill_quadrature_set(RILL_QUADRATURE_GAUSS, 0, &rule, &error), RILL_ERROR_USAGE);
  ck_assert_int_eq(rill_quadrature_set(RILL_QUADRATURE_LOBATTO, 1, &rule, &error), RILL_ERROR_USAGE);
  ck_assert_ptr_nonnull(strstr(error.text, "a Lobatto rule has 2 to 64 nodes, not 1"));
  ck_assert_int_eq(rill_quadrature_set(RILL_QUADRATURE_GAUSS, 65, &rule, &error), RILL_ERROR_USAGE);
}
END_TEST

/* x^k, k <= degree, from its values at Lobatto's points. */
START_TEST(lagrange_interpolates) {
  for (unsigned degree = 1; degree <= 40; degree++)
    for (unsigned k = 0; k <= degree; k++) {
      double value[41], derivative[41], x = 0.37, sum = 0, slope = 0;
      struct rill_quadrature points;
      ck_assert_int_eq(rill_quadrature_set(RILL_QUADRATURE_LOBATTO, degree + 1, &points, &error), RILL_OK);
      rill_lagrange(degree + 1, points.node, x, value, derivative);
      for (unsigned j = 0; j <= degree; j++) {
        double power = pow(points.node[j], k);
        sum += value[j] * power, slope += derivative[j] * power;
      }
      ck_assert_double_eq_tol(sum, pow(x, k), 1e-14);
      ck_assert_double_eq_tol(slope, k == 0 ? 0 : k * pow(x, k - 1.0), 2e-13);
    }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("numerics");
  TCase *cases = tcase_create("numerics");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, newton_goes_to_round_off);
  tcase_add_test(cases, newton_says_why_it_fails);
  tcase_add_test(cases, elliptic_functions);
  tcase_add_test(cases, rigid_body_against_the_reference);
  tcase_add_test(cases, rigid_body_in_general);
  tcase_add_test(cases, quadrature_has_its_order);
  tcase_add_test(cases, quadrature_refuses);
  tcase_add_test(cases, lagrange_interpolates);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
