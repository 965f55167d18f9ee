/* Discrete Euler-Lagrange equations in one-step (q, p) form, over the lagrangian capability.
 *
 * With Ld(x, y) = h L((1 - theta) x + theta y, (y - x)/h) a step solves
 *
 *   p_k + D1 Ld(q_k, q_k+1) + Dg(q_k)^T mu = 0,   g(q_k+1) = 0,         p_k+1 = D2 Ld(q_k, q_k+1) + Dg(q_k+1)^T nu,
 *
 * where nu puts p_k+1 on the cotangent space (mech/legendre.h).  Eliminating momenta gives the two-point form (4.5)
 * with the multiplier lambda_k = (nu_k + mu_k) / h, for any nu, so that the positions are the paper's.  theta = 1/2
 * is (4.1),
 * theta = 1 is (4.16); theta = 0 is the adjoint of (4.16), Tao & Owhadi's variational Euler.
 *
 * Forces f beside those of the Lagrangian enter by the discrete Lagrange-d'Alembert principle (Kane, Marsden, Ortiz &
 * West, Int. J. Numer. Meth. Eng. 49, 1295 (2000), section 3; Marsden & West (2001), section 3.2), with
 * F- = (1 - theta) h f and F+ = theta h f, f at ((1 - theta) x + theta y, (y - x)/h, t + theta h):  D1 Ld + F- takes
 * the place of D1 Ld, and D2 Ld + F+ that of D2 Ld.
 *
 * The unknown of Newton's method is w = (q_k+1 - q_k)/h and not q_k+1: momenta then lose no digits to cancellation
 * between positions. The matrix is h times (4.14) in that unknown. */
#include "integrators/discrete_lagrangian.h"
#include "integrators/implicit_step.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mech/legendre.h"
#include "numerics/newton.h"

struct discrete {
  struct rill_state *state;
  const struct rill_lagrangian *lagrangian; /* that is discretised: the system's, or its chart's embedding */
  const struct rill_chart *chart;           /* NULL: coordinates of the Lagrangian itself */
  const struct rill_forcing *forcing;       /* NULL: none */
  double *by_v;                             /* [N][N], of the forcing */
  double h, theta;
  struct rill_newton newton;
  struct rill_legendre legendre;        /* with constraints */
  double *middle, *velocity, *next;     /* [N] */
  struct rill_lagrangian_values values; /* [N], [N][N] */
  double *mixed;                        /* [N][N]: D12 Ld in the unknown w */
  double *jacobian;                     /* Dg(q_k), [m][N] */
  double *jacobian_next;                /* Dg(q_k+1) */
  double *embedded;                     /* psi(q_k), [N] */
  double *tangent, *tangent_next;       /* Dpsi at q_k and q_k+1: [N][n] */
};

static void discrete_destroy(void *self) {
  struct discrete *discrete = self;
  if (discrete == NULL) return;
  rill_newton_destroy(&discrete->newton);
  rill_legendre_destroy(&discrete->legendre);
  rill_release(discrete->middle);
  rill_release(discrete);
}

static enum rill_status discrete_create(struct rill_system *system, double h, double theta, bool generalised,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  struct discrete *discrete = rill_allocate(1, sizeof *discrete);
  const struct rill_lagrangian *lagrangian = system->lagrangian;
  size_t n = lagrangian->n, m = lagrangian->m, large;
  double *memory;
  enum rill_status status;
  if (discrete == NULL) goto memory;
  discrete->state = system->state;
  discrete->forcing = system->forcing;
  discrete->h = h;
  discrete->theta = theta;
  discrete->chart = generalised ? lagrangian->chart : NULL;
  discrete->lagrangian = generalised ? lagrangian->chart->embedding : lagrangian;
  large = discrete->lagrangian->n;
  status =
      rill_newton_create(n + m, n, options->tolerance, (unsigned)options->max_iterations, &discrete->newton, error);
  if (status == RILL_OK && m > 0) status = rill_legendre_create(lagrangian, &discrete->legendre, error);
  if (status != RILL_OK) {
    discrete_destroy(discrete);
    return status;
  }
  discrete->middle = memory =
      rill_allocate(6 * large + 5 * large * large + 2 * large * m + 2 * large * n, sizeof *memory);
  if (memory == NULL) goto memory;
  discrete->velocity = memory += large;
  discrete->next = memory += large;
  discrete->embedded = memory += large;
  discrete->values.dq = memory += large;
  discrete->values.dv = memory += large;
  discrete->values.dqq = memory += large;
  discrete->values.dqv = memory += large * large;
  discrete->values.dvv = memory += large * large;
  discrete->mixed = memory += large * large;
  discrete->by_v = memory += large * large;
  discrete->jacobian = memory += large * large;
  discrete->jacobian_next = memory += large * m;
  discrete->tangent = memory += large * m;
  discrete->tangent_next = memory + large * n;
  *self = discrete;
  return RILL_OK;
memory:
  discrete_destroy(discrete);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the discrete Euler-Lagrange equations");
}

/* D1 Ld + F- into values.dq, D2 Ld + F+ into values.dv, and, when requested, the derivative of the first by w into
 * mixed, at `middle` and `velocity`. */
static void differentiate(struct discrete *discrete, bool second) {
  const struct rill_lagrangian *lagrangian = discrete->lagrangian;
  struct rill_lagrangian_values *values = &discrete->values, first = {.dq = values->dq, .dv = values->dv};
  size_t n = lagrangian->n;
  double h = discrete->h, theta = discrete->theta;
  lagrangian->ops->evaluate(lagrangian->self, discrete->middle, discrete->velocity, second ? values : &first);
  if (discrete->forcing != NULL)
    rill_forcing_add(discrete->forcing, discrete->forcing->time + theta * h, discrete->velocity,
                     second ? values : &first, second ? discrete->by_v : NULL);
  for (size_t i = 0; i < n; i++) {
    double force = h * values->dq[i], momentum = values->dv[i];
    values->dq[i] = (1 - theta) * force - momentum;
    values->dv[i] = theta * force + momentum;
  }
  for (size_t i = 0; second && i < n; i++)
    for (size_t j = 0; j < n; j++)
      discrete->mixed[i * n + j] = h * (1 - theta) * (theta * h * values->dqq[i * n + j] + values->dqv[i * n + j]) -
                                   (theta * h * values->dqv[j * n + i] + values->dvv[i * n + j]);
  if (discrete->forcing == NULL) return;
  for (size_t k = 0; second && k < n * n; k++) discrete->mixed[k] += h * (1 - theta) * discrete->by_v[k];
}

static void set_points(struct discrete *discrete, const double *w) {
  const struct rill_state *state = discrete->state;
  for (size_t i = 0; i < state->n; i++) {
    discrete->velocity[i] = w[i];
    discrete->middle[i] = state->q[i] + discrete->theta * discrete->h * w[i];
    discrete->next[i] = state->q[i] + discrete->h * w[i];
  }
}

/* Equations (4.5) in (w, mu); the Jacobian is (4.14). */
static void equations(void *context, const double *x, double *residual, double *matrix) {
  struct discrete *discrete = context;
  const struct rill_lagrangian *lagrangian = discrete->lagrangian;
  const struct rill_state *state = discrete->state;
  size_t n = state->n, m = state->m, size = n + m;
  set_points(discrete, x);
  differentiate(discrete, true);
  for (size_t i = 0; i < n; i++) {
    residual[i] = state->p[i] + discrete->values.dq[i];
    for (size_t j = 0; j < n; j++) matrix[j * size + i] = discrete->mixed[i * n + j];
  }
  if (m == 0) return;
  lagrangian->ops->constraint(lagrangian->self, discrete->next, residual + n);
  lagrangian->ops->jacobian(lagrangian->self, discrete->next, discrete->jacobian_next);
  for (size_t c = 0; c < m; c++) {
    residual[n + c] /= discrete->h;
    for (size_t i = 0; i < n; i++) {
      residual[i] += discrete->jacobian[c * n + i] * x[n + c];
      matrix[(n + c) * size + i] = discrete->jacobian[c * n + i];
      matrix[i * size + n + c] = discrete->jacobian_next[c * n + i];
    }
  }
}

static void set_embedded_points(struct discrete *discrete, const double *w) {
  const struct rill_state *state = discrete->state;
  const struct rill_chart *chart = discrete->chart;
  double *q = discrete->middle; /* scratch until it is set below */
  for (size_t i = 0; i < state->n; i++) q[i] = state->q[i] + discrete->h * w[i];
  chart->ops->embed(chart->self, q, discrete->next);
  chart->ops->tangent(chart->self, q, discrete->tangent_next);
  for (size_t a = 0; a < discrete->lagrangian->n; a++) {
    discrete->velocity[a] = (discrete->next[a] - discrete->embedded[a]) / discrete->h;
    discrete->middle[a] = discrete->embedded[a] + discrete->theta * (discrete->next[a] - discrete->embedded[a]);
  }
}

/* (4.12): p_k + Dpsi(q_k)^T D1 Ld(psi(q_k), psi(q_k+1)) = 0. */
static void generalised_equations(void *context, const double *x, double *residual, double *matrix) {
  struct discrete *discrete = context;
  const struct rill_state *state = discrete->state;
  size_t n = state->n, large = discrete->lagrangian->n;
  set_embedded_points(discrete, x);
  differentiate(discrete, true);
  for (size_t i = 0; i < n; i++) {
    residual[i] = state->p[i];
    for (size_t a = 0; a < large; a++) {
      double left = discrete->tangent[a * n + i];
      residual[i] += left * discrete->values.dq[a];
      for (size_t b = 0; b < large; b++)
        for (size_t j = 0; j < n; j++)
          matrix[j * n + i] += left * discrete->mixed[a * large + b] * discrete->tangent_next[b * n + j];
    }
  }
}

static double largest(const double *x, size_t n) {
  double size = 0;
  for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

/* Newton starts from w = 0: the first iteration is then the Legendre transform, and a step a function of (q, p)
 * alone. */
static enum rill_status solve(struct discrete *discrete, rill_newton_function *function, double size,
                              struct rill_error *error) {
  struct rill_newton *newton = &discrete->newton;
  struct rill_state *state = discrete->state;
  enum rill_status status;
  memset(newton->x, 0, newton->n * sizeof *newton->x);
  newton->floor = 2 * DBL_EPSILON * size / fabs(discrete->h); /* g(q_k+1) = 0 holds to rounding of positions */
  status = rill_newton_solve(newton, function, discrete, error);
  state->iterations = newton->iterations;
  state->residual = newton->residual_size;
  return status;
}

static enum rill_status discrete_step(void *self, struct rill_error *error) {
  struct discrete *discrete = self;
  const struct rill_lagrangian *lagrangian = discrete->lagrangian;
  struct rill_state *state = discrete->state;
  size_t n = state->n, m = state->m;
  if (m > 0) lagrangian->ops->jacobian(lagrangian->self, state->q, discrete->jacobian);
  RILL_TRY(solve(discrete, equations, m > 0 ? largest(state->q, n) : 0, error));
  set_points(discrete, discrete->newton.x);
  differentiate(discrete, false);
  memcpy(state->q, discrete->next, n * sizeof *state->q);
  if (m == 0) {
    memcpy(state->p, discrete->values.dv, n * sizeof *state->p);
    return RILL_OK;
  }
  RILL_TRY(rill_legendre_transform(&discrete->legendre, state->q, discrete->values.dv, error));
  memcpy(state->p, discrete->legendre.momentum, n * sizeof *state->p);
  for (size_t c = 0; c < m; c++) /* the mean over the step of the impulses at its ends */
    state->multiplier[c] = (discrete->newton.x[n + c] + discrete->legendre.multiplier[c]) / discrete->h;
  return RILL_OK;
}

static enum rill_status generalised_step(void *self, struct rill_error *error) {
  struct discrete *discrete = self;
  const struct rill_chart *chart = discrete->chart;
  struct rill_state *state = discrete->state;
  size_t n = state->n;
  chart->ops->embed(chart->self, state->q, discrete->embedded);
  chart->ops->tangent(chart->self, state->q, discrete->tangent);
  RILL_TRY(solve(discrete, generalised_equations, largest(discrete->embedded, discrete->lagrangian->n), error));
  set_embedded_points(discrete, discrete->newton.x);
  differentiate(discrete, false);
  for (size_t i = 0; i < n; i++) {
    state->q[i] += discrete->h * discrete->newton.x[i];
    state->p[i] = 0;
    for (size_t a = 0; a < discrete->lagrangian->n; a++)
      state->p[i] += discrete->tangent_next[a * n + i] * discrete->values.dv[a];
  }
  return RILL_OK;
}

static enum rill_status midpoint_create(struct rill_system *system, double h,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  return discrete_create(system, h, 0.5, false, options, self, error);
}

static enum rill_status onepoint_create(struct rill_system *system, double h,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  return discrete_create(system, h, 1, false, options, self, error);
}

static enum rill_status euler_create(struct rill_system *system, double h, const struct rill_method_options *options,
                                     void **self, struct rill_error *error) {
  return discrete_create(system, h, 0, false, options, self, error);
}

static enum rill_status generalised_create(struct rill_system *system, double h,
                                           const struct rill_method_options *options, void **self,
                                           struct rill_error *error) {
  return discrete_create(system, h, 0.5, true, options, self, error);
}

static const struct rill_one_step midpoint = {midpoint_create, discrete_step, discrete_destroy};
static const struct rill_one_step onepoint = {onepoint_create, discrete_step, discrete_destroy};
static const struct rill_one_step euler = {euler_create, discrete_step, discrete_destroy};
static const struct rill_one_step generalised = {generalised_create, generalised_step, discrete_destroy};

const struct rill_method rill_method_dvp = {
    .name = "dvp",
    .alias = "dvp-midpoint",
    .summary = "discrete Euler-Lagrange equations of the midpoint discrete Lagrangian, with multipliers",
    .citation = "Wendlandt & Marsden, Physica D 106, 223 (1997), eqs (4.1), (4.5)",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_LAGRANGIAN,
    .one_step = &midpoint,
    .forced = true,
    .implicit = &rill_implicit_dvp,
    .implicit_needs = RILL_NEEDS_IMPLICIT,
    .reads = RILL_READS_SOLVER,
};

const struct rill_method rill_method_dvp_onepoint = {
    .name = "dvp-onepoint",
    .summary = "discrete Euler-Lagrange equations of the one-point discrete Lagrangian h L(q_k+1, (q_k+1 - q_k)/h)",
    .citation = "Wendlandt & Marsden, Physica D 106, 223 (1997), eq. (4.16)",
    .order = 1,
    .symplectic = true,
    .needs = RILL_NEEDS_LAGRANGIAN,
    .one_step = &onepoint,
    .forced = true,
    .reads = RILL_READS_SOLVER,
};

const struct rill_method rill_method_variational_euler = {
    .name = "variational-euler",
    .summary = "discrete Euler-Lagrange equations of h L(q_k, (q_k+1 - q_k)/h), the adjoint of dvp-onepoint",
    .citation =
        "Marsden & West, Acta Numerica 10, 357 (2001); Tao & Owhadi, IMA J. Numer. Anal. 36, 80 (2016), section 4.1",
    .order = 1,
    .symplectic = true,
    .needs = RILL_NEEDS_LAGRANGIAN,
    .one_step = &euler,
    .forced = true,
    .reads = RILL_READS_SOLVER,
};

const struct rill_method rill_method_dvp_generalised = {
    .name = "dvp-generalised",
    .summary =
        "dvp in generalised coordinates: the midpoint discrete Lagrangian of the embedding space seen through the "
        "chart",
    .citation = "Wendlandt & Marsden, Physica D 106, 223 (1997), eqs (4.11) to (4.13)",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_LAGRANGIAN | RILL_NEEDS_CHART,
    .one_step = &generalised,
    .reads = RILL_READS_SOLVER,
};

void rill_discrete_pair(const struct rill_lagrangian *lagrangian, double h, const double *x, const double *y,
                        double *p_x, double *p_y, double *energy, double *work) {
  size_t n = lagrangian->n;
  double *middle = work, *w = work + n;
  struct rill_lagrangian_values values = {.dq = work + 2 * n, .dv = work + 3 * n};
  double kinetic = 0;
  for (size_t i = 0; i < n; i++) {
    middle[i] = 0.5 * (x[i] + y[i]);
    w[i] = (y[i] - x[i]) / h;
  }
  lagrangian->ops->evaluate(lagrangian->self, middle, w, &values);
  for (size_t i = 0; i < n; i++) {
    if (p_x != NULL) p_x[i] = values.dv[i] - 0.5 * h * values.dq[i];
    if (p_y != NULL) p_y[i] = values.dv[i] + 0.5 * h * values.dq[i];
    kinetic += w[i] * values.dv[i];
  }
  if (energy != NULL) *energy = kinetic - values.value;
}
