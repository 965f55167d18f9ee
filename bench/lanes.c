/* Time of a step of one cluster among several in the lanes of a vector, over that of a step of one cluster alone:
 * Langevin dynamics by RATTLE with SETTLE, with a wall.
 *
 *   bench/lanes [--mixed | --bodies | --penalised] [--no-wall] [ISA] [N ...]
 *
 * Short pieces of both are interleaved, so that other work on the machine meets both; the ratio is that of the least
 * times, and the median of the ratios of neighbouring pieces is beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "base/timers.h"
#include "clock.h"
#include "integrators/registry.h"
#include "water/lanes/lanes.h"
#include "water/relax/build.h"
#include "water/water_system.h"

static const double step_ps = 0.002, temperature = 150.0, friction = 1.0; /* as bench/step */
enum { PIECES = 201 };
static const double piece_seconds = 2e-3;

static struct rill_error error;

static void check(enum rill_status status) {
  if (status == RILL_OK) return;
  fprintf(stderr, "lanes: %s\n", error.text);
  exit(EXIT_FAILURE);
}

struct runner {
  struct rill_integrator *integrator;
  uint64_t step;
};

static double run(struct runner *runner, uint64_t steps) {
  const double start = rill_clock();
  for (uint64_t k = 0; k < steps; k++) check(rill_integrator_step(runner->integrator, runner->step++, false, &error));
  return (rill_clock() - start) / (double)steps;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Twice as long until it is long enough to be timed. */
static uint64_t steps_of_piece(struct runner *runner) {
  uint64_t steps = 16;
  while (run(runner, steps) * (double)steps < piece_seconds) steps *= 2;
  return steps;
}

static void measure(const struct rill_water_options *options, const char *method) {
  const struct rill_binding_options binding = {
      .step = options->stiffness > 0 ? 0.1 * step_ps : step_ps, .insertion = RILL_GLA, .method.beta = 0.5};
  struct rill_system alone, member[RILL_LANES], group;
  struct runner single = {0}, lanes = {0};
  void *members[RILL_LANES];
  double least[2] = {1e9, 1e9}, ratio[PIECES];
  size_t width;
  uint64_t steps[2];
  check(rill_water_create(options, &alone, &error));
  check(rill_water_draw_velocities(&alone, temperature, 1, &error));
  width = rill_water_lanes_capacity(alone.self);
  for (size_t l = 0; l < width; l++) {
    struct rill_water_options of_member = *options;
    of_member.seed = 1 + l;
    check(rill_water_create(&of_member, &member[l], &error));
    check(rill_water_draw_velocities(&member[l], temperature, 1 + l, &error));
    members[l] = member[l].self;
  }
  check(alone.lanes->create(alone.self, &group, &error));
  check(rill_integrator_create(rill_method_find(method), &alone, &binding, &single.integrator, &error));
  check(rill_integrator_create(rill_method_find(method), &group, &binding, &lanes.integrator, &error));
  alone.lanes->load(group.self, members, width);
  steps[0] = steps_of_piece(&single);
  steps[1] = steps_of_piece(&lanes);
  for (size_t k = 0; k < PIECES; k++) {
    const double one = run(&single, steps[0]), all = run(&lanes, steps[1]) / (double)width;
    if (one < least[0]) least[0] = one;
    if (all < least[1]) least[1] = all;
    ratio[k] = all / one;
  }
  qsort(ratio, PIECES, sizeof *ratio, ascending);
  printf("%-8s %4zu %12.3f %12.3f %8.3f %8.3f   %s\n", rill_isa_name(options->isa), options->molecules,
         least[0] * 1e6, least[1] * 1e6, least[1] / least[0], ratio[PIECES / 2],
         alone.lanes->width(alone.self) > 0 ? "in lanes" : "alone");
  fflush(stdout);
  rill_integrator_destroy(single.integrator);
  rill_integrator_destroy(lanes.integrator);
  group.ops->destroy(group.self);
  for (size_t l = 0; l < width; l++) member[l].ops->destroy(member[l].self);
  alone.ops->destroy(alone.self);
}

static void measure_size(struct rill_water_options *options, const char *method, size_t molecules) {
  const struct rill_build_options build = rill_build_defaults();
  struct rill_build_report report;
  double *positions = rill_allocate(RILL_COORDINATES * molecules, sizeof *positions);
  if (positions == NULL) exit(EXIT_FAILURE);
  check(rill_water_build_cluster(&options->model, molecules, &build, positions, &report, &error));
  options->molecules = molecules;
  options->positions = positions;
  measure(options, method);
  rill_release(positions);
}

int main(int count, char **argument) {
  static const size_t usual[] = {2, 7, 9, 20};
  const char *method = "rattle";
  struct rill_water_options options = {.constraints = {.solver = RILL_SETTLE},
                                       .thermostat = true,
                                       .temperature = {temperature, temperature},
                                       .friction = friction,
                                       .seed = 1,
                                       .confined = true,
                                       .confine_radius = 0.6,
                                       .confine_stiffness = 1000.0,
                                       .isa = rill_isa_best(),
                                       .threads = 1};
  int sizes = 0;
  check(rill_water_model_find("tip3p", 0.0, &options.model, &error));
  for (int k = 1; k < count; k++) {
    if (strcmp(argument[k], "--mixed") == 0) options.box.precision = RILL_PRECISION_MIXED;
    if (strcmp(argument[k], "--bodies") == 0) options.constraints.solver = RILL_BODIES_ROTOR;
    if (strcmp(argument[k], "--no-wall") == 0) options.confined = false;
    if (strcmp(argument[k], "--penalised") == 0) {
      options.stiffness = 4000.0;
      method = "zss-simplified";
    }
    for (int isa = 0; isa < RILL_ISA_COUNT; isa++)
      if (strcmp(argument[k], rill_isa_name((enum rill_isa)isa)) == 0) options.isa = (enum rill_isa)isa;
  }
  printf("clock %.2f GHz; microseconds of a step of one cluster; ratio of the least times, and median\n",
         bench_clock() * 1e-9);
  printf("%-8s %4s %12s %12s %8s %8s   %s\n", "", "N", "alone", "in lanes", "ratio", "median", "chosen");
  for (int k = 1; k < count; k++) {
    const size_t molecules = strtoul(argument[k], NULL, 10);
    if (molecules == 0) continue;
    measure_size(&options, method, molecules);
    sizes++;
  }
  for (size_t k = 0; sizes == 0 && k < sizeof usual / sizeof *usual; k++) measure_size(&options, method, usual[k]);
  return EXIT_SUCCESS;
}
