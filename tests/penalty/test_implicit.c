/* Implicit methods of water, and what all methods of penalised water must keep. */
#include "simulation/refusals.h"
#include "fixture.h"

static void at_temperature(struct run *run, double kelvin) {
  fixture_ok(rill_water_draw_velocities(&run->system, kelvin, 3, &fixture_error));
  fixture_ok(rill_water_remove_momentum(&run->system, RILL_REMOVE_ALL_MOMENTA, &fixture_error));
}

static double momentum_change(const struct rill_observation *a, const struct rill_observation *b, bool angular) {
  double sum = 0;
  for (int c = 0; c < 3; c++) {
    double d = angular ? a->angular_momentum[c] - b->angular_momentum[c] : a->momentum[c] - b->momentum[c];
    sum += d * d;
  }
  return sqrt(sum);
}

static const double two_fs = 0.002 / RILL_AKMA_TIME;

/* At most 8 force evaluations per step of 2 fs, residuals of 1e-12 nm, bonds at round-off, momenta to the tolerance:
 * a residual of 1e-12 nm in the midpoint turns the force by 1e-12 nm * 1e5 kJ/mol/nm2, over 100 steps of 2 fs. */
static const struct {
  const char *file;
  double kelvin;
  uint64_t steps;
  enum rill_nonlinear_kind kind;
  unsigned most;
} dvp[] = {
    {"water7_akma.dat", 10, 2000, RILL_ANDERSON, 8},     {"water7_akma.dat", 300, 2000, RILL_ANDERSON, 8},
    {"water100_akma.dat", 10, 100, RILL_ANDERSON, 8},    {"water100_akma.dat", 300, 100, RILL_ANDERSON, 8},
    {"water7_akma.dat", 10, 500, RILL_NEWTON_KRYLOV, 8}, {"water100_akma.dat", 300, 20, RILL_NEWTON_KRYLOV, 12}};

START_TEST(dvp_converges_in_few_evaluations) {
  struct cluster c = cluster_read(dvp[_i].file);
  struct job job = {.method = "dvp", .h = two_fs, .nonlinear = dvp[_i].kind};
  struct run run;
  struct rill_observation start, o;
  run_create(&run, &c, &job, NULL);
  at_temperature(&run, dvp[_i].kelvin);
  start = run_observe(&run);
  for (uint64_t i = 0; i < dvp[_i].steps; i++) {
    run_steps(&run, 1);
    o = run_observe(&run);
    ck_assert_double_ge(o.evaluations, 2);
    ck_assert_double_le(o.evaluations, dvp[_i].most);
    ck_assert_double_le(o.residual, 1e-12);
    ck_assert_double_le(o.position_deviation_max, 1e-13);
    ck_assert_double_le(o.velocity_deviation_max, 1e-12);
  }
  ck_assert_double_le(momentum_change(&start, &o, false), 1e-10);
  ck_assert_double_le(momentum_change(&start, &o, true), 1e-7);
  run_destroy(&run);
}
END_TEST

/* Both solvers find the same step: positions after 50 steps agree to a few tolerances, stretched by the dynamics. */
static const char *const implicit[] = {"dvp", "implicit-midpoint", "newmark-pushforward", "newmark"};

START_TEST(anderson_and_newton_krylov_agree) {
  struct cluster c = cluster_read("water7_akma.dat");
  double x[2][63], difference = 0;
  for (int kind = 0; kind < 2; kind++) {
    struct job job = {.method = implicit[_i],
                      .h = two_fs,
                      .beta = 0.4,
                      .w = _i == 0 ? 0 : 20,
                      .nonlinear = (enum rill_nonlinear_kind)kind};
    struct run run;
    run_create(&run, &c, &job, NULL);
    at_temperature(&run, 50);
    run_steps(&run, 50);
    rill_water_copy_state(&run.system, x[kind], NULL);
    run_destroy(&run);
  }
  for (int i = 0; i < 63; i++) difference = fmax(difference, fabs(x[0][i] - x[1][i]));
  ck_assert_double_le(difference, 1e-9);
  ck_assert_double_gt(difference, 0); /* they are two solvers */
}
END_TEST

/* dvp and RATTLE are of second order: at fixed time their difference falls by 4 when the step is halved. */
static double difference_to_rattle(const char *method, double h, uint64_t steps) {
  struct cluster c = cluster_read("water7_akma.dat");
  double x[2][63], difference = 0;
  for (int k = 0; k < 2; k++) {
    struct job job = {.method = k ? method : "rattle", .h = h};
    struct run run;
    run_create(&run, &c, &job, NULL);
    at_temperature(&run, 50);
    run_steps(&run, steps);
    rill_water_copy_state(&run.system, x[k], NULL);
    run_destroy(&run);
  }
  for (int i = 0; i < 63; i++) difference = fmax(difference, fabs(x[0][i] - x[1][i]));
  return difference;
}

static double fall_of_difference(const char *method) {
  return difference_to_rattle(method, two_fs, 50) / difference_to_rattle(method, 0.5 * two_fs, 100);
}

START_TEST(dvp_is_of_second_order) {
  const double fall = fall_of_difference("dvp");
  ck_assert_double_gt(fall, 3.5);
  ck_assert_double_lt(fall, 4.5);
  ck_assert_double_lt(fall_of_difference("symplectic-euler"), 2.5); /* the mutant: a method of first order */
}
END_TEST

/* Energy without drift: over 20 ps at 50 K the mean of the last fifth is that of the first, to a tenth of the 0.01
 * kJ/mol by which it fluctuates at 1 fs. */
static double change_of_energy(double gamma) {
  struct cluster c = cluster_read("water7_akma.dat");
  struct job job = {
      .method = "dvp", .h = 0.5 * two_fs, .insertion = gamma > 0 ? RILL_GLA : RILL_NO_BATH, .gamma = gamma};
  struct run run;
  double first = 0, last = 0;
  run_create(&run, &c, &job, NULL);
  at_temperature(&run, 50);
  for (int i = 0; i < 2000; i++) {
    struct rill_observation o;
    run_steps(&run, 10);
    o = run_observe(&run);
    if (i < 400) first += (o.kinetic + o.potential) / 400;
    if (i >= 1600) last += (o.kinetic + o.potential) / 400;
  }
  run_destroy(&run);
  return last - first;
}

START_TEST(dvp_keeps_the_energy) {
  ck_assert_double_le(fabs(change_of_energy(0)), 3e-3);
  ck_assert_double_lt(change_of_energy(1e-4), -3e-3); /* the mutant: friction that takes 0.01 % of velocities a ps */
}
END_TEST

/* The solver gives up after one iteration: an error, and the state is that before the step, to the bit. */
START_TEST(failure_leaves_the_state) {
  struct cluster c = cluster_read("water7_akma.dat");
  double before[2][63], after[2][63];
  for (int k = 0; k < 4; k++) {
    struct job job = {.method = implicit[k], .h = two_fs, .beta = 0.4, .w = k == 0 ? 0 : 20, .max_iterations = 1};
    struct run run;
    run_create(&run, &c, &job, NULL);
    at_temperature(&run, 300);
    rill_water_copy_state(&run.system, before[0], before[1]);
    ck_assert_int_ne(rill_integrator_step(run.integrator, 0, true, &fixture_error), RILL_OK);
    rill_water_copy_state(&run.system, after[0], after[1]);
    ck_assert_mem_eq(before, after, sizeof before);
    ck_assert_ptr_nonnull(strstr(fixture_error.text, "step 1: "));
    run_destroy(&run);
  }
}
END_TEST

/* A step of one-step Newmark that is taken back leaves the acceleration that the state carries, to the bit. */
START_TEST(restored_states_keep_their_acceleration) {
  struct cluster c = cluster_read("water7_akma.dat");
  struct job job = {.method = "newmark-onestep", .h = 0.01, .beta = 0.4, .w = 20, .newton_start = RILL_START_B};
  struct run run;
  const double *a;
  double before[9 * 16];
  size_t bytes;
  run_create(&run, &c, &job, NULL);
  at_temperature(&run, 50);
  run_steps(&run, 3);
  a = run.system.implicit->acceleration;
  bytes = run.system.implicit->n * sizeof *a;
  ck_assert_uint_le(bytes, sizeof before);
  memcpy(before, a, bytes);
  run_steps(&run, 1);
  ck_assert_mem_ne(a, before, bytes);
  run.system.ops->restore(run.system.self);
  ck_assert_mem_eq(a, before, bytes);
  run_destroy(&run);
}
END_TEST

/* Gauss-Newton's forces act along bonds: momentum and angular momentum stay at round-off, at every beta and w.  Full
 * block: linear momentum alone; its angular momentum changes by 0.239 u A2/akma in 10 akma with the reference's
 * start. */
START_TEST(momenta_of_the_family) {
  struct cluster c = cluster_read("water7_akma.dat");
  const double unit = RILL_ANGSTROM * akma_velocity;
  double v[63];
  reference_velocities(c.molecules, v);
  for (int k = 0; k < 4; k++) {
    struct job job = {.method = "zss-simplified",
                      .h = 0.05,
                      .w = k == 2 ? 500 : 20,
                      .beta = k == 1 ? 0.3 : 0.4,
                      .hessian = k == 3 ? RILL_HESSIAN_STIFF : RILL_HESSIAN_GAUSS_NEWTON};
    struct run run;
    struct rill_observation start, o;
    double most = 0;
    run_create(&run, &c, &job, v);
    start = run_observe(&run);
    for (int i = 0; i < 200; i++) {
      run_steps(&run, 1);
      o = run_observe(&run);
      most = fmax(most, momentum_change(&start, &o, true));
    }
    ck_assert_double_le(momentum_change(&start, &o, false), 1e-11);
    if (k < 3) {
      ck_assert_double_le(most, 1e-10 * unit);
    } else { /* the largest component at the end */
      double component = 0;
      for (int i = 0; i < 3; i++)
        component = fmax(component, fabs(o.angular_momentum[i] - start.angular_momentum[i]) / unit);
      ck_assert_double_le(fabs(component - 0.239), 1e-3);
    }
    run_destroy(&run);
  }
}
END_TEST

/* The same bytes on any number of threads is tests/laws' business; here: the state goes back and forth, and a step
 * after set_state is the step of the run that went on. */
START_TEST(a_step_depends_on_the_state_alone) {
  static const char *const methods[] = {"zss-simplified",    "zs",     "verlet", "newmark-pushforward",
                                        "implicit-midpoint", "newmark"};
  struct cluster c = cluster_read("water7_akma.dat");
  for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
    struct job job = {.method = methods[k], .h = 0.01, .beta = 0.4, .w = 20, .hessian = RILL_HESSIAN_GAUSS_NEWTON};
    struct run one, two;
    double x[63], v[63], y[63];
    run_create(&one, &c, &job, NULL);
    run_create(&two, &c, &job, NULL);
    at_temperature(&one, 50);
    run_steps(&one, 7);
    rill_water_copy_state(&one.system, x, v);
    rill_water_set_state(&two.system, x, v);
    run_steps(&one, 5);
    run_steps(&two, 5);
    rill_water_copy_state(&one.system, x, NULL);
    rill_water_copy_state(&two.system, y, NULL);
    ck_assert_mem_eq(x, y, sizeof x);
    run_destroy(&one);
    run_destroy(&two);
  }
}
END_TEST

/* The physical position is q = x + beta h^2 a.  The converged pushforward is Newmark's method seen through it. */
START_TEST(physical_position_of_the_pushforward_is_newmarks) {
  struct cluster c = cluster_read("water7_akma.dat");
  struct job push = {.method = "newmark-pushforward", .h = 0.02, .beta = 0.4, .w = 20}, newmark = push;
  struct run one, two;
  double q[63], x[63], v[63], y[63], difference = 0, lift = 0;
  newmark.method = "newmark";
  run_create(&one, &c, &push, NULL);
  at_temperature(&one, 50);
  run_steps(&one, 1);
  rill_water_copy_positions(&one.system, q);
  rill_water_copy_state(&one.system, x, v);
  run_create(&two, &c, &newmark, NULL);
  rill_water_set_state(&two.system, q, v);
  run_steps(&one, 20);
  run_steps(&two, 20);
  rill_water_copy_positions(&one.system, q);
  rill_water_copy_state(&one.system, x, NULL);
  rill_water_copy_state(&two.system, y, NULL);
  for (int i = 0; i < 63; i++) {
    difference = fmax(difference, fabs(q[i] - y[i]));
    lift = fmax(lift, fabs(q[i] - x[i]));
  }
  ck_assert_double_le(difference, 1e-10);
  ck_assert_double_gt(lift, 1e-6); /* x itself is another position */
  run_destroy(&one);
  run_destroy(&two);
}
END_TEST

/* What does not bind says why. */
START_TEST(refusals_say_why) {
  struct cluster c = cluster_read("water7_akma.dat");
  static const struct {
    const char *method;
    double w;
    enum rill_thermostat insertion;
    enum rill_refusal refusal;
    const char *advice; /* in a deck's words */
  } cases[] = {{"zss-simplified", 0, RILL_NO_BATH, RILL_REFUSED_PENALTY, "; use the penalised"},
               {"zs", 0, RILL_NO_BATH, RILL_REFUSED_CONSTRAINTS, "; use the penalised"},
               {"implicit-midpoint", 0, RILL_NO_BATH, RILL_REFUSED_CONSTRAINTS, "[penalty] stiffness"},
               {"newmark-onestep", 0, RILL_NO_BATH, RILL_REFUSED_CONSTRAINTS, "[penalty] stiffness"},
               {"zss", 20, RILL_NO_BATH, RILL_REFUSED_WHOLE_HESSIAN, "; use zss-simplified"},
               {"newmark-onestep", 20, RILL_BAOAB, RILL_REFUSED_OU_INSIDE_STEP, "; use gla"},
               {"dvp", 0, RILL_BAOAB, RILL_REFUSED_OU_INSIDE_STEP, "; use gla"}};
  char text[RILL_REFUSAL_TEXT];
  struct job rigid = {.method = "rattle", .h = 0.01, .insertion = RILL_GLA}, soft = rigid;
  struct run one, two;
  soft.w = 20;
  run_create(&one, &c, &rigid, NULL);
  run_create(&two, &c, &soft, NULL);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const enum rill_refusal refusal = rill_method_refusal(
        rill_method_find(cases[i].method), cases[i].w > 0 ? &two.system : &one.system, cases[i].insertion);
    ck_assert_msg(refusal == cases[i].refusal, "%s: %s", cases[i].method, rill_refusal_reason(refusal));
    ck_assert_ptr_nonnull(strstr(rill_refusal_text(refusal, text), cases[i].advice));
    ck_assert(strncmp(text, rill_refusal_reason(refusal), strlen(rill_refusal_reason(refusal))) == 0);
    ck_assert_ptr_null(strstr(rill_refusal_reason(refusal), "take")); /* below nobody knows of decks */
  }
  ck_assert_int_eq(rill_method_refusal(rill_method_find("zss-simplified"), &two.system, RILL_BAOAB), RILL_BINDS);
  ck_assert_int_eq(rill_method_refusal(rill_method_find("zs"), &two.system, RILL_GLA), RILL_BINDS);
  ck_assert_int_eq(rill_method_refusal(rill_method_find("newmark-onestep"), &two.system, RILL_GLA), RILL_BINDS);
  run_destroy(&one);
  run_destroy(&two);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("implicit water");
  TCase *cases = tcase_create("implicit");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, dvp_converges_in_few_evaluations, 0, sizeof dvp / sizeof dvp[0]);
  tcase_add_loop_test(cases, anderson_and_newton_krylov_agree, 0, 4);
  tcase_add_test(cases, dvp_is_of_second_order);
  tcase_add_test(cases, dvp_keeps_the_energy);
  tcase_add_test(cases, failure_leaves_the_state);
  tcase_add_test(cases, restored_states_keep_their_acceleration);
  tcase_add_test(cases, momenta_of_the_family);
  tcase_add_test(cases, a_step_depends_on_the_state_alone);
  tcase_add_test(cases, physical_position_of_the_pushforward_is_newmarks);
  tcase_add_test(cases, refusals_say_why);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
