/* Stochastic velocity rescaling: the exact laws of its random numbers and of the kinetic energy; momenta that stay
 * zero; and the energy that it does not change, the effective one. */
#include "analysis/verdicts.h"
#include "base/random.h"
#include "fixture.h"
#include "water/thermostat/rescale.h"

enum { NUMBERS = 20000 };
static double reduced[NUMBERS];
static const double enough = 0.003;

static struct rill_noise noise_of(uint64_t seed) { return rill_noise_create(seed, RILL_STREAM_TEST); }

/* ---- the law of one step ---- */

static const double shapes[] = {1, 1.5, 2.5, 17.5, 646};

START_TEST(gamma_numbers_have_their_law) {
  const struct rill_noise noise = noise_of(11);
  for (uint64_t i = 0; i < NUMBERS; i++) reduced[i] = rill_noise_gamma(&noise, i, 0, shapes[_i]);
  ck_assert_double_gt(rill_kinetic_probability(reduced, NUMBERS, 2 * shapes[_i]), enough);
  ck_assert_double_lt(rill_kinetic_probability(reduced, NUMBERS, 2 * shapes[_i] + 0.1 * shapes[_i]), 1e-4);
}
END_TEST

static const double freedoms[] = {3, 15, 36, 1293};

/* Each energy from that of ten steps before it, which it has nearly forgotten; in units of kT. */
static double chain(double freedom, double decay) {
  const struct rill_noise noise = noise_of(12);
  double kinetic = freedom / 2;
  for (uint64_t i = 0; i < NUMBERS; i++) {
    for (uint64_t k = 0; k < 10; k++)
      kinetic = rill_rescaled_kinetic(&noise, 10 * i + k, kinetic, freedom / 2, freedom, decay);
    reduced[i] = kinetic;
  }
  return rill_kinetic_probability(reduced, NUMBERS, freedom);
}

START_TEST(kinetic_energy_has_its_law) {
  ck_assert_double_gt(chain(freedoms[_i], 0.5), enough);
  if (freedoms[_i] < 100) ck_assert_double_lt(rill_kinetic_probability(reduced, NUMBERS, freedoms[_i] + 1), 1e-4);
}
END_TEST

/* From a given energy: mean and variance after a time, of the stochastic differential equation, in closed form. */
START_TEST(kinetic_energy_relaxes) {
  static const double decay[] = {0.998, 0.9, 0.3};
  const struct rill_noise noise = noise_of(13);
  const double freedom = 36, mean = freedom / 2, from = 1.7 * mean, c = decay[_i];
  const double expected = c * from + (1 - c) * mean;
  const double variance = 2 * mean * (1 - c) / freedom * (mean * (1 - c) + 2 * c * from);
  double sum = 0, squares = 0;
  for (uint64_t i = 0; i < NUMBERS; i++) {
    const double change = rill_rescaled_kinetic(&noise, i, from, mean, freedom, c) - expected;
    sum += change / NUMBERS;
    squares += change * change / NUMBERS;
  }
  ck_assert_msg(fabs(sum) < 4 * sqrt(variance / NUMBERS), "mean off by %g", sum);
  ck_assert_msg(fabs(squares / variance - 1) < 0.05, "variance %g of the exact one", squares / variance);
}
END_TEST

/* ---- water ---- */

static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_MSHAKE, RILL_BODIES_LGVI, RILL_BODIES_ROTOR};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

static struct fixture_options seven(void) {
  return (struct fixture_options){.structure = "inputs/water7.gro",
                                  .solver = RILL_SETTLE,
                                  .step = 5e-4,
                                  .insertion = RILL_V_RESCALE,
                                  .rescale_time = 0.01,
                                  .temperature = 150,
                                  .start_temperature = 150,
                                  .removal = RILL_REMOVE_AUTO};
}

/* 36 of 42 degrees of freedom are left: the whole neither moves nor turns. */
START_TEST(water_has_its_law_and_no_momentum) {
  enum { SAMPLES = 2000, APART = 100 };
  struct fixture_options o = seven();
  struct fixture f;
  double momentum = 0, angular = 0;
  o.solver = solvers[_i];
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  ck_assert_double_eq(f.system.ops->degrees_of_freedom(f.system.self), 36);
  fixture_run(&f, 2000);
  for (int i = 0; i < SAMPLES; i++) {
    struct rill_observation seen;
    fixture_run(&f, APART);
    seen = fixture_observe(&f);
    reduced[i] = seen.kinetic / (RILL_GAS_CONSTANT * o.temperature);
    for (int c = 0; c < 3; c++) {
      momentum = fmax(momentum, fabs(seen.momentum[c]));
      angular = fmax(angular, fabs(seen.angular_momentum[c]));
    }
  }
  fixture_destroy(&f);
  ck_assert_double_gt(rill_kinetic_probability(reduced, SAMPLES, 36), enough);
  ck_assert_double_lt(rill_kinetic_probability(reduced, SAMPLES, 37), 1e-4);
  ck_assert_msg(momentum < 1e-11 && angular < 1e-10, "momenta up to %g and %g", momentum, angular);
}
END_TEST

/* Momentum from elsewhere, such as a mesh, does not stay. */
START_TEST(momentum_is_removed) {
  struct fixture_options o = seven();
  double v[63];
  struct fixture f;
  o.solver = solvers[_i];
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  rill_water_copy_state(&f.system, NULL, v);
  for (int k = 0; k < 63; k++) v[k] += 0.1 * (k % 3);
  rill_water_set_state(&f.system, NULL, v);
  ck_assert_double_gt(fabs(fixture_observe(&f).momentum[1]), 1);
  fixture_run(&f, 1);
  for (int c = 0; c < 3; c++) ck_assert_double_lt(fabs(fixture_observe(&f).momentum[c]), 1e-11);
  fixture_destroy(&f);
}
END_TEST

/* The largest change of the effective energy in 4 ps, and of the total one; kJ/mol. */
static void most_changed(double step, enum rill_constraint_solver solver, double *effective, double *total) {
  struct fixture_options o = seven();
  struct rill_observation first, seen;
  struct fixture f;
  o.step = step;
  o.solver = solver;
  o.rescale_time = 0.1;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  first = fixture_observe(&f);
  *effective = *total = 0;
  for (int i = 0; i < 200; i++) {
    fixture_run(&f, (uint64_t)lround(0.02 / step));
    seen = fixture_observe(&f);
    *effective = fmax(*effective, fabs(seen.effective - first.effective));
    *total = fmax(*total, fabs(seen.kinetic + seen.potential - first.kinetic - first.potential));
  }
  fixture_destroy(&f);
}

START_TEST(effective_energy_is_kept) {
  double coarse, fine, total;
  most_changed(1e-3, solvers[_i], &coarse, &total);
  ck_assert_msg(coarse < 0.02 * total, "effective %g, total %g kJ/mol", coarse, total);
  most_changed(2.5e-4, solvers[_i], &fine, &total);
  ck_assert_msg(fine < 0.15 * coarse, "effective %g and, with a quarter of the step, %g kJ/mol", coarse, fine);
}
END_TEST

static double effective_after(const struct fixture_options *o, bool fail) {
  struct fixture f = fixture_create(o);
  double effective;
  fixture_bind(&f, o);
  fixture_run(&f, 10);
  if (fail) { /* a step that is undone leaves no trace */
    f.system.ops->save(f.system.self);
    fixture_run(&f, 1);
    f.system.ops->restore(f.system.self);
    f.done--;
  }
  fixture_run(&f, 10);
  effective = fixture_observe(&f).effective;
  fixture_destroy(&f);
  return effective;
}

START_TEST(a_step_can_be_undone) {
  const struct fixture_options o = seven();
  ck_assert_double_eq(effective_after(&o, false), effective_after(&o, true));
}
END_TEST

START_TEST(refusals_say_why) {
  struct fixture_options o = seven();
  struct rill_binding_options binding = {.step = o.step, .insertion = RILL_V_RESCALE, .geodesic_steps = 1};
  struct rill_integrator *integrator;
  struct fixture f;
  o.stiffness = 4000;
  f = fixture_create(&o);
  ck_assert_int_eq(
      rill_integrator_create(rill_method_find("verlet"), &f.system, &binding, &integrator, &fixture_error),
      RILL_ERROR_UNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(fixture_error.text, "does not share energy between stiff springs and the rest"));
  rill_error_clear(&fixture_error);
  fixture_destroy(&f);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("velocity rescale");
  TCase *cases = tcase_create("all");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, gamma_numbers_have_their_law, 0, sizeof shapes / sizeof shapes[0]);
  tcase_add_loop_test(cases, kinetic_energy_has_its_law, 0, sizeof freedoms / sizeof freedoms[0]);
  tcase_add_loop_test(cases, kinetic_energy_relaxes, 0, 3);
  tcase_add_loop_test(cases, water_has_its_law_and_no_momentum, 0, SOLVERS);
  tcase_add_loop_test(cases, momentum_is_removed, 0, SOLVERS);
  tcase_add_loop_test(cases, effective_energy_is_kept, 0, SOLVERS);
  tcase_add_test(cases, a_step_can_be_undone);
  tcase_add_test(cases, refusals_say_why);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
