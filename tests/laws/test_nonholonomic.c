/* Constraints on velocities: the discrete Lagrange-d'Alembert principle on three systems against their closed forms,
 * its constraint, its reversibility and its energy, beside RK4; and the mutant that puts the constraint into the
 * action (vakonomic), which converges to another motion. */
#include "small.h"

enum { LARGEST = 4 };

static const char *const systems[] = {"rolling-disk", "chaplygin-sleigh", "nonholonomic-particle"};
enum { DISK, SLEIGH, PARTICLE, SYSTEMS };

static double distance(const double *a, const double *b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* --- closed forms, for the defaults of the systems --- */

/* Circles: x' = R cos(phi) spin, with phi = heading + turn t. */
static void disk_at(double t, double *q) {
  const double heading = 0.4, spin = 1.3, turn = 0.7, phi = heading + turn * t, radius = spin / turn;
  q[0] = radius * (sin(phi) - sin(heading));
  q[1] = radius * (cos(heading) - cos(phi));
  q[2] = phi;
  q[3] = spin * t;
}

/* u = V tanh(s), omega = (V/b) sech(s), s = s_0 + a V t / b^2, b^2 = (I + m a^2)/m, V the speed that the energy
 * belongs to; theta by the Gudermannian. */
static const double A_OFFSET = 0.4, SPEED = -0.5, TURN = 1, THETA = 0.3;

static void sleigh_velocities(double t, double *u, double *omega, double *theta) {
  const double square = 0.5 + A_OFFSET * A_OFFSET, b = sqrt(square), v = sqrt(SPEED * SPEED + square * TURN * TURN),
               first = atanh(SPEED / v), s = first + A_OFFSET * v * t / square;
  *u = v * tanh(s);
  *omega = v / (b * cosh(s));
  *theta = THETA + 2 * b / A_OFFSET * (atan(tanh(0.5 * s)) - atan(tanh(0.5 * first)));
}

/* The centre of mass, by Simpson's rule over its closed velocity. */
static void sleigh_at(double t, double *q) {
  enum { PARTS = 2000 };
  double omega, u;
  q[0] = q[1] = 0;
  for (int i = 0; i <= PARTS; i++) {
    const double weight = (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2) * t / (3.0 * PARTS);
    double theta;
    sleigh_velocities(t * i / PARTS, &u, &omega, &theta);
    q[0] += weight * (cos(theta) * u - sin(theta) * A_OFFSET * omega);
    q[1] += weight * (sin(theta) * u + cos(theta) * A_OFFSET * omega);
  }
  sleigh_velocities(t, &u, &omega, &q[2]);
}

/* y' = b; x' = C / sqrt(1 + y^2); z' = y x'. */
static void particle_at(double t, double *q) {
  const double y = -1, b = 0.6, c = 0.8 * sqrt(1 + y * y);
  q[1] = y + b * t;
  q[0] = c / b * (asinh(q[1]) - asinh(y));
  q[2] = c / b * (sqrt(1 + q[1] * q[1]) - sqrt(1 + y * y));
}

static void (*const closed[SYSTEMS])(double t, double *q) = {disk_at, sleigh_at, particle_at};

/* --- order --- */

static double error_at(int which, const char *method, double h, double t) {
  struct small small = small_create(systems[which], "", method, h, 0);
  double q[LARGEST] = {0}, error;
  small_run(&small, (uint64_t)llround(t / h));
  closed[which](t, q);
  error = distance(small.system->state->q, q, small.system->state->n);
  small_destroy(&small);
  return error;
}

START_TEST(order_against_closed_forms) {
  static const struct {
    const char *method;
    int order;
    double h;
  } rows[] = {{"lagrange-d-alembert", 2, 0.05},
              {"lagrange-d-alembert/yoshida4", 4, 0.1},
              {"rk4", 4, 0.1},
              {"rk4-projected", 4, 0.1}};
  for (int s = 0; s < SYSTEMS; s++)
    for (size_t m = 0; m < sizeof rows / sizeof rows[0]; m++) {
      const double coarse = error_at(s, rows[m].method, rows[m].h, 4),
                   fine = error_at(s, rows[m].method, 0.5 * rows[m].h, 4), order = log2(coarse / fine);
      if (getenv("LAWS_PRINT")) printf("order %-22s %-30s %.3f (%.2e)\n", systems[s], rows[m].method, order, fine);
      ck_assert_msg(fine < 2e-4 && fabs(order - rows[m].order) < 0.3, "%s on %s: order %.3f, error %.2e",
                    rows[m].method, systems[s], order, fine);
    }
}
END_TEST

/* The contact of a disk is on the circle of its closed form: radius and centre at order 2. */
START_TEST(the_disk_runs_round_its_circle) {
  double error[2] = {0};
  for (int i = 0; i < 2; i++) {
    const double h = ldexp(0.1, -i);
    struct small small = small_create("rolling-disk", "", "lagrange-d-alembert", h, 0);
    const double *q = small.system->state->q, radius = 1.3 / 0.7;
    for (int k = 0; k < 1000; k++) {
      small_run(&small, 1);
      error[i] = fmax(error[i], fabs(hypot(q[0] + radius * sin(0.4), q[1] - radius * cos(0.4)) - radius));
    }
    small_destroy(&small);
  }
  ck_assert_double_le(error[0], 3e-3);
  ck_assert_double_eq_tol(log2(error[0] / error[1]), 2, 0.1);
}
END_TEST

/* --- the mutant --- */

/* The action of the particle with the constraint in it, h (L + lambda (z' - y x')), made stationary over q and lambda
 * at the same midpoint: it keeps the constraint as well, and starts with the same velocity. */
static double vakonomic_error(double h, double t) {
  double q[3] = {0, -1, 0}, p[3] = {0.8, 0.6, -0.8}, exact[3];
  for (int k = (int)llround(t / h); k > 0; k--) {
    double wx = 0, wy = p[1], y = 0, lambda = 0;
    for (int i = 0; i < 60; i++) {
      y = q[1] + 0.5 * h * wy;
      lambda = (p[2] - y * p[0]) / (1 + y * y);
      wx = p[0] + lambda * y;
      wy = p[1] - 0.5 * h * lambda * wx;
    }
    p[1] = wy - 0.5 * h * lambda * wx;
    q[0] += h * wx;
    q[1] += h * wy;
    q[2] += h * y * wx;
  }
  particle_at(t, exact);
  return distance(q, exact, 3);
}

START_TEST(vakonomic_motion_is_another_motion) {
  ck_assert_double_ge(vakonomic_error(0.05, 4), 0.05);
  ck_assert_double_eq_tol(vakonomic_error(0.05, 4) / vakonomic_error(0.025, 4), 1, 0.02); /* does not converge */
  ck_assert_double_le(error_at(PARTICLE, "lagrange-d-alembert", 0.025, 4), 2e-4);
}
END_TEST

/* --- the constraint --- */

/* Largest A v at the end of steps, and A((q + q')/2) (q' - q)/h over them. */
static void deviations(int which, const char *method, double h, int steps, double *velocity, double *discrete) {
  struct small small = small_create(systems[which], "", method, h, 0);
  const struct rill_nonholonomic *constraints = small.system->nonholonomic;
  const struct rill_state *state = small.system->state;
  const size_t n = state->n;
  struct rill_observation observation;
  double q[LARGEST], middle[LARGEST], a[2 * LARGEST];
  *velocity = *discrete = 0;
  for (int k = 0; k < steps; k++) {
    memcpy(q, state->q, n * sizeof *q);
    small_run(&small, 1);
    small_energy(&small, &observation);
    *velocity = fmax(*velocity, observation.velocity_deviation_max);
    for (size_t i = 0; i < n; i++) middle[i] = 0.5 * (q[i] + state->q[i]);
    constraints->ops->rows(constraints->self, middle, a);
    for (size_t r = 0; r < constraints->k; r++) {
      double sum = 0;
      for (size_t i = 0; i < n; i++) sum += a[r * n + i] * (state->q[i] - q[i]) / h;
      *discrete = fmax(*discrete, fabs(sum));
    }
  }
  small_destroy(&small);
}

START_TEST(the_constraint_is_kept_to_rounding) {
  for (int s = 0; s < SYSTEMS; s++) {
    double velocity, discrete;
    deviations(s, "lagrange-d-alembert", 0.1, 300, &velocity, &discrete);
    if (getenv("LAWS_PRINT")) printf("constraint %-22s %.1e %.1e\n", systems[s], velocity, discrete);
    ck_assert_double_le(velocity, 1e-13);
    ck_assert_double_le(discrete, 3e-13); /* rounding of positions over h */
    deviations(s, "rk4-projected", 0.1, 300, &velocity, &discrete);
    ck_assert_double_le(velocity, 1e-13);
    ck_assert_double_ge(discrete, 1e-7);
    deviations(s, "rk4", 0.1, 300, &velocity, &discrete);
    if (s == SLEIGH) ck_assert_double_ge(velocity, 1e-8); /* exact where the rates of the step are constant */
  }
}
END_TEST

/* --- reversibility --- */

static double comes_back(int which, const char *method) {
  struct small small = small_create(systems[which], "", method, 0.1, 0);
  struct rill_state *state = small.system->state;
  double q[LARGEST], away;
  memcpy(q, state->q, state->n * sizeof *q);
  small_run(&small, 50);
  for (size_t i = 0; i < state->n; i++) state->p[i] = -state->p[i];
  small_run(&small, 50);
  away = distance(state->q, q, state->n);
  small_destroy(&small);
  return away;
}

START_TEST(steps_are_reversible) {
  for (int s = 0; s < SYSTEMS; s++) {
    ck_assert_double_le(comes_back(s, "lagrange-d-alembert"), 1e-11);
    if (s != DISK) ck_assert_double_ge(comes_back(s, "rk4"), 1e-9);
  }
}
END_TEST

/* --- energy, which no theorem protects --- */

/* The largest change of the energy in the first and in the last tenth of the run, relative to the start. */
static void changes(const char *kind, const char *settings, const char *method, double h, int steps, double *first,
                    double *last) {
  struct small small = small_create(kind, settings, method, h, 0);
  struct rill_observation observation;
  const double start = small_energy(&small, &observation);
  *first = *last = 0;
  for (int k = 0; k < steps; k++) {
    double change;
    small_run(&small, 1);
    change = fabs(small_energy(&small, &observation) / start - 1);
    if (k < steps / 10) *first = fmax(*first, change);
    if (k >= steps - steps / 10) *last = fmax(*last, change);
  }
  small_destroy(&small);
}

static void print_change(const char *what, double first, double last) {
  if (getenv("LAWS_PRINT")) printf("energy %-28s %.1e %.1e\n", what, first, last);
}

/* Of a bounded motion that comes back for ever, the error of the reversible method is that of its first periods, and
 * that of RK4 grows, projected or not.  The sleigh ends in straight motion: there is no long time, and order 4 wins.
 */
START_TEST(energy_beside_rk4) {
  static const char spring[] = "stiffness = 1; position = 0.3 -1 0";
  static const char *const others[] = {"rk4", "rk4-projected"};
  double first, last, sleigh;
  changes("rolling-disk", "", "lagrange-d-alembert", 0.2, 2000, &first, &last);
  print_change("disk", first, last);
  ck_assert_double_le(last, 1e-11); /* its rates are constant, discretely too */
  changes("nonholonomic-particle", spring, "lagrange-d-alembert", 0.2, 20000, &first, &last);
  print_change("particle", first, last);
  ck_assert(first < 5e-3 && last < 1.1 * first);
  for (int i = 0; i < 2; i++) {
    changes("nonholonomic-particle", spring, others[i], 0.2, 20000, &first, &last);
    print_change(others[i], first, last);
    ck_assert(last > 8 * first && last > 8e-3);
  }
  changes("chaplygin-sleigh", "", "lagrange-d-alembert", 0.1, 1000, &first, &sleigh);
  print_change("sleigh", first, sleigh);
  changes("chaplygin-sleigh", "", "rk4", 0.1, 1000, &first, &last);
  print_change("sleigh, rk4", first, last);
  ck_assert(sleigh < 1e-3 && last < sleigh / 100);
}
END_TEST

/* --- refusal --- */

START_TEST(other_methods_are_refused_by_name) {
  size_t count, bound = 0;
  const struct rill_method *const *methods = rill_methods(&count);
  for (int s = 0; s < SYSTEMS; s++) {
    struct rill_system system = small_system(systems[s], "");
    for (size_t k = 0; k < count; k++) {
      const enum rill_refusal refusal = rill_method_refusal(methods[k], &system, RILL_NO_BATH);
      bound += refusal == RILL_BINDS;
      ck_assert_msg(methods[k]->nonholonomic ? refusal == RILL_BINDS : refusal == RILL_REFUSED_VELOCITY_CONSTRAINTS,
                    "%s", methods[k]->name);
    }
    ck_assert_int_eq(rill_method_refusal(rill_method_find("rk4"), &system, RILL_GLA), RILL_REFUSED_OU);
    small_destroy_system(&system);
  }
  ck_assert_uint_eq(bound, 3 * SYSTEMS);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("nonholonomic");
  TCase *laws = tcase_create("laws");
  tcase_add_test(laws, order_against_closed_forms);
  tcase_add_test(laws, the_disk_runs_round_its_circle);
  tcase_add_test(laws, vakonomic_motion_is_another_motion);
  tcase_add_test(laws, the_constraint_is_kept_to_rounding);
  tcase_add_test(laws, steps_are_reversible);
  tcase_add_test(laws, energy_beside_rk4);
  tcase_add_test(laws, other_methods_are_refused_by_name);
  suite_add_tcase(suite, laws);
  return rill_run_suite(suite);
}
