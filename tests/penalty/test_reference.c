/* Seven waters against numbers of an independent program: Tao & Owhadi 2016, section 4.3, in its units. */
#include "fixture.h"

/* t = 10 akma from water7 with v_a = 0.02 sin(1 + 3a + p); oxygen 0 in A, energies at x in kcal/mol.  NAN: not given.
 */
static const struct row {
  struct job job;
  double total, soft, x, y, z;
} rows[] = {
    {{.method = "rattle", .h = 0.05}, -57.87904668, NAN, -0.14221105, -1.74845569, -0.07636725},
    {{.method = "rattle", .h = 0.05, .solver = RILL_MSHAKE},
     -57.87904668,
     NAN,
     -0.14221105,
     -1.74845569,
     -0.07636725},
    {{.method = "verlet", .h = 0.01, .w = 20}, -57.91069938, NAN, -0.18043929, -1.75259497, -0.07233020},
    {{.method = "zss-simplified", .h = 0.05, .w = 20, .beta = 0.4, .hessian = RILL_HESSIAN_GAUSS_NEWTON},
     -59.04535695,
     -64.88290041,
     -0.18111441,
     NAN,
     -0.07166860},
    {{.method = "zss-simplified", .h = 0.05, .w = 20, .beta = 0.4, .hessian = RILL_HESSIAN_STIFF},
     -58.20496831,
     NAN,
     NAN,
     -1.75076966,
     -0.07062271},
    {{.method = "zss-simplified", .h = 0.05, .w = 20, .beta = 0.3, .hessian = RILL_HESSIAN_STIFF},
     -58.89409459,
     -61.87387843,
     NAN,
     -1.75176881,
     NAN},
    {{.method = "newmark-onestep",
      .h = 0.05,
      .w = 20,
      .beta = 0.4,
      .hessian = RILL_HESSIAN_STIFF,
      .newton_start = RILL_START_B},
     -7.98309689,
     -38.28297578,
     -0.10042929,
     -1.89908130,
     -0.01737481},
};

static void check(double value, double expected, double tolerance) {
  if (!isnan(expected)) ck_assert_double_le(fabs(value - expected), tolerance);
}

START_TEST(trajectories_are_the_reference_programs) {
  const struct row *row = &rows[_i];
  struct cluster c = cluster_read("water7_akma.dat");
  double v[63], x[63];
  struct run run;
  struct energy e;
  reference_velocities(c.molecules, v);
  run_create(&run, &c, &row->job, v);
  e = energy_at_x(&run, &c, row->job.w);
  check(e.total, -57.87909909, 1e-6);
  run_steps(&run, (uint64_t)lrint(10 / row->job.h));
  e = energy_at_x(&run, &c, row->job.w);
  rill_water_copy_state(&run.system, x, NULL);
  check(e.total, row->total, 1e-5);
  check(e.soft, row->soft, 1e-5);
  check(x[0] / RILL_ANGSTROM, row->x, 1e-6);
  check(x[1] / RILL_ANGSTROM, row->y, 1e-6);
  check(x[2] / RILL_ANGSTROM, row->z, 1e-6);
  run_destroy(&run);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("penalised water against the reference");
  TCase *cases = tcase_create("reference");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, trajectories_are_the_reference_programs, 0, sizeof rows / sizeof rows[0]);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
