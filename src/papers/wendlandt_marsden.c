/* Settings that the paper leaves open, found by trying (only these give its digits): errors (5.10) take a sample
 * every 0.1 s with t = 0, N = 301; the Euler step that starts the rigid body is normalised; the double spherical
 * pendulum runs for 30 s; the energy of a DVP run is that of a pair, v.L_v - L at its midpoint, and its momentum that
 * of -h D2 L.
 *
 * The printed data of the pendulum are rounded too far for the printed energies and momenta (0.02 % and 0.003 % off);
 * the tolerances of table 2 allow for that. */
#include "papers/wendlandt_marsden.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/discrete_lagrangian.h"
#include "integrators/registry.h"
#include "numerics/quaternion.h"
#include "numerics/rigid_body_exact.h"

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
  const struct rill_binding_options options = {.step = h, .insertion = RILL_OU_NONE, .geodesic_steps = 1};
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

/* From the system's state at t = 0: 300 sample intervals and, for the energy of the last pair, one step more. */
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

/* --- what is printed, from the small step to the large one, with how far our data allow it to be met --- */

enum { STEPS = 4, SMALLEST = 0, LARGEST_STEP = 3 };
static const double steps[STEPS] = {1e-4, 1e-3, 1e-2, 1e-1};
static const char *const step_names[STEPS] = {"h = 0.0001 s", "h = 0.001 s", "h = 0.01 s", "h = 0.1 s"};

struct printed { double value, tolerance; };

static const struct printed rigid_position[STEPS] = {
    {0, 0}, {3.960e-6, 1.5e-9}, {3.997e-4, 5.01e-8}, {3.648e-2, 5.01e-6}};
static const struct printed rigid_energy[STEPS] = {
    {6.256e-7, 2e-8}, {6.274e-5, 5.1e-9}, {6.274e-3, 5.01e-7}, {6.217e-1, 5.0001e-5}};
static const struct printed rigid_momentum[STEPS] = {
    {1.671e-7, 8.5e-10}, {1.687e-5, 5.1e-9}, {1.687e-3, 5.01e-7}, {1.665e-1, 5.0001e-5}};
static const double rigid_time[STEPS] = {97.620, 9.905, 1.397, 0.301};

static const struct printed dvp_position[STEPS] = {
    {2.329e-7, 4e-9}, {1.146e-5, 4e-8}, {1.135e-3, 3e-6}, {9.576e-2, 2e-4}};
static const struct printed dvp_energy[STEPS] = {
    {6.475e-6, 1.2e-7}, {3.269e-4, 4e-7}, {3.224e-2, 4e-5}, {2.665, 3e-3}};
static const struct printed dvp_momentum[STEPS] = {
    {2.547e-6, 4e-8}, {1.707e-4, 1e-7}, {1.696e-2, 1e-5}, {1.560, 1e-3}};
static const double dvp_time[STEPS] = {73.648, 9.065, 1.152, 0.211};
static const struct printed em_position[STEPS] = {{0, 0}, {1.214e-5, 4e-8}, {1.225e-3, 3e-6}, {1.184e-1, 2e-4}};
static const struct printed em_energy[STEPS] = {{0, 2e-7}, {0, 2e-8}, {0, 2e-8}, {0, 2e-8}};
static const struct printed em_momentum[STEPS] = {{0, 2e-7}, {0, 2e-8}, {0, 2e-8}, {0, 2e-8}};
static const double em_time[STEPS] = {103.871, 13.250, 1.549, 0.263};

/* --- emission --- */

/* A result under way. */
struct report {
  const struct rill_result_sink *sink;
  struct rill_error *error;
  struct rill_wm_run first[STEPS], second[STEPS];   /* those that it needs, by step; of the pendulum: DVP and EM */
};

static enum rill_status emit(struct report *report, const char *quantity, const char *step, const char *method,
                             struct printed printed, double ours) {
  struct rill_result_row row = {
      .quantity = quantity, .paper = printed.value, .ours = ours, .tolerance = printed.tolerance};
  row.verdict = rill_verdict_of(printed.value, ours, printed.tolerance);
  snprintf(row.setting, sizeof row.setting, "%s, method = %s", step, method);
  return report->sink->row(report->sink->self, &row, report->error);
}

static enum rill_status emit_time(struct report *report, const char *step, const char *method, double paper,
                                  double ours) {
  struct rill_result_row row = {
      .quantity = "time of the run, s",
      .paper = paper,
      .ours = ours,
      .tolerance = NAN,
      .verdict = RILL_VERDICT_KNOWN_DEVIATION,
      .reason = "the paper's computer was a workstation of 1996; only the slope can be compared"};
  snprintf(row.setting, sizeof row.setting, "%s, method = %s", step, method);
  return report->sink->row(report->sink->self, &row, report->error);
}

/* One curve of `count` columns besides the abscissa; values: [rows][count + 1]. */
static enum rill_status emit_curve(struct report *report, const char *name, const char *const *columns,
                                   size_t count, const double *values, size_t rows) {
  const struct rill_result_curve curve = {name, columns, count + 1};
  const struct rill_result_sink *sink = report->sink;
  if (sink->curve == NULL || sink->point == NULL) return RILL_OK;
  RILL_TRY(sink->curve(sink->self, &curve, report->error));
  for (size_t i = 0; i < rows; i++) RILL_TRY(sink->point(sink->self, values + i * (count + 1), report->error));
  return RILL_OK;
}

/* Which steps: bits. */
enum { ALL = 15, ENDS = 9 };

static enum rill_status make_rigid_runs(struct report *report, unsigned which) {
  for (int i = 0; i < STEPS; i++)
    if (which >> i & 1) RILL_TRY(rill_wm_rigid_body(steps[i], RILL_WM_PAPER, &report->first[i], report->error));
  return RILL_OK;
}

static enum rill_status make_pendulum_run(struct report *report, const char *method, int step,
                                          struct rill_wm_run *run) {
  return rill_wm_double_spherical(method, steps[step], RILL_WM_PAPER, NULL, run, report->error);
}

static enum rill_status make_pendulum_runs(struct report *report, unsigned dvp, unsigned em) {
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
  report->sink = sink;
  report->error = error;
  status = rows(report);
  rill_release(report);
  return status;
}

/* --- rigid body: table 1, figures 2 to 6 --- */

static enum rill_status emit_rigid_positions(struct report *report) {
  for (int i = 0; i < STEPS; i++)
    RILL_TRY(emit(report, "quaternion error (5.10)", step_names[i], "dvp", rigid_position[i],
                  rill_wm_position_error(&report->first[i], &report->first[SMALLEST], 4)));
  return RILL_OK;
}

static enum rill_status emit_rigid_energies(struct report *report) {
  for (int i = 0; i < STEPS; i++)
    RILL_TRY(emit(report, "energy error (5.10), J", step_names[i], "dvp", rigid_energy[i],
                  rigid_energy_error(&report->first[i])));
  return RILL_OK;
}

static enum rill_status emit_rigid_momenta(struct report *report) {
  for (int i = 0; i < STEPS; i++)
    RILL_TRY(emit(report, "momentum error (5.10), kg m2/s", step_names[i], "dvp", rigid_momentum[i],
                  rigid_momentum_error(&report->first[i])));
  return RILL_OK;
}

static enum rill_status table_1_rows(struct report *report) {
  static const struct printed max[STEPS] = {{32.999999359, 2e-8}, {32.999937236, 2e-9}, {NAN, NAN}, {NAN, NAN}};
  static const struct printed min[STEPS] = {{32.999999349, 2e-8}, {32.999937235, 2e-9}, {NAN, NAN}, {NAN, NAN}};
  RILL_TRY(make_rigid_runs(report, ALL));
  RILL_TRY(emit_rigid_positions(report));
  RILL_TRY(emit_rigid_energies(report));
  RILL_TRY(emit_rigid_momenta(report));
  for (int i = 0; i < STEPS; i++) {
    RILL_TRY(emit(report, "largest energy, J", step_names[i], "dvp", max[i], report->first[i].energy_max));
    RILL_TRY(emit(report, "smallest energy, J", step_names[i], "dvp", min[i], report->first[i].energy_min));
  }
  return RILL_OK;
}

static enum rill_status figure_2_rows(struct report *report) {
  RILL_TRY(make_rigid_runs(report, ALL));
  for (int i = 0; i < STEPS; i++)
    RILL_TRY(emit_time(report, step_names[i], "dvp", rigid_time[i], report->first[i].cpu_time));
  return RILL_OK;
}

static enum rill_status figure_3_rows(struct report *report) {
  RILL_TRY(make_rigid_runs(report, ALL));
  return emit_rigid_positions(report);
}

/* The quaternion's y against time; the rows say how far the large step's curve is from the small step's. */
static enum rill_status figure_4_rows(struct report *report) {
  static const char *const columns[] = {"t, s", "q_y, h = 0.0001 s", "q_y, h = 0.1 s"};
  static const struct printed none = {NAN, NAN};
  double values[RILL_WM_SAMPLES][3], early = 0, late = 0;
  RILL_TRY(make_rigid_runs(report, ENDS));
  for (int i = 0; i < RILL_WM_SAMPLES; i++) {
    values[i][0] = i * sampling;
    values[i][1] = report->first[SMALLEST].sample[i].q[2];
    values[i][2] = report->first[LARGEST_STEP].sample[i].q[2];
    early = fmax(early, i <= 100 ? fabs(values[i][2] - values[i][1]) : 0);
    late = fmax(late, fabs(values[i][2] - values[i][1]));
  }
  RILL_TRY(emit(report, "largest difference of q_y, t <= 10 s", "h = 0.1 s against 0.0001 s", "dvp", none, early));
  RILL_TRY(emit(report, "largest difference of q_y, t <= 30 s", "h = 0.1 s against 0.0001 s", "dvp", none, late));
  return emit_curve(report, "q_y", columns, 2, values[0], RILL_WM_SAMPLES);
}

static enum rill_status figure_5_rows(struct report *report) {
  RILL_TRY(make_rigid_runs(report, ALL));
  return emit_rigid_energies(report);
}

static enum rill_status figure_6_rows(struct report *report) {
  RILL_TRY(make_rigid_runs(report, ALL));
  return emit_rigid_momenta(report);
}

/* --- double spherical pendulum: table 2, figures 7 to 12 --- */

static enum rill_status emit_pendulum_positions(struct report *report) {
  const struct rill_wm_run *standard = &report->second[SMALLEST];
  for (int i = 0; i < STEPS; i++) {
    RILL_TRY(emit(report, "position error (5.10), m", step_names[i], "dvp", dvp_position[i],
                  rill_wm_position_error(&report->first[i], standard, 6)));
    RILL_TRY(emit(report, "position error (5.10), m", step_names[i], "energy-momentum", em_position[i],
                  rill_wm_position_error(&report->second[i], standard, 6)));
  }
  return RILL_OK;
}

static enum rill_status emit_pendulum_energies(struct report *report) {
  const struct rill_wm_run *standard = &report->second[SMALLEST];
  for (int i = 0; i < STEPS; i++) {
    RILL_TRY(emit(report, "energy error (5.10), J", step_names[i], "dvp", dvp_energy[i],
                  pendulum_energy_error(&report->first[i], standard)));
    RILL_TRY(emit(report, "energy error (5.10), J", step_names[i], "energy-momentum", em_energy[i],
                  pendulum_energy_error(&report->second[i], standard)));
  }
  return RILL_OK;
}

static enum rill_status emit_pendulum_momenta(struct report *report) {
  const struct rill_wm_run *standard = &report->second[SMALLEST];
  for (int i = 0; i < STEPS; i++) {
    RILL_TRY(emit(report, "momentum error (5.10) about z, kg m2/s", step_names[i], "dvp", dvp_momentum[i],
                  pendulum_momentum_error(&report->first[i], standard)));
    RILL_TRY(emit(report, "momentum error (5.10) about z, kg m2/s", step_names[i], "energy-momentum", em_momentum[i],
                  pendulum_momentum_error(&report->second[i], standard)));
  }
  return RILL_OK;
}

/* The energies that the text quotes; 6e-3 and 8e-3 are what the rounding of the printed data moves them by. */
static enum rill_status emit_quoted(struct report *report) {
  static const struct printed max[STEPS] = {{24.944499828, 6e-3}, {NAN, NAN}, {NAN, NAN}, {25.583335766, 8e-3}};
  static const struct printed min[STEPS] = {{24.944495109, 6e-3}, {NAN, NAN}, {NAN, NAN}, {20.910805793, 8e-3}};
  for (int i = 0; i < STEPS; i += LARGEST_STEP) {
    RILL_TRY(emit(report, "largest energy, J", step_names[i], "dvp", max[i], report->first[i].energy_max));
    RILL_TRY(emit(report, "smallest energy, J", step_names[i], "dvp", min[i], report->first[i].energy_min));
  }
  return RILL_OK;
}

static enum rill_status table_2_rows(struct report *report) {
  static const struct printed momentum_max = {199.825467184, 8e-3}, momentum_min = {199.825467170, 8e-3};
  RILL_TRY(make_pendulum_runs(report, ALL, ALL));
  RILL_TRY(emit_pendulum_positions(report));
  RILL_TRY(emit_pendulum_energies(report));
  RILL_TRY(emit_pendulum_momenta(report));
  RILL_TRY(emit_quoted(report));
  RILL_TRY(emit(report, "largest momentum about z, kg m2/s", step_names[SMALLEST], "dvp", momentum_max,
                report->first[SMALLEST].momentum_max));
  return emit(report, "smallest momentum about z, kg m2/s", step_names[SMALLEST], "dvp", momentum_min,
              report->first[SMALLEST].momentum_min);
}

static enum rill_status figure_7_rows(struct report *report) {
  RILL_TRY(make_pendulum_runs(report, ALL, ALL));
  for (int i = 0; i < STEPS; i++) {
    RILL_TRY(emit_time(report, step_names[i], "dvp", dvp_time[i], report->first[i].cpu_time));
    RILL_TRY(emit_time(report, step_names[i], "energy-momentum", em_time[i], report->second[i].cpu_time));
  }
  return RILL_OK;
}

static enum rill_status figure_8_rows(struct report *report) {
  RILL_TRY(make_pendulum_runs(report, ALL, ALL));
  return emit_pendulum_positions(report);
}

/* y of the second mass against time; the paper says that the two methods' curves cannot be told apart at h = 0.0001
 * s. */
static enum rill_status figure_9_rows(struct report *report) {
  static const char *const columns[] = {"t, s", "y_2, dvp, h = 0.0001 s", "y_2, energy-momentum, h = 0.0001 s",
                                        "y_2, dvp, h = 0.1 s", "y_2, energy-momentum, h = 0.1 s"};
  static const struct printed overlap = {0, 1e-2}, none = {NAN, NAN}; /* a line's width, on an axis of 14 m */
  double values[RILL_WM_SAMPLES][5], small = 0, large = 0;
  RILL_TRY(make_pendulum_runs(report, ENDS, ENDS));
  for (int i = 0; i < RILL_WM_SAMPLES; i++) {
    values[i][0] = i * sampling;
    values[i][1] = report->first[SMALLEST].sample[i].q[4];
    values[i][2] = report->second[SMALLEST].sample[i].q[4];
    values[i][3] = report->first[LARGEST_STEP].sample[i].q[4];
    values[i][4] = report->second[LARGEST_STEP].sample[i].q[4];
    small = fmax(small, fabs(values[i][1] - values[i][2]));
    large = fmax(large, fabs(values[i][3] - values[i][4]));
  }
  RILL_TRY(emit(report, "largest difference of y_2, m", step_names[SMALLEST], "dvp against energy-momentum", overlap,
                small));
  RILL_TRY(emit(report, "largest difference of y_2, m", step_names[LARGEST_STEP], "dvp against energy-momentum", none,
                large));
  return emit_curve(report, "y_2", columns, 4, values[0], RILL_WM_SAMPLES);
}

static enum rill_status figure_10_rows(struct report *report) {
  RILL_TRY(make_pendulum_runs(report, ALL, ALL));
  return emit_pendulum_energies(report);
}

static enum rill_status figure_11_rows(struct report *report) {
  RILL_TRY(make_pendulum_runs(report, ALL, ALL));
  return emit_pendulum_momenta(report);
}

/* Energies and multipliers against time. */
static enum rill_status figure_12_rows(struct report *report) {
  static const char *const energies[] = {"t, s", "E, h = 0.0001 s", "E, h = 0.001 s", "E, h = 0.01 s",
                                         "E, h = 0.1 s"};
  static const char *const multipliers[] = {"t, s", "lambda_1, h = 0.01 s", "lambda_2, h = 0.01 s"};
  double energy[RILL_WM_SAMPLES][5], lambda[RILL_WM_SAMPLES][3];
  RILL_TRY(make_pendulum_runs(report, ALL, 0));
  RILL_TRY(emit_quoted(report));
  for (int i = 0; i < RILL_WM_SAMPLES; i++) {
    energy[i][0] = lambda[i][0] = i * sampling;
    for (int k = 0; k < STEPS; k++) energy[i][k + 1] = report->first[k].sample[i].energy;
    for (int c = 0; c < 2; c++) lambda[i][c + 1] = report->first[2].sample[i].multiplier[c];
  }
  RILL_TRY(emit_curve(report, "energy", energies, 4, energy[0], RILL_WM_SAMPLES));
  return emit_curve(report, "multipliers", multipliers, 2, lambda[1], RILL_WM_SAMPLES - 1); /* none at t = 0 */
}

/* --- the list --- */

#define RESULT(name)                                                                            \
  static enum rill_status name(const struct rill_result_sink *sink, struct rill_error *error) { \
    return with_report(name##_rows, sink, error);                                               \
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
