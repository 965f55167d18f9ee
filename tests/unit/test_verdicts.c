/* Verdicts on made-up series whose truth is known, each beside one that must be found out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/two_pressures.h"
#include "analysis/verdicts.h"
#include "base/units.h"
#include "suite.h"

enum { ROWS = 20000, FREEDOM = 42 };
static const double target = 300, step = 0.002;

/* Series of a run that obeys the laws: kinetic energies of FREEDOM squares of normal numbers, each an autoregressive
 * process of its own with the correlation `memory` from sample to sample. */
struct made {
  double column[11][ROWS];
  struct rill_evidence evidence;
};
enum { TIME, POTENTIAL, TOTAL, TEMPERATURE, TRANSLATION, ROTATION, LENGTHS, VELOCITIES, PX, PY, PZ };

static double normal(void) {
  static double left;
  static int have;
  double u, v, s;
  if (have) {
    have = 0;
    return left;
  }
  do {
    u = 2 * drand48() - 1;
    v = 2 * drand48() - 1;
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  s = sqrt(-2 * log(s) / s);
  left = v * s;
  have = 1;
  return u * s;
}

static struct made *make(double memory, double temperature, int freedom) {
  struct made *m = calloc(1, sizeof *m);
  double x[64] = {0}, potential = 0, renewal = sqrt(1 - memory * memory);
  srand48(20);
  for (int k = 0; k < freedom; k++) x[k] = normal();
  for (size_t i = 0; i < ROWS; i++) {
    double part[2] = {0};
    for (int k = 0; k < freedom; k++) {
      x[k] = memory * x[k] + renewal * normal();
      part[k % 2] += x[k] * x[k];
    }
    potential = memory * potential + renewal * normal();
    m->column[TIME][i] = (double)i * step;
    m->column[POTENTIAL][i] = -100 + potential;
    m->column[TOTAL][i] = -50 + 1e-3 * normal();
    m->column[TEMPERATURE][i] = temperature * (part[0] + part[1]) / FREEDOM;
    m->column[TRANSLATION][i] = temperature * part[0] / (FREEDOM / 2);
    m->column[ROTATION][i] = temperature * part[1] / (FREEDOM / 2);
    m->column[LENGTHS][i] = 1e-14;
    m->column[VELOCITIES][i] = 1e-13;
    for (int d = 0; d < 3; d++) m->column[PX + d][i] = 1e-14 * normal();
  }
  m->evidence = (struct rill_evidence){
      .rows = ROWS,
      .time = m->column[TIME],
      .potential = m->column[POTENTIAL],
      .total = m->column[TOTAL],
      .temperature = m->column[TEMPERATURE],
      .translation = m->column[TRANSLATION],
      .rotation = m->column[ROTATION],
      .position_deviation = m->column[LENGTHS],
      .velocity_deviation = m->column[VELOCITIES],
      .momentum = {m->column[PX], m->column[PY], m->column[PZ]},
      .angular_momentum = {m->column[PX], m->column[PY], m->column[PZ]},
      .degrees_of_freedom = FREEDOM,
      .step = step,
      .thermostatted = true,
      .target = {target, target},
      .rigid = true,
      .position_tolerance = 1e-10,
      .velocity_tolerance = 1e-10,
      .momentum_scale = 1,
      .angular_momentum_scale = 1,
      .momentum_rounding = 1e-16,
      .angular_momentum_rounding = 1e-16,
  };
  return m;
}

static enum rill_verdict verdict_of(const struct made *m, const char *what) {
  struct rill_finding findings[RILL_FINDINGS];
  size_t count = rill_judge(&m->evidence, findings);
  for (size_t i = 0; i < count; i++)
    if (strcmp(findings[i].what, what) == 0) return findings[i].verdict;
  ck_abort_msg("no verdict on %s", what);
}

static void expect(const struct made *m, const char *what, enum rill_verdict verdict) {
  enum rill_verdict found = verdict_of(m, what);
  ck_assert_msg(found == verdict, "%s: %s, not %s", what, rill_verdict_name(found), rill_verdict_name(verdict));
}

START_TEST(a_sound_run_passes) {
  static const double memories[] = {0, 0.9};
  struct made *m = make(memories[_i], target, FREEDOM);
  static const char *const all[] = {"equilibration", "bond lengths",     "bond velocities",
                                    "temperature",   "kinetic energies", "equipartition"};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) expect(m, all[i], RILL_VERDICT_PASSES);
  free(m);
}
END_TEST

/* 3 % off in temperature is ten standard errors here; correlated samples taken for independent ones would see it in a
 * sound run as well. */
START_TEST(wrong_temperature) {
  struct made *m = make(0.9, 1.03 * target, FREEDOM);
  expect(m, "temperature", RILL_VERDICT_FAILS);
  expect(m, "kinetic energies", RILL_VERDICT_FAILS);
  expect(m, "equipartition", RILL_VERDICT_PASSES);
  free(m);
}
END_TEST

/* Translation 3 % colder and rotation 7 % hotter than the bath, whose frictions weight them with 0.7 and 0.3. */
START_TEST(frictions_weight_the_temperature) {
  struct made *m = make(0.9, target, FREEDOM);
  for (size_t i = 0; i < ROWS; i++) {
    m->column[TRANSLATION][i] *= 0.97;
    m->column[ROTATION][i] *= 1.07;
    m->column[TEMPERATURE][i] = 0.5 * (m->column[TRANSLATION][i] + m->column[ROTATION][i]);
  }
  m->evidence.rotation_share = 0.3;
  expect(m, "temperature", RILL_VERDICT_PASSES);
  expect(m, "kinetic energies", RILL_VERDICT_PASSES);
  expect(m, "equipartition", RILL_VERDICT_FAILS);
  m->evidence.rotation_share = 0;
  expect(m, "temperature", RILL_VERDICT_FAILS);
  expect(m, "kinetic energies", RILL_VERDICT_FAILS);
  free(m);
}
END_TEST

/* The right mean with the spread of other degrees of freedom: only the distribution tells. */
START_TEST(wrong_distribution) {
  struct made *m = make(0, target, FREEDOM);
  for (size_t i = 0; i < ROWS; i++) m->column[TEMPERATURE][i] = target + 0.8 * (m->column[TEMPERATURE][i] - target);
  expect(m, "temperature", RILL_VERDICT_PASSES);
  expect(m, "kinetic energies", RILL_VERDICT_FAILS);
  free(m);
}
END_TEST

/* 30 bar are eight standard errors here; what comes before the volume's equilibrium is left
 * out. */
START_TEST(wrong_pressure) {
  struct made *m = make(0.5, target, FREEDOM);
  double *pressure = m->column[PX], *volume = m->column[PY];
  for (size_t i = 0; i < ROWS; i++) {
    volume[i] = 6.5 + 0.1 * normal() + exp(-(double)i / 400);
    pressure[i] = 1 + 500 * normal() - 3000 * exp(-(double)i / 400);
  }
  m->evidence.target_pressure = 1;
  m->evidence.pressure = pressure;
  m->evidence.volume = volume;
  expect(m, "pressure", RILL_VERDICT_PASSES);
  m->evidence.target_pressure = 31;
  expect(m, "pressure", RILL_VERDICT_FAILS);
  m->evidence.rows = 20;
  expect(m, "pressure", RILL_VERDICT_OPEN);
  free(m);
}
END_TEST

START_TEST(cold_rotation) {
  struct made *m = make(0.5, target, FREEDOM);
  for (size_t i = 0; i < ROWS; i++) m->column[ROTATION][i] *= 0.97;
  expect(m, "equipartition", RILL_VERDICT_FAILS);
  free(m);
}
END_TEST

/* Rotation is colder by 0.2 %, as an error of the step makes it, and by 0.6 %: so many samples tell both from none.
 */
START_TEST(cold_by_the_step) {
  struct made *m = make(0, target, FREEDOM);
  for (size_t i = 0; i < ROWS; i++) m->column[ROTATION][i] = 0.998 * m->column[TRANSLATION][i] + 0.1 * normal();
  expect(m, "equipartition", RILL_VERDICT_PASSES);
  for (size_t i = 0; i < ROWS; i++) m->column[ROTATION][i] = 0.994 * m->column[TRANSLATION][i] + 0.1 * normal();
  expect(m, "equipartition", RILL_VERDICT_FAILS);
  m->evidence.thermostatted = false;
  expect(m, "equipartition", RILL_VERDICT_OPEN);
  for (size_t i = 0; i < ROWS; i++) m->column[TEMPERATURE][i] = 1.002 * target + 0.1 * normal();
  m->evidence.thermostatted = true;
  expect(m, "temperature", RILL_VERDICT_PASSES);
  for (size_t i = 0; i < ROWS; i++) m->column[TEMPERATURE][i] += 0.004 * target;
  expect(m, "temperature", RILL_VERDICT_FAILS);
  free(m);
}
END_TEST

/* Relaxation over the first tenth is cut off; one that lasts is found out. */
START_TEST(equilibration) {
  struct made *m = make(0.5, target, FREEDOM);
  size_t from;
  for (size_t i = 0; i < ROWS; i++) m->column[POTENTIAL][i] += 50 * exp(-(double)i / 400);
  from = rill_equilibrated_from(m->column[POTENTIAL], ROWS);
  ck_assert_uint_ge(from, 1000);
  ck_assert_uint_le(from, 4000);
  expect(m, "equilibration", RILL_VERDICT_PASSES);
  for (size_t i = 0; i < ROWS; i++) m->column[POTENTIAL][i] += 50 * exp(-(double)i / 8000);
  ck_assert(verdict_of(m, "equilibration") != RILL_VERDICT_PASSES);
  free(m);
}
END_TEST

/* 0.05 kT/ns/dof over 40 ps against noise of 1e-3 kJ/mol; half the noise's reach is left open. */
START_TEST(drift) {
  struct made *m = make(0, target, FREEDOM);
  double unit = RILL_GAS_CONSTANT * target * FREEDOM / RILL_NANOSECOND;
  m->evidence.thermostatted = false;
  expect(m, "energy drift", RILL_VERDICT_PASSES);
  for (size_t i = 0; i < ROWS; i++) m->column[TOTAL][i] += 0.05 * unit * m->column[TIME][i];
  expect(m, "energy drift", RILL_VERDICT_FAILS);
  for (int by_molecules = 0; by_molecules < 2; by_molecules++) { /* the remedy is that of the cause */
    struct rill_finding findings[RILL_FINDINGS];
    bool told = false;
    m->evidence.cut_by_molecules = by_molecules;
    for (size_t i = rill_judge(&m->evidence, findings); i-- > 0;) {
      if (strcmp(findings[i].what, "energy drift") != 0) continue;
      told = strstr(findings[i].text, "cutoff_by = atom") != NULL;
      ck_assert_double_eq_tol(findings[i].value, 0.05,
                              5 * findings[i].error + 0.002); /* the mean temperature scatters */
      ck_assert_double_lt(findings[i].error, 0.005);
    }
    ck_assert_int_eq(told, by_molecules);
  }
  for (size_t i = 0; i < ROWS; i++) m->column[TOTAL][i] = normal();
  expect(m, "energy drift", RILL_VERDICT_OPEN);
  free(m);
}
END_TEST

START_TEST(deviations_and_momenta) {
  struct made *m = make(0, target, FREEDOM);
  m->evidence.thermostatted = false;
  m->evidence.keeps_momentum = m->evidence.keeps_angular_momentum = true;
  expect(m, "momentum", RILL_VERDICT_PASSES);
  expect(m, "angular momentum", RILL_VERDICT_PASSES);
  m->column[PY][ROWS / 2] = 1e-11;
  expect(m, "momentum", RILL_VERDICT_FAILS);
  /* a hundred times 1e5 steps: round-off may be ten times as much, and no more */
  m->evidence.step = step * (ROWS - 1) / 1e7;
  m->column[PY][ROWS / 2] = 5e-12;
  expect(m, "momentum", RILL_VERDICT_PASSES);
  m->column[PY][ROWS / 2] = 1e-11;
  expect(m, "momentum", RILL_VERDICT_FAILS);
  /* solves leave something in every step */
  m->evidence.momentum_residual = 1e-17;
  expect(m, "momentum", RILL_VERDICT_PASSES);
  m->column[PY][ROWS / 2] = 2e-10;
  expect(m, "momentum", RILL_VERDICT_FAILS);
  m->column[PY][ROWS / 2] = NAN;
  expect(m, "momentum", RILL_VERDICT_FAILS);
  m->column[LENGTHS][7] = 2e-10;
  expect(m, "bond lengths", RILL_VERDICT_FAILS);
  m->column[VELOCITIES][ROWS - 1] = NAN;
  expect(m, "bond velocities", RILL_VERDICT_FAILS);
  free(m);
}
END_TEST

/* 5e8 steps: a walk passes.  With the drift that biased rounding once made, 2.8e-9 of a sum of 42 u nm/ps, it fails,
 * and with one that stays below the longest walk as well. */
START_TEST(momenta_walk) {
  struct made *m = make(0, target, FREEDOM);
  const double steps = 5e8, of_sample = 1e-16 * sqrt(steps / ROWS), slope = 2.8e-9 / 42 / ROWS;
  double p[3] = {0};
  m->evidence.thermostatted = false;
  m->evidence.keeps_momentum = true;
  m->evidence.step = m->column[TIME][ROWS - 1] / steps;
  for (size_t i = 0; i < ROWS; i++)
    for (int d = 0; d < 3; d++) m->column[PX + d][i] = p[d] += of_sample * normal();
  expect(m, "momentum", RILL_VERDICT_PASSES);
  for (size_t i = 0; i < ROWS; i++) m->column[PZ][i] += slope * (double)i;
  expect(m, "momentum", RILL_VERDICT_FAILS);
  for (size_t i = 0; i < ROWS; i++) m->column[PZ][i] -= 0.6 * slope * (double)i; /* below the longest walk */
  ck_assert_double_lt(0.4 * slope * ROWS, 20 * 1e-16 * sqrt(steps));
  expect(m, "momentum", RILL_VERDICT_FAILS);
  m->evidence.rows = 16; /* too few to tell a drift from a walk */
  expect(m, "momentum", RILL_VERDICT_PASSES);
  free(m);
}
END_TEST

/* A run that explodes in its first steps, and is hot and steady from then on. */
START_TEST(explosions) {
  struct made *m = make(0, 10, FREEDOM);
  const double kt = RILL_GAS_CONSTANT * 300 * FREEDOM;
  m->evidence.thermostatted = false;
  expect(m, "energy change", RILL_VERDICT_PASSES);
  expect(m, "temperature peak", RILL_VERDICT_PASSES);
  m->column[TEMPERATURE][1] = NAN;
  expect(m, "temperature peak", RILL_VERDICT_FAILS);
  m->column[TEMPERATURE][1] = 300;
  m->column[TEMPERATURE][0] = NAN; /* of the half-step, which there is not before the first step */
  expect(m, "temperature peak", RILL_VERDICT_PASSES);
  for (size_t i = 1; i < ROWS; i++) m->column[TOTAL][i] += 0.4 * kt;
  expect(m, "energy change", RILL_VERDICT_PASSES);
  for (size_t i = 1; i < ROWS; i++) m->column[TOTAL][i] += 0.2 * kt;
  expect(m, "energy change", RILL_VERDICT_FAILS);
  m->column[TEMPERATURE][ROWS / 2] = 4000;
  expect(m, "temperature peak", RILL_VERDICT_PASSES);
  m->column[TEMPERATURE][ROWS / 2] = 6000;
  expect(m, "temperature peak", RILL_VERDICT_FAILS);
  /* a drift of 1 kT/ns/dof at 3000 K does not pass for one of a ten-thousandth at 3e7 K */
  for (size_t i = 1; i < ROWS; i++) {
    m->column[TOTAL][i] = 1e6 + 10 * kt / RILL_NANOSECOND * m->column[TIME][i];
    m->column[TEMPERATURE][i] = 3e7;
  }
  m->column[TOTAL][0] = 1e6;
  expect(m, "energy drift", RILL_VERDICT_FAILS);
  free(m);
}
END_TEST

/* Under a bath: heating as fast as it may supply passes, also after the run had cooled; the same gain at once does
 * not. */
START_TEST(energy_from_nowhere) {
  struct made *m = make(0, 10, FREEDOM);
  const double limit = RILL_GAS_CONSTANT * (0.5 * 300 * FREEDOM + 32 * 10), cooled = 3 * limit;
  const size_t half = ROWS / 2;
  m->evidence.target[0] = m->evidence.target[1] = 10;
  m->evidence.supply = 3 * limit / (step * ROWS / 4);
  for (size_t i = 0; i < half; i++) m->column[TOTAL][i] = -cooled * (double)i / ROWS;
  for (size_t i = half; i < ROWS; i++)
    m->column[TOTAL][i] = fmin(0, -cooled / 2 + m->evidence.supply * step * (double)(i - half));
  expect(m, "energy gain", RILL_VERDICT_PASSES);
  for (size_t i = half; i < ROWS; i++) m->column[TOTAL][i] = -cooled / 2 + 0.9 * limit;
  expect(m, "energy gain", RILL_VERDICT_PASSES);
  for (size_t i = half; i < ROWS; i++) m->column[TOTAL][i] = -cooled / 2 + 1.1 * limit;
  expect(m, "energy gain", RILL_VERDICT_FAILS);
  m->column[TOTAL][half] = NAN;
  expect(m, "energy gain", RILL_VERDICT_FAILS);
  free(m);
}
END_TEST

START_TEST(torn_springs) {
  struct made *m = make(0, target, FREEDOM);
  m->evidence.rigid = false;
  m->evidence.bond_limit = 0.2;
  m->column[LENGTHS][3] = 0.19;
  expect(m, "bond lengths", RILL_VERDICT_PASSES);
  m->column[LENGTHS][3] = 0.21;
  expect(m, "bond lengths", RILL_VERDICT_FAILS);
  free(m);
}
END_TEST

START_TEST(few_samples) {
  struct made *m = make(0.99, target, FREEDOM);
  m->evidence.rows = 200;
  expect(m, "temperature", RILL_VERDICT_OPEN);
  expect(m, "kinetic energies", RILL_VERDICT_OPEN);
  m->evidence.rows = 3;
  expect(m, "samples", RILL_VERDICT_OPEN);
  free(m);
}
END_TEST

/* Kolmogorov's probability is itself evenly distributed: of 400 sets of 100 samples 4 +- 2 are below 0.01. */
START_TEST(probability_is_calibrated) {
  double x[100];
  int below = 0, half = 0;
  srand48(3);
  for (int set = 0; set < 400; set++) {
    for (int i = 0; i < 100; i++) {
      x[i] = 0;
      for (int k = 0; k < 6; k++) x[i] += pow(normal(), 2) / 2;
    }
    double p = rill_kinetic_probability(x, 100, 6);
    below += p < 0.01;
    half += p < 0.5;
    ck_assert_double_lt(rill_kinetic_probability(x, 100, 9), p + 1e-12);
  }
  ck_assert_int_le(below, 12);
  ck_assert_int_ge(half, 160); /* 200 +- 10 */
  ck_assert_int_le(half, 240);
}
END_TEST

/* Normal volumes of one variance: the slope of the logarithm of their densities' ratio is the difference of the means
 * over the variance. */
START_TEST(two_pressures) {
  static double volume[2][ROWS];
  const double kt = 2.5, variance = 0.015, memory = 0.9, renewal = sqrt(1 - memory * memory);
  const double apart[] = {-0.2, -0.15, -3.0}; /* as it should be, with a variance too large for it, without overlap */
  const struct rill_volumes runs[2] = {{volume[0], ROWS, 0.06}, {volume[1], ROWS, 0.06 + 0.2 * kt / variance}};
  const enum rill_verdict expected[] = {RILL_VERDICT_PASSES, RILL_VERDICT_FAILS, RILL_VERDICT_OPEN};
  struct rill_finding finding;
  srand48(5);
  for (int k = 0; k < 2; k++) {
    double x = normal();
    for (size_t i = 0; i < ROWS; i++) {
      volume[k][i] = 6.5 + (k == 1 ? apart[_i] : 0) + sqrt(variance) * x;
      x = memory * x + renewal * normal();
    }
  }
  ck_assert(rill_judge_two_pressures(runs, kt, &finding));
  ck_assert_msg(finding.verdict == expected[_i], "case %d: %s", _i, finding.text);
  if (_i == 2) return;
  ck_assert_double_eq_tol(finding.limit, -0.2 / variance, 1e-12);
  ck_assert_msg(fabs(finding.value - apart[_i] / variance) < 4 * finding.error, "%g", finding.value);
  ck_assert_msg(finding.error > 0.2 && finding.error < 0.8, "error %g", finding.error);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("verdicts");
  TCase *cases = tcase_create("verdicts");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, a_sound_run_passes, 0, 2);
  tcase_add_test(cases, wrong_temperature);
  tcase_add_test(cases, frictions_weight_the_temperature);
  tcase_add_test(cases, wrong_distribution);
  tcase_add_test(cases, wrong_pressure);
  tcase_add_loop_test(cases, two_pressures, 0, 3);
  tcase_add_test(cases, cold_rotation);
  tcase_add_test(cases, cold_by_the_step);
  tcase_add_test(cases, equilibration);
  tcase_add_test(cases, drift);
  tcase_add_test(cases, deviations_and_momenta);
  tcase_add_test(cases, momenta_walk);
  tcase_add_test(cases, explosions);
  tcase_add_test(cases, energy_from_nowhere);
  tcase_add_test(cases, torn_springs);
  tcase_add_test(cases, few_samples);
  tcase_add_test(cases, probability_is_calibrated);
  suite_add_tcase(suite, cases);
  return rill_run_suite(suite);
}
