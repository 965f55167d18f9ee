/* Laws of the dynamics of water: order, reversal, momenta, threads, degrees of freedom, what binds. */
#include "analysis/statistics.h"
#include "fixture.h"
#include "water/water_bath.h"
#include "water/water_state.h"

static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_MSHAKE, RILL_RATTLE_SHAKE};
static const char *const stored_start = "tests/data/starts/water7-150K.gro";

/* Positions and velocities of the stored start. */
static void read_start(double q[63], double v[63]) {
  struct rill_structure structure = {0};
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", RILL_SOURCE_DIR, stored_start);
  fixture_ok(rill_structure_read(path, &structure, &fixture_error));
  memcpy(q, structure.positions, 63 * sizeof *q);
  memcpy(v, structure.velocities, 63 * sizeof *v);
  rill_structure_release(&structure);
}

/* Standard deviation of the total energy over 2 ps from the stored start. */
static double energy_deviation(const char *method, enum rill_constraint_solver solver, double step) {
  struct fixture_options o = {.structure = stored_start,
                              .method = method,
                              .solver = solver,
                              .step = step,
                              .removal = RILL_REMOVE_ALL_MOMENTA};
  struct fixture f = fixture_create(&o);
  double q[63], v[63], sum = 0, squares = 0, first = 0;
  size_t steps = (size_t)lround(2.0 / step);
  read_start(q, v);
  rill_water_set_state(&f.system, NULL, v);
  fixture_bind(&f, &o);
  for (size_t i = 0; i <= steps; i++) {
    struct rill_observation seen = fixture_observe(&f);
    double energy = seen.kinetic + seen.potential;
    if (i == 0) first = energy;
    sum += energy - first;
    squares += (energy - first) * (energy - first);
    if (i < steps) fixture_run(&f, 1);
  }
  fixture_destroy(&f);
  sum /= (double)(steps + 1);
  return sqrt(squares / (double)(steps + 1) - sum * sum);
}

/* Energy fluctuation falls as h^2 (ratio 4.0 +- 0.3 a halving) and as h^4 for the fourth-order composition (16 +- 2),
 * from 2 to 0.5 fs. A method of the wrong order cannot pass: the ratios of either kind lie outside the other's range.
 */
START_TEST(energy_fluctuation_falls_with_the_order) {
  for (int s = 0; s < 3; s++) {
    static const char *const second_order[] = {"verlet", "shake"};
    for (int m = 0; m < 2; m++) {
      double coarse = energy_deviation(second_order[m], solvers[s], 0.002);
      for (double step = 0.001; step > 0.0004; step /= 2) {
        double fine = energy_deviation(second_order[m], solvers[s], step);
        ck_assert_double_le(fabs(coarse / fine - 4.0), 0.3);
        coarse = fine;
      }
    }
  }
  {
    double coarse = energy_deviation("yoshida4", RILL_SETTLE, 0.002);
    for (double step = 0.001; step > 0.0004; step /= 2) {
      double fine = energy_deviation("yoshida4", RILL_SETTLE, step);
      ck_assert_double_le(fabs(coarse / fine - 16.0), 2.0);
      coarse = fine;
    }
  }
}
END_TEST

/* A mutant: a composition whose factors are off by 1e-3 is second order only; the law above must see it. */
START_TEST(a_wrong_composition_fails_the_order) {
  static const double wrong[] = {1.3522, -1.7044, 1.3522};
  double ratio = 0, deviation[2];
  const struct rill_method *yoshida = rill_method_find("yoshida4");
  struct rill_splitting splitting = *yoshida->splitting;
  struct rill_method method = *yoshida;
  splitting.factors = wrong;
  method.splitting = &splitting;
  for (int k = 0; k < 2; k++) {
    struct fixture_options o = {.structure = stored_start, .solver = RILL_SETTLE, .step = k ? 0.0005 : 0.001};
    struct fixture f = fixture_create(&o);
    struct rill_binding_options binding = {.step = o.step, .insertion = RILL_NO_BATH, .geodesic_steps = 1};
    double q[63], v[63], first = 0, worst = 0;
    size_t steps = (size_t)lround(2.0 / o.step);
    read_start(q, v);
    rill_water_set_state(&f.system, NULL, v);
    fixture_ok(rill_integrator_create(&method, &f.system, &binding, &f.integrator, &fixture_error));
    for (size_t i = 0; i <= steps; i++) {
      struct rill_observation seen = fixture_observe(&f);
      double energy = seen.kinetic + seen.potential;
      if (i == 0) first = energy;
      worst = fmax(worst, fabs(energy - first));
      if (i < steps) fixture_run(&f, 1);
    }
    deviation[k] = worst;
    fixture_destroy(&f);
  }
  ratio = deviation[0] / deviation[1];
  ck_assert_double_gt(fabs(ratio - 16.0), 2.0);
}
END_TEST

/* Reversible: 1000 steps, velocities reversed, 1000 steps: back to 1e-10 nm. */
START_TEST(reversal_comes_back) {
  static const char *const methods[] = {"verlet", "shake", "yoshida4"};
  for (int m = 0; m < 3; m++)
    for (int s = 0; s < 3; s++) {
      struct fixture_options o = {
          .structure = stored_start, .method = methods[m], .solver = solvers[s], .tolerance = 1e-14, .step = 0.002};
      struct fixture f = fixture_create(&o);
      double q[63], v[63], back[63], before[63], moved = 0, off = 0;
      read_start(q, v);
      rill_water_set_state(&f.system, NULL, v);
      fixture_bind(&f, &o);
      rill_water_copy_state(&f.system, before, NULL);
      fixture_run(&f, 1000);
      rill_water_copy_state(&f.system, back, v);
      for (int i = 0; i < 63; i++) {
        moved = fmax(moved, fabs(back[i] - before[i]));
        v[i] = -v[i];
      }
      rill_water_set_state(&f.system, NULL, v);
      fixture_run(&f, 1000);
      rill_water_copy_state(&f.system, back, NULL);
      for (int i = 0; i < 63; i++) off = fmax(off, fabs(back[i] - before[i]));
      ck_assert_double_gt(moved, 1e-2);
      ck_assert_double_le(off, 1e-10);
      fixture_destroy(&f);
    }
}
END_TEST

/* Momentum and angular momentum over 1e5 steps, relative to sum |p| and sum m |r| |v|: impulses along bonds keep them
 * at round-off. (A02: no slow loss with SETTLE.) */
START_TEST(momenta_are_conserved) {
  for (int s = 0; s < 3; s++) {
    struct fixture_options o = {.structure = stored_start, .solver = solvers[s], .tolerance = 1e-12, .step = 0.002};
    struct fixture f = fixture_create(&o);
    double q[63], v[63], momenta = 0, angular = 0, centre[3] = {0}, total = 0;
    struct rill_observation first, last;
    read_start(q, v);
    rill_water_set_state(&f.system, NULL, v);
    fixture_bind(&f, &o);
    first = fixture_observe(&f);
    for (int i = 0; i < 63; i++) centre[i % 3] += f.model.mass[i / 3 % 3] * q[i];
    for (int i = 0; i < 21; i++) total += f.model.mass[i % 3];
    for (int i = 0; i < 21; i++) {
      double speed = sqrt(v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2]), r = 0;
      for (int c = 0; c < 3; c++) r += pow(q[3 * i + c] - centre[c] / total, 2);
      momenta += f.model.mass[i % 3] * speed;
      angular += f.model.mass[i % 3] * speed * sqrt(r);
    }
    fixture_run(&f, 100000);
    last = fixture_observe(&f);
    for (int c = 0; c < 3; c++) {
      ck_assert_double_le(fabs(last.momentum[c] - first.momentum[c]), 1e-12 * momenta);
      ck_assert_double_le(fabs(last.angular_momentum[c] - first.angular_momentum[c]), 1e-12 * angular);
    }
    fixture_destroy(&f);
  }
}
END_TEST

/* Rounding errors of the momenta are independent of one another and have no mean: the momenta walk, by the square
 * root of the number of steps.  A mean of 1e-16 u nm/ps a step would add up to a thousand times that in a
 * microsecond.  The largest of the six means over blocks of steps, in standard errors; bias: u nm/ps a step, added.
 */
static double bias_of_rounding(enum rill_constraint_solver solver, double bias) {
  enum { BLOCKS = 60, STEPS = 1000 };
  struct fixture_options o = {.structure = "inputs/water7.gro",
                              .solver = solver,
                              .tolerance = 1e-12,
                              .step = 0.002,
                              .start_temperature = 10,
                              .removal = RILL_REMOVE_ALL_MOMENTA};
  struct fixture f = fixture_create(&o);
  double change[6][BLOCKS], before[6], largest = 0;
  fixture_bind(&f, &o);
  for (int block = -1; block < BLOCKS; block++) {
    const struct rill_observation seen = fixture_observe(&f);
    for (int k = 0; k < 6; k++) {
      const double now = k < 3 ? seen.momentum[k] : seen.angular_momentum[k - 3];
      if (block >= 0) change[k][block] = now + (k == 0 ? bias * STEPS * (block + 1) : 0) - before[k];
      before[k] = now + (k == 0 ? bias * STEPS * (block + 1) : 0);
    }
    if (block + 1 < BLOCKS) fixture_run(&f, STEPS);
  }
  fixture_destroy(&f);
  for (int k = 0; k < 6; k++) {
    double mean = 0, squares = 0;
    for (int b = 0; b < BLOCKS; b++) mean += change[k][b] / BLOCKS;
    for (int b = 0; b < BLOCKS; b++) squares += pow(change[k][b] - mean, 2);
    largest = fmax(largest, fabs(mean) / sqrt(squares / (BLOCKS * (BLOCKS - 1.0))));
  }
  return largest;
}

static const enum rill_constraint_solver all_solvers[] = {RILL_SETTLE, RILL_MSHAKE, RILL_RATTLE_SHAKE,
                                                          RILL_BODIES_LGVI, RILL_BODIES_ROTOR};

/* Five standard errors: of all 30 means one is beyond by chance in 1 of 6000 starts. */
START_TEST(rounding_has_no_bias) { ck_assert_double_le(bias_of_rounding(all_solvers[_i], 0), 5); }
END_TEST

START_TEST(a_biased_rounding_is_seen) { ck_assert_double_gt(bias_of_rounding(RILL_SETTLE, 1e-16), 20); }
END_TEST

/* The wall acts between a molecule and the cluster: it conserves both momenta, and the energy with it is as well
 * conserved. */
START_TEST(the_wall_conserves) {
  struct fixture_options o = {.structure = "inputs/water7.gro",
                              .solver = RILL_SETTLE,
                              .step = 0.001,
                              .start_temperature = 600,
                              .removal = RILL_REMOVE_ALL_MOMENTA,
                              .confine_radius = 0.4,
                              .confine_stiffness = 300,
                              .seed = 3};
  struct fixture f = fixture_create(&o);
  struct rill_observation first, last;
  double wall = 0, worst = 0;
  fixture_bind(&f, &o);
  first = fixture_observe(&f);
  for (int i = 0; i < 400; i++) {
    fixture_run(&f, 50);
    last = fixture_observe(&f);
    wall = fmax(wall, last.part[2]);
    worst = fmax(worst, fabs(last.kinetic + last.potential - first.kinetic - first.potential));
  }
  ck_assert_double_gt(wall, 1.0); /* it was felt */
  ck_assert_double_le(
      worst, 0.5); /* of a kinetic energy of 100 kJ/mol; 25 times smaller than the wall's own energy at its most */
  for (int c = 0; c < 3; c++) {
    ck_assert_double_le(fabs(last.momentum[c] - first.momentum[c]), 1e-10);
    ck_assert_double_le(fabs(last.angular_momentum[c] - first.angular_momentum[c]), 1e-10);
  }
  fixture_destroy(&f);
}
END_TEST

/* Forces of the wall are minus the gradient of its energy: through the energies of displaced clusters. */
START_TEST(the_wall_pushes_down_its_gradient) {
  struct fixture_options o = {.structure = "inputs/water7.gro",
                              .solver = RILL_MSHAKE,
                              .tolerance = 1e-10,
                              .step = 1e-4,
                              .no_forces = true,
                              .confine_radius = 0.2,
                              .confine_stiffness = 500};
  struct fixture f = fixture_create(&o);
  double q[63], v[63], rest[63] = {0};
  const double h = 1e-4;
  fixture_bind(&f, &o);
  rill_water_copy_state(&f.system, q, NULL);
  for (int m = 0; m < 7; m++)
    for (int c = 0; c < 3; c++) {
      double moved[63], plus, minus, force = 0;
      for (int side = 0; side < 2; side++) {
        memcpy(moved, q, sizeof q);
        for (int a = 0; a < 3; a++) moved[9 * m + 3 * a + c] += side ? -h : h;
        rill_water_set_state(&f.system, moved, rest);
        *(side ? &minus : &plus) = fixture_observe(&f).part[2];
      }
      /* a tiny step from rest: m dv/dt = F; the wall moves molecules as a whole, so projection changes nothing */
      rill_water_set_state(&f.system, q, rest);
      fixture_run(&f, 1);
      rill_water_copy_state(&f.system, NULL, v);
      for (int a = 0; a < 3; a++) force += f.model.mass[a] * v[9 * m + 3 * a + c] / o.step;
      ck_assert_double_le(fabs(force + (plus - minus) / (2 * h)), 1e-3 * (1 + fabs(force))); /* order h^2, step^2 */
    }
  fixture_destroy(&f);
}
END_TEST

static void run_cluster(const double *positions, size_t molecules, int threads, uint64_t steps, bool mixed,
                        double cutoff, double *q) {
  struct fixture_options o = {.mixed = mixed,
                              .cutoff = cutoff,
                              .positions = positions,
                              .molecules = molecules,
                              .solver = RILL_SETTLE,
                              .step = 0.002,
                              .threads = threads,
                              .insertion = RILL_BAOAB,
                              .temperature = 200,
                              .friction = 2,
                              .start_temperature = 200};
  struct fixture f = fixture_create(&o);
  fixture_bind(&f, &o);
  fixture_run(&f, steps);
  rill_water_copy_state(&f.system, q, NULL);
  fixture_destroy(&f);
}

/* The same bytes for any number of threads, below and above the sizes from which threads are used; in mixed
 * precision, and with a cutoff. */
START_TEST(threads_change_no_byte) {
  enum { MOST = 1000 };
  static double positions[9 * MOST], one[9 * MOST], more[9 * MOST];
  static const size_t sizes[] = {7, 100, MOST};
  struct rill_water_model model;
  fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
  for (int s = 0; s < 3; s++) {
    for (size_t m = 0; m < sizes[s]; m++) { /* a loose lattice, turned molecules */
      double angle = 1.7 * (double)m, x = 0.32 * (double)(m % 10), y = 0.32 * (double)(m / 10 % 10),
             z = 0.32 * (double)(m / 100);
      double molecule[9] = {
          x, y, z, x + cos(angle), y + sin(angle), z, x + cos(angle + 1.8), y + sin(angle + 1.8), z + 0.2};
      memcpy(positions + 9 * m, molecule, sizeof molecule);
    }
    fixture_ok(rill_water_rigidify(&model, positions, sizes[s], &fixture_error));
    for (int kind = 0; kind < 3; kind++) {
      const bool mixed = kind > 0;
      const double cutoff = kind > 1 ? 0.8 : 0;
      run_cluster(positions, sizes[s], 1, 20, mixed, cutoff, one);
      for (int threads = 2; threads <= 4; threads++) {
        run_cluster(positions, sizes[s], threads, 20, mixed, cutoff, more);
        ck_assert_mem_eq(one, more, 9 * sizes[s] * sizeof *one);
      }
    }
  }
}
END_TEST

/* Drift of the energy over 40 ps at constant energy, kT/ns/dof; with positions on a grid of 1.2e-4 nm when
 * `coarse`. */
static double drift_of(bool mixed, bool coarse) {
  enum { MOLECULES = 20, STEPS = 20000, STRIDE = 20, ROWS = STEPS / STRIDE };
  static double time[ROWS], energy[ROWS];
  struct fixture_options o = {.structure = "tests/data/structures/c020_a_hp.gro",
                              .solver = RILL_SETTLE,
                              .step = 0.002,
                              .start_temperature = 200,
                              .removal = RILL_REMOVE_ALL_MOMENTA,
                              .mixed = mixed};
  struct fixture f = fixture_create(&o);
  double temperature = 0;
  fixture_bind(&f, &o);
  for (size_t row = 0; row < ROWS; row++) {
    struct rill_observation seen;
    for (int k = 0; k < STRIDE; k++) {
      double q[9 * MOLECULES], v[9 * MOLECULES];
      fixture_run(&f, 1);
      if (!coarse) continue;
      rill_water_copy_state(&f.system, q, v);
      for (size_t i = 0; i < 9 * MOLECULES; i++) q[i] = rint(q[i] * 0x1p13) * 0x1p-13;
      rill_water_set_state(&f.system, q, v);
    }
    seen = fixture_observe(&f);
    time[row] = (double)(row * STRIDE) * o.step;
    energy[row] = seen.kinetic + seen.potential;
    temperature += seen.temperature / ROWS;
  }
  fixture_destroy(&f);
  return rill_drift_of(time, energy, ROWS).slope * RILL_NANOSECOND /
         (RILL_GAS_CONSTANT * temperature * 6 * MOLECULES);
}

/* Pairs in single precision do not make the energy drift, since the state is in double: 1e-4 kT/ns/dof are seen in
 * long runs with either precision; what is allowed is many times the scatter of such a short one.  With positions on
 * a coarse grid the drift is -6; on one half as coarse it is -0.3 or 0.02, with the instruction set. */
START_TEST(mixed_precision_keeps_the_energy) {
  ck_assert_double_lt(fabs(drift_of(false, false)), 0.01);
  ck_assert_double_lt(fabs(drift_of(true, false)), 0.01);
  ck_assert_double_gt(fabs(drift_of(true, true)), 0.1);
}
END_TEST

/* C01, C02: degrees of freedom 6N less what was removed, and temperatures that are 2K / (dof R). */
START_TEST(degrees_of_freedom_are_counted) {
  static const struct {
    size_t molecules;
    enum rill_momentum_removal removal;
    enum rill_thermostat insertion;
    double friction, expected;
  } cases[] = {
      {1, RILL_KEEP_MOMENTUM, RILL_NO_BATH, 0, 6},
      {7, RILL_KEEP_MOMENTUM, RILL_NO_BATH, 0, 42},
      {7, RILL_REMOVE_LINEAR_MOMENTUM, RILL_NO_BATH, 0, 39},
      {7, RILL_REMOVE_ALL_MOMENTA, RILL_NO_BATH, 0, 36},
      {2, RILL_REMOVE_ALL_MOMENTA, RILL_NO_BATH, 0, 6},
      {7, RILL_REMOVE_ALL_MOMENTA, RILL_GLA, 1, 42},
      {7, RILL_REMOVE_ALL_MOMENTA, RILL_GLA, 0, 36},
      {1, RILL_REMOVE_AUTO, RILL_NO_BATH, 0, 6},
      {7, RILL_REMOVE_AUTO, RILL_NO_BATH, 0, 36},
  };
  double q[63], v[63];
  read_start(q, v);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct fixture_options o = {.positions = q,
                                .molecules = cases[i].molecules,
                                .solver = RILL_SETTLE,
                                .step = 0.002,
                                .tolerance = 1e-8,
                                .removal = cases[i].removal,
                                .insertion = cases[i].insertion,
                                .friction = cases[i].friction,
                                .temperature = 150,
                                .start_temperature = 150};
    struct fixture f = fixture_create(&o);
    double kinetic = 0, written[63];
    struct rill_observation seen;
    fixture_bind(&f, &o);
    seen = fixture_observe(&f);
    ck_assert_double_eq(f.system.ops->degrees_of_freedom(f.system.self), cases[i].expected);
    rill_water_copy_state(&f.system, NULL, written);
    for (size_t k = 0; k < 9 * cases[i].molecules; k++)
      kinetic += 0.5 * f.model.mass[k / 3 % 3] * written[k] * written[k];
    ck_assert_double_le(fabs(seen.temperature - 2 * kinetic / (cases[i].expected * RILL_GAS_CONSTANT)),
                        1e-10 * seen.temperature);
    if (cases[i].removal == RILL_REMOVE_ALL_MOMENTA)
      for (int c = 0; c < 3; c++) {
        ck_assert_double_le(fabs(seen.momentum[c]), 1e-12);
        ck_assert_double_le(fabs(seen.angular_momentum[c]), 1e-12);
      }
    fixture_destroy(&f);
  }
  {
    struct fixture_options o = {.positions = q, .molecules = 1, .solver = RILL_SETTLE, .step = 0.002};
    struct fixture f = fixture_create(&o);
    ck_assert_int_eq(rill_water_remove_momentum(&f.system, RILL_REMOVE_LINEAR_MOMENTUM, &fixture_error),
                     RILL_ERROR_INPUT);
    fixture_destroy(&f);
  }
}
END_TEST

/* C07, and equipartition when the rotation of the whole is removed: over many Maxwell draws translation and rotation
 * both have the bath's temperature with the shares of the removed degrees of freedom; naive shares (3N - 3 and 3N -
 * 3) fail. */
START_TEST(removed_rotation_is_shared_rightly) {
  struct fixture_options o = {.structure = "inputs/water7.gro", .solver = RILL_SETTLE, .step = 0.002};
  enum { DRAWS = 20000 };
  struct fixture f = fixture_create(&o);
  double translation = 0, rotation = 0, error;
  fixture_bind(&f, &o);
  for (uint64_t i = 0; i < DRAWS; i++) {
    struct rill_observation seen;
    fixture_ok(rill_water_draw_velocities(&f.system, 100, i, &fixture_error));
    fixture_ok(rill_water_remove_momentum(&f.system, RILL_REMOVE_ALL_MOMENTA, &fixture_error));
    seen = fixture_observe(&f);
    translation += seen.temperature_translation / DRAWS;
    rotation += seen.temperature_rotation / DRAWS;
  }
  error = 100 * sqrt(2.0 / 15 / DRAWS); /* 15 to 21 degrees of freedom each */
  ck_assert_double_le(fabs(translation - 100), 4 * error);
  ck_assert_double_le(fabs(rotation - 100), 4 * error);
  ck_assert_double_gt(fabs(rotation * (3 * 7 - 0.0) / (3 * 7 - 3) - 100), 4 * error);
  fixture_destroy(&f);
}
END_TEST

/* The numbers of the Ornstein-Uhlenbeck flow: friction as a rate or by mass, the noise that keeps the temperature;
 * and a ramp, which ends at its end. */
START_TEST(the_bath_has_its_numbers) {
  const struct fixture_options o = {.structure = "inputs/water7.gro",
                                    .step = 0.002,
                                    .insertion = RILL_GLA,
                                    .temperature = 100,
                                    .friction = 3,
                                    .per_mass = _i == 1};
  struct fixture f = fixture_create(&o);
  struct rill_water *water = f.system.self;
  const double h = 0.002;
  fixture_ok(f.system.ops->begin_step(water, 0, h, &fixture_error));
  rill_water_prepare_ou(water, h);
  for (int a = 0; a < RILL_ATOMS; a++) {
    const double mass = f.model.mass[a], kt = RILL_GAS_CONSTANT * 100, decay = exp(-h * (_i == 1 ? 3 / mass : 3));
    ck_assert_double_eq_tol(water->ou.decay[a], decay, 1e-15);
    ck_assert_double_eq_tol(pow(water->ou.amplitude[a], 2) * mass, (1 - decay * decay) * kt, 1e-14);
  }
  water->options.temperature[1] = 20;
  water->options.steps = 400;
  for (uint64_t step = 0; step < 400; step += 57) {
    fixture_ok(f.system.ops->begin_step(water, step, h, &fixture_error));
    ck_assert_double_eq_tol(water->temperature, 100 - 0.2 * (double)(step + 1), 1e-12);
  }
  fixture_destroy(&f);
}
END_TEST

/* The largest deviation of 21 bonds is between their root mean square and its sqrt(21)-fold. */
START_TEST(deviations_have_their_means) {
  const struct fixture_options o = {.structure = "inputs/water7.gro", .step = 0.002};
  struct fixture f = fixture_create(&o);
  struct rill_observation seen;
  double x[63], v[63];
  rill_water_copy_state(&f.system, x, v);
  for (int i = 0; i < 63; i++) {
    x[i] += 1e-5 * sin(i);
    v[i] = 1e-3 * cos(i);
  }
  rill_water_set_state(&f.system, x, v);
  fixture_ok(f.system.ops->observe(f.system.self, &seen, &fixture_error));
  ck_assert_double_gt(seen.position_deviation_max, seen.position_deviation_rms);
  ck_assert_double_lt(seen.position_deviation_max, seen.position_deviation_rms * sqrt(21));
  ck_assert_double_gt(seen.velocity_deviation_max, seen.velocity_deviation_rms);
  ck_assert_double_lt(seen.velocity_deviation_max, seen.velocity_deviation_rms * sqrt(21));
  fixture_destroy(&f);
}
END_TEST

/* A cluster far from the origin is moved there inside; a step that is taken back leaves it where it was outside. */
START_TEST(restored_states_keep_their_place) {
  const struct fixture_options o = {.structure = "inputs/water7.gro", .step = 0.002};
  struct fixture f = fixture_create(&o);
  double x[63], v[63], before[63], after[63];
  rill_water_copy_state(&f.system, x, v);
  for (int i = 0; i < 63; i++) x[i] += 3;
  rill_water_set_state(&f.system, x, v);
  fixture_ok(f.system.ops->begin_step(f.system.self, 0, 0.002, &fixture_error));
  rill_water_copy_positions(&f.system, before);
  f.system.ops->save(f.system.self);
  f.system.ops->restore(f.system.self);
  rill_water_copy_positions(&f.system, after);
  for (int i = 0; i < 63; i++) ck_assert_double_eq_tol(before[i], x[i], 1e-12);
  ck_assert_mem_eq(before, after, sizeof before);
  fixture_destroy(&f);
}
END_TEST

/* A drift whose constraints do not converge fails: two iterations are too few, 500 suffice. */
START_TEST(too_few_iterations_fail) {
  static const unsigned most[] = {2, 500};
  for (int s = 1; s < 3; s++)
    for (int k = 0; k < 2; k++) {
      const struct fixture_options o = {.structure = stored_start, .solver = solvers[s], .max_iterations = most[k]};
      struct fixture f = fixture_create(&o);
      enum rill_status status;
      double q[63], v[63];
      read_start(q, v);
      rill_water_set_state(&f.system, NULL, v);
      status = f.system.flow->drift(f.system.self, 0.002, 0, &fixture_error);
      ck_assert_int_eq(status, k == 0 ? RILL_ERROR_CONVERGENCE : RILL_OK);
      if (k == 0) ck_assert_ptr_nonnull(strstr(fixture_error.text, "iteration limit"));
      fixture_destroy(&f);
    }
}
END_TEST

/* Impulses that are not finite, or huge, fail a drift of every solver, and the error names the molecule: from a
 * velocity that is NaN, and from one that takes a hydrogen far from its oxygen. */
START_TEST(hopeless_impulses_fail) {
  static const double bad[] = {NAN, 1e160};
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < 2; k++) {
      const struct fixture_options o = {.structure = stored_start, .solver = solvers[s]};
      struct fixture f = fixture_create(&o);
      double q[63], v[63];
      read_start(q, v);
      fixture_ok(f.system.flow->drift(f.system.self, 0.002, 0, &fixture_error));
      v[9 * 4 + 3] = bad[k];
      rill_water_set_state(&f.system, NULL, v);
      ck_assert_int_eq(f.system.flow->drift(f.system.self, 0.002, 0, &fixture_error), RILL_ERROR_CONVERGENCE);
      ck_assert_ptr_nonnull(strstr(fixture_error.text, "of molecule 5;"));
      fixture_destroy(&f);
    }
}
END_TEST

/* What does not bind says why. */
START_TEST(refusals_say_why) {
  struct fixture_options o = {.structure = "inputs/water7.gro",
                              .solver = RILL_SETTLE,
                              .step = 0.002,
                              .insertion = RILL_BAOAB,
                              .friction = 1,
                              .temperature = 10};
  static const struct {
    const char *method;
    enum rill_thermostat insertion;
    enum rill_refusal refusal;
  } cases[] = {
      {"yoshida4", RILL_BAOAB, RILL_REFUSED_OU_BACKWARD},
      {"shake", RILL_BAOAB, RILL_REFUSED_OU_DIFFERENCE},
      {"yoshida4", RILL_GLA, RILL_BINDS},
      {"shake", RILL_GLA, RILL_BINDS},
      {"verlet", RILL_BAOAB, RILL_BINDS},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct fixture f = fixture_create(&o);
    ck_assert_int_eq(rill_method_refusal(rill_method_find(cases[i].method), &f.system, cases[i].insertion),
                     cases[i].refusal);
    fixture_destroy(&f);
  }
  { /* a splitting of order above 2 is refused where drifts are projected */
    struct fixture f = fixture_create(&o);
    struct rill_method method = *rill_method_find("verlet");
    method.order = 4;
    ck_assert_int_eq(rill_method_refusal(&method, &f.system, RILL_NO_BATH), RILL_REFUSED_EXACT_DRIFT);
    fixture_destroy(&f);
  }
}
END_TEST

/* A cluster that moves away is brought back inside, and its unwrapped positions show nothing of it. */
START_TEST(recentring_does_not_show) {
  struct fixture_options o = {.structure = "inputs/water7.gro", .solver = RILL_SETTLE, .step = 0.002};
  struct fixture f = fixture_create(&o);
  double q[63], v[63], before[63];
  fixture_bind(&f, &o);
  rill_water_copy_state(&f.system, before, NULL);
  for (int i = 0; i < 63; i++) v[i] = i % 3 == 0 ? 5.0 : 0.0;
  rill_water_set_state(&f.system, NULL, v);
  fixture_run(&f, 1000); /* 10 nm */
  rill_water_copy_state(&f.system, q, NULL);
  for (int m = 0; m < 7; m++) ck_assert_double_le(fabs(q[9 * m] - before[9 * m] - 10.0), 0.05);
  ck_assert_double_le(fixture_observe(&f).position_deviation_max, 1e-13);
  fixture_destroy(&f);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("water dynamics");
  TCase *longer = rill_long_cases(suite, 300);
  TCase *cases = tcase_create("dynamics");
  tcase_set_timeout(cases, 300);
  tcase_add_test(cases, energy_fluctuation_falls_with_the_order);
  tcase_add_test(cases, a_wrong_composition_fails_the_order);
  tcase_add_test(cases, reversal_comes_back);
  tcase_add_test(cases, the_wall_conserves);
  tcase_add_test(cases, the_wall_pushes_down_its_gradient);
  tcase_add_test(cases, threads_change_no_byte);
  tcase_add_test(cases, mixed_precision_keeps_the_energy);
  tcase_add_test(cases, degrees_of_freedom_are_counted);
  tcase_add_test(cases, removed_rotation_is_shared_rightly);
  tcase_add_loop_test(cases, the_bath_has_its_numbers, 0, 2);
  tcase_add_test(cases, deviations_have_their_means);
  tcase_add_test(cases, restored_states_keep_their_place);
  tcase_add_test(cases, too_few_iterations_fail);
  tcase_add_test(cases, hopeless_impulses_fail);
  tcase_add_test(cases, refusals_say_why);
  tcase_add_test(cases, recentring_does_not_show);
  tcase_add_test(longer, momenta_are_conserved);
  tcase_add_loop_test(longer, rounding_has_no_bias, 0, 5);
  tcase_add_test(longer, a_biased_rounding_is_seen);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
