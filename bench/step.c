/* Where the time of a step goes: water clusters in vacuum, RATTLE with SETTLE and a Langevin thermostat, in
 * nanoseconds and in cycles per molecule, phase by phase, on one thread and on two.
 *
 *   bench/step [--mixed] [N ...]
 *
 * Phases are the run's own timers.  Their times are minima over many short runs of a few steps each: so they can be
 * measured on a machine that others use too, and the phases need not add up to the whole step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "clock.h"
#include "integrators/registry.h"
#include "mech/timing.h"
#include "water/relax/build.h"
#include "water/water_system.h"

static const double step_ps = 0.002, temperature = 150.0, friction = 1.0; /* as bench/peers */
enum { ROUNDS = 10, THREADS = 2 };
static const double round_seconds = 0.1;

static struct rill_error error;

static void check(enum rill_status status) {
  if (status == RILL_OK) return;
  fprintf(stderr, "step: %s\n", error.text);
  exit(EXIT_FAILURE);
}

static double *build(const struct rill_water_model *model, size_t molecules) {
  const struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report;
  double *positions = rill_allocate(RILL_COORDINATES * molecules, sizeof *positions);
  if (positions == NULL) exit(EXIT_FAILURE);
  check(rill_water_build_cluster(model, molecules, &options, positions, &report, &error));
  return positions;
}

/* The minimum of each over the rounds. */
static void measure(const struct rill_water_options *options, struct rill_step_times *least) {
  const struct rill_binding_options binding = {.step = step_ps, .insertion = RILL_GLA};
  struct rill_system system;
  struct rill_integrator *integrator;
  options->timers->detail = 1;
  check(rill_water_create(options, &system, &error));
  check(rill_water_draw_velocities(&system, temperature, 1, &error));
  check(rill_integrator_create(rill_method_find("rattle"), &system, &binding, &integrator, &error));
  for (int round = 0; round < ROUNDS; round++) {
    struct rill_step_times times;
    check(rill_integrator_time(integrator, options->timers, round_seconds, &times, &error));
    if (round == 0 || times.least_step < least->least_step) least->least_step = times.least_step;
    for (int p = 0; p < RILL_PHASE_COUNT; p++) {
      if (round == 0 || times.least_part[p] < least->least_part[p]) least->least_part[p] = times.least_part[p];
      least->intervals[p] = times.intervals[p];
    }
  }
  rill_integrator_destroy(integrator);
  system.ops->destroy(system.self);
}

static void print_row(const char *name, const double seconds[THREADS], double whole, double clock_rate,
                      size_t molecules) {
  printf("%8zu  %-14s", molecules, name);
  for (int t = 0; t < THREADS; t++)
    printf(" %12.2f %12.1f", seconds[t] * 1e9 / (double)molecules, seconds[t] * clock_rate / (double)molecules);
  printf(" %8.1f %9.2f\n", 100.0 * seconds[0] / whole, seconds[0] / seconds[1]);
}

static void print(const struct rill_step_times times[THREADS], double clock_rate, size_t molecules) {
  static const struct {
    const char *name;
    enum rill_phase phase;
  } rows[] = {
      {"pairs", RILL_PHASE_PAIRS}, {"ring and sums", RILL_PHASE_SHARES}, {"drift, kick", RILL_PHASE_CONSTRAINTS},
      {"kick", RILL_PHASE_KICK},   {"noise", RILL_PHASE_THERMOSTAT},     {"copy", RILL_PHASE_COPY}};
  const double whole = times[0].least_step;
  double rest[THREADS], seconds[THREADS];
  for (int t = 0; t < THREADS; t++) rest[t] = times[t].least_step;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    for (int t = 0; t < THREADS; t++) {
      seconds[t] = times[t].least_part[rows[k].phase];
      rest[t] -= seconds[t];
    }
    if (times[0].intervals[rows[k].phase] > 0) print_row(rows[k].name, seconds, whole, clock_rate, molecules);
  }
  print_row("rest", rest, whole, clock_rate, molecules);
  for (int t = 0; t < THREADS; t++) seconds[t] = times[t].least_step;
  print_row("a step", seconds, whole, clock_rate, molecules);
}

int main(int count, char **argument) {
  static const size_t usual[] = {7, 100, 1000};
  const double clock_rate = bench_clock();
  const int mixed = count > 1 && strcmp(argument[1], "--mixed") == 0, given = count - 1 - mixed;
  const size_t sizes = given > 0 ? (size_t)given : sizeof usual / sizeof *usual;
  struct rill_timers timers = {0};
  struct rill_water_options options = {.constraints = {.solver = RILL_SETTLE},
                                       .thermostat = true,
                                       .temperature = {temperature, temperature},
                                       .friction = friction,
                                       .seed = 1,
                                       .box.precision = mixed ? RILL_PRECISION_MIXED : RILL_PRECISION_DOUBLE,
                                       .isa = rill_isa_best(),
                                       .timers = &timers};
  check(rill_water_model_find("tip3p", 0.0, &options.model, &error));
  printf(
      "clock %.2f GHz; %s, %s precision; least of many pieces; `drift, kick` with constraints, `rest` what the "
      "phases leave\n\n",
      clock_rate * 1e-9, rill_isa_name(options.isa), mixed ? "mixed" : "double");
  printf("%8s  %-14s %25s %25s\n%8s  %-14s %12s %12s %12s %12s %8s %9s\n", "", "", "one thread, a molecule",
         "two threads, a molecule", "N", "phase", "ns", "cycles", "ns", "cycles", "share, %", "speed-up");
  for (size_t k = 0; k < sizes; k++) {
    struct rill_step_times times[THREADS];
    double *positions;
    options.molecules = given > 0 ? strtoul(argument[k + 1 + (size_t)mixed], NULL, 10) : usual[k];
    options.positions = positions = build(&options.model, options.molecules);
    for (int t = 0; t < THREADS; t++) {
      options.threads = t + 1;
      measure(&options, &times[t]);
    }
    print(times, clock_rate, options.molecules);
    rill_release(positions);
    printf("\n");
    fflush(stdout);
  }
  return EXIT_SUCCESS;
}
