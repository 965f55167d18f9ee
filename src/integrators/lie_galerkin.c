/* The curve over a step is g exp(xi(t)), xi(t) = sum_nu xi^nu l_nu(t/h), nu = 1 ... s: a polynomial with xi(0) = 0.
 * In this chart the Lagrangian is
 *
 *   Lambda(xi, xi') = eta.I eta / 2 - V(g exp(xi)),   eta = dexp_xi xi',
 *
 * and the action S = h sum_i b_i Lambda(xi(c_i h), xi'(c_i h)) has, with the reduced forces F_i at the nodes,
 *
 *   D_nu S = h sum_i b_i (Lambda_xi l_nu(c_i) + Lambda_xi' l_nu'(c_i) / h)
 *   0 = D_nu S for 0 < nu < s,   dexp_{xi^s}^* p_k+1 = D_s S,
 *   p_k + h sum_i b_i Ad^*_{exp(-xi_i)} F_i = Ad^*_{exp(-xi^s)} p_k+1,       g_k+1 = g_k exp(xi^s).
 *
 * The last equation, the change of the spatial momentum by the forces, is p_k = -D_1 S in a chart that moves with g.
 * Order min(2s, that of the quadrature); s = 1 is lie-verlet's discrete Lagrangian with the exponential map, with
 * Lobatto's two nodes also its forces.  On R^n it is the method galerkin.
 *
 * dexp is sum_n (-ad)^n / (n + 1)!, and its derivative in xi enters Lambda_xi; the paper's ddexp is not that
 * derivative. Unknowns are w^nu = xi^nu / h, nu = 1 ... s, and p_k+1; Newton's matrix is exact. */
#include "integrators/lie_galerkin.h"

#include <string.h>

#include "base/memory.h"
#include "integrators/galerkin.h"
#include "numerics/newton.h"

struct lie_galerkin {
  struct rill_state *state;
  const struct rill_group *group;
  double h;
  size_t n;
  unsigned degree;
  struct rill_quadrature rule;
  double control[RILL_QUADRATURE_NODES]; /* control points, [degree + 1] from 0 to 1 */
  double *shape, *slope;                 /* l_nu(c_i) and l_nu'(c_i): [nodes][degree + 1] */
  struct rill_newton newton;             /* unknown: [degree][n], and p_k+1 [n] */
  double *xi, *rate;                     /* xi and xi' of a node: [n] */
  double *element, *change;              /* g exp(xi), a change of it: [element_size] */
  double *eta, *momentum, *force;        /* dexp_xi xi', I eta, F: [n] */
  double *column, *other;                /* [n] scratch */
  double *frame;                         /* dexp_xi e_k: [n][n], k first; likewise the following */
  double *turning;                       /* derivative of eta along xi: D dexp_xi(e_k) xi' */
  double *inert_frame, *inert_turning;   /* I times frame and turning */
  double *force_slope;                   /* derivative of F along xi */
  double *impulse;                       /* Ad^*_{exp(-xi)} of a covector: [n] */
  struct rill_lagrangian_values values;  /* of Lambda */
};

static const char *refuse(const struct rill_system *system, const struct rill_method_options *options) {
  (void)system;
  return rill_galerkin_refusal(options);
}

static void specialise(const struct rill_method_options *options, struct rill_method *method) {
  unsigned degree;
  rill_galerkin_choice(options, &degree);
  rill_method_galerkin.specialise(options, method);
  method->symmetric = degree == 1; /* charts around g_k and g_k+1 give different polynomials */
}

static void destroy(void *self) {
  struct lie_galerkin *s = self;
  if (s == NULL) return;
  rill_newton_destroy(&s->newton);
  rill_release(s->shape);
  rill_release(s->xi);
  rill_release(s->element);
  rill_release(s);
}

/* Lays out the arrays one after the other in `from`. */
static void share_out(struct lie_galerkin *s, double *from) {
  double **const vectors[] = {&s->xi,     &s->rate,  &s->eta,     &s->momentum,  &s->force,
                              &s->column, &s->other, &s->impulse, &s->values.dq, &s->values.dv};
  double **const matrices[] = {&s->frame,       &s->turning,    &s->inert_frame, &s->inert_turning,
                               &s->force_slope, &s->values.dqq, &s->values.dqv,  &s->values.dvv};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++, from += s->n) *vectors[i] = from;
  for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++, from += s->n * s->n) *matrices[i] = from;
}

static enum rill_status create(struct rill_system *system, double h, const struct rill_method_options *options,
                               void **self, struct rill_error *error) {
  struct lie_galerkin *s = rill_allocate(1, sizeof *s);
  const size_t n = system->group->dimension;
  struct rill_action_quadrature quadrature;
  struct rill_quadrature control;
  double *arrays;
  size_t points, shapes;
  enum rill_status status;
  if (s == NULL) goto memory;
  quadrature = rill_galerkin_choice(options, &s->degree);
  s->state = system->state;
  s->group = system->group;
  s->h = h;
  s->n = n;
  points = s->degree + 1;
  shapes = quadrature.nodes * points;
  s->shape = rill_allocate(2 * shapes, sizeof *s->shape);
  arrays = rill_allocate(10 * n + 8 * n * n, sizeof *arrays);
  if (arrays != NULL) share_out(s, arrays);
  s->element = rill_allocate(2 * s->group->element_size, sizeof *s->element);
  if (s->shape == NULL || arrays == NULL || s->element == NULL) goto memory;
  s->slope = s->shape + shapes;
  s->change = s->element + s->group->element_size;
  status = rill_action_rule_set(&quadrature, &s->rule, error);
  if (status == RILL_OK) status = rill_quadrature_set(RILL_QUADRATURE_LOBATTO, (unsigned)points, &control, error);
  if (status == RILL_OK)
    status = rill_newton_create(points * n, s->degree * n, options->tolerance, (unsigned)options->max_iterations,
                                &s->newton, error);
  if (status != RILL_OK) {
    destroy(s);
    return status;
  }
  memcpy(s->control, control.node, sizeof s->control);
  for (unsigned i = 0; i < s->rule.count; i++)
    rill_lagrange((unsigned)points, s->control, s->rule.node[i], s->shape + i * points, s->slope + i * points);
  *self = s;
  return RILL_OK;
memory:
  destroy(s);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a Galerkin method on a group of dimension %zu", n);
}

static double dot(const double *a, const double *b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* out = e_k */
static const double *unit(double *out, size_t k, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = i == k;
  return out;
}

/* xi and xi' at node i. */
static void place(struct lie_galerkin *s, unsigned i, const double *w) {
  const double *shape = s->shape + i * (s->degree + 1), *slope = s->slope + i * (s->degree + 1);
  for (size_t k = 0; k < s->n; k++) {
    s->xi[k] = s->rate[k] = 0;
    for (unsigned nu = 1; nu <= s->degree; nu++) {
      s->xi[k] += s->h * shape[nu] * w[(nu - 1) * s->n + k];
      s->rate[k] += slope[nu] * w[(nu - 1) * s->n + k];
    }
  }
}

static void set_frame(struct lie_galerkin *s) {
  for (size_t k = 0; k < s->n; k++)
    s->group->ops->dexp(s->group->self, s->xi, unit(s->column, k, s->n), s->frame + k * s->n);
}

/* g exp(xi) and F at node i. */
static void set_force(struct lie_galerkin *s) {
  s->group->ops->exponential(s->group->self, s->state->q, s->xi, s->element);
  s->group->ops->force(s->group->self, s->element, s->force);
}

/* Derivatives of Lambda at (xi, xi'), frame, the force and its slope. */
static void evaluate(struct lie_galerkin *s) {
  const struct rill_group_ops *ops = s->group->ops;
  const void *self = s->group->self;
  const size_t n = s->n;
  struct rill_lagrangian_values *values = &s->values;
  set_force(s);
  set_frame(s);
  ops->dexp(self, s->xi, s->rate, s->eta);
  ops->inertia(self, s->eta, s->momentum);
  for (size_t k = 0; k < n; k++) {
    double *frame = s->frame + k * n, *turning = s->turning + k * n;
    ops->dexp_derivative(self, s->xi, unit(s->column, k, n), s->rate, turning);
    ops->inertia(self, frame, s->inert_frame + k * n);
    ops->inertia(self, turning, s->inert_turning + k * n);
    ops->tangent(self, s->element, frame, s->change);
    ops->force_derivative(self, s->element, s->change, s->force_slope + k * n);
    values->dq[k] = dot(s->momentum, turning, n) + dot(s->force, frame, n);
    values->dv[k] = dot(s->momentum, frame, n);
  }
  for (size_t k = 0; k < n; k++)
    for (size_t l = 0; l < n; l++) {
      double *both = s->impulse;
      unit(s->column, k, n), unit(s->other, l, n);
      ops->dexp_second(self, s->xi, s->column, s->other, s->rate, both);
      values->dqq[k * n + l] = dot(s->turning + k * n, s->inert_turning + l * n, n) + dot(s->momentum, both, n) +
                               dot(s->force_slope + l * n, s->frame + k * n, n);
      ops->dexp_derivative(self, s->xi, s->other, s->column, both);
      values->dqq[k * n + l] += dot(s->force, both, n);
      ops->dexp_derivative(self, s->xi, s->column, s->other, both);
      values->dqv[k * n + l] = dot(s->turning + k * n, s->inert_frame + l * n, n) + dot(s->momentum, both, n);
      values->dvv[k * n + l] = dot(s->frame + k * n, s->inert_frame + l * n, n);
    }
}

/* column of the matrix += scale * derivative of Ad^*_{exp(-xi)} covector along xi, where `slope` is the covector's
 * derivative. */
static void add_coadjoint_slope(struct lie_galerkin *s, double scale, const double *covector, const double *slope,
                                size_t l, double *column) {
  s->group->ops->bracket(s->group->self, s->frame + l * s->n, covector, s->other);
  for (size_t k = 0; k < s->n; k++) s->other[k] = (slope != NULL ? slope[k] : 0) - s->other[k];
  s->group->ops->coadjoint(s->group->self, s->xi, s->other, s->impulse);
  for (size_t k = 0; k < s->n; k++) column[k] += scale * s->impulse[k];
}

/* The first rows: D_nu S for 0 < nu < s and D_s S - dexp^* p_k+1; the last: the change of the spatial momentum. */
static void equations(void *context, const double *w, double *residual, double *matrix) {
  struct lie_galerkin *s = context;
  const struct rill_group_ops *ops = s->group->ops;
  const void *self = s->group->self;
  const struct rill_lagrangian_values *values = &s->values;
  const size_t n = s->n, size = s->newton.n, last = s->degree * n;
  const double h = s->h, *after = w + last;
  memset(residual, 0, size * sizeof *residual);
  for (size_t k = 0; k < n; k++) residual[last + k] = s->state->p[k];
  for (unsigned i = 0; i < s->rule.count; i++) {
    const double *shape = s->shape + i * (s->degree + 1), *slope = s->slope + i * (s->degree + 1);
    const double weight = s->rule.weight[i];
    place(s, i, w);
    evaluate(s);
    ops->coadjoint(self, s->xi, s->force, s->impulse);
    for (size_t k = 0; k < n; k++) residual[last + k] += h * weight * s->impulse[k];
    for (unsigned nu = 1; nu <= s->degree; nu++) {
      const double by_q = weight * h * shape[nu], by_v = weight * slope[nu];
      for (size_t k = 0; k < n; k++) residual[(nu - 1) * n + k] += by_q * values->dq[k] + by_v * values->dv[k];
      for (unsigned mu = 1; mu <= s->degree; mu++)
        for (size_t l = 0; l < n; l++) {
          double *block = matrix + ((mu - 1) * n + l) * size + (nu - 1) * n;
          for (size_t k = 0; k < n; k++)
            block[k] += by_q * (h * shape[mu] * values->dqq[k * n + l] + slope[mu] * values->dqv[k * n + l]) +
                        by_v * (h * shape[mu] * values->dqv[l * n + k] + slope[mu] * values->dvv[k * n + l]);
        }
      for (size_t l = 0; l < n; l++)
        add_coadjoint_slope(s, h * by_q, s->force, s->force_slope + l * n, l,
                            matrix + ((nu - 1) * n + l) * size + last);
    }
  }
  for (size_t k = 0; k < n; k++) s->xi[k] = h * w[last - n + k];
  set_frame(s);
  ops->coadjoint(self, s->xi, after, s->impulse);
  for (size_t k = 0; k < n; k++) {
    residual[last + k] -= s->impulse[k];
    residual[last - n + k] -= dot(s->frame + k * n, after, n);
  }
  for (size_t l = 0; l < n; l++) {
    double *by_w = matrix + (last - n + l) * size, *by_p = matrix + (last + l) * size;
    for (size_t k = 0; k < n; k++) {
      ops->dexp_derivative(self, s->xi, unit(s->column, l, n), unit(s->other, k, n), s->impulse);
      by_w[last - n + k] -= h * dot(s->impulse, after, n);
      by_p[last - n + k] -= s->frame[k * n + l];
    }
    add_coadjoint_slope(s, -h, after, NULL, l, by_w + last);
    ops->coadjoint(self, s->xi, unit(s->column, l, n), s->impulse);
    for (size_t k = 0; k < n; k++) by_p[last + k] -= s->impulse[k];
  }
}

/* Newton starts from the present velocity: a step is a function of (g, p) alone. */
static enum rill_status step(void *self, struct rill_error *error) {
  struct lie_galerkin *s = self;
  const struct rill_group_ops *ops = s->group->ops;
  const void *group = s->group->self;
  struct rill_newton *newton = &s->newton;
  struct rill_state *state = s->state;
  const size_t n = s->n, last = s->degree * n;
  enum rill_status status;
  ops->inertia_inverse(group, state->p, s->eta);
  for (unsigned nu = 1; nu <= s->degree; nu++)
    for (size_t k = 0; k < n; k++) newton->x[(nu - 1) * n + k] = s->control[nu] * s->eta[k];
  memcpy(newton->x + last, state->p, n * sizeof *newton->x);
  status = rill_newton_solve(newton, equations, s, error);
  state->iterations = newton->iterations;
  state->residual = newton->residual_size;
  RILL_TRY(status);
  /* p_k+1 follows from the change of the spatial momentum, which then holds to rounding. */
  for (unsigned i = 0; i < s->rule.count; i++) {
    place(s, i, newton->x);
    set_force(s);
    ops->coadjoint(group, s->xi, s->force, s->impulse);
    for (size_t k = 0; k < n; k++) state->p[k] += s->h * s->rule.weight[i] * s->impulse[k];
  }
  for (size_t k = 0; k < n; k++) s->xi[k] = s->h * newton->x[last - n + k];
  ops->exponential(group, state->q, s->xi, s->element);
  memcpy(state->q, s->element, s->group->element_size * sizeof *state->q);
  for (size_t k = 0; k < n; k++) s->xi[k] = -s->xi[k];
  ops->coadjoint(group, s->xi, state->p, s->impulse);
  memcpy(state->p, s->impulse, n * sizeof *state->p);
  return RILL_OK;
}

static const struct rill_one_step own = {create, step, destroy};

const struct rill_method rill_method_lie_galerkin = {
    .name = "lie-galerkin",
    .summary = "galerkin on a Lie group: the action made stationary over g exp(xi(t)), xi a polynomial of a degree s",
    .citation = "Leok & Shingel, sections 2.1, 2.2, with the exact derivative of dexp",
    .order = 4,
    .symmetric = false,
    .symplectic = true,
    .needs = RILL_NEEDS_GROUP,
    .one_step = &own,
    .reads = RILL_READS_DEGREE | RILL_READS_QUADRATURE | RILL_READS_SOLVER,
    .refuse = refuse,
    .specialise = specialise,
};
