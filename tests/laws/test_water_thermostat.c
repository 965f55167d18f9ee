/* Thermostats of water: temperatures, the kinetic energy's distribution, equipartition.
 *
 * Every kernel rounds differently, and so has a trajectory of its own: what is compared must hold for any seed.  The
 * scatter of a mean temperature is known in closed form, and seven times that is allowed; a bath 10 % off is beyond
 * it. */
#include <stdlib.h>

#include "analysis/statistics.h"
#include "analysis/verdicts.h"
#include "fixture.h"

struct sampled {
  size_t count;
  double *temperature, *half, *translation, *rotation, *kinetic;
};

/* Translation and rotation by the estimator that is to be trusted. */
static struct sampled sample(const struct fixture_options *o, size_t samples, size_t stride) {
  const bool inside = o->insertion == RILL_BAOAB;
  struct fixture f = fixture_create(o);
  struct sampled s = {samples,
                      malloc(samples * sizeof(double)),
                      malloc(samples * sizeof(double)),
                      malloc(samples * sizeof(double)),
                      malloc(samples * sizeof(double)),
                      malloc(samples * sizeof(double))};
  fixture_bind(&f, o);
  fixture_run(&f,
              (uint64_t)(2.0 / o->step)); /* 2 ps: ten times the relaxation of kinetic energy at these frictions */
  for (size_t i = 0; i < samples; i++) {
    struct rill_observation seen;
    fixture_run(&f, stride);
    seen = fixture_observe(&f);
    s.temperature[i] = seen.temperature;
    s.half[i] = seen.temperature_half;
    s.translation[i] = inside ? seen.temperature_half_translation : seen.temperature_translation;
    s.rotation[i] = inside ? seen.temperature_half_rotation : seen.temperature_rotation;
    s.kinetic[i] = seen.kinetic;
  }
  fixture_destroy(&f);
  return s;
}

static void sampled_free(struct sampled *s) {
  free(s->temperature);
  free(s->half);
  free(s->translation);
  free(s->rotation);
  free(s->kinetic);
}

/* Seven standard deviations of the mean of temperatures of this many degrees of freedom.  Without forces kinetic
 * energies have the correlation exp(-2 friction t); forces that share them with the potential leave it nearly so. */
static double allowed(double target, double freedom, double friction, double interval, size_t count) {
  return 7 * target * sqrt(2 / (freedom * (double)count * tanh(friction * interval)));
}

static double off(const double *values, size_t count, double target) {
  return fabs(rill_mean_of(values, count).mean - target);
}

struct temperature_case {
  size_t molecules, samples, stride;
  double step;
  bool forces;
  enum rill_thermostat insertion;
};

static const struct temperature_case temperature_cases[] = {
#define EACH(n, samples, stride)                                                                                     \
  {n, samples, stride, 0.002, false, RILL_GLA}, {n, samples, stride, 0.004, false, RILL_GLA},                        \
      {n, samples, stride, 0.002, true, RILL_GLA}, {n, samples, stride, 0.004, true, RILL_GLA},                      \
      {n, samples, stride, 0.002, false, RILL_BAOAB}, {n, samples, stride, 0.004, false, RILL_BAOAB},                \
      {n, samples, stride, 0.002, true, RILL_BAOAB}, {                                                               \
    n, samples, stride, 0.004, true, RILL_BAOAB                                                                      \
  }
    EACH(1, 8000, 20),
    EACH(2, 8000, 20),
    EACH(7, 8000, 20),
    EACH(100, 500, 20),
#undef EACH
};

static void start_positions(size_t molecules, double *positions) {
  struct rill_structure structure = {0};
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", RILL_SOURCE_DIR,
           molecules == 100 ? "tests/data/structures/c100_a_hp.gro" : "inputs/water7.gro");
  fixture_ok(rill_structure_read(path, &structure, &fixture_error));
  memcpy(positions, structure.positions, 9 * molecules * sizeof *positions);
  rill_structure_release(&structure);
}

/* B01, B04: on-step under gla and half-step under baoab, with and without forces (confined), 2 and 4 fs, N = 1, 2, 7,
 * 100. */
START_TEST(temperature_is_the_bath_s) {
  const struct temperature_case *c = &temperature_cases[_i];
  const double target = 250;
  static double positions[900];
  struct fixture_options o = {.positions = positions,
                              .molecules = c->molecules,
                              .solver = RILL_SETTLE,
                              .tolerance = 1e-8,
                              .step = c->step,
                              .insertion = c->insertion,
                              .temperature = target,
                              .friction = 20,
                              .rotation_friction = c->step > 0.003 ? 60 : 0, /* or that of translation */
                              .start_temperature = target,
                              .no_forces = !c->forces,
                              .seed = 111 + (uint64_t)_i,
                              .confine_radius = c->forces ? (c->molecules == 100 ? 1.1 : 0.5) : 0};
  struct sampled s;
  start_positions(c->molecules, positions);
  s = sample(&o, c->samples, c->stride);
  {
    const double *trusted = c->insertion == RILL_GLA ? s.temperature : s.half;
    const double limit = allowed(target, 6 * (double)c->molecules, o.friction, (double)c->stride * c->step, s.count);
    const double mean = rill_mean_of(trusted, s.count).mean;
    ck_assert_msg(fabs(mean - target) <= limit, "N = %zu, step %g, %s forces, insertion %d: %.2f K, allowed %.2f",
                  c->molecules, c->step, c->forces ? "with" : "without", (int)c->insertion, mean, limit);
    ck_assert_double_gt(fabs(mean - 1.1 * target), limit); /* a bath 10 % off is seen, N = 1 included */
    ck_assert_double_le(off(s.translation, s.count, target), sqrt(2) * limit);
    ck_assert_double_le(off(s.rotation, s.count, target), sqrt(2) * limit);
  }
  sampled_free(&s);
}
END_TEST

/* Kinetic energies thinned to two autocorrelation times follow the Gamma distribution of 6N degrees of freedom, and
 * not that of 6N - 3 rounded, 6N - 2 and 6N + 2. */
START_TEST(kinetic_energy_has_its_distribution) {
  static const size_t sizes[] = {1, 2, 7};
  size_t molecules = sizes[_i];
  static double positions[63];
  const double target = 250, kt = RILL_GAS_CONSTANT * target;
  struct fixture_options o = {.positions = positions,
                              .molecules = molecules,
                              .solver = RILL_SETTLE,
                              .tolerance = 1e-8,
                              .step = 0.002,
                              .insertion = RILL_GLA,
                              .temperature = target,
                              .friction = 5,
                              .start_temperature = target,
                              .seed = 31 + (uint64_t)_i,
                              .confine_radius = 0.5};
  struct sampled s;
  size_t thin, kept = 0;
  double *x;
  start_positions(molecules, positions);
  s = sample(&o, 40000, 10);
  thin = (size_t)ceil(2 * rill_correlation_time(s.kinetic, s.count));
  x = malloc(s.count * sizeof *x);
  for (size_t i = 0; i < s.count; i += thin) x[kept++] = s.kinetic[i] / kt;
  ck_assert_uint_gt(kept, 1000);
  ck_assert_double_gt(rill_kinetic_probability(x, kept, 6 * (double)molecules), 1e-5);
  ck_assert_double_lt(rill_kinetic_probability(x, kept, 6 * (double)molecules - 2), 1e-5);
  ck_assert_double_lt(rill_kinetic_probability(x, kept, 6 * (double)molecules + 2), 1e-5);
  free(x);
  sampled_free(&s);
}
END_TEST

/* Mass-dependent friction: rates gamma / m; a free molecule's temperature is right to order gamma h / m. */
START_TEST(mass_dependent_friction_binds) {
  static double positions[63];
  struct fixture_options o = {.positions = positions,
                              .molecules = 7,
                              .solver = RILL_SETTLE,
                              .tolerance = 1e-8,
                              .step = 0.002,
                              .insertion = RILL_GLA,
                              .temperature = 250,
                              .friction = 4,
                              .per_mass = true,
                              .start_temperature = 250,
                              .no_forces = true};
  struct sampled s;
  start_positions(7, positions);
  s = sample(&o, 8000, 20);
  /* the molecule's rate is 12 u/ps over 18 u; gamma h / m_H = 0.008: one per cent more */
  ck_assert_double_le(off(s.temperature, s.count, 250), allowed(250, 42, 12 / 18., 0.04, s.count) + 2.5);
  sampled_free(&s);
}
END_TEST

/* B07: the same seed, the same bytes; another seed, others.  Start and noise both follow it. */
START_TEST(seeds_decide) {
  double q[3][63], positions[63];
  start_positions(7, positions);
  for (int i = 0; i < 3; i++) {
    struct fixture_options o = {.positions = positions,
                                .molecules = 7,
                                .solver = RILL_SETTLE,
                                .tolerance = 1e-8,
                                .step = 0.002,
                                .insertion = RILL_BAOAB,
                                .temperature = 100,
                                .friction = 5,
                                .start_temperature = 100,
                                .seed = i == 2 ? 8 : 7};
    struct fixture f = fixture_create(&o);
    fixture_bind(&f, &o);
    fixture_run(&f, 100);
    rill_water_copy_state(&f.system, q[i], NULL);
    fixture_destroy(&f);
  }
  ck_assert_mem_eq(q[0], q[1], sizeof q[0]);
  ck_assert_mem_ne(q[0], q[2], sizeof q[0]);
}
END_TEST

/* B09: noise beyond 2^32 steps is other noise. */
START_TEST(noise_does_not_repeat_at_2_32) {
  double v[2][63], positions[63];
  start_positions(7, positions);
  for (int i = 0; i < 2; i++) {
    struct fixture_options o = {.positions = positions,
                                .molecules = 7,
                                .solver = RILL_SETTLE,
                                .tolerance = 1e-8,
                                .step = 0.002,
                                .insertion = RILL_GLA,
                                .temperature = 100,
                                .friction = 5};
    struct fixture f = fixture_create(&o);
    fixture_bind(&f, &o);
    f.done = i ? UINT64_C(1) << 32 : 0;
    fixture_run(&f, 3);
    rill_water_copy_state(&f.system, NULL, v[i]);
    fixture_destroy(&f);
  }
  ck_assert_mem_ne(v[0], v[1], sizeof v[0]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("water thermostat");
  TCase *cases = tcase_create("thermostat");
  tcase_set_timeout(cases, 600);
  tcase_add_loop_test(cases, temperature_is_the_bath_s, 0, sizeof temperature_cases / sizeof temperature_cases[0]);
  tcase_add_loop_test(cases, kinetic_energy_has_its_distribution, 0, 3);
  tcase_add_test(cases, mass_dependent_friction_binds);
  tcase_add_test(cases, seeds_decide);
  tcase_add_test(cases, noise_does_not_repeat_at_2_32);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
