/* systems: parameters, derivatives, the flows of linkages, filters, and what happens when a step fails. */
#include "config.h"

#include <locale.h>
#include <stdio.h>

#include "fixture.h"
#include "systems/linkage.h"

/* --- parameters --- */

static enum rill_status parse(const char *system, const char *key, const char *text,
                              struct rill_parameter_value *value) {
  const struct rill_system_type *type = rill_system_type_find(system);
  rill_error_clear(&fixture_error);
  return rill_parameter_parse(type, &type->parameters[rill_parameter_index(type, key)], "deck.ini:7: system.key",
                              text, value, &fixture_error);
}

static void refused(const char *system, const char *key, const char *text, const char *message) {
  struct rill_parameter_value value;
  ck_assert_int_eq(parse(system, key, text, &value), RILL_ERROR_INPUT);
  ck_assert_msg(strstr(fixture_error.text, message) != NULL && strstr(fixture_error.text, "deck.ini:7") != NULL,
                "\"%s\" for %s: %s", text, key, fixture_error.text);
}

START_TEST(parameters_are_read) {
  struct rill_parameter_value value;
  ck_assert_int_eq(parse("double-spherical-pendulum", "lengths", " 4.0,3e2 cm ", &value),
                   RILL_ERROR_INPUT); /* blank at the end */
  ck_assert_int_eq(parse("double-spherical-pendulum", "lengths", "4.0 , 3e2 cm", &value), RILL_OK);
  ck_assert_double_eq(value.number[0], 0.04);
  ck_assert_double_eq(value.number[1], 3.0);
  ck_assert_uint_eq(value.count, 2);
  ck_assert(value.given);
  ck_assert_int_eq(parse("double-pendulum", "formulation", "penalised", &value), RILL_OK);
  ck_assert_int_eq(value.word, 1);
  ck_assert_int_eq(parse("pendulum-chain", "count", "100000", &value), RILL_OK);
  ck_assert_double_eq(value.number[0], 100000);
  ck_assert_int_eq(parse("double-pendulum", "angles", "-.5, +1.", &value), RILL_OK);
  ck_assert_double_eq(value.number[0], -0.5);

  refused("double-spherical-pendulum", "gravity", "9.81", "has no unit");
  refused("double-spherical-pendulum", "gravity", "9.81 kg", "\"m/s2\" is");
  refused("double-spherical-pendulum", "masses", "1 2 3 kg", "2 numbers are expected");
  refused("double-spherical-pendulum", "masses", "-1 2 kg", "outside");
  refused("double-pendulum", "gravity", "1 m/s2", "a pure number");
  refused("double-pendulum", "gravity", "nan", "does not begin with a number");
  refused("double-pendulum", "gravity", "1e999", "not finite");
  refused("double-pendulum", "gravity", "0x10", "does not begin with a number");
  refused("double-pendulum", "gravity", "1 2", "one number");
  refused("double-pendulum", "formulation", "Penalized", "constrained, penalised");
  refused("pendulum-chain", "count", "2.5", "whole number");
  refused("pendulum-chain", "count", "0", "outside");
}
END_TEST

/* The decimal point is a point whatever the user's locale is. */
START_TEST(parameters_ignore_the_locale) {
  struct rill_parameter_value value;
  const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
  for (size_t i = 0; i < 3; i++)
    if (setlocale(LC_ALL, names[i]) != NULL) break;
  ck_assert_int_eq(parse("double-pendulum", "gravity", "1.5", &value), RILL_OK);
  ck_assert_double_eq(value.number[0], 1.5);
  setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(every_type_opens_with_its_defaults) {
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  for (size_t i = 0; i < count; i++) {
    struct rill_system system;
    struct rill_observation observation;
    ck_assert_ptr_eq(rill_system_type_find(types[i]->name), types[i]);
    ck_assert_msg(open_system(types[i]->name, NULL, &system) == RILL_OK, "%s", fixture_error.text);
    ck_assert_int_eq(system.ops->observe(system.self, &observation, &fixture_error), RILL_OK);
    ck_assert(isfinite(observation.kinetic + observation.potential));
    system.ops->destroy(system.self);
  }
  ck_assert_ptr_null(rill_system_type_find("no-such-pendulum"));
}
END_TEST

START_TEST(impossible_starts_are_refused) {
  struct rill_system system;
  ck_assert_int_eq(open_system("spherical-pendulum", "position=0.9 0.1 m", &system), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(fixture_error.text, "cannot reach"));
  ck_assert_int_eq(open_system("spherical-pendulum", "position=0.4 0.1 -0.5 m", &system), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(fixture_error.text, "violate the constraints"));
  ck_assert_int_eq(open_system("double-spherical-pendulum", "position=1 2 3 4 5 m", &system), RILL_ERROR_INPUT);
  /* A velocity along the rod; of a spring it may be. */
  ck_assert_int_eq(open_system("spherical-pendulum", "position=0 0 -0.8 m; velocity=1 2 3 m/s", &system),
                   RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(fixture_error.text, "stretch rod 1 at a rate of -3"));
  ck_assert_int_eq(
      open_system("spherical-pendulum", "position=0 0 -0.8 m; velocity=1 2 3 m/s; formulation=penalised", &system),
      RILL_OK);
  system.ops->destroy(system.self);
  ck_assert_int_eq(open_system("pendulum-chain", "spacing=0 0", &system), RILL_ERROR_INPUT);
  ck_assert_int_eq(open_system("spherical-pendulum-angles", "angles=0 1 rad", &system), RILL_ERROR_INPUT);
}
END_TEST

/* Wendlandt & Marsden's printed data: the reference's energy and momentum, to its 1e-11 (of 25 and 200). */
START_TEST(double_spherical_pendulum_has_the_printed_data) {
  struct lab lab;
  open_lab(&lab, "double-spherical-pendulum", NULL, "verlet", 0.01, 0);
  struct rill_observation observation = look(&lab);
  ck_assert_double_eq_tol(observation.kinetic + observation.potential, 24.939585255421, 1e-11);
  ck_assert_double_eq_tol(observation.angular_momentum[2], 199.831905, 1e-11);
  close_lab(&lab);
}
END_TEST

/* --- derivatives, by central differences --- */

enum { MOST = 24 };

static void bend(double *q, size_t n, double size) {
  for (size_t i = 0; i < n; i++) q[i] += size * sin(2.0 + 5.0 * (double)(i + 1) * (double)(i + 1));
}

/* Largest difference over the largest size; differences of step 1e-5 of smooth functions are right to about 1e-9 of
 * it. */
static void close_to(const double *found, const double *expected, size_t count, const char *what) {
  double worst = 0, size = 0;
  for (size_t i = 0; i < count; i++) {
    worst = fmax(worst, fabs(found[i] - expected[i]));
    size = fmax(size, fabs(expected[i]));
  }
  ck_assert_msg(worst <= 3e-8 * fmax(size, 1), "%s: off by %.3g of %.3g", what, worst, size);
}

static void check_potential(const struct rill_mechanical *m, const double *q0) {
  const double d = 1e-5;
  size_t n = m->n;
  double q[MOST], a[MOST], g[MOST], up[MOST], down[MOST], numeric[MOST * MOST] = {0}, exact[MOST * MOST], third[MOST];
  struct rill_band band, other;
  ck_assert_int_eq(rill_mechanical_hessian_create(m, &band, &fixture_error), RILL_OK);
  ck_assert_int_eq(rill_mechanical_hessian_create(m, &other, &fixture_error), RILL_OK);
  memcpy(q, q0, n * sizeof *q);
  m->ops->gradient(m->self, q, g);
  for (size_t i = 0; i < n; i++) {
    q[i] = q0[i] + d;
    up[i] = m->ops->potential(m->self, q);
    q[i] = q0[i] - d;
    numeric[i] = (up[i] - m->ops->potential(m->self, q)) / (2 * d);
    q[i] = q0[i];
  }
  close_to(g, numeric, n, "gradient");
  for (size_t j = 0; j < n; j++) {
    q[j] = q0[j] + d;
    m->ops->gradient(m->self, q, up);
    q[j] = q0[j] - d;
    m->ops->gradient(m->self, q, down);
    q[j] = q0[j];
    for (size_t i = 0; i < n; i++) numeric[i * n + j] = (up[i] - down[i]) / (2 * d);
  }
  rill_band_clear(&band);
  m->ops->add_hessian(m->self, RILL_HESSIAN_FULL, 0.5, q, &band);
  m->ops->add_hessian(m->self, RILL_HESSIAN_FULL, 0.5, q, &band);
  rill_band_unpack(&band, exact);
  close_to(exact, numeric, n * n, "hessian");
  /* a . D3V . a: the Hessian along a, differentiated along a. */
  for (size_t i = 0; i < n; i++) a[i] = cos(3.0 * (double)i);
  m->ops->third(m->self, q, a, third);
  for (int sign = -1; sign <= 1; sign += 2) {
    for (size_t i = 0; i < n; i++) q[i] = q0[i] + sign * d * a[i];
    rill_band_clear(&other);
    m->ops->add_hessian(m->self, RILL_HESSIAN_FULL, 1.0, q, &other);
    rill_band_multiply(&other, a, sign < 0 ? down : up);
  }
  for (size_t i = 0; i < n; i++) numeric[i] = (up[i] - down[i]) / (2 * d);
  close_to(third, numeric, n, "third derivative");
  rill_band_destroy(&band);
  rill_band_destroy(&other);
}

static void check_constraints(const struct rill_mechanical *m, const double *q0) {
  const double d = 1e-5;
  size_t n = m->n, count = m->m;
  double q[MOST], u[MOST], up[MOST], down[MOST], rate[MOST], lambda[MOST], force[MOST] = {0}, expected[MOST];
  double weight[MOST], other[MOST], exact[MOST * MOST], numeric[MOST * MOST], jacobian[MOST * MOST],
      second[MOST * MOST];
  struct rill_band band;
  memcpy(q, q0, n * sizeof *q);
  m->ops->jacobian(m->self, q, jacobian);
  for (size_t j = 0; j < n; j++) {
    q[j] = q0[j] + d;
    m->ops->constraint(m->self, q, up);
    q[j] = q0[j] - d;
    m->ops->constraint(m->self, q, down);
    q[j] = q0[j];
    for (size_t c = 0; c < count; c++) numeric[c * n + j] = (up[c] - down[c]) / (2 * d);
    u[j] = sin(1.0 + (double)j);
    weight[j] = 1.0 + 0.1 * (double)j;
    other[j] = q0[j] + 0.3 * cos((double)j);
  }
  close_to(jacobian, numeric, count * n, "constraint Jacobian");
  m->ops->constraint_rate(m->self, q, u, rate);
  for (size_t c = 0; c < count; c++) {
    lambda[c] = 0.5 + (double)c;
    expected[c] = 0;
    for (size_t j = 0; j < n; j++) expected[c] += jacobian[c * n + j] * u[j];
  }
  close_to(rate, expected, count, "constraint rate");
  m->ops->add_constraint_force(m->self, q, lambda, force);
  for (size_t j = 0; j < n; j++) {
    expected[j] = 0;
    for (size_t c = 0; c < count; c++) expected[j] += jacobian[c * n + j] * lambda[c];
  }
  close_to(force, expected, n, "constraint force");
  /* Dg(q) W Dg(other)^T */
  m->ops->jacobian(m->self, other, second);
  ck_assert_int_eq(rill_band_create(count, m->reach, &band, &fixture_error), RILL_OK);
  rill_band_clear(&band);
  m->ops->add_constraint_product(m->self, q, weight, other, &band);
  rill_band_unpack(&band, exact);
  for (size_t c = 0; c < count; c++)
    for (size_t e = 0; e < count; e++) {
      numeric[c * count + e] = 0;
      for (size_t j = 0; j < n; j++) numeric[c * count + e] += jacobian[c * n + j] * weight[j] * second[e * n + j];
    }
  close_to(exact, numeric, count * count, "constraint product");
  rill_band_destroy(&band);
  /* sum lambda D2g: the constraint force, differentiated. */
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) up[i] = down[i] = 0;
    q[j] = q0[j] + d;
    m->ops->add_constraint_force(m->self, q, lambda, up);
    q[j] = q0[j] - d;
    m->ops->add_constraint_force(m->self, q, lambda, down);
    q[j] = q0[j];
    for (size_t i = 0; i < n; i++) numeric[i * n + j] = (up[i] - down[i]) / (2 * d);
  }
  ck_assert_int_eq(rill_band_create(n, m->bandwidth, &band, &fixture_error), RILL_OK);
  rill_band_clear(&band);
  m->ops->add_constraint_hessian(m->self, lambda, q, &band);
  rill_band_unpack(&band, exact);
  close_to(exact, numeric, n * n, "constraint Hessian");
  rill_band_destroy(&band);
}

static const struct {
  const char *system, *settings;
} samples[] = {
    {"planar-pendulum", "mass=1.7"},
    {"planar-pendulum", "mass=1.7; formulation=penalised; stiffness=3"},
    {"spherical-pendulum", ""},
    {"spherical-pendulum", "formulation=penalised; stiffness=3"},
    {"double-spherical-pendulum", ""},
    {"double-spherical-pendulum", "formulation=penalised; stiffness=0.7"},
    {"double-pendulum", "masses=1.3 0.6; gravity=1.4"},
    {"double-pendulum", "masses=1.3 0.6; gravity=1.4; formulation=penalised; stiffness=3"},
    {"planar-triatomic", "masses=1.3 0.6 2; lengths=1.1 0.8; bending=1.7; bending_angle=1"},
    {"planar-triatomic", "lengths=1.1 0.8; bending=1.7; bending_angle=1; formulation=penalised; stiffness=3"},
    {"pendulum-chain", "count=6"},
    {"pendulum-chain", "count=6; formulation=penalised; stiffness=0.9"},
    {"dna", "count=24; epsilon=0.3; start=deterministic; spread=1"},
    {"dna", "count=3; epsilon=0.3; spring=1.7"},
};

START_TEST(derivatives_agree_with_differences) {
  struct rill_system system;
  ck_assert_msg(open_system(samples[_i].system, samples[_i].settings, &system) == RILL_OK, "%s", fixture_error.text);
  bend(system.state->q, system.state->n, 0.05);
  check_potential(system.mechanical, system.state->q);
  if (system.mechanical->m > 0) check_constraints(system.mechanical, system.state->q);
  system.ops->destroy(system.self);
}
END_TEST

/* Gauss-Newton's part is w^2 Ds^T Ds; with s = 0 it is the whole Hessian. */
START_TEST(gauss_newton_is_the_hessian_on_the_constraints) {
  struct rill_system penalised, constrained;
  struct rill_band full, part;
  double a[16], b[16], jacobian[8];
  ck_assert_int_eq(open_system("double-pendulum", "formulation=penalised; stiffness=3", &penalised), RILL_OK);
  ck_assert_int_eq(open_system("double-pendulum", "", &constrained), RILL_OK);
  ck_assert_int_eq(rill_band_create(4, 3, &full, &fixture_error), RILL_OK);
  ck_assert_int_eq(rill_band_create(4, 3, &part, &fixture_error), RILL_OK);
  for (int bent = 0; bent < 2; bent++) {
    double worst = 0;
    const struct rill_mechanical *m = penalised.mechanical;
    rill_band_clear(&full);
    rill_band_clear(&part);
    m->ops->add_hessian(m->self, RILL_HESSIAN_STIFF, 1.0, penalised.state->q, &full);
    m->ops->add_hessian(m->self, RILL_HESSIAN_GAUSS_NEWTON, 1.0, penalised.state->q, &part);
    rill_band_unpack(&full, a);
    rill_band_unpack(&part, b);
    for (int i = 0; i < 16; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    if (bent == 0) ck_assert_double_lt(worst, 1e-13);
    else ck_assert_double_gt(worst, 0.1);
    constrained.mechanical->ops->jacobian(constrained.mechanical->self, penalised.state->q, jacobian);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        ck_assert_double_eq_tol(b[4 * i + j], 9 * (jacobian[i] * jacobian[j] + jacobian[4 + i] * jacobian[4 + j]),
                                1e-12);
    bend(penalised.state->q, 4, 0.05);
  }
  rill_band_destroy(&full);
  rill_band_destroy(&part);
  penalised.ops->destroy(penalised.self);
  constrained.ops->destroy(constrained.self);
}
END_TEST

/* --- flows --- */

static const struct {
  const char *system, *settings;
  double h;
} constrained[] = {
    {"planar-pendulum", "rate=1.5", 0.05},
    {"spherical-pendulum", "", 0.01},
    {"double-spherical-pendulum", "", 0.02},
    {"double-pendulum", "masses=1.3 0.6", 0.05},
    {"pendulum-chain", "", 0.02},
};

/* RATTLE and SHAKE end on the constraints and tangent to them: round-off of |r|^2 and r . v, not a solver's
 * tolerance, and no growth over 2000 steps.  Energy stays in a band; the reversed run comes back. */
START_TEST(projected_flows_keep_the_constraints) {
  for (int k = 0; k < 2; k++) {
    struct lab lab;
    open_lab(&lab, constrained[_i].system, constrained[_i].settings, k == 0 ? "rattle" : "shake", constrained[_i].h,
             0);
    const struct rill_state *state = lab.system.state;
    double start[MOST], e0 = energy(&lab), scale = 0;
    memcpy(start, state->q, state->n * sizeof *start);
    for (size_t i = 0; i < state->n; i++) scale = fmax(scale, fabs(start[i]));
    for (int block = 0; block < 20; block++) {
      struct rill_observation observation;
      steps(&lab, 100);
      observation = look(&lab);
      ck_assert_double_lt(observation.position_deviation_max, 30 * 2.3e-16 * scale * scale);
      ck_assert_double_lt(observation.velocity_deviation_max, 1e-13 * scale * (1 + observation.kinetic));
      ck_assert_double_lt(fabs(observation.kinetic + observation.potential - e0), 0.02 * (1 + fabs(e0)));
    }
    close_lab(&lab);
    /* The chain is chaotic: round-off grows by far more than the others' in the same time, so its way is shorter. */
    open_lab(&lab, constrained[_i].system, constrained[_i].settings, k == 0 ? "rattle" : "shake", constrained[_i].h,
             0);
    state = lab.system.state;
    steps(&lab, 200);
    for (size_t i = 0; i < state->n; i++) state->p[i] = -state->p[i];
    steps(&lab, 200);
    for (size_t i = 0; i < state->n; i++) ck_assert_double_eq_tol(state->q[i], start[i], 1e-9 * scale);
    close_lab(&lab);
  }
}
END_TEST

/* Positions and momenta off the constraints' manifold: the deviations that are told are those of the constraints and
 * of their rates. */
START_TEST(deviations_are_the_constraints) {
  struct lab lab;
  struct rill_observation o;
  const struct rill_mechanical *m;
  double g[2], rate[2], v[4];
  open_lab(&lab, "double-pendulum", "formulation=constrained", "rattle", 0.1, 0);
  m = lab.system.mechanical;
  ck_assert(m->n == 4 && m->m == 2);
  for (size_t i = 0; i < 4; i++) {
    lab.system.state->q[i] += 0.01 * (double)(i + 1);
    lab.system.state->p[i] = 0.3 - 0.2 * (double)i;
    v[i] = lab.system.state->p[i] / m->mass[i];
  }
  m->ops->constraint(m->self, lab.system.state->q, g);
  m->ops->constraint_rate(m->self, lab.system.state->q, v, rate);
  o = look(&lab);
  ck_assert_double_gt(fabs(fabs(rate[0]) - fabs(rate[1])), 0.01);
  ck_assert_double_eq_tol(o.position_deviation_max, fmax(fabs(g[0]), fabs(g[1])), 1e-15);
  ck_assert_double_eq_tol(o.position_deviation_rms, sqrt((g[0] * g[0] + g[1] * g[1]) / 2), 1e-15);
  ck_assert_double_eq_tol(o.velocity_deviation_max, fmax(fabs(rate[0]), fabs(rate[1])), 1e-15);
  ck_assert_double_eq_tol(o.velocity_deviation_rms, sqrt((rate[0] * rate[0] + rate[1] * rate[1]) / 2), 1e-15);
  close_lab(&lab);
}
END_TEST

/* About the vertical: impulses act along the rods, so that the momentum stays to round-off, 2000 additions of 200. */
START_TEST(rattle_keeps_the_vertical_angular_momentum) {
  const char *const methods[] = {"rattle", "yoshida4"};
  for (int k = 0; k < 2; k++) {
    struct lab lab;
    open_lab(&lab, "double-spherical-pendulum", NULL, methods[k], 0.02, 0);
    double before = look(&lab).angular_momentum[2];
    steps(&lab, 2000);
    ck_assert_double_eq_tol(look(&lab).angular_momentum[2], before, 1e-10);
    close_lab(&lab);
  }
}
END_TEST

/* The largest change of q over the map's order: errors at T against a fine run fall by 4 (by 16 for Yoshida's). */
static double error_at(const char *system, const char *settings, const char *method, double h, double beta,
                       double time, const double *reference, double *out) {
  struct lab lab;
  open_lab(&lab, system, settings, method, h, beta);
  double worst = 0;
  steps(&lab, (uint64_t)llround(time / h));
  look(&lab);
  for (size_t i = 0; i < lab.system.state->n; i++) {
    if (out != NULL) out[i] = lab.system.state->position[i];
    if (reference != NULL) worst = fmax(worst, fabs(lab.system.state->position[i] - reference[i]));
  }
  close_lab(&lab);
  return worst;
}

START_TEST(projected_flows_have_their_orders) {
  const struct {
    const char *method;
    double order, tolerance;
  } orders[] = {{"rattle", 2, 0.03}, {"shake", 2, 0.03}, {"yoshida4", 4, 0.2}};
  double reference[MOST];
  error_at("double-pendulum", "", "yoshida4", 0.0005, 0, 2, NULL, reference);
  for (int k = 0; k < 3; k++) {
    double coarse = error_at("double-pendulum", "", orders[k].method, 0.02, 0, 2, reference, NULL);
    double fine = error_at("double-pendulum", "", orders[k].method, 0.01, 0, 2, reference, NULL);
    ck_assert_double_eq_tol(log2(coarse / fine), orders[k].order, orders[k].tolerance);
  }
}
END_TEST

/* --- filters --- */

/* The Jacobian of the filtered force M f(x), by differences, and its asymmetry relative to its size. */
static double asymmetry(const char *method, double beta) {
  struct lab lab;
  open_lab(&lab, "pendulum-chain", "count=3; formulation=penalised; stiffness=4; mass=1.5", method, 0.1, beta);
  struct rill_state *state = lab.system.state;
  struct rill_filter filter = *rill_method_find(method)->filter;
  const double d = 1e-5;
  double jacobian[6][6], q[6], worst = 0, size = 0;
  filter.beta = beta;
  filter.tolerance = 1e-15;
  filter.max_iterations = 50;
  bend(state->q, 6, 0.02);
  memcpy(q, state->q, sizeof q);
  for (int j = 0; j < 6; j++) {
    double force[2][6];
    for (int side = 0; side < 2; side++) {
      memcpy(state->q, q, sizeof q);
      state->q[j] += side == 0 ? d : -d;
      memset(state->p, 0, sizeof q);
      ck_assert_int_eq(lab.system.flow->kick(lab.system.self, 1.0, 0.1, &filter, 0, &fixture_error), RILL_OK);
      memcpy(force[side], state->p, sizeof q);
    }
    for (int i = 0; i < 6; i++) jacobian[i][j] = (force[0][i] - force[1][i]) / (2 * d);
  }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      worst = fmax(worst, fabs(jacobian[i][j] - jacobian[j][i]));
      size = fmax(size, fabs(jacobian[i][j]));
    }
  close_lab(&lab);
  return worst / size;
}

/* A kick is symplectic exactly when its force has a symmetric Jacobian: with the third-derivative term, and for the
 * pushforward force; not without it (Tao & Owhadi, lemma 2.13 and theorem 2.4).  1e-7: of differences. */
START_TEST(only_gradients_have_symmetric_jacobians) {
  ck_assert_double_lt(asymmetry("verlet", 0), 1e-7);
  ck_assert_double_lt(asymmetry("zs", 0.4), 1e-7);
  ck_assert_double_lt(asymmetry("newmark-pushforward", 0.4), 1e-7);
  ck_assert_double_gt(asymmetry("zss", 0.4), 1e-3);
  ck_assert_double_gt(asymmetry("zss-simplified", 0.4), 1e-3);
}
END_TEST

/* With beta = 0 every filter is the identity. */
START_TEST(filters_without_beta_are_verlet) {
  const char *const methods[] = {
      "zs", "zss", "zss-simplified", "newmark-pushforward", "newmark", "newmark-onestep:D"};
  double verlet[MOST];
  error_at("double-pendulum", "formulation=penalised", "verlet", 0.005, 0, 1, NULL, verlet);
  for (int k = 0; k < 6; k++)
    ck_assert_double_lt(error_at("double-pendulum", "formulation=penalised", methods[k], 0.005, 0, 1, verlet, NULL),
                        1e-10);
}
END_TEST

/* Variant D is Z&Ss seen in q = x + beta h^2 a, from the matched start; B is not (the mutant). */
START_TEST(one_step_newmark_d_is_zss) {
  for (int mutant = 0; mutant < 2; mutant++) {
    struct lab zss;
    open_lab(&zss, "double-pendulum", "formulation=penalised", "zss", 0.1, 0.4);
    struct lab newmark;
    open_lab(&newmark, "double-pendulum", "formulation=penalised", mutant ? "newmark-onestep:B" : "newmark-onestep:D",
             0.1, 0.4);
    struct rill_state *q = newmark.system.state, *x = zss.system.state;
    double worst = 0;
    /* q0 = x0 + beta h^2 a0 with the a0 of Z&Ss, which a kick of no length leaves behind. */
    struct rill_filter filter = *rill_method_find("zss")->filter;
    filter.beta = 0.4;
    ck_assert_int_eq(zss.system.flow->kick(zss.system.self, 0.0, 0.1, &filter, 0, &fixture_error), RILL_OK);
    look(&zss);
    for (int i = 0; i < 4; i++) {
      q->acceleration[i] = (x->position[i] - x->q[i]) / (0.4 * 0.1 * 0.1);
      q->q[i] = x->position[i];
    }
    for (int step = 0; step < 100; step++) {
      steps(&zss, 1);
      steps(&newmark, 1);
      look(&zss);
      for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(x->position[i] - q->q[i]));
    }
    /* Round-off grows with the motion: 5e-15 in the reference, 1e-10 its tolerance. */
    if (mutant) ck_assert_double_gt(worst, 1e-2);
    else ck_assert_double_lt(worst, 1e-12);
    close_lab(&zss);
    close_lab(&newmark);
  }
}
END_TEST

/* --- restarts, failures, refusals --- */

static const char *const restartable[] = {
    "verlet", "yoshida4", "zs", "zss", "zss-simplified", "newmark-pushforward", "newmark", "newmark-onestep:B"};

/* From (q, p), and one-step Newmark's acceleration, a run goes on as if it had not stopped. */
START_TEST(restarts_are_exact) {
  struct lab whole, part;
  open_lab(&whole, "double-pendulum", "formulation=penalised", restartable[_i], 0.01, 0.4);
  steps(&whole, 50);
  open_lab(&part, "double-pendulum", "formulation=penalised", restartable[_i], 0.01, 0.4);
  memcpy(part.system.state->q, whole.system.state->q, 4 * sizeof(double));
  memcpy(part.system.state->p, whole.system.state->p, 4 * sizeof(double));
  memcpy(part.system.state->acceleration, whole.system.state->acceleration, 4 * sizeof(double));
  steps(&whole, 50);
  steps(&part, 50);
  ck_assert_mem_eq(part.system.state->q, whole.system.state->q, 4 * sizeof(double));
  ck_assert_mem_eq(part.system.state->p, whole.system.state->p, 4 * sizeof(double));
  close_lab(&whole);
  close_lab(&part);
}
END_TEST

static const struct {
  const char *system, *settings, *method;
  double h;
} failing[] = {
    {"double-pendulum", "rates=3 -2", "rattle", 5.0},
    {"double-pendulum", "rates=1e200 0; formulation=penalised", "verlet", 1.0},
    {"double-pendulum", "rates=1e200 0; formulation=penalised", "zss", 1.0},
    {"double-pendulum", "rates=1e200 0; formulation=penalised", "newmark", 1.0},
    {"double-pendulum", "rates=1e200 0; formulation=penalised", "newmark-onestep:B", 1.0},
};

START_TEST(a_failed_step_leaves_the_state) {
  struct lab lab;
  open_lab(&lab, failing[_i].system, failing[_i].settings, failing[_i].method, failing[_i].h, 0.4);
  double q[4], p[4];
  bool failed = false;
  for (int step = 0; step < 50 && !failed; step++) {
    memcpy(q, lab.system.state->q, sizeof q);
    memcpy(p, lab.system.state->p, sizeof p);
    failed = !try_steps(&lab, 1);
  }
  ck_assert(failed);
  ck_assert_mem_eq(q, lab.system.state->q, sizeof q);
  ck_assert_mem_eq(p, lab.system.state->p, sizeof p);
  ck_assert_msg(fixture_error.status == RILL_ERROR_CONVERGENCE || fixture_error.status == RILL_ERROR_NOT_FINITE, "%s",
                fixture_error.text);
  ck_assert_ptr_nonnull(strstr(fixture_error.text, "smaller step"));
  close_lab(&lab);
}
END_TEST

/* Restoring after a step and further flows brings back all that a checkpoint holds, to the byte: with constraints the
 * impulses, their duration and the multipliers, with penalties the physical positions and Newmark's acceleration. */
START_TEST(restored_states_are_whole) {
  static const struct {
    const char *settings, *method;
  } cases[] = {{"rates=1 -2", "rattle"}, {"rates=1 -2; formulation=penalised", "newmark-onestep:B"}};
  struct rill_archive before = {0}, changed = {0}, after = {0};
  struct lab lab;
  void *self;
  open_lab(&lab, "double-pendulum", cases[_i].settings, cases[_i].method, 0.05, 0.4);
  self = lab.system.self;
  steps(&lab, 3);
  lab.system.ops->archive(self, &before);
  steps(&lab, 1);
  ck_assert_int_eq(lab.system.flow->drift(self, 0.3, 0, &fixture_error), RILL_OK);
  ck_assert_int_eq(lab.system.flow->kick(self, 0.2, 0.2, &rill_filter_identity, 0, &fixture_error), RILL_OK);
  lab.system.ops->archive(self, &changed);
  lab.system.ops->restore(self);
  lab.system.ops->archive(self, &after);
  ck_assert_uint_eq(before.length, after.length);
  ck_assert_mem_ne(before.bytes, changed.bytes, before.length);
  ck_assert_mem_eq(before.bytes, after.bytes, before.length);
  rill_archive_release(&before);
  rill_archive_release(&changed);
  rill_archive_release(&after);
  close_lab(&lab);
}
END_TEST

START_TEST(what_does_not_bind_says_so) {
  const struct {
    const char *system, *settings, *method, *reason;
  } refusals[] = {
      {"double-pendulum", "", "zs", "constraints"},
      {"double-pendulum", "", "newmark", "constraints"},
      {"dna", "", "zss-simplified", "no stiff part"},
  };
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
    struct rill_system system;
    struct rill_integrator *integrator;
    struct rill_binding_options options = usual_options(0.1, 0.4);
    ck_assert_int_eq(open_system(refusals[i].system, refusals[i].settings, &system), RILL_OK);
    ck_assert_int_eq(
        rill_integrator_create(rill_method_find(refusals[i].method), &system, &options, &integrator, &fixture_error),
        RILL_ERROR_UNSUPPORTED);
    ck_assert_msg(strstr(fixture_error.text, refusals[i].reason) != NULL, "%s", fixture_error.text);
    system.ops->destroy(system.self);
  }
}
END_TEST

/* Four particles in space, closed to a tetrahedron: six constraints of which every two share a particle. */
START_TEST(a_closed_linkage_is_rigid) {
  const double q[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1}, mass[4] = {1, 2, 3, 4};
  const double v[12] = {0.3, -0.2, 0.1, 0.5, 0.4, -0.3, 0.2, 0.1, 0.7, -0.6, 0.2, 0.1};
  const double edge = sqrt(8);
  const struct rill_bar bars[6] = {{0, 1, edge}, {2, 3, edge}, {0, 2, edge},
                                   {3, 1, edge}, {1, 2, edge}, {0, 3, edge}};
  const struct rill_linkage linkage = {.name = "tetrahedron",
                                       .dimension = 3,
                                       .particles = 4,
                                       .mass = mass,
                                       .bar_count = 6,
                                       .bars = bars,
                                       .q = q,
                                       .v = v};
  struct lab lab = {0};
  struct rill_observation before, after;
  ck_assert_int_eq(rill_linkage_create(&linkage, &lab.system, &fixture_error), RILL_OK);
  check_constraints(lab.system.mechanical, lab.system.state->q);
  ck_assert_double_eq(lab.system.ops->degrees_of_freedom(lab.system.self), 6);
  bind(&lab, "rattle", 0.05, 0);
  before = look(&lab);
  steps(&lab, 1000);
  after = look(&lab);
  ck_assert_double_lt(after.position_deviation_max, 1e-12);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq_tol(after.momentum[k], before.momentum[k], 1e-12);
    ck_assert_double_eq_tol(after.angular_momentum[k], before.angular_momentum[k], 1e-10);
  }
  close_lab(&lab);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("linkage");
  TCase *tests = tcase_create("linkage");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, parameters_are_read);
  tcase_add_test(tests, parameters_ignore_the_locale);
  tcase_add_test(tests, every_type_opens_with_its_defaults);
  tcase_add_test(tests, impossible_starts_are_refused);
  tcase_add_test(tests, double_spherical_pendulum_has_the_printed_data);
  tcase_add_loop_test(tests, derivatives_agree_with_differences, 0, sizeof samples / sizeof samples[0]);
  tcase_add_test(tests, gauss_newton_is_the_hessian_on_the_constraints);
  tcase_add_loop_test(tests, projected_flows_keep_the_constraints, 0, sizeof constrained / sizeof constrained[0]);
  tcase_add_test(tests, deviations_are_the_constraints);
  tcase_add_test(tests, rattle_keeps_the_vertical_angular_momentum);
  tcase_add_test(tests, projected_flows_have_their_orders);
  tcase_add_test(tests, only_gradients_have_symmetric_jacobians);
  tcase_add_test(tests, filters_without_beta_are_verlet);
  tcase_add_test(tests, one_step_newmark_d_is_zss);
  tcase_add_loop_test(tests, restarts_are_exact, 0, sizeof restartable / sizeof restartable[0]);
  tcase_add_loop_test(tests, restored_states_are_whole, 0, 2);
  tcase_add_loop_test(tests, a_failed_step_leaves_the_state, 0, sizeof failing / sizeof failing[0]);
  tcase_add_test(tests, what_does_not_bind_says_so);
  tcase_add_test(tests, a_closed_linkage_is_rigid);
  suite_add_tcase(suite, tests);
  return rill_run_suite(suite);
}
