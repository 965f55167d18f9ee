/* Trials of generalised hybrid Monte Carlo: exact laws at steps whose error would show, detailed balance, rejections,
 * and states between trials.
 *
 * Every kernel rounds differently, and so has a trajectory of its own: what is compared must hold for any seed.  Five
 * standard errors are allowed. */
#include "analysis/statistics.h"
#include "fixture.h"

static const double allowed = 5;

static double off(const double *values, size_t count, double target) {
  const struct rill_mean mean = rill_mean_of(values, count);
  ck_assert_int_eq(mean.sampling, RILL_SAMPLING_ENOUGH);
  return fabs(mean.mean - target) / mean.error;
}

static double *samples_of(size_t count) {
  double *values = malloc(count * sizeof *values);
  ck_assert_ptr_nonnull(values);
  return values;
}

static void start_positions(double positions[63]) {
  struct rill_structure structure = {0};
  char path[1024];
  snprintf(path, sizeof path, "%s/inputs/water7.gro", RILL_SOURCE_DIR);
  fixture_ok(rill_structure_read(path, &structure, &fixture_error));
  memcpy(positions, structure.positions, 63 * sizeof *positions);
  rill_structure_release(&structure);
}

/* Seven waters in a wall, with trials as long as their error allows. */
static struct fixture_options seven(double positions[63]) {
  start_positions(positions);
  return (struct fixture_options){.positions = positions,
                                  .molecules = 7,
                                  .solver = RILL_SETTLE,
                                  .step = 0.006,
                                  .insertion = RILL_GHMC,
                                  .temperature = 150,
                                  .friction = 10,
                                  .start_temperature = 150,
                                  .removal = RILL_KEEP_MOMENTUM,
                                  .seed = 3,
                                  .confine_radius = 0.6};
}

static void centre_of(const struct rill_water_model *model, const double *x, double centre[3]) {
  const double total = model->mass[0] + model->mass[1] + model->mass[2];
  for (int d = 0; d < 3; d++)
    centre[d] = (model->mass[0] * x[d] + model->mass[1] * x[3 + d] + model->mass[2] * x[6 + d]) / total;
}

static double relative_square(const struct fixture *f, const double *x) {
  double a[3], b[3];
  centre_of(&f->model, x, a);
  centre_of(&f->model, x + 9, b);
  return (pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)) / 3;
}

/* Two molecules without forces of their own, in a wall of radius nearly 0: their distance is a harmonic oscillator in
 * each direction, whose variances are known.  Without rejections those of the positions would be off by 1 / (1 -
 * (omega h)^2 / 4), here 2.3. */
START_TEST(harmonic_variances_are_exact) {
  const double target = 300, h = 0.004, omega = 1.5 / h;
  const size_t count = 60000;
  double positions[63], q[18], v[18], *square = samples_of(count), *motion = samples_of(count), total, unit;
  struct fixture_options o = seven(positions);
  struct fixture f;
  memcpy(positions + 9, positions, 9 * sizeof *positions);
  for (int k = 9; k < 18; k++) positions[k] += 0.001;
  fixture_ok(rill_water_model_find("tip3p", 0, &f.model, &fixture_error));
  total = f.model.mass[0] + f.model.mass[1] + f.model.mass[2];
  o.molecules = 2;
  o.step = h;
  o.temperature = o.start_temperature = target;
  o.friction = 50;
  o.no_forces = true;
  o.confine_radius = 1e-9;
  o.confine_stiffness = omega * omega * total;
  o.trial_steps = _i == 1 ? 2 : 1;
  o.solver = _i == 2 ? RILL_BODIES_ROTOR : RILL_SETTLE;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  fixture_run(&f, 1000);
  for (size_t i = 0; i < count; i++) {
    fixture_run(&f, 4);
    rill_water_copy_state(&f.system, q, v);
    square[i] = relative_square(&f, q);
    motion[i] = relative_square(&f, v);
  }
  unit = 2 * RILL_GAS_CONSTANT * target / total; /* kT / reduced mass */
  ck_assert_uint_lt(f.system.trials->accepted, f.system.trials->made);
  ck_assert_msg(off(square, count, unit / (omega * omega)) <= allowed, "<x^2> is %.5g of the exact one",
                rill_mean_of(square, count).mean / unit * omega * omega);
  ck_assert_msg(off(motion, count, unit) <= allowed, "<v^2> is %.5g of the exact one",
                rill_mean_of(motion, count).mean / unit);
  fixture_destroy(&f);
  free(square);
  free(motion);
}
END_TEST

struct kind {
  const char *name, *method;
  enum rill_constraint_solver solver;
  double stiffness, step;
  bool per_mass;
  unsigned trial_steps;
  size_t count;
};
static const struct kind kinds[] = {
    {"settle", "rattle", RILL_SETTLE, 0, 0.006, false, 1, 60000},
    {"settle, five steps", "rattle", RILL_SETTLE, 0, 0.005, false, 5, 20000},
    {"settle, position-shake", "position-shake", RILL_SETTLE, 0, 0.006, false, 1, 30000},
    {"settle, yoshida4", "yoshida4", RILL_SETTLE, 0, 0.006, false, 1, 20000},
    {"mshake", "rattle", RILL_MSHAKE, 0, 0.006, false, 1, 20000},
    {"shake", "rattle", RILL_RATTLE_SHAKE, 0, 0.006, false, 1, 3000},
    {"lgvi", "rattle", RILL_BODIES_LGVI, 0, 0.006, false, 1, 20000},
    {"rotor", "rattle", RILL_BODIES_ROTOR, 0, 0.006, false, 1, 30000},
    {"rotor, friction by mass", "rattle", RILL_BODIES_ROTOR, 0, 0.006, true, 1, 30000},
    {"penalised", "verlet", RILL_SETTLE, 4000, 0.0005, false, 1, 30000},
    {"penalised, friction by mass", "verlet", RILL_SETTLE, 4000, 0.0005, true, 1, 30000},
};

/* For a reversible map that keeps the volume, begun in the ensemble, <exp(-dH/kT)> = 1. */
START_TEST(boltzmann_factors_average_to_one) {
  const struct kind *kind = &kinds[_i];
  double positions[63], *factor = samples_of(kind->count);
  struct fixture_options o = seven(positions);
  struct fixture f;
  double share;
  o.method = kind->method;
  o.solver = kind->solver;
  o.stiffness = kind->stiffness;
  o.step = kind->step;
  o.per_mass = kind->per_mass;
  o.trial_steps = kind->trial_steps;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  fixture_run(&f, 2000 * kind->trial_steps);
  for (size_t i = 0; i < kind->count; i++) {
    fixture_run(&f, kind->trial_steps);
    factor[i] = exp(-f.system.trials->change);
  }
  share = (double)f.system.trials->accepted / (double)f.system.trials->made;
  ck_assert_msg(off(factor, kind->count, 1) <= allowed, "%s: <exp(-dH/kT)> = %.6g +- %.2g", kind->name,
                rill_mean_of(factor, kind->count).mean, rill_mean_of(factor, kind->count).error);
  ck_assert_msg(share > 0.3 && share < 0.9999, "%s: %.4g accepted", kind->name, share);
  ck_assert_uint_eq(f.system.trials->failed + f.system.trials->unreturned, 0);
  fixture_destroy(&f);
  free(factor);
}
END_TEST

/* The refreshment lasts as long as the trial: without forces the correlation of velocities after one of n steps is
 * exp(-gamma n h). */
START_TEST(refreshment_lasts_as_long_as_the_trial) {
  enum { COUNT = 20000 };
  double positions[63], v[2][9], before[3], after[3], *product = samples_of(COUNT), variance;
  struct fixture_options o = seven(positions);
  struct fixture f;
  o.molecules = 1;
  o.no_forces = true;
  o.confine_radius = 0;
  o.step = 0.002;
  o.trial_steps = 4;
  o.friction = 50;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  variance = RILL_GAS_CONSTANT * o.temperature / (f.model.mass[0] + f.model.mass[1] + f.model.mass[2]);
  for (int i = 0; i < COUNT; i++) {
    rill_water_copy_state(&f.system, NULL, v[0]);
    fixture_run(&f, 4);
    rill_water_copy_state(&f.system, NULL, v[1]);
    centre_of(&f.model, v[0], before);
    centre_of(&f.model, v[1], after);
    product[i] = (before[0] * after[0] + before[1] * after[1] + before[2] * after[2]) / (3 * variance);
  }
  ck_assert_double_le(off(product, COUNT, exp(-o.friction * 4 * o.step)), allowed);
  fixture_destroy(&f);
  free(product);
}
END_TEST

/* Accepted moves lead from one bin of the potential energy to another as often as back. */
START_TEST(moves_balance) {
  enum { BINS = 12 };
  const double low = -233, width = 3.5;
  double positions[63], count[BINS][BINS] = {{0}}, chi2 = 0;
  struct fixture_options o = seven(positions);
  struct fixture f;
  int from = -1, pairs = 0;
  uint64_t accepted;
  o.trial_steps = 5;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  fixture_run(&f, 10000);
  accepted = f.system.trials->accepted;
  for (int i = 0; i < 60000; i++) {
    int to;
    fixture_run(&f, o.trial_steps);
    to = (int)fmin(BINS - 1, fmax(0, floor((fixture_observe(&f).potential - low) / width)));
    if (from >= 0 && f.system.trials->accepted > accepted) count[from][to]++;
    accepted = f.system.trials->accepted;
    from = to;
  }
  for (int i = 0; i < BINS; i++)
    for (int j = 0; j < i; j++) {
      const double sum = count[i][j] + count[j][i];
      if (sum < 50) continue;
      chi2 += pow(count[i][j] - count[j][i], 2) / sum;
      pairs++;
      ck_assert_msg(fabs(count[i][j] - count[j][i]) <= allowed * sqrt(sum), "bins %d, %d: %g and %g", i, j,
                    count[i][j], count[j][i]);
    }
  ck_assert_msg(chi2 < pairs + allowed * sqrt(2 * pairs), "chi^2 = %.3g of %d pairs", chi2, pairs);
  ck_assert_int_gt(pairs, 20);
  fixture_destroy(&f);
}
END_TEST

/* The whole trial is made in its last step: each state between steps is one of the ensemble's. */
START_TEST(states_between_trials_stay) {
  double positions[63], q[2][63], v[2][63];
  struct fixture_options o = seven(positions);
  struct fixture f;
  o.trial_steps = 4;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  fixture_run(&f, 4);
  ck_assert_uint_eq(f.system.trials->made, 1);
  rill_water_copy_state(&f.system, q[0], v[0]);
  for (int i = 0; i < 3; i++) {
    fixture_run(&f, 1);
    rill_water_copy_state(&f.system, q[1], v[1]);
    ck_assert_mem_eq(q[0], q[1], sizeof q[0]);
    ck_assert_mem_eq(v[0], v[1], sizeof v[0]);
    ck_assert(isfinite(fixture_observe(&f).temperature_half));
  }
  fixture_run(&f, 1);
  ck_assert_uint_eq(f.system.trials->made, 2);
  rill_water_copy_state(&f.system, q[1], v[1]);
  ck_assert_mem_ne(q[0], q[1], sizeof q[0]);
  fixture_destroy(&f);
}
END_TEST

/* Without friction a rejected trial leaves the positions to the bit, and all velocities reversed. */
START_TEST(rejection_reverses) {
  static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_BODIES_ROTOR};
  double positions[63], q[2][63], v[2][63];
  struct fixture_options o = seven(positions);
  struct fixture f;
  int rejected = 0;
  o.solver = solvers[_i];
  o.friction = 0;
  o.step = 0.009;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  for (int i = 0; i < 200; i++) {
    const uint64_t accepted = f.system.trials->accepted;
    rill_water_copy_state(&f.system, q[0], v[0]);
    fixture_run(&f, 1);
    rill_water_copy_state(&f.system, q[1], v[1]);
    if (f.system.trials->accepted > accepted) continue;
    rejected++;
    for (int k = 0; k < 63; k++) {
      ck_assert_double_eq(q[0][k], q[1][k]);
      ck_assert_double_eq_tol(-v[0][k], v[1][k], 1e-9);
    }
  }
  ck_assert_int_gt(rejected, 5);
  fixture_destroy(&f);
}
END_TEST

/* Forces that are requested between trials change nothing. */
START_TEST(forces_between_trials_change_nothing) {
  double positions[63], q[2][63], forces[63];
  for (int asks = 0; asks < 2; asks++) {
    struct fixture_options o = seven(positions);
    struct fixture f;
    o.step = 0.009;
    f = fixture_create(&o);
    fixture_bind(&f, &o);
    for (int i = 0; i < 200; i++) {
      fixture_run(&f, 1);
      if (asks) fixture_ok(rill_water_copy_forces(&f.system, forces, &fixture_error));
    }
    rill_water_copy_state(&f.system, q[asks], NULL);
    ck_assert_uint_lt(f.system.trials->accepted, 195);
    fixture_destroy(&f);
  }
  ck_assert_mem_eq(q[0], q[1], sizeof q[0]);
}
END_TEST

/* A solver that cannot converge ends no run: its trials are rejections, and counted. */
START_TEST(failures_are_rejections) {
  double positions[63], q[2][63];
  struct fixture_options o = seven(positions);
  struct fixture f;
  o.no_forces = true;
  o.confine_radius = 0;
  o.temperature = o.start_temperature = 300;
  o.step = 0.018;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  for (int i = 0; i < 500; i++) {
    const uint64_t failed = f.system.trials->failed;
    rill_water_copy_state(&f.system, q[0], NULL);
    fixture_run(&f, 1);
    rill_water_copy_state(&f.system, q[1], NULL);
    ck_assert_int_eq(memcmp(q[0], q[1], sizeof q[0]) == 0, f.system.trials->failed > failed);
  }
  ck_assert_uint_gt(f.system.trials->failed, 10);
  ck_assert_uint_gt(f.system.trials->accepted, 10);
  ck_assert_uint_eq(f.system.trials->accepted + f.system.trials->failed, 500); /* no energy is lost otherwise */
  fixture_destroy(&f);
}
END_TEST

/* At rotations of about a radian SHAKE may find another solution on the way back. */
START_TEST(trials_that_do_not_return_are_rejections) {
  double positions[63];
  struct fixture_options o = seven(positions);
  struct fixture f;
  o.solver = RILL_RATTLE_SHAKE;
  o.molecules = 1;
  o.no_forces = true;
  o.confine_radius = 0;
  o.temperature = o.start_temperature = 600;
  o.step = 0.03;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  fixture_run(&f, 5000);
  ck_assert_uint_gt(f.system.trials->unreturned, 0);
  ck_assert_uint_gt(f.system.trials->failed, 100);
  ck_assert_uint_gt(f.system.trials->accepted, 100);
  ck_assert_uint_eq(f.system.trials->accepted + f.system.trials->failed + f.system.trials->unreturned, 5000);
  fixture_destroy(&f);
}
END_TEST

/* Why SETTLE's and the rotor's trials are not tried in reverse: a step that they make comes back, however long. */
START_TEST(settle_and_rotor_come_back) {
  static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_BODIES_ROTOR};
  double positions[63], q[2][63], v[63];
  int made = 0;
  struct fixture_options o = seven(positions);
  o.solver = solvers[_i % 2];
  o.molecules = 1;
  o.insertion = RILL_NO_BATH;
  o.confine_radius = 0;
  o.start_temperature = 600;
  o.step = 0.01 * (1 + _i / 2);
  for (uint64_t seed = 1; seed <= 300; seed++) {
    struct fixture f;
    double largest = 0;
    o.seed = seed;
    f = fixture_create(&o);
    fixture_bind(&f, &o);
    rill_water_copy_state(&f.system, q[0], NULL);
    if (rill_integrator_step(f.integrator, 0, false, &fixture_error) != RILL_OK) {
      rill_error_clear(&fixture_error);
    } else {
      made++;
      rill_water_copy_state(&f.system, NULL, v);
      for (int k = 0; k < 9; k++) v[k] = -v[k];
      rill_water_set_state(&f.system, NULL, v);
      fixture_run(&f, 1);
      rill_water_copy_state(&f.system, q[1], NULL);
      for (int k = 0; k < 9; k++) largest = fmax(largest, fabs(q[1][k] - q[0][k]));
      ck_assert_msg(largest < 1e-7, "step %g, seed %d: %g", o.step, (int)seed, largest);
    }
    fixture_destroy(&f);
  }
  ck_assert_int_gt(made, 10);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("trials of water");
  TCase *cases = tcase_create("trials");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, harmonic_variances_are_exact, 0, 3);
  tcase_add_loop_test(cases, boltzmann_factors_average_to_one, 0, sizeof kinds / sizeof kinds[0]);
  tcase_add_test(cases, refreshment_lasts_as_long_as_the_trial);
  tcase_add_test(cases, moves_balance);
  tcase_add_test(cases, states_between_trials_stay);
  tcase_add_loop_test(cases, rejection_reverses, 0, 2);
  tcase_add_test(cases, forces_between_trials_change_nothing);
  tcase_add_test(cases, failures_are_rejections);
  tcase_add_test(cases, trials_that_do_not_return_are_rejections);
  tcase_add_loop_test(cases, settle_and_rotor_come_back, 0, 6);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
