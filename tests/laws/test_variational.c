/* Laws of the variational and of the conserving methods; every law has a mutant that must break it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/discrete_lagrangian.h"
#include "integrators/registry.h"
#include "suite.h"
#include "systems/registry.h"

enum { MOST = 8 };

static struct rill_error error;

#define OK(expression) ck_assert_msg((expression) == RILL_OK, "%s", error.text)

/* A system with some parameters given as deck text: name, value, name, value, ..., NULL. */
static struct rill_system make(const char *name, const char *const *given) {
  const struct rill_system_type *type = rill_system_type_find(name);
  struct rill_parameter_value values[RILL_PARAMETERS];
  struct rill_system system;
  ck_assert_msg(type != NULL, "no system %s", name);
  OK(rill_parameters_default(type, values, &error));
  for (; given != NULL && *given != NULL; given += 2) {
    size_t i = rill_parameter_index(type, given[0]);
    ck_assert_msg(i < type->parameter_count, "no parameter %s", given[0]);
    OK(rill_parameter_parse(type, &type->parameters[i], given[0], given[1], &values[i], &error));
  }
  OK(type->create(values, &system, &error));
  return system;
}

static struct rill_integrator *bind(const char *method, struct rill_system *system, double h) {
  const struct rill_binding_options options = {.step = h, .geodesic_steps = 1, .method = {.beta = 0.4}};
  struct rill_integrator *integrator;
  OK(rill_integrator_create(rill_method_find(method), system, &options, &integrator, &error));
  return integrator;
}

static void run(const char *method, struct rill_system *system, double h, int steps) {
  struct rill_integrator *integrator = bind(method, system, h);
  for (int k = 0; k < steps; k++) OK(rill_integrator_step(integrator, (uint64_t)k, false, &error));
  rill_integrator_destroy(integrator);
}

static struct rill_observation look(struct rill_system *system) {
  struct rill_observation observation;
  OK(system->ops->observe(system->self, &observation, &error));
  return observation;
}

static double energy(struct rill_system *system) {
  struct rill_observation observation = look(system);
  return observation.kinetic + observation.potential;
}

static double difference(const double *a, const double *b, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void destroy(struct rill_system *system) { system->ops->destroy(system->self); }

static const char *const penalised[] = {"formulation", "penalised", "stiffness", "20", NULL};
static const char *const moving[] = {"rates", "0.7 -0.4", NULL};

/* --- derivatives of Lagrangians: all by central differences of what is one order lower --- */

static double *entry(struct rill_lagrangian_values *values, int which, size_t i, size_t j, size_t n) {
  switch (which) {
  case 0: return &values->dqq[i * n + j];
  case 1: return &values->dqv[i * n + j];
  default: return &values->dvv[i * n + j];
  }
}

static double derivative_error(const struct rill_lagrangian *lagrangian, const double *q, const double *v,
                               double twist) {
  size_t n = lagrangian->n;
  double a[2][MOST], second[3][MOST * MOST], low[2][MOST], high[2][MOST], worst = 0, h = 1e-5;
  struct rill_lagrangian_values values = {
      .dq = a[0], .dv = a[1], .dqq = second[0], .dqv = second[1], .dvv = second[2]};
  lagrangian->ops->evaluate(lagrangian->self, q, v, &values);
  second[1][0] += twist; /* a mutant's */
  for (size_t j = 0; j < 2 * n; j++) {
    double x[2 * MOST], up, down;
    struct rill_lagrangian_values at = {.dq = high[0], .dv = high[1]};
    memcpy(x, q, n * sizeof *x);
    memcpy(x + n, v, n * sizeof *x);
    x[j] += h;
    lagrangian->ops->evaluate(lagrangian->self, x, x + n, &at);
    up = at.value;
    at.dq = low[0];
    at.dv = low[1];
    x[j] -= 2 * h;
    lagrangian->ops->evaluate(lagrangian->self, x, x + n, &at);
    down = at.value;
    worst = fmax(worst, fabs((up - down) / (2 * h) - (j < n ? a[0][j] : a[1][j - n])));
    for (size_t i = 0; i < n; i++) {
      double of_q = (high[0][i] - low[0][i]) / (2 * h), of_v = (high[1][i] - low[1][i]) / (2 * h);
      worst = fmax(worst, fabs(of_q - (j < n ? *entry(&values, 0, i, j, n) : *entry(&values, 1, i, j - n, n))));
      worst = fmax(worst, fabs(of_v - (j < n ? *entry(&values, 1, j, i, n) : *entry(&values, 2, i, j - n, n))));
    }
  }
  return worst;
}

static const struct {
  const char *name;
  const char *const *given;
} lagrangians[] = {
    {"harmonic-oscillator", NULL},       {"simple-pendulum", NULL},      {"planar-pendulum", penalised},
    {"double-spherical-pendulum", NULL}, {"rigid-body", NULL},           {"spherical-pendulum-angles", NULL},
    {"double-pendulum-angles", moving},  {"double-pendulum", penalised},
};

/* Central differences of 1e-5: 1e-10 |third derivative| and 1e-11 |value| of rounding, values up to 1e3 here. */
START_TEST(lagrangians_have_their_derivatives) {
  struct rill_system system = make(lagrangians[_i].name, lagrangians[_i].given);
  const struct rill_lagrangian *lagrangian = system.lagrangian;
  double q[MOST], v[MOST];
  for (size_t i = 0; i < lagrangian->n; i++) {
    q[i] = system.state->q[i] + 0.1 * sin(1.0 + (double)i);
    v[i] = cos(2.0 * (double)i) + 0.3;
  }
  ck_assert_double_lt(derivative_error(lagrangian, q, v, 0), 2e-6);
  ck_assert_double_gt(derivative_error(lagrangian, q, v, 1e-3), 1e-4);
  if (lagrangian->m > 0) {
    double g[2][2], dg[2 * MOST], worst = 0;
    lagrangian->ops->jacobian(lagrangian->self, q, dg);
    for (size_t j = 0; j < lagrangian->n; j++) {
      q[j] += 1e-5;
      lagrangian->ops->constraint(lagrangian->self, q, g[0]);
      q[j] -= 2e-5;
      lagrangian->ops->constraint(lagrangian->self, q, g[1]);
      q[j] += 1e-5;
      for (size_t c = 0; c < lagrangian->m; c++)
        worst = fmax(worst, fabs((g[0][c] - g[1][c]) / 2e-5 - dg[c * lagrangian->n + j]));
    }
    ck_assert_double_lt(worst, 1e-8);
  }
  destroy(&system);
}
END_TEST

/* --- theorem 1: constrained = generalised coordinates --- */

static double theorem_1(const char *generalised) {
  struct rill_system constrained = make("spherical-pendulum", NULL), angles = make("spherical-pendulum-angles", NULL);
  const struct rill_chart *chart = angles.lagrangian->chart;
  struct rill_integrator *one, *other;
  double v[3], most;
  chart->ops->embed(chart->self, angles.state->q, v);
  most = difference(v, constrained.state->q, 3);
  one = bind("dvp", &constrained, 1e-2);
  other = bind(generalised, &angles, 1e-2);
  for (uint64_t k = 0; k < 1000; k++) {
    OK(rill_integrator_step(one, k, false, &error));
    OK(rill_integrator_step(other, k, false, &error));
    chart->ops->embed(chart->self, angles.state->q, v);
    most = fmax(most, difference(v, constrained.state->q, 3));
  }
  rill_integrator_destroy(one);
  rill_integrator_destroy(other);
  destroy(&constrained);
  destroy(&angles);
  return most;
}

/* 10 s at h = 1e-2.  The mutant discretises the angles' own Lagrangian: as good a method, but another one. */
START_TEST(constrained_is_generalised) {
  ck_assert_double_lt(theorem_1("dvp-generalised"), 1e-11);
  ck_assert_double_gt(theorem_1("dvp"), 1e-4);
}
END_TEST

/* --- the papers' two-point form --- */

/* A pair, its momenta, and one step from (x, p_x) must give y, from (y, p_y) the third point of the two-point
 * equation. */
START_TEST(pairs_are_the_two_point_form) {
  static const double h = 0.05;
  const char *name = _i == 0 ? "rigid-body" : "double-spherical-pendulum";
  struct rill_system system = make(name, NULL);
  const size_t n = system.state->n;
  double x[MOST], y[MOST], p_x[MOST], p_y[MOST], after[MOST], left[MOST], work[4 * MOST], rest[MOST], dg[2 * MOST],
      normal = 0;
  memcpy(x, system.state->q, n * sizeof *x);
  run("dvp", &system, h, 1);
  memcpy(y, system.state->q, n * sizeof *y);
  rill_discrete_pair(system.lagrangian, h, x, y, p_x, p_y, NULL, work);

  memcpy(system.state->q, x, n * sizeof *x);
  memcpy(system.state->p, p_x, n * sizeof *p_x);
  run("dvp", &system, h, 1);
  ck_assert_double_lt(difference(system.state->q, y, n), 2e-14);
  memcpy(system.state->q, y, n * sizeof *y);
  memcpy(system.state->p, p_y, n * sizeof *p_y);
  run("dvp", &system, h, 1);
  memcpy(after, system.state->q, n * sizeof *after);

  /* (4.5): D2 L + D1 L is a combination of the rows of Dg(y): what is left after taking those out vanishes. */
  rill_discrete_pair(system.lagrangian, h, y, after, left, NULL, NULL, work);
  system.lagrangian->ops->jacobian(system.lagrangian->self, y, dg);
  for (size_t i = 0; i < n; i++) rest[i] = p_y[i] - left[i];
  for (int sweep = 0; sweep < 200; sweep++) /* rows are not orthogonal: alternate */
    for (size_t c = 0; c < system.lagrangian->m; c++) {
      double along = 0, square = 0;
      for (size_t i = 0; i < n; i++) {
        along += dg[c * n + i] * rest[i];
        square += dg[c * n + i] * dg[c * n + i];
      }
      for (size_t i = 0; i < n; i++) rest[i] -= along / square * dg[c * n + i];
      normal = fmax(normal, fabs(along));
    }
  ck_assert_double_lt(difference(rest, (double[MOST]){0}, n), 1e-12);
  ck_assert_double_gt(normal, 1e-3); /* the mutant: without the multiplier the equation does not hold */
  destroy(&system);
}
END_TEST

/* --- momentum --- */

static double momentum_change(const char *name, const char *method, double h, double time, double *size) {
  struct rill_system system = make(name, NULL);
  struct rill_integrator *integrator = bind(method, &system, h);
  struct rill_observation first = look(&system), now;
  bool body = strcmp(name, "rigid-body") == 0;
  double most = 0;
  *size = 0;
  for (int i = 0; i < 3; i++) *size = fmax(*size, fabs(first.angular_momentum[i]));
  for (uint64_t k = 0; (double)k * h < time; k++) {
    OK(rill_integrator_step(integrator, k, false, &error));
    now = look(&system);
    for (int i = body ? 0 : 2; i < 3; i++) /* gravity leaves only the rotation about z */
      most = fmax(most, fabs(now.angular_momentum[i] - first.angular_momentum[i]));
  }
  rill_integrator_destroy(integrator);
  destroy(&system);
  return most;
}

/* Relative to |J|: 1e-11 at h >= 1e-2, and 1e-13/h below. */
START_TEST(momentum_is_constant) {
  static const char *const names[] = {"rigid-body", "double-spherical-pendulum", "spherical-pendulum"};
  static const char *const methods[] = {"dvp", "dvp-onepoint", "variational-euler"};
  static const double steps[] = {1e-1, 1e-2, 1e-3};
  for (size_t s = 0; s < 3; s++)
    for (size_t k = 0; k < 3; k++) {
      double size, change = momentum_change(names[_i], methods[s], steps[k], 5, &size);
      ck_assert_msg(change <= size * fmax(1e-11, 1e-13 / steps[k]), "%s %s h=%g: %.3g of %.3g", names[_i], methods[s],
                    steps[k], change, size);
    }
  if (_i > 0) {
    double size;
    ck_assert_double_lt(momentum_change(names[_i], "energy-momentum", 1e-2, 5, &size), 1e-11 * size);
  }
}
END_TEST

/* The mutant of the law above: a momentum that the symmetry does not keep, about x under gravity. */
START_TEST(momentum_that_is_not_kept_is_seen) {
  struct rill_system system = make("spherical-pendulum", NULL);
  double first = look(&system).angular_momentum[0];
  run("dvp", &system, 1e-2, 50);
  ck_assert_double_gt(fabs(look(&system).angular_momentum[0] - first), 1e-2);
  destroy(&system);
}
END_TEST

/* --- reversal --- */

static double reversal(const char *name, const char *const *given, const char *method) {
  struct rill_system system = make(name, given);
  const size_t n = system.state->n;
  double q[MOST], p[MOST], back;
  memcpy(q, system.state->q, n * sizeof *q);
  memcpy(p, system.state->p, n * sizeof *p);
  run(method, &system, 1e-2, 200);
  ck_assert_double_gt(difference(q, system.state->q, n), 1e-2);
  for (size_t i = 0; i < n; i++) system.state->p[i] = -system.state->p[i];
  run(method, &system, 1e-2, 200);
  for (size_t i = 0; i < n; i++) p[i] = -p[i];
  back = fmax(difference(q, system.state->q, n), difference(p, system.state->p, n));
  destroy(&system);
  return back;
}

static const struct {
  const char *name;
  const char *const *given;
  const char *method;
  double tolerance;
} symmetric[] = {
    {"rigid-body", NULL, "dvp", 1e-11},
    {"double-spherical-pendulum", NULL, "dvp", 1e-11},
    {"double-pendulum", NULL, "dvp", 1e-12},
    {"spherical-pendulum-angles", NULL, "dvp", 1e-11},
    {"spherical-pendulum-angles", NULL, "dvp-generalised", 1e-11},
    {"double-pendulum-angles", moving, "dvp-generalised", 1e-11},
    {"harmonic-oscillator", NULL, "dvp", 1e-13},
    {"double-spherical-pendulum", NULL, "energy-momentum", 1e-10},
    {"double-pendulum", penalised, "energy-momentum", 1e-9},
    {"simple-pendulum", NULL, "energy-preserving", 1e-11},
    {"double-pendulum", penalised, "implicit-midpoint", 1e-10},
};

START_TEST(symmetric_methods_go_back) {
  double back = reversal(symmetric[_i].name, symmetric[_i].given, symmetric[_i].method);
  ck_assert_msg(back < symmetric[_i].tolerance, "%s %s: %.3g", symmetric[_i].name, symmetric[_i].method, back);
}
END_TEST

/* The mutants: first-order methods do not go back. */
START_TEST(first_order_methods_do_not_go_back) {
  static const char *const methods[] = {"dvp-onepoint", "variational-euler", "symplectic-euler", "lie-trotter"};
  ck_assert_double_gt(reversal("double-spherical-pendulum", NULL, methods[_i]), 1e-3);
}
END_TEST

/* --- symplectic form --- */

/* max |D^T J D - J| of the map over `steps`, by central differences of (q, p), free coordinates. */
static double symplectic_defect(const char *name, const char *const *given, const char *method, double h, int steps) {
  struct rill_system system = make(name, given);
  const size_t n = system.state->n;
  double start[2 * MOST], d[2 * MOST][2 * MOST], most = 0;
  const double e = 3e-5;
  memcpy(start, system.state->q, n * sizeof *start);
  memcpy(start + n, system.state->p, n * sizeof *start);
  for (size_t j = 0; j < 2 * n; j++)
    for (int side = 0; side < 2; side++) {
      memcpy(system.state->q, start, n * sizeof *start);
      memcpy(system.state->p, start + n, n * sizeof *start);
      if (j < n) system.state->q[j] += side == 0 ? e : -e;
      else system.state->p[j - n] += side == 0 ? e : -e;
      run(method, &system, h, steps);
      for (size_t i = 0; i < 2 * n; i++) {
        double value = (i < n ? system.state->q[i] : system.state->p[i - n]) / (2 * e);
        d[i][j] = side == 0 ? value : d[i][j] - value;
      }
    }
  for (size_t a = 0; a < 2 * n; a++)
    for (size_t b = 0; b < 2 * n; b++) {
      double sum = a + n == b ? -1 : b + n == a ? 1 : 0;
      for (size_t i = 0; i < n; i++) sum += d[i][a] * d[n + i][b] - d[n + i][a] * d[i][b];
      most = fmax(most, fabs(sum));
    }
  destroy(&system);
  return most;
}

static const struct {
  const char *name;
  const char *const *given;
  const char *method;
} symplectic[] = {
    {"spherical-pendulum-angles", NULL, "dvp"},          {"spherical-pendulum-angles", NULL, "dvp-generalised"},
    {"spherical-pendulum-angles", NULL, "dvp-onepoint"}, {"spherical-pendulum-angles", NULL, "variational-euler"},
    {"double-pendulum-angles", moving, "dvp"},           {"double-pendulum-angles", moving, "dvp-generalised"},
    {"double-pendulum", penalised, "implicit-midpoint"}, {"double-pendulum", penalised, "symplectic-euler"},
    {"harmonic-oscillator", NULL, "lie-trotter"},
};

/* Differences of 3e-5 leave (3e-5)^2 times third derivatives of the map: about 1e-6 with the penalty, else 1e-8. */
START_TEST(methods_are_symplectic) {
  double defect = symplectic_defect(symplectic[_i].name, symplectic[_i].given, symplectic[_i].method, 0.02, 20);
  ck_assert_msg(defect < (symplectic[_i].given == penalised ? 3e-6 : 1e-7), "%s %s: %.3g", symplectic[_i].name,
                symplectic[_i].method, defect);
}
END_TEST

/* The mutants: methods that conserve energy instead (the theorem of Ge & Marsden). */
START_TEST(energy_conserving_methods_are_not) {
  ck_assert_double_gt(symplectic_defect("double-pendulum", penalised, "energy-momentum", 0.05, 20), 1e-3);
  ck_assert_double_gt(symplectic_defect("simple-pendulum", NULL, "energy-preserving", 0.5, 20), 1e-4);
}
END_TEST

/* With constraints: omega(u, w) = dq.dp of two tangent variations of the (theta, phi) of the chart, lifted to (v, p).
 */
START_TEST(constrained_dvp_is_symplectic_on_the_manifold) {
  static const double e = 2e-5;
  struct rill_system angles = make("spherical-pendulum-angles", NULL), system = make("spherical-pendulum", NULL);
  const struct rill_chart *chart = angles.lagrangian->chart;
  double base[4], d[6][4], worst = 0;
  memcpy(base, angles.state->q, 2 * sizeof *base);
  memcpy(base + 2, angles.state->p, 2 * sizeof *base);
  for (int j = 0; j < 4; j++)
    for (int side = 0; side < 2; side++) {
      double z[4], tangent[6], m = 1.3, l = 0.8, v[2];
      memcpy(z, base, sizeof z);
      z[j] += side == 0 ? e : -e;
      chart->ops->embed(chart->self, z, system.state->q);
      chart->ops->tangent(chart->self, z, tangent);
      v[0] = z[2] / (m * l * l);
      v[1] = z[3] / (m * l * l * sin(z[0]) * sin(z[0]));
      for (int i = 0; i < 3; i++) system.state->p[i] = m * (tangent[2 * i] * v[0] + tangent[2 * i + 1] * v[1]);
      run("dvp", &system, 0.02, 20);
      for (int i = 0; i < 6; i++) {
        double value = (i < 3 ? system.state->q[i] : system.state->p[i - 3]) / (2 * e);
        d[i][j] = side == 0 ? value : d[i][j] - value;
      }
    }
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++) {
      double sum = a + 2 == b ? -1 : b + 2 == a ? 1 : 0;
      for (int i = 0; i < 3; i++) sum += d[i][a] * d[3 + i][b] - d[3 + i][a] * d[i][b];
      worst = fmax(worst, fabs(sum));
    }
  ck_assert_double_lt(worst, 1e-7);
  destroy(&angles);
  destroy(&system);
}
END_TEST

/* --- energy --- */

static double energy_change(const char *name, const char *const *given, const char *method, double h, int steps) {
  struct rill_system system = make(name, given);
  struct rill_integrator *integrator = bind(method, &system, h);
  double first = energy(&system), most = 0;
  for (int k = 0; k < steps; k++) {
    OK(rill_integrator_step(integrator, (uint64_t)k, false, &error));
    most = fmax(most, fabs(energy(&system) - first));
  }
  rill_integrator_destroy(integrator);
  destroy(&system);
  return most;
}

/* To round-off at large steps, V quartic; the midpoint rule is the mutant. */
START_TEST(energy_is_conserved) {
  ck_assert_double_lt(energy_change("double-pendulum", penalised, "energy-momentum", 0.05, 1000), 1e-12);
  ck_assert_double_lt(energy_change("simple-pendulum", NULL, "energy-preserving", 0.5, 1000), 1e-12);
  ck_assert_double_lt(energy_change("double-spherical-pendulum", NULL, "energy-momentum", 0.1, 300), 1e-11);
  ck_assert_double_gt(energy_change("double-pendulum", penalised, "implicit-midpoint", 0.05, 1000), 1e-5);
  ck_assert_double_gt(energy_change("simple-pendulum", NULL, "implicit-midpoint", 0.5, 1000), 1e-3);
  ck_assert_double_gt(energy_change("double-spherical-pendulum", NULL, "dvp", 0.1, 300), 1e-1);
}
END_TEST

/* --- methods that coincide --- */

static double apart(const char *name, const char *const *given, const char *one, const char *other, double h,
                    int steps) {
  struct rill_system a = make(name, given), b = make(name, given);
  double most;
  run(one, &a, h, steps);
  run(other, &b, h, steps);
  most = fmax(difference(a.state->q, b.state->q, a.state->n), difference(a.state->p, b.state->p, a.state->n));
  destroy(&a);
  destroy(&b);
  return most;
}

/* V linear: dvp is RATTLE.  No constraints: dvp is the implicit midpoint rule, dvp-onepoint drift-kick, its adjoint
 * kick-drift.  On a quadratic V the conserving methods are the midpoint rule, too.  Each pair against its neighbours.
 */
START_TEST(methods_that_are_the_same) {
  ck_assert_double_lt(apart("double-spherical-pendulum", NULL, "dvp", "rattle", 1e-2, 300), 1e-9);
  ck_assert_double_lt(apart("double-pendulum", NULL, "dvp", "rattle", 1e-1, 100), 1e-11);
  ck_assert_double_lt(apart("double-pendulum", penalised, "dvp", "implicit-midpoint", 1e-2, 200), 1e-10);
  ck_assert_double_lt(apart("double-pendulum", penalised, "dvp-onepoint", "symplectic-euler", 1e-2, 200), 1e-10);
  ck_assert_double_lt(apart("double-pendulum", penalised, "variational-euler", "lie-trotter", 1e-2, 200), 1e-10);
  ck_assert_double_lt(apart("harmonic-oscillator", NULL, "energy-momentum", "implicit-midpoint", 0.3, 100), 1e-13);
  ck_assert_double_lt(apart("harmonic-oscillator", NULL, "energy-preserving", "marsden-wendlandt-17", 0.3, 100),
                      1e-13);
  ck_assert_double_gt(apart("double-pendulum", penalised, "dvp", "verlet", 1e-2, 200), 1e-5);
  ck_assert_double_gt(apart("harmonic-oscillator", NULL, "symplectic-euler", "lie-trotter", 0.3, 100), 1e-3);
}
END_TEST

/* (17) by hand for m = 2, k = 3: p' = p - h k (q + q')/2, m (q' - q) = h (p + p')/2; and (16). */
START_TEST(schemes_16_and_17_by_hand) {
  static const char *const given[] = {"mass", "2", "stiffness", "3", "position", "0.7", "velocity", "0.4", NULL};
  struct rill_system system = make("harmonic-oscillator", given);
  const double h = 0.25, m = 2, k = 3, q = 0.7, p = 0.8;
  double a = h * h * k / (4 * m), next = ((1 - a) * q + h * p / m) / (1 + a);
  run("marsden-wendlandt-17", &system, h, 1);
  ck_assert_double_eq_tol(system.state->q[0], next, 4e-16);
  ck_assert_double_eq_tol(system.state->p[0], p - h * k * (q + next) / 2, 4e-16);
  destroy(&system);
  system = make("harmonic-oscillator", given);
  run("symplectic-euler", &system, h, 1);
  ck_assert_double_eq_tol(system.state->q[0], q + h * p / m, 4e-16);
  ck_assert_double_eq_tol(system.state->p[0], p - h * k * (q + h * p / m), 4e-16);
  destroy(&system);
  system = make("harmonic-oscillator", given);
  run("lie-trotter", &system, h, 1);
  ck_assert_double_eq_tol(system.state->p[0], p - h * k * q, 4e-16);
  ck_assert_double_eq_tol(system.state->q[0], q + h * (p - h * k * q) / m, 4e-16);
  destroy(&system);
}
END_TEST

/* --- order --- */

static void state_at(const char *name, const char *const *given, const char *method, double h, double time,
                     double *q) {
  struct rill_system system = make(name, given);
  run(method, &system, h, (int)lround(time / h));
  memcpy(q, system.state->q, system.state->n * sizeof *q);
  destroy(&system);
}

static const struct {
  const char *name;
  const char *const *given;
  const char *method;
  int order;
} orders[] = {
    {"double-pendulum-angles", moving, "dvp", 2},
    {"double-pendulum-angles", moving, "dvp-generalised", 2},
    {"double-pendulum-angles", moving, "dvp-onepoint", 1},
    {"double-pendulum-angles", moving, "variational-euler", 1},
    {"double-pendulum", NULL, "dvp", 2},
    {"double-pendulum", NULL, "energy-momentum", 2},
    {"double-pendulum", NULL, "symplectic-euler", 1},
    {"double-pendulum", NULL, "lie-trotter", 1},
    {"double-pendulum", penalised, "energy-momentum", 2},
    {"double-pendulum", penalised, "implicit-midpoint", 2},
    {"simple-pendulum", NULL, "energy-preserving", 2},
    {"rigid-body", NULL, "dvp", 2},
};

/* Three steps, each half of the one before: the differences shrink by 2^order; one more order and one less both fail.
 */
START_TEST(order_is_what_the_registry_says) {
  double q[3][MOST], h = 0.01, order;
  size_t n = strcmp(orders[_i].name, "simple-pendulum") == 0          ? 1
             : strcmp(orders[_i].name, "double-pendulum-angles") == 0 ? 2
                                                                      : 4;
  if (orders[_i].given == penalised) h = 0.002; /* bonds oscillate with a period of about 0.1 */
  for (int k = 0; k < 3; k++) state_at(orders[_i].name, orders[_i].given, orders[_i].method, ldexp(h, -k), 1, q[k]);
  order = log2(difference(q[0], q[1], n) / difference(q[1], q[2], n));
  ck_assert_msg(fabs(order - orders[_i].order) < 0.1, "%s %s: %.4f", orders[_i].name, orders[_i].method, order);
  ck_assert_int_eq(rill_method_find(orders[_i].method)->order, orders[_i].order);
}
END_TEST

/* --- refusals, failures, restart --- */

START_TEST(what_does_not_bind_says_why) {
  static const struct {
    const char *name, *method, *reason;
  } refusals[] = {
      {"rigid-body", "verlet", "flow capability"},
      {"rigid-body", "energy-momentum", "mechanical capability"},
      {"rigid-body", "dvp-generalised", "not a chart"},
      {"double-pendulum", "implicit-midpoint", "no form for constraints"},
      {"double-pendulum", "energy-preserving", "no form for constraints"},
      {"double-pendulum-angles", "symplectic-euler", "flow capability"},
  };
  const struct rill_binding_options options = {.step = 0.1, .geodesic_steps = 1};
  struct rill_integrator *integrator;
  struct rill_system system = make(refusals[_i].name, NULL);
  ck_assert_int_eq(
      rill_integrator_create(rill_method_find(refusals[_i].method), &system, &options, &integrator, &error),
      RILL_ERROR_UNSUPPORTED);
  ck_assert_msg(strstr(error.text, refusals[_i].reason) != NULL, "%s", error.text);
  destroy(&system);
}
END_TEST

/* A step too large for the constraints to be met: an error that names the step, and the state before it. */
START_TEST(a_failed_step_leaves_the_state) {
  const char *name = _i == 0 ? "rigid-body" : "double-spherical-pendulum";
  struct rill_system system = make(name, NULL);
  struct rill_integrator *integrator = bind(_i == 2 ? "energy-momentum" : "dvp", &system, 50);
  double q[MOST], p[MOST];
  enum rill_status status;
  if (_i == 2) system.state->p[0] = NAN; /* energy-momentum has a solution at h = 50, too */
  memcpy(q, system.state->q, system.state->n * sizeof *q);
  memcpy(p, system.state->p, system.state->n * sizeof *p);
  status = rill_integrator_step(integrator, 0, false, &error);
  ck_assert_msg(status == RILL_ERROR_CONVERGENCE || status == RILL_ERROR_NOT_FINITE, "%d", (int)status);
  ck_assert_ptr_nonnull(strstr(error.text, "step 1"));
  ck_assert_mem_eq(q, system.state->q, system.state->n * sizeof *q);
  ck_assert_mem_eq(p, system.state->p, system.state->n * sizeof *p);
  rill_integrator_destroy(integrator);
  destroy(&system);
}
END_TEST

/* A step is a function of (q, p) alone: 40 steps are byte for byte 25 and, in another system and integrator, 15. */
START_TEST(restart_is_exact) {
  static const struct {
    const char *name, *method;
  } cases[] = {{"rigid-body", "dvp"},
               {"double-spherical-pendulum", "dvp"},
               {"double-spherical-pendulum", "energy-momentum"},
               {"double-pendulum-angles", "dvp-generalised"}};
  struct rill_system whole = make(cases[_i].name, NULL), first = make(cases[_i].name, NULL),
                     second = make(cases[_i].name, NULL);
  const size_t bytes = whole.state->n * sizeof(double);
  run(cases[_i].method, &whole, 0.03, 40);
  run(cases[_i].method, &first, 0.03, 25);
  memcpy(second.state->q, first.state->q, bytes);
  memcpy(second.state->p, first.state->p, bytes);
  run(cases[_i].method, &second, 0.03, 15);
  ck_assert_mem_eq(whole.state->q, second.state->q, bytes);
  ck_assert_mem_eq(whole.state->p, second.state->p, bytes);
  destroy(&whole);
  destroy(&first);
  destroy(&second);
}
END_TEST

/* A pendulum at rest below its support: the multiplier carries its weight, m g = 2 l |lambda| upward. */
START_TEST(multiplier_carries_the_weight) {
  static const char *const given[] = {"angle", "0", "mass", "2", "length", "0.5", "gravity", "3", NULL};
  struct rill_system system = make("planar-pendulum", given);
  run("dvp", &system, 0.01, 3);
  ck_assert_double_eq_tol(system.state->multiplier[0], -6.0, 1e-9); /* Dg = 2 r = (0, -1): force 6 upward */
  run("energy-momentum", &system, 0.01, 3);
  ck_assert_double_eq_tol(system.state->multiplier[0], 6.0, 1e-9); /* the printed sign of that method */
  destroy(&system);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

int main(void) {
  Suite *suite = suite_create("variational");
  TCase *cases = tcase_create("laws");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, lagrangians_have_their_derivatives, 0, COUNT(lagrangians));
  tcase_add_test(cases, constrained_is_generalised);
  tcase_add_loop_test(cases, pairs_are_the_two_point_form, 0, 2);
  tcase_add_loop_test(cases, momentum_is_constant, 0, 3);
  tcase_add_test(cases, momentum_that_is_not_kept_is_seen);
  tcase_add_loop_test(cases, symmetric_methods_go_back, 0, COUNT(symmetric));
  tcase_add_loop_test(cases, first_order_methods_do_not_go_back, 0, 4);
  tcase_add_loop_test(cases, methods_are_symplectic, 0, COUNT(symplectic));
  tcase_add_test(cases, energy_conserving_methods_are_not);
  tcase_add_test(cases, constrained_dvp_is_symplectic_on_the_manifold);
  tcase_add_test(cases, energy_is_conserved);
  tcase_add_test(cases, methods_that_are_the_same);
  tcase_add_test(cases, schemes_16_and_17_by_hand);
  tcase_add_loop_test(cases, order_is_what_the_registry_says, 0, COUNT(orders));
  tcase_add_loop_test(cases, what_does_not_bind_says_why, 0, 6);
  tcase_add_loop_test(cases, a_failed_step_leaves_the_state, 0, 3);
  tcase_add_loop_test(cases, restart_is_exact, 0, 4);
  tcase_add_test(cases, multiplier_carries_the_weight);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
