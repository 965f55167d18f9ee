/* Settings that the paper leaves open were found by trial (only these give its digits): errors (5.10) take a sample
 * every 0.1 s with t = 0, N = 301; the Euler step that starts the rigid body is normalised; the double spherical
 * pendulum runs for 30 s; the energy of a DVP run is that of a pair, v.L_v - L at its midpoint, and its momentum that
 * of -h D2 L.
 *
 * The printed data of the pendulum are rounded too far for the printed energies and momenta (0.02 % and 0.003 % off).
 * So the tolerances of table 2 are half a unit of the last printed digit and two standard deviations of what rounding
 * the eight data to three decimals does (each uniform within half a unit, to first order, by differences). */
#include "papers/wendlandt_marsden.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/discrete_lagrangian.h"
#include "integrators/registry.h"
#include "numerics/quaternion.h"
#include "numerics/rigid_body_exact.h"
#include "papers/emit.h"

static const double sampling = 0.1, start_step = 1e-5, standard_step = 1e-4;

enum { LARGEST = 6 };

/* --- runs --- */

static enum rill_status system_create(const char *name, const double *data, struct rill_system *system,
                                      struct rill_error *error) {
  const struct rill_system_type *type = rill_system_type_find(name);
  struct rill_parameter_value values[RILL_PARAMETERS];
  RILL_TRY(rill_parameters_default(type, values, error));
  if (data != NULL) {
    memcpy(values[rill_parameter_index(type, "position")].number, data, 4 * sizeof *data);
    memcpy(values[rill_parameter_index(type, "velocity")].number, data + 4, 4 * sizeof *data);
  }
  return type->create(values, system, error);
}

static enum rill_status integrator_create(const char *method, struct rill_system *system, double h,
                                          struct rill_integrator **integrator, struct rill_error *error) {
  const struct rill_binding_options options = {.step = h, .insertion = RILL_NO_BATH, .geodesic_steps = 1};
  return rill_integrator_create(rill_method_find(method), system, &options, integrator, error);
}

static enum rill_status advance(struct rill_system *system, const char *method, double h, unsigned long steps,
                                struct rill_error *error) {
  struct rill_integrator *integrator = NULL;
  enum rill_status status = integrator_create(method, system, h, &integrator, error);
  for (unsigned long k = 0; status == RILL_OK && k < steps; k++)
    status = rill_integrator_step(integrator, k, false, error);
  rill_integrator_destroy(integrator);
  return status;
}

static void copy(double *to, const double *from, size_t n) { memcpy(to, from, n * sizeof *to); }

/* lambda_n of (4.5) from three points, by least squares; exact where the equation holds. */
static void multiplier(const struct rill_lagrangian *lagrangian, double h, const double *before, const double *q,
                       const double *after, double *lambda) {
  double work[4 * LARGEST], leaving[LARGEST], arriving[LARGEST], dg[2 * LARGEST], right[2] = {0}, a = 0, b = 0, d = 0;
  size_t n = lagrangian->n, m = lagrangian->m;
  rill_discrete_pair(lagrangian, h, before, q, NULL, arriving, NULL, work);
  rill_discrete_pair(lagrangian, h, q, after, leaving, NULL, NULL, work);
  lagrangian->ops->jacobian(lagrangian->self, q, dg);
  if (m == 1) copy(dg + n, (double[LARGEST]){0}, n);
  for (size_t i = 0; i < n; i++) { /* D2 L(q_n-1, q_n) + D1 L(q_n, q_n+1) = arriving - leaving = -h Dg^T lambda */
    double rest = (leaving[i] - arriving[i]) / h;
    right[0] += dg[i] * rest;
    right[1] += dg[n + i] * rest;
    a += dg[i] * dg[i];
    b += dg[i] * dg[n + i];
    d += dg[n + i] * dg[n + i];
  }
  if (m == 1) d = 1;
  lambda[0] = (d * right[0] - b * right[1]) / (a * d - b * b);
  lambda[1] = m == 1 ? NAN : (a * right[1] - b * right[0]) / (a * d - b * b);
}

static enum rill_status take_sample(struct rill_system *system, bool pair, double h, const double *before,
                                    const double *q, const double *momentum, struct rill_wm_sample *sample,
                                    struct rill_error *error) {
  struct rill_observation observation;
  double work[4 * LARGEST];
  RILL_TRY(system->ops->observe(system->self, &observation, error));
  copy(sample->q, q, system->state->n);
  copy(sample->momentum, momentum, 3);
  sample->multiplier[0] = sample->multiplier[1] = NAN;
  if (!pair) return RILL_OK;
  rill_discrete_pair(system->lagrangian, h, q, system->state->q, NULL, NULL, &sample->energy, work);
  if (before != NULL) multiplier(system->lagrangian, h, before, q, system->state->q, sample->multiplier);
  return RILL_OK;
}

/* Runs from the system's state at t = 0: 300 sample intervals and, for the energy of the last pair, one more step. */
static enum rill_status run_samples(struct rill_system *system, const char *method, bool pair,
                                    struct rill_wm_run *run, struct rill_error *error) {
  struct rill_integrator *integrator = NULL;
  enum rill_status status = integrator_create(method, system, run->h, &integrator, error);
  const size_t n = system->state->n;
  double before[LARGEST] = {0}, q[LARGEST] = {0};
  unsigned long last = (RILL_WM_SAMPLES - 1) * run->steps_per_sample;
  double started = rill_clock();
  run->iterations = 0;
  for (unsigned long k = 0; status == RILL_OK && k <= last; k++) {
    bool sampled = k % run->steps_per_sample == 0;
    struct rill_wm_sample *sample = &run->sample[k / run->steps_per_sample];
    struct rill_observation at = {0};
    if (sampled) status = system->ops->observe(system->self, &at, error);
    if (status != RILL_OK) break;
    sample->energy = sampled ? at.kinetic + at.potential : sample->energy;
    copy(before, q, n);
    copy(q, system->state->q, n);
    status = rill_integrator_step(integrator, k, false, error);
    run->iterations += system->state->iterations;
    if (status == RILL_OK && sampled)
      status = take_sample(system, pair, run->h, k > 0 ? before : NULL, q, at.angular_momentum, sample, error);
  }
  run->cpu_time = rill_clock() - started;
  run->iterations /= (double)(last + 1);
  rill_integrator_destroy(integrator);
  run->energy_min = run->momentum_min = INFINITY;
  run->energy_max = run->momentum_max = -INFINITY;
  for (int i = 0; i < RILL_WM_SAMPLES; i++) {
    run->energy_min = fmin(run->energy_min, run->sample[i].energy);
    run->energy_max = fmax(run->energy_max, run->sample[i].energy);
    run->momentum_min = fmin(run->momentum_min, run->sample[i].momentum[2]);
    run->momentum_max = fmax(run->momentum_max, run->sample[i].momentum[2]);
  }
  return status;
}

static enum rill_status set_step(double h, struct rill_wm_run *run, struct rill_error *error) {
  double steps = round(sampling / h);
  if (!(h > 0) || fabs(steps * h - sampling) > 1e-12)
    return rill_error_set(error, RILL_ERROR_INPUT, "step %g s: 0.1 s must be a whole number of steps", h);
  run->h = h;
  run->steps_per_sample = (unsigned long)steps;
  return RILL_OK;
}

/* The two-point run from (q0, q1) as a one-step run: p_0 = -D1 Ld(q0, q1). */
static void start_from_pair(struct rill_system *system, double h, const double *q0, const double *q1) {
  double work[4 * LARGEST];
  copy(system->state->q, q0, system->state->n);
  rill_discrete_pair(system->lagrangian, h, q0, q1, system->state->p, NULL, NULL, work);
}

/* The normalised Euler step of 1e-5 s, then DVP at that step up to t = h; standard energy and momentum are the first
 * pair's. */
static enum rill_status rigid_body_second_point(struct rill_system *system, double h, double *q1,
                                                struct rill_wm_run *run, struct rill_error *error) {
  static const double q0[4] = {1, 0, 0, 0}, half_rate[4] = {0, 0, 1.5, 2};
  struct rill_observation observation;
  double work[4 * LARGEST], rate[4];
  rill_quaternion_multiply(q0, half_rate, rate);
  for (int i = 0; i < 4; i++) q1[i] = q0[i] + start_step * rate[i];
  rill_quaternion_normalise(q1);
  start_from_pair(system, start_step, q0, q1);
  RILL_TRY(system->ops->observe(system->self, &observation, error));
  copy(run->standard_momentum, observation.angular_momentum, 3);
  rill_discrete_pair(system->lagrangian, start_step, q0, q1, NULL, NULL, &run->standard_energy, work);
  RILL_TRY(advance(system, "dvp", start_step, (unsigned long)lround(h / start_step), error));
  copy(q1, system->state->q, 4);
  return RILL_OK;
}

enum rill_status rill_wm_rigid_body(double h, enum rill_wm_start start, struct rill_wm_run *run,
                                    struct rill_error *error) {
  static const double q0[4] = {1, 0, 0, 0}, inertia[3] = {1, 2, 3}, omega[3] = {0, 3, 4};
  struct rill_system system;
  enum rill_status status;
  double q1[4], ignored[3];
  RILL_TRY(set_step(h, run, error));
  RILL_TRY(system_create("rigid-body", NULL, &system, error));
  status = rigid_body_second_point(&system, start == RILL_WM_EXACT ? 0 : h, q1, run, error);
  if (start == RILL_WM_EXACT) {
    struct rill_rigid_body_exact exact;
    rill_rigid_body_exact_set(&exact, inertia, omega, q0);
    rill_rigid_body_exact_at(&exact, h, q1, ignored);
  }
  if (status == RILL_OK) {
    start_from_pair(&system, h, q0, q1);
    status = run_samples(&system, "dvp", true, run, error);
  }
  system.ops->destroy(system.self);
  return status;
}

enum rill_status rill_wm_double_spherical(const char *method, double h, enum rill_wm_start start, const double *data,
                                          struct rill_wm_run *run, struct rill_error *error) {
  bool pair = strcmp(method, "dvp") == 0;
  struct rill_system system;
  enum rill_status status = RILL_OK;
  double q0[LARGEST], q1[LARGEST];
  RILL_TRY(set_step(h, run, error));
  RILL_TRY(system_create("double-spherical-pendulum", data, &system, error));
  if (pair) {
    copy(q0, system.state->q, 6);
    status = start == RILL_WM_EXACT ? advance(&system, "yoshida4", h / 64, 64, error)
                                    : advance(&system, "energy-momentum", standard_step,
                                              (unsigned long)lround(h / standard_step), error);
    copy(q1, system.state->q, 6);
    start_from_pair(&system, h, q0, q1);
  }
  if (status == RILL_OK) status = run_samples(&system, method, pair, run, error);
  system.ops->destroy(system.self);
  return status;
}

/* --- errors (5.10) --- */

double rill_wm_position_error(const struct rill_wm_run *run, const struct rill_wm_run *standard, int m) {
  double sum = 0;
  for (int i = 0; i < RILL_WM_SAMPLES; i++) {
    double square = 0;
    for (int k = 0; k < m; k++) {
      double difference = run->sample[i].q[k] - standard->sample[i].q[k];
      square += difference * difference;
    }
    sum += sqrt(square);
  }
  return sum / (RILL_WM_SAMPLES * m);
}

static double rigid_energy_error(const struct rill_wm_run *run) {
  double sum = 0;
  for (int i = 0; i < RILL_WM_SAMPLES; i++) sum += fabs(run->sample[i].energy - run->standard_energy);
  return sum / RILL_WM_SAMPLES;
}

static double rigid_momentum_error(const struct rill_wm_run *run) {
  double sum = 0;
  for (int i = 0; i < RILL_WM_SAMPLES; i++) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
      double difference = run->sample[i].momentum[k] - run->standard_momentum[k];
      square += difference * difference;
    }
    sum += sqrt(square);
  }
  return sum / (RILL_WM_SAMPLES * 3);
}

static double pendulum_energy_error(const struct rill_wm_run *run, const struct rill_wm_run *standard) {
  double sum = 0;
  for (int i = 0; i < RILL_WM_SAMPLES; i++) sum += fabs(run->sample[i].energy - standard->sample[i].energy);
  return sum / RILL_WM_SAMPLES;
}

static double pendulum_momentum_error(const struct rill_wm_run *run, const struct rill_wm_run *standard) {
  double sum = 0;
  for (int i = 0; i < RILL_WM_SAMPLES; i++) sum += fabs(run->sample[i].momentum[2] - standard->sample[i].momentum[2]);
  return sum / RILL_WM_SAMPLES;
}

/* --- what is printed, from the small step to the large one --- */

enum { STEPS = 4, SMALLEST = 0, LARGEST_STEP = 3 };
static const double steps[STEPS] = {1e-4, 1e-3, 1e-2, 1e-1};
static const char *const step_names[STEPS] = {"h = 0.0001 s", "h = 0.001 s", "h = 0.01 s", "h = 0.1 s"};

/* A printed column; more: what is added to half a unit of the last digit. */
struct column {
  const char *digits[STEPS];
  double more[STEPS];
};

/* At 1e-4 s by round-off, from differences of velocities over so short a step: energies within half of the range that
 * the text quotes, 1e-8; momenta by 1e-9 a component, as the text says. */
static const struct column rigid_position = {{NULL, "3.960e-6", "3.997e-4", "3.648e-2"}, {0}};
static const struct column rigid_energy = {{"6.256e-7", "6.274e-5", "6.274e-3", "6.217e-1"}, {5e-9}};
static const struct column rigid_momentum = {{"1.671e-7", "1.687e-5", "1.687e-3", "1.665e-1"}, {5.8e-10}};
static const char *const rigid_time[STEPS] = {"97.620", "9.905", "1.397", "0.301"};

/* From the rounding of the data, as above; at 1e-4 s from round-off, which an energy-momentum run in double precision
 * shows (1.2e-7 J and 8e-8 kg m2/s, by an independent program). */
static const struct column dvp_position = {{NULL, "1.146e-5", "1.135e-3", "9.576e-2"}, {0, 4.7e-8, 4.7e-6, 3.2e-4}};
static const struct column em_position = {{NULL, "1.214e-5", "1.225e-3", "1.184e-1"}, {0, 4.3e-8, 4.3e-6, 5.6e-4}};
static const struct column dvp_energy = {{"6.475e-6", "3.269e-4", "3.224e-2", "2.665"},
                                         {1.2e-7, 1.7e-7, 1.7e-5, 2.6e-3}};
static const struct column dvp_momentum = {{"2.547e-6", "1.707e-4", "1.696e-2", "1.560"},
                                           {8e-8, 3.6e-8, 3.6e-6, 7.5e-4}};
static const double data_energy = 0.054, data_momentum = 0.025, data_range = 1.6e-3; /* J, kg m2/s, relative */
static const char *const dvp_time[STEPS] = {"73.648", "9.065", "1.152", "0.211"};
static const char *const em_time[STEPS] = {"103.871", "13.250", "1.549", "0.263"};

static struct rill_expected entry(const struct column *column, int step) {
  return rill_loosened(rill_paper(column->digits[step]), column->more[step]);
}

/* --- emission --- */

/* A result that is being computed. */
struct report {
  struct rill_report rows;
  const char *system;
  struct rill_wm_run first[STEPS], second[STEPS]; /* runs that it needs, by step; of the pendulum: DVP and EM */
};

static enum rill_status emit(struct report *report, const char *quantity, const char *step, const char *method,
                             struct rill_expected expected, double ours) {
  return rill_emit(&report->rows, quantity, expected, ours, "%s, method = %s, %s", step, method, report->system);
}

static const char other_computer[] = "the paper's computer was a workstation of 1996: its times are not comparable";

static enum rill_status emit_time(struct report *report, int step, const char *method, const char *printed,
                                  const struct rill_wm_run *run) {
  RILL_TRY(rill_emit_data(&report->rows, "time of the run, s", run->cpu_time, other_computer,
                          "%s, method = %s, %s (printed: %s)", step_names[step], method, report->system, printed));
  return rill_emit_data(&report->rows, "Newton iterations per step", run->iterations, NULL, "%s, method = %s, %s",
                        step_names[step], method, report->system);
}

/* One curve of `count` columns besides the abscissa; values: [rows][count + 1]. */
static enum rill_status emit_curve(struct report *report, const char *name, const char *const *columns, size_t count,
                                   const double *values, size_t rows) {
  RILL_TRY(rill_emit_curve(&report->rows, name, columns, count + 1));
  for (size_t i = 0; i < rows; i++) RILL_TRY(rill_emit_point(&report->rows, values + i * (count + 1)));
  return RILL_OK;
}

static bool drawn(const struct report *report) { return report->rows.sink->curve != NULL; }

/* Sets of steps, as bits. */
enum { ALL = 15, ENDS = 9 };

static enum rill_status make_rigid_runs(struct report *report, unsigned which) {
  report->system = "rigid body";
  for (int i = 0; i < STEPS; i++)
    if (which >> i & 1) RILL_TRY(rill_wm_rigid_body(steps[i], RILL_WM_PAPER, &report->first[i], report->rows.error));
  return RILL_OK;
}

static enum rill_status make_pendulum_run(struct report *report, const char *method, int step,
                                          struct rill_wm_run *run) {
  return rill_wm_double_spherical(method, steps[step], RILL_WM_PAPER, NULL, run, report->rows.error);
}

static enum rill_status make_pendulum_runs(struct report *report, unsigned dvp, unsigned em) {
  report->system = "pendulum";
  for (int i = 0; i < STEPS; i++) {
    if (dvp >> i & 1) RILL_TRY(make_pendulum_run(report, "dvp", i, &report->first[i]));
    if (em >> i & 1) RILL_TRY(make_pendulum_run(report, "energy-momentum", i, &report->second[i]));
  }
  return RILL_OK;
}

static enum rill_status with_report(enum rill_status (*rows)(struct report *report),
                                    const struct rill_result_sink *sink, struct rill_error *error) {
  struct report *report = rill_allocate(1, sizeof *report);
  enum rill_status status;
  if (report == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the runs of a table");
  report->rows = (struct rill_report){sink, error};
  status = rows(report);
  rill_release(report);
  return status;
}

/* --- orders, from known solutions --- */

/* Two runs, the second with half the step: order 2 and the limit of what is of second order. */
static double order_of(const double error[2]) { return log2(error[0] / error[1]); }
static double limit_of(const double value[2]) { return (4 * value[1] - value[0]) / 3; }

/* The closed form at the times of the samples. */
static void exact_body(struct rill_wm_run *exact) {
  static const double q0[4] = {1, 0, 0, 0}, inertia[3] = {1, 2, 3}, omega[3] = {0, 3, 4};
  struct rill_rigid_body_exact body;
  double ignored[3];
  rill_rigid_body_exact_set(&body, inertia, omega, q0);
  for (int i = 0; i < RILL_WM_SAMPLES; i++)
    rill_rigid_body_exact_at(&body, i * sampling, exact->sample[i].q, ignored);
}

/* DVP from an exact second point at 0.01 s and 0.005 s, in first[0] and first[1]; the closed form in first[2]. */
static enum rill_status make_rigid_pair(struct report *report) {
  for (int i = 0; i < 2; i++)
    RILL_TRY(rill_wm_rigid_body(ldexp(0.01, -i), RILL_WM_EXACT, &report->first[i], report->rows.error));
  exact_body(&report->first[2]);
  return RILL_OK;
}

/* Emits the errors of a column against the step, with the printed ones, as in the figures. */
static enum rill_status emit_errors(struct report *report, const char *method, const struct column *column,
                                    const double error[STEPS]) {
  static const char *const columns[] = {"h, s", "error", "printed"};
  double values[STEPS][3];
  for (int i = 0; i < STEPS; i++) {
    values[i][0] = steps[i];
    values[i][1] = error[i];
    values[i][2] = column != NULL ? entry(column, i).value : NAN;
  }
  return emit_curve(report, method, columns, 2, values[0], STEPS);
}

/* --- rigid body: table 1, figures 2 to 6 --- */

static enum rill_status table_1_rows(struct report *report) {
  /* Constant but for round-off: the middle of the range that the text quotes, and half of the range. */
  const struct rill_expected energy[STEPS] = {rill_expect(RILL_SOURCE_PAPER, 32.999999354, 5.5e-9),
                                              rill_expect(RILL_SOURCE_PAPER, 32.9999372355, 1e-9),
                                              rill_loosened(rill_independent("32.993725572523"), 1e-9),
                                              rill_loosened(rill_independent("32.378320383524"), 1e-9)};
  RILL_TRY(make_rigid_runs(report, ALL));
  for (int i = 1; i < STEPS; i++)
    RILL_TRY(emit(report, "quaternion error (5.10)", step_names[i], "dvp", entry(&rigid_position, i),
                  rill_wm_position_error(&report->first[i], &report->first[SMALLEST], 4)));
  for (int i = 0; i < STEPS; i++)
    RILL_TRY(emit(report, "energy error (5.10), J", step_names[i], "dvp", entry(&rigid_energy, i),
                  rigid_energy_error(&report->first[i])));
  for (int i = 0; i < STEPS; i++)
    RILL_TRY(emit(report, "momentum error (5.10), kg m2/s", step_names[i], "dvp", entry(&rigid_momentum, i),
                  rigid_momentum_error(&report->first[i])));
  for (int i = 0; i < STEPS; i++) {
    RILL_TRY(emit(report, "largest energy, J", step_names[i], "dvp", energy[i], report->first[i].energy_max));
    RILL_TRY(emit(report, "smallest energy, J", step_names[i], "dvp", energy[i], report->first[i].energy_min));
  }
  return RILL_OK;
}

static enum rill_status figure_2_rows(struct report *report) {
  RILL_TRY(make_rigid_runs(report, ALL));
  for (int i = 0; i < STEPS; i++) RILL_TRY(emit_time(report, i, "dvp", rigid_time[i], &report->first[i]));
  return RILL_OK;
}

/* Figures 3, 5 and 6: the table's errors as a curve, if curves are requested. */
static enum rill_status draw_rigid(struct report *report, const struct column *column,
                                   double (*error)(const struct rill_wm_run *run)) {
  double found[STEPS];
  if (!drawn(report)) return RILL_OK;
  RILL_TRY(make_rigid_runs(report, ALL));
  for (int i = 0; i < STEPS; i++)
    found[i] = error != NULL ? error(&report->first[i])
                             : rill_wm_position_error(&report->first[i], &report->first[SMALLEST], 4);
  return emit_errors(report, "dvp", column, found);
}

/* "A second order relationship": against the closed form, from an exact second point. */
static enum rill_status figure_3_rows(struct report *report) {
  static const char *const expected[2] = {"3.997085e-4", "9.997019e-5"};
  double error[2];
  RILL_TRY(make_rigid_pair(report));
  for (int i = 0; i < 2; i++) {
    error[i] = rill_wm_position_error(&report->first[i], &report->first[2], 4);
    RILL_TRY(rill_emit(&report->rows, "quaternion error (5.10) against the closed form",
                       rill_independent(expected[i]), error[i], "exact second point, h = %g s", report->first[i].h));
  }
  RILL_TRY(rill_emit(&report->rows, "order of the quaternion error", rill_exact(2, 2e-3), order_of(error),
                     "exact second point, h = 0.01 to 0.005 s"));
  return draw_rigid(report, &rigid_position, NULL);
}

/* The quaternion's y against time, and its limit for small steps. */
static enum rill_status figure_4_rows(struct report *report) {
  static const char *const columns[] = {"t, s", "q_y, h = 0.0001 s", "q_y, h = 0.1 s"};
  static const int at[] = {100, 300};
  double values[RILL_WM_SAMPLES][3], early = 0, late = 0;
  RILL_TRY(make_rigid_pair(report));
  for (int k = 0; k < 2; k++) { /* the remainder, of fourth order, grows with time: 1e-5 at its end */
    const double q[2] = {report->first[0].sample[at[k]].q[2], report->first[1].sample[at[k]].q[2]},
                 exact = report->first[2].sample[at[k]].q[2];
    RILL_TRY(rill_emit(&report->rows, "q_y, extrapolated to h = 0", rill_exact(exact, 2e-5), limit_of(q),
                       "t = %g s, h = 0.01 and 0.005 s, method = dvp", at[k] * sampling));
  }
  RILL_TRY(make_rigid_runs(report, drawn(report) ? ENDS : 1 << LARGEST_STEP));
  for (int i = 0; i < RILL_WM_SAMPLES; i++) {
    double exact = report->first[2].sample[i].q[2];
    values[i][0] = i * sampling;
    values[i][1] = report->first[SMALLEST].sample[i].q[2];
    values[i][2] = report->first[LARGEST_STEP].sample[i].q[2];
    early = fmax(early, i <= 100 ? fabs(values[i][2] - exact) : 0);
    late = fmax(late, fabs(values[i][2] - exact));
  }
  RILL_TRY(rill_emit_data(&report->rows, "largest error of q_y, t <= 10 s", early, NULL, "h = 0.1 s, method = dvp"));
  RILL_TRY(rill_emit_data(&report->rows, "largest error of q_y, t <= 30 s", late, NULL, "h = 0.1 s, method = dvp"));
  return emit_curve(report, "q_y", columns, 2, values[0], RILL_WM_SAMPLES);
}

/* With the exact second point q1 = q(h) the pair's velocity is, by Magnus's expansion, w - h^2 |w|^2 w / 24 + ...,
 * and its energy 33 - 62.75 h^2 + O(h^4) for I = (1, 2, 3), w = (0, 3, 4): 2T |w|^2 / 24 + w'.Iw' / 24 - w.I(w x w')
 * / 12. */
static enum rill_status figure_5_rows(struct report *report) {
  double coefficient[2], error[2];
  RILL_TRY(make_rigid_pair(report));
  for (int i = 0; i < 2; i++) {
    const double h = report->first[i].h;
    error[i] = 33 - report->first[i].energy_max;
    coefficient[i] = error[i] / (h * h);
  }
  RILL_TRY(rill_emit(&report->rows, "(33 J - energy) / h^2, extrapolated to h = 0", rill_exact(62.75, 1e-4),
                     limit_of(coefficient), "exact second point, h = 0.01 and 0.005 s"));
  RILL_TRY(rill_emit(&report->rows, "order of the energy error", rill_exact(2, 2e-3), order_of(error),
                     "exact second point, h = 0.01 to 0.005 s"));
  return draw_rigid(report, &rigid_energy, rigid_energy_error);
}

/* |J - J(0)|, J(0) = (0, 6, 12) the continuous momentum. */
static enum rill_status figure_6_rows(struct report *report) {
  double error[2];
  RILL_TRY(make_rigid_pair(report));
  for (int i = 0; i < 2; i++) {
    const double *j = report->first[i].sample[0].momentum;
    error[i] = sqrt(j[0] * j[0] + (j[1] - 6) * (j[1] - 6) + (j[2] - 12) * (j[2] - 12));
  }
  RILL_TRY(rill_emit(&report->rows, "order of the momentum error", rill_exact(2, 2e-3), order_of(error),
                     "exact second point, h = 0.01 to 0.005 s"));
  return draw_rigid(report, &rigid_momentum, rigid_momentum_error);
}

/* --- double spherical pendulum: table 2, figures 7 to 12 --- */

/* The energies that the text quotes. */
static enum rill_status emit_quoted(struct report *report) {
  static const char *const max[STEPS] = {"24.944499828", NULL, NULL, "25.583335766"};
  static const char *const min[STEPS] = {"24.944495109", NULL, NULL, "20.910805793"};
  for (int i = 0; i < STEPS; i += LARGEST_STEP) {
    RILL_TRY(emit(report, "largest energy, J", step_names[i], "dvp", rill_loosened(rill_paper(max[i]), data_energy),
                  report->first[i].energy_max));
    RILL_TRY(emit(report, "smallest energy, J", step_names[i], "dvp", rill_loosened(rill_paper(min[i]), data_energy),
                  report->first[i].energy_min));
  }
  return RILL_OK;
}

static enum rill_status table_2_rows(struct report *report) {
  const struct rill_wm_run *dvp = report->first, *em = report->second, *standard = &em[SMALLEST];
  RILL_TRY(make_pendulum_runs(report, ALL, ALL));
  RILL_TRY(emit(report, "position error (5.10), m (printed: 2.329e-7)", step_names[SMALLEST], "dvp",
                rill_loosened(rill_independent("2.314283e-07"), 1e-11),
                rill_wm_position_error(&dvp[0], standard, 6)));
  for (int i = 1; i < STEPS; i++) {
    RILL_TRY(emit(report, "position error (5.10), m", step_names[i], "dvp", entry(&dvp_position, i),
                  rill_wm_position_error(&dvp[i], standard, 6)));
    RILL_TRY(emit(report, "position error (5.10), m", step_names[i], "energy-momentum", entry(&em_position, i),
                  rill_wm_position_error(&em[i], standard, 6)));
  }
  for (int i = 0; i < STEPS; i++) {
    RILL_TRY(emit(report, "energy error (5.10), J", step_names[i], "dvp", entry(&dvp_energy, i),
                  pendulum_energy_error(&dvp[i], standard)));
    RILL_TRY(emit(report, "momentum error (5.10) about z, kg m2/s", step_names[i], "dvp", entry(&dvp_momentum, i),
                  pendulum_momentum_error(&dvp[i], standard)));
  }
  for (int i = 1; i < STEPS; i++) { /* kept to rounding, here a few 1e-11 */
    RILL_TRY(emit(report, "energy error (5.10), J", step_names[i], "energy-momentum", rill_exact(0, 2e-10),
                  pendulum_energy_error(&em[i], standard)));
    RILL_TRY(emit(report, "momentum error (5.10) about z, kg m2/s", step_names[i], "energy-momentum",
                  rill_exact(0, 2e-10), pendulum_momentum_error(&em[i], standard)));
  }
  RILL_TRY(emit_quoted(report));
  RILL_TRY(emit(report, "largest momentum about z, kg m2/s", step_names[SMALLEST], "dvp",
                rill_loosened(rill_paper("199.825467184"), data_momentum), dvp[SMALLEST].momentum_max));
  RILL_TRY(emit(report, "smallest momentum about z, kg m2/s", step_names[SMALLEST], "dvp",
                rill_loosened(rill_paper("199.825467170"), data_momentum), dvp[SMALLEST].momentum_min));
  return RILL_OK;
}

static enum rill_status figure_7_rows(struct report *report) {
  RILL_TRY(make_pendulum_runs(report, ALL, ALL));
  for (int i = 0; i < STEPS; i++) {
    RILL_TRY(emit_time(report, i, "dvp", dvp_time[i], &report->first[i]));
    RILL_TRY(emit_time(report, i, "energy-momentum", em_time[i], &report->second[i]));
  }
  return RILL_OK;
}

/* Figures 8, 10 and 11: the table's errors as curves, if curves are requested. */
static enum rill_status draw_pendulum(struct report *report, const struct column *dvp, const struct column *em,
                                      double (*error)(const struct rill_wm_run *run,
                                                      const struct rill_wm_run *standard)) {
  const struct rill_wm_run *standard = &report->second[SMALLEST];
  double found[2][STEPS];
  if (!drawn(report)) return RILL_OK;
  RILL_TRY(make_pendulum_runs(report, ALL, ALL));
  for (int i = 0; i < STEPS; i++) {
    found[0][i] = error(&report->first[i], standard);
    found[1][i] = error(&report->second[i], standard);
  }
  RILL_TRY(emit_errors(report, "dvp", dvp, found[0]));
  return emit_errors(report, "energy-momentum", em, found[1]);
}

static double pendulum_position_error(const struct rill_wm_run *run, const struct rill_wm_run *standard) {
  return rill_wm_position_error(run, standard, 6);
}

/* A solution from another method, good to 1e-10 over the 30 s: order 8, a step of 0.005 s. */
static enum rill_status accurate_pendulum(struct rill_wm_run *run, struct rill_error *error) {
  return rill_wm_double_spherical("yoshida8", 0.005, RILL_WM_PAPER, NULL, run, error);
}

/* Both methods at the steps 0.01 s and 0.005 s, in first and second; the accurate solution in first[2]. */
static enum rill_status make_pendulum_pair(struct report *report) {
  for (int i = 0; i < 2; i++) {
    const double h = ldexp(0.01, -i);
    RILL_TRY(rill_wm_double_spherical("dvp", h, RILL_WM_EXACT, NULL, &report->first[i], report->rows.error));
    RILL_TRY(
        rill_wm_double_spherical("energy-momentum", h, RILL_WM_EXACT, NULL, &report->second[i], report->rows.error));
  }
  return accurate_pendulum(&report->first[2], report->rows.error);
}

/* "A second order relationship" of both, against an accurate solution. */
static enum rill_status figure_8_rows(struct report *report) {
  static const char *const expected[2][2] = {{"1.13291e-03", "2.83222e-04"}, {"1.22335e-03", "3.05886e-04"}};
  static const char *const methods[2] = {"dvp", "energy-momentum"};
  RILL_TRY(make_pendulum_pair(report));
  for (int m = 0; m < 2; m++) {
    double error[2];
    for (int i = 0; i < 2; i++) {
      const struct rill_wm_run *run = m == 0 ? &report->first[i] : &report->second[i];
      error[i] = rill_wm_position_error(run, &report->first[2], 6);
      RILL_TRY(rill_emit(&report->rows, "position error (5.10) against an accurate solution, m",
                         rill_independent(expected[m][i]), error[i], "h = %g s, method = %s", run->h, methods[m]));
    }
    RILL_TRY(rill_emit(&report->rows, "order of the position error", rill_exact(2, 2e-3), order_of(error),
                       "h = 0.01 to 0.005 s, method = %s", methods[m]));
  }
  return draw_pendulum(report, &dvp_position, &em_position, pendulum_position_error);
}

/* y of the second mass against time.  The paper says that the two methods' curves are indistinguishable at h = 0.0001
 * s: there both are within 1e-5 m of the solution, on an axis of 14 m. */
static const double accurate_y2 =
    -4.0479592034955803; /* an independent program's, RK4 on the index-reduced equations */

static enum rill_status figure_9_rows(struct report *report) {
  static const char *const columns[] = {"t, s", "y_2, dvp, h = 0.0001 s", "y_2, energy-momentum, h = 0.0001 s",
                                        "y_2, dvp, h = 0.1 s", "y_2, energy-momentum, h = 0.1 s"};
  double values[RILL_WM_SAMPLES][5], large = 0;
  RILL_TRY(make_pendulum_runs(report, ENDS, ENDS));
  for (int i = 0; i < RILL_WM_SAMPLES; i++) {
    values[i][0] = i * sampling;
    values[i][1] = report->first[SMALLEST].sample[i].q[4];
    values[i][2] = report->second[SMALLEST].sample[i].q[4];
    values[i][3] = report->first[LARGEST_STEP].sample[i].q[4];
    values[i][4] = report->second[LARGEST_STEP].sample[i].q[4];
    large = fmax(large, fabs(values[i][3] - values[i][4]));
  }
  for (int m = 0; m < 2; m++)
    RILL_TRY(emit(report, "y_2 at t = 30 s, m", step_names[SMALLEST], m == 0 ? "dvp" : "energy-momentum",
                  rill_expect(RILL_SOURCE_INDEPENDENT, accurate_y2, 1e-5), values[RILL_WM_SAMPLES - 1][1 + m]));
  RILL_TRY(rill_emit_data(&report->rows, "largest difference of y_2, m", large, NULL,
                          "h = 0.1 s, dvp against energy-momentum"));
  return emit_curve(report, "y_2", columns, 4, values[0], RILL_WM_SAMPLES);
}

/* (5.10) for a quantity that DVP does not conserve in each step, from two steps. */
static enum rill_status emit_pendulum_order(struct report *report, const char *quantity,
                                            double (*error)(const struct rill_wm_run *, const struct rill_wm_run *)) {
  double found[2];
  RILL_TRY(make_pendulum_pair(report));
  for (int i = 0; i < 2; i++) found[i] = error(&report->first[i], &report->second[1]); /* constant along EM's */
  return rill_emit(&report->rows, quantity, rill_exact(2, 1e-2), order_of(found),
                   "h = 0.01 to 0.005 s, method = dvp");
}

static enum rill_status figure_10_rows(struct report *report) {
  RILL_TRY(emit_pendulum_order(report, "order of the energy error", pendulum_energy_error));
  return draw_pendulum(report, &dvp_energy, NULL, pendulum_energy_error);
}

static enum rill_status figure_11_rows(struct report *report) {
  RILL_TRY(emit_pendulum_order(report, "order of the momentum error about z", pendulum_momentum_error));
  return draw_pendulum(report, &dvp_momentum, NULL, pendulum_momentum_error);
}

/* Energies and multipliers against time.  The range of the energy, unlike its place, is hardly moved by the rounding
 * of the data. */
static enum rill_status figure_12_rows(struct report *report) {
  static const char *const energies[] = {"t, s", "E, h = 0.0001 s", "E, h = 0.001 s", "E, h = 0.01 s",
                                         "E, h = 0.1 s"};
  static const char *const multipliers[] = {"t, s", "lambda_1, h = 0.01 s", "lambda_2, h = 0.01 s"};
  const double range = 25.583335766 - 20.910805793;
  double energy[RILL_WM_SAMPLES][5], lambda[RILL_WM_SAMPLES][3], ranges[2];
  RILL_TRY(make_pendulum_runs(report, ALL, 0));
  for (int i = 0; i < 2; i++)
    RILL_TRY(rill_wm_double_spherical("dvp", ldexp(0.01, -i), RILL_WM_EXACT, NULL, &report->second[i],
                                      report->rows.error));
  for (int i = 0; i < 2; i++) ranges[i] = report->second[i].energy_max - report->second[i].energy_min;
  RILL_TRY(emit(report, "range of the energy, J", step_names[LARGEST_STEP], "dvp",
                rill_expect(RILL_SOURCE_PAPER, range, 1e-9 + data_range * range),
                report->first[LARGEST_STEP].energy_max - report->first[LARGEST_STEP].energy_min));
  RILL_TRY(emit(report, "range of the energy, J", step_names[SMALLEST], "dvp",
                rill_loosened(rill_independent("4.544e-6"), 3e-8),
                report->first[SMALLEST].energy_max - report->first[SMALLEST].energy_min));
  /* samples every 0.1 s miss the sharp peaks by different amounts */
  RILL_TRY(rill_emit(&report->rows, "order of the range of the energy", rill_exact(2, 3e-2), order_of(ranges),
                     "h = 0.01 to 0.005 s, method = dvp"));
  for (int i = 0; i < RILL_WM_SAMPLES; i++) {
    energy[i][0] = lambda[i][0] = i * sampling;
    for (int k = 0; k < STEPS; k++) energy[i][k + 1] = report->first[k].sample[i].energy;
    for (int c = 0; c < 2; c++) lambda[i][c + 1] = report->first[2].sample[i].multiplier[c];
  }
  RILL_TRY(emit_curve(report, "energy", energies, 4, energy[0], RILL_WM_SAMPLES));
  return emit_curve(report, "multipliers", multipliers, 2, lambda[1], RILL_WM_SAMPLES - 1); /* none at t = 0 */
}

/* --- the list --- */

#define RESULT(name)                                                                                                 \
  static enum rill_status name(const struct rill_result_sink *sink, struct rill_error *error) {                      \
    return with_report(name##_rows, sink, error);                                                                    \
  }
RESULT(table_1)
RESULT(table_2)
RESULT(figure_2)
RESULT(figure_3)
RESULT(figure_4)
RESULT(figure_5)
RESULT(figure_6)
RESULT(figure_7)
RESULT(figure_8)
RESULT(figure_9)
RESULT(figure_10)
RESULT(figure_11)
RESULT(figure_12)
#undef RESULT

static const struct rill_result results[] = {
    {"wendlandt-marsden-table-1", "free rigid body: errors of the DVP and its energies, 30 s", table_1},
    {"wendlandt-marsden-table-2",
     "double spherical pendulum: errors of DVP and EM, energies and momenta, 30 s, printed data", table_2},
    {"wendlandt-marsden-figure-2", "free rigid body: time of a run against the step", figure_2},
    {"wendlandt-marsden-figure-3", "free rigid body: quaternion error against the step", figure_3},
    {"wendlandt-marsden-figure-4", "free rigid body: q_y against time, two steps", figure_4},
    {"wendlandt-marsden-figure-5", "free rigid body: energy error against the step", figure_5},
    {"wendlandt-marsden-figure-6", "free rigid body: momentum error against the step", figure_6},
    {"wendlandt-marsden-figure-7", "double spherical pendulum: time of a run against the step, DVP and EM", figure_7},
    {"wendlandt-marsden-figure-8", "double spherical pendulum: position error against the step, DVP and EM",
     figure_8},
    {"wendlandt-marsden-figure-9", "double spherical pendulum: y of the second mass against time", figure_9},
    {"wendlandt-marsden-figure-10", "double spherical pendulum: energy error against the step, DVP and EM",
     figure_10},
    {"wendlandt-marsden-figure-11", "double spherical pendulum: momentum error about z against the step, DVP and EM",
     figure_11},
    {"wendlandt-marsden-figure-12", "double spherical pendulum: energies and multipliers of the DVP against time",
     figure_12},
};

const struct rill_result *rill_wendlandt_marsden_results(size_t *count) {
  *count = sizeof results / sizeof results[0];
  return results;
}
