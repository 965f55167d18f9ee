/* The midpoint rules treat the entries of a group element as coordinates in R^N.  The explicit one leaves the group
 * by O(h^3) per step.  The implicit one does not: g' = g + h m xi^ with m = (g + g') / 2 is g' = g cay(h xi), so that
 * xi is the only unknown.  (Leok & Shingel find that it leaves SO(3), which is true of a solve that is stopped
 * early.)
 *
 * On R^n, where cay and exp are additions, they are the midpoint rules for q' = v. */
#include "integrators/group_runge_kutta.h"

#include <string.h>

#include "base/memory.h"
#include "numerics/newton.h"

struct stages {
  struct rill_state *state;
  const struct rill_group *group;
  double h;
  struct rill_newton newton;                    /* of the implicit rule: its unknown is the midpoint's xi */
  double *middle, *change;                      /* [element_size] */
  double *xi, *rate, *momentum, *unit, *column; /* [dimension] */
};

static void stages_destroy(void *self) {
  struct stages *s = self;
  if (s == NULL) return;
  rill_newton_destroy(&s->newton);
  rill_release(s->middle);
  rill_release(s->xi);
  rill_release(s);
}

static enum rill_status stages_create(struct rill_system *system, double h, const struct rill_method_options *options,
                                      void **self, struct rill_error *error) {
  const size_t n = system->group->dimension, size = system->group->element_size;
  struct stages *s = rill_allocate(1, sizeof *s);
  enum rill_status status;
  if (s == NULL || (s->middle = rill_allocate(2 * size, sizeof *s->middle)) == NULL ||
      (s->xi = rill_allocate(5 * n, sizeof *s->xi)) == NULL) {
    stages_destroy(s);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a step on a group of dimension %zu", n);
  }
  s->state = system->state;
  s->group = system->group;
  s->h = h;
  s->change = s->middle + size;
  s->rate = s->xi + n;
  s->momentum = s->xi + 2 * n;
  s->unit = s->xi + 3 * n;
  s->column = s->xi + 4 * n;
  /* The derivative below is not exact: the last change is therefore not far above the remaining error, and that error
   * accumulates in the energy. */
  status = rill_newton_create(n, n, 0.01 * options->tolerance, (unsigned)options->max_iterations, &s->newton, error);
  if (status != RILL_OK) {
    stages_destroy(s);
    return status;
  }
  *self = s;
  return RILL_OK;
}

/* xi = I^-1 p, and rate = ad^*_xi p + F(g). */
static void evaluate(struct stages *s, const double *element, const double *p) {
  const struct rill_group *group = s->group;
  group->ops->inertia_inverse(group->self, p, s->xi);
  group->ops->bracket(group->self, s->xi, p, s->rate);
  group->ops->force(group->self, element, s->column);
  for (size_t i = 0; i < group->dimension; i++) s->rate[i] += s->column[i];
}

static enum rill_status explicit_step(void *self, struct rill_error *error) {
  struct stages *s = self;
  const struct rill_group *group = s->group;
  double *q = s->state->q, *p = s->state->p;
  (void)error;
  evaluate(s, q, p);
  group->ops->tangent(group->self, q, s->xi, s->change);
  for (size_t i = 0; i < group->element_size; i++) s->middle[i] = q[i] + 0.5 * s->h * s->change[i];
  for (size_t i = 0; i < group->dimension; i++) s->momentum[i] = p[i] + 0.5 * s->h * s->rate[i];
  evaluate(s, s->middle, s->momentum);
  group->ops->tangent(group->self, s->middle, s->xi, s->change);
  for (size_t i = 0; i < group->element_size; i++) q[i] += s->h * s->change[i];
  for (size_t i = 0; i < group->dimension; i++) p[i] += s->h * s->rate[i];
  return RILL_OK;
}

static enum rill_status crouch_grossman_step(void *self, struct rill_error *error) {
  struct stages *s = self;
  const struct rill_group *group = s->group;
  double *q = s->state->q, *p = s->state->p;
  (void)error;
  evaluate(s, q, p);
  for (size_t i = 0; i < group->dimension; i++) {
    s->unit[i] = 0.5 * s->h * s->xi[i];
    s->momentum[i] = p[i] + 0.5 * s->h * s->rate[i];
  }
  group->ops->exponential(group->self, q, s->unit, s->middle);
  evaluate(s, s->middle, s->momentum);
  for (size_t i = 0; i < group->dimension; i++) {
    s->unit[i] = s->h * s->xi[i];
    p[i] += s->h * s->rate[i];
  }
  group->ops->exponential(group->self, q, s->unit, s->middle);
  memcpy(q, s->middle, group->element_size * sizeof *q);
  return RILL_OK;
}

/* change = g cay(h xi); middle = the mean of g and change. */
static void place_midpoint(struct stages *s, const double *xi) {
  const struct rill_group *group = s->group;
  for (size_t i = 0; i < group->dimension; i++) s->unit[i] = s->h * xi[i];
  group->ops->cayley(group->self, s->state->q, s->unit, s->change);
  for (size_t i = 0; i < group->element_size; i++) s->middle[i] = 0.5 * (s->state->q[i] + s->change[i]);
}

/* I xi - p - (h / 2) (ad^*_xi I xi + F(m)).  The derivative takes dm = (h / 2) m xi^, which has a relative error
 * O(h): without forces the iteration is Newton's; with them it converges by a factor O(h^3) per iteration. */
static void midpoint_equation(void *context, const double *xi, double *residual, double *jacobian) {
  struct stages *s = context;
  const struct rill_group *group = s->group;
  const struct rill_group_ops *ops = group->ops;
  const size_t n = group->dimension;
  const double half = 0.5 * s->h;
  place_midpoint(s, xi);
  ops->inertia(group->self, xi, s->momentum);
  ops->bracket(group->self, xi, s->momentum, s->rate);
  ops->force(group->self, s->middle, s->column);
  for (size_t i = 0; i < n; i++) residual[i] = s->momentum[i] - s->state->p[i] - half * (s->rate[i] + s->column[i]);
  for (size_t k = 0; k < n; k++) {
    double *column = jacobian + k * n;
    for (size_t i = 0; i < n; i++) s->unit[i] = i == k;
    ops->inertia(group->self, s->unit, column);
    ops->bracket(group->self, xi, column, s->rate);
    ops->bracket(group->self, s->unit, s->momentum, s->column);
    for (size_t i = 0; i < n; i++) column[i] -= half * (s->rate[i] + s->column[i]);
    ops->tangent(group->self, s->middle, s->unit, s->change);
    ops->force_derivative(group->self, s->middle, s->change, s->column);
    for (size_t i = 0; i < n; i++) column[i] -= half * half * s->column[i];
  }
}

static enum rill_status implicit_step(void *self, struct rill_error *error) {
  struct stages *s = self;
  const struct rill_group *group = s->group;
  enum rill_status status;
  group->ops->inertia_inverse(group->self, s->state->p, s->newton.x);
  status = rill_newton_solve(&s->newton, midpoint_equation, s, error);
  s->state->iterations = s->newton.iterations;
  s->state->residual = s->newton.residual_size;
  if (status != RILL_OK) return status;
  place_midpoint(s, s->newton.x);
  memcpy(s->state->q, s->change, group->element_size * sizeof *s->change);
  group->ops->inertia(group->self, s->newton.x, s->momentum);
  for (size_t i = 0; i < group->dimension; i++) s->state->p[i] = 2 * s->momentum[i] - s->state->p[i];
  return RILL_OK;
}

static const struct rill_one_step explicit_own = {stages_create, explicit_step, stages_destroy};
static const struct rill_one_step implicit_own = {stages_create, implicit_step, stages_destroy};
static const struct rill_one_step crouch_grossman_own = {stages_create, crouch_grossman_step, stages_destroy};

const struct rill_method rill_method_ambient_explicit_midpoint = {
    .name = "ambient-explicit-midpoint",
    .summary =
        "explicit midpoint rule on a rotation matrix's entries and the body momentum: leaves the group; for "
        "comparison",
    .citation = "Leok & Shingel, section 2.4, (i), there RK",
    .order = 2,
    .symmetric = false,
    .symplectic = false,
    .needs = RILL_NEEDS_GROUP,
    .one_step = &explicit_own,
};

const struct rill_method rill_method_ambient_implicit_midpoint = {
    .name = "ambient-implicit-midpoint",
    .summary = "implicit midpoint rule on a rotation matrix's entries and the body momentum; for comparison",
    .citation = "Leok & Shingel, section 2.4, (ii), there SRK",
    .order = 2,
    .symmetric = true,
    .symplectic = false,
    .needs = RILL_NEEDS_GROUP,
    .one_step = &implicit_own,
    .reads = RILL_READS_SOLVER,
};

const struct rill_method rill_method_crouch_grossman = {
    .name = "crouch-grossman",
    .summary =
        "Crouch & Grossman's Runge-Kutta method of two stages on a Lie group: the explicit midpoint with "
        "exponentials",
    .citation = "Crouch & Grossman, J. Nonlinear Sci. 3, 1 (1993); Leok & Shingel, section 2.4, (iii), there LGM",
    .order = 2,
    .symmetric = false,
    .symplectic = false,
    .needs = RILL_NEEDS_GROUP,
    .one_step = &crouch_grossman_own,
};
