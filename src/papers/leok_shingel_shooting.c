/* The paper leaves initial values and times of its errors open.  Here they are (q, p) = (1, 0), whose energies lie in
 * the printed ranges of the axes, and t = 10; expected values are those of independent programs with these settings,
 * and the orders that the text states.  The systems start there by default.
 *
 * SVIMID's midpoint rule is the implicit one, which alone makes the symmetric method that the text speaks of; the
 * two-stage symplectic Runge-Kutta method SRK4 is Gauss's, a Galerkin method of degree 2. */
#include "papers/leok_shingel_shooting.h"

#include <math.h>
#include <stdio.h>

#include "base/timers.h"
#include "integrators/registry.h"
#include "papers/emit.h"
#include "papers/motion.h"

/* --- runs --- */

struct choice {
  const char *label, *method;
  struct rill_method_options options;
  int order;                           /* printed */
  const char *error[3], *least, *most; /* in digits: at t = 10 by steps; energies, h = 0.2, t <= 300 */
};

static enum rill_status begin(struct rill_motion *motion, const char *kind, const char *method,
                              const struct rill_method_options *options, double h, struct rill_error *error) {
  return rill_motion_begin(motion, kind, "", rill_method_find(method), options, NULL, h, error);
}

static enum rill_status observe_energy(struct rill_motion *motion, double *energy, struct rill_error *error) {
  struct rill_observation observation;
  RILL_TRY(motion->system.ops->observe(motion->system.self, &observation, error));
  *energy = observation.kinetic + observation.potential;
  return RILL_OK;
}

static enum rill_status run_to(const char *kind, const char *method, const struct rill_method_options *options,
                               double h, double time, double z[2], double *seconds, struct rill_error *error) {
  struct rill_motion motion;
  enum rill_status status;
  double begun;
  RILL_TRY(begin(&motion, kind, method, options, h, error));
  begun = rill_clock();
  status = rill_motion_go(&motion, (uint64_t)llround(time / h), error);
  *seconds = rill_clock() - begun;
  z[0] = motion.system.state->q[0];
  z[1] = motion.system.state->p[0];
  rill_motion_end(&motion);
  return status;
}

/* --- (a) and (b): global error against step and time of a run --- */

static const double error_time = 10, steps[] = {0.2, 0.1, 0.05, 0.025, 0.0125};
enum { STEPS = sizeof steps / sizeof steps[0], PRINTED_STEPS = 3, REPEATS = 5 };

static enum rill_status find_error(const char *kind, const struct choice *choice, double h, double *most,
                                   double *seconds, struct rill_error *error) {
  static const struct rill_method_options fine = {.degree = 12};
  double exact[2], z[2], ignored;
  RILL_TRY(run_to(kind, "galerkin", &fine, 0.25, error_time, exact, &ignored, error));
  *seconds = INFINITY;
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    double one;
    RILL_TRY(run_to(kind, choice->method, &choice->options, h, error_time, z, &one, error));
    *seconds = fmin(*seconds, one);
  }
  *most = fmax(fabs(z[0] - exact[0]), fabs(z[1] - exact[1]));
  return RILL_OK;
}

static enum rill_status emit_errors(const struct rill_report *report, const char *kind, const struct choice *choice,
                                    double finest[2]) {
  static const char *const columns[] = {"h", "global error", "CPU time"};
  double found[STEPS], seconds;
  char curve[64];
  snprintf(curve, sizeof curve, "%s, error", choice->label);
  RILL_TRY(rill_emit_curve(report, curve, columns, 3));
  for (int i = 0; i < STEPS; i++) {
    RILL_TRY(find_error(kind, choice, steps[i], &found[i], &seconds, report->error));
    RILL_TRY(rill_emit_point(report, (double[]){steps[i], found[i], seconds}));
  }
  for (int i = 0; i < PRINTED_STEPS; i++)
    RILL_TRY(rill_emit(report, "global error at t = 10", rill_independent(choice->error[i]), found[i],
                       "method = %s, h = %g", choice->label, steps[i]));
  finest[0] = found[STEPS - 2];
  finest[1] = found[STEPS - 1];
  /* At these steps the remainder of the next order is below 0.002. */
  return rill_emit(report, "order of the global error", rill_expect(RILL_SOURCE_PAPER, choice->order, 0.005),
                   log2(finest[0] / finest[1]), "method = %s, h = %g to %g", choice->label, steps[STEPS - 2],
                   steps[STEPS - 1]);
}

/* --- (c): energy against time --- */

enum { ENERGY_STEPS = 15000, SHOWN_FROM = 1000, SHOWN_TO = 1500, TENTH = ENERGY_STEPS / 10 };
static const double energy_step = 0.2;

/* Extremes of the energy over 0 < t <= 300, and widths of its bands in the first and last tenth of t <= 3000. */
struct band {
  double least, most, first, last;
};

static enum rill_status emit_energies(const struct rill_report *report, const char *kind, const struct choice *choice,
                                      struct band *band) {
  static const char *const columns[] = {"t", "H"};
  double low[10], high[10];
  char curve[64];
  struct rill_motion motion;
  enum rill_status status;
  RILL_TRY(begin(&motion, kind, choice->method, &choice->options, energy_step, report->error));
  snprintf(curve, sizeof curve, "%s, energy", choice->label);
  status = rill_emit_curve(report, curve, columns, 2);
  *band = (struct band){.least = INFINITY, .most = -INFINITY};
  for (int i = 0; i < 10; i++) low[i] = INFINITY, high[i] = -INFINITY;
  for (int k = 0; status == RILL_OK && k < ENERGY_STEPS; k++) {
    double energy = NAN;
    status = observe_energy(&motion, &energy, report->error);
    low[k / TENTH] = fmin(low[k / TENTH], energy), high[k / TENTH] = fmax(high[k / TENTH], energy);
    if (k > 0 && k <= SHOWN_TO) band->least = fmin(band->least, energy), band->most = fmax(band->most, energy);
    if (status == RILL_OK && k >= SHOWN_FROM && k <= SHOWN_TO)
      status = rill_emit_point(report, (double[]){k * energy_step, energy});
    if (status == RILL_OK) status = rill_motion_go(&motion, 1, report->error);
  }
  rill_motion_end(&motion);
  RILL_TRY(status);
  band->first = high[0] - low[0];
  band->last = high[9] - low[9];
  RILL_TRY(rill_emit(report, "least energy, t <= 300", rill_independent(choice->least), band->least,
                     "method = %s, h = %g", choice->label, energy_step));
  RILL_TRY(rill_emit(report, "largest energy, t <= 300", rill_independent(choice->most), band->most,
                     "method = %s, h = %g", choice->label, energy_step));
  /* No drift; 0.2 % is the effect of the samples' phase on the extremes of 1500 samples. */
  return rill_emit(report, "energy band, last tenth of t <= 3000 to first", rill_exact(1, 2e-3),
                   band->last / band->first, "method = %s, h = %g", choice->label, energy_step);
}

/* The ratio of two numbers; its tolerance follows from the digits of the two. */
static enum rill_status emit_ratio(const struct rill_report *report, const char *quantity, struct rill_expected above,
                                   struct rill_expected below, double ours, const char *setting) {
  const double ratio = above.value / below.value;
  const double tolerance = ratio * (above.tolerance / fabs(above.value) + below.tolerance / fabs(below.value));
  return rill_emit(report, quantity, rill_expect(RILL_SOURCE_INDEPENDENT, ratio, tolerance), ours, "%s", setting);
}

static struct rill_expected width(const struct choice *choice) {
  struct rill_expected most = rill_independent(choice->most), least = rill_independent(choice->least);
  return rill_expect(RILL_SOURCE_INDEPENDENT, most.value - least.value, most.tolerance + least.tolerance);
}

/* --- the figures --- */

static const struct choice pendulum_mid[] = {{.label = "MID",
                                              .method = "implicit-midpoint",
                                              .order = 2,
                                              .error = {"1.979e-2", "4.957e-3", "1.240e-3"},
                                              .least = "-0.54030233",
                                              .most = "-0.53995265"},
                                             {.label = "SVIMID",
                                              .method = "shooting",
                                              .options = {.base = RILL_BASE_IMPLICIT_MIDPOINT},
                                              .order = 2,
                                              .error = {"1.485e-2", "3.725e-3", "9.321e-4"},
                                              .least = "-0.54806691",
                                              .most = "-0.54030232"}};
static const struct choice pendulum_rk4[] = {{.label = "SRK4",
                                              .method = "galerkin",
                                              .options = {.degree = 2},
                                              .order = 4,
                                              .error = {"1.084e-5", "6.784e-7", "4.242e-8"},
                                              .least = "-0.54030231",
                                              .most = "-0.54030170"},
                                             {.label = "SVIRK4",
                                              .method = "shooting",
                                              .options = {.base = RILL_BASE_RK4},
                                              .order = 4,
                                              .error = {"6.477e-6", "4.066e-7", "2.544e-8"},
                                              .least = "-0.54030282",
                                              .most = "-0.54029467"}};
static const struct choice oscillator[] = {
    {.label = "sviRK4EM",
     .method = "shooting",
     .options = {.base = RILL_BASE_RK4, .quadrature = {RILL_ACTION_EULER_MACLAURIN, 2}},
     .order = 4,
     .error = {"1.225e-4", "7.724e-6", "4.839e-7"},
     .least = "0.49997757",
     .most = "0.50000006"},
    {.label = "sviRK4Sim",
     .method = "shooting",
     .options = {.base = RILL_BASE_RK4},
     .order = 4,
     .error = {"4.480e-6", "2.819e-7", "1.767e-8"},
     .least = "0.50000000",
     .most = "0.50000976"}};

/* Both methods: first all errors, then all energies, so that each kind of curve is in its own file. */
static enum rill_status compare(const struct rill_report *report, const char *kind, const struct choice pair[2],
                                double finest[2][2], struct band band[2]) {
  for (int i = 0; i < 2; i++) RILL_TRY(emit_errors(report, kind, &pair[i], finest[i]));
  for (int i = 0; i < 2; i++) RILL_TRY(emit_energies(report, kind, &pair[i], &band[i]));
  return RILL_OK;
}

static enum rill_status figure_2(const struct rill_result_sink *sink, struct rill_error *error) {
  const struct rill_report report = {sink, error};
  double finest[2][2];
  struct band band[2];
  return compare(&report, "simple-pendulum", pendulum_mid, finest, band);
}

static enum rill_status figure_3(const struct rill_result_sink *sink, struct rill_error *error) {
  const struct rill_report report = {sink, error};
  double finest[2][2];
  struct band band[2];
  RILL_TRY(compare(&report, "simple-pendulum", pendulum_rk4, finest, band));
  return emit_ratio(&report, "energy band, SVIRK4 to SRK4", width(&pendulum_rk4[1]), width(&pendulum_rk4[0]),
                    (band[1].most - band[1].least) / (band[0].most - band[0].least), "h = 0.2");
}

static enum rill_status figure_4(const struct rill_result_sink *sink, struct rill_error *error) {
  const struct rill_report report = {sink, error};
  double finest[2][2];
  struct band band[2];
  RILL_TRY(compare(&report, "harmonic-oscillator", oscillator, finest, band));
  RILL_TRY(emit_ratio(&report, "global error at t = 10, sviRK4EM to sviRK4Sim", rill_independent("3.026e-8"),
                      rill_independent("1.106e-9"), finest[0][0] / finest[1][0], "h = 0.025"));
  return emit_ratio(&report, "energy band, sviRK4EM to sviRK4Sim", width(&oscillator[0]), width(&oscillator[1]),
                    (band[0].most - band[0].least) / (band[1].most - band[1].least), "h = 0.2");
}

static const struct rill_result results[] = {
    {"leok-shingel-figure-2", "pendulum: shooting from the implicit midpoint rule, and that rule", figure_2},
    {"leok-shingel-figure-3", "pendulum: shooting from RK4 with Simpson's rule, and Gauss's Runge-Kutta method",
     figure_3},
    {"leok-shingel-figure-4", "oscillator: shooting from RK4 with Simpson's and the Euler-Maclaurin rule", figure_4},
};

const struct rill_result *rill_leok_shingel_shooting_results(size_t *count) {
  *count = sizeof results / sizeof results[0];
  return results;
}
