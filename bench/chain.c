/* Time per step of a chain of pendula against its length: RATTLE, whose constraints are all coupled, and the
 * Zhang-Skeel family on the penalised chain.  The cost must be linear in the number.
 *
 * Every method makes the same number of steps at the same step size, which is a fixed part of RATTLE's stability
 * limit: the tension, and with it the highest transverse frequency squared, grows with the number, so h ~ 1 / sqrt n.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/timers.h"
#include "integrators/registry.h"
#include "mech/integrator.h"
#include "systems/registry.h"

static const struct {
  const char *method;
  int penalised;
} rows[] = {
    {"rattle", 0},         {"verlet", 1}, {"zss-simplified", 1}, {"zss", 1}, {"zs", 1}, {"newmark-pushforward", 1},
    {"newmark-onestep", 1}};
enum { ROWS = sizeof rows / sizeof rows[0] };
static const double seconds_each = 0.3;

static void fail(const struct rill_error *error) {
  fprintf(stderr, "chain: %s\n", error->text);
  exit(EXIT_FAILURE);
}

/* Nanoseconds per step and pendulum, the minimum of three repeats; *iterations: of the last step's solver. */
static double measure(size_t count, double h, const char *method, int penalised, double *iterations) {
  static struct rill_error error;
  const struct rill_system_type *type = rill_system_type_find("pendulum-chain");
  const struct rill_binding_options options = {.step = h,
                                               .method = {.beta = 0.4,
                                                          .newton_start = 'B',
                                                          .hessian = RILL_HESSIAN_GAUSS_NEWTON,
                                                          .tolerance = 1e-14,
                                                          .max_iterations = 50}};
  struct rill_parameter_value values[RILL_PARAMETERS];
  struct rill_system system;
  struct rill_integrator *integrator;
  double best = INFINITY;
  uint64_t step = 0;
  if (rill_parameters_default(type, values, &error) != RILL_OK) fail(&error);
  values[rill_parameter_index(type, "count")].number[0] = (double)count;
  values[rill_parameter_index(type, "formulation")].word = penalised;
  if (type->create(values, &system, &error) != RILL_OK) fail(&error);
  if (rill_integrator_create(rill_method_find(method), &system, &options, &integrator, &error) != RILL_OK)
    fail(&error);
  if (rill_integrator_step(integrator, step++, 0, &error) != RILL_OK) fail(&error);
  for (int repeat = 0; repeat < 3; repeat++) {
    uint64_t steps = 0;
    double start = rill_clock(), seconds;
    do {
      if (rill_integrator_step(integrator, step++, 0, &error) != RILL_OK) fail(&error);
      steps++;
      seconds = rill_clock() - start;
    } while (seconds < seconds_each / 3 && steps < 2000); /* later the motion is chaotic and may whip */
    if (seconds / (double)steps < best) best = seconds / (double)steps;
  }
  *iterations = system.state->iterations;
  rill_integrator_destroy(integrator);
  system.ops->destroy(system.self);
  return best * 1e9 / (double)count;
}

int main(void) {
  printf("# nanoseconds per step and pendulum; solver iterations of the last step\npendula,h");
  for (int k = 0; k < ROWS; k++) printf(",%s_ns,%s_iterations", rows[k].method, rows[k].method);
  printf(",rattle_over_zss_simplified\n");
  for (size_t count = 10; count <= 100000; count *= 10) {
    double time[ROWS], iterations, h = 0.1 / sqrt((double)count);
    printf("%zu,%.4g", count, h);
    for (int k = 0; k < ROWS; k++) {
      /* Explicit and unfiltered, the penalised chain needs h below 0.04 / w. */
      time[k] = measure(count, rows[k].penalised && k == 1 ? fmin(h, 0.002) : h, rows[k].method, rows[k].penalised,
                        &iterations);
      printf(",%.1f,%g", time[k], iterations);
      fflush(stdout);
    }
    printf(",%.2f\n", time[0] / time[2]);
  }
  return EXIT_SUCCESS;
}
