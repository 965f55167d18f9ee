/* The discrete Lagrange-d'Alembert principle with constraints A(q) v = 0 on velocities, in one-step (q, p) form:
 * Cortes & Martinez, Nonlinearity 14, 1365 (2001), section 4.
 *
 * With dvp's Ld(x, y) = h L((x + y)/2, (y - x)/h) and the constraint discretised at the same point, a step solves
 *
 *   p_k + D1 Ld(q_k, q_k+1) + F- + A(q_k)^T mu = 0,   A((q_k + q_k+1)/2) (q_k+1 - q_k) = 0,
 *   p_k+1 = D2 Ld(q_k, q_k+1) + F+ + A(q_k+1)^T nu,   A(q_k+1) M^-1 p_k+1 = 0.
 *
 * Eliminating momenta gives the paper's two-point form with lambda_k = mu_k + nu_k; nu changes no position.  All
 * equations are symmetric in the ends of the step, so the method is reversible and of order 2.  It is not symplectic,
 * as the flow itself is not.
 *
 * The unknown is w = (q_k+1 - q_k)/h, as in dvp. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/nonholonomic.h"
#include "numerics/newton.h"

struct alembert {
  struct rill_state *state;
  const struct rill_lagrangian *lagrangian;
  const struct rill_nonholonomic *constraints;
  const struct rill_forcing *forcing; /* NULL: none */
  double h;
  struct rill_newton newton; /* unknowns (w, mu) */
  struct rill_nonholonomic_solver solver;
  double *middle;                       /* [n] */
  double *a, *a_middle, *rates;         /* A(q_k), A and D_q (A w) at the middle: [k][n] */
  struct rill_lagrangian_values values; /* [n], [n][n] */
  double *by_v;                         /* of the forcing: [n][n] */
};

static void alembert_destroy(void *self) {
  struct alembert *alembert = self;
  if (alembert == NULL) return;
  rill_newton_destroy(&alembert->newton);
  rill_nonholonomic_solver_destroy(&alembert->solver);
  rill_release(alembert->middle);
  rill_release(alembert);
}

static enum rill_status alembert_create(struct rill_system *system, double h,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  struct alembert *alembert = rill_allocate(1, sizeof *alembert);
  const size_t n = system->lagrangian->n, k = system->nonholonomic->k;
  enum rill_status status;
  double *memory;
  if (alembert == NULL) goto memory;
  alembert->state = system->state;
  alembert->lagrangian = system->lagrangian;
  alembert->constraints = system->nonholonomic;
  alembert->forcing = system->forcing;
  alembert->h = h;
  status =
      rill_newton_create(n + k, n, options->tolerance, (unsigned)options->max_iterations, &alembert->newton, error);
  if (status == RILL_OK) status = rill_nonholonomic_solver_create(system->nonholonomic, &alembert->solver, error);
  if (status != RILL_OK) {
    alembert_destroy(alembert);
    return status;
  }
  alembert->middle = memory = rill_allocate(3 * n + 3 * k * n + 4 * n * n, sizeof *memory);
  if (memory == NULL) goto memory;
  alembert->values.dq = memory += n;
  alembert->values.dv = memory += n;
  alembert->a = memory += n;
  alembert->a_middle = memory += k * n;
  alembert->rates = memory += k * n;
  alembert->values.dqq = memory += k * n;
  alembert->values.dqv = memory += n * n;
  alembert->values.dvv = memory += n * n;
  alembert->by_v = memory + n * n;
  *self = alembert;
  return RILL_OK;
memory:
  alembert_destroy(alembert);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the discrete Lagrange-d'Alembert equations");
}

/* The Lagrangian's derivatives at the middle, with the forces in dq. */
static void evaluate(struct alembert *alembert, const double *w) {
  const struct rill_lagrangian *lagrangian = alembert->lagrangian;
  const struct rill_forcing *forcing = alembert->forcing;
  for (size_t i = 0; i < lagrangian->n; i++) alembert->middle[i] = alembert->state->q[i] + 0.5 * alembert->h * w[i];
  lagrangian->ops->evaluate(lagrangian->self, alembert->middle, w, &alembert->values);
  if (forcing != NULL)
    rill_forcing_add(forcing, forcing->time + 0.5 * alembert->h, w, &alembert->values, alembert->by_v);
}

static void equations(void *context, const double *x, double *residual, double *matrix) {
  struct alembert *alembert = context;
  const struct rill_nonholonomic *constraints = alembert->constraints;
  const struct rill_lagrangian_values *values = &alembert->values;
  const size_t n = constraints->n, k = constraints->k, size = n + k;
  const double half = 0.5 * alembert->h;
  evaluate(alembert, x);
  constraints->ops->rows(constraints->self, alembert->middle, alembert->a_middle);
  constraints->ops->rates(constraints->self, alembert->middle, x, alembert->rates);
  for (size_t i = 0; i < n; i++) {
    residual[i] = alembert->state->p[i] + half * values->dq[i] - values->dv[i];
    for (size_t j = 0; j < n; j++) {
      matrix[j * size + i] = half * (half * values->dqq[i * n + j] + values->dqv[i * n + j]) -
                             (half * values->dqv[j * n + i] + values->dvv[i * n + j]);
      if (alembert->forcing != NULL) matrix[j * size + i] += half * alembert->by_v[i * n + j];
    }
  }
  for (size_t r = 0; r < k; r++) {
    residual[n + r] = 0;
    for (size_t i = 0; i < n; i++) {
      residual[i] += alembert->a[r * n + i] * x[n + r];
      residual[n + r] += alembert->a_middle[r * n + i] * x[i];
      matrix[(n + r) * size + i] = alembert->a[r * n + i];
      matrix[i * size + n + r] = alembert->a_middle[r * n + i] + half * alembert->rates[r * n + i];
    }
  }
}

static enum rill_status alembert_step(void *self, struct rill_error *error) {
  struct alembert *alembert = self;
  const struct rill_nonholonomic *constraints = alembert->constraints;
  struct rill_newton *newton = &alembert->newton;
  struct rill_state *state = alembert->state;
  const double h = alembert->h;
  enum rill_status status;
  constraints->ops->rows(constraints->self, state->q, alembert->a);
  memset(newton->x, 0, newton->n * sizeof *newton->x);
  status = rill_newton_solve(newton, equations, alembert, error);
  state->iterations = newton->iterations;
  state->residual = newton->residual_size;
  RILL_TRY(status);
  evaluate(alembert, newton->x);
  for (size_t i = 0; i < state->n; i++) {
    state->q[i] += h * newton->x[i];
    state->p[i] = 0.5 * h * alembert->values.dq[i] + alembert->values.dv[i];
  }
  return rill_nonholonomic_project(&alembert->solver, state->q, state->p, error);
}

static const struct rill_one_step alembert_own = {alembert_create, alembert_step, alembert_destroy};

const struct rill_method rill_method_lagrange_d_alembert = {
    .name = "lagrange-d-alembert",
    .summary = "the discrete Lagrange-d'Alembert principle with constraints on velocities, at the midpoint",
    .citation = "Cortes & Martinez, Nonlinearity 14, 1365 (2001), section 4",
    .order = 2,
    .symmetric = true,
    .forced = true,
    .nonholonomic = true,
    .needs = RILL_NEEDS_LAGRANGIAN | RILL_NEEDS_NO_CONSTRAINTS | RILL_NEEDS_NONHOLONOMIC,
    .one_step = &alembert_own,
    .reads = RILL_READS_SOLVER,
};
