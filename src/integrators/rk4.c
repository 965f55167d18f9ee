/* The classical Runge-Kutta method of order 4 on q' = v, p' = L_q + f + A^T lambda, L_v(q, v) = p: it keeps no
 * structure, and is what methods that do are compared with.  With constraints A v = 0 on velocities, lambda is that
 * of the differential equations, and the constraints drift with the error of the method; rk4-projected moves the
 * momenta back to them after each step. */
#include <string.h>

#include "base/memory.h"
#include "integrators/nonholonomic.h"
#include "mech/legendre.h"

struct runge_kutta {
  struct rill_state *state;
  const struct rill_lagrangian *lagrangian;
  const struct rill_forcing *forcing; /* NULL: none */
  double h;
  bool projects;
  struct rill_legendre legendre;
  struct rill_nonholonomic_solver solver; /* with constraints on velocities */
  double *q, *p;                          /* of a stage: [n] */
  double *force;                          /* there: [n] */
  double *q_sum, *p_sum;                  /* of the weighted slopes: [n] */
};

static void runge_kutta_destroy(void *self) {
  struct runge_kutta *rk = self;
  if (rk == NULL) return;
  rill_legendre_destroy(&rk->legendre);
  rill_nonholonomic_solver_destroy(&rk->solver);
  rill_release(rk->q);
  rill_release(rk);
}

static enum rill_status create(struct rill_system *system, double h, bool projects, void **self,
                               struct rill_error *error) {
  struct runge_kutta *rk = rill_allocate(1, sizeof *rk);
  const size_t n = system->lagrangian->n;
  enum rill_status status = RILL_OK;
  if (rk == NULL || (rk->q = rill_allocate(5 * n, sizeof *rk->q)) == NULL) {
    runge_kutta_destroy(rk);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a Runge-Kutta method");
  }
  rk->p = rk->q + n;
  rk->force = rk->q + 2 * n;
  rk->q_sum = rk->q + 3 * n;
  rk->p_sum = rk->q + 4 * n;
  rk->state = system->state;
  rk->lagrangian = system->lagrangian;
  rk->forcing = system->forcing;
  rk->h = h;
  rk->projects = projects;
  status = rill_legendre_create(rk->lagrangian, &rk->legendre, error);
  if (status == RILL_OK && system->nonholonomic != NULL)
    status = rill_nonholonomic_solver_create(system->nonholonomic, &rk->solver, error);
  if (status != RILL_OK) {
    runge_kutta_destroy(rk);
    return status;
  }
  *self = rk;
  return RILL_OK;
}

static enum rill_status plain_create(struct rill_system *system, double h, const struct rill_method_options *options,
                                     void **self, struct rill_error *error) {
  (void)options;
  return create(system, h, false, self, error);
}

static enum rill_status projected_create(struct rill_system *system, double h,
                                         const struct rill_method_options *options, void **self,
                                         struct rill_error *error) {
  (void)options;
  return create(system, h, true, self, error);
}

/* The force, and the velocity in legendre.velocity, at the stage (q, p), which lies at a time since the step began.
 */
static enum rill_status evaluate(struct runge_kutta *rk, double since, struct rill_error *error) {
  const struct rill_lagrangian *lagrangian = rk->lagrangian;
  struct rill_lagrangian_values values = {.dq = rk->force, .dv = rk->legendre.momentum};
  const double *v = rk->legendre.velocity;
  RILL_TRY(rill_legendre_transform(&rk->legendre, rk->q, rk->p, error));
  lagrangian->ops->evaluate(lagrangian->self, rk->q, v, &values);
  if (rk->forcing != NULL) rill_forcing_add(rk->forcing, rk->forcing->time + since, v, &values, NULL);
  if (rk->solver.constraints == NULL) return RILL_OK;
  return rill_nonholonomic_add_reaction(&rk->solver, rk->q, v, rk->force, error);
}

static enum rill_status runge_kutta_step(void *self, struct rill_error *error) {
  static const double reach[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  struct runge_kutta *rk = self;
  struct rill_state *state = rk->state;
  const double *v = rk->legendre.velocity, h = rk->h;
  const size_t n = state->n;
  memset(rk->q_sum, 0, n * sizeof *rk->q_sum);
  memset(rk->p_sum, 0, n * sizeof *rk->p_sum);
  for (int stage = 0; stage < 4; stage++) {
    for (size_t i = 0; i < n; i++) { /* the slope of the stage before is still there */
      rk->q[i] = state->q[i] + (stage > 0 ? reach[stage] * h * v[i] : 0);
      rk->p[i] = state->p[i] + (stage > 0 ? reach[stage] * h * rk->force[i] : 0);
    }
    RILL_TRY(evaluate(rk, reach[stage] * h, error));
    for (size_t i = 0; i < n; i++) {
      rk->q_sum[i] += weight[stage] * v[i];
      rk->p_sum[i] += weight[stage] * rk->force[i];
    }
  }
  for (size_t i = 0; i < n; i++) {
    state->q[i] += h * rk->q_sum[i];
    state->p[i] += h * rk->p_sum[i];
  }
  state->iterations = 0;
  return rk->projects ? rill_nonholonomic_project(&rk->solver, state->q, state->p, error) : RILL_OK;
}

static const struct rill_one_step plain = {plain_create, runge_kutta_step, runge_kutta_destroy},
                                  projected = {projected_create, runge_kutta_step, runge_kutta_destroy};

const struct rill_method rill_method_rk4 = {
    .name = "rk4",
    .summary = "the classical Runge-Kutta method of order 4, which keeps no structure: for comparison",
    .citation = "Kutta, Z. Math. Phys. 46, 435 (1901)",
    .order = 4,
    .forced = true,
    .nonholonomic = true,
    .needs = RILL_NEEDS_LAGRANGIAN | RILL_NEEDS_NO_CONSTRAINTS,
    .one_step = &plain,
};

const struct rill_method rill_method_rk4_projected = {
    .name = "rk4-projected",
    .summary = "rk4, with the velocities projected onto their constraints after each step: for comparison",
    .citation =
        "Kutta, Z. Math. Phys. 46, 435 (1901); Hairer, Lubich & Wanner, Geometric Numerical Integration, IV.4",
    .order = 4,
    .forced = true,
    .nonholonomic = true,
    .needs = RILL_NEEDS_LAGRANGIAN | RILL_NEEDS_NO_CONSTRAINTS | RILL_NEEDS_NONHOLONOMIC,
    .one_step = &projected,
};
