/* In the paper's units: A, kcal/mol, u, akma time.  It prints curves and times; expected values are those of
 * independent programs with the caption's settings, h = 0.05, gamma = 0.01 (0.2045 u/ps), kT = 0.02 (10.06 K), w =
 * 20: canonical means by Monte Carlo (tests/independent/water_monte_carlo.c), deterministic motions by
 * tests/independent/water.py, what depends on the step by earlier prototypes.
 *
 * Not printed, and chosen here: the start; beta = 0.4; which block of the Hessian (Gauss-Newton's, or the full stiff
 * one where a row says so); which one-step Newmark (B).  Distances and energies are those of the physical positions q
 * = x + beta h^2 a. */
#include "papers/tao_owhadi_water.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "analysis/rdf.h"
#include "base/memory.h"
#include "base/units.h"
#include "integrators/registry.h"
#include "mech/timing.h"
#include "papers/emit.h"
#include "papers/water_starts.h"
#include "water/water_system.h"

enum { MOST_MOLECULES = 100, STATE = 9 * MOST_MOLECULES };

static const double h_akma = 0.05, kt_kcal = 0.02, gamma_akma = 0.01;

/* --- runs --- */

struct choice {
  const char *label, *method;
  double w, beta; /* w 0: rigid */
  enum rill_hessian_part hessian;
  enum rill_constraint_solver solver;
};

static const struct choice rattle = {"RATTLE", "rattle", 0, 0, RILL_HESSIAN_GAUSS_NEWTON, RILL_SETTLE};
static const struct choice zss = {"Z&Ss, w = 20", "zss-simplified", 20, 0.4, RILL_HESSIAN_GAUSS_NEWTON, RILL_SETTLE};
static const struct choice zss_stiff = {"Z&Ss, w = 80", "zss-simplified", 80, 0.4, RILL_HESSIAN_GAUSS_NEWTON,
                                        RILL_SETTLE};
static const struct choice zss_full = {"Z&Ss, full block", "zss-simplified", 20, 0.4,
                                       RILL_HESSIAN_STIFF, RILL_SETTLE};

struct motion {
  struct rill_system system;
  struct rill_integrator *integrator;
  struct rill_timers timers;
  struct rill_water_model model;
  size_t molecules;
  uint64_t done;
};

static void end(struct motion *motion) {
  rill_integrator_destroy(motion->integrator);
  if (motion->system.ops != NULL) motion->system.ops->destroy(motion->system.self);
  *motion = (struct motion){0};
}

static enum rill_status create(struct motion *motion, size_t molecules, const struct choice *choice, bool thermostat,
                               uint64_t seed, const double *velocities, struct rill_error *error) {
  const double *start = molecules == 7 ? rill_water_start_7[0] : rill_water_start_100[0];
  const double temperature = kt_kcal * RILL_KCAL / RILL_GAS_CONSTANT;
  double q[STATE];
  struct rill_water_options options = {
      .molecules = molecules,
      .positions = q,
      .velocities = velocities,
      .constraints = {choice->solver, 1e-10, 1e-10, 1.0, 500},
      .stiffness = choice->w * sqrt(RILL_KCAL) / (RILL_ANGSTROM * RILL_ANGSTROM),
      .thermostat = thermostat,
      .temperature = {temperature, temperature},
      .friction_law = RILL_FRICTION_PER_MASS,
      .friction = gamma_akma / RILL_AKMA_TIME,
      .seed = seed,
      .isa = rill_isa_best(),
      .threads = 1,
      .timers = &motion->timers,
  };
  for (size_t i = 0; i < 9 * molecules; i++) q[i] = start[i] * RILL_ANGSTROM;
  RILL_TRY(rill_water_model_find("tip3p-ac", 332.0637 * RILL_KCAL * RILL_ANGSTROM, &options.model, error));
  motion->model = options.model;
  motion->molecules = molecules;
  return rill_water_create(&options, &motion->system, error);
}

static enum rill_status begin_with(struct motion *motion, size_t molecules, const struct choice *choice,
                                   bool thermostat, uint64_t seed, const double *v, struct rill_error *error) {
  const struct rill_binding_options binding = {
      .step = h_akma * RILL_AKMA_TIME,
      .insertion = thermostat ? RILL_GLA : RILL_NO_BATH,
      .geodesic_steps = 1,
      .method = {.beta = choice->beta, .hessian = choice->hessian, .newton_start = RILL_START_B, .tolerance = 1e-13}};
  enum rill_status status = create(motion, molecules, choice, thermostat, seed, v, error);
  if (status == RILL_OK)
    status = rill_integrator_create(rill_method_find(choice->method), &motion->system, &binding, &motion->integrator,
                                    error);
  if (status != RILL_OK) end(motion);
  return status;
}

/* From the start, with Maxwell velocities of rigid molecules without net momentum: the same for every method. */
static enum rill_status begin(struct motion *motion, size_t molecules, const struct choice *choice, bool thermostat,
                              uint64_t seed, struct rill_error *error) {
  struct motion rigid = {0};
  double v[STATE];
  enum rill_status status = create(&rigid, molecules, &rattle, true, seed, NULL, error);
  *motion = (struct motion){0};
  if (status == RILL_OK)
    status = rill_water_draw_velocities(&rigid.system, kt_kcal * RILL_KCAL / RILL_GAS_CONSTANT, seed, error);
  if (status == RILL_OK) status = rill_water_remove_momentum(&rigid.system, RILL_REMOVE_LINEAR_MOMENTUM, error);
  if (status == RILL_OK) rill_water_copy_state(&rigid.system, NULL, v);
  end(&rigid);
  return status == RILL_OK ? begin_with(motion, molecules, choice, thermostat, seed, v, error) : status;
}

/* Seven molecules without noise, from velocities that another program can make: sqrt(2 kT / m) sin(k^2), k = 1 ... 63
 * the number of the component, projected as rigid molecules: the same for every method. */
static enum rill_status begin_deterministic(struct motion *motion, const struct choice *choice,
                                            struct rill_error *error) {
  const double speed = RILL_ANGSTROM / RILL_AKMA_TIME;
  struct rill_water_model model;
  struct motion rigid = {0};
  double v[STATE];
  enum rill_status status;
  *motion = (struct motion){0};
  RILL_TRY(rill_water_model_find("tip3p-ac", 332.0637 * RILL_KCAL * RILL_ANGSTROM, &model, error));
  for (int i = 0; i < 63; i++) v[i] = sqrt(2 * kt_kcal / model.mass[i % 9 / 3]) * sin((i + 1.0) * (i + 1.0)) * speed;
  status = create(&rigid, 7, &rattle, false, 1, v, error);
  if (status == RILL_OK) rill_water_copy_state(&rigid.system, NULL, v);
  end(&rigid);
  return status == RILL_OK ? begin_with(motion, 7, choice, false, 1, v, error) : status;
}

static enum rill_status go(struct motion *motion, uint64_t steps, struct rill_error *error) {
  for (uint64_t i = 0; i < steps; i++)
    RILL_TRY(rill_integrator_step(motion->integrator, motion->done++, i + 1 == steps, error));
  return RILL_OK;
}

static enum rill_status observe(struct motion *motion, struct rill_observation *o, struct rill_error *error) {
  return motion->system.ops->observe(motion->system.self, o, error);
}

/* --- figures 4 and 7: the distribution of O-O distances --- */

enum { STRIDE = 10 };

enum quantity { TEMPERATURE, SOFT_ENERGY, BONDS_X, BONDS_Q, MEAN_DISTANCE, QUANTITIES };
enum { MOST_SEEDS = 40, BINS = 400 };

/* Of each seed: kinetic temperature and Lennard-Jones + Coulomb, kcal/mol; rms relative errors of the bonds; the mean
 * O-O distance and the density of distances, A. */
struct gathered {
  int seeds;
  size_t bins;
  double value[QUANTITIES][MOST_SEEDS];
  double density[MOST_SEEDS][BINS];
};

static double bond_error(const struct motion *motion, const double *x) {
  double squares = 0;
  for (size_t m = 0; m < motion->molecules; m++)
    for (size_t b = 0; b < RILL_BONDS; b++) {
      double r2 = 0;
      for (size_t c = 0; c < 3; c++)
        r2 += pow(x[9 * m + 3 * rill_bond_ends[b][1] + c] - x[9 * m + 3 * rill_bond_ends[b][0] + c], 2);
      squares += pow(sqrt(r2) / motion->model.bond[b] - 1, 2);
    }
  return squares / (double)(RILL_BONDS * motion->molecules);
}

static enum rill_status sample(struct motion *motion, struct rill_rdf *rdf, double sum[QUANTITIES],
                               struct rill_error *error) {
  struct rill_observation o;
  double x[STATE];
  RILL_TRY(observe(motion, &o, error));
  sum[TEMPERATURE] += o.temperature * RILL_GAS_CONSTANT / RILL_KCAL;
  sum[SOFT_ENERGY] += (o.part[0] + o.part[1]) / RILL_KCAL;
  rill_water_copy_state(&motion->system, x, NULL);
  sum[BONDS_X] += bond_error(motion, x);
  rill_water_copy_positions(&motion->system, x);
  sum[BONDS_Q] += bond_error(motion, x);
  rill_rdf_sample(rdf, x);
  return RILL_OK;
}

struct sampling {
  size_t molecules;
  double time, skip; /* akma */
  int seeds;
  double max; /* A; in bins of 0.05 */
};

static enum rill_status gather_seed(const struct sampling *how, const struct choice *choice, int seed,
                                    struct rill_rdf *rdf, struct gathered *g, struct rill_error *error) {
  const uint64_t steps = (uint64_t)llround(how->time / h_akma), skip = (uint64_t)llround(how->skip / h_akma);
  double sum[QUANTITIES] = {0}, count;
  struct motion motion;
  enum rill_status status;
  RILL_TRY(begin(&motion, how->molecules, choice, true, (uint64_t)seed + 1, error));
  status = go(&motion, skip, error);
  while (status == RILL_OK && motion.done < steps) {
    status = go(&motion, STRIDE, error);
    if (status == RILL_OK) status = sample(&motion, rdf, sum, error);
  }
  end(&motion);
  RILL_TRY(status);
  count = (double)rill_rdf_samples(rdf);
  for (int k = 0; k < MEAN_DISTANCE; k++) g->value[k][seed] = sum[k] / count;
  for (int k = BONDS_X; k <= BONDS_Q; k++) g->value[k][seed] = sqrt(g->value[k][seed]);
  g->value[MEAN_DISTANCE][seed] = rill_rdf_mean(rdf) / RILL_ANGSTROM;
  rill_rdf_result(rdf, g->density[seed], NULL, NULL);
  for (size_t i = 0; i < g->bins; i++) g->density[seed][i] *= RILL_ANGSTROM;
  return RILL_OK;
}

static const double bin = 0.05; /* A */

/* Runs from the seeds 1, 2, ... */
static enum rill_status gather(const struct sampling *how, const struct choice *choice, struct gathered *g,
                               struct rill_error *error) {
  *g = (struct gathered){.seeds = how->seeds, .bins = (size_t)llround(how->max / bin)};
  for (int seed = 0; seed < how->seeds; seed++) {
    struct rill_rdf *rdf = NULL;
    enum rill_status status = rill_rdf_create(how->molecules, how->max * RILL_ANGSTROM, g->bins, &rdf, error);
    if (status == RILL_OK) status = gather_seed(how, choice, seed, rdf, g, error);
    rill_rdf_destroy(rdf);
    RILL_TRY(status);
  }
  return RILL_OK;
}

/* A mean with its standard error, from independent seeds. */
struct estimate {
  double value, error;
  int freedom;
};

static struct estimate estimate_of(const double *values, int count) {
  struct estimate e = {0, 0, count - 1};
  for (int i = 0; i < count; i++) e.value += values[i] / count;
  for (int i = 0; i < count; i++) e.error += (values[i] - e.value) * (values[i] - e.value) / (count * (count - 1.0));
  e.error = sqrt(e.error);
  return e;
}

/* Mean density over the seeds, without one of them; -1: over all. */
static void pool(const struct gathered *g, int without, double density[BINS]) {
  const double share = 1.0 / (without < 0 ? g->seeds : g->seeds - 1);
  for (size_t i = 0; i < g->bins; i++) {
    density[i] = 0;
    for (int s = 0; s < g->seeds; s++) density[i] += s == without ? 0 : g->density[s][i] * share;
  }
}

static double l1(const double *a, const double *b, size_t bins) {
  double sum = 0;
  for (size_t i = 0; i < bins; i++) sum += fabs(a[i] - b[i]) * bin;
  return sum;
}

/* L1 distance of two pooled distributions; the error by leaving out each seed in turn. */
static struct estimate distance_between(const struct gathered *a, const struct gathered *b) {
  double p[BINS], q[BINS], left_out[MOST_SEEDS];
  struct estimate e;
  for (int s = 0; s < a->seeds; s++) {
    pool(a, s, p), pool(b, s, q);
    left_out[s] = l1(p, q, a->bins);
  }
  e = estimate_of(left_out, a->seeds);
  e.error *= a->seeds - 1;
  pool(a, -1, p), pool(b, -1, q);
  e.value = l1(p, q, a->bins);
  return e;
}

/* The L1 distance due to the noise of seeds: that between two halves of them. */
static double distance_of_halves(const struct gathered *g) {
  const int half = g->seeds / 2;
  double p[2][BINS] = {{0}};
  for (int s = 0; s < 2 * half; s++)
    for (size_t i = 0; i < g->bins; i++) p[s < half][i] += g->density[s][i] / half;
  return l1(p[0], p[1], g->bins);
}

/* The centre of the highest bin below 3 A: hydrogen bonds. */
static double first_peak(const struct gathered *g) {
  double density[BINS], at = NAN, most = 0;
  pool(g, -1, density);
  for (size_t i = 0; i < g->bins && ((double)i + 0.5) * bin < 3; i++)
    if (density[i] > most) {
      most = density[i];
      at = ((double)i + 0.5) * bin;
    }
  return at;
}

/* The tolerance of a sampled value: Student's 99.9 % for the standard error of ours, which is known from a few seeds
 * only, with that of the expected value added to it; more: of the expected value's digits. */
static struct rill_expected sampled(enum rill_source source, double value, double its_error, double more,
                                    struct estimate ours) {
  const double quantile = gsl_cdf_tdist_Qinv(0.0005, ours.freedom);
  return rill_expect(source, value, more + quantile * sqrt(ours.error * ours.error + its_error * its_error));
}

static enum rill_status emit_distributions(const struct rill_report *report, const char *name,
                                           const char *const *columns, const struct gathered *const *shown,
                                           size_t count) {
  double density[3][BINS];
  RILL_TRY(rill_emit_curve(report, name, columns, count + 1));
  for (size_t k = 0; k < count; k++) pool(shown[k], -1, density[k]);
  for (size_t i = 0; i < shown[0]->bins; i++) {
    double values[4] = {((double)i + 0.5) * bin};
    for (size_t k = 0; k < count; k++) values[k + 1] = density[k][i];
    RILL_TRY(rill_emit_point(report, values));
  }
  return RILL_OK;
}

static enum rill_status emit_sampled(const struct rill_report *report, const char *quantity, enum rill_source source,
                                     double value, double its_error, double more, const struct gathered *g,
                                     enum quantity which, const char *setting) {
  const struct estimate ours = estimate_of(g->value[which], g->seeds);
  return rill_emit(report, quantity, sampled(source, value, its_error, more, ours), ours.value, "%s", setting);
}

/* The standard error of the prototypes' runs, 27000 in total: ours, scaled by the root of the ratio of the
 * lengths. */
static double prototype_error(const struct sampling *how, const struct gathered *g, enum quantity which) {
  return estimate_of(g->value[which], g->seeds).error * sqrt(how->seeds * (how->time - how->skip) / 27000);
}

/* 0.5 ns from each seed, after 0.2 ns; energies of the start relax within 0.08 ns (m/gamma of an oxygen). */
static enum rill_status figure_4_rows(const struct rill_report *report, struct gathered g[4]) {
  static const char *const columns[] = {"r", "RATTLE", "Z&Ss, w = 20", "Z&Ss, w = 80"};
  static const char setting_7[] = "7 molecules, RATTLE", soft_7[] = "7 molecules, Z&Ss, w = 20";
  static const struct rill_claim agree = {0, 0.1,
                                          "w = 20 is soft: bonds stretch by 1 % and every peak moves by 0.05 A; as "
                                          "shapes the histograms agree, as numbers "
                                          "from w = 80 on"};
  const enum rill_source exact = RILL_SOURCE_EXACT, independent = RILL_SOURCE_INDEPENDENT;
  const struct sampling how = {7, 14000, 4000, report->sink->long_form ? MOST_SEEDS : 10, 10};
  struct gathered *rigid = &g[0], *soft = &g[1], *stiff = &g[2], *full = &g[3];
  struct estimate distance;
  RILL_TRY(gather(&how, &rattle, rigid, report->error));
  RILL_TRY(gather(&how, &zss, soft, report->error));
  RILL_TRY(gather(&how, &zss_stiff, stiff, report->error));
  RILL_TRY(gather(&how, &zss_full, full, report->error));
  RILL_TRY(emit_distributions(report, "O-O distances, 7 molecules", columns,
                              (const struct gathered *const[]){rigid, soft, stiff}, 3));
  RILL_TRY(emit_sampled(report, "kinetic temperature", exact, kt_kcal, 0, 0, rigid, TEMPERATURE, setting_7));
  RILL_TRY(emit_sampled(report, "kinetic temperature", exact, kt_kcal, 0, 0, soft, TEMPERATURE, soft_7));
  /* three seeds: 0.0254, 0.0253, 0.0259 */
  RILL_TRY(emit_sampled(report, "kinetic temperature", independent, 0.02553, 1.9e-4, 0, full, TEMPERATURE,
                        "7 molecules, Z&Ss, full block"));
  RILL_TRY(emit_sampled(report, "mean of V0", independent, -57.55637, 1.1e-4, 0, rigid, SOFT_ENERGY, setting_7));
  RILL_TRY(emit_sampled(report, "mean of V0", independent, -63.8314, 4e-4, 0, soft, SOFT_ENERGY, soft_7));
  RILL_TRY(emit_sampled(report, "rms relative bond error, at x", independent, 1.66e-2,
                        prototype_error(&how, soft, BONDS_X), 5e-5, soft, BONDS_X, soft_7));
  RILL_TRY(emit_sampled(report, "rms relative bond error, at q", independent, 1.49e-2,
                        prototype_error(&how, soft, BONDS_Q), 5e-5, soft, BONDS_Q, soft_7));
  RILL_TRY(rill_emit(report, "first peak, bins of 0.05", rill_expect(independent, 2.725, 0.025), first_peak(rigid),
                     "%s", setting_7));
  RILL_TRY(rill_emit(report, "first peak, bins of 0.05", rill_expect(independent, 2.675, 0.025), first_peak(soft),
                     "%s", soft_7));
  RILL_TRY(emit_sampled(report, "mean O-O distance", independent, 3.59675, 4e-5, 0, rigid, MEAN_DISTANCE, setting_7));
  RILL_TRY(emit_sampled(report, "mean O-O distance", independent, 3.57266, 4e-5, 0, soft, MEAN_DISTANCE, soft_7));
  RILL_TRY(rill_emit_data(report, "L1 distance between halves of the seeds", distance_of_halves(rigid), NULL, "%s",
                          setting_7));
  /* L1 of finite samples is above that of the distributions by what the noise adds: the last 0.005. */
  distance = distance_between(rigid, soft);
  RILL_TRY(rill_emit_refuted(report, "L1 distance to RATTLE", sampled(independent, 0.3094, 1e-3, 0.005, distance),
                             &agree, distance.value, "%s", soft_7));
  RILL_TRY(emit_sampled(report, "mean O-O distance", independent, 3.59529, 6e-5, 0, stiff, MEAN_DISTANCE,
                        "7 molecules, Z&Ss, w = 80"));
  return rill_emit_data(report, "L1 distance to RATTLE", distance_between(rigid, stiff).value,
                        "0.0215 by Monte Carlo, and as much again from the noise of so few samples",
                        "7 molecules, Z&Ss, w = 80");
}

static enum rill_status with_gathered(const struct rill_result_sink *sink, size_t count,
                                      enum rill_status (*rows)(const struct rill_report *report, struct gathered *g),
                                      struct rill_error *error) {
  const struct rill_report report = {sink, error};
  struct gathered *g = rill_allocate(count, sizeof *g);
  enum rill_status status;
  if (g == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the distributions");
  status = rows(&report, g);
  rill_release(g);
  return status;
}

static enum rill_status figure_4(const struct rill_result_sink *sink, struct rill_error *error) {
  return with_gathered(sink, 4, figure_4_rows, error);
}

/* T = 1000 as printed is shorter than the time of friction, m/gamma = 1600 of an oxygen: the runs are not in
 * equilibrium, and what is expected are prototypes' runs as short. */
static enum rill_status figure_7_rows(const struct rill_report *report, struct gathered g[2]) {
  static const char *const columns[] = {"r", "RATTLE", "Z&Ss, w = 20"};
  static const char rigid_100[] = "100 molecules, RATTLE", soft_100[] = "100 molecules, Z&Ss, w = 20",
                    not_yet[] = "T = 1000 is too short for equilibrium; --long is not";
  const bool longer = report->sink->long_form;
  const struct sampling how = {100, longer ? 10500 : 1000, longer ? 4500 : 100, 4, 20};
  struct gathered *rigid = &g[0], *soft = &g[1];
  struct estimate distance;
  RILL_TRY(gather(&how, &rattle, rigid, report->error));
  RILL_TRY(gather(&how, &zss, soft, report->error));
  distance = distance_between(rigid, soft);
  RILL_TRY(emit_distributions(report, "O-O distances, 100 molecules", columns,
                              (const struct gathered *const[]){rigid, soft}, 2));
  RILL_TRY(rill_emit(report, "first peak, bins of 0.05", rill_expect(RILL_SOURCE_INDEPENDENT, 2.725, 0.025),
                     first_peak(rigid), "%s", rigid_100));
  RILL_TRY(rill_emit(report, "first peak, bins of 0.05", rill_expect(RILL_SOURCE_INDEPENDENT, 2.725, 0.025),
                     first_peak(soft), "%s", soft_100));
  RILL_TRY(rill_emit_data(report, "L1 distance between halves of the seeds", distance_of_halves(rigid), NULL, "%s",
                          rigid_100));
  if (longer) {
    RILL_TRY(rill_emit_data(report, "L1 distance to RATTLE", distance.value, NULL, "%s", soft_100));
    RILL_TRY(
        emit_sampled(report, "kinetic temperature", RILL_SOURCE_EXACT, kt_kcal, 0, 0, rigid, TEMPERATURE, rigid_100));
    return emit_sampled(report, "kinetic temperature", RILL_SOURCE_EXACT, kt_kcal, 0, 0, soft, TEMPERATURE, soft_100);
  }
  /* one seed's, so its error is twice that of our four */
  RILL_TRY(rill_emit(report, "L1 distance to RATTLE",
                     sampled(RILL_SOURCE_INDEPENDENT, 0.073, 2 * distance.error, 5e-4, distance), distance.value,
                     "%s", soft_100));
  RILL_TRY(rill_emit_data(report, "kinetic temperature", estimate_of(rigid->value[TEMPERATURE], rigid->seeds).value,
                          not_yet, "%s", rigid_100));
  return rill_emit_data(report, "kinetic temperature", estimate_of(soft->value[TEMPERATURE], soft->seeds).value,
                        not_yet, "%s", soft_100);
}

static enum rill_status figure_7(const struct rill_result_sink *sink, struct rill_error *error) {
  return with_gathered(sink, 2, figure_7_rows, error);
}

/* --- figure 5: the multiplier of the first O-H bond, deterministic, T = 20, windows of 0.2 --- */

enum { FIGURE_5_STEPS = 400, WINDOW = 4, AVERAGES = FIGURE_5_STEPS - WINDOW + 1 };

struct multipliers {
  double x[FIGURE_5_STEPS], q[FIGURE_5_STEPS];
};

static enum rill_status multipliers_of(const struct choice *choice, struct multipliers *m, struct rill_error *error) {
  const double unit = RILL_KCAL / (RILL_ANGSTROM * RILL_ANGSTROM);
  struct motion motion;
  enum rill_status status;
  RILL_TRY(begin_deterministic(&motion, choice, error));
  status = RILL_OK;
  for (int i = 0; status == RILL_OK && i < FIGURE_5_STEPS; i++) {
    double x[3 * 7], q[3 * 7];
    status = go(&motion, 1, error);
    rill_water_multipliers(&motion.system, x, q);
    m->x[i] = x[0] / unit;
    m->q[i] = q[0] / unit;
  }
  end(&motion);
  return status;
}

static double average(const double *values, int at) {
  double sum = 0;
  for (int k = 0; k < WINDOW; k++) sum += values[at + k];
  return sum / WINDOW;
}

/* rms difference of window averages */
static double difference(const double *a, const double *b) {
  double squares = 0;
  for (int i = 0; i < AVERAGES; i++) squares += pow(average(a, i) - average(b, i), 2) / AVERAGES;
  return sqrt(squares);
}

static enum rill_status emit_multipliers(const struct rill_report *report, const struct multipliers *exact,
                                         const struct multipliers *stiff) {
  static const char *const columns[] = {"t", "RATTLE", "Z&Ss at q, averaged", "Z&Ss at x, averaged"};
  RILL_TRY(rill_emit_curve(report, "multiplier", columns, 4));
  for (int i = 0; i < AVERAGES; i++) {
    const double values[] = {(i + 0.5 * (WINDOW + 1)) * h_akma, average(exact->q, i), average(stiff->q, i),
                             average(stiff->x, i)};
    RILL_TRY(rill_emit_point(report, values));
  }
  return RILL_OK;
}

static enum rill_status figure_5(const struct rill_result_sink *sink, struct rill_error *error) {
  static const char differences[2][40] = {"rms difference of averages, at q", "rms difference of averages, at x"};
  static const struct rill_claim converges = {
      0, 1,
      "(1.8) as printed: w h is large, and x is off the constraints by beta h^2 a whatever w is; the averages at "
      "q = x + beta h^2 a converge"};
  static const struct choice stiff = {"Z&Ss, w = 500",           "zss-simplified", 500, 0.4,
                                      RILL_HESSIAN_GAUSS_NEWTON, RILL_SETTLE};
  static const struct choice block = {"Z&Ss, full block, w = 500", "zss-simplified", 500, 0.4,
                                      RILL_HESSIAN_STIFF,          RILL_SETTLE};
  const struct rill_report report = {sink, error};
  struct multipliers exact, gauss_newton, full, soft;
  double mean = 0, squares = 0;
  RILL_TRY(multipliers_of(&rattle, &exact, error));
  RILL_TRY(multipliers_of(&stiff, &gauss_newton, error));
  RILL_TRY(multipliers_of(&block, &full, error));
  RILL_TRY(multipliers_of(&zss, &soft, error));
  RILL_TRY(emit_multipliers(&report, &exact, &gauss_newton));
  for (int i = 0; i < FIGURE_5_STEPS; i++) mean += exact.q[i] / FIGURE_5_STEPS;
  for (int i = 0; i < FIGURE_5_STEPS; i++) squares += pow(exact.q[i] - mean, 2) / FIGURE_5_STEPS;
  RILL_TRY(rill_emit(&report, "mean multiplier", rill_independent("-13.0622"), mean, "RATTLE"));
  RILL_TRY(rill_emit(&report, "standard deviation of the multiplier", rill_independent("0.37286"), sqrt(squares),
                     "RATTLE"));
  RILL_TRY(rill_emit(&report, differences[0], rill_independent("0.004963"), difference(gauss_newton.q, exact.q), "%s",
                     stiff.label));
  RILL_TRY(rill_emit_refuted(&report, differences[1], rill_independent("9.5620"), &converges,
                             difference(gauss_newton.x, exact.q), "%s", stiff.label));
  RILL_TRY(
      rill_emit(&report, differences[0], rill_independent("0.2366"), difference(full.q, exact.q), "%s", block.label));
  return rill_emit(&report, differences[0], rill_independent("2.5514"), difference(soft.q, exact.q), "%s", zss.label);
}

/* --- figure 6: energy and momenta, deterministic, T = 1000 --- */

enum { POINTS = 1000, TENTH = POINTS / 10, EARLY = 10 }; /* a point an akma time */

/* kcal/mol, akma.  Energies against that of the rigid start. */
struct conservation {
  double largest, last_tenth;  /* largest change of the energy; its mean over the last tenth */
  double early, early_angular; /* change of the energy at t = 10; of the angular momentum, largest until then */
  double momentum, angular;    /* largest changes */
};

static double change(const double now[3], const double then[3]) {
  double most = 0;
  for (int c = 0; c < 3; c++) most = fmax(most, fabs(now[c] - then[c]));
  return most;
}

/* start: of RATTLE's run, which sets it. */
static enum rill_status conserve(const struct rill_report *report, const struct choice *choice, double *start,
                                 struct conservation *c) {
  static const char *const columns[] = {"t", "energy error", "momentum error", "angular momentum error"};
  const double speed = RILL_ANGSTROM / RILL_AKMA_TIME;
  struct motion motion;
  struct rill_observation o, first;
  enum rill_status status;
  *c = (struct conservation){0};
  RILL_TRY(begin_deterministic(&motion, choice, report->error));
  status = observe(&motion, &first, report->error);
  if (choice->w == 0) *start = first.kinetic + first.potential;
  if (status == RILL_OK) status = rill_emit_curve(report, choice->label, columns, 4);
  for (int i = 0; status == RILL_OK && i <= POINTS; i++) {
    double values[4] = {i};
    if (i > 0) status = go(&motion, (uint64_t)llround(1 / h_akma), report->error);
    if (status == RILL_OK) status = observe(&motion, &o, report->error);
    if (status != RILL_OK) break;
    values[1] = (o.kinetic + o.potential - *start) / RILL_KCAL;
    values[2] = change(o.momentum, first.momentum) / speed;
    values[3] = change(o.angular_momentum, first.angular_momentum) / (speed * RILL_ANGSTROM);
    if (i > 0) c->largest = fmax(c->largest, fabs(values[1]));
    if (i > POINTS - TENTH) c->last_tenth += values[1] / TENTH;
    if (i == EARLY) c->early = values[1];
    if (i <= EARLY) c->early_angular = fmax(c->early_angular, values[3]);
    c->momentum = fmax(c->momentum, values[2]);
    c->angular = fmax(c->angular, values[3]);
    status = rill_emit_point(report, values);
  }
  end(&motion);
  return status;
}

/* Until t = 1000 round-off grows to a few per mille of these energies (of the full block and Newmark's, whose
 * clusters come apart, to all of them: theirs are at t = 10). */
static enum rill_status figure_6(const struct rill_result_sink *sink, struct rill_error *error) {
  static const struct choice onestep = {"one-step Newmark, B", "newmark-onestep", 20, 0.4,
                                        RILL_HESSIAN_STIFF,    RILL_SETTLE};
  static const struct rill_claim kept = {
      0, 1e-3,
      "the part g Hess g of the full block gives forces that are not along bonds; Gauss-Newton's block has none"};
  const struct rill_report report = {sink, error};
  const double rounding = 1e-10; /* constraints are solved to 1e-10 */
  struct conservation rigid, soft, full, newmark;
  double start = NAN;
  RILL_TRY(conserve(&report, &rattle, &start, &rigid));
  RILL_TRY(conserve(&report, &zss, &start, &soft));
  RILL_TRY(conserve(&report, &zss_full, &start, &full));
  RILL_TRY(conserve(&report, &onestep, &start, &newmark));
  RILL_TRY(
      rill_emit(&report, "largest energy error, t <= 1000", rill_independent("2.938e-3"), rigid.largest, "RATTLE"));
  RILL_TRY(
      rill_emit(&report, "mean energy error, last tenth", rill_independent("1.866e-3"), rigid.last_tenth, "RATTLE"));
  RILL_TRY(rill_emit(&report, "energy change at t = 10: the strain of the start", rill_independent("-1.72247"),
                     soft.early, "%s", zss.label));
  RILL_TRY(rill_emit(&report, "mean energy change, last tenth", rill_independent("-1.858"), soft.last_tenth, "%s",
                     zss.label));
  RILL_TRY(
      rill_emit(&report, "energy change at t = 10", rill_independent("-1.86383"), full.early, "%s", zss_full.label));
  RILL_TRY(
      rill_emit(&report, "energy change at t = 10", rill_independent("44.123"), newmark.early, "%s", onestep.label));
  RILL_TRY(rill_emit(&report, "change of the momentum", rill_exact(0, rounding), rigid.momentum, "RATTLE"));
  RILL_TRY(rill_emit(&report, "change of the momentum", rill_exact(0, 1e-11), soft.momentum, "%s", zss.label));
  RILL_TRY(rill_emit(&report, "change of the angular momentum", rill_exact(0, rounding), rigid.angular, "RATTLE"));
  RILL_TRY(rill_emit(&report, "change of the angular momentum", rill_exact(0, 1e-11), soft.angular, "%s", zss.label));
  RILL_TRY(rill_emit_refuted(&report, "change of the angular momentum, t <= 10", rill_independent("0.2327"), &kept,
                             full.early_angular, "%s", zss_full.label));
  return rill_emit(&report, "change of the angular momentum, t <= 10", rill_independent("5.238"),
                   newmark.early_angular, "%s", onestep.label);
}

/* --- the times of section 4.3 --- */

enum { SETTLE, MSHAKE, BOND_BY_BOND, GAUSS_NEWTON, FULL_BLOCK, TIMED, REPEATS = 6 };

static const struct choice timed[TIMED] = {
    {"SETTLE", "rattle", 0, 0, RILL_HESSIAN_GAUSS_NEWTON, RILL_SETTLE},
    {"M-SHAKE", "rattle", 0, 0, RILL_HESSIAN_GAUSS_NEWTON, RILL_MSHAKE},
    {"SHAKE, bond by bond", "rattle", 0, 0, RILL_HESSIAN_GAUSS_NEWTON, RILL_RATTLE_SHAKE},
    {"Z&Ss, Gauss-Newton", "zss-simplified", 20, 0.4, RILL_HESSIAN_GAUSS_NEWTON, RILL_SETTLE},
    {"Z&Ss, full block", "zss-simplified", 20, 0.4, RILL_HESSIAN_STIFF, RILL_SETTLE},
};

/* Least times of a step and of the solves in it, measured with the methods alternating: [0] over all repeats, [1] and
 * [2] over the even and the odd ones. */
struct least {
  double step[3][TIMED], solve[3][TIMED];
};

static enum rill_status time_methods(size_t molecules, double seconds, struct least *least,
                                     struct rill_error *error) {
  struct motion motion[TIMED] = {{.done = 0}};
  enum rill_status status = RILL_OK;
  for (int k = 0; k < 3; k++)
    for (int m = 0; m < TIMED; m++) least->step[k][m] = least->solve[k][m] = INFINITY;
  for (int m = 0; status == RILL_OK && m < TIMED; m++)
    status = begin(&motion[m], molecules, &timed[m], false, 1, error);
  for (int r = 0; status == RILL_OK && r < REPEATS; r++)
    for (int m = 0; status == RILL_OK && m < TIMED; m++) {
      struct rill_step_times times;
      status = rill_integrator_time(motion[m].integrator, &motion[m].timers, seconds, &times, error);
      if (status != RILL_OK) break;
      for (int k = 0; k < 3; k += 1 + r % 2) { /* an even repeat goes into [0] and [1], an odd one into [0] and [2] */
        if (k == 2 && r % 2 == 0) continue;
        least->step[k][m] = fmin(least->step[k][m], times.least_step);
        least->solve[k][m] = fmin(least->solve[k][m], times.least_part[RILL_PHASE_CONSTRAINTS]);
      }
    }
  for (int m = 0; m < TIMED; m++) end(&motion[m]);
  return status;
}

/* A ratio of least times is judged only if even and odd repeats agree about it to 15 %. */
static enum rill_status emit_times_ratio(const struct rill_report *report, const char *quantity,
                                         struct rill_expected expected, const struct rill_claim *claim,
                                         const double time[3][TIMED], int above, int below, size_t molecules,
                                         const char *setting) {
  double ratio[3];
  for (int k = 0; k < 3; k++) ratio[k] = time[k][above] / time[k][below];
  if (!(fabs(log(ratio[1] / ratio[2])) < 0.15))
    return rill_emit_data(report, quantity, ratio[0], "too noisy to judge: repeats of the measurement disagree",
                          "%zu molecules, %s", molecules, setting);
  if (claim == NULL) return rill_emit(report, quantity, expected, ratio[0], "%zu molecules, %s", molecules, setting);
  return rill_emit_refuted(report, quantity, expected, claim, ratio[0], "%zu molecules, %s", molecules, setting);
}

/* From value / factor to value * factor. */
static struct rill_expected within_factor(double value, double factor) {
  return rill_expect(RILL_SOURCE_INDEPENDENT, 0.5 * value * (factor + 1 / factor),
                     0.5 * value * (factor - 1 / factor));
}

/* Expected: ratios that an independent C program has on another computer.  Between computers and compilers those of
 * the solves alone vary by up to a factor of 2, of a step with 7 molecules 1.5, with 100, mostly forces, 1.1. */
static enum rill_status timing(const struct rill_result_sink *sink, struct rill_error *error) {
  static const char *const columns[] = {"method", "step", "solve"};
#define FSOLVE                                                                                                       \
  "the paper's times are those of Matlab's fsolve on the system of all constraints; a solver for each molecule is "  \
  "the "                                                                                                             \
  "one to compare with"
  static const struct {
    size_t molecules;
    double step, step_factor, solve;
    struct rill_claim step_claim, solve_claim; /* printed: 8.7 and 183, 1.4 and 45 */
  } expected[] = {{7, 1.38, 1.5, 2.22, {6, INFINITY, FSOLVE}, {100, INFINITY, FSOLVE}},
                  {100, 1.0, 1.1, 2.20, {1.3, INFINITY, FSOLVE}, {30, INFINITY, FSOLVE}}};
#undef FSOLVE
  const struct rill_report report = {sink, error};
  for (size_t k = 0; k < 2; k++) {
    const size_t n = expected[k].molecules;
    struct least least;
    RILL_TRY(time_methods(n, sink->long_form ? 0.3 : 0.04, &least, error));
    RILL_TRY(rill_emit_curve(&report, n == 7 ? "7 molecules" : "100 molecules", columns, 3));
    for (int m = 0; m < TIMED; m++) {
      const double step = least.step[0][m] * 1e6, solve = least.solve[0][m] * 1e6;
      RILL_TRY(rill_emit_point(&report, (double[]){m, step, solve}));
      RILL_TRY(rill_emit_data(&report, "a step, us", step, NULL, "%zu molecules, %s", n, timed[m].label));
      RILL_TRY(rill_emit_data(&report, "its solves, us", solve, NULL, "%zu molecules, %s", n, timed[m].label));
    }
    RILL_TRY(emit_times_ratio(&report, "times faster, the whole step",
                              within_factor(expected[k].step, expected[k].step_factor), &expected[k].step_claim,
                              least.step, SETTLE, GAUSS_NEWTON, n, "Z&Ss against SETTLE"));
    RILL_TRY(emit_times_ratio(&report, "times faster, the solves", within_factor(expected[k].solve, 2),
                              &expected[k].solve_claim, least.solve, SETTLE, GAUSS_NEWTON, n, "Z&Ss against SETTLE"));
    /* 1.27 by that program, so at most 1.9; and at least 1, for the full block has all of the other's work */
    RILL_TRY(emit_times_ratio(&report, "times slower, the solves", rill_expect(RILL_SOURCE_INDEPENDENT, 1.45, 0.45),
                              NULL, least.solve, FULL_BLOCK, GAUSS_NEWTON, n, "full block against Gauss-Newton"));
  }
  return RILL_OK;
}

/* --- the list --- */

static const struct rill_result results[] = {
    {"tao-owhadi-figure-4", "7 waters at kT = 0.02: O-O distances, RATTLE and simplified Z&Ss, ten seeds", figure_4},
    {"tao-owhadi-figure-5", "7 waters: the multiplier of the first O-H bond, w = 500, windows of 0.2", figure_5},
    {"tao-owhadi-figure-6", "7 waters: energy and momenta of RATTLE, simplified Z&Ss, one-step Newmark", figure_6},
    {"tao-owhadi-figure-7", "100 waters at kT = 0.02: O-O distances, RATTLE and simplified Z&Ss", figure_7},
    {"tao-owhadi-timing", "7 and 100 waters: time of a step and of its solves", timing},
};

const struct rill_result *rill_tao_owhadi_water_results(size_t *count) {
  *count = sizeof results / sizeof results[0];
  return results;
}
