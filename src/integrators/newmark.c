/* Newmark's method, gamma = 1/2 (Newmark, J. Eng. Mech. 85, 67 (1959); Tao & Owhadi 2016, (2.1)):
 *   q' = q* + beta h^2 a',  q* = q + h v + (h^2/2) (1 - 2 beta) a,  v' = v + (h/2) (a + a'),  a' = -M^-1 grad V(q'),
 * solved to round-off; or with only one Newton iteration, where the starting point and the choice of a' give five
 * different methods:
 *   start      q      q*     q + h v + (h^2/2) a
 *   a' anew    A      C      E                      a' = -M^-1 grad V(q')
 *   a' kept    B      D                             a' of the linear model
 * D is Z&Ss in the coordinates x = q - beta h^2 a; B agrees with the published results of one-step Newmark. */
#include "integrators/newmark.h"
#include "integrators/implicit_step.h"

#include <math.h>

#include "base/memory.h"

struct newmark {
  struct rill_system *system;
  double h, beta, tolerance;
  unsigned max_iterations;
  enum rill_newton_start variant; /* A to E; 0: solved to round-off */
  struct rill_acceleration_solver solver;
  double *a, *predicted, *start, *shift, *next; /* [n]; predicted is q*, shift is q* - start */
};

static void destroy(void *self) {
  struct newmark *s = self;
  if (s == NULL) return;
  rill_acceleration_solver_destroy(&s->solver);
  rill_release(s->a);
  rill_release(s->predicted);
  rill_release(s->start);
  rill_release(s->shift);
  rill_release(s->next);
  rill_release(s);
}

static enum rill_status create(struct rill_system *system, double h, const struct rill_method_options *options,
                               enum rill_newton_start variant, void **self, struct rill_error *error) {
  size_t n = system->mechanical->n;
  struct newmark *s;
  enum rill_status status;
  if (system->mechanical->ops->add_hessian == NULL || system->state->acceleration == NULL)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "system %s has no Hessian, or no room for Newmark's acceleration", system->ops->name);
  s = rill_allocate(1, sizeof *s);
  if (s == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for Newmark's method");
  s->system = system;
  s->h = h;
  s->beta = options->beta;
  s->tolerance = options->tolerance;
  s->max_iterations = (unsigned)options->max_iterations;
  s->variant = variant;
  status = rill_acceleration_solver_create(system->mechanical, &s->solver, error);
  s->a = rill_allocate(n, sizeof(double));
  s->predicted = rill_allocate(n, sizeof(double));
  s->start = rill_allocate(n, sizeof(double));
  s->shift = rill_allocate(n, sizeof(double));
  s->next = rill_allocate(n, sizeof(double));
  if (status == RILL_OK &&
      (s->a == NULL || s->predicted == NULL || s->start == NULL || s->shift == NULL || s->next == NULL))
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for Newmark's method");
  if (status == RILL_OK) *self = s;
  else destroy(s);
  return status;
}

static enum rill_status create_converged(struct rill_system *system, double h,
                                         const struct rill_method_options *options, void **self,
                                         struct rill_error *error) {
  return create(system, h, options, 0, self, error);
}

static enum rill_status create_onestep(struct rill_system *system, double h,
                                       const struct rill_method_options *options, void **self,
                                       struct rill_error *error) {
  if (rill_choice_of(rill_newton_start_choices, options->newton_start) == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "newmark-onestep: newton_start is one of A, B, C, D, E");
  return create(system, h, options, options->newton_start, self, error);
}

static void acceleration_at(const struct newmark *s, const double *q, double *a) {
  const struct rill_mechanical *mechanical = s->system->mechanical;
  mechanical->ops->gradient(mechanical->self, q, a);
  for (size_t i = 0; i < mechanical->n; i++) a[i] = -a[i] / mechanical->mass[i];
}

/* q' and v' from a'; the new acceleration is in `next`. */
static enum rill_status finish(struct newmark *s, struct rill_error *error) {
  struct rill_state *state = s->system->state;
  const double *mass = s->system->mechanical->mass, scale = s->beta * s->h * s->h;
  bool finite = true;
  for (size_t i = 0; i < state->n; i++) {
    state->q[i] = s->predicted[i] + scale * s->next[i];
    finite = finite && isfinite(state->q[i]);
  }
  if (!finite) return rill_error_set(error, RILL_ERROR_NOT_FINITE, "a position is not finite; take a smaller step");
  if (s->variant == RILL_START_A || s->variant == RILL_START_C || s->variant == RILL_START_E)
    acceleration_at(s, state->q, s->next);
  for (size_t i = 0; i < state->n; i++) state->p[i] += 0.5 * s->h * mass[i] * (s->a[i] + s->next[i]);
  return RILL_OK;
}

static void predict(struct newmark *s) {
  const struct rill_state *state = s->system->state;
  const double *mass = s->system->mechanical->mass, h = s->h;
  for (size_t i = 0; i < state->n; i++)
    s->predicted[i] = state->q[i] + h * state->p[i] / mass[i] + 0.5 * h * h * (1 - 2 * s->beta) * s->a[i];
}

static enum rill_status step_converged(void *self, struct rill_error *error) {
  struct newmark *s = self;
  struct rill_state *state = s->system->state;
  acceleration_at(s, state->q, s->a);
  predict(s);
  RILL_TRY(rill_acceleration_pushforward(&s->solver, RILL_HESSIAN_FULL, s->beta * s->h * s->h, s->predicted,
                                         s->tolerance, s->max_iterations, s->next, error));
  state->iterations = s->solver.iterations;
  state->residual = s->solver.residual;
  return finish(s, error);
}

static enum rill_status step_onestep(void *self, struct rill_error *error) {
  struct newmark *s = self;
  struct rill_state *state = s->system->state;
  const double *mass = s->system->mechanical->mass, h = s->h;
  size_t n = state->n;
  bool at_prediction = s->variant == RILL_START_C || s->variant == RILL_START_D;
  if (n > 0 && isnan(state->acceleration[0])) acceleration_at(s, state->q, state->acceleration);
  for (size_t i = 0; i < n; i++) s->a[i] = state->acceleration[i];
  predict(s);
  for (size_t i = 0; i < n; i++) {
    s->start[i] = at_prediction ? s->predicted[i] : state->q[i];
    if (s->variant == RILL_START_E) s->start[i] += h * state->p[i] / mass[i] + 0.5 * h * h * s->a[i];
    s->shift[i] = s->predicted[i] - s->start[i];
  }
  RILL_TRY(rill_acceleration_linear(&s->solver, RILL_HESSIAN_FULL, s->beta * h * h, s->start,
                                    at_prediction ? NULL : s->shift, s->next, error));
  RILL_TRY(finish(s, error));
  for (size_t i = 0; i < n; i++) state->acceleration[i] = s->next[i];
  state->iterations = 1;
  return RILL_OK;
}

static const struct rill_one_step converged = {create_converged, step_converged, destroy};
static const struct rill_one_step onestep = {create_onestep, step_onestep, destroy};

const struct rill_method rill_method_newmark = {
    .name = "newmark",
    .summary = "Newmark's method with gamma = 1/2, solved to round-off, in the physical positions",
    .citation = "Newmark, J. Eng. Mech. 85, 67 (1959); Tao & Owhadi 2016, (2.1)",
    .order = 2,
    .symmetric = true,
    .symplectic = true, /* conjugate, through q = x + beta h^2 a, to the symplectic pushforward */
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
    .one_step = &converged,
    .implicit = &rill_implicit_newmark,
    .implicit_needs = RILL_NEEDS_IMPLICIT | RILL_NEEDS_NO_CONSTRAINTS,
    .reads = RILL_READS_BETA | RILL_READS_SOLVER,
};

const struct rill_method rill_method_newmark_onestep = {
    .name = "newmark-onestep",
    .summary = "Newmark's method with one Newton iteration a step, started as newton_start says (A to E)",
    .citation = "Tao & Owhadi 2016, section 4.1",
    .order = 2,
    .symmetric = false,
    .symplectic = false,
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
    .one_step = &onestep,
    .implicit = &rill_implicit_newmark_onestep,
    .implicit_needs = RILL_NEEDS_IMPLICIT | RILL_NEEDS_NO_CONSTRAINTS,
    .reads = RILL_READS_BETA | RILL_READS_NEWTON_START,
};
