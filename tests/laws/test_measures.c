/* What rods sample in a heat bath, what stiff springs do, and rods that are corrected by Fixman's potential: the
 * angle between two bonds against closed forms, by Kolmogorov and Smirnov's test on samples that are thinned by the
 * measured correlation time; and the correction's forces against differences. */
#include <math.h>

#include "analysis/statistics.h"
#include "small.h"
#include "systems/fixman.h"
#include "systems/linkage.h"

static const double kt = 0.8, pi = 3.14159265358979323846;

/* ---- the correction and its forces ---- */

struct corrected {
  struct rill_system system;
  double *inverse_mass;
  struct rill_fixman fixman;
};

static struct corrected corrected_of(struct rill_system system) {
  struct corrected c = {.system = system};
  const struct rill_mechanical *m = system.mechanical;
  c.inverse_mass = rill_allocate(m->n, sizeof *c.inverse_mass);
  for (size_t i = 0; i < m->n; i++) c.inverse_mass[i] = 1 / m->mass[i];
  ck_assert_int_eq(rill_fixman_create(m, c.inverse_mass, &c.fixman, &small_error), RILL_OK);
  return c;
}

static void drop(struct corrected *c) {
  rill_fixman_destroy(&c->fixman);
  rill_release(c->inverse_mass);
  small_destroy_system(&c->system);
}

static const struct {
  const char *kind, *settings;
} systems[] = {
    {"planar-triatomic", "masses = 2 0.7 1.3; lengths = 1.1 0.8"},
    {"planar-triatomic", "bending = 3"},
    {"pendulum-chain", "count = 1"},
    {"pendulum-chain", "count = 2; mass = 1.7"},
    {"pendulum-chain", "count = 10"},
    {"double-pendulum", "masses = 1.3 0.6"},
    {"double-spherical-pendulum", ""},
    {"ellipsoid-particle", ""},
};

/* At positions off the constraints, too.  The error of a central difference of step 1e-5 is about 1e-9 of the largest
 * force. */
START_TEST(forces_are_exact) {
  const double step = 1e-5;
  struct corrected c = corrected_of(small_system(systems[_i].kind, systems[_i].settings));
  const size_t n = c.system.mechanical->n;
  double q[20], force[20] = {0}, largest = 0;
  ck_assert_uint_le(n, 20);
  for (size_t i = 0; i < n; i++) q[i] = c.system.state->q[i] + 0.3 * sin(2.0 + 5.0 * (double)((i + 1) * (i + 1)));
  rill_fixman_potential(&c.fixman, kt, q, force);
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(force[i]));
  ck_assert_double_gt(largest, 0.05);
  for (size_t i = 0; i < n; i++) {
    const double at = q[i];
    double up, down;
    q[i] = at + step;
    up = rill_fixman_potential(&c.fixman, kt, q, NULL);
    q[i] = at - step;
    down = rill_fixman_potential(&c.fixman, kt, q, NULL);
    q[i] = at;
    ck_assert_double_eq_tol(force[i], (up - down) / (2 * step), 1e-8 * largest);
  }
  drop(&c);
}
END_TEST

/* det = 16 L1^2 L2^2 ((1/m1 + 1/m2) (1/m2 + 1/m3) - cos^2 / m2^2) */
START_TEST(determinant_of_the_triatomic) {
  for (double angle = 0.1; angle < 3; angle += 0.4) {
    char settings[96];
    struct corrected c;
    snprintf(settings, sizeof settings, "masses = 2 0.5 3; lengths = 1.5 0.5; angle = %.17g", angle);
    c = corrected_of(small_system("planar-triatomic", settings));
    ck_assert_double_eq_tol(
        rill_fixman_potential(&c.fixman, 2, c.system.state->q, NULL),
        log(16 * 0.75 * 0.75 * ((1 / 2.0 + 1 / 0.5) * (1 / 0.5 + 1 / 3.0) - pow(cos(angle) / 0.5, 2))), 1e-13);
    drop(&c);
  }
}
END_TEST

/* The matrices of chains are bands of one width, whatever their length, and one entry of the inverse beside the
 * diagonal is used. */
START_TEST(chains_have_tridiagonal_products) {
  struct corrected c = corrected_of(small_system("pendulum-chain", "count = 20000"));
  double *force = rill_allocate(c.system.mechanical->n, sizeof *force);
  ck_assert_uint_eq(c.fixman.product.width, 1);
  memset(force, 0, c.system.mechanical->n * sizeof *force);
  ck_assert(isfinite(rill_fixman_potential(&c.fixman, kt, c.system.state->q, force)));
  rill_release(force);
  drop(&c);
}
END_TEST

/* A rigid molecule of water as three rods in space: the determinant is the same in all its positions. */
START_TEST(rigid_water_has_one_determinant) {
  const double mass[3] = {15.9994, 1.008, 1.008}, oh = 0.09572, half = 0.5 * 104.52 * pi / 180;
  const double q[9] = {0, 0, 0, oh * sin(half), oh * cos(half), 0, -oh * sin(half), oh * cos(half), 0}, v[9] = {0};
  const struct rill_bar bars[3] = {{0, 1, oh}, {0, 2, oh}, {1, 2, 2 * oh * sin(half)}};
  const struct rill_linkage water = {.name = "molecule",
                                     .summary = "",
                                     .dimension = 3,
                                     .particles = 3,
                                     .mass = mass,
                                     .bar_count = 3,
                                     .bars = bars,
                                     .q = q,
                                     .v = v};
  struct rill_system system;
  struct corrected c;
  double first;
  ck_assert_int_eq(rill_linkage_create(&water, &system, &small_error), RILL_OK);
  c = corrected_of(system);
  first = rill_fixman_potential(&c.fixman, kt, q, NULL);
  for (int turn = 1; turn <= 20; turn++) {
    const double a = 0.7 * turn, b = 1.3 * turn;
    double rotated[9], bent[9];
    for (int site = 0; site < 3; site++) {
      const double x = cos(a) * q[3 * site] - sin(a) * q[3 * site + 1],
                   y = sin(a) * q[3 * site] + cos(a) * q[3 * site + 1];
      rotated[3 * site] = x + turn;
      rotated[3 * site + 1] = cos(b) * y;
      rotated[3 * site + 2] = sin(b) * y;
    }
    ck_assert_double_eq_tol(rill_fixman_potential(&c.fixman, kt, rotated, NULL), first, 1e-12 * fabs(first));
    memcpy(bent, rotated, sizeof bent);
    bent[4] += 0.001; /* not rigid */
    ck_assert_double_gt(fabs(rill_fixman_potential(&c.fixman, kt, bent, NULL) - first), 1e-5 * fabs(first));
  }
  drop(&c);
}
END_TEST

/* ---- runs ---- */

static struct small run_of(const char *kind, const char *settings, double h, enum rill_thermostat insertion,
                           double friction, enum rill_measure measure) {
  const struct rill_bath bath = {.temperature = {kt, kt}, .steps = 1, .friction = friction, .seed = 5};
  struct rill_binding_options options = small_options(h, 0.4);
  struct small small = {.system = rill_allocate(1, sizeof *small.system)};
  const struct rill_thermal_ops *thermal;
  *small.system = small_system(kind, settings);
  thermal = small.system->thermal;
  ck_assert_int_eq(thermal->couple(small.system->self, &bath, &small_error), RILL_OK);
  if (measure == RILL_MEASURE_STIFF_LIMIT)
    ck_assert_int_eq(thermal->correct_measure(small.system->self, &small_error), RILL_OK);
  options.insertion = insertion;
  ck_assert_int_eq(
      rill_integrator_create(rill_method_find("verlet"), small.system, &options, &small.integrator, &small_error),
      RILL_OK);
  return small;
}

/* The forces in the kicks belong to the energy that is observed: without friction its error is of second order. */
static double change_of_energy(double h, double *correction) {
  struct rill_observation o;
  struct small small =
      run_of("planar-triatomic", "rates = 0.4 0.1; bending = 0.3", h, RILL_NO_BATH, 0, RILL_MEASURE_STIFF_LIMIT);
  const double before = small_energy(&small, &o), first = o.correction;
  double most = 0;
  *correction = 0;
  while ((double)small.done * h < 20) {
    small_run(&small, 1);
    most = fmax(most, fabs(small_energy(&small, &o) - before));
    *correction = fmax(*correction, fabs(o.correction - first));
    for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(o.momentum[k], 0, 1e-12);
  }
  small_destroy(&small);
  return most;
}

START_TEST(energy_with_the_correction_is_conserved) {
  double correction, coarse = change_of_energy(0.02, &correction), fine = change_of_energy(0.01, &correction);
  ck_assert_double_lt(fine, 0.01 * correction);
  ck_assert_double_eq_tol(coarse / fine, 4, 0.2);
}
END_TEST

/* Forces are kept between kicks at one position; those of the correction are proportional to the temperature. */
START_TEST(correction_follows_the_temperature) {
  struct small small =
      run_of("planar-triatomic", "rates = 0 0; angle = 1", 0.01, RILL_NO_BATH, 0, RILL_MEASURE_STIFF_LIMIT);
  const struct rill_flow_ops *flow = small.system->flow;
  double change[2];
  for (int k = 0; k < 2; k++) {
    const double before = small.system->state->p[0];
    small.system->thermal->set_temperature(small.system->self, k == 0 ? kt : 2 * kt);
    ck_assert_int_eq(flow->kick(small.system->self, 0.1, 0.1, &rill_filter_identity, 0, &small_error), RILL_OK);
    change[k] = small.system->state->p[0] - before;
  }
  ck_assert_double_gt(fabs(change[0]), 1e-3);
  ck_assert_double_eq_tol(change[1], 2 * change[0], 1e-13);
  small_destroy(&small);
}
END_TEST

/* ---- laws of angles ---- */

enum { TABLE = 2000 };

/* A density in (0, pi): (a - cos^2)^power exp(-bending cos^2 / 2 k T). */
struct density {
  double a, power, bending;
};

struct law {
  double at[TABLE + 1];
};

static void fill(struct law *law, const struct density *density) {
  double sum = 0;
  law->at[0] = 0;
  for (int i = 0; i < TABLE; i++) {
    const double angle = pi * (i + 0.5) / TABLE, square = cos(angle) * cos(angle);
    law->at[i + 1] = sum += pow(density->a - square, density->power) * exp(-0.5 * density->bending * square / kt);
  }
  for (int i = 0; i <= TABLE; i++) law->at[i] /= sum;
}

static double distribution(const struct law *law, double angle) {
  const double x = fmin(angle / pi, 1) * TABLE, i = fmin(floor(x), TABLE - 1);
  return law->at[(int)i] + (x - i) * (law->at[(int)i + 1] - law->at[(int)i]);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

struct samples {
  double *angle; /* [count], in (0, pi) */
  size_t count;
};

/* sqrt(N) times the largest difference of the distributions.  For independent samples of the law it exceeds 1.95 once
 * in 1000 cases, and 2.3 once in 20000. */
static double distance(const struct samples *samples, const struct law *law) {
  double most = 0;
  qsort(samples->angle, samples->count, sizeof *samples->angle, by_size);
  for (size_t i = 0; i < samples->count; i++) {
    const double f = distribution(law, samples->angle[i]), n = (double)samples->count;
    most = fmax(most, fmax(f - (double)i / n, (double)(i + 1) / n - f));
  }
  if (getenv("LAWS_PRINT") != NULL)
    printf("%zu samples, distance %.3f\n", samples->count, sqrt((double)samples->count) * most);
  return sqrt((double)samples->count) * most;
}
static const double LIKELY = 1.95, REFUSED = 2.3;

static double angle_between(const double *a, const double *b) {
  return atan2(fabs(a[0] * b[1] - a[1] * b[0]), a[0] * b[0] + a[1] * b[1]);
}

/* Of the bonds on both sides of a particle. */
static double angle_at(const struct rill_state *state, bool hangs, size_t particle) {
  double bond[2][2];
  for (size_t k = 0; k < 2; k++) {
    const double before = hangs && particle == 0 ? 0 : state->q[2 * (particle - 1) + k],
                 here = state->q[2 * particle + k];
    bond[0][k] = here - before;
    bond[1][k] = state->q[2 * (particle + 1) + k] - here;
  }
  return angle_between(bond[0], bond[1]);
}

struct sampling {
  const char *kind, *settings;
  double h, friction;
  enum rill_measure measure;
  size_t every, count; /* steps between samples, and samples before thinning */
};

/* The angles at all inner particles, each thinned to three times the correlation time of the slowest of its first
 * harmonics; and the mean kinetic energy for each degree of freedom, in k T. */
static struct samples sample(const struct sampling *s, double *kinetic) {
  struct small small = run_of(s->kind, s->settings, s->h, RILL_BAOAB, s->friction, s->measure);
  const bool hangs = strcmp(s->kind, "planar-triatomic") != 0;
  const size_t particles = small.system->state->n / 2, first = hangs ? 0 : 1, angles = particles - 1 - first;
  double *angle = rill_allocate(angles * s->count, sizeof *angle),
         *harmonic = rill_allocate(s->count, sizeof *harmonic);
  struct samples kept = {.angle = rill_allocate(angles * s->count, sizeof *kept.angle)};
  struct rill_observation o;
  *kinetic = 0;
  small_run(&small, 100 * s->every);
  for (size_t i = 0; i < s->count; i++) {
    small_run(&small, s->every);
    for (size_t a = 0; a < angles; a++) angle[a * s->count + i] = angle_at(small.system->state, hangs, first + a);
    small_energy(&small, &o);
    *kinetic += 2 * o.kinetic / kt / small.system->ops->degrees_of_freedom(small.system->self) / (double)s->count;
  }
  for (size_t a = 0; a < angles; a++) {
    double slowest = 0;
    for (int k = 1; k <= 2; k++) {
      for (size_t i = 0; i < s->count; i++) harmonic[i] = cos(k * angle[a * s->count + i]);
      slowest = fmax(slowest, rill_correlation_time(harmonic, s->count));
    }
    for (size_t i = 0, stride = (size_t)ceil(3 * slowest); i < s->count; i += stride)
      kept.angle[kept.count++] = angle[a * s->count + i];
  }
  rill_release(angle);
  rill_release(harmonic);
  small_destroy(&small);
  return kept;
}

static double distance_from(const struct samples *samples, const struct density *density) {
  struct law law;
  fill(&law, density);
  return distance(samples, &law);
}

static const double triatomic = 1.0625 * 1.0625; /* (1/m1 + 1/m2) (1/m2 + 1/m3) m2^2 of the default masses */

/* Rods have the power 1/2 of their determinant, springs 0.  Half of the correction would give rods the power 1/4, and
 * the other sign 1.  For two pendula without gravity det = 16 L1^2 L2^2 (1 + m1/m2 - cos^2) / m1^2. */
static const struct {
  struct sampling sampling;
  double a, power;
  bool half; /* there are samples enough to refuse half of the correction */
} cases[] = {
    {{"planar-triatomic", "", 0.1, 0.2, RILL_MEASURE_CONSTRAINED, 20, 22000}, 1.0625 * 1.0625, 0.5, true},
    {{"planar-triatomic", "", 0.1, 0.5, RILL_MEASURE_STIFF_LIMIT, 20, 38000}, 1.0625 * 1.0625, 0, true},
    {{"planar-triatomic", "formulation = penalised; stiffness = 3", 0.08, 0.2, RILL_MEASURE_CONSTRAINED, 25, 20000},
     1.0625 * 1.0625,
     0,
     false},
    {{"double-pendulum", "masses = 1 16; gravity = 0", 0.06, 0.15, RILL_MEASURE_CONSTRAINED, 50, 8000},
     1.0625,
     0.5,
     false},
    {{"double-pendulum", "masses = 1 16; gravity = 0", 0.06, 0.15, RILL_MEASURE_STIFF_LIMIT, 50, 10000},
     1.0625,
     0,
     false},
};

START_TEST(angles_have_their_laws) {
  static const double powers[] = {0, 0.25, 0.5, 1};
  const struct sampling *s = &cases[_i].sampling;
  double kinetic;
  struct samples samples = sample(s, &kinetic);
  ck_assert_double_eq_tol(kinetic, 1, 0.06); /* a degree of freedom too many or too few: 20 % and more */
  for (size_t p = 0; p < sizeof powers / sizeof powers[0]; p++) {
    const double d = distance_from(&samples, &(struct density){cases[_i].a, powers[p], 0});
    if (powers[p] == 0.25 && !cases[_i].half) continue;
    if (powers[p] == cases[_i].power) ck_assert_msg(d < LIKELY, "%s, %s: %.3g", s->kind, s->settings, d);
    else ck_assert_msg(d > REFUSED, "%s, %s: only %.3g from the power %g", s->kind, s->settings, d, powers[p]);
  }
  rill_release(samples.angle);
}
END_TEST

/* With a potential of the bend springs have the law exp(-V / k T) in the limit, which corrected rods have, and not
 * when they are soft: the potential varies with their lengths. */
static const struct {
  const char *settings;
  double h;
  size_t every;
  enum rill_measure measure;
  bool in_the_limit;
} bent[] = {
    {"bending = 4", 0.1, 20, RILL_MEASURE_STIFF_LIMIT, true},
    {"bending = 4; formulation = penalised; stiffness = 1", 0.1, 20, RILL_MEASURE_CONSTRAINED, false},
    {"bending = 4; formulation = penalised; stiffness = 6", 0.05, 40, RILL_MEASURE_CONSTRAINED, true},
};

START_TEST(stiff_springs_reach_the_limit) {
  const struct sampling s = {"planar-triatomic", bent[_i].settings, bent[_i].h, 0.5,
                             bent[_i].measure,   bent[_i].every,    15000};
  double kinetic, d;
  struct samples samples = sample(&s, &kinetic);
  d = distance_from(&samples, &(struct density){triatomic, 0, 4});
  if (bent[_i].in_the_limit) ck_assert_double_lt(d, LIKELY);
  else ck_assert_double_gt(d, REFUSED);
  ck_assert_double_gt(distance_from(&samples, &(struct density){triatomic, 0.5, 4}), REFUSED);
  rill_release(samples.angle);
}
END_TEST

/* Without gravity all angles between the rods of a corrected chain are uniform. */
START_TEST(corrected_chain_of_ten_bends_freely) {
  const enum rill_measure measure = _i == 0 ? RILL_MEASURE_STIFF_LIMIT : RILL_MEASURE_CONSTRAINED;
  const struct sampling s = {"pendulum-chain", "count = 10; gravity = 0", 0.2, 0.3, measure, 14, 6000};
  double kinetic, d;
  struct samples samples = sample(&s, &kinetic);
  d = distance_from(&samples, &(struct density){2, 0, 0});
  if (measure == RILL_MEASURE_STIFF_LIMIT) ck_assert_double_lt(d, LIKELY);
  else ck_assert_double_gt(d, REFUSED);
  rill_release(samples.angle);
}
END_TEST

/* ---- refusals ---- */

static struct rill_system with_bath(const char *kind, const char *settings) {
  const struct rill_bath bath = {.temperature = {kt, kt}, .steps = 1, .friction = 1, .seed = 5};
  struct rill_system system = small_system(kind, settings);
  ck_assert_int_eq(system.thermal->couple(system.self, &bath, &small_error), RILL_OK);
  return system;
}

START_TEST(what_cannot_be_corrected_says_so) {
  static const char *const constant[] = {"planar-pendulum", "spherical-pendulum", "magnetic-rigid-body"};
  static const char *const own_steps[] = {"dvp", "implicit-midpoint"};
  struct rill_system system;
  for (int i = 0; i < 3; i++) {
    system = with_bath(constant[i], i == 2 ? "formulation = constrained" : "");
    ck_assert_int_eq(system.thermal->correct_measure(system.self, &small_error), RILL_ERROR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(small_error.text, "both measures are the same"));
    small_destroy_system(&system);
  }
  system = with_bath("planar-triatomic", "formulation = penalised");
  ck_assert_ptr_null(system.thermal->correct_measure);
  small_destroy_system(&system);
  system = with_bath("planar-triatomic", "");
  for (int i = 0; i < 2; i++) {
    const enum rill_refusal before = rill_method_refusal(rill_method_find(own_steps[i]), &system, RILL_GLA);
    ck_assert_int_ne(before, RILL_REFUSED_MEASURE);
  }
  ck_assert_int_eq(system.thermal->correct_measure(system.self, &small_error), RILL_OK);
  ck_assert_int_eq(rill_method_refusal(rill_method_find("dvp"), &system, RILL_GLA), RILL_REFUSED_MEASURE);
  ck_assert_int_eq(rill_method_refusal(rill_method_find("verlet"), &system, RILL_GLA), RILL_BINDS);
  small_destroy_system(&system);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("measures");
  TCase *tests = tcase_create("measures");
  tcase_set_timeout(tests, 120);
  tcase_add_loop_test(tests, forces_are_exact, 0, sizeof systems / sizeof systems[0]);
  tcase_add_test(tests, determinant_of_the_triatomic);
  tcase_add_test(tests, chains_have_tridiagonal_products);
  tcase_add_test(tests, rigid_water_has_one_determinant);
  tcase_add_test(tests, energy_with_the_correction_is_conserved);
  tcase_add_test(tests, correction_follows_the_temperature);
  tcase_add_loop_test(tests, angles_have_their_laws, 0, sizeof cases / sizeof cases[0]);
  tcase_add_loop_test(tests, stiff_springs_reach_the_limit, 0, sizeof bent / sizeof bent[0]);
  tcase_add_loop_test(tests, corrected_chain_of_ten_bends_freely, 0, 2);
  tcase_add_test(tests, what_cannot_be_corrected_says_so);
  suite_add_tcase(suite, tests);
  return rill_run_suite(suite);
}
