/* Methods over the hamiltonian capability, on systems with a Lagrangian and on point vortices, whose Hamiltonian is
 * degenerate: derivatives of H, two vortices against their circle, Type I where it exists, momenta, refusals. */
#include "small.h"
#include "systems/point_vortices.h"

static const double PI = 3.14159265358979324;
enum { MOST = 16 };

static void print(const char *what, const char *method, double a, double b) {
  if (getenv("LAWS_PRINT")) printf("%-18s %-40s %.3e %.3e\n", what, method, a, b);
}

/* --- the capability --- */

static double value_at(const struct rill_hamiltonian *of, const double *z, double *first) {
  struct rill_hamiltonian_values values = {.dq = first, .dp = first != NULL ? first + of->n : NULL};
  ck_assert_msg(of->evaluate(of->self, z, z + of->n, &values, &small_error) == RILL_OK, "%s", small_error.text);
  return values.value;
}

/* Differences of H against its first derivatives, and of those against the second. */
static void check_derivatives(const char *kind, const char *settings) {
  struct rill_system system = small_system(kind, settings);
  const struct rill_hamiltonian *of = system.hamiltonian;
  const size_t n = of->n;
  struct rill_observation o;
  double z[2 * MOST], first[2 * MOST], at[2 * MOST], high[2 * MOST], low[2 * MOST], dqq[MOST * MOST],
      dqp[MOST * MOST], dpp[MOST * MOST];
  struct rill_hamiltonian_values values = {.dq = first, .dp = first + n, .dqq = dqq, .dqp = dqp, .dpp = dpp};
  memcpy(z, system.state->q, n * sizeof *z);
  memcpy(z + n, system.state->p, n * sizeof *z);
  ck_assert(of->evaluate(of->self, z, z + n, &values, &small_error) == RILL_OK);
  ck_assert(system.ops->observe(system.self, &o, &small_error) == RILL_OK);
  ck_assert_double_eq_tol(values.value, o.kinetic + o.potential, 1e-12 * (1 + fabs(values.value)));
  for (size_t k = 0; k < 2 * n; k++) {
    const double d = 1e-5, scale = 1 + fabs(values.value);
    memcpy(at, z, sizeof at);
    at[k] = z[k] + d;
    const double above = value_at(of, at, high);
    at[k] = z[k] - d;
    ck_assert_double_eq_tol((above - value_at(of, at, low)) / (2 * d), first[k], 1e-6 * scale);
    for (size_t i = 0; i < 2 * n; i++) {
      const double second = i < n && k < n ? dqq[i * n + k]
                            : i < n        ? dqp[i * n + k - n]
                            : k < n        ? dqp[k * n + i - n]
                                           : dpp[(i - n) * n + k - n];
      ck_assert_double_eq_tol((high[i] - low[i]) / (2 * d), second, 1e-5 * scale);
    }
  }
  small_destroy_system(&system);
}

START_TEST(derivatives) {
  check_derivatives("point-vortices", "circulations = 1 2 -0.7; x = 1 -0.6 0.3; y = 0.2 0.1 -1.1");
  check_derivatives("double-pendulum-angles", "rates = 0.5 -0.3; masses = 1 2");
  check_derivatives("spherical-pendulum-angles", "");
  check_derivatives("kepler", "mass = 1.7; anomaly = 2");
  check_derivatives("double-pendulum", "rates = 0.5 -0.3; formulation = penalised; stiffness = 2");
}
END_TEST

/* The vector of circulations, along y, is in the kernel of H_pp: q_1 - q_0 does not see it. */
START_TEST(vortices_are_degenerate) {
  struct rill_system system =
                         small_system("point-vortices", "circulations = 1 2 -0.7; x = 1 -0.6 0.3; y = 0.2 0.1 -1.1"),
                     kepler = small_system("kepler", "");
  const double g[] = {1, 2, -0.7};
  double first[6], dqq[9], dqp[9], dpp[9];
  struct rill_hamiltonian_values values = {.dq = first, .dp = first + 3, .dqq = dqq, .dqp = dqp, .dpp = dpp};
  const struct rill_hamiltonian *of = system.hamiltonian;
  ck_assert(of->evaluate(of->self, system.state->q, system.state->p, &values, &small_error) == RILL_OK);
  for (int i = 0; i < 3; i++) {
    double sum = 0;
    for (int j = 0; j < 3; j++) sum += dpp[3 * i + j] * g[j];
    ck_assert_double_eq_tol(sum, 0, 1e-14);
    ck_assert_double_ge(fabs(dpp[4 * i]), 1e-3);
  }
  ck_assert(of->degenerate && !kepler.hamiltonian->degenerate);
  small_destroy_system(&system);
  small_destroy_system(&kepler);
}
END_TEST

/* --- two vortices and their circle --- */

static const char *const methods[] = {"hamiltonian-midpoint",
                                      "hamiltonian-midpoint/yoshida4",
                                      "discrete-hamiltonian",
                                      "discrete-hamiltonian/rk4/gauss2",
                                      "discrete-hamiltonian/implicit-midpoint/trapezoid",
                                      "discrete-hamiltonian/explicit-midpoint/gauss1"};
static const int orders[] = {2, 4, 4, 4, 2, 2};
enum { METHODS = sizeof orders / sizeof orders[0] };

/* The largest distance of a vortex from its exact place at the time 40, about one turn. */
static double off_the_circle(const char *method, const char *settings, const double g[2], uint64_t steps) {
  struct small small = small_create("point-vortices", settings, method, 40.0 / (double)steps, 0);
  const struct rill_state *state = small.system->state;
  double x[2], y[2], worst = 0;
  for (int i = 0; i < 2; i++) x[i] = state->q[i], y[i] = state->p[i] / g[i];
  rill_two_vortices_at(g, 40, x, y);
  small_run(&small, steps);
  for (int i = 0; i < 2; i++) worst = fmax(worst, hypot(state->q[i] - x[i], state->p[i] / g[i] - y[i]));
  small_destroy(&small);
  return worst;
}

START_TEST(two_vortices_on_their_circle) {
  static const double g[2][2] = {{1, 2}, {1, -1}};
  static const char *const settings[] = {"circulations = 1 2; x = 0.9 -0.8; y = 0.3 0",
                                         "circulations = 1 -1; x = 0.9 -0.8; y = 0.3 0"};
  for (int m = 0; m < METHODS; m++) {
    const double coarse = off_the_circle(methods[m], settings[0], g[0], 50),
                 fine = off_the_circle(methods[m], settings[0], g[0], 100);
    print("circle", methods[m], fine, log2(coarse / fine));
    ck_assert_double_eq_tol(log2(coarse / fine), orders[m], 0.25);
    ck_assert_double_le(fine, orders[m] == 4 ? 1e-4 : 1e-1);
    ck_assert_double_le(off_the_circle(methods[m], settings[1], g[1], 50), 1e-11); /* straight ahead */
  }
}
END_TEST

/* The impulses of translations are kept by all, that of rotations, which mixes q and p, by the midpoint rule; Type II
 * keeps it within a band. */
START_TEST(impulses_of_vortices) {
  for (int m = 0; m < METHODS; m++) {
    struct small small = small_create("point-vortices", "circulations = 1 2 -0.7; x = 1 -0.6 0.3; y = 0.2 0.1 -1.1",
                                      methods[m], 0.3, 0);
    struct rill_observation first, o;
    double linear = 0, angular[2] = {0, 0};
    small_energy(&small, &first);
    for (int k = 0; k < 4000; k++) {
      small_run(&small, 1);
      small_energy(&small, &o);
      for (int i = 0; i < 2; i++) linear = fmax(linear, fabs(o.momentum[i] - first.momentum[i]));
      angular[k >= 2000] = fmax(angular[k >= 2000], fabs(o.angular_momentum[2] - first.angular_momentum[2]));
    }
    print("impulses", methods[m], linear, angular[1]);
    ck_assert_double_le(linear, 1e-11);
    if (strncmp(methods[m], "hamiltonian-midpoint", 20) == 0) ck_assert_double_le(angular[1], 1e-11);
    else ck_assert(angular[0] > 1e-9 && angular[1] < 1.5 * angular[0] && angular[0] < 0.1);
    small_destroy(&small);
  }
}
END_TEST

/* --- Type I is `shooting`, and the midpoint rule that of the mechanical capability --- */

static double apart(const char *kind, const char *settings, double h, const char *a, const char *b) {
  struct small one = small_create(kind, settings, a, h, 0), two = small_create(kind, settings, b, h, 0);
  double worst = 0;
  small_run(&one, 50);
  small_run(&two, 50);
  for (size_t i = 0; i < one.system->state->n; i++) {
    worst = fmax(worst, fabs(one.system->state->q[i] - two.system->state->q[i]));
    worst = fmax(worst, fabs(one.system->state->p[i] - two.system->state->p[i]));
  }
  print("apart", a, worst, 0);
  small_destroy(&one);
  small_destroy(&two);
  return worst;
}

START_TEST(both_sides_are_one_method) {
  static const char *const options[] = {"rk4/simpson", "rk4/gauss2", "explicit-midpoint/trapezoid",
                                        "implicit-midpoint/trapezoid"};
  for (int k = 0; k < 4; k++) {
    char left[64], right[64];
    snprintf(left, sizeof left, "shooting/%s", options[k]);
    snprintf(right, sizeof right, "hamiltonian-shooting/%s", options[k]);
    ck_assert_double_le(apart("kepler", "eccentricity = 0.3; mass = 1.7", 0.05, left, right), 1e-11);
    if (k != 3) /* a midpoint in (q, v) and one in (q, p) differ where masses depend on positions */
      ck_assert_double_le(apart("double-pendulum-angles", "rates = 0.5 -0.3", 0.05, left, right), 1e-11);
  }
  ck_assert_double_le(apart("kepler", "eccentricity = 0.3", 0.05, "implicit-midpoint", "hamiltonian-midpoint"),
                      1e-12);
  ck_assert_double_ge(apart("kepler", "eccentricity = 0.3", 0.2, "hamiltonian-shooting", "discrete-hamiltonian"),
                      1e-9);
}
END_TEST

/* --- what is refused --- */

START_TEST(what_is_refused) {
  struct rill_system vortices = small_system("point-vortices", ""), rods = small_system("planar-pendulum", ""),
                     body = small_system("free-body", ""), disk = small_system("rolling-disk", ""), none = {0};
  static const char *const lagrangian[] = {"dvp", "galerkin", "shooting", "rk4", "hamiltonian-shooting"};
  struct rill_method_options options = {.quadrature = {RILL_ACTION_EULER_MACLAURIN, 2}};
  const struct rill_method *right = rill_method_find("discrete-hamiltonian");
  for (int i = 0; i < 5; i++)
    ck_assert_int_eq(rill_method_refusal(rill_method_find(lagrangian[i]), &vortices, RILL_NO_BATH),
                     RILL_REFUSED_DEGENERATE);
  ck_assert_int_eq(rill_method_refusal(rill_method_find("verlet"), &vortices, RILL_NO_BATH), RILL_REFUSED_FLOW);
  ck_assert_int_eq(rill_method_refusal(rill_method_find("implicit-midpoint"), &vortices, RILL_NO_BATH),
                   RILL_REFUSED_MECHANICAL);
  ck_assert_int_eq(rill_method_refusal(right, &vortices, RILL_NO_BATH), RILL_BINDS);
  ck_assert_int_eq(rill_method_refusal(right, &vortices, RILL_GLA), RILL_REFUSED_OU);
  ck_assert_int_eq(rill_method_refusal(right, &rods, RILL_NO_BATH), RILL_REFUSED_HAMILTONIAN);
  ck_assert_int_eq(rill_method_refusal(right, &body, RILL_NO_BATH), RILL_REFUSED_HAMILTONIAN);
  ck_assert_int_eq(rill_method_refusal(right, &disk, RILL_NO_BATH), RILL_REFUSED_VELOCITY_CONSTRAINTS);
  ck_assert_ptr_nonnull(strstr(right->refuse(&vortices, &options), "third derivatives"));
  ck_assert(small_try("point-vortices", "circulations = 1 0", &none) == RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(small_error.text, "the circulation of vortex 2 is 0"));
  ck_assert(small_try("point-vortices", "x = 1 1; y = 2 2", &none) == RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(small_error.text, "vortices 1 and 2 are at the same point"));
  ck_assert(small_try("point-vortices", "x = 1 2 3", &none) == RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(small_error.text, "x has 3 numbers, and circulations 2"));
  small_destroy_system(&vortices);
  small_destroy_system(&rods);
  small_destroy_system(&body);
  small_destroy_system(&disk);
}
END_TEST

/* The rate of turning, and that of a pair of opposite vortices, by hand. */
START_TEST(exact_motion) {
  const double equal[2] = {1.5, 1.5}, opposite[2] = {1.5, -1.5};
  double x[2] = {1, -1}, y[2] = {0, 0};
  rill_two_vortices_at(equal, 0.5 * PI * 2 * PI * 4 / 3, x, y); /* a quarter of a turn, against the clock */
  ck_assert_double_eq_tol(x[0], 0, 1e-14);
  ck_assert_double_eq_tol(y[0], 1, 1e-14);
  x[0] = 1, x[1] = -1, y[0] = y[1] = 0;
  rill_two_vortices_at(opposite, 2, x, y); /* speed G / (2 pi d), the positive vortex on the right: downward */
  ck_assert_double_eq_tol(x[0], 1, 1e-14);
  ck_assert_double_eq_tol(y[0], y[1], 1e-14);
  ck_assert_double_eq_tol(fabs(y[0]), 2 * 1.5 / (4 * PI), 1e-14);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("Hamiltonian methods");
  TCase *laws = tcase_create("laws");
  tcase_add_test(laws, derivatives);
  tcase_add_test(laws, vortices_are_degenerate);
  tcase_add_test(laws, exact_motion);
  tcase_add_test(laws, two_vortices_on_their_circle);
  tcase_add_test(laws, impulses_of_vortices);
  tcase_add_test(laws, both_sides_are_one_method);
  tcase_add_test(laws, what_is_refused);
  tcase_set_timeout(laws, 120);
  suite_add_tcase(suite, laws);
  return rill_run_suite(suite);
}
