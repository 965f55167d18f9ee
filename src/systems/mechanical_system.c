#include "systems/mechanical_system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mech/hamiltonian.h"
#include "systems/fixman.h"
#include "systems/heat_bath.h"

struct mechanical_system {
  struct rill_heat_bath bath; /* first: see heat_bath.h */
  struct rill_mechanical_model model;
  struct rill_system_ops ops; /* the shared verbs under the model's name */
  struct rill_flow_ops flow;  /* flow.corrected: `fixman` is in use */
  struct rill_thermal_ops thermal;
  struct rill_mechanical mechanical;
  struct rill_lagrangian lagrangian;
  struct rill_hamiltonian hamiltonian;
  struct rill_nonholonomic nonholonomic;
  struct rill_nonholonomic_solver tangent; /* of the nonholonomic constraints */
  struct rill_state state;
  double *mass, *inverse_mass; /* [n] */

  /* The current acceleration, with the positions `at`, filter and base step that it belongs to. */
  double *acceleration, *at; /* [n] */
  struct rill_filter filter;
  double h_base;
  bool evaluated;
  struct rill_fixman fixman;
  double temperature_at;     /* that of the correction in `acceleration` */
  double *gradient, *linear; /* [n] scratch; `linear`: the acceleration before the third-derivative term */
  struct rill_acceleration_solver solver;

  double *start, *change;        /* [n] positions before a drift; a correction */
  double *residual, *correction; /* [m] */
  struct rill_band product;      /* Dg M^-1 Dg^T */

  /* The constraint impulse given at the present positions, and the time over which kicks have acted there: their
   * quotient is the step's multiplier (SHAKE's lambda_k, second order), for any splitting. */
  double *impulse; /* [m] */
  double duration;
  double clock[RILL_CLOCK]; /* state.clock */
  double kinetic_half;      /* of the middle of the last step, where that was observed; else NaN */

  struct {
    double *q, *p, *position, *acceleration, *history, *step_multiplier, *impulse, duration, residual,
        clock[RILL_CLOCK];
    unsigned iterations;
  } saved;
  struct rill_band dense; /* [n] scratch of the lagrangian's Hessians */
};

static void copy(double *to, const double *from, size_t count) {
  if (count > 0) memcpy(to, from, count * sizeof *to);
}

static double largest(const double *x, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++) {
    double size = fabs(x[i]);
    if (!(size <= most)) most = size; /* NaN propagates */
  }
  return most;
}

/* --- acceleration under a filter --- */

static bool same_filter(const struct rill_filter *a, const struct rill_filter *b) {
  return a->kind == b->kind && (a->kind == RILL_FILTER_IDENTITY ||
                                (a->beta == b->beta && a->hessian == b->hessian && a->tolerance == b->tolerance));
}

static bool evaluated_here(const struct mechanical_system *s) {
  return s->evaluated && memcmp(s->at, s->state.q, s->model.n * sizeof *s->at) == 0;
}

/* The gradient of the potential at state.q, with the correction of the measure. */
static void find_gradient(struct mechanical_system *s, double *gradient) {
  s->model.ops->gradient(s->model.self, s->state.q, gradient);
  if (!s->flow.corrected) return;
  if (isnan(rill_fixman_potential(&s->fixman, s->bath.temperature, s->state.q, gradient))) gradient[0] = NAN;
}

/* Evaluates the acceleration at state.q, unless the stored one belongs to the same positions, filter and step, and
 * its correction to the same temperature. */
static enum rill_status evaluate(struct mechanical_system *s, const struct rill_filter *filter, double h_base,
                                 struct rill_error *error) {
  size_t n = s->model.n;
  const double scale = filter->beta * h_base * h_base;
  if (same_filter(&s->filter, filter) && (filter->kind == RILL_FILTER_IDENTITY || s->h_base == h_base) &&
      evaluated_here(s) && (!s->flow.corrected || s->temperature_at == s->bath.temperature))
    return RILL_OK;
  s->evaluated = false;
  if (filter->kind == RILL_FILTER_PUSHFORWARD) {
    RILL_TRY(rill_acceleration_pushforward(&s->solver, filter->hessian, scale, s->state.q, filter->tolerance,
                                           filter->max_iterations, s->acceleration, error));
    s->state.iterations = s->solver.iterations;
    s->state.residual = s->solver.residual;
  } else if (filter->kind == RILL_FILTER_IDENTITY) {
    find_gradient(s, s->gradient);
    for (size_t i = 0; i < n; i++) s->acceleration[i] = -s->gradient[i] * s->inverse_mass[i];
  } else {
    RILL_TRY(rill_acceleration_linear(&s->solver, filter->hessian, scale, s->state.q, NULL, s->acceleration, error));
  }
  if (!isfinite(largest(s->acceleration, n)))
    return rill_error_set(error, RILL_ERROR_NOT_FINITE, "system %s: a force is not finite; take a smaller step",
                          s->model.name);
  copy(s->at, s->state.q, n);
  /* The physical position uses the acceleration of the linear solve, without the third-derivative term. */
  for (size_t i = 0; i < n; i++) s->state.position[i] = s->state.q[i] + scale * s->acceleration[i];
  if (filter->kind == RILL_FILTER_THIRD) {
    copy(s->linear, s->acceleration, n);
    s->model.ops->third(s->model.self, s->state.q, s->linear, s->gradient);
    for (size_t i = 0; i < n; i++) s->acceleration[i] -= 0.5 * scale * scale * s->gradient[i] * s->inverse_mass[i];
  }
  s->filter = *filter;
  s->h_base = h_base;
  s->temperature_at = s->bath.temperature;
  s->evaluated = true;
  return RILL_OK;
}

/* --- constraints --- */

static void find_residual(struct mechanical_system *s, const double *q) {
  s->model.ops->constraint(s->model.self, q, s->residual);
}

/* Factors Dg(q) M^-1 Dg(q0)^T. */
static bool factor_product(struct mechanical_system *s, const double *q, const double *q0) {
  rill_band_clear(&s->product);
  s->model.ops->add_constraint_product(s->model.self, q, s->inverse_mass, q0, &s->product);
  return rill_band_factor(&s->product);
}

static enum rill_status factor_here(struct mechanical_system *s, struct rill_error *error) {
  if (factor_product(s, s->state.q, s->state.q)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                        "system %s: the constraints' gradients are linearly dependent or not finite", s->model.name);
}

/* p -= Dg^T mu, (Dg M^-1 Dg^T) mu = Dg M^-1 p, with the factored matrix.  Done twice, so that the remaining round-off
 * does not grow with the condition number of the matrix. */
static void remove_normal_part(struct mechanical_system *s) {
  size_t n = s->model.n, m = s->model.m;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < n; i++) s->change[i] = s->state.p[i] * s->inverse_mass[i];
    s->model.ops->constraint_rate(s->model.self, s->state.q, s->change, s->residual);
    rill_band_solve(&s->product, s->residual);
    for (size_t c = 0; c < m; c++) {
      s->residual[c] = -s->residual[c];
      s->impulse[c] += s->residual[c];
    }
    s->model.ops->add_constraint_force(s->model.self, s->state.q, s->residual, s->state.p);
  }
}

/* Projects p onto the tangent space at q. */
static enum rill_status project(struct mechanical_system *s, struct rill_error *error) {
  RILL_TRY(factor_here(s, error));
  remove_normal_part(s);
  return RILL_OK;
}

enum { NEWTON_MOST = 50 };
static const double STAGNATION = 1e-9; /* relative: smaller changes that do not decrease are round-off */

/* Newton's method for the impulses of a drift: on success state.q satisfies the constraints and `correction` is h mu;
 * `start` holds the positions before the drift. */
static enum rill_status close_constraints(struct mechanical_system *s, struct rill_error *error) {
  size_t n = s->model.n, m = s->model.m;
  double *q = s->state.q, size = NAN, before = NAN, scale = largest(q, n);
  for (size_t c = 0; c < m; c++) s->correction[c] = 0;
  for (unsigned iteration = 1; iteration <= NEWTON_MOST; iteration++) {
    find_residual(s, q);
    s->state.iterations = iteration;
    s->state.residual = largest(s->residual, m);
    if (!isfinite(s->state.residual) || !factor_product(s, q, s->start)) break;
    rill_band_solve(&s->product, s->residual);
    for (size_t c = 0; c < m; c++) s->correction[c] += s->residual[c] = -s->residual[c];
    for (size_t i = 0; i < n; i++) s->change[i] = 0;
    s->model.ops->add_constraint_force(s->model.self, s->start, s->residual, s->change);
    for (size_t i = 0; i < n; i++) q[i] += s->change[i] *= s->inverse_mass[i];
    size = largest(s->change, n);
    /* Newton's method squares its error: the next change would be size (size / before)^2, and is omitted if it is
     * below round-off.  In long chains round-off itself exceeds one part in 2^52: there the iteration ends when the
     * changes stop decreasing. */
    if (size <= DBL_EPSILON * scale ||
        (iteration > 1 && size * (size / before) * (size / before) <= 0.1 * DBL_EPSILON * scale) ||
        (iteration > 1 && size >= 0.5 * before && size <= STAGNATION * scale))
      return RILL_OK;
    before = size;
  }
  return rill_error_set(
      error, RILL_ERROR_CONVERGENCE,
      "system %s: Newton's method for the constraints did not converge: largest residual %.3g, last change "
      "%.3g after %u iterations; take a smaller step",
      s->model.name, s->state.residual, size, s->state.iterations);
}

/* --- flows --- */

static enum rill_status drift(void *self, double h, unsigned flags, struct rill_error *error) {
  struct mechanical_system *s = self;
  size_t n = s->model.n, m = s->model.m;
  double *q = s->state.q, *p = s->state.p;
  enum rill_status status;
  if (h == 0) return RILL_OK;
  if (m > 0) copy(s->start, q, n);
  for (size_t i = 0; i < n; i++) q[i] += h * p[i] * s->inverse_mass[i];
  if (m == 0) return RILL_OK;
  status = close_constraints(s, error);
  if (status != RILL_OK) {
    copy(q, s->start, n);
    return status;
  }
  for (size_t c = 0; c < m; c++) {
    s->correction[c] /= h;
    if (s->duration != 0) s->state.step_multiplier[c] = (s->impulse[c] + s->correction[c]) / s->duration;
    s->impulse[c] = 0;
  }
  s->duration = 0;
  if (flags & RILL_FLOW_DIFFERENCE)
    for (size_t i = 0; i < n; i++) p[i] = s->mass[i] * (q[i] - s->start[i]) / h;
  else s->model.ops->add_constraint_force(s->model.self, s->start, s->correction, p);
  return flags & RILL_FLOW_PROJECT ? project(s, error) : RILL_OK;
}

static enum rill_status kick(void *self, double h, double h_base, const struct rill_filter *filter, unsigned flags,
                             struct rill_error *error) {
  struct mechanical_system *s = self;
  RILL_TRY(evaluate(s, filter, h_base, error));
  for (size_t i = 0; i < s->model.n; i++) s->state.p[i] += h * s->mass[i] * s->acceleration[i];
  if (s->model.m == 0) return RILL_OK;
  s->duration += h;
  return flags & RILL_FLOW_PROJECT ? project(s, error) : RILL_OK;
}

/* Two projections: the impulses of the first are the constraints', those of the second only undo the bath's, and
 * belong to no multiplier. */
static enum rill_status ou(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  struct mechanical_system *s = self;
  size_t m = s->model.m;
  if (m > 0) RILL_TRY(project(s, error));
  rill_heat_bath_flow(&s->bath, h, step, use);
  if (m == 0) return RILL_OK;
  copy(s->correction, s->impulse, m);
  remove_normal_part(s);
  copy(s->impulse, s->correction, m);
  return RILL_OK;
}

static enum rill_status push(void *self, const struct rill_forcing *forcing, enum rill_push how, double h, double t,
                             unsigned flags, struct rill_error *error) {
  struct mechanical_system *s = self;
  rill_forcing_push(forcing, how, s->mass, h, t, s->state.p);
  return s->model.m > 0 && (flags & RILL_FLOW_PROJECT) ? project(s, error) : RILL_OK;
}

static double kinetic_energy(const struct mechanical_system *s) {
  double sum = 0;
  for (size_t i = 0; i < s->model.n; i++) sum += 0.5 * s->state.p[i] * (s->state.p[i] * s->inverse_mass[i]);
  return sum;
}

/* Of the tangent part of the momenta, which may not have been projected there; leaves the state as it is. */
static void observe_half_step(void *self) {
  struct mechanical_system *s = self;
  struct rill_error unused = {0};
  const size_t n = s->model.n, m = s->model.m;
  if (m == 0) {
    s->kinetic_half = kinetic_energy(s);
    return;
  }
  copy(s->linear, s->state.p, n);
  copy(s->correction, s->impulse, m);
  s->kinetic_half = project(s, &unused) == RILL_OK ? kinetic_energy(s) : NAN;
  copy(s->state.p, s->linear, n);
  copy(s->impulse, s->correction, m);
}

/* Computes the physical positions; the solver's report is not counted for a step. */
static void expect(void *self, double h_base, const struct rill_filter *filter) {
  struct mechanical_system *s = self;
  struct rill_error ignored = {0};
  const unsigned iterations = s->state.iterations;
  const double residual = s->state.residual;
  (void)evaluate(s, filter, h_base, &ignored);
  s->state.iterations = iterations;
  s->state.residual = residual;
}

static bool accepts(const void *self, const struct rill_filter *filter) {
  const struct mechanical_system *s = self;
  const struct rill_mechanical_ops *ops = s->model.ops;
  switch (filter->kind) {
  case RILL_FILTER_IDENTITY: return true;
  case RILL_FILTER_LINEAR:
  case RILL_FILTER_PUSHFORWARD: break;
  case RILL_FILTER_THIRD:
    if (ops->third == NULL) return false;
    break;
  }
  return s->model.m == 0 && ops->add_hessian != NULL && (!filter->takes_hessian || s->model.stiff);
}

/* --- the thermal capability, beside heat_bath.h --- */

static enum rill_status correct_measure(void *self, struct rill_error *error) {
  struct mechanical_system *s = self;
  if (s->model.constant_measure)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "system %s: ln det(Dg M^-1 Dg^T) is constant, so that both measures are the same",
                          s->model.name);
  RILL_TRY(rill_fixman_create(&s->mechanical, s->inverse_mass, &s->fixman, error));
  s->flow.corrected = true;
  s->evaluated = false;
  return RILL_OK;
}

/* --- operations --- */

/* The multipliers that keep the accelerations of (q, p) on the constraints, whose force is Dg^T lambda:
 *   (Dg M^-1 Dg^T) lambda = Dg M^-1 grad V - D2g(v, v).
 * The last term is a central difference of Dg v, exact for constraints of second degree, as all of ours are.  NaN if
 * the gradients are linearly dependent. */
static void find_multipliers(struct mechanical_system *s, const double *velocity) {
  const struct rill_mechanical_ops *ops = s->model.ops;
  size_t n = s->model.n, m = s->model.m;
  double *lambda = s->state.multiplier, *curvature = s->residual;
  for (int side = 1; side >= -1; side -= 2) {
    for (size_t i = 0; i < n; i++) s->linear[i] = s->state.q[i] + side * velocity[i];
    ops->constraint_rate(s->model.self, s->linear, velocity, side > 0 ? lambda : curvature);
  }
  for (size_t c = 0; c < m; c++) curvature[c] = 0.5 * (lambda[c] - curvature[c]);
  find_gradient(s, s->gradient);
  for (size_t i = 0; i < n; i++) s->gradient[i] *= s->inverse_mass[i];
  ops->constraint_rate(s->model.self, s->state.q, s->gradient, lambda);
  for (size_t c = 0; c < m; c++) lambda[c] -= curvature[c];
  if (factor_product(s, s->state.q, s->state.q)) {
    rill_band_solve(&s->product, lambda);
    return;
  }
  for (size_t c = 0; c < m; c++) lambda[c] = NAN;
}

static double degrees_of_freedom(const void *self) {
  const struct mechanical_system *s = self;
  return (double)s->model.n - (double)s->model.m - (double)s->model.velocity_constraints;
}

static enum rill_status begin_step(void *self, uint64_t step, double h, struct rill_error *error) {
  struct mechanical_system *s = self;
  (void)h, (void)error;
  s->kinetic_half = NAN;
  rill_heat_bath_begin_step(&s->bath, step);
  return RILL_OK;
}

static enum rill_status observe(void *self, struct rill_observation *observation, struct rill_error *error) {
  struct mechanical_system *s = self;
  size_t n = s->model.n, m = s->model.m;
  double *velocity = s->change;
  (void)error;
  *observation = (struct rill_observation){0};
  for (int i = 0; i < RILL_ENERGY_PARTS; i++) observation->part[i] = NAN;
  observation->temperature_translation = observation->temperature_rotation = NAN;
  observation->temperature_half_translation = observation->temperature_half_rotation = NAN;
  observation->bond_deviation = NAN;
  for (size_t i = 0; i < n; i++) velocity[i] = s->state.p[i] * s->inverse_mass[i];
  observation->kinetic = kinetic_energy(s);
  observation->temperature =
      rill_heat_bath_kinetic_temperature(&s->bath, observation->kinetic, degrees_of_freedom(s));
  observation->temperature_half =
      rill_heat_bath_kinetic_temperature(&s->bath, s->kinetic_half, degrees_of_freedom(s));
  observation->potential = s->model.ops->potential(s->model.self, s->state.q);
  if (s->flow.corrected)
    observation->correction = rill_fixman_potential(&s->fixman, s->bath.temperature, s->state.q, NULL);
  observation->potential += observation->correction;
  observation->iterations = s->state.iterations;
  if (!evaluated_here(s)) copy(s->state.position, s->state.q, n);
  for (int i = 0; i < 3; i++) observation->momentum[i] = observation->angular_momentum[i] = NAN;
  if (s->model.momenta != NULL)
    s->model.momenta(s->model.self, s->state.q, s->state.p, observation->momentum, observation->angular_momentum);
  if (m > 0) {
    double squares = 0;
    find_multipliers(s, velocity);
    find_residual(s, s->state.q);
    for (size_t c = 0; c < m; c++) squares += s->residual[c] * s->residual[c];
    observation->position_deviation_max = largest(s->residual, m);
    observation->position_deviation_rms = sqrt(squares / (double)m);
    s->model.ops->constraint_rate(s->model.self, s->state.q, velocity, s->residual);
    squares = 0;
    for (size_t c = 0; c < m; c++) squares += s->residual[c] * s->residual[c];
    observation->velocity_deviation_max = largest(s->residual, m);
    observation->velocity_deviation_rms = sqrt(squares / (double)m);
  } else if (s->model.deviations != NULL) {
    for (size_t i = 0; i < n; i++) s->start[i] = s->state.position[i] - s->state.q[i];
    s->model.multipliers(s->model.self, s->state.q, s->start, s->state.multiplier);
    s->model.deviations(s->model.self, s->state.position, velocity, observation);
  } else {
    observation->position_deviation_max = observation->position_deviation_rms = NAN;
    observation->velocity_deviation_max = observation->velocity_deviation_rms = NAN;
  }
  if (s->model.velocity_constraints > 0)
    rill_nonholonomic_deviation(&s->tangent, s->state.q, velocity, &observation->velocity_deviation_max,
                                &observation->velocity_deviation_rms);
  return RILL_OK;
}

/* Numbers of a history; 0: the method has none. */
static size_t history_length(const struct mechanical_system *s) {
  return s->state.earlier > 0 ? (2 * s->state.earlier + 1) * s->model.n : 0;
}

static void save(void *self) {
  struct mechanical_system *s = self;
  size_t n = s->model.n, m = s->model.m;
  copy(s->saved.q, s->state.q, n);
  copy(s->saved.p, s->state.p, n);
  copy(s->saved.position, s->state.position, n);
  copy(s->saved.acceleration, s->state.acceleration, n);
  copy(s->saved.history, s->state.history, history_length(s));
  copy(s->saved.step_multiplier, s->state.step_multiplier, m);
  copy(s->saved.impulse, s->impulse, m);
  s->saved.duration = s->duration;
  memcpy(s->saved.clock, s->clock, sizeof s->clock);
  s->saved.residual = s->state.residual;
  s->saved.iterations = s->state.iterations;
}

static void restore(void *self) {
  struct mechanical_system *s = self;
  size_t n = s->model.n, m = s->model.m;
  copy(s->state.q, s->saved.q, n);
  copy(s->state.p, s->saved.p, n);
  copy(s->state.position, s->saved.position, n);
  copy(s->state.acceleration, s->saved.acceleration, n);
  copy(s->state.history, s->saved.history, history_length(s));
  copy(s->state.step_multiplier, s->saved.step_multiplier, m);
  copy(s->impulse, s->saved.impulse, m);
  s->duration = s->saved.duration;
  memcpy(s->clock, s->saved.clock, sizeof s->clock);
  s->state.residual = s->saved.residual;
  s->state.iterations = s->saved.iterations;
}

static void archive_state(void *self, struct rill_archive *archive) {
  struct mechanical_system *s = self;
  size_t n = s->model.n, m = s->model.m;
  rill_archive_reals(archive, "q", s->state.q, n);
  rill_archive_reals(archive, "p", s->state.p, n);
  rill_archive_reals(archive, "position", s->state.position, n);
  rill_archive_reals(archive, "acceleration", s->state.acceleration, n);
  rill_archive_reals(archive, "step_multiplier", s->state.step_multiplier, m);
  rill_archive_reals(archive, "impulse", s->impulse, m);
  rill_archive_reals(archive, "duration", &s->duration, 1);
  rill_archive_reals(archive, "residual", &s->state.residual, 1);
  rill_archive_count(archive, "iterations", &s->state.iterations);
  if (s->state.clocked) rill_archive_reals(archive, "clock", s->clock, RILL_CLOCK);
  if (s->state.earlier > 0) rill_archive_reals(archive, "history", s->state.history, history_length(s));
  if (archive->reading) s->evaluated = false;
}

static void destroy(void *self) {
  struct mechanical_system *s = self;
  double *const arrays[] = {s->state.q,
                            s->state.p,
                            s->state.position,
                            s->state.multiplier,
                            s->mass,
                            s->inverse_mass,
                            s->acceleration,
                            s->at,
                            s->gradient,
                            s->linear,
                            s->start,
                            s->change,
                            s->residual,
                            s->correction,
                            s->impulse,
                            s->state.acceleration,
                            s->saved.acceleration,
                            s->state.history,
                            s->saved.history,
                            s->saved.q,
                            s->saved.p,
                            s->saved.position,
                            s->state.step_multiplier,
                            s->saved.step_multiplier,
                            s->saved.impulse};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) rill_release(arrays[i]);
  rill_acceleration_solver_destroy(&s->solver);
  rill_nonholonomic_solver_destroy(&s->tangent);
  rill_band_destroy(&s->product);
  rill_band_destroy(&s->dense);
  rill_fixman_destroy(&s->fixman);
  if (s->model.destroy != NULL) s->model.destroy(s->model.self);
  rill_release(s);
}

/* --- the lagrangian capability: L = v M v / 2 - V(q) --- */

static void lagrangian_evaluate(const void *self, const double *q, const double *v,
                                struct rill_lagrangian_values *values) {
  const struct mechanical_system *s = self;
  size_t n = s->model.n;
  values->value = -s->model.ops->potential(s->model.self, q);
  for (size_t i = 0; i < n; i++) values->value += 0.5 * s->mass[i] * v[i] * v[i];
  if (values->dq != NULL) {
    s->model.ops->gradient(s->model.self, q, values->dq);
    for (size_t i = 0; i < n; i++) values->dq[i] = -values->dq[i];
  }
  if (values->dv != NULL)
    for (size_t i = 0; i < n; i++) values->dv[i] = s->mass[i] * v[i];
  if (values->dqv != NULL) memset(values->dqv, 0, n * n * sizeof *values->dqv);
  if (values->dvv != NULL) {
    memset(values->dvv, 0, n * n * sizeof *values->dvv);
    for (size_t i = 0; i < n; i++) values->dvv[i * n + i] = s->mass[i];
  }
  if (values->dqq != NULL) {
    struct rill_band band = s->dense; /* scratch memory behind the pointers */
    rill_band_clear(&band);
    s->model.ops->add_hessian(s->model.self, RILL_HESSIAN_FULL, -1.0, q, &band);
    rill_band_unpack(&band, values->dqq);
  }
}

static void lagrangian_constraint(const void *self, const double *q, double *g) {
  const struct mechanical_system *s = self;
  s->model.ops->constraint(s->model.self, q, g);
}

static void lagrangian_jacobian(const void *self, const double *q, double *jacobian) {
  const struct mechanical_system *s = self;
  s->model.ops->jacobian(s->model.self, q, jacobian);
}

static void lagrangian_constraint_hessian(const void *self, const double *multiplier, const double *q,
                                          double *hessian) {
  const struct mechanical_system *s = self;
  struct rill_band band = s->dense;
  rill_band_clear(&band);
  s->model.ops->add_constraint_hessian(s->model.self, multiplier, q, &band);
  rill_band_unpack(&band, hessian);
}

static const struct rill_lagrangian_ops free_lagrangian_ops = {.evaluate = lagrangian_evaluate};
static const struct rill_lagrangian_ops constrained_lagrangian_ops = {
    .evaluate = lagrangian_evaluate,
    .constraint = lagrangian_constraint,
    .jacobian = lagrangian_jacobian,
    .constraint_hessian = lagrangian_constraint_hessian,
};

/* --- the hamiltonian capability --- */

static enum rill_status hamiltonian_evaluate(void *self, const double *q, const double *p,
                                             struct rill_hamiltonian_values *values, struct rill_error *error) {
  struct mechanical_system *s = self;
  const size_t n = s->model.n;
  (void)error;
  values->value = s->model.ops->potential(s->model.self, q);
  for (size_t i = 0; i < n; i++) values->value += 0.5 * p[i] * p[i] * s->inverse_mass[i];
  if (values->dq != NULL) {
    s->model.ops->gradient(s->model.self, q, values->dq);
    for (size_t i = 0; i < n; i++) values->dp[i] = p[i] * s->inverse_mass[i];
  }
  if (values->dqq == NULL) return RILL_OK;
  rill_band_clear(&s->dense);
  s->model.ops->add_hessian(s->model.self, RILL_HESSIAN_FULL, 1.0, q, &s->dense);
  rill_band_unpack(&s->dense, values->dqq);
  memset(values->dqp, 0, n * n * sizeof *values->dqp);
  memset(values->dpp, 0, n * n * sizeof *values->dpp);
  for (size_t i = 0; i < n; i++) values->dpp[i * n + i] = s->inverse_mass[i];
  return RILL_OK;
}

/* --- creation --- */

static const struct rill_system_ops shared_ops = {
    .degrees_of_freedom = degrees_of_freedom,
    .begin_step = begin_step,
    .observe = observe,
    .save = save,
    .restore = restore,
    .archive = archive_state,
    .destroy = destroy,
};

static bool allocate(struct mechanical_system *s) {
  size_t n = s->model.n, m = s->model.m;
  double **const of_n[] = {&s->state.q,
                           &s->state.p,
                           &s->state.position,
                           &s->mass,
                           &s->inverse_mass,
                           &s->acceleration,
                           &s->at,
                           &s->state.acceleration,
                           &s->saved.acceleration,
                           &s->gradient,
                           &s->linear,
                           &s->start,
                           &s->change,
                           &s->saved.q,
                           &s->saved.p,
                           &s->saved.position};
  double **const of_m[] = {&s->residual,
                           &s->correction,
                           &s->impulse,
                           &s->saved.impulse,
                           &s->state.step_multiplier,
                           &s->saved.step_multiplier};
  for (size_t i = 0; i < sizeof of_n / sizeof of_n[0]; i++)
    if ((*of_n[i] = rill_allocate(n, sizeof(double))) == NULL) return false;
  for (size_t i = 0; i < sizeof of_m / sizeof of_m[0]; i++)
    if ((*of_m[i] = rill_allocate(m, sizeof(double))) == NULL) return false;
  if (m == 0) { /* for methods without constraints */
    s->state.history = rill_allocate(RILL_HISTORY * n, sizeof(double));
    s->saved.history = rill_allocate(RILL_HISTORY * n, sizeof(double));
    if (s->state.history == NULL || s->saved.history == NULL) return false;
    s->state.history[0] = NAN;
  }
  s->state.multiplier = rill_allocate(s->state.multipliers, sizeof(double));
  return s->state.multiplier != NULL;
}

/* Checks that positions satisfy the constraints, to 1e-9 of the largest coordinate squared, which allows for rounded
 * decimals in decks. */
static enum rill_status check_start(struct mechanical_system *s, struct rill_error *error) {
  double scale = largest(s->state.q, s->model.n);
  if (!isfinite(scale) || !isfinite(largest(s->state.p, s->model.n)))
    return rill_error_set(error, RILL_ERROR_INPUT, "system %s: the initial state is not finite", s->model.name);
  if (s->model.velocity_constraints > 0) return rill_nonholonomic_project(&s->tangent, s->state.q, s->state.p, error);
  if (s->model.m == 0) return RILL_OK;
  find_residual(s, s->state.q);
  if (largest(s->residual, s->model.m) > 1e-9 * scale * scale)
    return rill_error_set(
        error, RILL_ERROR_INPUT,
        "system %s: the initial positions violate the constraints by %.3g; give positions that satisfy them",
        s->model.name, largest(s->residual, s->model.m));
  return project(s, error);
}

enum rill_status rill_mechanical_system_create(const struct rill_mechanical_model *model, struct rill_system *system,
                                               struct rill_error *error) {
  struct mechanical_system *s = rill_allocate(1, sizeof *s);
  size_t n = model->n, m = model->m;
  enum rill_status status;
  if (s == NULL) {
    if (model->destroy != NULL) model->destroy(model->self);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for system %s", model->name);
  }
  s->model = *model;
  s->state.n = n;
  s->state.m = m;
  s->state.multipliers = m > 0 ? m : model->penalties;
  status = allocate(s) ? RILL_OK : rill_error_set(error, RILL_ERROR_MEMORY, "no memory for system %s", model->name);
  if (status == RILL_OK && m > 0) status = rill_band_create(m, model->reach, &s->product, error);
  if (status == RILL_OK && n <= RILL_LAGRANGIAN_LARGEST) status = rill_band_create(n, n - 1, &s->dense, error);
  s->mechanical = (struct rill_mechanical){.ops = model->ops,
                                           .n = n,
                                           .m = m,
                                           .bandwidth = model->bandwidth,
                                           .ring_bandwidth = model->ring_bandwidth,
                                           .reach = model->reach,
                                           .mass = s->mass,
                                           .stiff = model->stiff,
                                           .spheres = model->spheres,
                                           .self = model->self};
  memcpy(s->mechanical.radius, model->radius, sizeof model->radius);
  s->nonholonomic = (struct rill_nonholonomic){
      .ops = model->nonholonomic, .n = n, .k = model->velocity_constraints, .mass = s->mass, .self = model->self};
  if (status == RILL_OK && model->velocity_constraints > 0)
    status = rill_nonholonomic_solver_create(&s->nonholonomic, &s->tangent, error);
  if (status == RILL_OK && model->ops->add_hessian != NULL && m == 0)
    status = rill_acceleration_solver_create(&s->mechanical, &s->solver, error);
  if (status != RILL_OK) goto failed;

  for (size_t i = 0; i < n; i++) {
    s->mass[i] = model->mass[i];
    s->inverse_mass[i] = 1.0 / model->mass[i];
    s->state.q[i] = s->state.position[i] = model->q[i];
    s->state.p[i] = model->mass[i] * model->v[i];
    s->state.acceleration[i] = NAN;
  }
  s->model.mass = s->mass;
  s->model.q = s->model.v = NULL;
  status = check_start(s, error);
  if (status != RILL_OK) goto failed;
  for (size_t c = 0; c < s->state.multipliers; c++) s->state.multiplier[c] = NAN;
  for (size_t c = 0; c < m; c++) {
    s->impulse[c] = 0; /* the projection of the start belongs to no step */
    s->state.step_multiplier[c] = NAN;
  }

  s->bath = (struct rill_heat_bath){.system = model->name, .n = n, .p = s->state.p, .mass = s->mass};
  s->state.clock = s->clock;
  s->clock[RILL_CLOCK_CARRIED] = NAN;
  s->kinetic_half = NAN;
  s->thermal = rill_heat_bath_thermal;
  if (m > 0) s->thermal.correct_measure = correct_measure;
  s->thermal.measure_varies = m > 0 && !s->model.constant_measure;

  s->ops = shared_ops;
  s->ops.name = model->name;
  s->ops.summary = model->summary;
  s->flow = (struct rill_flow_ops){.drift_exact = m == 0,
                                   .constrained = m > 0,
                                   .drift = drift,
                                   .kick = kick,
                                   .expect = expect,
                                   .ou = ou,
                                   .push = push,
                                   .accepts = accepts,
                                   .observe_half_step = observe_half_step};
  s->lagrangian = (struct rill_lagrangian){.ops = m > 0 ? &constrained_lagrangian_ops : &free_lagrangian_ops,
                                           .n = n,
                                           .m = m,
                                           .quadratic = true,
                                           .self = s};
  s->hamiltonian = (struct rill_hamiltonian){.evaluate = hamiltonian_evaluate, .n = n, .self = s};
  *system = (struct rill_system){
      .ops = &s->ops,
      .flow = model->nonholonomic == NULL ? &s->flow : NULL, /* projections know constraints of positions alone */
      .mechanical = &s->mechanical,
      .nonholonomic = model->nonholonomic != NULL ? &s->nonholonomic : NULL,
      .lagrangian = n <= RILL_LAGRANGIAN_LARGEST && model->ops->add_hessian != NULL ? &s->lagrangian : NULL,
      .hamiltonian =
          m == 0 && model->nonholonomic == NULL && n <= RILL_LAGRANGIAN_LARGEST && model->ops->add_hessian != NULL
              ? &s->hamiltonian
              : NULL,
      .thermal = &s->thermal,
      .state = &s->state,
      .self = s};
  return RILL_OK;
failed:
  destroy(s);
  return status;
}
