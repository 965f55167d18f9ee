/* The stiff part of penalised water in vectors against plain formulae: force, Hessian, third derivative, solves. */
#include "fixture.h"
#include "base/random.h"
#include "water/flows/flows.h"
#include "water/forces/derivative.h"

enum { MOLECULES = 21, STRIDE = 24 };
static const size_t ends[3][2] = {{0, 1}, {0, 2}, {1, 2}};
static _Alignas(64) double q[9 * STRIDE], f[9 * STRIDE], a[9 * STRIDE], b[9 * STRIDE];
static struct rill_penalty penalty;
static struct rill_water_model model;

/* Molecules bent by up to 10 % about the model's geometry, forces of the size of hydrogen bonds'. */
static void prepare(double w) {
  const double plain[9] = {
      0, 0, 0, 0.07569503272636612, 0.05858822760456832, 0, -0.07569503272636612, 0.05858822760456832, 0};
  struct rill_noise noise = rill_noise_create(9, RILL_STREAM_TEST);
  fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
  fixture_ok(rill_penalty_create(&model, akma_stiffness(w), &penalty, &fixture_error));
  for (uint32_t m = 0; m < STRIDE; m++)
    for (uint32_t k = 0; k < 9; k++) {
      double z[4];
      rill_noise_normal(&noise, 0, m, k, z);
      q[k * STRIDE + m] = plain[k] + (m < MOLECULES ? 0.004 * z[0] + 0.1 * m : 0);
      f[k * STRIDE + m] = m < MOLECULES ? 1000 * z[1] : 0;
      b[k * STRIDE + m] = m < MOLECULES ? 1000 * z[2] : 0;
    }
}

/* ---- a molecule in plain loops ---- */

static double stretch(size_t m, size_t c, double r[3]) {
  double g = -penalty.d2[c];
  for (size_t k = 0; k < 3; k++) {
    r[k] = q[(3 * ends[c][1] + k) * STRIDE + m] - q[(3 * ends[c][0] + k) * STRIDE + m];
    g += r[k] * r[k];
  }
  return g;
}

static double sign(size_t c, size_t atom) { return ends[c][0] == atom ? -1 : ends[c][1] == atom ? 1 : 0; }

static void plain_force(size_t m, double out[9]) {
  memset(out, 0, 9 * sizeof *out);
  for (size_t c = 0; c < 3; c++) {
    double r[3], g = stretch(m, c, r);
    for (size_t i = 0; i < 9; i++) out[i] -= 2 * penalty.stiffness2 * sign(c, i / 3) * g * r[i % 3];
  }
}

static void plain_hessian(size_t m, bool full, double h[9][9]) {
  memset(h, 0, 81 * sizeof(double));
  for (size_t c = 0; c < 3; c++) {
    double r[3], g = stretch(m, c, r);
    for (size_t i = 0; i < 9; i++)
      for (size_t j = 0; j < 9; j++)
        h[i][j] += penalty.stiffness2 * sign(c, i / 3) * sign(c, j / 3) *
                   (4 * r[i % 3] * r[j % 3] + (full && i % 3 == j % 3 ? 2 * g : 0));
  }
}

/* L D L^T of the 9 x 9 matrix M + scale H. */
static void plain_solve(size_t m, bool full, double scale, double x[9]) {
  double h[9][9];
  plain_hessian(m, full, h);
  for (size_t i = 0; i < 9; i++) {
    for (size_t j = 0; j < 9; j++) h[i][j] = scale * h[i][j] + (i == j ? penalty.mass[i / 3] : 0);
  }
  for (size_t j = 0; j < 9; j++) {
    for (size_t k = 0; k < j; k++) h[j][j] -= h[j][k] * h[j][k] * h[k][k];
    for (size_t i = j + 1; i < 9; i++) {
      for (size_t k = 0; k < j; k++) h[i][j] -= h[i][k] * h[j][k] * h[k][k];
      h[i][j] /= h[j][j];
    }
  }
  for (size_t i = 0; i < 9; i++)
    for (size_t k = 0; k < i; k++) x[i] -= h[i][k] * x[k];
  for (size_t i = 0; i < 9; i++) x[i] /= h[i][i];
  for (size_t i = 9; i-- > 0;)
    for (size_t k = i + 1; k < 9; k++) x[i] -= h[k][i] * x[k];
}

static void plain_third(size_t m, const double x[9], double out[9]) {
  memset(out, 0, 9 * sizeof *out);
  for (size_t c = 0; c < 3; c++) {
    double r[3], d[3], d2 = 0, rd = 0;
    stretch(m, c, r);
    for (size_t k = 0; k < 3; k++) {
      d[k] = x[3 * ends[c][1] + k] - x[3 * ends[c][0] + k];
      d2 += d[k] * d[k];
      rd += r[k] * d[k];
    }
    for (size_t i = 0; i < 9; i++)
      out[i] += penalty.stiffness2 * sign(c, i / 3) * (4 * d2 * r[i % 3] + 8 * rd * d[i % 3]);
  }
}

static double largest(const double *x, size_t count, size_t stride) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(x[i * stride]));
  return most;
}

#define EACH_ISA(flows)                                                                                              \
  for (int isa = 0; isa < RILL_ISA_COUNT; isa++)                                                                     \
    for (const struct rill_water_flow_table *flows =                                                                 \
             rill_isa_available((enum rill_isa)isa) ? rill_water_flow_table((enum rill_isa)isa) : NULL;              \
         flows != NULL; flows = NULL)

static const double stiffnesses[] = {20, 100, 500};
static const double h_akma = 0.05;

/* The 3 x 3 forms against L D L^T of 9 x 9, relative to the largest acceleration: 1e-13 where the 9 x 9 matrix, whose
 * condition grows with w^2, allows as much. */
START_TEST(woodbury_is_the_nine_by_nine_solve) {
  const double h = h_akma * RILL_AKMA_TIME;
  EACH_ISA(flows) for (size_t k = 0; k < 3; k++) for (int full = 0; full <= 1; full++) {
    const double scale = 0.4 * h * h;
    const struct rill_stiff_filter linear = {RILL_FILTER_LINEAR, full, scale},
                                   third = {RILL_FILTER_THIRD, full, scale};
    double condition = stiffnesses[k] > 20 ? stiffnesses[k] * stiffnesses[k] / 400 : 1;
    if (full && stiffnesses[k] > 100) continue; /* the full block is not positive definite here */
    prepare(stiffnesses[k]);
    ck_assert(flows->filter(&penalty, (struct rill_range){0, STRIDE}, STRIDE, &linear, q, f, a, MOLECULES));
    for (size_t m = 0; m < MOLECULES; m++) {
      double x[9], t[9], size = largest(a + m, 9, STRIDE);
      plain_force(m, x);
      for (size_t i = 0; i < 9; i++) x[i] += f[i * STRIDE + m];
      plain_solve(m, full, scale, x);
      for (size_t i = 0; i < 9; i++)
        ck_assert_double_le(fabs(a[i * STRIDE + m] - x[i]), 1e-13 * condition * fmax(size, 1e3));
      if (m == 0) { /* the third-derivative term, of the same x */
        plain_third(m, x, t);
        ck_assert(flows->filter(&penalty, (struct rill_range){0, STRIDE}, STRIDE, &third, q, f, a, MOLECULES));
        for (size_t i = 0; i < 9; i++) {
          double expected = x[i] - 0.5 * scale * scale * t[i] / penalty.mass[i / 3];
          ck_assert_double_le(fabs(a[i * STRIDE + m] - expected), 1e-12 * condition * fmax(fabs(expected), size));
        }
        ck_assert(flows->filter(&penalty, (struct rill_range){0, STRIDE}, STRIDE, &linear, q, f, a, MOLECULES));
      }
    }
    for (size_t m = MOLECULES; m < STRIDE; m++)
      for (size_t i = 0; i < 9; i++) ck_assert_double_eq(a[i * STRIDE + m], 0.0);
    flows->stiff_solve(&penalty, (struct rill_range){0, STRIDE}, STRIDE, full, scale, q, b, a, MOLECULES);
    for (size_t m = 0; m < MOLECULES; m++) {
      double x[9];
      for (size_t i = 0; i < 9; i++) x[i] = b[i * STRIDE + m];
      plain_solve(m, full, scale, x);
      for (size_t i = 0; i < 9; i++)
        ck_assert_double_le(fabs(a[i * STRIDE + m] - x[i]), 1e-13 * condition * fmax(largest(a + m, 9, STRIDE), 1e3));
    }
    /* a mutant: another Hessian must show */
    flows->stiff_solve(&penalty, (struct rill_range){0, STRIDE}, STRIDE, !full, scale, q, b, a, MOLECULES);
    {
      double x[9], difference = 0;
      for (size_t i = 0; i < 9; i++) x[i] = b[i * STRIDE];
      plain_solve(0, full, scale, x);
      for (size_t i = 0; i < 9; i++) difference = fmax(difference, fabs(a[i * STRIDE] - x[i]));
      ck_assert_double_gt(difference, 1e-6 * largest(x, 9, 1));
    }
  }
}
END_TEST

/* Whichever atom it is of, and whatever comes after it. */
START_TEST(an_acceleration_that_is_not_finite_is_noticed) {
  const struct rill_stiff_filter identity = {RILL_FILTER_IDENTITY, true, 0};
  static const double wrong[] = {NAN, INFINITY, 1e25};
  EACH_ISA(flows) for (size_t w = 0; w < 3; w++) for (size_t m = 0; m < MOLECULES; m += 10) {
    prepare(20);
    f[(size_t)(3 * (m / 10)) * STRIDE + m] = wrong[w];
    ck_assert(!flows->filter(&penalty, (struct rill_range){0, STRIDE}, STRIDE, &identity, q, f, a, MOLECULES));
  }
}
END_TEST

START_TEST(force_and_product_are_the_formulae) {
  EACH_ISA(flows) for (int full = 0; full <= 1; full++) {
    prepare(20);
    flows->stiff_product(&penalty, (struct rill_range){0, STRIDE}, STRIDE, full, q, NULL, a, MOLECULES);
    for (size_t m = 0; m < MOLECULES; m++) {
      double x[9];
      plain_force(m, x);
      for (size_t i = 0; i < 9; i++) ck_assert_double_le(fabs(a[i * STRIDE + m] - x[i]), 1e-12 * largest(x, 9, 1));
    }
    flows->stiff_product(&penalty, (struct rill_range){0, STRIDE}, STRIDE, full, q, b, a, MOLECULES);
    for (size_t m = 0; m < MOLECULES; m++) {
      double h[9][9], x[9] = {0};
      plain_hessian(m, full, h);
      for (size_t i = 0; i < 9; i++)
        for (size_t j = 0; j < 9; j++) x[i] += h[i][j] * b[j * STRIDE + m];
      for (size_t i = 0; i < 9; i++) ck_assert_double_le(fabs(a[i * STRIDE + m] - x[i]), 1e-12 * largest(x, 9, 1));
    }
  }
}
END_TEST

/* The force is minus the energy's gradient, the product the force's derivative, by central differences of step 1e-6
 * nm: their error is e^2 f''' and 1e-16 f / e, both about 1e-8 relative. */
START_TEST(derivatives_are_differences) {
  const struct rill_water_flow_table *flows = rill_water_flow_table(rill_isa_best());
  static _Alignas(64) double plus[9 * STRIDE], minus[9 * STRIDE];
  const double e = 1e-6;
  double size;
  prepare(20);
  flows->stiff_product(&penalty, (struct rill_range){0, STRIDE}, STRIDE, true, q, NULL, a, MOLECULES);
  size = largest(a, 9 * STRIDE, 1);
  for (size_t i = 0; i < 9; i++) {
    double x = q[i * STRIDE + 4], up, down;
    q[i * STRIDE + 4] = x + e;
    up = rill_penalty_energy(&penalty, MOLECULES, STRIDE, q);
    q[i * STRIDE + 4] = x - e;
    down = rill_penalty_energy(&penalty, MOLECULES, STRIDE, q);
    q[i * STRIDE + 4] = x;
    ck_assert_double_le(fabs(a[i * STRIDE + 4] + (up - down) / (2 * e)), 1e-6 * size);
  }
  for (size_t i = 0; i < 9 * STRIDE; i++) b[i] *= 1e-3;
  flows->stiff_product(&penalty, (struct rill_range){0, STRIDE}, STRIDE, true, q, b, a, MOLECULES);
  size = largest(a, 9 * STRIDE, 1);
  for (size_t i = 0; i < 9 * STRIDE; i++) q[i] += e * b[i];
  flows->stiff_product(&penalty, (struct rill_range){0, STRIDE}, STRIDE, true, q, NULL, plus, MOLECULES);
  for (size_t i = 0; i < 9 * STRIDE; i++) q[i] -= 2 * e * b[i];
  flows->stiff_product(&penalty, (struct rill_range){0, STRIDE}, STRIDE, true, q, NULL, minus, MOLECULES);
  for (size_t i = 0; i < 9 * STRIDE; i++)
    ck_assert_double_le(fabs(a[i] + (plus[i] - minus[i]) / (2 * e)), 1e-6 * size);
}
END_TEST

/* Pair forces along a direction, likewise; 21 molecules on a line 0.17 nm apart. */
START_TEST(pair_derivative_is_a_difference) {
  static _Alignas(64) double plus[9 * STRIDE], minus[9 * STRIDE];
  struct rill_water_forces *forces;
  const double e = 1e-6;
  double size;
  prepare(20);
  for (size_t m = 0; m < STRIDE; m++)
    for (size_t k = 0; k < 3; k++) q[3 * k * STRIDE + m] += 0.2 * (double)m;
  for (size_t i = 0; i < 9 * STRIDE; i++) b[i] *= 1e-3;
  rill_water_forces_derivative(&model, MOLECULES, STRIDE, q, b, NULL, a);
  size = largest(a, 9 * STRIDE, 1);
  fixture_ok(rill_water_forces_create(&model, MOLECULES, STRIDE, 1, RILL_ISA_PORTABLE, 1, &forces, &fixture_error));
  for (size_t i = 0; i < 9 * STRIDE; i++) q[i] += e * b[i];
  rill_water_forces_evaluate(forces, q, plus, NULL);
  for (size_t i = 0; i < 9 * STRIDE; i++) q[i] -= 2 * e * b[i];
  rill_water_forces_evaluate(forces, q, minus, NULL);
  rill_water_forces_destroy(forces);
  ck_assert_double_gt(size, 1);
  for (size_t i = 0; i < 9 * STRIDE; i++)
    ck_assert_double_le(fabs(a[i] - (plus[i] - minus[i]) / (2 * e)), 1e-6 * size);
}
END_TEST

/* 4 r^2 w^2 at w = 20 akma: 1466 kcal/mol/A2; and Verlet's limit lies between 0.02 and 0.04 akma. */
START_TEST(constants_are_the_published_ones) {
  prepare(20);
  ck_assert_double_le(
      fabs(rill_penalty_bond_constant(&penalty, 0) * RILL_ANGSTROM * RILL_ANGSTROM / RILL_KCAL - 1466), 0.5);
  ck_assert_double_gt(2 / rill_penalty_frequency(&penalty), 0.02 * RILL_AKMA_TIME);
  ck_assert_double_lt(2 / rill_penalty_frequency(&penalty), 0.04 * RILL_AKMA_TIME);
  ck_assert_int_eq(rill_penalty_create(&model, -1, &penalty, &fixture_error), RILL_ERROR_INPUT);
  ck_assert_int_eq(rill_penalty_create(&model, INFINITY, &penalty, &fixture_error), RILL_ERROR_INPUT);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("penalty");
  TCase *cases = tcase_create("penalty");
  tcase_add_test(cases, woodbury_is_the_nine_by_nine_solve);
  tcase_add_test(cases, an_acceleration_that_is_not_finite_is_noticed);
  tcase_add_test(cases, force_and_product_are_the_formulae);
  tcase_add_test(cases, derivatives_are_differences);
  tcase_add_test(cases, pair_derivative_is_a_difference);
  tcase_add_test(cases, constants_are_the_published_ones);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
