/* Seven waters at 10 K, rigid and penalised: Tao & Owhadi 2016, section 4.3, in its units (A, kcal/mol, u, akma). */
#include "fixture.h"
#include "water/relax/flexible.h"

/* ---- distributions under the geometric Langevin thermostat, kT = 0.02 kcal/mol, gamma = 0.01 u/akma, h = 0.05 akma
 * ---- */

enum { BINS = 200, SEEDS = 4, STEPS = 200000, SKIP = 20000, STRIDE = 10 };
static const double bin = 0.05; /* A */

struct statistics {
  double temperature, soft, bonds_at_x; /* kinetic, kcal/mol; rms relative */
  double density[BINS], distance;       /* over all pairs of oxygens, 1/A; mean, A */
};

/* Distances of the physical positions. */
static void sample(struct run *run, const struct cluster *c, struct statistics *s) {
  double q[63], x[63];
  struct rill_observation o = run_observe(run);
  rill_water_copy_positions(&run->system, q);
  rill_water_copy_state(&run->system, x, NULL);
  s->temperature += o.temperature * RILL_GAS_CONSTANT / RILL_KCAL;
  s->soft += (o.part[0] + o.part[1]) / RILL_KCAL;
  for (size_t m = 0; m < c->molecules; m++) {
    static const size_t ends[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (size_t b = 0; b < 3; b++) {
      double r2 = 0;
      for (size_t k = 0; k < 3; k++) r2 += pow(x[9 * m + 3 * ends[b][1] + k] - x[9 * m + 3 * ends[b][0] + k], 2);
      s->bonds_at_x += pow(sqrt(r2) / c->model.bond[b] - 1, 2) / 21;
    }
    for (size_t n = 0; n < m; n++) {
      double r2 = 0, r;
      for (size_t k = 0; k < 3; k++) r2 += pow(q[9 * m + k] - q[9 * n + k], 2);
      r = sqrt(r2) / RILL_ANGSTROM;
      s->distance += r / 21;
      if (r < BINS * bin) s->density[(int)(r / bin)] += 1 / (21 * bin);
    }
  }
}

/* Means over seeds first, first + 1, ... */
static struct statistics gather(const char *method, double w, double beta, bool full, uint64_t first) {
  struct cluster c = cluster_read("water7_akma.dat");
  struct statistics s = {0};
  double samples = 0;
  for (uint64_t seed = first; seed < first + SEEDS; seed++) {
    struct job job = {.method = method,
                      .h = 0.05,
                      .w = w,
                      .beta = beta,
                      .insertion = RILL_GLA,
                      .kt = 0.02,
                      .gamma = 0.01,
                      .seed = seed,
                      .hessian = full ? RILL_HESSIAN_STIFF : RILL_HESSIAN_GAUSS_NEWTON};
    struct run run;
    run_create(&run, &c, &job, NULL);
    fixture_ok(rill_water_draw_velocities(&run.system, 0.02 * RILL_KCAL / RILL_GAS_CONSTANT, seed, &fixture_error));
    run_steps(&run, SKIP);
    for (int i = SKIP; i < STEPS; i += STRIDE) {
      run_steps(&run, STRIDE);
      sample(&run, &c, &s);
      samples++;
    }
    run_destroy(&run);
  }
  s.temperature /= samples;
  s.soft /= samples;
  s.distance /= samples;
  s.bonds_at_x = sqrt(s.bonds_at_x / samples);
  for (int i = 0; i < BINS; i++) s.density[i] /= samples;
  return s;
}

static double l1(const struct statistics *a, const struct statistics *b) {
  double sum = 0;
  for (int i = 0; i < BINS; i++) sum += fabs(a->density[i] - b->density[i]) * bin;
  return sum;
}

static double first_peak(const struct statistics *s) {
  int at = 0;
  for (int i = 0; i < (int)(3.0 / bin); i++)
    if (s->density[i] > s->density[at]) at = i;
  return (at + 0.5) * bin;
}

/* The tolerances are the reference's, from its three seeds of the same length. */
START_TEST(distributions_at_10_K) {
  struct statistics rigid = gather("rattle", 0, 0, false, 1), again = gather("rattle", 0, 0, false, 101);
  struct statistics soft = gather("zss-simplified", 20, 0.4, false, 1),
                    hard = gather("zss-simplified", 80, 0.4, false, 1);
  double noise = l1(&rigid, &again);
  ck_assert_double_le(fabs(rigid.soft + 57.55), 0.05);
  ck_assert_double_le(fabs(rigid.distance - 3.5969), 0.006);
  ck_assert_double_le(fabs(first_peak(&rigid) - 2.725), 0.03);
  ck_assert_double_le(fabs(soft.bonds_at_x - 0.0166), 0.0006);
  ck_assert_double_le(fabs(soft.temperature - 0.02), 0.002);
  /* the same peaks, one bin nearer */
  ck_assert_double_le(fabs(first_peak(&soft) - 2.675), 0.03);
  ck_assert_double_le(fabs(soft.distance - 3.5725), 0.006);
  ck_assert_double_le(fabs(l1(&soft, &rigid) - 0.32), 0.06);
  /* stiff bonds: within twice the noise between seeds, and under the reference's bound */
  ck_assert_double_le(noise, 0.06);
  ck_assert_double_le(l1(&hard, &rigid), 0.08);
}
END_TEST

/* The full block heats: its forces are not along bonds, and the method is not symplectic. */
START_TEST(the_full_block_heats) {
  struct statistics full = gather("zss-simplified", 20, 0.4, true, 1);
  ck_assert_double_le(fabs(full.temperature - 0.0255), 0.0015);
}
END_TEST

/* ---- figure 5: the multiplier of the first O-H bond, windows of 0.2 akma, t = 20 akma ---- */

enum { FIGURE_STEPS = 400, WINDOW = 4 };

static void multiplier_series(double w, double out[2][FIGURE_STEPS]) {
  struct cluster c = cluster_read("water7_akma.dat");
  struct job job = {.method = w > 0 ? "zss-simplified" : "rattle",
                    .h = 0.05,
                    .w = w,
                    .beta = 0.4,
                    .hessian = RILL_HESSIAN_GAUSS_NEWTON};
  struct job rigid = {.method = "rattle", .h = 0.05};
  double v[63], x[21], q[21];
  const double unit = RILL_KCAL / (RILL_ANGSTROM * RILL_ANGSTROM);
  struct run run, start;
  run_create(&start, &c, &rigid, NULL); /* tangent velocities for both */
  fixture_ok(rill_water_draw_velocities(&start.system, 0.02 * RILL_KCAL / RILL_GAS_CONSTANT, 1, &fixture_error));
  fixture_ok(rill_water_remove_momentum(&start.system, RILL_REMOVE_LINEAR_MOMENTUM, &fixture_error));
  rill_water_copy_state(&start.system, NULL, v);
  run_create(&run, &c, &job, v);
  for (int i = 0; i < FIGURE_STEPS; i++) {
    run_steps(&run, 1);
    rill_water_multipliers(&run.system, x, q);
    out[0][i] = x[0] / unit;
    out[1][i] = q[0] / unit;
  }
  run_destroy(&run);
  run_destroy(&start);
}

/* rms of the difference of window averages */
static double window_difference(const double a[FIGURE_STEPS], const double b[FIGURE_STEPS]) {
  double sum = 0;
  for (int i = 0; i + WINDOW <= FIGURE_STEPS; i++) {
    double d = 0;
    for (int k = i; k < i + WINDOW; k++) d += (a[k] - b[k]) / WINDOW;
    sum += d * d / (FIGURE_STEPS - WINDOW + 1);
  }
  return sqrt(sum);
}

START_TEST(multipliers_of_figure_5) {
  static double rigid[2][FIGURE_STEPS], stiff[2][FIGURE_STEPS];
  double mean = 0;
  multiplier_series(0, rigid);
  multiplier_series(500, stiff);
  for (int i = 0; i < FIGURE_STEPS; i++) mean += rigid[0][i] / FIGURE_STEPS;
  ck_assert_double_le(fabs(mean + 13.076), 0.1);
  ck_assert_double_le(window_difference(stiff[1], rigid[1]), 0.01);
  ck_assert_double_gt(window_difference(stiff[0], rigid[0]), 1); /* at x the averages say nothing */
}
END_TEST

/* ---- the rest of section 4.3 ---- */

START_TEST(penalised_minima) {
  static const struct { double w, total, soft; } minima[] = {{20, -61.014119, -64.233125}, {40, -58.670295, NAN}};
  for (int k = 0; k < 2; k++) {
    struct cluster c = cluster_read("water7_akma.dat");
    struct rill_minimize_options options = rill_minimize_defaults();
    struct rill_flexible_report report;
    fixture_ok(rill_water_minimize_flexible(&c.model, akma_stiffness(minima[k].w), 7, &options, c.q, &report,
                                            &fixture_error));
    ck_assert_int_eq(report.reason, RILL_MINIMIZE_CONVERGED);
    ck_assert_double_le(report.maximum_force, 1e-3);
    ck_assert_double_le(fabs(report.after / RILL_KCAL - minima[k].total), 1e-4);
    if (k == 0) ck_assert_double_le(fabs((report.after - report.penalty) / RILL_KCAL - minima[k].soft), 1e-3);
    ck_assert_uint_le(report.iterations, 500);
  }
}
END_TEST

/* Verlet's method has no limit of 0.05 akma: the run ends with an error, not with numbers. */
START_TEST(verlet_is_unstable_where_it_was) {
  struct cluster c = cluster_read("water7_akma.dat");
  struct job job = {.method = "verlet", .h = 0.05, .w = 20};
  enum rill_status status = RILL_OK;
  double v[63];
  struct run run;
  reference_velocities(c.molecules, v);
  run_create(&run, &c, &job, v);
  for (uint64_t i = 0; status == RILL_OK && i < 2000; i++)
    status = rill_integrator_step(run.integrator, i, false, &fixture_error);
  ck_assert_int_eq(status, RILL_ERROR_NOT_FINITE);
  ck_assert_ptr_nonnull(strstr(fixture_error.text, "flew apart"));
  run_destroy(&run);
}
END_TEST

/* Figure 6, short: the energy at q of Gauss-Newton stays within the strain of the rigid start, one-step Newmark's
 * does not. */
static double energy_error(const char *method, double beta) {
  struct cluster c = cluster_read("water7_akma.dat");
  struct job job = {.method = method,
                    .h = 0.05,
                    .w = 20,
                    .beta = beta,
                    .hessian = RILL_HESSIAN_GAUSS_NEWTON,
                    .newton_start = RILL_START_B};
  struct energy start;
  double v[63], most = 0;
  struct run run;
  reference_velocities(c.molecules, v);
  run_create(&run, &c, &job, v);
  start = energy_at_x(&run, &c, 20);
  for (int i = 0; i < 1000; i++) {
    run_steps(&run, 20);
    most = fmax(most, fabs(energy_at_x(&run, &c, 20).total - start.total));
  }
  run_destroy(&run);
  return most;
}

START_TEST(energies_of_figure_6) {
  ck_assert_double_le(energy_error("zss-simplified", 0.4), 2.5);
  ck_assert_double_ge(energy_error("newmark-onestep", 0.4), 40);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("penalised water7");
  TCase *cases = tcase_create("water7");
  tcase_set_timeout(cases, 240);
  tcase_add_test(cases, distributions_at_10_K);
  tcase_add_test(cases, the_full_block_heats);
  tcase_add_test(cases, multipliers_of_figure_5);
  tcase_add_test(cases, penalised_minima);
  tcase_add_test(cases, verlet_is_unstable_where_it_was);
  tcase_add_test(cases, energies_of_figure_6);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
