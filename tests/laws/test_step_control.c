/* Steps of varying length on Kepler's problem, e = 0.9, against its exact solution: order, reversal, symplecticity,
 * momentum, the energy over ten thousand periods, work against precision; and naive control, which loses what the
 * others keep. */
#include "small.h"
#include "systems/kepler.h"

static const double E = 0.9, PERIOD = 6.283185307179586477;

/* The length of a period in fictitious time, which is that of tau for sigma = r^(3/2): the number of steps in a
 * period is this over the step. */
static double fictitious_period(void) {
  enum { PARTS = 20000 };
  double sum = 0;
  for (int i = 0; i < PARTS; i++) { /* dt = (1 - e cos E) dE, r = 1 - e cos E; periodic: the trapezoidal rule */
    const double r = 1 - E * cos(PERIOD * i / PARTS);
    sum += PERIOD / PARTS / sqrt(r);
  }
  return sum;
}

static double *clock_of(const struct small *small) { return small->system->state->clock; }

static double time_of(const struct small *small, double h) {
  return small->system->state->clocked ? clock_of(small)[RILL_CLOCK_TIME] : (double)small->done * h;
}

/* Distance from the exact position at the time that has been reached. */
static double error_of(const struct small *small, double h) {
  double q[2], v[2];
  rill_kepler_at(1, E, 1, time_of(small, h), q, v);
  return hypot(small->system->state->q[0] - q[0], small->system->state->q[1] - q[1]);
}

/* Energy of the start: -1/2; relative deviation. */
static double energy_error(struct small *small) {
  const double *q = small->system->state->q, *p = small->system->state->p;
  return fabs(2 * (0.5 * (p[0] * p[0] + p[1] * p[1]) - 1 / hypot(q[0], q[1])) + 1);
}

static void print(const char *what, const char *method, double a, double b) {
  if (getenv("LAWS_PRINT")) printf("%-18s %-20s %.3e %.3e\n", what, method, a, b);
}

/* --- the exact solution --- */

START_TEST(exact_motion) {
  static const double eccentricities[] = {0, 0.3, 0.9, 0.99};
  for (int k = 0; k < 4; k++)
    for (double mean = -9; mean < 9; mean += 0.37) {
      const double a = 1.3, mu = 0.7, e = eccentricities[k], rate = sqrt(mu / (a * a * a)), d = 1e-5;
      double q[2], v[2], before[2], after[2], other[2];
      rill_kepler_at(a, e, mu, mean, q, v);
      ck_assert_double_eq_tol(0.5 * (v[0] * v[0] + v[1] * v[1]) - mu / hypot(q[0], q[1]), -mu / (2 * a), 1e-12);
      ck_assert_double_eq_tol(q[0] * v[1] - q[1] * v[0], sqrt(mu * a * (1 - e * e)), 1e-13);
      ck_assert_double_eq_tol(hypot(q[0], q[1]) + hypot(q[0] + 2 * a * e, q[1]), 2 * a, 1e-13);
      rill_kepler_at(a, e, mu, mean - rate * d, before, other);
      rill_kepler_at(a, e, mu, mean + rate * d, after, other);
      for (int i = 0; i < 2; i++)
        ck_assert_double_eq_tol((after[i] - before[i]) / (2 * d), v[i], 1e-6 / pow(1 - e, 3.5));
    }
}
END_TEST

/* --- order --- */

static const struct {
  const char *method;
  int order;
} controlled[] = {{"verlet-transformed", 2},
                  {"verlet-adaptive", 2},
                  {"verlet-naive", 2},
                  {"verlet-transformed/yoshida4", 4},
                  {"verlet-adaptive/yoshida4", 4}};
enum { CONTROLLED = sizeof controlled / sizeof controlled[0] };

static double error_after(const char *method, double h, double tau) {
  struct small small = small_create("kepler", "", method, h, 0);
  double error;
  small_run(&small, (uint64_t)llround(tau / h));
  error = error_of(&small, h);
  small_destroy(&small);
  return error;
}

START_TEST(order_against_the_exact_motion) {
  for (int m = 0; m < CONTROLLED; m++) {
    const double h = 0.01, coarse = error_after(controlled[m].method, h, 10),
                 fine = error_after(controlled[m].method, 0.5 * h, 10);
    print("order", controlled[m].method, log2(coarse / fine), fine);
    ck_assert_double_eq_tol(log2(coarse / fine), controlled[m].order, 0.1);
    ck_assert_double_le(fine, 2e-3);
  }
}
END_TEST

/* --- reversal --- */

static double comes_back(const char *method) {
  struct small small = small_create("kepler", "anomaly = 0.4", method, 0.05, 0);
  struct rill_state *state = small.system->state;
  double q[2], p[2], away;
  memcpy(q, state->q, sizeof q);
  memcpy(p, state->p, sizeof p);
  for (int leg = 0; leg < 2; leg++) {
    small_run(&small, 300);
    for (int i = 0; i < 2; i++) state->p[i] = -state->p[i];
  }
  away = fmax(hypot(state->q[0] - q[0], state->q[1] - q[1]), hypot(state->p[0] - p[0], state->p[1] - p[1]));
  small_destroy(&small);
  return away;
}

START_TEST(reversal) {
  ck_assert_double_le(comes_back("verlet-transformed"), 1e-12);
  ck_assert_double_le(comes_back("verlet-adaptive"), 1e-12);
  ck_assert_double_ge(comes_back("verlet-naive"), 1e-2);
}
END_TEST

/* --- symplecticity, with what the clock carries fixed --- */

static double symplecticity(const char *method, double carried) {
  const double d = 1e-5;
  double columns[4][4], worst = 0;
  for (int c = 0; c < 4; c++)
    for (int side = 0; side < 2; side++) {
      struct small small = small_create("kepler", "anomaly = 0.4", method, 0.05, 0);
      struct rill_state *state = small.system->state;
      double *z[4] = {&state->q[0], &state->q[1], &state->p[0], &state->p[1]};
      clock_of(&small)[RILL_CLOCK_CARRIED] = carried;
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
  ck_assert_double_le(symplecticity("verlet-transformed", -0.5), 1e-8);
  ck_assert_double_ge(symplecticity("verlet-adaptive", 1), 1e-3);
  ck_assert_double_ge(symplecticity("verlet-naive", 1), 1e-3);
}
END_TEST

/* All of them are central: a step keeps the angular momentum. */
START_TEST(angular_momentum) {
  static const char *const names[] = {"verlet-transformed", "verlet-adaptive", "verlet-naive"};
  for (int i = 0; i < 3; i++) {
    struct small small = small_create("kepler", "", names[i], 0.03, 0);
    const double *q = small.system->state->q, *p = small.system->state->p, first = q[0] * p[1] - q[1] * p[0];
    small_run(&small, 2000);
    ck_assert_double_eq_tol(q[0] * p[1] - q[1] * p[0], first, 1e-13);
    small_destroy(&small);
  }
}
END_TEST

/* --- the energy over many periods --- */

/* Largest deviation in the first and the last hundredth of a run; the number of steps until it ended by failure. */
static uint64_t drift(const char *method, double h, uint64_t steps, double *first, double *last) {
  struct small small = small_create("kepler", "", method, h, 0);
  *first = *last = 0;
  while (small.done < steps && small_try_step(&small) == RILL_OK) {
    if (small.done < steps / 100) *first = fmax(*first, energy_error(&small));
    else if (small.done > steps - steps / 100) *last = fmax(*last, energy_error(&small));
  }
  steps = small.done;
  small_destroy(&small);
  return steps;
}

START_TEST(energy_over_ten_thousand_periods) {
  static const char *const kept[] = {"verlet-transformed", "verlet-adaptive"};
  const double tau = fictitious_period();
  double first, last;
  uint64_t made;
  for (int i = 0; i < 2; i++) {
    made = drift(kept[i], tau / 200, 200 * 10000, &first, &last);
    print("energy", kept[i], first, last);
    ck_assert_uint_eq(made, 200 * 10000);
    ck_assert(first < 1e-2 && last < 1.001 * first);
  }
  /* Naive control gains energy until the motion is not bound any more. */
  made = drift("verlet-naive", tau / 200, 200 * 10000, &first, &last);
  print("unbound at step", "verlet-naive", (double)made, first);
  ck_assert_uint_lt(made, 200 * 2000);
  ck_assert_ptr_nonnull(strstr(small_error.text, "the density of steps has left its range"));
  /* With more steps it drifts more slowly, in proportion to time. */
  made = drift("verlet-naive", tau / 1000, 1000 * 500, &first, &last);
  print("energy", "verlet-naive, 1000", first, last);
  ck_assert(made == 1000 * 500 && last > 10 * first);
}
END_TEST

/* --- work against precision --- */

static void work(const char *method, uint64_t per_period, double *position, double *energy) {
  const double h = (strcmp(method, "verlet") == 0 ? PERIOD : fictitious_period()) / (double)per_period;
  struct small small = small_create("kepler", "", method, h, 0);
  *energy = 0;
  for (uint64_t k = 0; k < 10 * per_period; k++) {
    small_run(&small, 1);
    *energy = fmax(*energy, energy_error(&small));
  }
  *position = error_of(&small, h);
  small_destroy(&small);
}

/* Steps in a period, and the errors after ten: all have order 2 in both, but for fixed steps the pericentre is too
 * fast. */
START_TEST(work_and_precision) {
  static const char *const names[] = {"verlet", "verlet-transformed", "verlet-adaptive", "verlet-naive"};
  double position[4][2], energy[4][2];
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++) {
      work(names[i], k == 0 ? 2000 : 4000, &position[i][k], &energy[i][k]);
      print("work", names[i], position[i][k], energy[i][k]);
    }
  for (int i = 1; i < 4; i++) {
    ck_assert_double_eq_tol(log2(position[i][0] / position[i][1]), 2, 0.15);
    ck_assert_double_eq_tol(log2(energy[i][0] / energy[i][1]), 2, 0.15);
    ck_assert_double_ge(energy[0][1], 300 * energy[i][1]);
    ck_assert_double_ge(position[0][1], 300 * position[i][1]);
  }
  ck_assert_double_ge(position[2][1], 10 * position[1][1]); /* the phase of the adaptive steps is not as good */
}
END_TEST

/* --- Kane, Marsden & Ortiz --- */

/* Where the equations have solutions the discrete energy and the angular momentum are kept to rounding, and the
 * motion has order 2; where not, the step says so. */
START_TEST(energy_and_momentum_by_the_length_of_the_step) {
  double error[2];
  for (int k = 0; k < 2; k++) {
    const double h = ldexp(0.02, -k);
    struct small small = small_create("kepler", "anomaly = 1; eccentricity = 0.3", "dvp-energy", h, 0);
    const double *q = small.system->state->q, *p = small.system->state->p, momentum = q[0] * p[1] - q[1] * p[0];
    double at[2], v[2], before[2], least = INFINITY, most = 0;
    for (int i = 0; i < 2000 << k; i++) {
      double w[2], middle[2];
      const double *clock = clock_of(&small);
      memcpy(before, q, sizeof before);
      small_run(&small, 1);
      for (int c = 0; c < 2; c++) {
        w[c] = (q[c] - before[c]) / clock[RILL_CLOCK_LENGTH];
        middle[c] = 0.5 * (q[c] + before[c]);
      }
      ck_assert_double_eq_tol(0.5 * (w[0] * w[0] + w[1] * w[1]) - 1 / hypot(middle[0], middle[1]),
                              clock[RILL_CLOCK_CARRIED], 1e-12);
      ck_assert_double_eq_tol(q[0] * p[1] - q[1] * p[0], momentum, 1e-12);
      least = fmin(least, clock[RILL_CLOCK_LENGTH]);
      most = fmax(most, clock[RILL_CLOCK_LENGTH]);
    }
    rill_kepler_at(1, 0.3, 1, 1 + time_of(&small, h), at, v);
    error[k] = hypot(q[0] - at[0], q[1] - at[1]);
    ck_assert(most > 1.5 * least);
    small_destroy(&small);
  }
  print("dvp-energy", "order", log2(error[0] / error[1]), error[1]);
  ck_assert_double_eq_tol(log2(error[0] / error[1]), 2, 0.1);
}
END_TEST

START_TEST(no_length_of_the_step_keeps_the_energy) {
  struct small small = small_create("kepler", "anomaly = 2", "dvp-energy", 0.01, 0);
  double q[2];
  while (small.done < 1000 && small_try_step(&small) == RILL_OK) memcpy(q, small.system->state->q, sizeof q);
  ck_assert(small.done > 100 && small.done < 1000);
  ck_assert_ptr_nonnull(strstr(small_error.text, "no length of the step was found that keeps the discrete energy"));
  ck_assert_mem_eq(q, small.system->state->q, sizeof q);
  small_destroy(&small);
}
END_TEST

/* --- the clock is part of the state --- */

START_TEST(a_failed_step_restores_the_clock) {
  struct small small = small_create("kepler", "", "verlet-adaptive", 0.02, 0);
  double *clock = clock_of(&small), before[RILL_CLOCK];
  small_run(&small, 10);
  memcpy(before, clock, sizeof before);
  small.system->ops->save(small.system->self);
  for (int i = 0; i < RILL_CLOCK; i++) clock[i] += 1;
  small.system->ops->restore(small.system->self);
  ck_assert_mem_eq(before, clock, sizeof before);
  small_destroy(&small);
}
END_TEST

START_TEST(what_is_refused) {
  struct rill_system kepler = small_system("kepler", ""), pendulum = small_system("simple-pendulum", ""),
                     rods = small_system("planar-pendulum", "");
  const struct rill_method *adaptive = rill_method_find("verlet-adaptive"), *energy = rill_method_find("dvp-energy");
  ck_assert_int_eq(rill_method_refusal(adaptive, &kepler, RILL_NO_BATH), RILL_BINDS);
  ck_assert_int_eq(rill_method_refusal(adaptive, &kepler, RILL_GLA), RILL_REFUSED_OU_CLOCK);
  ck_assert_int_eq(rill_method_refusal(adaptive, &pendulum, RILL_NO_BATH), RILL_REFUSED_STEP_SIZE);
  ck_assert_int_eq(rill_method_refusal(energy, &pendulum, RILL_NO_BATH), RILL_BINDS);
  ck_assert_int_eq(rill_method_refusal(energy, &rods, RILL_NO_BATH), RILL_REFUSED_CONSTRAINTS);
  small_destroy_system(&kepler);
  small_destroy_system(&pendulum);
  small_destroy_system(&rods);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("step control");
  TCase *laws = tcase_create("laws");
  tcase_add_test(laws, exact_motion);
  tcase_add_test(laws, order_against_the_exact_motion);
  tcase_add_test(laws, reversal);
  tcase_add_test(laws, symplectic);
  tcase_add_test(laws, angular_momentum);
  tcase_add_test(laws, energy_over_ten_thousand_periods);
  tcase_add_test(laws, work_and_precision);
  tcase_add_test(laws, energy_and_momentum_by_the_length_of_the_step);
  tcase_add_test(laws, no_length_of_the_step_keeps_the_energy);
  tcase_add_test(laws, a_failed_step_restores_the_clock);
  tcase_add_test(laws, what_is_refused);
  tcase_set_timeout(laws, 120);
  suite_add_tcase(suite, laws);
  return rill_run_suite(suite);
}
