/* Quoted errors against what means scatter by: 64 runs that differ in their seeds alone, of each of which every
 * observable of a summary is averaged on line at four sampling intervals, and the first maximum of the distribution
 * of distances too. At constant energy, where each seed would have an energy of its own, the runs are the parts of
 * one long run.
 *
 *   test_error_bars [CASE ...]   cases by number, 1 to 16, or all; RILL_PHYSICS_SCALE below 1 takes fewer seeds, and
 * leaves out the boxes, which take most of the time
 *
 * In pieces: RILL_ERROR_BARS names a folder in which the results of every seed are kept and from which they are
 * taken, so that a call that was stopped is continued by the next.
 *
 * Printed: the variance of the seeds' means over the mean of the squared errors that were quoted, and how many of the
 * seeds quote one.  The ratio is chi^2 of 63 degrees of freedom over 63 where errors are right: 99.9 % lie between
 * 0.52 and 1.69; all of them must lie within the range that holds this many with a probability of 99.9 %.  Where
 * fewer than half of the seeds quote an error, the run is too short for one, and it is not judged.  The mutant is the
 * rule that was used before. */
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "analysis/rdf.h"
#include "analysis/statistics.h"
#include "fixture.h"
#include "scale.h"

enum { MOST_SEEDS = 64, INTERVALS = 4, OBSERVABLES = 21, TOTAL = 4, PEAK = 20, LONGEST = 20000, STATE = 9 * 216 };

static const char *const names[OBSERVABLES] = {"potential",
                                               "lj",
                                               "coulomb",
                                               "kinetic",
                                               "total",
                                               "T",
                                               "T transl.",
                                               "T rot.",
                                               "T half",
                                               "T half transl.",
                                               "T half rot.",
                                               "wall",
                                               "pressure",
                                               "xx",
                                               "yy",
                                               "zz",
                                               "xy",
                                               "xz",
                                               "yz",
                                               "",
                                               "P or g at 0.28 nm, each 40 fs"};

struct ensemble {
  const char *structure;
  enum rill_thermostat insertion;     /* RILL_NO_BATH: at constant energy, after a start under a bath */
  double temperature, friction, time; /* K, 1/ps, ps */
  double wall;                        /* nm; 0: none */
  bool box;
  double bin;    /* nm */
  double before; /* ps that are not sampled */
};

static const char *const two = "tests/data/structures/c002_min_hp.gro", *const seven = "inputs/water7.gro",
                         *const hundred = "tests/data/structures/c100_a_hp.gro",
                         *const box = "tests/data/structures/p216.xyz";
static struct ensemble ensembles[16];
enum { ENSEMBLES = sizeof ensembles / sizeof ensembles[0] };
static const double step = 0.002;
static const uint64_t intervals[INTERVALS] = {5, 20, 80, 320}; /* steps */

static void fill_ensembles(void) {
  static const double frictions[] = {0.2, 2, 10};
  size_t n = 0;
  for (int size = 0; size < 2; size++)
    for (int f = 0; f < 3; f++)
      for (int inside = 0; inside < 2; inside++)
        ensembles[n++] = (struct ensemble){.structure = size ? seven : two,
                                           .insertion = inside ? RILL_BAOAB : RILL_GLA,
                                           .temperature = 50,
                                           .friction = frictions[f],
                                           .time = 200,
                                           .before = 50,
                                           .bin = 0.005};
  ensembles[n++] = (struct ensemble){.structure = hundred,
                                     .insertion = RILL_BAOAB,
                                     .temperature = 250,
                                     .friction = 5,
                                     .time = 100,
                                     .before = 20,
                                     .wall = 1.1,
                                     .bin = 0.01};
  ensembles[n++] = (struct ensemble){.structure = box,
                                     .insertion = RILL_BAOAB,
                                     .temperature = 298,
                                     .friction = 5,
                                     .time = 100,
                                     .before = 10,
                                     .box = true,
                                     .bin = 0.01};
  ensembles[n++] = (struct ensemble){.structure = seven,
                                     .insertion = RILL_NO_BATH,
                                     .temperature = 250,
                                     .friction = 5,
                                     .time = 200,
                                     .before = 50,
                                     .wall = 0.6,
                                     .bin = 0.005};
  ensembles[n++] = (struct ensemble){.structure = box,
                                     .insertion = RILL_NO_BATH,
                                     .temperature = 298,
                                     .friction = 5,
                                     .time = 20,
                                     .before = 20,
                                     .box = true,
                                     .bin = 0.01};
}

struct seed {
  double mean[INTERVALS][OBSERVABLES], error[INTERVALS][OBSERVABLES], early[OBSERVABLES];
};

/* The rule before: blocks of B samples, the first with B^3 > 2 n g(B)^2. */
static double early_error(double *values, size_t count) {
  const double samples = (double)count;
  double first = NAN, squared = NAN;
  for (double block = 1; count >= 4; block *= 2) {
    double mean = 0;
    for (size_t i = 0; i < count; i++) mean += values[i] / (double)count;
    squared = 0;
    for (size_t i = 0; i < count; i++) squared += pow(values[i] - mean, 2) / ((double)count * (double)(count - 1));
    if (isnan(first)) first = squared;
    if (block * block * block > 2 * samples * pow(squared / first, 2)) return sqrt(squared);
    count /= 2;
    for (size_t i = 0; i < count; i++) values[i] = 0.5 * (values[2 * i] + values[2 * i + 1]);
  }
  return sqrt(squared);
}

static void observe(const struct rill_system *system, double values[OBSERVABLES]) {
  struct rill_observation o;
  fixture_ok(system->ops->observe(system->self, &o, &fixture_error));
  const double seen[OBSERVABLES] = {o.potential,
                                    o.part[0],
                                    o.part[1],
                                    o.kinetic,
                                    o.kinetic + o.potential,
                                    o.temperature,
                                    o.temperature_translation,
                                    o.temperature_rotation,
                                    o.temperature_half,
                                    o.temperature_half_translation,
                                    o.temperature_half_rotation,
                                    o.part[2],
                                    o.pressure,
                                    o.pressure_tensor[0][0],
                                    o.pressure_tensor[1][1],
                                    o.pressure_tensor[2][2],
                                    o.pressure_tensor[0][1],
                                    o.pressure_tensor[0][2],
                                    o.pressure_tensor[1][2],
                                    0,
                                    0};
  memcpy(values, seen, sizeof seen);
}

static struct rill_system create(const struct ensemble *e, const struct rill_structure *structure, uint64_t seed) {
  struct rill_water_options options = {.molecules = structure->molecules,
                                       .positions = structure->positions,
                                       .constraints = {RILL_SETTLE, 1e-13, 1e-13, 1.0, 500},
                                       .thermostat = true,
                                       .temperature = {e->temperature, e->temperature},
                                       .friction_law = RILL_FRICTION_UNIFORM,
                                       .friction = e->friction,
                                       .seed = seed,
                                       .confined = e->wall > 0,
                                       .confine_radius = e->wall,
                                       .confine_stiffness = 1000,
                                       .isa = rill_isa_best(),
                                       .threads = 1,
                                       .periodic = e->box};
  struct rill_system system;
  fixture_ok(rill_water_model_find("tip3p", 0, &options.model, &fixture_error));
  if (e->box) {
    memcpy(options.box.box, structure->box, sizeof options.box.box);
    options.box.cutoff = 0.9;
    options.box.coulomb = RILL_COULOMB_EWALD;
    options.box.beta = 3.4705;
    options.box.tail = 1;
    options.box.by_atom =
        e->insertion == RILL_NO_BATH; /* cut by molecules, the energy drifts by 20 kJ/mol in a nanosecond */
    options.box.precision = RILL_PRECISION_MIXED;
    options.mesh = (struct rill_pme_parameters){.order = 6, .grid = {20, 20, 20}, .precision = RILL_MESH_SINGLE};
  }
  fixture_ok(rill_water_create(&options, &system, &fixture_error));
  fixture_ok(rill_water_draw_velocities(&system, e->temperature, seed, &fixture_error));
  return system;
}

static void sample_distances(const struct rill_system *system, const struct rill_structure *structure,
                             struct rill_rdf *rdf) {
  static double positions[STATE];
  rill_water_copy_state(system, positions, NULL);
  if (structure->has_box)
    fixture_ok(rill_rdf_sample_box(rdf, positions, (const double(*)[3])structure->box, &fixture_error));
  else rill_rdf_sample(rdf, positions);
}

/* At the bin of the first maximum, about 0.28 nm. */
static void conclude_distances(const struct rill_rdf *rdf, const struct ensemble *e, struct seed *result) {
  static double g[256], error[256];
  const size_t top = (size_t)(0.28 / e->bin);
  if (e->box) rill_rdf_g(rdf, g, error, NULL);
  else rill_rdf_result(rdf, g, error, NULL);
  for (int k = 0; k < INTERVALS; k++) {
    result->mean[k][PEAK] = k == 1 ? g[top] : NAN;
    result->error[k][PEAK] = k == 1 ? error[top] : NAN;
  }
}

static struct rill_integrator *bind(struct rill_system *system, enum rill_thermostat insertion) {
  const struct rill_binding_options binding = {.step = step, .insertion = insertion, .geodesic_steps = 1};
  struct rill_integrator *integrator;
  fixture_ok(rill_integrator_create(rill_method_find("verlet"), system, &binding, &integrator, &fixture_error));
  return integrator;
}

static void advance(struct rill_integrator *integrator, uint64_t from, uint64_t to) {
  for (uint64_t i = from; i < to; i++) fixture_ok(rill_integrator_step(integrator, i, false, &fixture_error));
}

static uint64_t steps_of(double time) { return (uint64_t)llround(time / step); }

/* Steps from `first` on, for the time of the ensemble. */
static void sample(const struct ensemble *e, const struct rill_structure *structure, struct rill_system *system,
                   struct rill_integrator *integrator, uint64_t first, struct seed *result) {
  const uint64_t count = steps_of(e->time);
  static struct rill_average averages[INTERVALS][OBSERVABLES];
  static double series[OBSERVABLES][LONGEST];
  struct rill_rdf *rdf;
  const double range = e->box ? 0.9 : 0.8;
  fixture_ok((e->box ? rill_rdf_create_periodic : rill_rdf_create)(
      structure->molecules, range, (size_t)lround(range / e->bin), &rdf, &fixture_error));
  memset(averages, 0, sizeof averages);
  for (uint64_t done = 1; done <= count; done++) {
    const bool seen = done % intervals[0] == 0;
    double values[OBSERVABLES];
    fixture_ok(rill_integrator_step(integrator, first + done - 1, seen, &fixture_error));
    if (!seen) continue;
    observe(system, values);
    for (int k = 0; k < INTERVALS; k++)
      for (int q = 0; q < PEAK && done % intervals[k] == 0; q++) rill_average_add(&averages[k][q], values[q]);
    for (int q = 0; q < PEAK; q++) series[q][done / intervals[0] - 1] = values[q];
    if (done % intervals[1] == 0) sample_distances(system, structure, rdf);
  }
  for (int k = 0; k < INTERVALS; k++)
    for (int q = 0; q < PEAK; q++) {
      const struct rill_mean mean = rill_average_mean(&averages[k][q]);
      result->mean[k][q] = mean.mean;
      result->error[k][q] = mean.error;
    }
  for (int q = 0; q < PEAK; q++) result->early[q] = early_error(series[q], count / intervals[0]);
  conclude_distances(rdf, e, result);
  rill_rdf_destroy(rdf);
}

static void run_seed(const struct ensemble *e, const struct rill_structure *structure, uint64_t seed,
                     struct seed *result) {
  const uint64_t before = steps_of(e->before);
  struct rill_system system = create(e, structure, seed);
  struct rill_integrator *integrator = bind(&system, e->insertion);
  advance(integrator, 0, before);
  sample(e, structure, &system, integrator, before, result);
  rill_integrator_destroy(integrator);
  system.ops->destroy(system.self);
}

static void run_parts(const struct ensemble *e, const struct rill_structure *structure, struct seed *parts,
                      size_t count) {
  const uint64_t before = steps_of(e->before), each = steps_of(e->time);
  struct rill_system system = create(e, structure, 1);
  struct rill_integrator *integrator = bind(&system, RILL_BAOAB);
  advance(integrator, 0, before);
  rill_integrator_destroy(integrator);
  integrator = bind(&system, RILL_NO_BATH);
  for (size_t s = 0; s < count; s++) sample(e, structure, &system, integrator, before + s * each, &parts[s]);
  rill_integrator_destroy(integrator);
  system.ops->destroy(system.self);
}

/* A result in the folder of kept ones; false when there is none. */
static FILE *kept(const struct ensemble *e, uint64_t seed, const char *mode) {
  const char *folder = getenv("RILL_ERROR_BARS");
  char path[1024];
  if (folder == NULL) return NULL;
  snprintf(path, sizeof path, "%s/%td-%" PRIu64, folder, e - ensembles + 1, seed);
  return fopen(path, mode);
}

static void find_seed(const struct ensemble *e, const struct rill_structure *structure, uint64_t seed,
                      struct seed *result) {
  FILE *file = kept(e, seed, "rb");
  const bool found = file != NULL && fread(result, sizeof *result, 1, file) == 1;
  if (file != NULL) fclose(file);
  if (found) return;
  run_seed(e, structure, seed, result);
  file = kept(e, seed, "wb");
  if (file == NULL) return;
  ck_assert_uint_eq(fwrite(result, sizeof *result, 1, file), 1);
  fclose(file);
}

struct tally {
  size_t rows, judged, mutants;
  double least, most, worst_mutant;
};

/* Of the rule before, at the shortest interval. */
static double early_ratio(const struct seed *seeds, size_t count, int q) {
  double mean = 0, variance = 0, squares = 0;
  for (size_t s = 0; s < count; s++) mean += seeds[s].mean[0][q] / (double)count;
  for (size_t s = 0; s < count; s++) {
    variance += pow(seeds[s].mean[0][q] - mean, 2) / (double)(count - 1);
    squares += pow(seeds[s].early[q], 2) / (double)count;
  }
  return variance / squares;
}

/* One observable: a row of the ratios at all sampling intervals, and of the seeds that quote an error. */
static void judge_observable(const struct seed *seeds, size_t count, int q, struct tally *tally) {
  bool begun = false;
  for (int k = 0; k < INTERVALS; k++) {
    double mean = 0, variance = 0, squares = 0, quoted = 0, ratio;
    for (size_t s = 0; s < count; s++) mean += seeds[s].mean[k][q] / (double)count;
    for (size_t s = 0; s < count; s++) {
      variance += pow(seeds[s].mean[k][q] - mean, 2) / (double)(count - 1);
      if (isnan(seeds[s].error[k][q])) continue;
      squares += pow(seeds[s].error[k][q], 2);
      quoted++;
    }
    if (!(variance > 0)) continue;
    if (!begun) printf("| %s | %.4g ± %.2g |", names[q], mean, sqrt(variance));
    begun = true;
    tally->rows++;
    ratio = variance / (squares / quoted);
    if (2 * quoted < (double)count) {
      printf(" too few (%g) |", quoted);
      continue;
    }
    printf(" %.2f (%g) |", ratio, quoted);
    tally->judged++;
    tally->least = fmin(tally->least, ratio);
    tally->most = fmax(tally->most, ratio);
    if (q < PEAK) tally->worst_mutant = fmax(tally->worst_mutant, early_ratio(seeds, count, q));
  }
  if (!begun) return;
  if (q < PEAK) printf(" %.2f |\n", early_ratio(seeds, count, q));
  else puts(" | | | |");
}

static void run_ensemble(const struct ensemble *e, size_t count, struct tally *tally) {
  static struct seed seeds[MOST_SEEDS];
  struct rill_structure structure = {0};
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", RILL_SOURCE_DIR, e->structure);
  fixture_ok(rill_structure_read(path, &structure, &fixture_error));
  {
    struct rill_water_model model;
    fixture_ok(rill_water_model_find("tip3p", 0, &model, &fixture_error));
    fixture_ok(rill_water_rigidify(&model, structure.positions, structure.molecules, &fixture_error));
  }
  if (e->insertion == RILL_NO_BATH) run_parts(e, &structure, seeds, count);
  else
    for (size_t s = 0; s < count; s++) find_seed(e, &structure, s + 1, &seeds[s]);
  printf("\n**N = %zu%s, ", structure.molecules, e->box ? " in a box" : "");
  if (e->insertion == RILL_NO_BATH) printf("constant energy, from %g K, parts of %g ps", e->temperature, e->time);
  else
    printf("%s, %g K, friction %g /ps, %g ps", e->insertion == RILL_BAOAB ? "baoab" : "gla", e->temperature,
           e->friction, e->time);
  printf("**\n\n| observable | mean ± scatter |");
  for (int k = 0; k < INTERVALS; k++) printf(" each %g fs |", (double)intervals[k] * step * 1e3);
  puts(" rule before |\n|---|---|---|---|---|---|---|");
  for (int q = 0; q < OBSERVABLES; q++)
    if (e->insertion != RILL_NO_BATH || q != TOTAL)
      judge_observable(seeds, count, q, tally); /* no error is quoted of it */
  fflush(stdout);
  rill_structure_release(&structure);
}

static int argument_count;
static char **arguments;

START_TEST(errors_are_the_scatter_over_seeds) {
  const size_t wanted = (size_t)physics_scaled(MOST_SEEDS), count = wanted < 8            ? 8
                                                                    : wanted > MOST_SEEDS ? MOST_SEEDS
                                                                                          : wanted;
  const double freedom = (double)(count - 1);
  struct tally tally = {.least = INFINITY};
  double allowed, low, high;
  fill_ensembles();
  for (size_t i = 0; i < ENSEMBLES; i++) {
    bool chosen = argument_count < 2 && (!ensembles[i].box || physics_full());
    for (int a = 1; a < argument_count; a++) chosen |= strtoul(arguments[a], NULL, 10) == i + 1;
    if (chosen) run_ensemble(&ensembles[i], count, &tally);
  }
  allowed = 0.0005 / fmax(1, (double)tally.judged);
  low = gsl_cdf_chisq_Pinv(allowed, freedom) / freedom;
  high = gsl_cdf_chisq_Qinv(allowed, freedom) / freedom;
  printf(
      "\n%zu ratios, %zu judged: %.2f to %.2f; allowed %.2f to %.2f (one alone: %.2f to %.2f); of the rule before up "
      "to %.3g\n",
      tally.rows, tally.judged, tally.least, tally.most, low, high, gsl_cdf_chisq_Pinv(0.0005, freedom) / freedom,
      gsl_cdf_chisq_Qinv(0.0005, freedom) / freedom, tally.worst_mutant);
  ck_assert_uint_gt(tally.judged, 0);
  ck_assert_double_ge(tally.least, low);
  ck_assert_double_le(tally.most, high);
  if (argument_count < 2) ck_assert_double_gt(tally.worst_mutant, high);
}
END_TEST

int main(int argc, char **argv) {
  Suite *suite = suite_create("quoted errors");
  TCase *cases = tcase_create("seeds");
  argument_count = argc;
  arguments = argv;
  tcase_set_timeout(cases, 36000);
  tcase_add_test(cases, errors_are_the_scatter_over_seeds);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
