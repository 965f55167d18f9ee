/* The heat bath step by step, against closed forms: decay, noise, its temperature, where projections stand, and how
 * degrees of freedom are shared.  No long averages: most of it is exact. */
#include <stdlib.h>

#include "fixture.h"
#include "numerics/mat3.h"

static const double h = 0.002;

struct splitting {
  enum rill_thermostat insertion;
  unsigned geodesic_steps;
};
static const struct splitting splittings[] = {{RILL_GLA, 1}, {RILL_BAOAB, 1}, {RILL_BAOAB, 3}};
enum { SPLITTINGS = sizeof splittings / sizeof splittings[0], MOLECULES = 7, STATE = 9 * MOLECULES };

static double norm_of_difference(const double *a, const double *b, double factor) {
  double most = 0;
  for (size_t i = 0; i < STATE; i++) most = fmax(most, fabs(a[i] - factor * b[i]));
  return most;
}

/* At 0 K the velocity of a molecule that moves without turning falls by exp(-gamma h) a step. */
START_TEST(friction_is_exact) {
  static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_MSHAKE, RILL_BODIES_LGVI,
                                                        RILL_BODIES_ROTOR};
  const struct splitting *s = &splittings[_i % SPLITTINGS];
  const double friction = 30, steps = 5;
  struct fixture_options o = {.structure = "inputs/water7.gro",
                              .solver = solvers[_i / SPLITTINGS],
                              .step = h,
                              .insertion = s->insertion,
                              .geodesic_steps = s->geodesic_steps,
                              .friction = friction,
                              .no_forces = true};
  struct fixture f;
  double v[STATE], start[STATE];
  if (_i / SPLITTINGS >= 2 && s->geodesic_steps > 1) return; /* not of bodies */
  f = fixture_create(&o);
  for (size_t m = 0; m < MOLECULES; m++)
    for (size_t i = 0; i < 9; i++) start[9 * m + i] = (double)(m + 1) * (double)(i % 3 + 1) * 0.1;
  fixture_bind(&f, &o);
  rill_water_set_state(&f.system, NULL, start);
  fixture_run(&f, (uint64_t)steps);
  rill_water_copy_state(&f.system, NULL, v);
  fixture_destroy(&f);
  ck_assert_double_le(norm_of_difference(v, start, exp(-steps * friction * h)), 1e-12);
  ck_assert_double_ge(norm_of_difference(v, start, exp(-0.99 * steps * friction * h)), 1e-3); /* a mutant */
}
END_TEST

/* The noise of one step from rest: (1 - exp(-2 gamma h)) k T / 2 of kinetic energy for each degree of freedom, in
 * translation and rotation.  6000 steps of 7 molecules scatter by sqrt(2 / 126000) = 0.4 %; five times that is
 * allowed. */
START_TEST(noise_of_one_step) {
  static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_BODIES_LGVI};
  static const double rest[STATE];
  const double friction = 30, target = 280, expected = target * -expm1(-2 * friction * h);
  struct fixture_options o = {.structure = "inputs/water7.gro",
                              .solver = solvers[_i],
                              .step = h,
                              .insertion = RILL_GLA,
                              .friction = friction,
                              .temperature = target,
                              .no_forces = true};
  struct fixture f = fixture_create(&o);
  double translation = 0, rotation = 0;
  const int steps = 6000;
  fixture_bind(&f, &o);
  for (int i = 0; i < steps; i++) {
    struct rill_observation seen;
    rill_water_set_state(&f.system, NULL, rest);
    fixture_ok(f.system.flow->ou(f.system.self, h, (uint64_t)i, 0, &fixture_error));
    seen = fixture_observe(&f);
    translation += seen.temperature_translation / steps;
    rotation += seen.temperature_rotation / steps;
  }
  fixture_destroy(&f);
  ck_assert_double_eq_tol(translation / expected, 1, 0.02);
  ck_assert_double_eq_tol(rotation / expected, 1, 0.02);
}
END_TEST

/* A ramp is linear over all steps, and is at its last temperature in the last: with a friction that forgets all
 * velocities, step k gives those of a bath of constant temperature. */
START_TEST(ramps_are_linear) {
  enum { STEPS = 8 };
  for (int k = 0; k < STEPS; k++) {
    double v[2][STATE];
    for (int constant = 0; constant < 2; constant++) {
      const double now = 100 + 300 * (k + 1.0) / STEPS;
      struct fixture_options o = {.structure = "inputs/water7.gro",
                                  .solver = RILL_SETTLE,
                                  .step = h,
                                  .insertion = RILL_GLA,
                                  .friction = 1e6,
                                  .temperature = constant ? now : 100,
                                  .no_forces = true};
      struct fixture f;
      if (!constant) o.ramp_to = 400;
      o.steps = STEPS;
      f = fixture_create(&o);
      fixture_bind(&f, &o);
      f.done = (uint64_t)k;
      fixture_run(&f, 1);
      rill_water_copy_state(&f.system, NULL, v[constant]);
      fixture_destroy(&f);
    }
    ck_assert_double_le(norm_of_difference(v[0], v[1], 1), 1e-12);
    ck_assert_double_ge(norm_of_difference(v[0], v[1], 1.01), 1e-4);
  }
}
END_TEST

/* Where friction differs between atoms, velocities are tangent before it: a step is what its flows are, each with
 * its projection.  Without the one before the bath (the mutant) it is another. */
START_TEST(velocities_are_projected_before_the_bath) {
  for (int inside = 0; inside < 2; inside++) {
    struct fixture_options o = {.structure = "tests/data/starts/water7-150K.gro",
                                .solver = RILL_SETTLE,
                                .step = h,
                                .insertion = inside ? RILL_BAOAB : RILL_GLA,
                                .friction = 20,
                                .per_mass = true,
                                .temperature = 300,
                                .start_temperature = 300};
    double stepped[STATE], by_hand[2][STATE];
    struct fixture f = fixture_create(&o);
    fixture_bind(&f, &o);
    fixture_run(&f, 1);
    rill_water_copy_state(&f.system, NULL, stepped);
    fixture_destroy(&f);
    for (int mutant = 0; mutant < 2; mutant++) {
      const struct rill_flow_ops *flow;
      const unsigned before = mutant ? 0 : RILL_FLOW_PROJECT;
      void *self;
      f = fixture_create(&o);
      fixture_bind(&f, &o);
      flow = f.system.flow;
      self = f.system.self;
      fixture_ok(f.system.ops->begin_step(self, 0, h, &fixture_error));
      fixture_ok(flow->kick(self, h / 2, h, &rill_filter_identity, RILL_FLOW_PROJECT, &fixture_error));
      fixture_ok(flow->drift(self, inside ? h / 2 : h, inside ? before : RILL_FLOW_PROJECT, &fixture_error));
      if (inside) {
        fixture_ok(flow->ou(self, h, 0, 0, &fixture_error));
        fixture_ok(flow->drift(self, h / 2, RILL_FLOW_PROJECT, &fixture_error));
      }
      fixture_ok(
          flow->kick(self, h / 2, h, &rill_filter_identity, inside ? RILL_FLOW_PROJECT : before, &fixture_error));
      if (!inside) fixture_ok(flow->ou(self, h, 0, 0, &fixture_error));
      rill_water_copy_state(&f.system, NULL, by_hand[mutant]);
      fixture_destroy(&f);
    }
    ck_assert_double_le(norm_of_difference(stepped, by_hand[0], 1), 1e-11);
    ck_assert_double_ge(norm_of_difference(stepped, by_hand[1], 1), 1e-4);
  }
}
END_TEST

/* A removed rotation of the whole takes tr(I^-1 I_own) from the molecules' own rotation and the rest of 3 from
 * translation, I the inertia of all atoms about the centre and I_own the sum of the molecules' about theirs. */
START_TEST(removed_rotation_is_shared) {
  struct fixture_options o = {.structure = "inputs/water7.gro",
                              .solver = RILL_SETTLE,
                              .step = h,
                              .start_temperature = 300,
                              .removal = RILL_REMOVE_ALL_MOMENTA};
  struct fixture f = fixture_create(&o);
  double x[STATE], v[STATE], all[3][3] = {{0}}, own[3][3] = {{0}}, inverse[3][3], share = 0, whole[3] = {0}, mass = 0;
  double translation = 0, rotation = 0, kinetic = 0;
  struct rill_observation seen;
  fixture_bind(&f, &o);
  rill_water_copy_state(&f.system, x, v);
  seen = fixture_observe(&f);
  for (int a = 0; a < 3; a++) mass += f.model.mass[a];
  for (size_t i = 0; i < STATE; i++) whole[i % 3] += f.model.mass[i / 3 % 3] * x[i] / (mass * MOLECULES);
  for (size_t m = 0; m < MOLECULES; m++) {
    double centre[3] = {0}, speed[3] = {0};
    for (size_t i = 0; i < 9; i++) centre[i % 3] += f.model.mass[i / 3] * x[9 * m + i] / mass;
    for (size_t i = 0; i < 9; i++) speed[i % 3] += f.model.mass[i / 3] * v[9 * m + i] / mass;
    for (int c = 0; c < 3; c++) translation += 0.5 * mass * speed[c] * speed[c];
    for (size_t i = 0; i < 9; i++) kinetic += 0.5 * f.model.mass[i / 3] * v[9 * m + i] * v[9 * m + i];
    for (size_t a = 0; a < 3; a++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          double r[3], s[3], r2 = 0, s2 = 0;
          for (size_t c = 0; c < 3; c++) {
            r[c] = x[9 * m + 3 * a + c] - whole[c];
            s[c] = x[9 * m + 3 * a + c] - centre[c];
            r2 += r[c] * r[c];
            s2 += s[c] * s[c];
          }
          all[i][j] += f.model.mass[a] * ((i == j ? r2 : 0) - r[i] * r[j]);
          own[i][j] += f.model.mass[a] * ((i == j ? s2 : 0) - s[i] * s[j]);
        }
  }
  rotation = kinetic - translation;
  ck_assert(rill_mat3_inverse(all, inverse));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) share += inverse[i][j] * own[j][i];
  fixture_destroy(&f);
  ck_assert(share > 0.05 && share < 1);
  {
    const double spins = 3 * MOLECULES - share, centres = 3 * MOLECULES - 6 + share;
    ck_assert_double_eq_tol(seen.temperature_rotation, 2 * rotation / (spins * RILL_GAS_CONSTANT), 1e-9);
    ck_assert_double_eq_tol(seen.temperature_translation, 2 * translation / (centres * RILL_GAS_CONSTANT), 1e-9);
    ck_assert_double_eq_tol(seen.temperature, 2 * kinetic / ((6 * MOLECULES - 6) * RILL_GAS_CONSTANT), 1e-9);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("heat bath");
  TCase *cases = tcase_create("heat bath");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, friction_is_exact, 0, 4 * SPLITTINGS);
  tcase_add_loop_test(cases, noise_of_one_step, 0, 2);
  tcase_add_test(cases, ramps_are_linear);
  tcase_add_test(cases, velocities_are_projected_before_the_bath);
  tcase_add_test(cases, removed_rotation_is_shared);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
