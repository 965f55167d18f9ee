/* Shooting-based variational integrators over the lagrangian capability, in one-step (q, p) form: Leok & Shingel,
 * section 3, (10)-(12).
 *
 * A one-step method Psi for the Euler-Lagrange equations takes (q_0, v_0) from node to node of a quadrature and then
 * to the end of the step; with nodes (q^i, v^i) and end point Q,
 *
 *   A(q_0, v_0) = h sum_i b_i L(q^i, v^i)   [- (h^2/12) (L'(h) - L'(0)) of Euler-Maclaurin],   Ld(q_0, Q) = A,
 *   p_1 = D_2 Ld = A_v Q_v^-1,   p_0 = -D_1 Ld = p_1 Q_q - A_q,
 *
 * and a step solves p_k = p_0(q_k, v_0) for v_0.  Its order is the lower of Psi's and the quadrature's, and it is
 * symmetric when Psi is.
 *
 * Psi works on Hamilton's equations: q' = v, p' = L_q, where L_v(q, v) = p, and v_0 is represented by its momentum
 * L_v(q_0, v_0).  For a constant mass this is the same as Psi on (q, v); for any other L, tangents are then exact
 * with second derivatives of L only, since those of the vector field are
 *
 *   L_vv dv = dp - L_vq dq,   d(L_q) = L_qq dq + L_qv dv.
 *
 * Forces f beside those of the Lagrangian: Psi solves the forced equations, p' = L_q + f, and the virtual work of f
 * at the nodes is added to the variation of A (Lagrange-d'Alembert): f.dq beside L_q.dq in A_q and A_v.
 *
 * There are 2n tangents: columns d/dq_0, then d/dp_0.
 *
 * A quasi-Newton method finds the initial momentum: along exact solutions p_0 is the initial momentum itself, so
 * that the Jacobian is the identity up to O(h^order).  It starts as the identity and is improved by Broyden's
 * rank-one updates; the exact Jacobian would take third derivatives of L. */
#include "integrators/shooting.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/initial_momentum.h"
#include "integrators/prolongation.h"
#include "mech/legendre.h"
#include "numerics/newton.h"

/* A point of phase space with tangents: [n], and [2n][n], tangent after tangent. */
struct point {
  double *q, *p, *dq, *dp;
};

/* The velocity and the force L_q at a point, with tangents. */
struct slope {
  double *v, *f, *dv, *df;
};

/* An explicit Runge-Kutta method in which each stage uses only the slope of the previous one. */
struct tableau {
  unsigned stages;
  double reach[4], weight[4];
};

static const struct tableau explicit_midpoint = {2, {0, 0.5}, {0, 1}};
static const struct tableau rk4 = {4, {0, 0.5, 0.5, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

struct shooting {
  struct rill_state *state;
  const struct rill_lagrangian *lagrangian;
  const double *mass;                 /* [n], constant and diagonal; NULL: solves with L_vv */
  const struct rill_forcing *forcing; /* NULL: none */
  double h;
  size_t n;
  const struct tableau *tableau; /* NULL: implicit midpoint */
  struct rill_quadrature rule;
  bool end_correction; /* Euler-Maclaurin */
  struct point at, stage, next;
  struct slope slope;
  double *gradient; /* tangents of A: [2n] */
  struct rill_legendre legendre;
  bool prolonged;
  struct rill_prolongation prolongation;
  struct rill_newton midpoint; /* unknown: the midpoint's velocity */
  double span;                 /* of the present midpoint step */
  double now;                  /* time since the step began, at the point `at` */
  double *by_v;                /* derivative of f: [n][n] */
  struct rill_lagrangian_values values;
  double *matrix; /* [n][n], columns */
  int *pivots;
  struct rill_initial_momentum initial;
  double *end, *product; /* p_1: [n]; [n] */
  double *memory;        /* holds all these arrays */
};

static int base_order(enum rill_shooting_base base) {
  return base == RILL_BASE_RK4 || base == RILL_BASE_PROLONGATION ? 4 : 2;
}

/* Defaults where the options leave it open: trapezoid or Simpson's rule, or as many nodes as match the
 * base's order. */
static struct rill_action_quadrature choose(const struct rill_method_options *options) {
  struct rill_action_quadrature quadrature = options->quadrature;
  unsigned half = (unsigned)base_order(options->base) / 2;
  if (quadrature.rule == RILL_ACTION_AUTO && options->base == RILL_BASE_PROLONGATION)
    return (struct rill_action_quadrature){RILL_ACTION_EULER_MACLAURIN, 2};
  if (quadrature.rule == RILL_ACTION_AUTO) quadrature = (struct rill_action_quadrature){RILL_ACTION_LOBATTO, 0};
  if (quadrature.nodes == 0) quadrature.nodes = half + (quadrature.rule != RILL_ACTION_GAUSS);
  return quadrature;
}

static const char *refuse(const struct rill_system *system, const struct rill_method_options *options) {
  const struct rill_action_quadrature quadrature = choose(options);
  const bool prolonged = options->base == RILL_BASE_PROLONGATION;
  if (prolonged && (system->mechanical == NULL || system->mechanical->ops->third == NULL))
    return "the base prolongation takes third derivatives of the potential of a separable system; take another base";
  if (prolonged && system->forcing != NULL)
    return "the base prolongation has no form with other forces, whose rates it would need; take another base";
  if (quadrature.rule == RILL_ACTION_EULER_MACLAURIN && system->mechanical == NULL)
    return "the tangents of the Euler-Maclaurin rule's dL/dt take third derivatives of a Lagrangian that is not "
           "separable; take trapezoid, simpson, gauss or lobatto";
  if (quadrature.rule == RILL_ACTION_EULER_MACLAURIN && system->forcing != NULL)
    return "the Euler-Maclaurin rule has no form with other forces, whose rates it would need; take trapezoid, "
           "simpson, gauss or lobatto";
  return rill_action_quadrature_refusal(&quadrature);
}

static void specialise(const struct rill_method_options *options, struct rill_method *method) {
  const struct rill_action_quadrature quadrature = choose(options);
  int order = rill_action_quadrature_order(&quadrature), base = base_order(options->base);
  method->order = order < base ? order : base;
  method->symmetric = options->base == RILL_BASE_IMPLICIT_MIDPOINT || options->base == RILL_BASE_PROLONGATION;
}

static void shooting_destroy(void *self) {
  struct shooting *shooting = self;
  if (shooting == NULL) return;
  rill_legendre_destroy(&shooting->legendre);
  rill_newton_destroy(&shooting->midpoint);
  rill_initial_momentum_destroy(&shooting->initial);
  rill_prolongation_destroy(&shooting->prolongation);
  rill_release(shooting->memory);
  rill_release(shooting->pivots);
  rill_release(shooting);
}

/* Hands out pieces of a block of memory; a first pass with memory NULL counts its size. */
struct pieces {
  double *memory;
  size_t used;
};

static double *take(struct pieces *pieces, size_t count) {
  double *piece = pieces->memory != NULL ? pieces->memory + pieces->used : NULL;
  pieces->used += count;
  return piece;
}

static size_t lay_out(struct shooting *shooting, double *memory) {
  struct pieces pieces = {memory, 0};
  const size_t n = shooting->n, tangents = 2 * n * n;
  struct point *const points[] = {&shooting->at, &shooting->stage, &shooting->next};
  for (int i = 0; i < 3; i++) {
    points[i]->q = take(&pieces, n);
    points[i]->p = take(&pieces, n);
    points[i]->dq = take(&pieces, tangents);
    points[i]->dp = take(&pieces, tangents);
  }
  shooting->slope.v = take(&pieces, n);
  shooting->slope.f = take(&pieces, n);
  shooting->slope.dv = take(&pieces, tangents);
  shooting->slope.df = take(&pieces, tangents);
  shooting->gradient = take(&pieces, 2 * n);
  shooting->values.dq = take(&pieces, n);
  shooting->values.dv = take(&pieces, n);
  shooting->values.dqq = take(&pieces, n * n);
  shooting->values.dqv = take(&pieces, n * n);
  shooting->values.dvv = take(&pieces, n * n);
  shooting->by_v = take(&pieces, n * n);
  shooting->matrix = take(&pieces, n * n);
  shooting->end = take(&pieces, n);
  shooting->product = take(&pieces, n);
  return pieces.used;
}

static enum rill_status shooting_create(struct rill_system *system, double h,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  struct shooting *shooting = rill_allocate(1, sizeof *shooting);
  const struct rill_action_quadrature quadrature = choose(options);
  enum rill_status status = RILL_OK;
  if (shooting == NULL) goto memory;
  shooting->state = system->state;
  shooting->lagrangian = system->lagrangian;
  shooting->mass = system->mechanical != NULL ? system->mechanical->mass : NULL;
  shooting->forcing = system->forcing;
  shooting->h = h;
  shooting->n = system->lagrangian->n;
  shooting->tableau = options->base == RILL_BASE_RK4                 ? &rk4
                      : options->base == RILL_BASE_EXPLICIT_MIDPOINT ? &explicit_midpoint
                                                                     : NULL;
  shooting->prolonged = options->base == RILL_BASE_PROLONGATION;
  shooting->end_correction = quadrature.rule == RILL_ACTION_EULER_MACLAURIN;
  shooting->memory = rill_allocate(lay_out(shooting, NULL), sizeof(double));
  shooting->pivots = rill_allocate(shooting->n, sizeof *shooting->pivots);
  if (shooting->memory == NULL || shooting->pivots == NULL) goto memory;
  lay_out(shooting, shooting->memory);
  status = rill_action_rule_set(&quadrature, &shooting->rule, error);
  if (status == RILL_OK) status = rill_legendre_create(shooting->lagrangian, &shooting->legendre, error);
  if (status == RILL_OK)
    status = rill_initial_momentum_create(shooting->n, options->tolerance, (unsigned)options->max_iterations,
                                          &shooting->initial, error);
  if (status == RILL_OK && shooting->prolonged)
    status = rill_prolongation_create(system, options->tolerance, (unsigned)options->max_iterations,
                                      &shooting->prolongation, error);
  if (status == RILL_OK && shooting->tableau == NULL && !shooting->prolonged)
    status = rill_newton_create(shooting->n, shooting->n, options->tolerance, (unsigned)options->max_iterations,
                                &shooting->midpoint, error);
  if (status != RILL_OK) {
    shooting_destroy(shooting);
    return status;
  }
  *self = shooting;
  return RILL_OK;
memory:
  shooting_destroy(shooting);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a shooting method");
}

/* --- the vector field and its tangents --- */

/* out += scale A x, or A^T x, for A [n][n] by rows. */
static void add_product(size_t n, double scale, const double *a, bool transposed, const double *x, double *out) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) out[i] += scale * (transposed ? a[j * n + i] : a[i * n + j]) * x[j];
}

/* Adds f to the force of `values`, whose other members are set, at a time since the step began. */
static void add_forcing(struct shooting *shooting, double since, const double *v,
                        struct rill_lagrangian_values *values) {
  if (shooting->forcing == NULL) return;
  rill_forcing_add(shooting->forcing, shooting->forcing->time + since, v, values, shooting->by_v);
}

/* d(L_q + f) from dq and dv, at the point where `values` are. */
static void find_force_tangents(struct shooting *shooting, const double *dq) {
  const size_t n = shooting->n;
  struct slope *slope = &shooting->slope;
  memset(slope->df, 0, 2 * n * n * sizeof *slope->df);
  for (size_t a = 0; a < 2 * n; a++) {
    add_product(n, 1, shooting->values.dqq, false, dq + a * n, slope->df + a * n);
    if (shooting->mass == NULL) add_product(n, 1, shooting->values.dqv, false, slope->dv + a * n, slope->df + a * n);
    if (shooting->forcing != NULL) add_product(n, 1, shooting->by_v, false, slope->dv + a * n, slope->df + a * n);
  }
}

static void find_separable_slope(struct shooting *shooting, const struct point *point, double since) {
  const struct rill_lagrangian *lagrangian = shooting->lagrangian;
  struct rill_lagrangian_values values = {.dq = shooting->slope.f, .dqq = shooting->values.dqq};
  if (shooting->forcing != NULL) {
    values.dv = shooting->values.dv;
    values.dqv = shooting->values.dqv;
    values.dvv = shooting->values.dvv;
  }
  struct slope *slope = &shooting->slope;
  const size_t n = shooting->n;
  for (size_t i = 0; i < n; i++) slope->v[i] = point->p[i] / shooting->mass[i];
  for (size_t a = 0; a < 2 * n; a++)
    for (size_t i = 0; i < n; i++) slope->dv[a * n + i] = point->dp[a * n + i] / shooting->mass[i];
  lagrangian->ops->evaluate(lagrangian->self, point->q, slope->v, &values);
  add_forcing(shooting, since, slope->v, &values);
  find_force_tangents(shooting, point->dq);
}

static enum rill_status find_slope(struct shooting *shooting, const struct point *point, double since,
                                   struct rill_error *error) {
  const struct rill_lagrangian *lagrangian = shooting->lagrangian;
  const struct rill_lagrangian_values *values = &shooting->values;
  struct slope *slope = &shooting->slope;
  const size_t n = shooting->n;
  if (shooting->mass != NULL) {
    find_separable_slope(shooting, point, since);
    return RILL_OK;
  }
  RILL_TRY(rill_legendre_transform(&shooting->legendre, point->q, point->p, error));
  memcpy(slope->v, shooting->legendre.velocity, n * sizeof *slope->v);
  lagrangian->ops->evaluate(lagrangian->self, point->q, slope->v, &shooting->values);
  add_forcing(shooting, since, slope->v, &shooting->values);
  memcpy(slope->f, values->dq, n * sizeof *slope->f);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) shooting->matrix[j * n + i] = values->dvv[i * n + j];
  memcpy(slope->dv, point->dp, 2 * n * n * sizeof *slope->dv);
  for (size_t a = 0; a < 2 * n; a++) add_product(n, -1, values->dqv, true, point->dq + a * n, slope->dv + a * n);
  RILL_TRY(rill_dense_factor(n, shooting->matrix, shooting->pivots, error));
  rill_dense_solve_factored(n, shooting->matrix, shooting->pivots, 2 * n, slope->dv);
  find_force_tangents(shooting, point->dq);
  return RILL_OK;
}

/* to = from + span slope, including tangents; from and to may be the same. */
static void move(const struct shooting *shooting, const struct point *from, double span, struct point *to) {
  const struct slope *slope = &shooting->slope;
  const size_t n = shooting->n;
  for (size_t i = 0; i < n; i++) {
    to->q[i] = from->q[i] + span * slope->v[i];
    to->p[i] = from->p[i] + span * slope->f[i];
  }
  for (size_t i = 0; i < 2 * n * n; i++) {
    to->dq[i] = from->dq[i] + span * slope->dv[i];
    to->dp[i] = from->dp[i] + span * slope->df[i];
  }
}

/* --- the base methods: advance `at` by a span; they overwrite its slope --- */

static enum rill_status step_explicitly(struct shooting *shooting, double span, struct rill_error *error) {
  const struct tableau *tableau = shooting->tableau;
  move(shooting, &shooting->at, tableau->weight[0] * span, &shooting->next);
  for (unsigned k = 1; k < tableau->stages; k++) {
    move(shooting, &shooting->at, tableau->reach[k] * span, &shooting->stage);
    RILL_TRY(find_slope(shooting, &shooting->stage, shooting->now + tableau->reach[k] * span, error));
    move(shooting, &shooting->next, tableau->weight[k] * span, &shooting->next);
  }
  const struct point last = shooting->at;
  shooting->at = shooting->next;
  shooting->next = last;
  return RILL_OK;
}

/* The midpoint's velocity w solves L_v(q + span w / 2, w) - span L_q / 2 - p = 0. */
static void midpoint_equations(void *context, const double *w, double *residual, double *matrix) {
  struct shooting *shooting = context;
  const struct rill_lagrangian *lagrangian = shooting->lagrangian;
  const struct rill_lagrangian_values *values = &shooting->values;
  const size_t n = shooting->n;
  const double half = 0.5 * shooting->span;
  for (size_t i = 0; i < n; i++) shooting->stage.q[i] = shooting->at.q[i] + half * w[i];
  lagrangian->ops->evaluate(lagrangian->self, shooting->stage.q, w, &shooting->values);
  add_forcing(shooting, shooting->now + half, w, &shooting->values);
  for (size_t i = 0; i < n; i++) {
    residual[i] = values->dv[i] - half * values->dq[i] - shooting->at.p[i];
    for (size_t j = 0; j < n; j++)
      matrix[j * n + i] = values->dvv[i * n + j] + half * (values->dqv[j * n + i] - values->dqv[i * n + j]) -
                          half * half * values->dqq[i * n + j];
    for (size_t j = 0; shooting->forcing != NULL && j < n; j++) matrix[j * n + i] -= half * shooting->by_v[i * n + j];
  }
}

static enum rill_status step_to_midpoint(struct shooting *shooting, double span, struct rill_error *error) {
  struct slope *slope = &shooting->slope;
  const double half = 0.5 * span, *w = shooting->midpoint.x;
  const size_t n = shooting->n;
  shooting->span = span;
  memcpy(shooting->midpoint.x, slope->v, n * sizeof *slope->v);
  RILL_TRY(rill_newton_solve(&shooting->midpoint, midpoint_equations, shooting, error));
  midpoint_equations(shooting, w, shooting->product, shooting->matrix);
  memcpy(slope->v, w, n * sizeof *slope->v);
  memcpy(slope->f, shooting->values.dq, n * sizeof *slope->f);
  memcpy(slope->dv, shooting->at.dp, 2 * n * n * sizeof *slope->dv);
  for (size_t a = 0; a < 2 * n; a++) { /* tangents of the equations, with w fixed */
    add_product(n, half, shooting->values.dqq, false, shooting->at.dq + a * n, slope->dv + a * n);
    if (shooting->mass == NULL)
      add_product(n, -1, shooting->values.dqv, true, shooting->at.dq + a * n, slope->dv + a * n);
  }
  RILL_TRY(rill_dense_factor(n, shooting->matrix, shooting->pivots, error));
  rill_dense_solve_factored(n, shooting->matrix, shooting->pivots, 2 * n, slope->dv);
  for (size_t i = 0; i < 2 * n * n; i++) shooting->stage.dq[i] = shooting->at.dq[i] + half * slope->dv[i];
  find_force_tangents(shooting, shooting->stage.dq);
  move(shooting, &shooting->at, span, &shooting->at);
  return RILL_OK;
}

static enum rill_status advance(struct shooting *shooting, double span, struct rill_error *error) {
  const struct point *at = &shooting->at;
  if (shooting->tableau != NULL) return step_explicitly(shooting, span, error);
  if (!shooting->prolonged) return step_to_midpoint(shooting, span, error);
  return rill_prolongation_step(&shooting->prolongation, span, at->q, at->p, at->dq, at->dp, error);
}

/* --- the action along the curve --- */

/* Adds scale L and its tangents at the point `at`, whose slope is known: dL = L_q dq + p dv. */
static void add_lagrangian(struct shooting *shooting, double scale) {
  const struct slope *slope = &shooting->slope;
  const size_t n = shooting->n;
  for (size_t a = 0; a < 2 * n; a++)
    for (size_t i = 0; i < n; i++)
      shooting->gradient[a] +=
          scale * (slope->f[i] * shooting->at.dq[a * n + i] + shooting->at.p[i] * slope->dv[a * n + i]);
}

/* Adds the tangents of scale L'.  For a separable L with constant mass, L' = 2 v.L_q along solutions. */
static void add_lagrangian_rate(struct shooting *shooting, double scale) {
  const struct slope *slope = &shooting->slope;
  const size_t n = shooting->n;
  for (size_t a = 0; a < 2 * n; a++)
    for (size_t i = 0; i < n; i++)
      shooting->gradient[a] += 2 * scale * (slope->v[i] * slope->df[a * n + i] + slope->f[i] * slope->dv[a * n + i]);
}

/* Integrates from (q_k, momentum) to the end of the step, which is left in `at`, with the gradient of A. */
static enum rill_status shoot(struct shooting *shooting, const double *momentum, struct rill_error *error) {
  const struct rill_quadrature *rule = &shooting->rule;
  const size_t n = shooting->n;
  double done = 0, end = shooting->h * shooting->h / 12;
  struct point *at = &shooting->at;
  memcpy(at->q, shooting->state->q, n * sizeof *at->q);
  memcpy(at->p, momentum, n * sizeof *at->p);
  memset(at->dq, 0, 2 * n * n * sizeof *at->dq);
  memset(at->dp, 0, 2 * n * n * sizeof *at->dp);
  for (size_t i = 0; i < n; i++) at->dq[i * n + i] = at->dp[(n + i) * n + i] = 1;
  memset(shooting->gradient, 0, 2 * n * sizeof *shooting->gradient);
  shooting->now = 0;
  RILL_TRY(find_slope(shooting, at, 0, error));
  for (unsigned i = 0; i <= rule->count; i++) {
    double node = i < rule->count ? rule->node[i] : 1, span = (node - done) * shooting->h;
    if (node > done) {
      RILL_TRY(advance(shooting, span, error));
      done = node;
      shooting->now = done * shooting->h;
      if (i < rule->count) RILL_TRY(find_slope(shooting, at, shooting->now, error));
    }
    if (i == rule->count) break;
    add_lagrangian(shooting, shooting->h * rule->weight[i]);
    if (shooting->end_correction) add_lagrangian_rate(shooting, i == 0 ? end : -end);
  }
  return RILL_OK;
}

/* Fills `end` with p_1, and the residual of p_k = p_0: [n] each.  *size is the largest of the terms of p_0. */
static enum rill_status find_momenta(struct shooting *shooting, double *end, double *residual, double *size,
                                     struct rill_error *error) {
  const double *dq = shooting->at.dq;
  const size_t n = shooting->n;
  for (size_t j = 0; j < n; j++) {
    end[j] = shooting->gradient[n + j];
    for (size_t i = 0; i < n; i++) shooting->matrix[i * n + j] = dq[(n + j) * n + i];
  }
  RILL_TRY(rill_dense_solve(n, shooting->matrix, shooting->pivots, end, error));
  *size = 0;
  for (size_t j = 0; j < n; j++) {
    residual[j] = shooting->state->p[j] + shooting->gradient[j];
    *size = fmax(*size, fmax(fabs(shooting->state->p[j]), fabs(shooting->gradient[j])));
    for (size_t i = 0; i < n; i++) residual[j] -= end[i] * dq[j * n + i];
    *size = fmax(*size, fabs(end[j]));
  }
  return RILL_OK;
}

static enum rill_status aim(void *self, double *size, struct rill_error *error) {
  struct shooting *shooting = self;
  RILL_TRY(shoot(shooting, shooting->initial.momentum, error));
  RILL_TRY(find_momenta(shooting, shooting->end, shooting->initial.residual, size, error));
  for (size_t i = 0; i < shooting->n; i++)
    if (!isfinite(shooting->at.p[i])) *size = NAN;
  return RILL_OK;
}

static enum rill_status shooting_step(void *self, struct rill_error *error) {
  struct shooting *shooting = self;
  struct rill_state *state = shooting->state;
  RILL_TRY(rill_initial_momentum_find(&shooting->initial, state, aim, shooting, error));
  memcpy(state->q, shooting->at.q, shooting->n * sizeof *state->q);
  memcpy(state->p, shooting->end, shooting->n * sizeof *state->p);
  return RILL_OK;
}

static const struct rill_one_step shooting_own = {shooting_create, shooting_step, shooting_destroy};

const struct rill_method rill_method_shooting = {
    .name = "shooting",
    .summary =
        "the action taken along steps of a one-step method, with any quadrature: order of the lower of the "
        "two",
    .citation = "Leok & Shingel, section 3",
    .order = 4,
    .symmetric = false,
    .symplectic = true,
    .needs = RILL_NEEDS_LAGRANGIAN | RILL_NEEDS_NO_CONSTRAINTS,
    .one_step = &shooting_own,
    .forced = true,
    .reads = RILL_READS_BASE | RILL_READS_QUADRATURE | RILL_READS_SOLVER,
    .refuse = refuse,
    .specialise = specialise,
};
