/* Heat baths of small systems: the flow against its closed form, the variances of a harmonic oscillator against those
 * of each splitting, and the law of the kinetic energy with and without constraints, in coordinates whose masses
 * depend on the positions, and on a rotation group. */
#include <math.h>

#include "base/random.h"
#include "numerics/newton.h"
#include "small.h"

static const double kt = 0.7;

static struct rill_bath bath_of(double temperature, double friction) {
  return (struct rill_bath){.temperature = {temperature, temperature}, .steps = 1, .friction = friction, .seed = 3};
}

static void couple(struct rill_system *system, const struct rill_bath *bath) {
  ck_assert_msg(system->thermal->couple(system->self, bath, &small_error) == RILL_OK, "%s", small_error.text);
}

static struct small bathed(const char *kind, const char *settings, const char *method, double h,
                           enum rill_thermostat insertion, double friction) {
  const struct rill_bath bath = bath_of(kt, friction);
  struct rill_binding_options options = small_options(h, 0.4);
  struct small small = {.system = rill_allocate(1, sizeof *small.system)};
  *small.system = small_system(kind, settings);
  couple(small.system, &bath);
  options.insertion = insertion;
  ck_assert_msg(rill_integrator_create(rill_method_find(method), small.system, &options, &small.integrator,
                                       &small_error) == RILL_OK,
                "%s", small_error.text);
  return small;
}

static void flow(struct rill_system *system, double h, uint64_t step) {
  ck_assert_msg(system->flow->ou(system->self, h, step, 0, &small_error) == RILL_OK, "%s", small_error.text);
}

static struct rill_observation observe(struct rill_system *system) {
  struct rill_observation o;
  ck_assert_int_eq(system->ops->observe(system->self, &o, &small_error), RILL_OK);
  return o;
}

/* ---- wrong flows, which the laws must refuse ---- */

enum mutant { SOUND, STRONG_NOISE, WITHOUT_PROJECTION };
static const struct rill_flow_ops *sound;
static struct rill_system *mutated;
static enum mutant mutation;

enum { MOST = 64 };

static enum rill_status wrong_flow(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  struct rill_state *state = mutated->state;
  double before[MOST], after[MOST], c = exp(-h), z[4];
  memcpy(before, state->p, state->n * sizeof *before);
  RILL_TRY(sound->ou(self, h, step, use, error));
  memcpy(after, state->p, state->n * sizeof *after);
  if (mutation == STRONG_NOISE)
    for (size_t i = 0; i < state->n; i++) state->p[i] = c * before[i] + 1.02 * (after[i] - c * before[i]);
  if (mutation == WITHOUT_PROJECTION)
    for (size_t i = 0; i < state->n; i++) {
      const struct rill_noise noise = rill_noise_create(5, RILL_STREAM_TEST);
      rill_noise_normal(&noise, step, (uint32_t)i, use, z);
      state->p[i] = c * before[i] + sqrt(kt * (1 - c * c) * mutated->mechanical->mass[i]) * z[0];
    }
  return RILL_OK;
}

static void mutate(struct small *small, enum mutant with, struct rill_flow_ops *ops) {
  if (with == SOUND) return;
  sound = small->system->flow;
  mutated = small->system;
  mutation = with;
  *ops = *sound;
  ops->ou = wrong_flow;
  small->system->flow = ops;
}

/* ---- the flow ---- */

struct specimen {
  const char *kind, *settings;
};
static const struct specimen specimens[] = {
    {"harmonic-oscillator", "mass = 2"},
    {"pendulum-chain", "count = 10"},
    {"pendulum-chain", "count = 5; formulation = penalised"},
    {"dna", "count = 7"},
    {"double-pendulum", "masses = 1 3"},
    {"double-pendulum-angles", "masses = 1 3; angles = 0.3 1.1; rates = 1 -2"},
    {"spherical-pendulum-angles", ""},
    {"rigid-body", ""},
    {"magnetic-rigid-body", "inertia = 1 2 1.5"},
    {"magnetic-rigid-body", "inertia = 1 2 1.5; formulation = constrained"},
    {"ellipsoid-particle", ""},
};
enum { SPECIMENS = sizeof specimens / sizeof specimens[0] };

/* Without noise momenta fall by exp(-rate h); positions do not move. */
START_TEST(friction_is_exact) {
  struct rill_system system = small_system(specimens[_i].kind, specimens[_i].settings);
  const struct rill_bath bath[2] = {bath_of(kt, 3), bath_of(0, 1.7)};
  const double h = 0.2;
  double p[MOST], q[MOST], most = 0;
  couple(&system, &bath[0]);
  flow(&system, 1, 0); /* some momenta */
  couple(&system, &bath[1]);
  memcpy(p, system.state->p, system.state->n * sizeof *p);
  memcpy(q, system.state->q, system.state->n * sizeof *q);
  flow(&system, h, 1);
  for (size_t i = 0; i < system.state->n; i++) {
    most = fmax(most, fabs(p[i]));
    ck_assert_double_eq_tol(system.state->p[i], exp(-1.7 * h) * p[i], 1e-12 * (1 + fabs(p[i])));
    ck_assert_double_eq(system.state->q[i], q[i]);
  }
  ck_assert_double_gt(most, 0.01);
  small_destroy_system(&system);
}
END_TEST

/* By gamma each momentum has the rate gamma / m; where M depends on the positions it is refused. */
START_TEST(gamma_is_by_mass) {
  struct rill_system system = small_system("double-pendulum", "masses = 1 3; formulation = penalised"),
                     body = small_system("free-body", "inertia = 1 2 4"),
                     angles = small_system("double-pendulum-angles", "");
  struct rill_bath bath = bath_of(0, 0.5);
  const double h = 0.3;
  double least, most;
  bath.law = RILL_FRICTION_PER_MASS;
  couple(&system, &bath);
  couple(&body, &bath);
  for (int i = 0; i < 4; i++) system.state->p[i] = 1;
  for (int i = 0; i < 3; i++) body.state->p[i] = 1;
  flow(&system, h, 0);
  flow(&body, h, 0);
  for (int i = 0; i < 4; i++) ck_assert_double_eq_tol(system.state->p[i], exp(-0.5 / (i < 2 ? 1 : 3) * h), 1e-14);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(body.state->p[i], exp(-0.5 / (1 << i) * h), 1e-14);
  system.thermal->rates(system.self, &least, &most);
  ck_assert_double_eq_tol(least, 0.5 / 3, 1e-15);
  ck_assert_double_eq_tol(most, 0.5, 1e-15);
  ck_assert_int_eq(angles.thermal->couple(angles.self, &bath, &small_error), RILL_ERROR_UNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(small_error.text, "double-pendulum-angles"));
  small_destroy_system(&system);
  small_destroy_system(&body);
  small_destroy_system(&angles);
}
END_TEST

/* The temperature of a ramp is linear, and is the last one in the last step. */
START_TEST(ramps_are_linear) {
  struct rill_system system = small_system(specimens[_i].kind, specimens[_i].settings);
  struct rill_bath bath = bath_of(1, 1);
  enum { STEPS = 8 };
  bath.temperature[1] = 3;
  bath.steps = STEPS;
  couple(&system, &bath);
  for (uint64_t k = 0; k < STEPS; k++) {
    ck_assert_int_eq(system.ops->begin_step(system.self, k, 0.1, &small_error), RILL_OK);
    ck_assert_double_eq_tol(system.thermal->temperature(system.self), 1 + 2 * ((double)k + 1) / STEPS, 1e-14);
  }
  small_destroy_system(&system);
}
END_TEST

/* An exchange sets the temperature and multiplies all momenta. */
START_TEST(exchanges_scale_momenta) {
  struct rill_system system = small_system(specimens[_i].kind, specimens[_i].settings);
  const struct rill_bath bath = bath_of(kt, 1);
  double p[MOST];
  couple(&system, &bath);
  flow(&system, 1, 0);
  memcpy(p, system.state->p, system.state->n * sizeof *p);
  system.thermal->set_temperature(system.self, 3);
  system.thermal->scale_velocities(system.self, 1.5);
  ck_assert_double_eq(system.thermal->temperature(system.self), 3);
  for (size_t i = 0; i < system.state->n; i++) ck_assert_double_eq(system.state->p[i], 1.5 * p[i]);
  small_destroy_system(&system);
}
END_TEST

/* The covariance of the noise of one flow from rest is k T (1 - c^2) M: all entries, for coordinates with constant
 * masses and with masses that depend on them.  An entry scatters by sqrt(2 / DRAWS) of the diagonal or less; five
 * times that is allowed. */
START_TEST(noise_has_the_masses) {
  static const struct specimen of[] = {
      {"pendulum-chain", "count = 5; formulation = penalised; mass = 2"},
      {"double-pendulum-angles", "masses = 1 3; angles = 0.3 1.1"},
  };
  enum { DRAWS = 20000 };
  struct rill_system system = small_system(of[_i].kind, of[_i].settings);
  const struct rill_bath bath = bath_of(kt, 1);
  const size_t n = system.state->n;
  const double h = 0.4, expected = kt * -expm1(-2 * h);
  double sum[MOST * MOST] = {0}, mass[MOST * MOST], velocity[MOST] = {0};
  struct rill_lagrangian_values values = {.dvv = mass};
  system.lagrangian->ops->evaluate(system.lagrangian->self, system.state->q, velocity, &values);
  couple(&system, &bath);
  for (uint64_t k = 0; k < DRAWS; k++) {
    memset(system.state->p, 0, n * sizeof(double));
    flow(&system, h, k);
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) sum[i * n + j] += system.state->p[i] * system.state->p[j] / DRAWS;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      ck_assert_double_eq_tol(sum[i * n + j], expected * mass[i * n + j],
                              5 * sqrt(2.0 / DRAWS) * expected * sqrt(mass[i * n + i] * mass[j * n + j]));
  small_destroy_system(&system);
}
END_TEST

/* Noise of one step of a system with constraints leaves them, and has (1 - c^2) k T / 2 for each degree of freedom.
 */
START_TEST(noise_is_tangent) {
  enum { DRAWS = 4000 };
  struct rill_system system = small_system(specimens[_i].kind, specimens[_i].settings);
  const struct rill_bath bath = bath_of(kt, 1);
  const double h = 0.4, freedom = system.ops->degrees_of_freedom(system.self),
               expected = freedom / 2 * kt * -expm1(-2 * h);
  double kinetic = 0;
  couple(&system, &bath);
  for (uint64_t k = 0; k < DRAWS; k++) {
    struct rill_observation o;
    memset(system.state->p, 0, system.state->n * sizeof(double));
    flow(&system, h, k);
    o = observe(&system);
    kinetic += o.kinetic / DRAWS;
    if (system.state->m > 0) ck_assert_double_le(o.velocity_deviation_max, 1e-11);
    ck_assert_double_eq_tol(o.temperature, 2 * o.kinetic / freedom, 1e-12);
  }
  ck_assert_double_eq_tol(kinetic / expected, 1, 4 * sqrt(2 / (freedom * DRAWS)));
  small_destroy_system(&system);
}
END_TEST

/* Multipliers of constraints know nothing of the noise, whose normal part would be of order 1 / sqrt h beside them.
 */
START_TEST(multipliers_without_noise) {
  const double h = 1e-4;
  struct small small = bathed("pendulum-chain", "count = 4", "verlet", h, RILL_GLA, 1);
  double difference = 0, size = 0;
  for (int k = 0; k < 200; k++) {
    double before[4];
    observe(small.system);
    memcpy(before, small.system->state->multiplier, sizeof before);
    small_run(&small, 1);
    for (int c = 0; k > 0 && c < 4; c++) {
      difference = fmax(difference, fabs(small.system->state->step_multiplier[c] - before[c]));
      size = fmax(size, fabs(before[c]));
    }
  }
  ck_assert_double_gt(size, 0.1);
  fprintf(stderr, "multipliers of %.3g, off by %.3g\n", size, difference);
  ck_assert_double_le(difference, 0.05 * size); /* 20 and more with the impulses of the noise */
  small_destroy(&small);
}
END_TEST

/* ---- the harmonic oscillator ---- */

static const double phases[] = {0.1, 0.5, 1, 1.5}; /* h omega */
enum { PHASES = sizeof phases / sizeof phases[0], BLOCKS = 100, BLOCK = 10000 };

/* Mean of the means of blocks, and its standard error. */
struct estimate {
  double mean, error;
};
static struct estimate of_blocks(const double *blocks) {
  double mean = 0, square = 0;
  for (int b = 0; b < BLOCKS; b++) mean += blocks[b] / BLOCKS;
  for (int b = 0; b < BLOCKS; b++) square += (blocks[b] - mean) * (blocks[b] - mean);
  return (struct estimate){mean, sqrt(square / (BLOCKS * (BLOCKS - 1.0)))};
}

static bool agrees(const char *what, struct estimate found, double expected) {
  const double errors = (found.mean - expected) / found.error;
  fprintf(stderr, "%s %.6f +- %.6f, expected %.6f: %.1f standard errors\n", what, found.mean, found.error, expected,
          errors);
  return fabs(errors) <= 3;
}

/* 1e6 steps with the rate 1, so that c = exp(-h) and h = h omega: <q^2> and <p^2> on the step. */
static bool has_the_variances(double phase, enum rill_thermostat insertion, enum mutant with) {
  const double mass = 2, stiffness = 2, h = phase, defect = 1 - h * h / 4;
  struct small small =
      bathed("harmonic-oscillator", "mass = 2; stiffness = 2; position = 0.5", "verlet", h, insertion, 1);
  struct rill_flow_ops ops;
  double q2[BLOCKS] = {0}, p2[BLOCKS] = {0};
  const double *q = small.system->state->q, *p = small.system->state->p;
  bool position, momentum;
  mutate(&small, with, &ops);
  small_run(&small, 1000);
  for (int b = 0; b < BLOCKS; b++)
    for (int k = 0; k < BLOCK; k++) {
      small_run(&small, 1);
      q2[b] += *q * *q / BLOCK;
      p2[b] += *p * *p / BLOCK;
    }
  small_destroy(&small);
  fprintf(stderr, "%s, h omega = %g\n", insertion == RILL_GLA ? "gla" : "baoab", phase);
  position = agrees("  <q^2>", of_blocks(q2), kt / stiffness / (insertion == RILL_GLA ? defect : 1));
  momentum = agrees("  <p^2>", of_blocks(p2), mass * kt * (insertion == RILL_GLA ? 1 : defect));
  return position && momentum;
}

START_TEST(oscillator_has_its_variances) {
  ck_assert(has_the_variances(phases[_i % PHASES], _i < PHASES ? RILL_GLA : RILL_BAOAB, SOUND));
}
END_TEST

START_TEST(oscillator_sees_strong_noise) { ck_assert(!has_the_variances(0.5, RILL_GLA, STRONG_NOISE)); }
END_TEST

/* ---- the kinetic energy ---- */

struct run {
  const char *kind, *settings, *method;
  enum rill_thermostat insertion;
  double h;
};
static const struct run runs[] = {
    {"pendulum-chain", "count = 10; spacing = 0 -1", "verlet", RILL_GLA, 0.02},
    {"pendulum-chain", "count = 10; spacing = 0 -1", "verlet", RILL_BAOAB, 0.02},
    {"double-pendulum", "masses = 1 3", "verlet", RILL_BAOAB, 0.02},
    {"double-pendulum-angles", "masses = 1 3", "dvp", RILL_GLA, 0.02},
    {"dna", "count = 10", "verlet", RILL_BAOAB, 0.05},
    {"magnetic-rigid-body", "inertia = 1 2 1.5", "lie-verlet", RILL_GLA, 0.05},
    {"magnetic-rigid-body", "inertia = 1 2 1.5", "hamilton-pontryagin", RILL_GLA, 0.02},
    {"magnetic-rigid-body", "inertia = 1 2 1.5; formulation = constrained", "verlet", RILL_BAOAB, 0.05},
};
enum { RUNS = sizeof runs / sizeof runs[0], APART = 10 };

/* Mean and variance of the kinetic energy are (f / 2) k T and (f / 2) (k T)^2, within three standard errors. */
static bool follows_the_law(const struct run *run, enum mutant with) {
  struct small small = bathed(run->kind, run->settings, run->method, run->h, run->insertion, 1);
  const double freedom = small.system->ops->degrees_of_freedom(small.system->self);
  struct rill_flow_ops ops;
  double mean[BLOCKS] = {0}, variance[BLOCKS] = {0};
  bool first, second;
  mutate(&small, with, &ops);
  small_run(&small, 500);
  for (int b = 0; b < BLOCKS; b++)
    for (int k = 0; k < BLOCKS; k++) {
      double kinetic;
      small_run(&small, APART);
      kinetic = observe(small.system).kinetic / kt;
      mean[b] += kinetic / BLOCKS;
      variance[b] += pow(kinetic - freedom / 2, 2) / BLOCKS;
    }
  small_destroy(&small);
  fprintf(stderr, "%s, %s\n", run->kind, run->method);
  first = agrees("  K / kT", of_blocks(mean), freedom / 2);
  second = agrees("  its variance", of_blocks(variance), freedom / 2);
  return first && second;
}

START_TEST(kinetic_energy_follows_its_law) { ck_assert(follows_the_law(&runs[_i], SOUND)); }
END_TEST

START_TEST(law_sees_a_missing_projection) { ck_assert(!follows_the_law(&runs[0], WITHOUT_PROJECTION)); }
END_TEST

/* With constraints a momentum has p_i^2 / m_i = k T P_ii(q) on average, P the projector on the tangent space: what
 * the rods leave of it. */
static void find_projector(const struct rill_system *system, double *share) {
  enum { N = 20, M = 10 };
  static double gradients[M * N], product[M * M], columns[N * M];
  const struct rill_mechanical *mechanical = system->mechanical;
  int pivots[M];
  ck_assert_uint_eq(mechanical->n, N);
  mechanical->ops->jacobian(mechanical->self, system->state->q, gradients);
  for (size_t a = 0; a < M; a++)
    for (size_t b = 0; b < M; b++) {
      product[b * M + a] = 0;
      for (size_t i = 0; i < N; i++)
        product[b * M + a] += gradients[a * N + i] * gradients[b * N + i] / mechanical->mass[i];
    }
  for (size_t i = 0; i < N; i++)
    for (size_t c = 0; c < M; c++) columns[i * M + c] = gradients[c * N + i];
  ck_assert_int_eq(rill_dense_factor(M, product, pivots, &small_error), RILL_OK);
  rill_dense_solve_factored(M, product, pivots, N, columns);
  for (size_t i = 0; i < N; i++) {
    share[i] = 1;
    for (size_t c = 0; c < M; c++) share[i] -= gradients[c * N + i] * columns[i * M + c] / mechanical->mass[i];
  }
}

START_TEST(chain_shares_its_energy) {
  enum { N = 20 };
  struct small small = bathed("pendulum-chain", "count = 10; spacing = 0 -1", "verlet", 0.02, RILL_GLA, 1);
  double difference[N][BLOCKS] = {{0}};
  double most = 0;
  small_run(&small, 500);
  for (int b = 0; b < BLOCKS; b++)
    for (int k = 0; k < 20; k++) {
      const double *p = small.system->state->p, *mass = small.system->mechanical->mass;
      double share[N];
      small_run(&small, 50);
      find_projector(small.system, share);
      for (size_t i = 0; i < N; i++) difference[i][b] += (p[i] * p[i] / mass[i] - kt * share[i]) / 20;
    }
  small_destroy(&small);
  for (size_t i = 0; i < N; i++) {
    const struct estimate of = of_blocks(difference[i]);
    ck_assert_double_le(of.error, 0.04 * kt);
    most = fmax(most, fabs(of.mean) / of.error);
  }
  fprintf(stderr, "of twenty momenta the farthest is %.1f standard errors off\n", most);
  ck_assert_double_le(most, 4); /* more by chance in one of 400 cases, with errors of a hundred blocks */
}
END_TEST

/* The half step is that of projected momenta, and observing it changes nothing. */
START_TEST(half_steps_are_observed_aside) {
  struct small small[2];
  for (int k = 0; k < 2; k++) {
    small[k] = bathed("pendulum-chain", "count = 10; spacing = 0 -1", "verlet", 0.02, _i ? RILL_BAOAB : RILL_GLA, 1);
    for (uint64_t step = 0; step < 50; step++)
      ck_assert_int_eq(rill_integrator_step(small[k].integrator, step, k == 1, &small_error), RILL_OK);
  }
  ck_assert_mem_eq(small[0].system->state->p, small[1].system->state->p, 20 * sizeof(double));
  ck_assert_mem_eq(small[0].system->state->step_multiplier, small[1].system->state->step_multiplier,
                   10 * sizeof(double));
  ck_assert(isnan(observe(small[0].system).temperature_half));
  ck_assert_double_eq_tol(observe(small[1].system).temperature_half, kt, 1.5 * kt);
  for (int k = 0; k < 2; k++) small_destroy(&small[k]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("baths of small systems");
  TCase *flows = tcase_create("flow"), *mutants = tcase_create("mutants"), *laws = rill_long_cases(suite, 120);
  tcase_add_loop_test(flows, friction_is_exact, 0, SPECIMENS);
  tcase_add_test(flows, gamma_is_by_mass);
  tcase_add_loop_test(flows, ramps_are_linear, 0, SPECIMENS);
  tcase_add_loop_test(flows, exchanges_scale_momenta, 0, SPECIMENS);
  tcase_add_loop_test(flows, noise_has_the_masses, 0, 2);
  tcase_add_loop_test(flows, noise_is_tangent, 0, SPECIMENS);
  tcase_add_test(flows, multipliers_without_noise);
  tcase_add_loop_test(flows, half_steps_are_observed_aside, 0, 2);
  suite_add_tcase(suite, flows);
  tcase_add_loop_test(laws, oscillator_has_its_variances, 0, 2 * PHASES);
  tcase_add_loop_test(laws, kinetic_energy_follows_its_law, 0, RUNS);
  tcase_add_test(laws, chain_shares_its_energy);
  tcase_set_timeout(mutants, 60);
  tcase_add_test(mutants, oscillator_sees_strong_noise);
  tcase_add_test(mutants, law_sees_a_missing_projection);
  suite_add_tcase(suite, mutants);
  return rill_run_suite(suite);
}
