/* The canonical ensemble: closed forms of the Langevin splittings without forces and in a harmonic well, kinetic
 * energies' distribution, and energies at two temperatures against each other.
 *
 * Statistical criteria are three standard errors, or Kolmogorov's p of the same size: with other seeds each would
 * fail by chance in 0.27 % of runs.  Seeds are fixed. */
#include <gsl/gsl_cdf.h>

#include "analysis/statistics.h"
#include "analysis/verdicts.h"
#include "fixture.h"
#include "scale.h"

static const double allowed = 3;

static void start_positions(double positions[63]) {
  struct rill_structure structure = {0};
  char path[1024];
  snprintf(path, sizeof path, "%s/inputs/water7.gro", RILL_SOURCE_DIR);
  fixture_ok(rill_structure_read(path, &structure, &fixture_error));
  memcpy(positions, structure.positions, 63 * sizeof *positions);
  rill_structure_release(&structure);
}

static double *samples_of(size_t count) {
  double *values = malloc(count * sizeof *values);
  ck_assert_ptr_nonnull(values);
  return values;
}

/* How many standard errors the mean of a series is off; fewer where the error is less well known, with the same
 * probability. */
static double off(const double *values, size_t count, double target) {
  struct rill_mean mean = rill_mean_of(values, count);
  return gsl_cdf_ugaussian_Qinv(gsl_cdf_tdist_Q(fabs(mean.mean - target) / mean.error, mean.freedom));
}

struct splitting {
  const char *name;
  enum rill_thermostat insertion;
  unsigned geodesic_steps;
};
static const struct splitting splittings[] = {
    {"gla", RILL_GLA, 1}, {"baoab", RILL_BAOAB, 1}, {"baoab, 3 geodesic steps", RILL_BAOAB, 3}};
enum { SPLITTINGS = sizeof splittings / sizeof splittings[0] };

static void centre_of(const struct rill_water_model *model, const double *x, double centre[3]) {
  double total = model->mass[0] + model->mass[1] + model->mass[2];
  for (int d = 0; d < 3; d++)
    centre[d] = (model->mass[0] * x[d] + model->mass[1] * x[3 + d] + model->mass[2] * x[6 + d]) / total;
}

/* Without forces a molecule's centre is free Brownian motion: after n steps the velocity's correlation is exp(-gamma
 * n h), at any step size, for either splitting. */
START_TEST(free_velocity_correlation) {
  enum { LAG = 5 };
  const struct splitting *s = &splittings[_i];
  const double target = 300, friction = 30, h = 0.004;
  const size_t count = physics_scaled(400000);
  double positions[63], v[9], *product = samples_of(count), variance, history[LAG][3] = {{0}};
  struct fixture_options o = {.positions = positions,
                              .molecules = 1,
                              .solver = RILL_SETTLE,
                              .step = h,
                              .insertion = s->insertion,
                              .geodesic_steps = s->geodesic_steps,
                              .temperature = target,
                              .friction = friction,
                              .start_temperature = target,
                              .no_forces = true,
                              .seed = 5};
  struct fixture f;
  start_positions(positions);
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  fixture_run(&f, 100);
  variance = RILL_GAS_CONSTANT * target / (f.model.mass[0] + f.model.mass[1] + f.model.mass[2]);
  for (size_t i = 0; i < count + LAG; i++) {
    double now[3], *then = history[i % LAG];
    fixture_run(&f, 1);
    rill_water_copy_state(&f.system, NULL, v);
    centre_of(&f.model, v, now);
    if (i >= LAG) product[i - LAG] = (now[0] * then[0] + now[1] * then[1] + now[2] * then[2]) / (3 * variance);
    memcpy(then, now, sizeof now);
  }
  fixture_destroy(&f);
  ck_assert_double_le(off(product, count, exp(-friction * LAG * h)), allowed);
  /* mutants: a friction a tenth off, and the first-order form 1 - gamma h instead of the exponential */
  if (physics_full()) ck_assert_double_gt(off(product, count, exp(-0.9 * friction * LAG * h)), allowed);
  if (physics_full()) ck_assert_double_gt(off(product, count, pow(1 - friction * h, LAG)), allowed);
  free(product);
}
END_TEST

/* Variances that a splitting keeps for a harmonic oscillator of unit mass and kT: the fixed point of
 * S -> A S A^T + noise, A the step's linear map, found by iterating it. */
static void oscillator(const struct splitting *s, double omega, double h, double friction, double *xx, double *pp) {
  double c = exp(-friction * h), noise = 1 - c * c, k = omega * omega, sx = 1 / k, sxp = 0, sp = 1;
  unsigned cuts = s->geodesic_steps;
  for (int step = 0; step < 20000; step++) {
#define KICK(t) (sp += -2 * (t)*k * sxp + (t) * (t)*k * k * sx, sxp -= (t)*k * sx)
#define DRIFT(t) (sx += 2 * (t)*sxp + (t) * (t)*sp, sxp += (t)*sp)
#define OU() (sxp *= c, sp = c * c * sp + noise)
    KICK(h / 2);
    for (unsigned i = 0; i < cuts; i++) DRIFT(h / 2 / cuts);
    if (s->insertion == RILL_BAOAB) OU();
    for (unsigned i = 0; i < cuts; i++) DRIFT(h / 2 / cuts);
    KICK(h / 2);
    if (s->insertion == RILL_GLA) OU();
#undef KICK
#undef DRIFT
#undef OU
  }
  *xx = sx;
  *pp = sp;
}

/* Two molecules without forces of their own, in a wall of radius nearly 0: their distance is a harmonic oscillator of
 * frequency sqrt(k / M) in each direction.  The step is so long that the discrete variances are 4 to 10 % away from
 * the exact ones, which only the right splitting has. */
START_TEST(harmonic_variances) {
  const struct splitting *s = &splittings[_i];
  const double target = 300, friction = 100, h = 0.004, omega = 0.6 / h;
  const size_t count = physics_scaled(150000);
  double positions[63], q[18], v[18], *square = samples_of(count), *motion = samples_of(count), xx, pp, total;
  struct fixture_options o = {.positions = positions,
                              .molecules = 2,
                              .solver = RILL_SETTLE,
                              .step = h,
                              .insertion = s->insertion,
                              .geodesic_steps = s->geodesic_steps,
                              .temperature = target,
                              .friction = friction,
                              .start_temperature = target,
                              .no_forces = true,
                              .seed = 6,
                              .confine_radius = 1e-9};
  struct fixture f;
  start_positions(positions);
  memcpy(positions + 9, positions, 9 * sizeof *positions); /* at rest in the well, one upon the other */
  positions[9] += 0.001;
  positions[12] += 0.001;
  positions[15] += 0.001;
  fixture_ok(rill_water_model_find("tip3p", 0, &f.model, &fixture_error));
  total = f.model.mass[0] + f.model.mass[1] + f.model.mass[2];
  o.confine_stiffness = omega * omega * total;
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  fixture_run(&f, 1000);
  for (size_t i = 0; i < count; i++) {
    double a[3], b[3];
    fixture_run(&f, 2);
    rill_water_copy_state(&f.system, q, v);
    centre_of(&f.model, q, a);
    centre_of(&f.model, q + 9, b);
    square[i] = (pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)) / 3;
    centre_of(&f.model, v, a);
    centre_of(&f.model, v + 9, b);
    motion[i] = (pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)) / 3;
  }
  fixture_destroy(&f);
  oscillator(s, omega, h, friction, &xx, &pp);
  {
    const double unit = 2 * RILL_GAS_CONSTANT * target / total; /* kT / reduced mass */
    ck_assert_msg(off(square, count, unit * xx) <= allowed, "%s: <x^2> %.5g, expected %.5g (exact %.5g)", s->name,
                  rill_mean_of(square, count).mean / unit * omega * omega, xx * omega * omega, 1.);
    ck_assert_msg(off(motion, count, unit * pp) <= allowed, "%s: <v^2> %.5g, expected %.5g", s->name,
                  rill_mean_of(motion, count).mean / unit, pp);
    /* baoab's positions are exact, gla's are not; for the momenta after a step it is the other way round, nearly */
    if (s->insertion == RILL_BAOAB) {
      ck_assert_double_eq_tol(xx * omega * omega, 1, 1e-9);
      ck_assert_double_gt(off(motion, count, unit), allowed);
    } else {
      ck_assert_double_gt(off(square, count, unit / (omega * omega)), allowed);
    }
  }
  free(square);
  free(motion);
}
END_TEST

/* ---- seven waters, confined ---- */

struct run {
  size_t count;
  double *kinetic, *energy;
};

static struct run sample(const struct splitting *s, double temperature, size_t molecules, size_t count,
                         uint64_t seed) {
  struct run r = {count, samples_of(count), samples_of(count)};
  double positions[63];
  struct fixture_options o = {.positions = positions,
                              .molecules = molecules,
                              .solver = RILL_SETTLE,
                              .step = 0.002,
                              .insertion = s->insertion,
                              .geodesic_steps = s->geodesic_steps,
                              .temperature = temperature,
                              .friction = 10,
                              .start_temperature = temperature,
                              .seed = seed,
                              .confine_radius = 0.5};
  struct fixture f;
  double freedom;
  start_positions(positions);
  f = fixture_create(&o);
  fixture_bind(&f, &o);
  freedom = f.system.ops->degrees_of_freedom(f.system.self);
  fixture_run(&f, 10000);
  for (size_t i = 0; i < count; i++) {
    struct rill_observation seen;
    fixture_run(&f, 25);
    seen = fixture_observe(&f);
    r.kinetic[i] =
        s->insertion == RILL_BAOAB ? freedom / 2 * RILL_GAS_CONSTANT * seen.temperature_half : seen.kinetic;
    r.energy[i] = r.kinetic[i] + seen.potential;
  }
  fixture_destroy(&f);
  return r;
}

static void run_free(struct run *r) {
  free(r->kinetic);
  free(r->energy);
}

/* One in two autocorrelation times is kept. */
static size_t thin(double *values, size_t count) {
  size_t stride = (size_t)ceil(fmax(1, 2 * rill_correlation_time(values, count))), kept = 0;
  for (size_t i = 0; i < count; i += stride) values[kept++] = values[i];
  return kept;
}

/* By the estimator that is to be trusted; the neighbours in degrees of freedom are found out. */
START_TEST(kinetic_energies) {
  static const size_t sizes[] = {1, 2, 7};
  const struct splitting *s = &splittings[_i / 3];
  const size_t molecules = sizes[_i % 3];
  const double target = 280;
  struct run r = sample(s, target, molecules, physics_scaled(60000), 40 + (uint64_t)_i);
  double freedom = 6 * (double)molecules;
  size_t kept = thin(r.kinetic, r.count);
  for (size_t i = 0; i < kept; i++) r.kinetic[i] /= RILL_GAS_CONSTANT * target;
  ck_assert_uint_gt(kept, 1000);
  ck_assert_msg(rill_kinetic_probability(r.kinetic, kept, freedom) > RILL_FALSE_ALARM, "%s, N = %zu", s->name,
                molecules);
  ck_assert_double_lt(rill_kinetic_probability(r.kinetic, kept, freedom - 2), RILL_FALSE_ALARM);
  ck_assert_double_lt(rill_kinetic_probability(r.kinetic, kept, freedom + 2), RILL_FALSE_ALARM);
  run_free(&r);
}
END_TEST

/* Energies E at two temperatures: ln(p2(E) / p1(E)) is linear with the slope beta1 - beta2 (Shirts, J. Chem. Theory
 * Comput. 9, 909 (2013)).  The slope of greatest likelihood, with its standard error from the information in the
 * samples. */
static double slope(const double *one, size_t n1, const double *two, size_t n2, double *error) {
  double a = 0, b = 0, middle = 0, information[3];
  for (size_t i = 0; i < n1; i++) middle += one[i] / (double)(n1 + n2);
  for (size_t i = 0; i < n2; i++) middle += two[i] / (double)(n1 + n2);
  for (int iteration = 0; iteration < 50; iteration++) {
    double g[2] = {0}, determinant;
    memset(information, 0, sizeof information);
    for (size_t i = 0; i < n1 + n2; i++) {
      double e = (i < n1 ? one[i] : two[i - n1]) - middle, p = 1 / (1 + exp(-(a + b * e))),
             rest = (i < n1 ? 0 : 1) - p;
      g[0] += rest;
      g[1] += rest * e;
      information[0] += p * (1 - p);
      information[1] += p * (1 - p) * e;
      information[2] += p * (1 - p) * e * e;
    }
    determinant = information[0] * information[2] - information[1] * information[1];
    a += (information[2] * g[0] - information[1] * g[1]) / determinant;
    b += (information[0] * g[1] - information[1] * g[0]) / determinant;
    *error = sqrt(information[0] / determinant);
  }
  return b;
}

START_TEST(energies_at_two_temperatures) {
  const struct splitting *s = &splittings[_i];
  const double cold = 260, warm = 310;
  const double expected = (1 / cold - 1 / warm) / RILL_GAS_CONSTANT;
  struct run one = sample(s, cold, 7, physics_scaled(120000), 71),
             two = sample(s, warm, 7, physics_scaled(120000), 72);
  size_t n1 = thin(one.energy, one.count), n2 = thin(two.energy, two.count);
  double error, found = slope(one.energy, n1, two.energy, n2, &error);
  ck_assert_msg(fabs(found - expected) <= allowed * error,
                "%s: slope %.5g +- %.2g, expected %.5g (%zu and %zu samples)", s->name, found, error, expected, n1,
                n2);
  /* a mutant: a bath whose temperatures are half as far apart */
  ck_assert_double_gt(fabs(found - expected / 2), allowed * error);
  run_free(&one);
  run_free(&two);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("the canonical ensemble");
  TCase *cases = tcase_create("ensemble");
  tcase_set_timeout(cases, 1200);
  tcase_add_loop_test(cases, free_velocity_correlation, 0, SPLITTINGS);
  tcase_add_loop_test(cases, harmonic_variances, 0, SPLITTINGS);
  tcase_add_loop_test(cases, kinetic_energies, 0, 3 * SPLITTINGS);
  tcase_add_loop_test(cases, energies_at_two_temperatures, 0, SPLITTINGS);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
