/* Physics of water as rigid bodies beside SETTLE: what is sampled, and the drift of the energy.
 *
 * Samples are compared by permutation: six seeds of each representation, and a statistic that is small when the
 * labels do not matter.  A comparison fails when no other of the 462 ways to part the twelve runs into two halves
 * (924, in pairs) gives as large a value: with other seeds by chance in 0.2 %; there are 32 comparisons.  Seeds are
 * fixed, so a run of the suite passes or fails always. */
#include "analysis/rdf.h"
#include "analysis/statistics.h"
#include "field_molecule.h"
#include "fixture.h"
#include "scale.h"

enum { SEEDS = 6, RUNS = 2 * SEEDS, BINS = 160, QUANTITIES = 5 };

/* Means of one run: potential, temperatures of translation and rotation, mean O-O distance; and the distribution. */
struct sampled {
  double mean[QUANTITIES - 1], density[BINS];
};

struct job {
  const char *structure;
  size_t molecules;
  double temperature, confine, charge_scale;
  enum rill_thermostat insertion;
  uint64_t equilibration, samples, stride;
};

static struct sampled run(const struct job *job, enum rill_constraint_solver solver, uint64_t seed) {
  struct fixture_options o = {.structure = job->structure,
                              .solver = solver,
                              .step = 0.002,
                              .insertion = job->insertion,
                              .temperature = job->temperature,
                              .friction = 2,
                              .start_temperature = job->temperature,
                              .seed = seed,
                              .confine_radius = job->confine,
                              .charge_scale = job->charge_scale};
  struct fixture f = fixture_create(&o);
  struct sampled s = {0};
  struct rill_rdf *rdf;
  double *q = calloc(9 * job->molecules, sizeof *q);
  const bool inside = job->insertion == RILL_BAOAB;
  const uint64_t samples = physics_scaled(job->samples);
  fixture_bind(&f, &o);
  fixture_ok(rill_rdf_create(job->molecules, 2.4, BINS, &rdf, &fixture_error));
  fixture_run(&f, job->equilibration);
  for (uint64_t i = 0; i < samples; i++) {
    struct rill_observation seen;
    fixture_run(&f, job->stride);
    seen = fixture_observe(&f);
    s.mean[0] += seen.potential / (double)samples;
    s.mean[1] += (inside ? seen.temperature_half_translation : seen.temperature_translation) / (double)samples;
    s.mean[2] += (inside ? seen.temperature_half_rotation : seen.temperature_rotation) / (double)samples;
    rill_water_copy_state(&f.system, q, NULL);
    rill_rdf_sample(rdf, q);
  }
  s.mean[3] = rill_rdf_mean(rdf);
  rill_rdf_result(rdf, s.density, NULL, NULL);
  rill_rdf_destroy(rdf);
  fixture_destroy(&f);
  free(q);
  return s;
}

/* The difference of the halves' means; of distributions the L1 distance of the halves' mean densities. */
static double statistic(const struct sampled *runs, unsigned first_half, int quantity) {
  double off = 0;
  if (quantity < QUANTITIES - 1) {
    for (int i = 0; i < RUNS; i++) off += (first_half >> i & 1 ? 1 : -1) * runs[i].mean[quantity];
    return fabs(off);
  }
  for (int b = 0; b < BINS; b++) {
    double difference = 0;
    for (int i = 0; i < RUNS; i++) difference += (first_half >> i & 1 ? 1 : -1) * runs[i].density[b];
    off += fabs(difference);
  }
  return off;
}

/* How many partings give at least what the labels give, the labels' own among them. */
static int rank_of_labels(const struct sampled *runs, int quantity) {
  const unsigned labels = (1U << SEEDS) - 1;
  const double seen = statistic(runs, labels, quantity) * (1 - 1e-12);
  int as_large = 0;
  for (unsigned half = 0; half < 1U << RUNS; half++)
    if (__builtin_popcount(half) == SEEDS && (half & 1)) as_large += statistic(runs, half, quantity) >= seen;
  return as_large;
}

static const struct job jobs[] = {
    {"inputs/water7.gro", 7, 10, 0, 0, RILL_GLA, 10000, 5000, 60},
    {"inputs/water7.gro", 7, 10, 0, 0, RILL_BAOAB, 10000, 5000, 60},
    {"tests/data/structures/c100_a_hp.gro", 100, 280, 1.1, 0, RILL_GLA, 1000, 400, 25},
};

static const char *const names[QUANTITIES] = {"potential energy", "temperature of translation",
                                              "temperature of rotation", "mean O-O distance", "O-O distribution"};

START_TEST(samples_are_those_of_settle) {
  static const enum rill_constraint_solver solvers[] = {RILL_BODIES_LGVI, RILL_BODIES_ROTOR};
  const struct job *job = &jobs[_i];
  struct sampled runs[RUNS];
  for (uint64_t k = 0; k < SEEDS; k++) runs[k] = run(job, RILL_SETTLE, 1 + k);
  for (int s = 0; s < 2; s++) {
    for (uint64_t k = 0; k < SEEDS; k++) runs[SEEDS + k] = run(job, solvers[s], 101 + k);
    for (int quantity = 0; quantity < QUANTITIES; quantity++)
      ck_assert_msg(rank_of_labels(runs, quantity) > 1, "%zu molecules, insertion %d: the %s of %s is not SETTLE's",
                    job->molecules, (int)job->insertion, names[quantity],
                    rill_choice_word(rill_constraint_solver_choices, solvers[s]));
  }
}
END_TEST

/* A mutant: charges 2 % too large are seen in the energy and in the distribution. */
START_TEST(other_samples_are_seen) {
  struct job mutant = jobs[0];
  struct sampled runs[RUNS];
  if (!physics_full()) return;
  mutant.charge_scale = 1.02;
  for (uint64_t k = 0; k < SEEDS; k++) {
    runs[k] = run(&jobs[0], RILL_SETTLE, 1 + k);
    runs[SEEDS + k] = run(&mutant, RILL_BODIES_LGVI, 101 + k);
  }
  ck_assert_int_eq(rank_of_labels(runs, 0), 1);
  ck_assert_int_eq(rank_of_labels(runs, 4), 1);
}
END_TEST

/* The slope of the total energy over 1 ns at 2 fs, kT/ns a degree of freedom. */
static double drift_of(enum rill_constraint_solver solver, uint64_t seed) {
  enum { STRIDE = 100 };
  const size_t samples = physics_scaled(5000);
  double *t = calloc(samples, sizeof *t), *e = calloc(samples, sizeof *e), slope;
  struct fixture_options o = {.structure = "inputs/water7.gro",
                              .solver = solver,
                              .step = 0.002,
                              .start_temperature = 150,
                              .seed = seed,
                              .removal = RILL_REMOVE_ALL_MOMENTA};
  struct fixture f = fixture_create(&o);
  fixture_bind(&f, &o);
  for (size_t i = 0; i < samples; i++) {
    struct rill_observation seen;
    fixture_run(&f, STRIDE);
    seen = fixture_observe(&f);
    t[i] = o.step * (double)f.done;
    e[i] = seen.kinetic + seen.potential;
  }
  fixture_destroy(&f);
  slope = rill_drift_of(t, e, samples).slope;
  free(t);
  free(e);
  return slope * 1000 / (RILL_GAS_CONSTANT * 75 * 36); /* half of the 150 K go into the vibrations */
}

/* Constant energy, 7 molecules: each run's slope, which is the clusters' way through minima of other modified
 * energies, is below 5e-4; the mean of six seeds is 0 within Student's 4.77 errors of it (by chance in 0.5 %), and
 * the slopes are SETTLE's by permutation. */
START_TEST(energy_does_not_drift) {
  static const enum rill_constraint_solver solvers[] = {RILL_SETTLE, RILL_BODIES_LGVI, RILL_BODIES_ROTOR};
  struct sampled runs[RUNS] = {0};
  for (int s = 0; s < 3; s++) {
    double mean = 0, squares = 0, error;
    for (uint64_t k = 0; k < SEEDS; k++) {
      double slope = drift_of(solvers[s], 1 + k);
      if (physics_full()) ck_assert_double_le(fabs(slope), 5e-4);
      runs[(s > 0 ? SEEDS : 0) + k].mean[0] = slope;
      mean += slope / SEEDS;
      squares += slope * slope / SEEDS;
    }
    error = sqrt((squares - mean * mean) / (SEEDS - 1));
    ck_assert_msg(fabs(mean) <= 4.77 * error, "%s drifts by %.2g +- %.2g kT/ns/dof",
                  rill_choice_word(rill_constraint_solver_choices, solvers[s]), mean, error);
    if (s > 0) ck_assert_int_gt(rank_of_labels(runs, 0), 1);
  }
}
END_TEST

/* One molecule in a uniform field and a trap, 5 /ps, 8 molecules of 8 ns: equipartition of both kinetic energies and
 * of the trap, and the mean cosine of the dipole, coth x - 1/x; within 5 standard errors and 0.003. */
START_TEST(a_dipole_in_a_field_is_oriented) {
  static const enum rill_rotor rotors[] = {RILL_ROTOR_LGVI, RILL_ROTOR_AXES};
  static const double kt = 2.494338785;
  enum { STRIDE = 20 };
  const size_t samples = physics_scaled(100000);
  double *values[4];
  for (int q = 0; q < 4; q++) values[q] = calloc(samples, sizeof(double));
  for (int r = 0; r < 2; r++)
    for (int inside = 0; inside < 2; inside++) {
      static const double unity = 1;
      struct field m;
      struct rill_integrator *integrator;
      uint64_t done = 0;
      double dipole = 0, x, target[4];
      field_create(&m, rotors[r], rill_isa_best());
      m.gradient = 0;
      m.temperature = kt / RILL_GAS_CONSTANT;
      m.friction = 5;
      m.ou.noise = rill_noise_create(3 + (uint64_t)(2 * r + inside), RILL_STREAM_THERMOSTAT);
      for (int a = 0; a < RILL_ATOMS; a++) dipole += m.model.charge[a] * m.body.site[a][1];
      x = dipole * m.field / kt;
      target[0] = target[1] = target[3] = unity;
      target[2] = 1 / tanh(x) - 1 / x;
      integrator = field_bind(&m, "verlet", 0.004, inside ? RILL_BAOAB : RILL_GLA);
      for (size_t i = 0; i < samples; i++) {
        for (int k = 0; k < STRIDE; k++) fixture_ok(rill_integrator_step(integrator, done++, false, &fixture_error));
        for (int q = 0; q < 4; q++) values[q][i] = 0;
        for (size_t lane = 0; lane < LANES; lane++) {
          double rotation, matrix[9], r2 = 0;
          values[0][i] += field_kinetic(&m, lane, &rotation) / (1.5 * kt * LANES);
          values[1][i] += rotation / (1.5 * kt * LANES);
          field_rotation(&m, lane, matrix);
          values[2][i] += matrix[8] / LANES;
          for (size_t c = 0; c < 3; c++) r2 += pow(m.x.centre[c * LANES + lane], 2);
          values[3][i] += m.trap * r2 / (3 * kt * LANES);
        }
      }
      rill_integrator_destroy(integrator);
      for (int q = 0; q < 4; q++) {
        struct rill_mean mean = rill_mean_of(values[q], samples);
        /* under baoab the on-step kinetic energies are low by order h^2: up to 0.5 % here */
        double allowed = 5 * mean.error + 0.003 + (inside && q < 2 ? 0.01 : 0);
        if (physics_full()) ck_assert_double_le(mean.error, 0.003);
        ck_assert_msg(fabs(mean.mean - target[q]) <= allowed,
                      "rotor %d, insertion %d, quantity %d: %.5f +- %.5f, expected %.5f", r, inside, q, mean.mean,
                      mean.error, target[q]);
      }
    }
  for (int q = 0; q < 4; q++) free(values[q]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("water as rigid bodies: physics");
  TCase *cases = tcase_create("physics");
  tcase_set_timeout(cases, 600);
  tcase_add_loop_test(cases, samples_are_those_of_settle, 0, sizeof jobs / sizeof jobs[0]);
  tcase_add_test(cases, other_samples_are_seen);
  tcase_add_test(cases, energy_does_not_drift);
  tcase_add_test(cases, a_dipole_in_a_field_is_oriented);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
