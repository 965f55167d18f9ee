/* Generalised hybrid Monte Carlo at long steps against an independent Monte Carlo program: mean potential energies of
 * two and seven waters in a wall, at steps whose error GLA shows. */
#include "analysis/statistics.h"
#include "fixture.h"
#include "scale.h"

/* <U> with its standard error, kJ/mol, of moves of single molecules, which have no step; TIP3P, wall at 0.6 nm with
 * 1000 kJ/mol/nm2. */
static const struct reference {
  size_t molecules;
  double temperature, mean, error;
} references[] = {{2, 100, -24.986, 0.003}, {7, 150, -213.549, 0.058}};

/* Without the half-step temperature, which costs as much as a step. */
static void run(struct fixture *f, uint64_t steps) {
  for (uint64_t i = 0; i < steps; i++)
    fixture_ok(rill_integrator_step(f->integrator, f->done++, false, &fixture_error));
}

static struct rill_mean potential(const struct reference *reference, enum rill_thermostat insertion, double step,
                                  uint64_t seed) {
  const double length = 40e3, stride = 0.12; /* ps */
  const uint64_t samples = physics_scaled((uint64_t)(length / stride));
  double positions[63];
  struct rill_structure structure = {0};
  struct rill_average average = {0};
  struct fixture_options o = {.positions = positions,
                              .molecules = reference->molecules,
                              .solver = RILL_SETTLE,
                              .step = step,
                              .insertion = insertion,
                              .temperature = reference->temperature,
                              .friction = 5,
                              .start_temperature = reference->temperature,
                              .removal = RILL_KEEP_MOMENTUM,
                              .seed = seed,
                              .confine_radius = 0.6};
  struct fixture f;
  char path[1024];
  snprintf(path, sizeof path, "%s/inputs/water7.gro", RILL_SOURCE_DIR);
  fixture_ok(rill_structure_read(path, &structure, &fixture_error));
  memcpy(positions, structure.positions, sizeof positions);
  rill_structure_release(&structure);
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  run(&f, (uint64_t)(200 / step));
  for (uint64_t i = 0; i < samples; i++) {
    run(&f, (uint64_t)(stride / step + 0.5));
    rill_average_add(&average, fixture_observe(&f).potential);
  }
  if (insertion == RILL_GHMC)
    printf("N = %zu, %g fs: %.4g %% accepted\n", o.molecules, step * 1e3,
           100 * (double)f.system.trials->accepted / (double)f.system.trials->made);
  fixture_destroy(&f);
  return rill_average_mean(&average);
}

static double off(struct rill_mean a, double mean, double error) {
  return fabs(a.mean - mean) / sqrt(a.error * a.error + error * error);
}

/* Within three standard errors.  A shorter run may have too few independent samples for an error: then it says
 * nothing. */
static void agree(struct rill_mean a, double mean, double error) {
  if (!physics_full() && isnan(a.error + error)) return;
  ck_assert_double_le(off(a, mean, error), 3);
}

/* 2, 4 and 6 fs give one mean energy, that of Monte Carlo; GLA's is off at 6 fs. */
START_TEST(no_error_of_the_step) {
  enum { STEPS = 3 };
  static const double steps[STEPS] = {0.002, 0.004, 0.006};
  const struct reference *reference = &references[_i];
  struct rill_mean mean[STEPS], gla;
  for (int s = 0; s < STEPS; s++) {
    mean[s] = potential(reference, RILL_GHMC, steps[s], 21 + (uint64_t)s);
    printf("N = %zu, ghmc, %g fs: %.5g +- %.2g, Monte Carlo %.5g +- %.2g\n", reference->molecules, steps[s] * 1e3,
           mean[s].mean, mean[s].error, reference->mean, reference->error);
  }
  gla = potential(reference, RILL_GLA, steps[STEPS - 1], 31);
  printf("N = %zu, gla, 6 fs: %.5g +- %.2g\n", reference->molecules, gla.mean, gla.error);
  for (int s = 0; s < STEPS; s++) {
    agree(mean[s], reference->mean, reference->error);
    agree(mean[s], mean[(s + 1) % STEPS].mean, mean[(s + 1) % STEPS].error);
  }
  if (physics_full()) ck_assert_double_gt(off(gla, reference->mean, reference->error), 5);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("trials against Monte Carlo");
  TCase *cases = tcase_create("trials");
  tcase_set_timeout(cases, 1200);
  tcase_add_loop_test(cases, no_error_of_the_step, 0, sizeof references / sizeof references[0]);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
