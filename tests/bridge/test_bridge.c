/* The bridge: two waters as a small dense system, by the methods of small systems, against each fast method of water.
 * One step from the same state agrees to 1e-12 nm (the iterative solvers reach 1e-14, the others 1e-16), velocities
 * to that over half a femtosecond. */
#include "fixture.h"
#include "two_waters.h"

static const struct {
  struct job job;
  const char *dense; /* method; NULL: the same */
} pairs[] = {
    {{.method = "rattle"}, NULL},
    {{.method = "rattle", .solver = RILL_MSHAKE}, NULL},
    {{.method = "rattle", .solver = RILL_RATTLE_SHAKE}, NULL},
    {{.method = "shake"}, "rattle"},
    {{.method = "yoshida4"}, NULL},
    {{.method = "dvp"}, NULL},
    {{.method = "dvp", .nonlinear = RILL_NEWTON_KRYLOV}, NULL},
    {{.method = "verlet", .w = 20}, NULL},
    {{.method = "yoshida4", .w = 20}, NULL},
    {{.method = "zss-simplified", .w = 20, .hessian = RILL_HESSIAN_GAUSS_NEWTON}, NULL},
    {{.method = "zss-simplified", .w = 200, .hessian = RILL_HESSIAN_GAUSS_NEWTON}, NULL},
    {{.method = "zss-simplified", .w = 20, .hessian = RILL_HESSIAN_STIFF}, NULL},
    {{.method = "newmark-pushforward", .w = 20}, NULL},
    {{.method = "newmark-pushforward", .w = 20, .nonlinear = RILL_NEWTON_KRYLOV}, NULL},
    {{.method = "newmark", .w = 20}, NULL},
    {{.method = "implicit-midpoint", .w = 20}, NULL},
    {{.method = "dvp", .w = 20}, "implicit-midpoint"},
};

static double largest(const double *a, const double *b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* The first two waters of the seven, at 300 K, after 20 steps of the fast method: bonds turn, and stretch where they
 * can. */
START_TEST(one_step_is_the_dense_one) {
  enum { STEPS = 20 };
  struct cluster c = cluster_read("water7_akma.dat");
  struct job job = pairs[_i].job;
  struct rill_binding_options binding = {.step = 0.5e-3, .geodesic_steps = 1};
  double q[18], v[18], x[18], u[18];
  struct run run;
  c.molecules = 2;
  job.h = 0.5e-3 / RILL_AKMA_TIME;
  job.beta = 0.4;
  binding.method =
      (struct rill_method_options){.beta = 0.4, .hessian = job.hessian, .tolerance = 1e-14, .max_iterations = 50};
  run_create(&run, &c, &job, NULL);
  fixture_ok(rill_water_draw_velocities(&run.system, 300, 5, &fixture_error));
  for (int i = 0; i < STEPS; i++) {
    struct rill_system dense;
    struct rill_integrator *integrator;
    const char *method = pairs[_i].dense != NULL ? pairs[_i].dense : job.method;
    run_steps(&run, 1);
    rill_water_copy_state(&run.system, q, v);
    fixture_ok(waters_create(&c.model, 2, akma_stiffness(job.w), q, v, &dense, &fixture_error));
    fixture_ok(rill_integrator_create(rill_method_find(method), &dense, &binding, &integrator, &fixture_error));
    fixture_ok(rill_integrator_step(integrator, 0, false, &fixture_error));
    rill_water_set_state(&run.system, q, v);
    run_steps(&run, 1);
    rill_water_copy_state(&run.system, x, u);
    for (int k = 0; k < 18; k++) v[k] = dense.state->p[k] / c.model.mass[k / 3 % 3];
    ck_assert_msg(largest(x, dense.state->q, 18) <= 1e-12, "%s: positions differ by %g nm", method,
                  largest(x, dense.state->q, 18));
    ck_assert_msg(largest(u, v, 18) <= 2e-9, "%s: velocities differ by %g nm/ps", method, largest(u, v, 18));
    ck_assert_double_gt(largest(x, q, 18), 1e-5); /* it moved */
    if (job.w > 0 && strstr(job.method, "verlet") == NULL && strncmp(job.method, "yoshida", 7) != 0) {
      double physical[18];
      struct rill_observation unused;
      fixture_ok(dense.ops->observe(dense.self, &unused, &fixture_error));
      rill_water_copy_positions(&run.system, physical);
      ck_assert_double_le(largest(physical, dense.state->position, 18), 1e-11);
    }
    rill_integrator_destroy(integrator);
    dense.ops->destroy(dense.self);
  }
  run_destroy(&run);
}
END_TEST

/* A mutant: a charge that is a millionth larger on the dense side shows. */
START_TEST(another_potential_shows) {
  struct cluster c = cluster_read("water7_akma.dat");
  struct job job = {.method = "verlet", .w = 20, .h = 2e-3 / RILL_AKMA_TIME};
  struct rill_binding_options binding = {.step = 2e-3, .geodesic_steps = 1};
  struct rill_system dense;
  struct rill_integrator *integrator;
  double q[18], v[18] = {0};
  struct run run;
  c.molecules = 2;
  run_create(&run, &c, &job, NULL);
  c.model.charge[0] *= 1 + 1e-6;
  fixture_ok(waters_create(&c.model, 2, akma_stiffness(job.w), c.q, v, &dense, &fixture_error));
  fixture_ok(rill_integrator_create(rill_method_find("verlet"), &dense, &binding, &integrator, &fixture_error));
  fixture_ok(rill_integrator_step(integrator, 0, false, &fixture_error));
  run_steps(&run, 1);
  rill_water_copy_state(&run.system, q, NULL);
  ck_assert_double_gt(largest(q, dense.state->q, 18), 1e-11);
  rill_integrator_destroy(integrator);
  dense.ops->destroy(dense.self);
  run_destroy(&run);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("bridge");
  TCase *cases = tcase_create("bridge");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, one_step_is_the_dense_one, 0, sizeof pairs / sizeof pairs[0]);
  tcase_add_test(cases, another_potential_shows);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
