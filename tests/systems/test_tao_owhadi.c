/* Tao & Owhadi 2016, sections 4.1, 4.2 and 4.4: positions, errors, orders, stability, multipliers, from independent
 * prototypes of the corrected equations (y upward, gravity downward). */
#include <stdio.h>

#include "fixture.h"
#include "integrators/splittings.h"

#define CONSTRAINED "formulation=constrained"
#define PENALISED "formulation=penalised; stiffness=20"

/* --- single values; coordinates of the state (x of the Zhang-Skeel family) --- */

static const struct {
  const char *system, *settings, *method;
  double h, beta, time;
  int coordinate;
  double value;
} values[] = {
    {"double-pendulum", PENALISED, "zs", 0.1, 0.4, 1, 1, -0.9871689050},
    {"double-pendulum", PENALISED, "zs", 0.1, 0.4, 1, 2, 0.7962819289},
    {"double-pendulum", PENALISED, "zs", 0.1, 0.4, 1, 3, -2.2618316803},
    {"double-pendulum", PENALISED, "zs", 0.1, 0.4, 10, 0, 0.5284372896},
    {"double-pendulum", PENALISED, "zs", 0.1, 0.4, 10, 1, -0.8500550297},
    {"double-pendulum", PENALISED, "zs", 0.1, 0.4, 10, 2, 0.7199869721},
    {"double-pendulum", PENALISED, "zs", 0.1, 0.4, 10, 3, -2.2522550136},
    {"double-pendulum", PENALISED, "zss", 0.1, 0.4, 1, 0, 0.1763501562},
    {"double-pendulum", PENALISED, "zss", 0.1, 0.4, 1, 1, -0.9872195591},
    {"double-pendulum", PENALISED, "zss", 0.1, 0.4, 1, 3, -2.2609660654},
    {"double-pendulum", PENALISED, "zss", 0.1, 0.4, 10, 1, -0.8531734769},
    {"double-pendulum", PENALISED, "zss", 0.1, 0.4, 10, 2, 0.7344362141},
    {"double-pendulum", PENALISED, "zss", 0.1, 0.4, 10, 3, -2.2532740521},
    {"double-pendulum", PENALISED, "zss-simplified", 0.1, 0.4, 1, 0, 0.1789563524},
    {"double-pendulum", PENALISED, "zss-simplified", 0.1, 0.4, 1, 2, 0.7960427556},
    {"double-pendulum", PENALISED, "zss-simplified", 0.1, 0.4, 10, 1, -0.8476119956},
    {"double-pendulum", PENALISED, "zss-simplified", 0.1, 0.4, 10, 3, -2.2519952193},
    {"double-pendulum", PENALISED, "newmark", 0.1, 0.4, 1, 1, -0.9866271223},
    {"double-pendulum", PENALISED, "newmark", 0.1, 0.4, 1, 3, -2.2596108133},
    {"double-pendulum", PENALISED, "newmark", 0.1, 0.4, 10, 0, 0.5269896372},
    {"double-pendulum", PENALISED, "newmark", 0.1, 0.4, 10, 1, -0.8519346837},
    {"double-pendulum", PENALISED, "newmark", 0.1, 0.4, 10, 2, 0.7217972579},
    {"double-pendulum", PENALISED, "newmark", 0.1, 0.4, 10, 3, -2.2532370862},
    {"double-pendulum", PENALISED, "newmark-pushforward", 0.1, 0.4, 1, 2, 0.7964345009},
    {"double-pendulum", PENALISED, "newmark-pushforward", 0.1, 0.4, 1, 3, -2.2620188967},
    {"double-pendulum", PENALISED, "newmark-pushforward", 0.1, 0.4, 10, 0, 0.5288228402},
    {"double-pendulum", PENALISED, "newmark-pushforward", 0.1, 0.4, 10, 2, 0.7204577580},
    {"double-pendulum", PENALISED, "newmark-pushforward", 0.1, 0.4, 10, 3, -2.2531089704},
    {"double-pendulum", PENALISED, "newmark-onestep:B", 0.1, 0.4, 1, 0, 0.1641254147},
    {"double-pendulum", PENALISED, "newmark-onestep:B", 0.1, 0.4, 1, 2, 0.8089684342},
    {"double-pendulum", PENALISED, "newmark-onestep:B", 0.1, 0.4, 1, 3, -2.2509351389},
    {"double-pendulum", PENALISED, "newmark-onestep:B", 0.1, 0.4, 10, 0, 0.2146218359},
    {"double-pendulum", PENALISED, "newmark-onestep:B", 0.1, 0.4, 10, 1, -0.9772527907},
    {"double-pendulum", PENALISED, "newmark-onestep:B", 0.1, 0.4, 10, 3, -2.3307029924},
    {"double-pendulum", CONSTRAINED, "shake", 0.1, 0, 1, 1, -0.9834857139},
    {"double-pendulum", CONSTRAINED, "shake", 0.1, 0, 1, 3, -2.2584100796},
    {"double-pendulum", CONSTRAINED, "shake", 0.1, 0, 10, 0, 0.5349931173},
    {"double-pendulum", CONSTRAINED, "shake", 0.1, 0, 10, 2, 0.7026791502},
    {"double-pendulum", CONSTRAINED, "shake", 0.1, 0, 10, 3, -2.2490933603},
    {"double-pendulum", CONSTRAINED, "rattle", 0.1, 0, 1, 1, -0.9834857139},
    {"double-pendulum", CONSTRAINED, "rattle", 0.1, 0, 1, 2, 0.7930052691},
    {"double-pendulum", CONSTRAINED, "rattle", 0.1, 0, 10, 0, 0.5349931173},
    {"double-pendulum", CONSTRAINED, "rattle", 0.1, 0, 10, 1, -0.8448564164},
    {"double-pendulum", CONSTRAINED, "rattle", 0.1, 0, 10, 3, -2.2490933603},
    {"pendulum-chain", PENALISED, "zs", 0.05, 0.4, 5, 19, -21.6405028983},
    {"pendulum-chain", PENALISED, "zss-simplified", 0.05, 0.4, 5, 19, -21.6403952469},
    {"pendulum-chain", PENALISED, "newmark", 0.05, 0.4, 5, 18, 4.5703060988},
    {"pendulum-chain", PENALISED, "newmark", 0.05, 0.4, 5, 19, -21.6402551077},
    {"pendulum-chain", CONSTRAINED, "shake", 0.05, 0, 5, 18, 4.5673231842},
    {"pendulum-chain", CONSTRAINED, "shake", 0.05, 0, 5, 19, -21.6342551518},
};

/* Printed to 10 decimals; 1e-7 is the reference's tolerance, 1e-9 what round-off of these orbits leaves. */
START_TEST(values_agree) {
  struct lab lab;
  open_lab(&lab, values[_i].system, values[_i].settings, values[_i].method, values[_i].h, values[_i].beta);
  steps(&lab, (uint64_t)llround(values[_i].time / values[_i].h));
  ck_assert_double_eq_tol(lab.system.state->q[values[_i].coordinate], values[_i].value, 1e-9);
  close_lab(&lab);
}
END_TEST

/* --- DNA --- */

static const struct {
  const char *method;
  double h;
  uint64_t steps;
  double angle, rate, energy, first; /* mean angle, mean rate; NAN: no value */
} dna[] = {
    {"verlet", 0.2, 500, NAN, 0.025399793, 2.307118334, 3.4402319},
    {"verlet", 0.05, 2000, 3.3775354, 0.025388852, 2.332923518, 3.4158476},
    {"zs", 2, 50, 3.0898258, NAN, NAN, 3.1089298},
    {"zss", 2, 50, NAN, 0.017396402, 1.586581121, NAN},
    {"zs", 1, 100, NAN, NAN, 1.72518456, 3.2968805},
};

static double mean(const double *x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i];
  return sum / (double)n;
}

/* The last printed digit. */
static void agrees(double found, double expected, double tolerance) {
  if (!isnan(expected)) ck_assert_double_eq_tol(found, expected, tolerance);
}

START_TEST(dna_agrees) {
  struct lab lab;
  open_lab(&lab, "dna", "start=deterministic", dna[_i].method, dna[_i].h, 0.3);
  ck_assert_double_eq_tol(look(&lab).kinetic, 0.25, 1e-12);
  steps(&lab, dna[_i].steps);
  agrees(mean(lab.system.state->q, 200), dna[_i].angle, 1e-7);
  agrees(mean(lab.system.state->p, 200), dna[_i].rate, 1e-8);
  agrees(energy(&lab), dna[_i].energy, 1e-8);
  agrees(lab.system.state->q[0], dna[_i].first, 1e-7);
  close_lab(&lab);
}
END_TEST

/* Until T = 5000: Verlet at 0.9 and Z&S at 2 stay finite; the mean angle changes wells, later and less often for the
 * large step, at a lower mean energy.  Seeds 1 and 2. */
START_TEST(dna_changes_wells) {
  for (int seed = 1; seed <= 2; seed++) {
    char settings[16];
    double arrival[2], mean_energy[2] = {0};
    int changes[2];
    snprintf(settings, sizeof settings, "seed=%d", seed);
    for (int k = 0; k < 2; k++) {
      const double h = k == 0 ? 0.2 : 2;
      const uint64_t count = (uint64_t)llround(5000 / h);
      bool second = false;
      struct lab lab;
      open_lab(&lab, "dna", settings, k == 0 ? "verlet" : "zs", h, 0.3);
      arrival[k] = NAN;
      changes[k] = 0;
      for (uint64_t step = 1; step <= count; step++) {
        double angle;
        steps(&lab, 1);
        angle = mean(lab.system.state->q, 200);
        if (k == 1 || step % 10 == 0) mean_energy[k] += energy(&lab) / 2500;
        /* Arrived within 0.2 of a well: minima at arccos 0.7 and 2 pi less that. */
        if (fabs(angle - (second ? 0.7953988302 : 5.4877864769)) < 0.2) {
          second = !second;
          if (changes[k]++ == 0) arrival[k] = (double)step * h;
        }
      }
      ck_assert(isfinite(energy(&lab)));
      close_lab(&lab);
    }
    ck_assert_double_eq_tol(arrival[0], 168, 12);
    ck_assert_double_eq_tol(arrival[1], 200, 20);
    ck_assert_int_ge(changes[0], 3);
    ck_assert_int_ge(changes[1], 1);
    ck_assert_int_lt(changes[1], changes[0]);
    ck_assert_double_eq_tol(mean_energy[1] - mean_energy[0], -0.55, 0.3);
  }
}
END_TEST

START_TEST(dna_verlet_is_stable_to_0_9) {
  struct lab lab;
  open_lab(&lab, "dna", NULL, "verlet", 0.9, 0);
  steps(&lab, 5555);
  ck_assert_double_lt(energy(&lab), 10);
  close_lab(&lab);
  open_lab(&lab, "dna", NULL, "verlet", 1.05, 0); /* the mutant: past the limit */
  ck_assert(!try_steps(&lab, 5555) || !(energy(&lab) < 10));
  close_lab(&lab);
}
END_TEST

/* --- the benchmark of the double pendulum: angles, Runge-Kutta of order 4 --- */

enum { SPAN = 50 };

/* (theta, phi, theta', phi')' for L1 = 1, L2 = sqrt 2, unit masses and gravity. */
static void angles_rate(const double y[4], double out[4]) {
  const double l1 = 1, l2 = sqrt(2), d = y[0] - y[1];
  const double a = 2 * l1 * l1, b = l1 * l2 * cos(d), c = l2 * l2;
  const double f = -l1 * l2 * sin(d) * y[3] * y[3] - 2 * l1 * sin(y[0]),
               g = l1 * l2 * sin(d) * y[2] * y[2] - l2 * sin(y[1]);
  const double determinant = a * c - b * b;
  out[0] = y[2];
  out[1] = y[3];
  out[2] = (c * f - b * g) / determinant;
  out[3] = (a * g - b * f) / determinant;
}

static void angles_step(double y[4], double h) {
  double k[4][4], z[4];
  angles_rate(y, k[0]);
  for (int s = 1; s < 4; s++) {
    for (int i = 0; i < 4; i++) z[i] = y[i] + (s == 3 ? h : 0.5 * h) * k[s - 1][i];
    angles_rate(z, k[s]);
  }
  for (int i = 0; i < 4; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* Positions and exact multipliers every 0.01, with lambda from (Dg M^-1 Dg^T) lambda = Dg M^-1 grad V - v D2g v. */
enum { FRAMES = SPAN * 100 + 1 };
struct benchmark {
  double q[FRAMES][4], lambda[FRAMES][2];
};
static struct benchmark benchmark;

static void make_benchmark(void) {
  const double l1 = 1, l2 = sqrt(2);
  double y[4] = {0, atan(1), 0, 0};
  for (int frame = 0; frame < FRAMES; frame++) {
    const double r1[2] = {l1 * sin(y[0]), -l1 * cos(y[0])}, r2[2] = {l2 * sin(y[1]), -l2 * cos(y[1])};
    const double v1 = l1 * l1 * y[2] * y[2], v2 = l2 * l2 * y[3] * y[3]; /* squares of the bars' velocities */
    const double a11 = 4 * l1 * l1, a12 = -4 * (r1[0] * r2[0] + r1[1] * r2[1]), a22 = 8 * l2 * l2;
    const double b1 = 2 * r1[1] - 2 * v1, b2 = -2 * v2, determinant = a11 * a22 - a12 * a12;
    double *q = benchmark.q[frame];
    q[0] = r1[0], q[1] = r1[1], q[2] = r1[0] + r2[0], q[3] = r1[1] + r2[1];
    benchmark.lambda[frame][0] = (a22 * b1 - a12 * b2) / determinant;
    benchmark.lambda[frame][1] = (a11 * b2 - a12 * b1) / determinant;
    for (int i = 0; i < 20; i++) angles_step(y, 0.0005);
  }
}

START_TEST(benchmark_agrees) {
  const double at1[4] = {0.1804485004, -0.9835844340, 0.7932303047, -2.2581425771};
  const double at10[4] = {0.5337372736, -0.8456503549, 0.7057633685, -2.2493622280};
  double sum[2] = {0}, least[2] = {0}, most[2] = {-9, -9};
  for (int i = 0; i < 4; i++) {
    ck_assert_double_eq_tol(benchmark.q[100][i], at1[i], 1e-9);
    ck_assert_double_eq_tol(benchmark.q[1000][i], at10[i], 1e-9);
  }
  for (int frame = 0; frame < FRAMES; frame++)
    for (int c = 0; c < 2; c++) {
      sum[c] += benchmark.lambda[frame][c] / FRAMES;
      least[c] = fmin(least[c], benchmark.lambda[frame][c]);
      most[c] = fmax(most[c], benchmark.lambda[frame][c]);
    }
  ck_assert_double_eq_tol(benchmark.lambda[0][0], -2.0 / 3, 1e-14);
  ck_assert_double_eq_tol(benchmark.lambda[0][1], -1.0 / 6, 1e-14);
  ck_assert_double_eq_tol(sum[0], -1.0482, 1e-3);
  ck_assert_double_eq_tol(sum[1], -0.38093, 1e-3);
  ck_assert_double_eq_tol(least[0], -1.65179, 1e-3);
  ck_assert_double_eq_tol(least[1], -0.765, 1e-3);
  ck_assert_double_eq_tol(most[0], -0.667, 1e-3);
  ck_assert_double_eq_tol(most[1], -0.16667, 1e-3);
}
END_TEST

/* --- errors of (x2, y2) against it --- */

static const struct {
  const char *settings, *method;
  double h;
  double to10, to50; /* largest error for t <= 10 and t <= 50; the tolerances are 2 % and 3 %, the reference's */
} errors[] = {
    {CONSTRAINED, "shake", 0.1, 0.0040, 0.0220},
    {CONSTRAINED, "rattle", 0.1, 0.0040, 0.0220},
    {PENALISED, "verlet", 0.0005, 0.0048, 0.02355},
    {PENALISED, "newmark", 0.1, 0.0200, 0.1028},
    {PENALISED, "newmark-pushforward", 0.1, 0.0186, 0.0963},
    {PENALISED, "newmark-onestep:B", 0.1, 0.4179, 0.5607},
    {PENALISED, "newmark-onestep:C", 0.1, 0.0255, 0.4089},
    {PENALISED, "newmark-onestep:D", 0.1, 0.0376, 0.1629},
    {PENALISED, "zs", 0.1, 0.0181, 0.0947},
    {PENALISED, "zs", 0.05, 0.0083, 0.0433},
    {PENALISED, "zss", 0.1, 0.0321, 0.1476},
    {PENALISED, "zss-simplified", 0.1, 0.0104, 0.0422},
};

/* At each step, at small steps every 0.1. */
static void largest_error(struct lab *lab, double h, double *to10, double *to50) {
  const uint64_t every = h >= 0.01 ? 1 : (uint64_t)llround(0.1 / h),
                 frames = h >= 0.01 ? (uint64_t)llround(h / 0.01) : 10;
  *to10 = *to50 = 0;
  for (uint64_t frame = frames; frame < FRAMES; frame += frames) {
    steps(lab, every);
    for (int i = 2; i < 4; i++) *to50 = fmax(*to50, fabs(lab->system.state->q[i] - benchmark.q[frame][i]));
    if (frame <= 1000) *to10 = *to50;
  }
}

START_TEST(errors_agree) {
  struct lab lab;
  double to10, to50;
  open_lab(&lab, "double-pendulum", errors[_i].settings, errors[_i].method, errors[_i].h, 0.4);
  largest_error(&lab, errors[_i].h, &to10, &to50);
  ck_assert_double_eq_tol(to10, errors[_i].to10, 0.02 * errors[_i].to10 + 5e-5);
  ck_assert_double_eq_tol(to50, errors[_i].to50, 0.03 * errors[_i].to50);
  close_lab(&lab);
}
END_TEST

/* The penalised system itself, resolved: constraint error O(w^-2), so that w^2 |g| is constant, and so is the way
 * that the motion is off. */
START_TEST(modelling_error_is_of_second_order_in_stiffness) {
  const struct {
    double w, deviation, error;
  } rows[] = {{10, 2.291, 0.0921}, {20, 2.224, 0.02351}, {40, 2.219, 0.005984}, {80, 2.221, 0.001481}};
  for (int k = 0; k < 4; k++) {
    char settings[64];
    const uint64_t every = (uint64_t)llround(0.01 / (0.04 / rows[k].w));
    double error = 0, deviation = 0;
    struct lab lab;
    snprintf(settings, sizeof settings, "formulation=penalised; stiffness=%g", rows[k].w);
    open_lab(&lab, "double-pendulum", settings, "verlet", 0.01 / (double)every, 0);
    for (int frame = 1; frame < FRAMES; frame++) {
      for (uint64_t i = 0; i < every; i++) {
        steps(&lab, 1);
        deviation = fmax(deviation, look(&lab).position_deviation_max);
      }
      for (int i = 2; i < 4; i++) error = fmax(error, fabs(lab.system.state->q[i] - benchmark.q[frame][i]));
    }
    ck_assert_double_eq_tol(deviation * rows[k].w * rows[k].w, rows[k].deviation, 0.05);
    ck_assert_double_eq_tol(error, rows[k].error, 0.03 * rows[k].error);
    close_lab(&lab);
  }
}
END_TEST

/* --- orders, w = 3, T = 5 --- */

static double coordinate_error(const char *settings, const char *method, double h, const double (*reference)[4]) {
  double worst = 0;
  struct lab lab;
  open_lab(&lab, "double-pendulum", settings, method, h, 0.4);
  for (int frame = 1; frame <= 100; frame++) { /* every 0.05 */
    steps(&lab, (uint64_t)llround(0.05 / h));
    for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(lab.system.state->q[i] - reference[frame][i]));
  }
  close_lab(&lab);
  return worst;
}

/* Between h = 0.0125 and 0.00625, within 0.1 of 2: terms of order 4 are still there. */
START_TEST(orders_agree) {
  const char *const methods[] = {
      "verlet",           "zs", "zss", "zss-simplified", "newmark", "newmark-pushforward", "newmark-onestep:B",
      "newmark-onestep:D"};
  static double reference[101][4];
  struct lab lab;
  open_lab(&lab, "double-pendulum", "formulation=penalised; stiffness=3", "yoshida4", 0.0005, 0);
  for (int frame = 1; frame <= 100; frame++) {
    steps(&lab, 100);
    memcpy(reference[frame], lab.system.state->q, sizeof reference[frame]);
  }
  close_lab(&lab);
  for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
    double coarse = coordinate_error("formulation=penalised; stiffness=3", methods[k], 0.0125, reference);
    double fine = coordinate_error("formulation=penalised; stiffness=3", methods[k], 0.00625, reference);
    ck_assert_msg(fabs(log2(coarse / fine) - 2) < 0.1, "%s: order %.3f", methods[k], log2(coarse / fine));
  }
}
END_TEST

/* --- stability at h = 0.1 --- */

static const struct {
  const char *method;
  double w, time;     /* to run to */
  double least, most; /* time of failure; 0 to 0: none */
} stability[] = {
    {"zs", 30, 50, 0, 0},
    {"zs", 40, 50, 6.9, 8.9},
    {"zs", 2000, 50, 0.1, 0.2},
    {"zs", 22, 1000, 0, 0},
    {"zs", 24, 1000, 400, 500},
    {"zss", 300, 1000, 0, 0},
    {"zss", 500, 1000, 100, 300},
    {"zss-simplified", 2000, 1000, 0, 0},
    {"zss-simplified", 10000, 1000, 0, 0},
    {"newmark-pushforward", 2000, 1000, 0, 0},
    {"newmark", 2000, 1000, 0, 0},
    {"newmark", 10000, 1000, 0, 0},
    {"newmark-onestep:A", 20, 50, 4.4, 5.4},
    {"newmark-onestep:E", 20, 50, 27.8, 29.8},
};

/* A run fails when |g| > 0.5 in the coordinates it moves, or when a number is not finite. */
START_TEST(stability_agrees) {
  char settings[64];
  double failed = 0;
  const double length2[2] = {1, 2};
  struct lab lab;
  snprintf(settings, sizeof settings, "formulation=penalised; stiffness=%g", stability[_i].w);
  open_lab(&lab, "double-pendulum", settings, stability[_i].method, 0.1, 0.4);
  for (uint64_t step = 1; failed == 0 && step <= (uint64_t)llround(stability[_i].time / 0.1); step++) {
    const double *q = lab.system.state->q;
    bool good = try_steps(&lab, 1);
    double g1 = q[0] * q[0] + q[1] * q[1] - length2[0];
    double g2 = (q[2] - q[0]) * (q[2] - q[0]) + (q[3] - q[1]) * (q[3] - q[1]) - length2[1];
    if (!good || !(fabs(g1) <= 0.5 && fabs(g2) <= 0.5)) failed = (double)step * 0.1;
  }
  ck_assert_msg(failed >= stability[_i].least && failed <= stability[_i].most,
                "%s, w = %g: fails at %g (0: does not)", stability[_i].method, stability[_i].w, failed);
  close_lab(&lab);
}
END_TEST

/* At w = 2000 the Gauss-Newton form follows the constrained motion as well as SHAKE does. */
START_TEST(gauss_newton_follows_the_constrained_motion) {
  double to10, to50;
  struct lab lab;
  open_lab(&lab, "double-pendulum", "formulation=penalised; stiffness=2000", "zss-simplified", 0.1, 0.4);
  largest_error(&lab, 0.1, &to10, &to50);
  ck_assert_double_eq_tol(to50, 0.016, 0.002);
  close_lab(&lab);
}
END_TEST

/* --- energy over T = 1000 --- */

START_TEST(energies_agree) {
  const struct {
    const char *method;
    bool drifts;
  } rows[] = {{"zs", false}, {"newmark-onestep:B", true}};
  for (int k = 0; k < 2; k++) {
    double late = 0, slope = 0;
    const int count = 10000;
    struct lab lab;
    open_lab(&lab, "double-pendulum", PENALISED, rows[k].method, 0.1, 0.4);
    for (int step = 1; step <= count; step++) {
      double t = 0.1 * step - 500, e;
      steps(&lab, 1);
      e = energy(&lab) + 3;
      slope += t * e;
      if (step > 9000) late += e / 1000;
    }
    slope /= 1e4 * 1e6 / 12; /* sum of t^2 over 10000 times in -500 ... 500 */
    if (rows[k].drifts) {
      ck_assert_double_eq_tol(late, -0.41, 0.02);
      ck_assert_double_lt(slope, -2e-5);
    } else {
      ck_assert_double_lt(fabs(slope), 5e-6);
    }
    close_lab(&lab);
  }
}
END_TEST

/* --- multipliers --- */

/* SHAKE's multiplier of a step belongs to its start. */
START_TEST(shake_multipliers_agree) {
  double worst = 0;
  struct lab lab;
  open_lab(&lab, "double-pendulum", CONSTRAINED, "shake", 0.01, 0);
  ck_assert(isnan(lab.system.state->step_multiplier[0]));
  for (int frame = 0; frame + 1 < FRAMES; frame++) {
    steps(&lab, 1);
    for (int c = 0; c < 2; c++)
      worst = fmax(worst, fabs(lab.system.state->step_multiplier[c] - benchmark.lambda[frame][c]));
  }
  ck_assert_double_eq_tol(worst, 0.00108, 1e-4);
  close_lab(&lab);
}
END_TEST

/* What is observed belongs to the state that is observed, from the start on, and for compositions as well. */
static double observed_multiplier_error(const char *method, const char *composition, bool late) {
  struct rill_binding_options options = usual_options(0.01, 0);
  double worst = 0;
  struct lab lab;
  ck_assert_int_eq(open_system("double-pendulum", CONSTRAINED, &lab.system), RILL_OK);
  lab.done = 0;
  if (composition != NULL) options.composition = rill_composition_find(composition);
  ck_assert_msg(rill_integrator_create(rill_method_find(method), &lab.system, &options, &lab.integrator,
                                       &fixture_error) == RILL_OK,
                "%s", fixture_error.text);
  for (int frame = 0; frame < 500; frame++) {
    if (frame > 0) steps(&lab, 1);
    look(&lab);
    for (int c = 0; c < 2; c++)
      worst = fmax(worst, fabs(lab.system.state->multiplier[c] - benchmark.lambda[frame + late][c]));
  }
  close_lab(&lab);
  return worst;
}

START_TEST(observed_multipliers_belong_to_the_state) {
  ck_assert_double_lt(observed_multiplier_error("rattle", NULL, false), 1e-3); /* of second order in h */
  ck_assert_double_lt(observed_multiplier_error("shake", NULL, false), 1e-3);
  ck_assert_double_lt(observed_multiplier_error("dvp", NULL, false), 1e-3);
  ck_assert_double_lt(observed_multiplier_error("rattle", "yoshida4", false), 1e-6);
  ck_assert_double_gt(observed_multiplier_error("rattle", "yoshida4", true), 5e-3); /* the mutant: a row late */
}
END_TEST

/* The position of the start is q = x + beta h^2 a with a of the method's filter. */
START_TEST(positions_of_the_start_are_filtered) {
  static const char *const cases[] = {"zss", "zs", "newmark-pushforward"};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct lab lab;
    double position[4], x[4], off = 0;
    open_lab(&lab, "double-pendulum", "formulation=penalised; stiffness=20", cases[i], 0.1, 0.4);
    look(&lab);
    memcpy(position, lab.system.state->position, sizeof position);
    memcpy(x, lab.system.state->q, sizeof x);
    for (int k = 0; k < 4; k++) off = fmax(off, fabs(position[k] - x[k]));
    ck_assert_double_gt(off, 1e-3);
    steps(&lab, 1); /* the word ends in the filter, so that a step back makes the same position anew */
    for (size_t k = 0; k < lab.system.state->n; k++) lab.system.state->p[k] = -lab.system.state->p[k];
    steps(&lab, 1);
    look(&lab);
    for (int k = 0; k < 4; k++) ck_assert_double_eq_tol(lab.system.state->position[k], position[k], 1e-11);
    close_lab(&lab);
  }
}
END_TEST

/* -w^2 (g(x) + Dg (q - x)) of Z&S at h = 0.01, averaged over the 20 samples from 10 before each time. */
static double multiplier_error(double w, bool physical) {
  static double raw[FRAMES][2];
  double squares = 0;
  int count = 0;
  char settings[64];
  struct lab lab;
  snprintf(settings, sizeof settings, "formulation=penalised; stiffness=%g", w);
  open_lab(&lab, "double-pendulum", settings, "zs", 0.01, 0.4);
  for (int frame = 0; frame < FRAMES; frame++) {
    const double *q = lab.system.state->q;
    if (frame > 0) steps(&lab, 1);
    look(&lab);
    raw[frame][0] = physical ? lab.system.state->multiplier[0] : -w * w * (q[0] * q[0] + q[1] * q[1] - 1);
    raw[frame][1] = physical ? lab.system.state->multiplier[1]
                             : -w * w * ((q[2] - q[0]) * (q[2] - q[0]) + (q[3] - q[1]) * (q[3] - q[1]) - 2);
  }
  for (int frame = 10; frame + 10 < FRAMES; frame++, count++)
    for (int c = 0; c < 2; c++) {
      double average = 0;
      for (int i = -10; i < 10; i++) average += raw[frame + i][c] / 20;
      squares += pow(average - benchmark.lambda[frame][c], 2);
    }
  close_lab(&lab);
  return sqrt(squares / (2.0 * count));
}

START_TEST(penalty_multipliers_agree) {
  ck_assert_double_eq_tol(multiplier_error(20, false), 0.0524, 1e-4);
  ck_assert_double_eq_tol(multiplier_error(20, true), 0.050, 5e-4);
  ck_assert_double_eq_tol(multiplier_error(80, true), 0.0123, 1e-4);
}
END_TEST

/* --- the chain of ten against RATTLE at h = 0.00125 --- */

enum { CHAIN_FRAMES = 400 };
static double chain[CHAIN_FRAMES + 1][20];

START_TEST(chain_errors_agree) {
  const struct {
    const char *settings, *method;
    double h, error;
  } rows[] = {
      {CONSTRAINED, "shake", 0.05, 1.72e-3}, {CONSTRAINED, "shake", 0.025, 0.0004277},
      {PENALISED, "zs", 0.05, 0.01668},      {PENALISED, "zs", 0.025, 0.01612},
      {PENALISED, "newmark", 0.05, 1.57e-2}, {PENALISED, "newmark-onestep:B", 0.05, 0.2811},
  };
  struct lab lab;
  open_lab(&lab, "pendulum-chain", CONSTRAINED, "rattle", 0.00125, 0);
  for (int frame = 1; frame <= CHAIN_FRAMES; frame++) {
    steps(&lab, 40);
    memcpy(chain[frame], lab.system.state->q, sizeof chain[frame]);
  }
  close_lab(&lab);
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    double worst = 0;
    open_lab(&lab, "pendulum-chain", rows[k].settings, rows[k].method, rows[k].h, 0.4);
    for (int frame = 1; frame <= CHAIN_FRAMES; frame++) {
      steps(&lab, (uint64_t)llround(0.05 / rows[k].h));
      for (int i = 0; i < 20; i++) worst = fmax(worst, fabs(lab.system.state->q[i] - chain[frame][i]));
    }
    ck_assert_msg(fabs(worst - rows[k].error) <= 0.05 * rows[k].error, "%s, h = %g: %.4g", rows[k].method, rows[k].h,
                  worst);
    close_lab(&lab);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("tao-owhadi");
  TCase *tests = tcase_create("tao-owhadi");
  tcase_set_timeout(tests, 120);
  make_benchmark();
  tcase_add_loop_test(tests, values_agree, 0, sizeof values / sizeof values[0]);
  tcase_add_loop_test(tests, dna_agrees, 0, sizeof dna / sizeof dna[0]);
  tcase_add_test(tests, dna_changes_wells);
  tcase_add_test(tests, dna_verlet_is_stable_to_0_9);
  tcase_add_test(tests, benchmark_agrees);
  tcase_add_loop_test(tests, errors_agree, 0, sizeof errors / sizeof errors[0]);
  tcase_add_test(tests, modelling_error_is_of_second_order_in_stiffness);
  tcase_add_test(tests, orders_agree);
  tcase_add_loop_test(tests, stability_agrees, 0, sizeof stability / sizeof stability[0]);
  tcase_add_test(tests, gauss_newton_follows_the_constrained_motion);
  tcase_add_test(tests, energies_agree);
  tcase_add_test(tests, shake_multipliers_agree);
  tcase_add_test(tests, penalty_multipliers_agree);
  tcase_add_test(tests, observed_multipliers_belong_to_the_state);
  tcase_add_test(tests, positions_of_the_start_are_filtered);
  tcase_add_test(tests, chain_errors_agree);
  suite_add_tcase(suite, tests);
  return rill_run_suite(suite);
}
