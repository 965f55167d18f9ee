/* Implicit methods of large systems, in positions q and velocities v.  Every solve starts from a guess that depends
 * only on the state before the step, so that a step does not depend on earlier ones. */
#include "integrators/implicit_step.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mech/pushforward.h"

enum { ARRAYS = 6 };

struct implicit_step {
  const struct rill_implicit *implicit;
  double h, beta;
  enum rill_newton_start variant; /* of one-step Newmark: A to E */
  struct rill_pushforward *pushforward;
  struct rill_nonlinear *nonlinear; /* dvp's */
  double *array[ARRAYS];            /* [n] each */
};

static void destroy(void *self) {
  struct implicit_step *s = self;
  if (s == NULL) return;
  rill_pushforward_destroy(s->pushforward);
  rill_nonlinear_destroy(s->nonlinear);
  for (int i = 0; i < ARRAYS; i++) rill_release(s->array[i]);
  rill_release(s);
}

static enum rill_status create(struct rill_system *system, double h, const struct rill_method_options *options,
                               struct implicit_step **out, struct rill_error *error) {
  struct implicit_step *s;
  RILL_TRY(system->implicit->ops->begin(system->implicit->self, error));
  s = rill_allocate(1, sizeof *s);
  *out = s;
  if (s == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for an implicit method");
  s->implicit = system->implicit;
  s->h = h;
  s->beta = options->beta;
  s->variant = options->newton_start;
  for (int i = 0; i < ARRAYS; i++)
    if ((s->array[i] = rill_allocate(system->implicit->n, sizeof(double))) == NULL)
      return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for an implicit method");
  return RILL_OK;
}

static enum rill_status keep_or_destroy(enum rill_status status, struct implicit_step *s, void **self) {
  *self = status == RILL_OK ? s : NULL;
  if (status != RILL_OK) destroy(s);
  return status;
}

static enum rill_status create_pushforward(struct rill_system *system, double h,
                                           const struct rill_method_options *options, double tolerance, void **self,
                                           struct rill_error *error) {
  struct implicit_step *s = NULL;
  enum rill_status status = create(system, h, options, &s, error);
  if (status == RILL_OK)
    status = rill_pushforward_create(system->implicit, options->nonlinear, tolerance,
                                     (unsigned)options->max_iterations, &s->pushforward, error);
  return keep_or_destroy(status, s, self);
}

/* a = M^-1 F(q) */
static void accelerate(const struct implicit_step *s, const double *q, double *a) {
  const struct rill_implicit *implicit = s->implicit;
  implicit->ops->force(implicit->self, q, a);
  implicit->report->evaluations++;
  for (size_t i = 0; i < implicit->n; i++) a[i] /= implicit->mass[i];
}

/* ---- the implicit midpoint rule: M (y - c) = (h^2/4) F(y), c = q + (h/2) v, y the midpoint ---- */

static enum rill_status create_midpoint(struct rill_system *system, double h,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  return create_pushforward(system, h, options, 0.5 * options->tolerance, self, error);
}

static enum rill_status step_midpoint(void *self, struct rill_error *error) {
  struct implicit_step *s = self;
  const struct rill_implicit *implicit = s->implicit;
  double *q = implicit->q, *v = implicit->v, *c = s->array[0], *y = s->array[1], h = s->h;
  for (size_t i = 0; i < implicit->n; i++) y[i] = c[i] = q[i] + 0.5 * h * v[i];
  RILL_TRY(rill_pushforward_solve(s->pushforward, c, 0.25 * h * h, y, error));
  for (size_t i = 0; i < implicit->n; i++) {
    double kick = (y[i] - c[i]) / (0.25 * h); /* h a */
    q[i] += h * (v[i] + 0.5 * kick);
    v[i] += kick;
  }
  implicit->ops->moved(implicit->self);
  return RILL_OK;
}

/* ---- discrete Euler-Lagrange equations of the midpoint discrete Lagrangian, Tao & Owhadi (4.8) ----
 *   M (q' - q)/h = M v + (h/2) F(y) + Dg(q)^T lambda,  y = (q + q')/2,  g(q') = 0,
 *   M v' = M (q' - q)/h + (h/2) F(y), then onto the tangent space.
 * The map takes y to (q + q')/2: half a kick by F(y) and a constrained drift.  After convergence the step uses the
 * last force, so that impulses act along bonds and momenta stay at round-off. */

/* out = v + (h/2) M^-1 f.  It uses the same rounded 1/m as the impulses of constraints: the two cancel over many
 * steps, and so must the effect of this rounding on the momentum. */
static void half_kick(const struct implicit_step *s, const double *v, const double *f, double *out) {
  const double *mass = s->implicit->mass;
  for (size_t i = 0; i < s->implicit->n; i++) out[i] = v[i] + 0.5 * s->h * f[i] * (1 / mass[i]);
}

static enum rill_status dvp_map(void *self, const double *y, double *g, struct rill_error *error) {
  struct implicit_step *s = self;
  const struct rill_implicit *implicit = s->implicit;
  double *f = s->array[0], *next = s->array[1], *v = s->array[2];
  const size_t n = implicit->n;
  implicit->ops->force(implicit->self, y, f);
  half_kick(s, implicit->v, f, v);
  memcpy(next, implicit->q, n * sizeof *next);
  RILL_TRY(implicit->ops->drift(implicit->self, s->h, next, v, error));
  for (size_t i = 0; i < n; i++) g[i] = 0.5 * (implicit->q[i] + next[i]);
  return RILL_OK;
}

static void dvp_derivative(void *self, const double *y, const double *u, double *out) {
  struct implicit_step *s = self;
  const struct rill_implicit *implicit = s->implicit;
  implicit->ops->force_derivative(implicit->self, y, u, out);
  for (size_t i = 0; i < implicit->n; i++) out[i] *= 0.25 * s->h * s->h / implicit->mass[i];
  implicit->ops->project(implicit->self, implicit->q, s->array[1], out);
  for (size_t i = 0; i < implicit->n; i++) out[i] = u[i] - out[i];
}

/* Without constraints this is the implicit midpoint rule. */
static enum rill_status create_dvp(struct rill_system *system, double h, const struct rill_method_options *options,
                                   void **self, struct rill_error *error) {
  const struct rill_implicit *implicit = system->implicit;
  const struct rill_nonlinear_options how = {options->nonlinear, 0.5 * options->tolerance * implicit->length,
                                             options->max_iterations > 0 ? (unsigned)options->max_iterations : 50};
  struct implicit_step *s = NULL;
  enum rill_status status;
  if (!implicit->constrained) return create_midpoint(system, h, options, self, error);
  if (options->nonlinear == RILL_NEWTON_KRYLOV && implicit->ops->force_derivative == NULL)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "the system does not offer derivatives of its forces; take nonlinear = anderson");
  status = create(system, h, options, &s, error);
  if (status == RILL_OK)
    status = rill_nonlinear_create(&(struct rill_nonlinear_problem){implicit->n, dvp_map, dvp_derivative, s}, &how,
                                   &s->nonlinear, error);
  return keep_or_destroy(status, s, self);
}

static enum rill_status step_dvp(void *self, struct rill_error *error) {
  struct implicit_step *s = self;
  const struct rill_implicit *implicit = s->implicit;
  const size_t n = implicit->n;
  double *q = implicit->q, *v = implicit->v, *f = s->array[0], *y = s->array[3];
  struct rill_nonlinear_report report;
  enum rill_status status;
  if (s->nonlinear == NULL) return step_midpoint(self, error);
  for (size_t i = 0; i < n; i++) y[i] = q[i] + 0.5 * s->h * v[i];
  status = rill_nonlinear_solve(s->nonlinear, y, NULL, &report, error);
  rill_implicit_note(implicit, &report);
  if (status != RILL_OK) return status;
  half_kick(s, v, f, v);
  RILL_TRY(implicit->ops->drift(implicit->self, s->h, q, v, error));
  half_kick(s, v, f, v);
  implicit->ops->project(implicit->self, q, q, v);
  implicit->ops->moved(implicit->self);
  return RILL_OK;
}

/* ---- Newmark's method, gamma = 1/2, as in newmark.c ---- */

static enum rill_status create_newmark(struct rill_system *system, double h,
                                       const struct rill_method_options *options, void **self,
                                       struct rill_error *error) {
  return create_pushforward(system, h, options, options->tolerance, self, error);
}

static void predict(const struct implicit_step *s, const double *a, double *predicted) {
  const double *q = s->implicit->q, *v = s->implicit->v, h = s->h;
  for (size_t i = 0; i < s->implicit->n; i++) predicted[i] = q[i] + h * v[i] + 0.5 * h * h * (1 - 2 * s->beta) * a[i];
}

/* q' = predicted + beta h^2 a', v' = v + (h/2) (a + a') */
static void finish(const struct implicit_step *s, const double *predicted, const double *a, const double *next) {
  const struct rill_implicit *implicit = s->implicit;
  for (size_t i = 0; i < implicit->n; i++) {
    implicit->q[i] = predicted[i] + s->beta * s->h * s->h * next[i];
    implicit->v[i] += 0.5 * s->h * (a[i] + next[i]);
  }
  implicit->ops->moved(implicit->self);
}

static enum rill_status step_newmark(void *self, struct rill_error *error) {
  struct implicit_step *s = self;
  const struct rill_implicit *implicit = s->implicit;
  double *a = s->array[0], *predicted = s->array[1], *y = s->array[2], *next = s->array[3],
         scale = s->beta * s->h * s->h;
  accelerate(s, implicit->q, a);
  predict(s, a, predicted);
  for (size_t i = 0; i < implicit->n; i++) y[i] = predicted[i] + scale * a[i];
  RILL_TRY(rill_pushforward_solve(s->pushforward, predicted, scale, y, error));
  for (size_t i = 0; i < implicit->n; i++) next[i] = (y[i] - predicted[i]) / scale;
  finish(s, predicted, a, next);
  return RILL_OK;
}

static enum rill_status create_onestep(struct rill_system *system, double h,
                                       const struct rill_method_options *options, void **self,
                                       struct rill_error *error) {
  struct implicit_step *s = NULL;
  enum rill_status status;
  if (rill_choice_of(rill_newton_start_choices, options->newton_start) == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "newmark-onestep: newton_start is one of A, B, C, D, E");
  status = create(system, h, options, &s, error);
  return keep_or_destroy(status, s, self);
}

/* One Newton iteration from `start`; its matrix has the Hessian of the stiff part alone. */
static enum rill_status step_onestep(void *self, struct rill_error *error) {
  struct implicit_step *s = self;
  const struct rill_implicit *implicit = s->implicit;
  const bool at_prediction = s->variant == RILL_START_C || s->variant == RILL_START_D;
  const size_t n = implicit->n;
  const double *mass = implicit->mass, h = s->h;
  double *a = s->array[0], *predicted = s->array[1], *start = s->array[2], *shift = s->array[3], *f = s->array[4],
         *next = s->array[5];
  if (isnan(implicit->acceleration[0])) accelerate(s, implicit->q, a);
  else memcpy(a, implicit->acceleration, n * sizeof *a);
  predict(s, a, predicted);
  for (size_t i = 0; i < n; i++) {
    start[i] = at_prediction ? predicted[i] : implicit->q[i];
    if (s->variant == RILL_START_E) start[i] += h * implicit->v[i] + 0.5 * h * h * a[i];
    shift[i] = predicted[i] - start[i];
  }
  accelerate(s, start, f);
  implicit->ops->stiff_product(implicit->self, RILL_HESSIAN_STIFF, start, shift, next);
  for (size_t i = 0; i < n; i++) f[i] = mass[i] * f[i] - next[i];
  implicit->ops->stiff_solve(implicit->self, RILL_HESSIAN_STIFF, s->beta * h * h, start, f, next);
  if (s->variant == RILL_START_B || s->variant == RILL_START_D) {
    finish(s, predicted, a, next);
  } else {
    for (size_t i = 0; i < n; i++) start[i] = predicted[i] + s->beta * h * h * next[i];
    accelerate(s, start, f);
    for (size_t i = 0; i < n; i++) { /* the position is the linear model's, the acceleration is evaluated anew */
      implicit->q[i] = start[i];
      implicit->v[i] += 0.5 * h * (a[i] + f[i]);
      next[i] = f[i];
    }
    implicit->ops->moved(implicit->self);
  }
  memcpy(implicit->acceleration, next, n * sizeof *next);
  implicit->report->iterations = 1;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(implicit->q[i]))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE, "a position is not finite; take a shorter step");
  return RILL_OK;
}

const struct rill_one_step rill_implicit_dvp = {create_dvp, step_dvp, destroy};
const struct rill_one_step rill_implicit_midpoint = {create_midpoint, step_midpoint, destroy};
const struct rill_one_step rill_implicit_newmark = {create_newmark, step_newmark, destroy};
const struct rill_one_step rill_implicit_newmark_onestep = {create_onestep, step_onestep, destroy};
