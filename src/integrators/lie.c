/* Variational methods on a Lie group with a retraction tau, in one-step form (g, p), p the body momentum:
 *
 *   kick   p += h F(g)
 *   drift  (dtau^-1_{h xi})^* I xi = p for xi,  g' = g tau(h xi),  p' = (dtau^-1_{-h xi})^* I xi
 *
 * The drift is the discrete Euler-Lagrange step of the free body (Bou-Rabee & Marsden 2009, the Hamilton-Pontryagin
 * principle): symplectic, symmetric, of second order, and exact in the spatial momentum Ad^*_{g^-1} p.  On SO(3) with
 * the Cayley map and identity inertia, kick-drift is (4.12) of Tao & Owhadi 2016 with
 *   (1 + h^2 |W'|^2 / 4) W' = (1 + h^2 |W|^2 / 4) W + h F(R),  R' = R cay(h W'),
 * where p = (1 + h^2 |W|^2 / 4) W: with this sign of the cubic terms the discrete Euler-Lagrange equations hold. On
 * R^n the drift is exact, and the methods are symplectic Euler and velocity Verlet. */
#include "integrators/lie.h"

#include <math.h>

#include "base/memory.h"
#include "numerics/newton.h"

struct lie {
  struct rill_state *state;
  const struct rill_group *group;
  double h;
  struct rill_newton newton;                        /* unknown: the body velocity xi */
  double *inertia;                                  /* [dimension][dimension], column after column */
  double *momentum, *displacement, *along, *column; /* [dimension] I xi, h xi, and scratch */
  double *element;                                  /* [element_size] */
};

static void lie_destroy(void *self) {
  struct lie *lie = self;
  if (lie == NULL) return;
  rill_newton_destroy(&lie->newton);
  rill_release(lie->inertia);
  rill_release(lie->momentum);
  rill_release(lie->element);
  rill_release(lie);
}

static enum rill_status lie_create(struct rill_system *system, double h, const struct rill_method_options *options,
                                   void **self, struct rill_error *error) {
  const struct rill_group *group = system->group;
  struct lie *lie = rill_allocate(1, sizeof *lie);
  size_t n = group->dimension;
  enum rill_status status;
  if (lie == NULL) goto memory;
  lie->state = system->state;
  lie->group = group;
  lie->h = h;
  lie->inertia = rill_allocate(n * n, sizeof *lie->inertia);
  lie->momentum = rill_allocate(4 * n, sizeof *lie->momentum);
  lie->element = rill_allocate(group->element_size, sizeof *lie->element);
  if (lie->inertia == NULL || lie->momentum == NULL || lie->element == NULL) goto memory;
  lie->displacement = lie->momentum + n;
  lie->along = lie->momentum + 2 * n;
  lie->column = lie->momentum + 3 * n;
  status = rill_newton_create(n, n, options->tolerance, (unsigned)options->max_iterations, &lie->newton, error);
  if (status != RILL_OK) {
    lie_destroy(lie);
    return status;
  }
  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < n; i++) lie->along[i] = i == k ? 1 : 0;
    group->ops->inertia(group->self, lie->along, lie->inertia + k * n);
  }
  *self = lie;
  return RILL_OK;
memory:
  lie_destroy(lie);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a step on a group of dimension %zu", n);
}

/* Fills h xi and I xi. */
static void place(struct lie *lie, const double *xi, double h) {
  for (size_t i = 0; i < lie->group->dimension; i++) lie->displacement[i] = h * xi[i];
  lie->group->ops->inertia(lie->group->self, xi, lie->momentum);
}

/* (dtau^-1_{h xi})^* I xi - p, and its derivative with respect to xi. */
static void drift_equation(void *context, const double *xi, double *residual, double *jacobian) {
  struct lie *lie = context;
  const struct rill_group_ops *ops = lie->group->ops;
  const void *self = lie->group->self;
  size_t n = lie->group->dimension;
  place(lie, xi, lie->h);
  ops->tangent_inverse_dual(self, lie->displacement, lie->momentum, residual);
  for (size_t i = 0; i < n; i++) residual[i] -= lie->state->p[i];
  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < n; i++) lie->along[i] = i == k ? lie->h : 0;
    ops->tangent_inverse_dual(self, lie->displacement, lie->inertia + k * n, jacobian + k * n);
    ops->tangent_inverse_dual_derivative(self, lie->displacement, lie->momentum, lie->along, lie->column);
    for (size_t i = 0; i < n; i++) jacobian[k * n + i] += lie->column[i];
  }
}

static enum rill_status drift(struct lie *lie, struct rill_error *error) {
  const struct rill_group *group = lie->group;
  enum rill_status status;
  group->ops->inertia_inverse(group->self, lie->state->p, lie->newton.x);
  status = rill_newton_solve(&lie->newton, drift_equation, lie, error);
  lie->state->iterations = lie->newton.iterations;
  lie->state->residual = lie->newton.residual_size;
  if (status != RILL_OK) return status;
  place(lie, lie->newton.x, lie->h);
  group->ops->advance(group->self, lie->state->q, lie->displacement, lie->element);
  for (size_t i = 0; i < group->element_size; i++) lie->state->q[i] = lie->element[i];
  for (size_t i = 0; i < group->dimension; i++) lie->displacement[i] = -lie->displacement[i];
  group->ops->tangent_inverse_dual(group->self, lie->displacement, lie->momentum, lie->state->p);
  return RILL_OK;
}

static enum rill_status kick(struct lie *lie, double h, struct rill_error *error) {
  lie->group->ops->force(lie->group->self, lie->state->q, lie->column);
  for (size_t i = 0; i < lie->group->dimension; i++) {
    if (!isfinite(lie->column[i]))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE, "a force is not finite; take a smaller step");
    lie->state->p[i] += h * lie->column[i];
  }
  return RILL_OK;
}

static enum rill_status kick_drift(void *self, struct rill_error *error) {
  struct lie *lie = self;
  RILL_TRY(kick(lie, lie->h, error));
  return drift(lie, error);
}

static enum rill_status kick_drift_kick(void *self, struct rill_error *error) {
  struct lie *lie = self;
  RILL_TRY(kick(lie, 0.5 * lie->h, error));
  RILL_TRY(drift(lie, error));
  return kick(lie, 0.5 * lie->h, error);
}

static const struct rill_one_step hamilton_pontryagin = {lie_create, kick_drift, lie_destroy};
static const struct rill_one_step lie_verlet = {lie_create, kick_drift_kick, lie_destroy};

const struct rill_method rill_method_hamilton_pontryagin = {
    .name = "hamilton-pontryagin",
    .summary = "variational method on a Lie group: kick, then the free body's discrete Euler-Lagrange step",
    .citation = "Bou-Rabee & Marsden, Found. Comput. Math. 9, 197 (2009); Tao & Owhadi 2016, (4.12), sign corrected",
    .order = 1,
    .symmetric = false,
    .symplectic = true,
    .needs = RILL_NEEDS_GROUP,
    .one_step = &hamilton_pontryagin,
    .reads = RILL_READS_SOLVER,
};

const struct rill_method rill_method_lie_verlet = {
    .name = "lie-verlet",
    .summary = "the symmetric form of hamilton-pontryagin: half a kick, the free body's step, half a kick",
    .citation = "Bou-Rabee & Marsden, Found. Comput. Math. 9, 197 (2009), section 4",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_GROUP,
    .one_step = &lie_verlet,
    .reads = RILL_READS_SOLVER,
};
