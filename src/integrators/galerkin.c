/* Galerkin variational integrators over the lagrangian capability, in one-step (q, p) form.
 *
 * The curve over a step is q(t) = sum_nu q^nu l_nu(t/h), nu = 0 ... s, and its action S = h sum_i b_i L(q(c_i h),
 * q'(c_i h)).  With D_nu S = h sum_i b_i (L_q l_nu(c_i) + L_v l_nu'(c_i) / h) a step solves
 *
 *   p_k + D_0 S = 0,   D_nu S = 0 for 0 < nu < s,          q_k+1 = q^s,   p_k+1 = D_s S.
 *
 * Since sum_nu l_nu = 1, these equations add up to p_k+1 = p_k + h sum_i b_i L_q, which is what is computed. The
 * order is min(2s, that of the quadrature).  s = 1 with Gauss's point is dvp, with Lobatto's two velocity Verlet; s
 * with s Gauss points is Gauss collocation.
 *
 * Forces f beside those of the Lagrangian do the virtual work h sum_i b_i f(q, q', t) l_nu at the same nodes
 * (Lagrange-d'Alembert: Marsden & West (2001), section 3.2): L_q + f takes the place of L_q.
 *
 * The result does not depend on the control points q^nu: they are Lobatto's points, which are well conditioned for
 * any s. The unknowns are w^nu = (q^nu - q_k)/h, nu = 1 ... s, so that velocities are not differences
 * of positions. */
#include "integrators/galerkin.h"

#include <string.h>

#include "base/memory.h"
#include "numerics/newton.h"

struct galerkin {
  struct rill_state *state;
  const struct rill_lagrangian *lagrangian;
  const struct rill_forcing *forcing; /* NULL: none */
  double h;
  size_t n;
  unsigned degree;
  struct rill_quadrature rule;
  double *shape, *slope;     /* l_nu(c_i) and l_nu'(c_i): [nodes][s + 1] */
  struct rill_newton newton; /* unknown w: [s][n] */
  double *q, *v;             /* of a node: [n] */
  double *impulse;           /* h sum_i b_i (L_q + f): [n] */
  double *by_v;              /* derivative of f: [n][n] */
  struct rill_lagrangian_values values;
};

struct rill_action_quadrature rill_galerkin_choice(const struct rill_method_options *options, unsigned *degree) {
  struct rill_action_quadrature quadrature = options->quadrature;
  *degree = options->degree > 0 ? (unsigned)options->degree : 2;
  if (quadrature.rule == RILL_ACTION_AUTO) quadrature = (struct rill_action_quadrature){RILL_ACTION_GAUSS, 0};
  if (quadrature.nodes == 0) quadrature.nodes = *degree + (quadrature.rule == RILL_ACTION_LOBATTO);
  return quadrature;
}

const char *rill_galerkin_refusal(const struct rill_method_options *options) {
  unsigned degree;
  const struct rill_action_quadrature quadrature = rill_galerkin_choice(options, &degree);
  if (quadrature.rule == RILL_ACTION_EULER_MACLAURIN)
    return "the Euler-Maclaurin rule takes the derivative of L along a solution, which only shooting has; take gauss "
           "or lobatto";
  if (quadrature.nodes < degree)
    return "with fewer nodes of the quadrature than the degree the equations are singular; take at least as many";
  if (degree >= RILL_QUADRATURE_NODES) return "the degree is above 63";
  return rill_action_quadrature_refusal(&quadrature);
}

static const char *refuse(const struct rill_system *system, const struct rill_method_options *options) {
  (void)system;
  return rill_galerkin_refusal(options);
}

static void specialise(const struct rill_method_options *options, struct rill_method *method) {
  unsigned degree;
  const struct rill_action_quadrature quadrature = rill_galerkin_choice(options, &degree);
  int order = rill_action_quadrature_order(&quadrature);
  method->order = order < 2 * (int)degree ? order : 2 * (int)degree;
}

static void galerkin_destroy(void *self) {
  struct galerkin *galerkin = self;
  if (galerkin == NULL) return;
  rill_newton_destroy(&galerkin->newton);
  rill_release(galerkin->shape);
  rill_release(galerkin->q);
  rill_release(galerkin);
}

static enum rill_status set_shape(struct galerkin *galerkin, struct rill_error *error) {
  const unsigned points = galerkin->degree + 1;
  struct rill_quadrature control;
  RILL_TRY(rill_quadrature_set(RILL_QUADRATURE_LOBATTO, points, &control, error));
  for (unsigned i = 0; i < galerkin->rule.count; i++)
    rill_lagrange(points, control.node, galerkin->rule.node[i], galerkin->shape + i * points,
                  galerkin->slope + i * points);
  return RILL_OK;
}

static enum rill_status galerkin_create(struct rill_system *system, double h,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  struct galerkin *galerkin = rill_allocate(1, sizeof *galerkin);
  const size_t n = system->lagrangian->n;
  struct rill_action_quadrature quadrature;
  size_t size;
  enum rill_status status;
  if (galerkin == NULL) goto memory;
  quadrature = rill_galerkin_choice(options, &galerkin->degree);
  galerkin->state = system->state;
  galerkin->lagrangian = system->lagrangian;
  galerkin->forcing = system->forcing;
  galerkin->h = h;
  galerkin->n = n;
  size = (size_t)quadrature.nodes * (galerkin->degree + 1);
  galerkin->shape = rill_allocate(2 * size, sizeof *galerkin->shape);
  galerkin->q = rill_allocate(5 * n + 4 * n * n, sizeof *galerkin->q);
  if (galerkin->shape == NULL || galerkin->q == NULL) goto memory;
  galerkin->slope = galerkin->shape + size;
  galerkin->v = galerkin->q + n;
  galerkin->impulse = galerkin->q + 2 * n;
  galerkin->values = (struct rill_lagrangian_values){.dq = galerkin->q + 3 * n,
                                                     .dv = galerkin->q + 4 * n,
                                                     .dqq = galerkin->q + 5 * n,
                                                     .dqv = galerkin->q + 5 * n + n * n,
                                                     .dvv = galerkin->q + 5 * n + 2 * n * n};
  galerkin->by_v = galerkin->q + 5 * n + 3 * n * n;
  status = rill_action_rule_set(&quadrature, &galerkin->rule, error);
  if (status == RILL_OK) status = set_shape(galerkin, error);
  if (status == RILL_OK)
    status = rill_newton_create(galerkin->degree * n, galerkin->degree * n, options->tolerance,
                                (unsigned)options->max_iterations, &galerkin->newton, error);
  if (status != RILL_OK) {
    galerkin_destroy(galerkin);
    return status;
  }
  *self = galerkin;
  return RILL_OK;
memory:
  galerkin_destroy(galerkin);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a Galerkin method");
}

/* q and q' of the curve at node i. */
static void set_point(struct galerkin *galerkin, unsigned i, const double *w) {
  const double *shape = galerkin->shape + i * (galerkin->degree + 1),
               *slope = galerkin->slope + i * (galerkin->degree + 1);
  for (size_t k = 0; k < galerkin->n; k++) {
    double displacement = 0, velocity = 0;
    for (unsigned nu = 1; nu <= galerkin->degree; nu++) {
      displacement += shape[nu] * w[(nu - 1) * galerkin->n + k];
      velocity += slope[nu] * w[(nu - 1) * galerkin->n + k];
    }
    galerkin->q[k] = galerkin->state->q[k] + galerkin->h * displacement;
    galerkin->v[k] = velocity;
  }
}

/* Of node i, where q and v are; by_v may be NULL. */
static void add_forcing(struct galerkin *galerkin, unsigned i, struct rill_lagrangian_values *values, double *by_v) {
  const struct rill_forcing *forcing = galerkin->forcing;
  if (forcing == NULL) return;
  rill_forcing_add(forcing, forcing->time + galerkin->rule.node[i] * galerkin->h, galerkin->v, values, by_v);
}

/* Equations nu = 0 ... s - 1, and their derivative in w, which is h times the Hessian of S. */
static void equations(void *context, const double *w, double *residual, double *matrix) {
  struct galerkin *galerkin = context;
  const struct rill_lagrangian *lagrangian = galerkin->lagrangian;
  const struct rill_lagrangian_values *values = &galerkin->values;
  const size_t n = galerkin->n, size = galerkin->degree * n;
  const double h = galerkin->h;
  memset(residual, 0, size * sizeof *residual);
  memcpy(residual, galerkin->state->p, n * sizeof *residual);
  for (unsigned i = 0; i < galerkin->rule.count; i++) {
    const double *shape = galerkin->shape + i * (galerkin->degree + 1),
                 *slope = galerkin->slope + i * (galerkin->degree + 1), weight = galerkin->rule.weight[i];
    set_point(galerkin, i, w);
    lagrangian->ops->evaluate(lagrangian->self, galerkin->q, galerkin->v, &galerkin->values);
    add_forcing(galerkin, i, &galerkin->values, galerkin->by_v);
    for (unsigned nu = 0; nu < galerkin->degree; nu++) {
      const double by_q = weight * h * shape[nu], by_v = weight * slope[nu];
      for (size_t k = 0; k < n; k++) residual[nu * n + k] += by_q * values->dq[k] + by_v * values->dv[k];
      for (unsigned mu = 1; mu <= galerkin->degree; mu++) {
        double *block = matrix + (mu - 1) * n * size + nu * n;
        const double qq = by_q * h * shape[mu], qv = by_q * slope[mu], vq = by_v * h * shape[mu],
                     vv = by_v * slope[mu];
        for (size_t l = 0; l < n; l++)
          for (size_t k = 0; k < n; k++)
            block[l * size + k] += qq * values->dqq[k * n + l] + qv * values->dqv[k * n + l] +
                                   vq * values->dqv[l * n + k] + vv * values->dvv[k * n + l];
        for (size_t l = 0; galerkin->forcing != NULL && l < n; l++)
          for (size_t k = 0; k < n; k++) block[l * size + k] += qv * galerkin->by_v[k * n + l];
      }
    }
  }
}

/* Newton starts from w = 0: a step is then a function of (q, p) alone, and the first iteration is the linearised
 * step. */
static enum rill_status galerkin_step(void *self, struct rill_error *error) {
  struct galerkin *galerkin = self;
  const struct rill_lagrangian *lagrangian = galerkin->lagrangian;
  struct rill_lagrangian_values first = {.dq = galerkin->values.dq, .dv = galerkin->values.dv};
  struct rill_newton *newton = &galerkin->newton;
  struct rill_state *state = galerkin->state;
  const size_t n = galerkin->n;
  enum rill_status status;
  memset(newton->x, 0, newton->n * sizeof *newton->x);
  status = rill_newton_solve(newton, equations, galerkin, error);
  state->iterations = newton->iterations;
  state->residual = newton->residual_size;
  RILL_TRY(status);
  memset(galerkin->impulse, 0, n * sizeof *galerkin->impulse);
  for (unsigned i = 0; i < galerkin->rule.count; i++) {
    set_point(galerkin, i, newton->x);
    lagrangian->ops->evaluate(lagrangian->self, galerkin->q, galerkin->v, &first);
    add_forcing(galerkin, i, &first, NULL);
    for (size_t k = 0; k < n; k++) galerkin->impulse[k] += galerkin->h * galerkin->rule.weight[i] * first.dq[k];
  }
  for (size_t k = 0; k < n; k++) {
    state->q[k] += galerkin->h * newton->x[newton->n - n + k];
    state->p[k] += galerkin->impulse[k];
  }
  return RILL_OK;
}

static const struct rill_one_step galerkin_own = {galerkin_create, galerkin_step, galerkin_destroy};

const struct rill_method rill_method_galerkin = {
    .name = "galerkin",
    .summary =
        "the action made stationary over polynomials of a degree s, with a Gauss or Lobatto rule: order 2s, or "
        "the rule's",
    .citation = "Marsden & West, Acta Numerica 10, 357 (2001), section 2.2.6; Leok & Shingel, section 2",
    .order = 4,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_LAGRANGIAN | RILL_NEEDS_NO_CONSTRAINTS,
    .one_step = &galerkin_own,
    .forced = true,
    .reads = RILL_READS_DEGREE | RILL_READS_QUADRATURE | RILL_READS_SOLVER,
    .refuse = refuse,
    .specialise = specialise,
};
