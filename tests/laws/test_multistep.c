/* Multistep methods: their coefficients by the conditions of order and of stability; on Kepler's problem, against its
 * exact motion, order, reversal, the energy over many periods, and resonances of the step with the period; the
 * history as a part of the state. */
#include "integrators/multistep.h"
#include "small.h"
#include "systems/kepler.h"

static const double PI = 3.14159265358979324;
static const char *const order8[] = {"quinlan-tremaine", "symmetric8"};

static void print(const char *what, const char *method, double a, double b) {
  if (getenv("LAWS_PRINT")) printf("%-18s %-20s %.4e %.4e\n", what, method, a, b);
}

/* --- coefficients --- */

/* sum_j alpha_j x^q - q (q - 1) sum_j beta_j x^(q - 2), x = j - k/2, times the denominator: 0 for q < order + 2. */
static long long condition(const struct rill_multistep_coefficients *of, int q, int changed) {
  long long sum = 0;
  for (int j = 0; j <= of->k; j++) {
    long long x = j - of->k / 2, power = 1;
    for (int i = 2; i < q; i++) power *= x;
    sum += of->alpha[j] * (long long)of->denominator * (q >= 2 ? power * x * x : q == 1 ? x : 1);
    if (q >= 2) sum -= q * (q - 1) * (of->force[j] + (j == changed)) * power;
  }
  return sum;
}

START_TEST(coefficients_have_their_order) {
  size_t count;
  const struct rill_multistep_coefficients *of = rill_multistep_coefficients(&count);
  ck_assert_uint_eq(count, 3);
  for (size_t s = 0; s < count; s++, of++) {
    ck_assert_int_eq(rill_method_find(of->method)->order, of->order);
    ck_assert(of->alpha[of->k] == 1 && of->force[of->k] == 0); /* explicit */
    for (int j = 0; j <= of->k; j++) {
      ck_assert_int_eq(of->alpha[j], of->alpha[of->k - j]);
      ck_assert_int_eq(of->force[j], of->force[of->k - j]);
    }
    for (int q = 0; q < of->order + 2; q++) ck_assert_msg(condition(of, q, -1) == 0, "%s, power %d", of->method, q);
    ck_assert(condition(of, of->order + 2, -1) != 0);
    for (int j = 0; j <= of->k; j++) ck_assert(condition(of, 2, j) != 0); /* a wrong last digit is seen */
  }
}
END_TEST

/* rho(e^(i t)) e^(-i k t / 2), which is real. */
static double on_the_circle(const struct rill_multistep_coefficients *of, double t) {
  double sum = 0;
  for (int j = 0; j <= of->k; j++) sum += of->alpha[j] * cos((j - of->k / 2) * t);
  return sum;
}

/* The roots of rho on the upper half of the unit circle, in degrees: with their conjugates and the double root 1 they
 * are all k of them, and simple, when there are (k - 2) / 2. */
static int roots(const struct rill_multistep_coefficients *of, double *degrees) {
  enum { PARTS = 100000 };
  int found = 0;
  for (int i = 1; i < PARTS; i++) {
    double low = PI * i / PARTS, high = PI * (i + 1) / PARTS;
    if (on_the_circle(of, low) * on_the_circle(of, high) > 0) continue;
    for (int k = 0; k < 60; k++) {
      const double middle = 0.5 * (low + high);
      if (on_the_circle(of, low) * on_the_circle(of, middle) > 0) low = middle;
      else high = middle;
    }
    degrees[found++] = low * 180 / PI;
    ck_assert_int_le(found, 3);
  }
  return found;
}

START_TEST(methods_are_stable_for_small_steps) {
  static const double expected[2][3] = {{60, 72, 144}, {360.0 / 7, 720.0 / 7, 1080.0 / 7}};
  size_t count;
  const struct rill_multistep_coefficients *of = rill_multistep_coefficients(&count);
  double degrees[4];
  ck_assert_int_eq(roots(&of[0], degrees), 0);
  for (int s = 0; s < 2; s++) {
    ck_assert_int_eq(roots(&of[s + 1], degrees), 3);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(degrees[i], expected[s][i], 1e-9);
  }
}
END_TEST

/* --- two steps of Verlet --- */

START_TEST(two_steps_are_verlet) {
  static const struct {
    const char *kind, *settings;
    double h;
  } of[] = {{"kepler", "eccentricity = 0.6; mass = 1.7", 0.05},
            {"planar-triatomic",
             "masses = 2 1 3; rates = 0.5 -0.3; bending = 1; formulation = penalised; stiffness = 2", 0.05}};
  for (int s = 0; s < 2; s++) {
    struct small one = small_create(of[s].kind, of[s].settings, "verlet", of[s].h, 0),
                 two = small_create(of[s].kind, of[s].settings, "verlet-two-step", of[s].h, 0);
    double worst = 0;
    for (int k = 0; k < 500; k++) {
      small_run(&one, 1);
      small_run(&two, 1);
      for (size_t i = 0; i < one.system->state->n; i++) {
        worst = fmax(worst, fabs(one.system->state->q[i] - two.system->state->q[i]));
        worst = fmax(worst, fabs(one.system->state->p[i] - two.system->state->p[i]));
      }
    }
    print("from verlet", of[s].kind, worst, 0);
    ck_assert_double_le(worst, 1e-11);
    small_destroy(&one);
    small_destroy(&two);
  }
}
END_TEST

/* --- order --- */

/* Distances of position and velocity from the exact ones, at the time 6. */
static void errors(const char *method, uint64_t steps, double *position, double *velocity) {
  const double m = 1.7, mu = 0.8, h = 6.0 / (double)steps;
  struct small small = small_create("kepler", "mass = 1.7; mu = 0.8; eccentricity = 0.3", method, h, 0);
  const struct rill_state *state = small.system->state;
  double q[2], v[2];
  small_run(&small, steps);
  rill_kepler_at(1, 0.3, mu, 6 * sqrt(mu), q, v);
  *position = hypot(state->q[0] - q[0], state->q[1] - q[1]);
  *velocity = hypot(state->p[0] / m - v[0], state->p[1] / m - v[1]);
  small_destroy(&small);
}

START_TEST(order_against_the_exact_motion) {
  for (int m = 0; m < 2; m++) {
    double q[2], v[2];
    for (int k = 0; k < 2; k++) errors(order8[m], 200U << k, &q[k], &v[k]);
    print("order", order8[m], log2(q[0] / q[1]), log2(v[0] / v[1]));
    print("errors", order8[m], q[1], v[1]);
    ck_assert_double_eq_tol(log2(q[0] / q[1]), 8, 0.5);
    ck_assert_double_eq_tol(log2(v[0] / v[1]), 8, 0.5);
    ck_assert_double_le(q[1], 1e-8);
  }
}
END_TEST

/* --- reversal --- */

/* How far from its start a run comes back, when its past is made its future. */
static double comes_back(const char *method) {
  struct small small = small_create("kepler", "eccentricity = 0.3; anomaly = 0.4", method, 0.05, 0);
  struct rill_state *state = small.system->state;
  double q[2], away;
  memcpy(q, state->q, sizeof q);
  small_run(&small, 300);
  small_turn(state);
  small_run(&small, 300 - state->earlier);
  away = hypot(state->q[0] - q[0], state->q[1] - q[1]);
  small_destroy(&small);
  return away;
}

START_TEST(reversal) {
  ck_assert_double_le(comes_back("verlet-two-step"), 1e-11);
  for (int m = 0; m < 2; m++) {
    print("comes back", order8[m], comes_back(order8[m]), 0);
    ck_assert_double_le(comes_back(order8[m]), 1e-11);
  }
}
END_TEST

/* --- symplecticity, of three steps from (q, p), the first of which begins a history --- */

static double symplecticity(const char *method, double h) {
  const double d = 1e-4;
  double columns[4][4], worst = 0;
  for (int c = 0; c < 4; c++)
    for (int side = 0; side < 2; side++) {
      struct small small = small_create("kepler", "eccentricity = 0.3; anomaly = 0.4", method, h, 0);
      struct rill_state *state = small.system->state;
      double *z[4] = {&state->q[0], &state->q[1], &state->p[0], &state->p[1]};
      *z[c] += side == 0 ? -d : d;
      small_run(&small, 3);
      for (int i = 0; i < 4; i++) columns[c][i] = side == 0 ? *z[i] : (*z[i] - columns[c][i]) / (2 * d);
      small_destroy(&small);
    }
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++) {
      double form = 0;
      for (int i = 0; i < 2; i++) form += columns[a][i] * columns[b][2 + i] - columns[b][i] * columns[a][2 + i];
      worst = fmax(worst, fabs(form - (b == a + 2) + (a == b + 2)));
    }
  return worst;
}

START_TEST(symplectic) {
  ck_assert_double_le(symplecticity("verlet-two-step", 0.1), 1e-6);
  for (int m = 0; m < 2; m++) {
    print("form", order8[m], symplecticity(order8[m], 0.1), symplecticity("verlet-two-step", 0.1));
    ck_assert_double_ge(symplecticity(order8[m], 0.1), 1e-5);
  }
}
END_TEST

/* --- what is kept over many periods --- */

/* Largest deviations of energy and angular momentum in the first and last hundredth of a run. */
static void drift(const char *method, const char *settings, double h, uint64_t steps, double energy[2],
                  double angular[2]) {
  struct small small = small_create("kepler", settings, method, h, 0);
  const double *q = small.system->state->q, *p = small.system->state->p;
  const double first = 0.5 * (p[0] * p[0] + p[1] * p[1]) - 1 / hypot(q[0], q[1]),
               momentum = q[0] * p[1] - q[1] * p[0];
  energy[0] = energy[1] = angular[0] = angular[1] = 0;
  while (small.done < steps && small_try_step(&small) == RILL_OK) {
    const int part = small.done > steps - steps / 100;
    if (small.done > steps / 100 && part == 0) continue;
    energy[part] = fmax(energy[part], fabs(0.5 * (p[0] * p[0] + p[1] * p[1]) - 1 / hypot(q[0], q[1]) - first));
    angular[part] = fmax(angular[part], fabs(q[0] * p[1] - q[1] * p[0] - momentum));
  }
  if (small.done < steps) energy[1] = angular[1] = INFINITY;
  small_destroy(&small);
}

START_TEST(energy_over_a_thousand_periods) {
  double energy[2], angular[2];
  for (int m = 0; m < 2; m++) {
    drift(order8[m], "eccentricity = 0.3", 2 * PI / 151, 151 * 1000, energy, angular);
    print("energy", order8[m], energy[0], energy[1]);
    print("angular momentum", order8[m], angular[0], angular[1]);
    ck_assert(energy[0] < 1e-7 && energy[1] < 1.2 * energy[0]);
    ck_assert(angular[0] < 1e-7 && angular[1] < 1.2 * angular[0]);
    ck_assert_double_ge(angular[0], 1e-9); /* close, not exact */
  }
  drift(order8[0], "eccentricity = 0", 2 * PI / 60, 60 * 1000, energy, angular); /* the law sees a resonance */
  print("energy", "at the resonance", energy[0], energy[1]);
  ck_assert_double_ge(energy[1], 100 * energy[0]);
}
END_TEST

/* --- resonances --- */

/* The largest |r - 1| on a circular orbit; INFINITY: it does not stay near it. */
static double leaves_the_circle(const char *method, double per_period, int periods) {
  struct small small = small_create("kepler", "eccentricity = 0", method, 2 * PI / per_period, 0);
  const double *q = small.system->state->q;
  double worst = 0;
  for (int k = 0; k < per_period * periods && worst < 1; k++)
    worst = small_try_step(&small) == RILL_OK ? fmax(worst, fabs(hypot(q[0], q[1]) - 1)) : INFINITY;
  small_destroy(&small);
  print("circle", method, per_period, worst);
  return worst < 1 ? worst : INFINITY;
}

/* Two oscillations of the method, at the angles s and t of its roots in a step, are coupled by the gradient of the
 * force, which turns with twice the frequency of the orbit: where s - t = 2 h omega, or s + t = 2 h omega, both grow
 * (Quinlan 1999).  For quinlan-tremaine 72 - 60 degrees makes 60 steps in a period; the roots of symmetric8 are 51
 * degrees apart. */
START_TEST(resonances_on_a_circle) {
  ck_assert_double_ge(leaves_the_circle(order8[0], 60, 500), 1e-3);
  ck_assert_double_ge(leaves_the_circle(order8[0], 59.5, 500), 1e-3);
  ck_assert_double_le(leaves_the_circle(order8[0], 59, 500), 1e-9); /* no resonance, and larger steps */
  ck_assert_double_le(leaves_the_circle(order8[0], 61, 500), 1e-9);
  ck_assert_double_le(leaves_the_circle(order8[0], 30, 500), 1e-7);
  ck_assert_double_le(leaves_the_circle(order8[0], 20, 500), 1e-5);
  ck_assert_double_le(leaves_the_circle(order8[1], 30, 500), 1e-7);
  ck_assert_double_le(leaves_the_circle(order8[1], 59, 500), 1e-9);
  ck_assert_double_le(leaves_the_circle(order8[1], 61, 500), 1e-9);
  for (double n = 20; n <= 120; n += 4) ck_assert_double_le(leaves_the_circle(order8[1], n, 500), 1e-5);
  ck_assert_double_le(leaves_the_circle(order8[1], 60, 500), 1e-9);
  ck_assert_double_le(leaves_the_circle(order8[1], 59.5, 500), 1e-9);
  /* Where steps are too long for either. */
  ck_assert(leaves_the_circle(order8[0], 15, 500) < 1e-3 && isinf(leaves_the_circle(order8[0], 13, 500)));
  ck_assert(isinf(leaves_the_circle(order8[1], 18, 500)));
}
END_TEST

/* --- the history is part of the state --- */

static void carry(const struct rill_state *from, struct rill_state *to, bool history) {
  memcpy(to->q, from->q, from->n * sizeof *to->q);
  memcpy(to->p, from->p, from->n * sizeof *to->p);
  if (history) memcpy(to->history, from->history, (2 * from->earlier + 1) * from->n * sizeof *to->history);
}

START_TEST(a_run_continues_with_its_history) {
  for (int m = 0; m < 2; m++)
    for (int history = 0; history < 2; history++) {
      struct small whole = small_create("kepler", "eccentricity = 0.3", order8[m], 0.1, 0),
                   after = small_create("kepler", "eccentricity = 0.3", order8[m], 0.1, 0);
      small_run(&whole, 20);
      carry(whole.system->state, after.system->state, history);
      small_run(&whole, 20);
      small_run(&after, 20);
      ck_assert_int_eq(memcmp(whole.system->state->q, after.system->state->q, 2 * sizeof(double)) == 0, history);
      small_destroy(&whole);
      small_destroy(&after);
    }
}
END_TEST

START_TEST(a_failed_step_restores_the_history) {
  struct small small = small_create("kepler", "eccentricity = 0.3", "symmetric8", 0.1, 0);
  struct rill_state *state = small.system->state;
  double before[RILL_HISTORY * 2];
  small_run(&small, 10);
  memcpy(before, state->history, sizeof before);
  small.system->ops->save(small.system->self);
  for (int i = 0; i < RILL_HISTORY * 2; i++) state->history[i] += 1;
  small.system->ops->restore(small.system->self);
  ck_assert_mem_eq(before, state->history, sizeof before);
  small_destroy(&small);
}
END_TEST

START_TEST(what_is_refused) {
  struct rill_system kepler = small_system("kepler", ""), rods = small_system("planar-pendulum", ""),
                     angles = small_system("double-pendulum-angles", ""), disk = small_system("rolling-disk", "");
  size_t count;
  const struct rill_multistep_coefficients *of = rill_multistep_coefficients(&count);
  const struct rill_composition *yoshida4 = rill_composition_find("yoshida4");
  for (size_t s = 0; s < count; s++) {
    const struct rill_method *method = rill_method_find(of[s].method);
    struct rill_forcing forcing = {0};
    ck_assert_int_eq(rill_method_refusal(method, &kepler, RILL_NO_BATH), RILL_BINDS);
    ck_assert_int_eq(rill_method_refusal(method, &kepler, RILL_GLA), RILL_REFUSED_OU_HISTORY);
    ck_assert_int_eq(rill_method_refusal(method, &kepler, RILL_BAOAB), RILL_REFUSED_OU_HISTORY);
    ck_assert_int_eq(rill_method_refusal(method, &rods, RILL_NO_BATH), RILL_REFUSED_CONSTRAINTS);
    ck_assert_int_eq(rill_method_refusal(method, &angles, RILL_NO_BATH), RILL_REFUSED_MECHANICAL);
    ck_assert_int_eq(rill_method_refusal(method, &disk, RILL_NO_BATH), RILL_REFUSED_VELOCITY_CONSTRAINTS);
    ck_assert_int_eq(rill_composition_refusal(yoshida4, method, &kepler, RILL_NO_BATH), RILL_REFUSED_HISTORY);
    kepler.forcing = &forcing;
    ck_assert_int_eq(rill_method_refusal(method, &kepler, RILL_NO_BATH), RILL_REFUSED_FORCED);
    kepler.forcing = NULL;
  }
  small_destroy_system(&kepler);
  small_destroy_system(&rods);
  small_destroy_system(&angles);
  small_destroy_system(&disk);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("multistep methods");
  TCase *laws = tcase_create("laws");
  tcase_add_test(laws, coefficients_have_their_order);
  tcase_add_test(laws, methods_are_stable_for_small_steps);
  tcase_add_test(laws, two_steps_are_verlet);
  tcase_add_test(laws, order_against_the_exact_motion);
  tcase_add_test(laws, reversal);
  tcase_add_test(laws, symplectic);
  tcase_add_test(laws, energy_over_a_thousand_periods);
  tcase_add_test(laws, resonances_on_a_circle);
  tcase_add_test(laws, a_run_continues_with_its_history);
  tcase_add_test(laws, a_failed_step_restores_the_history);
  tcase_add_test(laws, what_is_refused);
  tcase_set_timeout(laws, 120);
  suite_add_tcase(suite, laws);
  return rill_run_suite(suite);
}
