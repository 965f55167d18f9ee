/* Water as rigid bodies beside water under constraints: the same motion in the limit of small steps, the same laws.
 */
#include "analysis/statistics.h"
#include "base/simd/lanes.h"
#include "fixture.h"
#include "water/bodies/bodies.h"

static const enum rill_constraint_solver solvers[] = {RILL_BODIES_LGVI, RILL_BODIES_ROTOR};
static const char *const stored_start = "tests/data/starts/water7-150K.gro";

static void read_start(double q[63], double v[63]) {
  struct rill_structure structure = {0};
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", RILL_SOURCE_DIR, stored_start);
  fixture_ok(rill_structure_read(path, &structure, &fixture_error));
  memcpy(q, structure.positions, 63 * sizeof *q);
  memcpy(v, structure.velocities, 63 * sizeof *v);
  rill_structure_release(&structure);
}

/* The stored start, bound; its velocities are those of rigid bodies, projected under constraints. */
static struct fixture begin(const struct fixture_options *o) {
  struct fixture f = fixture_create(o);
  double q[63], v[63];
  read_start(q, v);
  rill_water_set_state(&f.system, NULL, v);
  return f;
}

/* Positions after 0.064 ps. */
static void positions_after(const char *method, enum rill_constraint_solver solver, double step, double q[63]) {
  struct fixture_options o = {.structure = stored_start, .method = method, .solver = solver, .step = step};
  struct fixture f = begin(&o);
  fixture_bind(&f, &o);
  fixture_run(&f, (uint64_t)lround(0.064 / step));
  rill_water_copy_state(&f.system, q, NULL);
  fixture_destroy(&f);
}

static double distance(const double *a, const double *b, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* The Lie group variational integrator is RATTLE in other coordinates: both come from one discrete Lagrangian, sum m
 * |q' - q|^2 / 2 h less the potential, on rigid molecules.  With SETTLE their positions agree to round-off, composed
 * or not. */
START_TEST(lgvi_is_rattle) {
  static const char *const methods[] = {"verlet", "yoshida4", "symplectic-euler"};
  for (int m = 0; m < 3; m++) {
    double bodies[63], constraints[63], axes[63];
    positions_after(methods[m], RILL_BODIES_LGVI, 0.002, bodies);
    positions_after(methods[m], RILL_SETTLE, 0.002, constraints);
    positions_after(methods[m], RILL_BODIES_ROTOR, 0.002, axes);
    ck_assert_double_le(distance(bodies, constraints, 63), 2e-14);
    ck_assert_double_ge(distance(axes, constraints, 63), 1e-8); /* another map is seen */
  }
}
END_TEST

/* The turns about axes are another map of the same Hamiltonian: it parts from RATTLE by C h^2, composed by C h^4.  A
 * wrong torque, inertia or mass would leave a difference that no step takes away. */
START_TEST(rotor_has_rattle_s_limit) {
  static const struct {
    const char *method;
    double ratio, tolerance;
  } cases[] = {{"verlet", 4, 0.2}, {"yoshida4", 16, 1.6}};
  for (int k = 0; k < 2; k++) {
    double off[2];
    for (int i = 0; i < 2; i++) {
      double bodies[63], constraints[63];
      positions_after(cases[k].method, RILL_BODIES_ROTOR, i ? 0.0005 : 0.001, bodies);
      positions_after(cases[k].method, RILL_SETTLE, i ? 0.0005 : 0.001, constraints);
      off[i] = distance(bodies, constraints, 63);
    }
    ck_assert_msg(fabs(off[0] / off[1] - cases[k].ratio) <= cases[k].tolerance, "%s: %g and %g, ratio %.3f",
                  cases[k].method, off[0], off[1], off[0] / off[1]);
  }
}
END_TEST

static double energy_deviation(const char *method, enum rill_constraint_solver solver, double step) {
  struct fixture_options o = {.structure = stored_start, .method = method, .solver = solver, .step = step};
  struct fixture f = begin(&o);
  double sum = 0, squares = 0, first = 0, n = 0;
  fixture_bind(&f, &o);
  for (size_t i = 0; i <= (size_t)lround(2.0 / step); i++) {
    struct rill_observation seen = fixture_observe(&f);
    double energy = seen.kinetic + seen.potential;
    if (i == 0) first = energy;
    sum += energy - first;
    squares += (energy - first) * (energy - first);
    n++;
    fixture_run(&f, 1);
  }
  fixture_destroy(&f);
  return sqrt(squares / n - sum * sum / (n * n));
}

START_TEST(energy_fluctuation_falls_with_the_order) {
  for (int s = 0; s < 2; s++) {
    double coarse = energy_deviation("verlet", solvers[s], 0.001),
           fine = energy_deviation("verlet", solvers[s], 0.0005);
    ck_assert_double_le(fabs(coarse / fine - 4), 0.3);
    ck_assert_double_le(fabs(log(coarse / energy_deviation("verlet", RILL_SETTLE, 0.001))),
                        log(2)); /* as large as RATTLE's */
    coarse = energy_deviation("yoshida4", solvers[s], 0.001), fine = energy_deviation("yoshida4", solvers[s], 0.0005);
    ck_assert_double_le(fabs(coarse / fine - 16), 2);
  }
}
END_TEST

START_TEST(reversal_comes_back) {
  static const char *const methods[] = {"verlet", "yoshida4"};
  for (int m = 0; m < 2; m++)
    for (int s = 0; s < 2; s++) {
      struct fixture_options o = {
          .structure = stored_start, .method = methods[m], .solver = solvers[s], .step = 0.002};
      struct fixture f = begin(&o);
      double v[63], back[63], before[63], moved;
      fixture_bind(&f, &o);
      rill_water_copy_state(&f.system, before, NULL);
      fixture_run(&f, 1000);
      rill_water_copy_state(&f.system, back, v);
      moved = distance(back, before, 63);
      for (int i = 0; i < 63; i++) v[i] = -v[i];
      rill_water_set_state(&f.system, NULL, v);
      fixture_run(&f, 1000);
      rill_water_copy_state(&f.system, back, NULL);
      ck_assert_double_gt(moved, 1e-2);
      ck_assert_double_le(distance(back, before, 63), 1e-10);
      fixture_destroy(&f);
    }
}
END_TEST

/* Over 1e5 steps, relative to what they are sums of; bonds and attitudes at round-off at the end. */
START_TEST(momenta_and_shapes_are_kept) {
  for (int s = 0; s < 2; s++) {
    struct fixture_options o = {.structure = stored_start, .solver = solvers[s], .step = 0.002};
    struct fixture f = begin(&o);
    double q[63], v[63], momenta = 0, angular = 0;
    struct rill_observation first, last;
    fixture_bind(&f, &o);
    rill_water_copy_state(&f.system, q, v);
    first = fixture_observe(&f);
    for (int i = 0; i < 21; i++) { /* the cluster is 0.3 nm in radius */
      double speed = sqrt(v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2]);
      momenta += f.model.mass[i % 3] * speed;
      angular += 0.3 * f.model.mass[i % 3] * speed;
    }
    fixture_run(&f, 100000);
    last = fixture_observe(&f);
    for (int c = 0; c < 3; c++) {
      ck_assert_double_le(fabs(last.momentum[c] - first.momentum[c]), 1e-12 * momenta);
      ck_assert_double_le(fabs(last.angular_momentum[c] - first.angular_momentum[c]), 1e-11 * angular);
    }
    ck_assert_double_le(last.position_deviation_max, 1e-14);
    ck_assert_double_le(last.velocity_deviation_max, 1e-12); /* of 1 nm/ps */
    ck_assert_double_le(last.attitude_deviation, 4e-15);
    ck_assert_double_ge(last.iterations, 1);
    ck_assert_double_le(last.iterations, solvers[s] == RILL_BODIES_LGVI ? 3 : 1);
    fixture_destroy(&f);
  }
}
END_TEST

/* A mutant: torques without the oxygen's part (its lever is short, 0.0066 nm) lose the angular momentum and the
 * common limit. */
START_TEST(missing_torque_is_seen) {
  struct rill_body body;
  struct rill_water_model model;
  _Alignas(64) double block[RILL_BODY_ROWS * RILL_LANES] = {0}, f[9 * RILL_LANES], q[9 * RILL_LANES] = {0};
  struct rill_bodies x = rill_bodies_of(block, RILL_LANES);
  double torque[2][3];
  fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
  for (int mutant = 0; mutant < 2; mutant++) {
    fixture_ok(rill_body_create(&model, RILL_ROTOR_LGVI, &body, &fixture_error));
    if (mutant) body.site[0][1] = 0;
    memset(block, 0, sizeof block);
    for (size_t lane = 0; lane < RILL_LANES; lane++) block[6 * RILL_LANES + lane] = 1;
    for (size_t k = 0; k < 9 * RILL_LANES; k++) f[k] = 1 + (double)(k / RILL_LANES);
    rill_body_table(rill_isa_best())->kick(&body, (struct rill_range){0, RILL_LANES}, x, f, 1.0);
    rill_body_table(rill_isa_best())->place(&body, (struct rill_range){0, RILL_LANES}, x, q, NULL);
    fixture_ok(rill_body_create(&model, RILL_ROTOR_LGVI, &body, &fixture_error));
    for (int c = 0; c < 3; c++) { /* sum r x f by hand */
      double expected = 0;
      for (int a = 0; a < 3; a++) {
        double s[3] = {body.site[a][0], 0, body.site[a][1]};
        int i = (c + 1) % 3, k = (c + 2) % 3;
        expected += s[i] * (1 + 3 * a + k) - s[k] * (1 + 3 * a + i);
      }
      torque[mutant][c] = fabs(block[(10 + (size_t)c) * RILL_LANES] - expected);
    }
  }
  for (int c = 0; c < 3; c++) ck_assert_double_le(torque[0][c], 1e-15);
  ck_assert_double_ge(fmax(torque[1][0], torque[1][1]), 1e-3);
}
END_TEST

/* ---- bytes ---- */

static void lattice(size_t molecules, double *positions) {
  struct rill_water_model model;
  fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
  for (size_t m = 0; m < molecules; m++) {
    double angle = 1.7 * (double)m, x = 0.32 * (double)(m % 16), y = 0.32 * (double)(m / 16 % 16),
           z = 0.32 * (double)(m / 256);
    double molecule[9] = {x,      y, z, x + cos(angle), y + sin(angle), z, x + cos(angle + 1.8), y + sin(angle + 1.8),
                          z + 0.2};
    memcpy(positions + 9 * m, molecule, sizeof molecule);
  }
  fixture_ok(rill_water_rigidify(&model, positions, molecules, &fixture_error));
}

static void run_cluster(const double *positions, size_t molecules, enum rill_constraint_solver solver, int threads,
                        uint64_t steps, double *q, double *v) {
  struct fixture_options o = {.positions = positions,
                              .molecules = molecules,
                              .solver = solver,
                              .step = 0.002,
                              .threads = threads,
                              .insertion = RILL_BAOAB,
                              .temperature = 200,
                              .friction = 2,
                              .start_temperature = 200};
  struct fixture f = fixture_create(&o);
  fixture_bind(&f, &o);
  fixture_run(&f, steps);
  rill_water_copy_state(&f.system, q, v);
  fixture_destroy(&f);
}

/* The same bytes for 1 to 4 threads, below and above the size from which the flows are shared among them. */
START_TEST(threads_change_no_byte) {
  enum { MOST = 4100 };
  static double positions[9 * MOST], one[2][9 * MOST], more[2][9 * MOST];
  static const size_t sizes[] = {7, 100, MOST};
  lattice(MOST, positions);
  for (int z = 0; z < 3; z++)
    for (int s = 0; s < (sizes[z] == MOST ? 1 : 2); s++) {
      const uint64_t steps = sizes[z] == MOST ? 2 : 20;
      run_cluster(positions, sizes[z], solvers[s], 1, steps, one[0], one[1]);
      for (int threads = 2; threads <= 4; threads++) {
        run_cluster(positions, sizes[z], solvers[s], threads, steps, more[0], more[1]);
        ck_assert_mem_eq(one[0], more[0], 9 * sizes[z] * sizeof(double));
        ck_assert_mem_eq(one[1], more[1], 9 * sizes[z] * sizeof(double));
      }
    }
}
END_TEST

/* Looking does not change the motion; the same seed gives the same bytes, another one others. */
START_TEST(looking_changes_no_byte) {
  double q[3][63], v[63];
  for (int i = 0; i < 3; i++) {
    struct fixture_options o = {.structure = stored_start,
                                .solver = RILL_BODIES_LGVI,
                                .step = 0.002,
                                .insertion = RILL_GLA,
                                .temperature = 100,
                                .friction = 5,
                                .start_temperature = 100,
                                .seed = i == 2 ? 8 : 7};
    struct fixture f = fixture_create(&o);
    fixture_bind(&f, &o);
    for (int k = 0; k < 600; k++) { /* past the steps on which a cluster is put back to the origin */
      fixture_ok(rill_integrator_step(f.integrator, (uint64_t)k, i == 1, &fixture_error));
      if (i != 1) continue;
      (void)fixture_observe(&f);
      rill_water_copy_state(&f.system, q[i], v);
    }
    rill_water_copy_state(&f.system, q[i], NULL);
    fixture_destroy(&f);
  }
  ck_assert_mem_eq(q[0], q[1], sizeof q[0]);
  ck_assert_mem_ne(q[0], q[2], sizeof q[0]);
}
END_TEST

/* A step for which there is no rotation: told with the molecule, and the state is that before it, to the byte. */
START_TEST(failed_step_restores) {
  struct fixture_options o = {.structure = stored_start, .solver = RILL_BODIES_LGVI, .step = 0.06};
  struct fixture f = begin(&o);
  double before[2][63], after[2][63];
  fixture_bind(&f, &o);
  rill_water_copy_state(&f.system, NULL, before[1]);
  for (int i = 27; i < 36; i++) before[1][i] = 0;
  before[1][30] = 40; /* the fourth molecule spins */
  before[1][34] = -40;
  rill_water_set_state(&f.system, NULL, before[1]);
  rill_water_copy_state(&f.system, before[0], before[1]);
  ck_assert_int_eq(rill_integrator_step(f.integrator, 0, false, &fixture_error), RILL_ERROR_CONVERGENCE);
  ck_assert_ptr_nonnull(strstr(fixture_error.text, "no rotation for the angular momentum of molecule 4"));
  rill_water_copy_state(&f.system, after[0], after[1]);
  ck_assert_mem_eq(before, after, sizeof before);
  fixture_destroy(&f);
}
END_TEST

/* ---- what binds ---- */

START_TEST(what_moves_atoms_is_refused) {
  struct fixture_options o = {.structure = stored_start,
                              .solver = RILL_BODIES_LGVI,
                              .step = 0.001,
                              .insertion = RILL_BAOAB,
                              .friction = 1,
                              .temperature = 100};
  static const struct {
    const char *method;
    enum rill_thermostat insertion;
    unsigned geodesic;
    const char *reason;
  } cases[] = {
      {"shake", RILL_NO_BATH, 1, "difference quotients"},
      {"zss", RILL_NO_BATH, 1, "raw force"},
      {"zs", RILL_GLA, 1, "raw force"},
      {"zss-simplified", RILL_GLA, 1, "no stiff part"},
      {"newmark-pushforward", RILL_NO_BATH, 1, "raw force"},
      {"dvp", RILL_NO_BATH, 1, "moves atoms"},
      {"implicit-midpoint", RILL_NO_BATH, 1, "moves atoms"},
      {"yoshida4", RILL_BAOAB, 1, "backward"},
      {"verlet", RILL_BAOAB, 2, "geodesic sub-steps"},
      {"verlet", RILL_BAOAB, 1, NULL},
      {"verlet", RILL_GLA, 1, NULL},
      {"yoshida8", RILL_GLA, 1, NULL},
  };
  struct fixture f = fixture_create(&o);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct rill_binding_options binding = {
        .step = 0.001, .insertion = cases[i].insertion, .geodesic_steps = cases[i].geodesic};
    struct rill_integrator *integrator = NULL;
    enum rill_status status =
        rill_integrator_create(rill_method_find(cases[i].method), &f.system, &binding, &integrator, &fixture_error);
    if (cases[i].reason == NULL) {
      fixture_ok(status);
    } else {
      ck_assert_int_eq(status, RILL_ERROR_UNSUPPORTED);
      ck_assert_msg(strstr(fixture_error.text, cases[i].reason) != NULL, "%s", fixture_error.text);
    }
    rill_integrator_destroy(integrator);
  }
  f.system.ops->destroy(f.system.self);
}
END_TEST

/* ---- the heat bath ---- */

static void damp(struct fixture *f, double h, unsigned cuts) {
  for (unsigned i = 0; i < cuts; i++) fixture_ok(f->system.flow->ou(f->system.self, h / cuts, i, 0, &fixture_error));
}

/* At 0 K the flow is friction alone.  As a rate it is the same for atoms with projection and for bodies; as gamma per
 * atom, bodies take the exact flow under the constraints, which the atoms' flow with projections tends to with
 * 1/cuts. */
START_TEST(friction_is_that_of_projected_atoms) {
  for (int per_mass = 0; per_mass < 2; per_mass++) {
    struct fixture_options o = {.structure = stored_start,
                                .solver = RILL_BODIES_LGVI,
                                .step = 0.002,
                                .insertion = RILL_GLA,
                                .friction = 8,
                                .per_mass = per_mass};
    double exact[63], v[63], off[2];
    struct fixture f = begin(&o);
    damp(&f, 0.05, 1);
    rill_water_copy_state(&f.system, NULL, exact);
    fixture_destroy(&f);
    o.solver = RILL_SETTLE;
    for (int k = 0; k < 2; k++) {
      f = begin(&o);
      damp(&f, 0.05, k ? 128 : 64);
      rill_water_copy_state(&f.system, NULL, v);
      off[k] = distance(exact, v, 63);
      fixture_destroy(&f);
    }
    if (!per_mass) ck_assert_double_le(off[0], 1e-13);
    if (per_mass) ck_assert_double_ge(off[0], 1e-5);
    if (per_mass) ck_assert_double_le(fabs(off[0] / off[1] - 2), 0.1);
  }
}
END_TEST

/* With frictions of 8 and 3 /ps, after 0.05 ps at 0 K, the kinetic energies of translation and rotation are what is
 * left of them; atoms, projected or on stiff bonds, and bodies take the same flow. */
START_TEST(rotation_has_a_friction_of_its_own) {
  struct fixture_options o = {.structure = stored_start, .step = 0.002, .insertion = RILL_GLA, .friction = 8};
  double v[63], of_body[63];
  o.rotation_friction = 3;
  for (int kind = 0; kind < 3; kind++) {
    struct rill_observation before, after;
    struct fixture f;
    o.solver = kind == 0 ? RILL_BODIES_LGVI : RILL_SETTLE;
    o.stiffness = kind == 2 ? 4000 : 0;
    f = begin(&o);
    before = fixture_observe(&f);
    damp(&f, 0.05, 4);
    after = fixture_observe(&f);
    rill_water_copy_state(&f.system, NULL, kind == 0 ? of_body : v);
    fixture_destroy(&f);
    ck_assert_double_eq_tol(after.temperature_translation / before.temperature_translation, exp(-0.8), 1e-12);
    ck_assert_double_eq_tol(after.temperature_rotation / before.temperature_rotation, exp(-0.3), 1e-12);
    /* the velocities of the file, in few digits, are projected for rigid molecules only */
    if (kind > 0) ck_assert_double_le(distance(of_body, v, 63), kind == 1 ? 1e-13 : 1e-7);
  }
}
END_TEST

/* The on-step estimator under gla, the half-step one under baoab: in all, in translation and in rotation the
 * temperature is the bath's.  Kernels round differently, so it must hold for any seed: seven standard deviations are
 * allowed, of a kinetic energy whose correlation is exp(-2 rate t), and a bath 10 % off is beyond that. */
static void check_temperature(const struct fixture_options *o, size_t samples, size_t stride) {
  const bool inside = o->insertion == RILL_BAOAB;
  /* gamma on atoms: the rate of a molecule's centre, 3 gamma over its mass, is the slowest */
  const double rate = o->per_mass ? 3 * o->friction / 18 : o->friction, freedom = 6 * 7;
  const double allowed =
      7 * o->temperature * sqrt(2 / (freedom * (double)samples * tanh(rate * (double)stride * o->step)));
  double *values = calloc(3 * samples, sizeof *values);
  struct fixture f = fixture_create(o);
  fixture_bind(&f, o);
  fixture_run(&f, (uint64_t)(2.0 / o->step));
  for (size_t i = 0; i < samples; i++) {
    struct rill_observation seen;
    fixture_run(&f, stride);
    seen = fixture_observe(&f);
    values[i] = inside ? seen.temperature_half : seen.temperature;
    values[samples + i] = inside ? seen.temperature_half_translation : seen.temperature_translation;
    values[2 * samples + i] = inside ? seen.temperature_half_rotation : seen.temperature_rotation;
  }
  fixture_destroy(&f);
  for (size_t k = 0; k < 3; k++) {
    const double mean = rill_mean_of(values + k * samples, samples).mean;
    ck_assert_msg(fabs(mean - o->temperature) <= (k == 0 ? 1 : sqrt(2)) * allowed,
                  "%s, quantity %zu: %.2f K, allowed %.2f",
                  rill_choice_word(rill_constraint_solver_choices, o->solver), k, mean, allowed);
    ck_assert_double_gt(fabs(mean - 1.1 * o->temperature), allowed);
  }
  free(values);
}

START_TEST(temperature_is_the_bath_s) {
  static const double steps[] = {0.002, 0.004};
  for (int s = 0; s < 2; s++)
    for (int inside = 0; inside < 2; inside++)
      for (int k = 0; k < 2; k++) {
        struct fixture_options o = {.structure = "inputs/water7.gro",
                                    .solver = solvers[s],
                                    .step = steps[k],
                                    .insertion = inside ? RILL_BAOAB : RILL_GLA,
                                    .temperature = 250,
                                    .friction = 20,
                                    .rotation_friction = k == 0 ? 60 : 0,
                                    .start_temperature = 250,
                                    .seed = 21 + (uint64_t)(4 * s + 2 * inside + k),
                                    .confine_radius = 0.5};
        check_temperature(&o, 4000, 20);
      }
}
END_TEST

/* gamma h / m_H = 0.2, where projected atoms are some per cent off: bodies are exact for any friction. */
START_TEST(strong_friction_on_atoms_keeps_the_temperature) {
  struct fixture_options o = {.structure = "inputs/water7.gro",
                              .solver = RILL_BODIES_LGVI,
                              .step = 0.002,
                              .insertion = RILL_GLA,
                              .temperature = 250,
                              .friction = 100,
                              .per_mass = true,
                              .start_temperature = 250,
                              .no_forces = true,
                              .seed = 5};
  check_temperature(&o, 8000, 5);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("water as rigid bodies");
  TCase *longer = rill_long_cases(suite, 300);
  TCase *cases = tcase_create("bodies");
  tcase_set_timeout(cases, 300);
  tcase_add_test(cases, lgvi_is_rattle);
  tcase_add_test(cases, rotor_has_rattle_s_limit);
  tcase_add_test(cases, energy_fluctuation_falls_with_the_order);
  tcase_add_test(cases, reversal_comes_back);
  tcase_add_test(cases, momenta_and_shapes_are_kept);
  tcase_add_test(cases, missing_torque_is_seen);
  tcase_add_test(cases, threads_change_no_byte);
  tcase_add_test(cases, looking_changes_no_byte);
  tcase_add_test(cases, failed_step_restores);
  tcase_add_test(cases, what_moves_atoms_is_refused);
  tcase_add_test(cases, friction_is_that_of_projected_atoms);
  tcase_add_test(cases, rotation_has_a_friction_of_its_own);
  tcase_add_test(cases, strong_friction_on_atoms_keeps_the_temperature);
  tcase_add_test(longer, temperature_is_the_bath_s);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
