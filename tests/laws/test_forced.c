/* Forces beside those of the Lagrangian, in all methods that take them: order, the adjoint, the rate of decay of a
 * damped oscillator, the balance of momenta (the forced discrete Noether theorem), refusals.  Each law is shown to
 * see a friction that is wrong by a thousandth, or a force at the wrong time. */
#include "integrators/splittings.h"
#include "small.h"

enum { LARGEST = 16 };

struct forced {
  struct rill_system system;
  struct rill_forcing forcing;
  struct rill_integrator *integrator;
  double constant[LARGEST], amplitude[LARGEST], now[LARGEST], h;
  uint64_t done;
};

/* The forces in general position, of friction alone, or none. */
enum { ALL_FORCES, FRICTION_ALONE, CONSTANT_ALONE };

/* name: a method with options; also "verlet/d-alembert". */
static enum rill_status try_start(struct forced *f, const char *kind, const char *settings, const char *name,
                                  int which, double friction, double h) {
  struct rill_binding_options options = small_options(h, 0.3);
  const struct rill_method *method;
  const bool alembert = strstr(name, "/d-alembert") != NULL;
  char plain[128];
  memset(f, 0, sizeof *f);
  snprintf(plain, sizeof plain, "%.*s", (int)(strlen(name) - (alembert ? strlen("/d-alembert") : 0)), name);
  method = small_method(plain, &options.method);
  options.composition = small_composition(plain);
  if (alembert) options.method.forces = RILL_FORCED_ALEMBERT;
  f->system = small_system(kind, settings);
  ck_assert_uint_le(f->system.state->n, LARGEST);
  f->h = h;
  f->forcing = (struct rill_forcing){.n = f->system.state->n, .friction = friction, .omega = 1.7, .phase = 0.4};
  f->forcing.now = f->now;
  if (which != FRICTION_ALONE) f->forcing.constant = f->constant;
  if (which == ALL_FORCES) f->forcing.amplitude = f->amplitude;
  for (size_t i = 0; i < LARGEST; i++) {
    f->constant[i] = 0.11 - 0.04 * (double)(i % 5);
    f->amplitude[i] = 0.07 + 0.03 * (double)(i % 4);
  }
  f->system.forcing = &f->forcing;
  return rill_integrator_create(method, &f->system, &options, &f->integrator, &small_error);
}

static void start(struct forced *f, const char *kind, const char *settings, const char *name, int which,
                  double friction, double h) {
  const enum rill_status status = try_start(f, kind, settings, name, which, friction, h);
  ck_assert_msg(status == RILL_OK, "%s on %s: %s", name, kind, small_error.text);
}

static void advance(struct forced *f, uint64_t steps) {
  for (uint64_t i = 0; i < steps; i++)
    ck_assert_msg(rill_integrator_step(f->integrator, f->done++, false, &small_error) == RILL_OK, "%s",
                  small_error.text);
}

static void finish(struct forced *f) {
  rill_integrator_destroy(f->integrator);
  small_destroy_system(&f->system);
}

static double distance(const double *a, const double *b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void get(const struct forced *f, double *z) {
  const size_t n = f->system.state->n;
  memcpy(z, f->system.state->q, n * sizeof *z);
  memcpy(z + n, f->system.state->p, n * sizeof *z);
}

/* --- order --- */

static const struct {
  const char *kind, *settings;
  double h;
} specimens[] = {
    {"harmonic-oscillator", "velocity = 0.3; stiffness = 1.3", 0.2},
    {"simple-pendulum", "rate = 0.4", 0.2},
    {"planar-pendulum", "rate = 0.7", 0.1},
    {"spherical-pendulum", "", 0.02},
    {"spherical-pendulum-angles", "", 0.02},
    {"double-pendulum", "rates = 0.5 -0.3", 0.1},
    {"double-pendulum", "rates = 0.5 -0.3; formulation = penalised; stiffness = 2", 0.05},
    {"double-pendulum-angles", "rates = 0.5 -0.3", 0.05},
};
enum { SPECIMENS = sizeof specimens / sizeof specimens[0] };

static const struct {
  const char *name;
  int order;
} methods[] = {{"verlet", 2},
               {"verlet/d-alembert", 2},
               {"yoshida4", 4},
               {"yoshida4/d-alembert", 4},
               {"verlet/yoshida6", 6},
               {"zs", 2},
               {"dvp", 2},
               {"dvp/yoshida4", 4},
               {"dvp-onepoint", 1},
               {"variational-euler", 1},
               {"galerkin/1/lobatto", 2},
               {"galerkin/2/gauss", 4},
               {"galerkin/2/lobatto", 4},
               {"galerkin/3/gauss", 6},
               {"galerkin/3/lobatto", 6},
               {"shooting/implicit-midpoint/trapezoid", 2},
               {"shooting/explicit-midpoint/gauss1", 2},
               {"shooting/rk4/simpson", 4},
               {"shooting/rk4/gauss2", 4},
               {"rk4", 4}};
enum { METHODS = sizeof methods / sizeof methods[0] };

static enum rill_friction_law law_now;

/* At a time of 16 steps h; the law of the friction is set after binding, which does not depend on it here. */
static bool state_at(size_t s, const char *name, double h, double *z) {
  struct forced f;
  bool binds = try_start(&f, specimens[s].kind, specimens[s].settings, name, ALL_FORCES, 0.4, h) == RILL_OK;
  if (binds) {
    f.forcing.law = law_now;
    advance(&f, (uint64_t)llround(16 * specimens[s].h / h));
    get(&f, z);
  }
  finish(&f);
  return binds;
}

static double measured_order(size_t s, const char *name, const double *exact) {
  double error = 0, order = NAN;
  for (int halvings = 0; halvings <= 5; halvings++) {
    double z[2 * LARGEST] = {0}, before = error;
    if (!state_at(s, name, ldexp(specimens[s].h, -halvings), z)) return NAN;
    error = distance(z, exact, 2 * LARGEST);
    if (error < 2e-12) break;
    if (before > 0) order = log2(before / error);
  }
  return order;
}

static void check_orders(void) {
  size_t checked = 0;
  for (size_t s = 0; s < SPECIMENS; s++) {
    double exact[2 * LARGEST] = {0}, other[2 * LARGEST] = {0};
    struct rill_system system = small_system(specimens[s].kind, specimens[s].settings);
    const bool constrained = system.lagrangian->m > 0, flows = system.flow->drift != NULL;
    small_destroy_system(&system);
    if (law_now == RILL_FRICTION_PER_MASS && constrained) continue; /* unequal masses: refused, below */
    ck_assert(state_at(s, flows ? "verlet/yoshida8" : "dvp/yoshida8", specimens[s].h / 16, exact));
    ck_assert(state_at(s, constrained ? "dvp/yoshida6" : "rk4", specimens[s].h / 64, other));
    ck_assert_msg(distance(exact, other, 2 * LARGEST) < 1e-8, "references differ by %g on %s",
                  distance(exact, other, 2 * LARGEST), specimens[s].kind);
    for (size_t m = 0; m < METHODS; m++) {
      const double order = measured_order(s, methods[m].name, exact);
      if (getenv("LAWS_PRINT"))
        printf("forced order %-38s %-28s %d %.3f\n", methods[m].name, specimens[s].kind, methods[m].order, order);
      if (isnan(order)) continue;
      checked++;
      ck_assert_msg(order > methods[m].order - (methods[m].order > 4 ? 0.6 : 0.25) && order < methods[m].order + 1.6,
                    "%s on %s with \"%s\": order %.3f, not %d", methods[m].name, specimens[s].kind,
                    specimens[s].settings, order, methods[m].order);
    }
  }
  ck_assert_uint_ge(checked, law_now == RILL_FRICTION_PER_MASS ? 70 : 90);
}

START_TEST(order_under_a_rate) {
  law_now = RILL_FRICTION_UNIFORM;
  check_orders();
}
END_TEST

START_TEST(order_under_gamma) {
  law_now = RILL_FRICTION_PER_MASS;
  check_orders();
}
END_TEST

/* A force at the beginning of the step instead of its middle, as a wrong program would have it. */
START_TEST(order_sees_a_force_at_the_wrong_time) {
  double exact[2 * LARGEST] = {0}, error[2];
  law_now = RILL_FRICTION_UNIFORM;
  ck_assert(state_at(1, "rk4", 0.2 / 64, exact));
  for (int i = 0; i < 2; i++) {
    const double h = ldexp(0.05, -i);
    double z[2 * LARGEST] = {0};
    struct forced f;
    start(&f, "simple-pendulum", "rate = 0.4", "verlet", ALL_FORCES, 0.4, h);
    f.forcing.phase -= 0.5 * h * f.forcing.omega;
    advance(&f, (uint64_t)llround(3.2 / h));
    get(&f, z);
    error[i] = distance(z, exact, 2 * LARGEST);
    finish(&f);
  }
  ck_assert_double_le(log2(error[0] / error[1]), 1.3);
}
END_TEST

/* --- the adjoint: a step of -h undoes a step of h, friction included --- */

static double undone(const char *name, double wrong) {
  struct forced f, back;
  double z[2 * LARGEST], from[2 * LARGEST];
  start(&f, "double-pendulum", "rates = 0.5 -0.3; formulation = penalised; stiffness = 2", name, FRICTION_ALONE, 0.4,
        0.05);
  start(&back, "double-pendulum", "rates = 0.5 -0.3; formulation = penalised; stiffness = 2", name, FRICTION_ALONE,
        0.4 * wrong, -0.05);
  get(&f, from);
  advance(&f, 20);
  memcpy(back.system.state->q, f.system.state->q, f.system.state->n * sizeof *z);
  memcpy(back.system.state->p, f.system.state->p, f.system.state->n * sizeof *z);
  advance(&back, 20);
  get(&back, z);
  const double away = distance(z, from, 2 * f.system.state->n);
  finish(&f);
  finish(&back);
  return away;
}

START_TEST(symmetric_methods_stay_symmetric) {
  static const char *const names[] = {"verlet", "verlet/d-alembert", "yoshida4",
                                      "dvp",    "galerkin/2/gauss",  "shooting/implicit-midpoint/trapezoid"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    ck_assert_msg(undone(names[i], 1) < 1e-11, "%s: %g", names[i], undone(names[i], 1));
    ck_assert_double_ge(undone(names[i], 1.001), 1e-5);
  }
  ck_assert_double_ge(undone("rk4", 1), 1e-9);
}
END_TEST

/* --- the damped oscillator --- */

/* The determinant of a step, which is linear: for the differential equation exp(-c h). */
static double determinant(const char *name, double h, double c) {
  double column[2][2];
  for (int i = 0; i < 2; i++) {
    struct forced f;
    start(&f, "harmonic-oscillator", i == 0 ? "position = 1; velocity = 0" : "position = 0; velocity = 1", name,
          FRICTION_ALONE, c, h);
    advance(&f, 1);
    get(&f, column[i]);
    finish(&f);
  }
  return column[0][0] * column[1][1] - column[0][1] * column[1][0];
}

/* The rate of decay of a step, relative to c; the amplitude decays with half of it. */
static double relative_rate(const char *name, double h, double c) { return -log(determinant(name, h, c)) / (c * h); }

static const double C = 0.1, H[] = {0.05, 0.2, 0.5, 1}; /* the oscillator has omega = 1 */

/* exp(-c h) to rounding, for any splitting with the exact flow of the friction. */
START_TEST(the_product_formula_contracts_exactly) {
  static const char *const names[] = {"verlet", "yoshida4", "yoshida6", "zs", "symplectic-euler"};
  for (size_t m = 0; m < sizeof names / sizeof names[0]; m++)
    for (int i = 0; i < 4; i++) {
      struct forced f;
      const bool binds = try_start(&f, "harmonic-oscillator", "", names[m], FRICTION_ALONE, C, H[i]) == RILL_OK;
      finish(&f);
      if (!binds) continue;
      ck_assert_msg(fabs(determinant(names[m], H[i], C) - exp(-C * H[i])) < 1e-14, "%s at %g: %.17g", names[m], H[i],
                    determinant(names[m], H[i], C));
      ck_assert(fabs(determinant(names[m], H[i], 1.001 * C) - exp(-C * H[i])) > 1e-6);
    }
}
END_TEST

/* Midpoint forces: q'' + c q' + q = 0 becomes (q+ - 2 q + q-)/h^2 + c (q+ - q-)/(2h) + (q+ + 2 q + q-)/4 = 0, so that
 * the determinant is (1 - s)/(1 + s), s = (c h/2)/(1 + h^2/4): the rate is c (1 - h^2/4 + c^2 h^2/12 + O(h^4)).  In
 * Verlet's form s = c h/2, and the rate is c (1 + c^2 h^2/12 + O(h^4)), whatever omega is. */
START_TEST(d_alembert_decays_at_order_two_with_the_derived_constant) {
  for (int i = 0; i < 4; i++) {
    const double h = H[i], s = 0.5 * C * h / (1 + 0.25 * h * h), v = 0.5 * C * h;
    ck_assert_double_eq_tol(determinant("dvp", h, C), (1 - s) / (1 + s), 1e-14);
    ck_assert_double_eq_tol(determinant("galerkin/1/gauss", h, C), (1 - s) / (1 + s), 1e-14);
    ck_assert_double_eq_tol(determinant("verlet/d-alembert", h, C), (1 - v) / (1 + v), 1e-14);
    ck_assert_double_eq_tol(determinant("galerkin/1/lobatto", h, C), (1 - v) / (1 + v), 1e-14);
    ck_assert_double_eq_tol((relative_rate("dvp", h, C) - 1) / (h * h), -0.25 + C * C / 12, 0.07 * h * h);
  }
  ck_assert_double_eq_tol((relative_rate("dvp", 0.05, C) - 1) / 0.0025, -0.25 + C * C / 12, 2e-4);
}
END_TEST

/* RK4 has four forces in a step: compared at 4 h.  For short steps it beats midpoint forces, not Verlet's form; for
 * long ones it is lost. */
START_TEST(rk4_of_equal_cost_wins_for_short_steps_alone) {
  double rk4[4], dvp[4];
  for (int i = 0; i < 4; i++) {
    rk4[i] = fabs(relative_rate("rk4", 4 * H[i], C) - 1);
    dvp[i] = fabs(relative_rate("dvp", H[i], C) - 1);
    if (getenv("LAWS_PRINT"))
      printf("decay h omega %.2f: error of the rate, dvp %.2e, verlet/d-alembert %.2e, verlet %.0e, rk4 %.2e\n", H[i],
             dvp[i], fabs(relative_rate("verlet/d-alembert", H[i], C) - 1),
             fabs(relative_rate("verlet", H[i], C) - 1), rk4[i]);
  }
  ck_assert(rk4[0] < dvp[0] / 10 && rk4[0] > fabs(relative_rate("verlet/d-alembert", 0.05, C) - 1));
  ck_assert(rk4[1] > dvp[1] && rk4[2] > 10 * dvp[2]);
  ck_assert_double_ge(determinant("rk4", 4, C), 1); /* grows */
}
END_TEST

/* --- momenta --- */

/* A force on a system that is invariant under translations: its sum is the rate of the momentum, and friction at a
 * rate damps it as it would a free particle. */
START_TEST(momentum_changes_by_the_impulse_of_the_forces) {
  static const char *const settings[] = {
      "masses = 2 1 3; rates = 0.5 -0.3; bending = 1",
      "masses = 2 1 3; rates = 0.5 -0.3; bending = 1; formulation = penalised; stiffness = 2"};
  size_t checked = 0;
  for (int s = 0; s < 2; s++)
    for (size_t m = 0; m < METHODS; m++) {
      struct forced f;
      double sum[2][2] = {{0}}, impulse[2] = {0};
      const bool binds =
          try_start(&f, "planar-triatomic", settings[s], methods[m].name, CONSTANT_ALONE, 0, 0.05) == RILL_OK;
      for (int leg = 0; binds && leg < 2; leg++) {
        for (size_t i = 0; i < 6; i++) sum[leg][i % 2] += f.system.state->p[i];
        if (leg == 0) advance(&f, 50);
      }
      for (size_t i = 0; i < 6; i++) impulse[i % 2] += 50 * 0.05 * f.constant[i];
      finish(&f);
      if (!binds) continue;
      checked++;
      for (int k = 0; k < 2; k++) {
        ck_assert_msg(fabs(sum[1][k] - sum[0][k] - impulse[k]) < 1e-12, "%s: %g, not %g", methods[m].name,
                      sum[1][k] - sum[0][k], impulse[k]);
        ck_assert(fabs(sum[1][k] - sum[0][k] - 1.001 * impulse[k]) > 1e-5);
      }
    }
  ck_assert_uint_ge(checked, 20);
}
END_TEST

/* The spherical pendulum's angular momentum about the vertical. */
static double about_vertical(const double *q, const double *p) { return q[0] * p[1] - q[1] * p[0]; }

/* Discrete Noether theorem: the momentum map changes by the work of F- and F+ on its generator.  Friction at a rate:
 * J' - J = -c h ((q + q')/2 x M w)_z for the midpoint and for Verlet's form, w = (q' - q)/h; the product formula
 * decays exactly. */
static double imbalance(const char *name, double factor) {
  struct forced f;
  double worst = 0;
  start(&f, "spherical-pendulum", "", name, FRICTION_ALONE, 0.3, 0.02);
  for (int k = 0; k < 50; k++) {
    double z[6], arm[3], w[3], change;
    get(&f, z);
    advance(&f, 1);
    for (int i = 0; i < 3; i++) {
      arm[i] = 0.5 * (z[i] + f.system.state->q[i]);
      w[i] = f.system.mechanical->mass[i] * (f.system.state->q[i] - z[i]) / f.h;
    }
    change = about_vertical(f.system.state->q, f.system.state->p) - about_vertical(z, z + 3);
    worst = fmax(worst, fabs(change + factor * 0.3 * f.h * about_vertical(arm, w)));
  }
  finish(&f);
  return worst;
}

START_TEST(angular_momentum_changes_by_the_work_of_the_discrete_forces) {
  struct forced f;
  double first;
  ck_assert_double_le(imbalance("dvp", 1), 1e-13);
  ck_assert_double_le(imbalance("verlet/d-alembert", 1), 1e-13);
  ck_assert_double_ge(imbalance("dvp", 1.001), 1e-9);
  ck_assert_double_ge(imbalance("verlet/d-alembert", 1.001), 1e-9);
  start(&f, "spherical-pendulum", "", "verlet", FRICTION_ALONE, 0.3, 0.02);
  first = about_vertical(f.system.state->q, f.system.state->p);
  ck_assert_double_ge(fabs(first), 0.01);
  advance(&f, 200);
  ck_assert_double_le(
      fabs(about_vertical(f.system.state->q, f.system.state->p) / (first * exp(-0.3 * 200 * 0.02)) - 1), 1e-12);
  finish(&f);
}
END_TEST

/* --- a forced pendulum with friction, in regular motion --- */

static double energy_at_100(const char *name, double h) {
  struct rill_observation observation;
  struct forced f;
  double energy;
  start(&f, "simple-pendulum", "angle = 0.4", name, ALL_FORCES, 0.1, h);
  advance(&f, (uint64_t)llround(100 / h));
  ck_assert(f.system.ops->observe(f.system.self, &observation, &small_error) == RILL_OK);
  energy = observation.kinetic + observation.potential;
  finish(&f);
  return energy;
}

START_TEST(energy_of_a_forced_pendulum_at_the_order_of_the_method) {
  static const struct {
    const char *name;
    int order;
    double h;
  } rows[] = {{"verlet", 2, 0.05},          {"verlet/d-alembert", 2, 0.05},   {"dvp", 2, 0.05}, {"yoshida4", 4, 0.05},
              {"galerkin/2/gauss", 4, 0.2}, {"shooting/rk4/simpson", 4, 0.1}, {"rk4", 4, 0.1}};
  const double exact = energy_at_100("verlet/yoshida8", 0.02), other = energy_at_100("galerkin/4/gauss", 0.05);
  ck_assert_double_eq_tol(exact, other, 1e-12);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const double coarse = fabs(energy_at_100(rows[i].name, rows[i].h) - exact),
                 fine = fabs(energy_at_100(rows[i].name, 0.5 * rows[i].h) - exact);
    if (getenv("LAWS_PRINT")) printf("energy %s %.3e %.3e of %.10f\n", rows[i].name, coarse, fine, exact);
    ck_assert_msg(fabs(log2(coarse / fine) - rows[i].order) < 0.2, "%s: order %.3f", rows[i].name,
                  log2(coarse / fine));
  }
}
END_TEST

/* --- the table --- */

START_TEST(a_table_is_linear_between_its_times) {
  const double times[] = {0, 1, 3}, table[] = {0, 10, 2, 10, -2, 30};
  const struct rill_forcing forcing = {.n = 2, .rows = 3, .times = times, .table = table};
  static const double at[][3] = {{0, 0, 10},  {0.25, 0.5, 10}, {1, 2, 10}, {2, 0, 20},
                                 {3, -2, 30}, {5, -2, 30},     {-1, 0, 10}};
  for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
    double force[2];
    rill_forcing_given(&forcing, at[i][0], force);
    ck_assert_double_eq_tol(force[0], at[i][1], 1e-15);
    ck_assert_double_eq_tol(force[1], at[i][2], 1e-14);
  }
}
END_TEST

/* --- refusal --- */

static void check_refusal(const char *kind, const char *settings, const char *name, const char *reason) {
  struct forced f;
  const enum rill_status status = try_start(&f, kind, settings, name, ALL_FORCES, 0.1, 0.1);
  ck_assert_msg(status == RILL_ERROR_UNSUPPORTED && strstr(small_error.text, reason) != NULL, "%s on %s: %s", name,
                kind, small_error.text);
  finish(&f);
}

START_TEST(what_has_no_forced_form_is_refused_by_name) {
  static const char free_pendulum[] = "rates = 0.5 -0.3; formulation = penalised; stiffness = 2";
  struct forced f;
  check_refusal("double-pendulum", free_pendulum, "implicit-midpoint", "no form with forces");
  check_refusal("double-pendulum", free_pendulum, "energy-momentum", "no form with forces");
  check_refusal("double-pendulum-angles", "", "dvp-generalised", "no form with forces");
  check_refusal("free-body", "", "lgvi", "no form with forces");
  check_refusal("double-pendulum", free_pendulum, "zs/d-alembert", "only verlet");
  check_refusal("double-pendulum", free_pendulum, "shooting/rk4/euler-maclaurin", "Euler-Maclaurin");
  ck_assert(try_start(&f, "simple-pendulum", "", "verlet", ALL_FORCES, 0.1, 0.1) == RILL_OK);
  ck_assert_int_eq(rill_method_refusal(&rill_method_verlet, &f.system, RILL_GLA), RILL_REFUSED_FORCED_BATH);
  finish(&f);
  ck_assert(try_start(&f, "double-pendulum", "masses = 1 2", "verlet", ALL_FORCES, 0.1, 0.1) == RILL_OK);
  ck_assert_int_eq(rill_method_refusal(&rill_method_verlet, &f.system, RILL_NO_BATH), RILL_BINDS);
  f.forcing.law = RILL_FRICTION_PER_MASS;
  ck_assert_int_eq(rill_method_refusal(&rill_method_verlet, &f.system, RILL_NO_BATH), RILL_REFUSED_FORCED_GAMMA);
  ck_assert_int_eq(rill_method_refusal(rill_method_find("dvp"), &f.system, RILL_NO_BATH), RILL_BINDS);
  finish(&f);
}
END_TEST

/* Each method either takes the forces or says that it does not. */
START_TEST(no_method_runs_unforced) {
  size_t count, taken = 0;
  const struct rill_method *const *all = rill_methods(&count);
  for (size_t k = 0; k < count; k++) {
    struct forced with, without;
    double a[2 * LARGEST] = {0}, b[2 * LARGEST] = {0};
    char name[64];
    snprintf(name, sizeof name, "%s", all[k]->name);
    if (try_start(&with, "simple-pendulum", "rate = 0.4", name, ALL_FORCES, 0.1, 0.1) == RILL_OK) {
      struct rill_binding_options options = small_options(0.1, 0.3);
      without = with;
      without.system = small_system("simple-pendulum", "rate = 0.4");
      ck_assert(rill_integrator_create(small_method(name, &options.method), &without.system, &options,
                                       &without.integrator, &small_error) == RILL_OK);
      advance(&with, 3);
      advance(&without, 3);
      get(&with, a);
      get(&without, b);
      ck_assert_msg(distance(a, b, 2) > 1e-3, "%s", name);
      finish(&without);
      taken++;
    }
    finish(&with);
  }
  ck_assert_uint_ge(taken, 10);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("forced");
  TCase *laws = tcase_create("laws");
  tcase_add_test(laws, order_under_a_rate);
  tcase_add_test(laws, order_under_gamma);
  tcase_add_test(laws, order_sees_a_force_at_the_wrong_time);
  tcase_add_test(laws, symmetric_methods_stay_symmetric);
  tcase_add_test(laws, the_product_formula_contracts_exactly);
  tcase_add_test(laws, d_alembert_decays_at_order_two_with_the_derived_constant);
  tcase_add_test(laws, rk4_of_equal_cost_wins_for_short_steps_alone);
  tcase_add_test(laws, momentum_changes_by_the_impulse_of_the_forces);
  tcase_add_test(laws, angular_momentum_changes_by_the_work_of_the_discrete_forces);
  tcase_add_test(laws, energy_of_a_forced_pendulum_at_the_order_of_the_method);
  tcase_add_test(laws, a_table_is_linear_between_its_times);
  tcase_add_test(laws, what_has_no_forced_form_is_refused_by_name);
  tcase_add_test(laws, no_method_runs_unforced);
  tcase_set_timeout(laws, 120);
  suite_add_tcase(suite, laws);
  return rill_run_suite(suite);
}
