/* Two methods that conserve the energy of a separable system exactly, by secants of V instead of its gradient.
 *
 * Energy-momentum (Gonzalez, J. Nonlinear Sci. 6, 449 (1996); Wendlandt & Marsden 1997, section 5.2):
 *   q' - q = h M^-1 (p + p')/2,   p' - p = -h grad V(q, q') - Dg((q + q')/2)^T lambda,   g(q') = 0,
 * with the discrete gradient grad V(q, q') = V'(m) + (V(q') - V(q) - V'(m).d) d / |d|^2, m the midpoint, d = q' - q.
 * Dg(m) is the discrete gradient of constraints that are at most quadratic, as distances are.  The printed lambda
 * includes the factor h; the state's multiplier is lambda / h, in the printed sign (opposite to dvp's).  The
 * correction along d vanishes for a linear or quadratic V; otherwise it is not along the force, and angular momentum
 * is conserved only to the order of the correction.  Momenta are not projected: the hidden constraint holds for the
 * mean of p and p', as in the paper.
 *
 * Energy-preserving (Chorin, Hughes, Marsden & McCracken, Comm. Pure Appl. Math. 31, 205 (1978); Marsden & Wendlandt
 * 1997, (20) to (23)), with the constants alpha = beta = gamma = delta = 1/2, which make it symmetric: (20) becomes
 * q' - q = h M^-1 (p + p')/2 and (21) p' - p = -h r V'(m), r = (V(q') - V(q)) / (V'(m).d).  In more than one
 * dimension it can break down where V is stationary along the path: the force is then orthogonal to the
 * displacement, and r is singular.
 *
 * The unknown of both is w = d/h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/conserving.h"
#include "numerics/newton.h"

struct conserving {
  struct rill_state *state;
  const struct rill_mechanical *mechanical;
  double h;
  struct rill_newton newton;
  double *d, *middle, *next;                 /* [n] */
  double *gradient, *gradient_next, *secant; /* V'(m), V'(q'), the discrete gradient: [n] */
  double *slope;                             /* derivative of the secant's scalar with respect to q': [n] */
  double *product;                           /* Hessian(m) d: [n] */
  double *jacobian;                          /* [m][n] */
  struct rill_band hessian, curvature;       /* of V at m; of the constraints, weighted by multipliers; dense */
};

static void conserving_destroy(void *self) {
  struct conserving *conserving = self;
  if (conserving == NULL) return;
  rill_newton_destroy(&conserving->newton);
  rill_band_destroy(&conserving->hessian);
  rill_band_destroy(&conserving->curvature);
  rill_release(conserving->d);
  rill_release(conserving);
}

static enum rill_status conserving_create(struct rill_system *system, double h,
                                          const struct rill_method_options *options, void **self,
                                          struct rill_error *error) {
  struct conserving *conserving = rill_allocate(1, sizeof *conserving);
  const struct rill_mechanical *mechanical = system->mechanical;
  size_t n = mechanical->n, m = mechanical->m;
  enum rill_status status = RILL_OK;
  double *memory;
  if (conserving == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for an energy-conserving method");
  conserving->state = system->state;
  conserving->mechanical = mechanical;
  conserving->h = h;
  memory = conserving->d = rill_allocate(8 * n + m * n, sizeof *memory);
  if (memory == NULL) status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for an energy-conserving method");
  if (status == RILL_OK)
    status = rill_newton_create(n + m, n, options->tolerance, (unsigned)options->max_iterations, &conserving->newton,
                                error);
  if (status == RILL_OK) status = rill_band_create(n, n - 1, &conserving->hessian, error);
  if (status == RILL_OK) status = rill_band_create(n, n - 1, &conserving->curvature, error);
  if (status != RILL_OK) {
    conserving_destroy(conserving);
    return status;
  }
  conserving->middle = memory += n;
  conserving->next = memory += n;
  conserving->gradient = memory += n;
  conserving->gradient_next = memory += n;
  conserving->secant = memory += n;
  conserving->slope = memory += n;
  conserving->product = memory += n;
  conserving->jacobian = memory + n;
  *self = conserving;
  return RILL_OK;
}

static void set_points(struct conserving *conserving, const double *w) {
  const struct rill_mechanical *mechanical = conserving->mechanical;
  for (size_t i = 0; i < mechanical->n; i++) {
    conserving->d[i] = conserving->h * w[i];
    conserving->middle[i] = conserving->state->q[i] + 0.5 * conserving->d[i];
    conserving->next[i] = conserving->state->q[i] + conserving->d[i];
  }
  mechanical->ops->gradient(mechanical->self, conserving->middle, conserving->gradient);
}

/* V(q') - V(q), V'(m).d, and the rounding error of their difference. */
static void differences(const struct conserving *conserving, double *change, double *work, double *rounding) {
  const struct rill_mechanical *mechanical = conserving->mechanical;
  double before = mechanical->ops->potential(mechanical->self, conserving->state->q);
  double after = mechanical->ops->potential(mechanical->self, conserving->next);
  *work = 0;
  *rounding = fabs(before) + fabs(after);
  for (size_t i = 0; i < mechanical->n; i++) {
    double part = conserving->gradient[i] * conserving->d[i];
    *work += part;
    *rounding += fabs(part);
  }
  *change = after - before;
  *rounding *= 4 * DBL_EPSILON;
}

static double dot(const double *a, const double *b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* V'(q') and V''(m) d, which the derivatives of both secants need. */
static void second_derivatives(struct conserving *conserving) {
  const struct rill_mechanical *mechanical = conserving->mechanical;
  rill_band_clear(&conserving->hessian);
  mechanical->ops->add_hessian(mechanical->self, RILL_HESSIAN_FULL, 1, conserving->middle, &conserving->hessian);
  mechanical->ops->gradient(mechanical->self, conserving->next, conserving->gradient_next);
  rill_band_multiply(&conserving->hessian, conserving->d, conserving->product);
}

/* secant = V'(m) + c d; its derivative with respect to q' is V''(m)/2 + c + d slope^T. */
static double discrete_gradient(struct conserving *conserving, bool derivative) {
  size_t n = conserving->mechanical->n;
  double change, work, rounding, square = dot(conserving->d, conserving->d, n), c = 0;
  differences(conserving, &change, &work, &rounding);
  if (square > 0 && fabs(change - work) > rounding) c = (change - work) / square;
  for (size_t i = 0; i < n; i++) conserving->secant[i] = conserving->gradient[i] + c * conserving->d[i];
  if (!derivative) return c;
  second_derivatives(conserving);
  for (size_t i = 0; i < n; i++)
    conserving->slope[i] = c == 0 ? 0
                                  : (conserving->gradient_next[i] - conserving->gradient[i] -
                                     0.5 * conserving->product[i] - 2 * c * conserving->d[i]) /
                                        square;
  return c;
}

/* 2 (M w - p) + h grad V(q, q') + Dg(m)^T lambda = 0, g(q')/h = 0. */
static void energy_momentum_equations(void *context, const double *x, double *residual, double *matrix) {
  struct conserving *conserving = context;
  const struct rill_mechanical *mechanical = conserving->mechanical;
  const struct rill_state *state = conserving->state;
  size_t n = mechanical->n, m = mechanical->m, size = n + m;
  double h = conserving->h, c;
  set_points(conserving, x);
  c = discrete_gradient(conserving, true);
  rill_band_clear(&conserving->curvature);
  if (m > 0)
    mechanical->ops->add_constraint_hessian(mechanical->self, x + n, conserving->middle, &conserving->curvature);
  for (size_t i = 0; i < n; i++) {
    residual[i] = 2 * (mechanical->mass[i] * x[i] - state->p[i]) + h * conserving->secant[i];
    for (size_t j = 0; j < n; j++)
      matrix[j * size + i] =
          h * (0.5 * h * *rill_band_at(&conserving->hessian, i, j) + h * conserving->d[i] * conserving->slope[j] +
               0.5 * *rill_band_at(&conserving->curvature, i, j));
    matrix[i * size + i] += 2 * mechanical->mass[i] + h * h * c;
  }
  if (m == 0) return;
  mechanical->ops->add_constraint_force(mechanical->self, conserving->middle, x + n, residual);
  mechanical->ops->jacobian(mechanical->self, conserving->middle, conserving->jacobian);
  for (size_t a = 0; a < m; a++)
    for (size_t i = 0; i < n; i++) matrix[(n + a) * size + i] = conserving->jacobian[a * n + i];
  mechanical->ops->constraint(mechanical->self, conserving->next, residual + n);
  mechanical->ops->jacobian(mechanical->self, conserving->next, conserving->jacobian);
  for (size_t a = 0; a < m; a++) {
    residual[n + a] /= h;
    for (size_t i = 0; i < n; i++) matrix[i * size + n + a] = conserving->jacobian[a * n + i];
  }
}

/* secant = r V'(m); its derivative with respect to q' is r V''(m)/2 + V'(m) slope^T. */
static double scaled_gradient(struct conserving *conserving, bool derivative) {
  size_t n = conserving->mechanical->n;
  double change, work, rounding, r = 1;
  differences(conserving, &change, &work, &rounding);
  if (fabs(change - work) > rounding) r = change / work;
  for (size_t i = 0; i < n; i++) conserving->secant[i] = r * conserving->gradient[i];
  if (!derivative) return r;
  second_derivatives(conserving);
  for (size_t i = 0; i < n; i++)
    conserving->slope[i] =
        r == 1 ? 0
               : (conserving->gradient_next[i] - r * (conserving->gradient[i] + 0.5 * conserving->product[i])) / work;
  return r;
}

/* 2 (M w - p) + h r V'(m) = 0. */
static void energy_preserving_equations(void *context, const double *x, double *residual, double *matrix) {
  struct conserving *conserving = context;
  const struct rill_mechanical *mechanical = conserving->mechanical;
  size_t n = mechanical->n;
  double h = conserving->h, r;
  set_points(conserving, x);
  r = scaled_gradient(conserving, true);
  for (size_t i = 0; i < n; i++) {
    residual[i] = 2 * (mechanical->mass[i] * x[i] - conserving->state->p[i]) + h * conserving->secant[i];
    for (size_t j = 0; j < n; j++)
      matrix[j * n + i] =
          h * h *
          (0.5 * r * *rill_band_at(&conserving->hessian, i, j) + conserving->gradient[i] * conserving->slope[j]);
    matrix[i * n + i] += 2 * mechanical->mass[i];
  }
}

/* Newton starts from w = 0, so that a step is a function of (q, p) alone. */
static enum rill_status solve(struct conserving *conserving, rill_newton_function *function,
                              struct rill_error *error) {
  struct rill_newton *newton = &conserving->newton;
  struct rill_state *state = conserving->state;
  double size = 0;
  enum rill_status status;
  memset(newton->x, 0, newton->n * sizeof *newton->x);
  for (size_t i = 0; i < state->n; i++) size = fmax(size, fabs(state->q[i]));
  newton->floor = conserving->mechanical->m > 0 ? 2 * DBL_EPSILON * size / fabs(conserving->h) : 0;
  status = rill_newton_solve(newton, function, conserving, error);
  state->iterations = newton->iterations;
  state->residual = newton->residual_size;
  return status;
}

/* Momenta are updated by the forces: 2 M w - p would carry the rounding of positions, divided by h, into them. */
static void finish(struct conserving *conserving) {
  struct rill_state *state = conserving->state;
  for (size_t i = 0; i < state->n; i++) {
    state->p[i] -= conserving->h * conserving->secant[i];
    state->q[i] = conserving->next[i];
  }
}

static enum rill_status energy_momentum_step(void *self, struct rill_error *error) {
  struct conserving *conserving = self;
  const struct rill_mechanical *mechanical = conserving->mechanical;
  struct rill_state *state = conserving->state;
  RILL_TRY(solve(conserving, energy_momentum_equations, error));
  set_points(conserving, conserving->newton.x);
  (void)discrete_gradient(conserving, false);
  for (size_t a = 0; a < mechanical->m; a++) conserving->newton.x[mechanical->n + a] *= -1;
  if (mechanical->m > 0)
    mechanical->ops->add_constraint_force(mechanical->self, conserving->middle, conserving->newton.x + mechanical->n,
                                          state->p);
  for (size_t a = 0; a < mechanical->m; a++)
    state->multiplier[a] = -conserving->newton.x[mechanical->n + a] / conserving->h;
  finish(conserving);
  return RILL_OK;
}

static enum rill_status energy_preserving_step(void *self, struct rill_error *error) {
  struct conserving *conserving = self;
  enum rill_status status = solve(conserving, energy_preserving_equations, error);
  if (status != RILL_OK) {
    rill_error_prefix(error,
                      "energy-preserving (it divides by the work of the force, which vanishes where V is stationary "
                      "along the path; energy-momentum does not)");
    return status;
  }
  set_points(conserving, conserving->newton.x);
  (void)scaled_gradient(conserving, false);
  finish(conserving);
  return RILL_OK;
}

static const struct rill_one_step energy_momentum = {conserving_create, energy_momentum_step, conserving_destroy};
static const struct rill_one_step energy_preserving = {conserving_create, energy_preserving_step, conserving_destroy};

const struct rill_method rill_method_energy_momentum = {
    .name = "energy-momentum",
    .reflects_normal_momenta = true,
    .summary =
        "Gonzalez's energy-momentum method: midpoint rule with a discrete gradient, constraints by multipliers",
    .citation =
        "Gonzalez, J. Nonlinear Sci. 6, 449 (1996); Wendlandt & Marsden, Physica D 106, 223 (1997), section 5.2",
    .order = 2,
    .symmetric = true,
    .needs = RILL_NEEDS_MECHANICAL,
    .one_step = &energy_momentum,
    .reads = RILL_READS_SOLVER,
};

const struct rill_method rill_method_energy_preserving = {
    .name = "energy-preserving",
    .alias = "chorin",
    .summary = "the implicit energy-preserving scheme of Chorin, Hughes, Marsden & McCracken, all constants 1/2",
    .citation = "Chorin et al., Comm. Pure Appl. Math. 31, 205 (1978); Marsden & Wendlandt (1997), eqs (20) to (23)",
    .order = 2,
    .symmetric = true,
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
    .one_step = &energy_preserving,
    .reads = RILL_READS_SOLVER,
};
