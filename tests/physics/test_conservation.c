/* Long runs at constant energy: drift of the total energy of rigid water with each exact solver, and long reversals.
 *
 * The drift's criterion is its size and three standard errors of it, so that a run that is too short cannot pass. */
#include "analysis/statistics.h"
#include "fixture.h"
#include "scale.h"

static const double drift_limit = 0.01; /* kT/ns/dof */
static const char *const stored_start = "tests/data/starts/water7-150K.gro";

static void take_start(struct fixture *f, struct fixture_options *o) {
  struct rill_structure structure = {0};
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", RILL_SOURCE_DIR, stored_start);
  fixture_ok(rill_structure_read(path, &structure, &fixture_error));
  o->structure = stored_start;
  *f = fixture_create(o);
  rill_water_set_state(&f->system, NULL, structure.velocities);
  rill_structure_release(&structure);
}

static struct rill_drift drift_of(struct fixture_options *o, size_t samples, size_t stride, double *kt_freedom) {
  struct fixture f;
  double *t = malloc(samples * sizeof *t), *e = malloc(samples * sizeof *e), temperature = 0;
  struct rill_drift drift;
  ck_assert(t != NULL && e != NULL);
  take_start(&f, o);
  fixture_bind(&f, o);
  for (size_t i = 0; i < samples; i++) {
    struct rill_observation seen;
    fixture_run(&f, stride);
    seen = fixture_observe(&f);
    t[i] = (double)f.done * o->step;
    e[i] = seen.kinetic + seen.potential;
    temperature += seen.temperature / (double)samples;
  }
  *kt_freedom = RILL_GAS_CONSTANT * temperature * f.system.ops->degrees_of_freedom(f.system.self);
  drift = rill_drift_of(t, e, samples);
  fixture_destroy(&f);
  free(t);
  free(e);
  return drift;
}

/* 1 ns at 2 fs; SHAKE and M-SHAKE at their default tolerance. */
START_TEST(energy_stays) {
  static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_MSHAKE, RILL_RATTLE_SHAKE};
  static const char *const methods[] = {"verlet", "shake", "yoshida4"};
  struct fixture_options o = {.method = methods[_i / 3],
                              .solver = solvers[_i % 3],
                              .tolerance = 1e-10,
                              .step = 0.002,
                              .removal = RILL_REMOVE_ALL_MOMENTA};
  double unit;
  struct rill_drift drift = drift_of(&o, physics_scaled(20000), 25, &unit);
  double slope = drift.slope * RILL_NANOSECOND / unit;
  /* an energy that wanders has no error to quote, and no allowance for it */
  double error = isnan(drift.error) ? 0 : drift.error * RILL_NANOSECOND / unit;
  ck_assert_msg(fabs(slope) <= drift_limit + 3 * error, "%s: %.3g +- %.2g kT/ns/dof", o.method, slope, error);
  if (physics_full())
    ck_assert_msg(fabs(slope) + 3 * error <= drift_limit, "%s: %.3g +- %.2g kT/ns/dof", o.method, slope, error);
}
END_TEST

/* A mutant: solves to 1e-4 only let the energy run away. */
START_TEST(loose_solves_are_seen) {
  struct fixture_options o = {.method = "verlet",
                              .solver = RILL_RATTLE_SHAKE,
                              .tolerance = 1e-4,
                              .step = 0.002,
                              .removal = RILL_REMOVE_ALL_MOMENTA};
  double unit;
  struct rill_drift drift = drift_of(&o, 4000, 25, &unit);
  /* a run that is lost may have no error of its drift */
  ck_assert_double_gt(fabs(drift.slope) * RILL_NANOSECOND / unit,
                      drift_limit + (isnan(drift.error) ? 0 : 3 * drift.error * RILL_NANOSECOND / unit));
}
END_TEST

/* 1000 steps, velocities reversed, 1000 steps: back to 1e-9 nm with solves to 1e-14.  The chaos of the motion
 * multiplies round-off by about e per picosecond, so that much longer runs cannot come back. */
START_TEST(long_reversal) {
  static const char *const methods[] = {"verlet", "yoshida4", "yoshida6", "shake"};
  static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_MSHAKE};
  struct fixture_options o = {.method = methods[_i / 2],
                              .solver = solvers[_i % 2],
                              .tolerance = 1e-14,
                              .step = 0.002,
                              .removal = RILL_REMOVE_ALL_MOMENTA};
  double q[63], v[63], begun[63], most = 0;
  struct fixture f;
  take_start(&f, &o);
  fixture_bind(&f, &o);
  rill_water_copy_state(&f.system, begun, NULL);
  for (int leg = 0; leg < 2; leg++) {
    fixture_run(&f, 1000);
    rill_water_copy_state(&f.system, q, v);
    if (leg == 0) {
      for (int k = 0; k < 63; k++) most = fmax(most, fabs(q[k] - begun[k]));
      ck_assert_double_gt(most, 0.01); /* it went somewhere */
      for (int k = 0; k < 63; k++) v[k] = -v[k];
      rill_water_set_state(&f.system, q, v);
    }
  }
  most = 0;
  for (int k = 0; k < 63; k++) most = fmax(most, fabs(q[k] - begun[k]));
  ck_assert_msg(most <= 1e-9, "%s: %.3g nm", o.method, most);
  fixture_destroy(&f);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("long conservation");
  TCase *cases = tcase_create("conservation");
  tcase_set_timeout(cases, 1200);
  tcase_add_loop_test(cases, energy_stays, 0, 9);
  tcase_add_test(cases, loose_solves_are_seen);
  tcase_add_loop_test(cases, long_reversal, 0, 8);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
