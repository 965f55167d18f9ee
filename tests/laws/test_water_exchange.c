/* Replica exchange of water: the acceptance of a harmonic cluster, kinetic energies right after exchanges, and that
 * neither segments, nor the number of threads, nor a failed replica shows in the others.
 *
 * At 2 K waters vibrate about their lowest minimum; (<U> - U_min) / kT is 18.03 there instead of 18 for seven,
 * and 3.02 instead of 3 for two, which is far below the errors here.  Five standard errors are allowed. */
#include "ensemble/ensemble.h"
#include "ensemble/rungs.h"
#include "fixture.h"

static const double allowed = 5;

enum { LADDERS = 16, RUNGS = 2, REPLICAS = LADDERS * RUNGS };

struct setting {
  const char *structure;
  double molecules;
  enum rill_constraint_solver solver;
};
static const struct setting rigid = {"inputs/water7.gro", 7, RILL_SETTLE},
                            bodies = {"inputs/water7.gro", 7, RILL_BODIES_LGVI},
                            pair = {"tests/data/minima/min2.xyz", 2, RILL_SETTLE};

/* Each replica as a fixture of its own, which the ensemble then owns. */
static struct rill_ensemble *ensemble_of(const struct setting *setting, const double temperature[RUNGS],
                                         uint64_t interval, int threads) {
  const struct rill_ensemble_options options = {.replicas = REPLICAS,
                                                .rungs = RUNGS,
                                                .temperature = temperature,
                                                .exchanging = true,
                                                .interval = interval,
                                                .seed = 4,
                                                .threads = threads};
  const struct rill_method *method = rill_method_find("rattle");
  struct rill_ensemble *ensemble;
  fixture_ok(rill_ensemble_create(&options, &ensemble, &fixture_error));
  for (size_t r = 0; r < REPLICAS; r++) {
    const struct fixture_options one = {.structure = setting->structure,
                                        .solver = setting->solver,
                                        .step = 0.001,
                                        .insertion = RILL_GLA,
                                        .temperature = temperature[r % RUNGS],
                                        .friction = 10,
                                        .start_temperature = temperature[r % RUNGS],
                                        .removal = RILL_KEEP_MOMENTUM,
                                        .seed = rill_replica_seed(8, r)};
    struct fixture f = fixture_create(&one);
    struct rill_replica *replica = &ensemble->replica[r];
    const struct rill_binding_options binding = {.step = one.step, .insertion = RILL_GLA, .geodesic_steps = 1};
    rill_integrator_destroy(f.integrator);
    replica->system = f.system;
    fixture_ok(rill_integrator_create(method, &replica->system, &binding, &replica->integrator, &fixture_error));
    fixture_ok(rill_guard_begin(&replica->guard, &replica->system, &fixture_error));
    fixture_ok(rill_guard_keep(&replica->guard, &replica->system, 0, &fixture_error));
  }
  for (size_t i = 0; i < RUNGS; i++) ensemble->exchange.beta[i] = 1 / (RILL_GAS_CONSTANT * temperature[i]);
  return ensemble;
}

static void advance(struct rill_ensemble *ensemble, uint64_t from, uint64_t to) {
  uint64_t done;
  fixture_ok(rill_ensemble_advance(ensemble, from, to, &done, &fixture_error));
  ck_assert_uint_eq(done, to);
}

/* Mean kinetic energy of the replicas at a rung over (f / 2) k T there. */
static double kinetic(struct rill_ensemble *ensemble, double molecules, size_t rung, uint64_t step) {
  const double thermal = RILL_GAS_CONSTANT * ensemble->temperature[rung];
  double sum = 0;
  for (size_t r = 0; r < REPLICAS; r++)
    if (rill_ensemble_rung(ensemble, r) == rung)
      sum += rill_ensemble_observe(ensemble, r, step, &fixture_error)->kinetic / (3 * molecules * thermal);
  return sum / LADDERS;
}

START_TEST(acceptance_and_kinetic_energies) {
  enum { ATTEMPTS = 600, DISCARDED = 40, INTERVAL = 100 };
  static const struct setting *const settings[] = {&rigid, &bodies, &pair};
  static const double temperature[RUNGS] = {2, 2.4};
  const struct setting *setting = settings[_i];
  struct rill_ensemble *ensemble = ensemble_of(setting, temperature, INTERVAL, 2);
  struct rill_average after[RUNGS] = {{0}};
  struct rill_mean mean;
  for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
    const uint64_t step = attempt * INTERVAL;
    if (attempt == DISCARDED) ensemble->exchange.probability[0] = (struct rill_average){0};
    advance(ensemble, step, step + 2); /* with the exchange before them */
    for (size_t i = 0; attempt >= DISCARDED && i < RUNGS; i++)
      rill_average_add(&after[i], kinetic(ensemble, setting->molecules, i, step + 2));
    advance(ensemble, step + 2, step + INTERVAL);
  }
  mean = rill_average_mean(&ensemble->exchange.probability[0]);
  ck_assert_double_le(mean.error, 0.012);
  ck_assert_double_le(fabs(mean.mean - rill_harmonic_acceptance(6 * setting->molecules - 6, 1.2)),
                      allowed * mean.error);
  for (size_t i = 0; i < RUNGS; i++) {
    mean = rill_average_mean(&after[i]);
    ck_assert_double_le(mean.error, 0.013 / sqrt(setting->molecules));
    ck_assert_double_le(fabs(mean.mean - 1), allowed * mean.error);
  }
  rill_ensemble_destroy(ensemble);
}
END_TEST

/* Whether two ensembles are in one state, to the byte. */
static void same(const struct rill_ensemble *a, const struct rill_ensemble *b) {
  struct rill_archive states[2] = {{0}};
  for (int i = 0; i < 2; i++)
    for (size_t r = 0; r < REPLICAS; r++) {
      const struct rill_system *system = &(i == 0 ? a : b)->replica[r].system;
      system->ops->archive(system->self, &states[i]);
    }
  ck_assert_uint_eq(states[0].length, states[1].length);
  ck_assert_mem_eq(states[0].bytes, states[1].bytes, states[0].length);
  ck_assert_mem_eq(a->exchange.rung, b->exchange.rung, REPLICAS * sizeof *a->exchange.rung);
  for (int i = 0; i < 2; i++) rill_archive_release(&states[i]);
}

/* However the steps are cut, and by however many threads. */
START_TEST(segments_and_threads_change_nothing) {
  static const double temperature[RUNGS] = {100, 120};
  static const uint64_t cuts[] = {1, 2, 30, 31, 37, 60, 100, 250, 300};
  struct rill_ensemble *whole = ensemble_of(&rigid, temperature, 30, 1),
                       *parts = ensemble_of(&rigid, temperature, 30, 3);
  uint64_t from = 0;
  advance(whole, 0, 300);
  for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; from = cuts[i++]) advance(parts, from, cuts[i]);
  ck_assert_uint_gt(whole->exchange.accepted[0], 0);
  same(whole, parts);
  rill_ensemble_destroy(whole);
  rill_ensemble_destroy(parts);
}
END_TEST

/* All replicas return to the beginning of the segment, one message names the replica; the exchange before the segment
 * is not made again. */
START_TEST(a_failed_replica_brings_all_back) {
  static const double temperature[RUNGS] = {100, 120};
  struct rill_ensemble *sound = ensemble_of(&rigid, temperature, 30, 1),
                       *failing = ensemble_of(&rigid, temperature, 30, 2);
  uint64_t done;
  advance(sound, 0, 60);
  advance(failing, 0, 60);
  advance(sound, 60, 61);
  failing->replica[5].guard.limits.temperature = 1;
  failing->replica[9].guard.limits.temperature = 1;
  ck_assert_int_eq(rill_ensemble_advance(failing, 60, 90, &done, &fixture_error), RILL_ERROR_FAILED);
  ck_assert_uint_eq(done, 60);
  ck_assert_ptr_nonnull(strstr(fixture_error.text, "replica 5 ("));
  ck_assert_ptr_null(strstr(fixture_error.text, "replica 9"));
  rill_error_clear(&fixture_error);
  failing->replica[5].guard.limits.temperature = failing->replica[9].guard.limits.temperature = INFINITY;
  advance(failing, 60, 61);
  same(sound, failing);
  ck_assert_uint_eq(sound->exchange.attempts, failing->exchange.attempts);
  rill_ensemble_destroy(sound);
  rill_ensemble_destroy(failing);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("water exchange");
  TCase *cases = tcase_create("water exchange");
  tcase_set_timeout(cases, 600);
  tcase_add_loop_test(cases, acceptance_and_kinetic_energies, 0, 3);
  tcase_add_test(cases, segments_and_threads_change_nothing);
  tcase_add_test(cases, a_failed_replica_brings_all_back);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
