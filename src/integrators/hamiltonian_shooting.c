/* Generating functions from solutions of Hamilton's equations: Leok & Shingel, section 3.2.
 *
 * A one-step method takes (q_0, P), P an initial momentum, from node to node of a quadrature, and then to (Q, p^n) at
 * the end of the step; with the nodes (q^i, p^i) and velocities v^i = H_p,
 *
 *   A(q_0, P) = h sum_i b_i (p^i.v^i - H(q^i, p^i)).
 *
 * Type I, hamiltonian-shooting: the discrete Lagrangian Ld(q_0, Q) = A,
 *
 *   p_1 = A_P Q_P^-1,   p_0 = p_1 Q_q - A_q,   q_1 = Q,
 *
 * where Q_P = h H_pp + ... must be regular.  With a Lagrangian it is the method `shooting`.
 *
 * Type II, discrete-hamiltonian: the discrete right Hamiltonian H+(q_0, p^n) = p^n.Q - A, with q_1 = D_2 H+ and
 * p_0 = D_1 H+.  With the derivatives of p^n, of which that by P is the identity to O(h),
 *
 *   e = (p^n.Q_P - A_P) (p^n_P)^-1,   q_1 = Q + e,   p_0 = p^n.Q_q - A_q - e.p^n_q,   p_1 = p^n.
 *
 * Both solve p_0(q_k, P) = p_k for P.  Along exact solutions p_0 is P itself, so that the Jacobian is the identity up
 * to O(h^order); Broyden's updates improve it. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/action.h"
#include "integrators/hamiltonian_curve.h"
#include "integrators/hamiltonian_methods.h"
#include "integrators/initial_momentum.h"

struct shooting {
  struct rill_state *state;
  double h;
  bool right; /* Type II */
  size_t n;
  struct rill_quadrature rule;
  struct rill_hamiltonian_curve curve;  /* tangents: d/dq_0, then d/dP */
  struct rill_initial_momentum initial; /* P */
  double *gradient;                     /* of A: [2n] */
  double *end;                          /* p_1, or the correction of q_1: [n] */
  double *matrix;                       /* [n][n], columns */
  int *pivots;
};

static int base_order(enum rill_shooting_base base) { return base == RILL_BASE_RK4 ? 4 : 2; }

/* Defaults where the options leave it open: the trapezoid or Simpson's rule. */
static struct rill_action_quadrature choose(const struct rill_method_options *options) {
  struct rill_action_quadrature quadrature = options->quadrature;
  const unsigned half = (unsigned)base_order(options->base) / 2;
  if (quadrature.rule == RILL_ACTION_AUTO) quadrature = (struct rill_action_quadrature){RILL_ACTION_LOBATTO, 0};
  if (quadrature.nodes == 0) quadrature.nodes = half + (quadrature.rule != RILL_ACTION_GAUSS);
  return quadrature;
}

static const char *refuse(const struct rill_system *system, const struct rill_method_options *options) {
  const struct rill_action_quadrature quadrature = choose(options);
  (void)system;
  if (options->base == RILL_BASE_PROLONGATION)
    return "the base prolongation is one of `shooting`, on separable systems; take rk4, explicit-midpoint or "
           "implicit-midpoint";
  if (quadrature.rule == RILL_ACTION_EULER_MACLAURIN)
    return "the tangents of the Euler-Maclaurin rule take third derivatives of the Hamiltonian; take "
           "trapezoid, simpson, gauss or lobatto";
  return rill_action_quadrature_refusal(&quadrature);
}

static void specialise_left(const struct rill_method_options *options, struct rill_method *method) {
  const struct rill_action_quadrature quadrature = choose(options);
  const int order = rill_action_quadrature_order(&quadrature), base = base_order(options->base);
  method->order = order < base ? order : base;
  method->symmetric = options->base == RILL_BASE_IMPLICIT_MIDPOINT;
}

/* The adjoint of the map of H+ is that of a left Hamiltonian, H-(p_0, q_1): no symmetry from the base. */
static void specialise_right(const struct rill_method_options *options, struct rill_method *method) {
  specialise_left(options, method);
  method->symmetric = false;
}

static void shooting_destroy(void *self) {
  struct shooting *shooting = self;
  if (shooting == NULL) return;
  rill_hamiltonian_curve_destroy(&shooting->curve);
  rill_initial_momentum_destroy(&shooting->initial);
  rill_release(shooting->gradient);
  rill_release(shooting->pivots);
  rill_release(shooting);
}

static enum rill_status create(struct rill_system *system, double h, const struct rill_method_options *options,
                               bool right, void **self, struct rill_error *error) {
  const struct rill_action_quadrature quadrature = choose(options);
  const size_t n = system->hamiltonian->n;
  struct shooting *shooting = rill_allocate(1, sizeof *shooting);
  enum rill_status status;
  if (shooting == NULL) goto memory;
  shooting->state = system->state;
  shooting->h = h;
  shooting->right = right;
  shooting->n = n;
  shooting->gradient = rill_allocate(3 * n + n * n, sizeof *shooting->gradient);
  shooting->pivots = rill_allocate(n, sizeof *shooting->pivots);
  if (shooting->gradient == NULL || shooting->pivots == NULL) goto memory;
  shooting->end = shooting->gradient + 2 * n;
  shooting->matrix = shooting->gradient + 3 * n;
  status = rill_action_rule_set(&quadrature, &shooting->rule, error);
  if (status == RILL_OK)
    status = rill_hamiltonian_curve_create(system->hamiltonian, options->base, 2 * n, options->tolerance,
                                           (unsigned)options->max_iterations, &shooting->curve, error);
  if (status == RILL_OK)
    status = rill_initial_momentum_create(n, options->tolerance, (unsigned)options->max_iterations,
                                          &shooting->initial, error);
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

static enum rill_status create_left(struct rill_system *system, double h, const struct rill_method_options *options,
                                    void **self, struct rill_error *error) {
  return create(system, h, options, false, self, error);
}

static enum rill_status create_right(struct rill_system *system, double h, const struct rill_method_options *options,
                                     void **self, struct rill_error *error) {
  return create(system, h, options, true, self, error);
}

/* Adds scale (p.v - H) in tangents at the present point: p.dv - H_q.dq. */
static void add_action(struct shooting *shooting, double scale) {
  const struct rill_hamiltonian_curve *curve = &shooting->curve;
  const size_t n = shooting->n;
  for (size_t a = 0; a < 2 * n; a++) {
    const double *dz = curve->dz + a * 2 * n, *df = curve->df + a * 2 * n;
    for (size_t i = 0; i < n; i++)
      shooting->gradient[a] += scale * (curve->z[n + i] * df[i] + curve->f[n + i] * dz[i]);
  }
}

/* Goes from (q_k, P) to the end of the step, which is left in the curve, with the gradient of A. */
static enum rill_status shoot(struct shooting *shooting, struct rill_error *error) {
  struct rill_hamiltonian_curve *curve = &shooting->curve;
  const struct rill_quadrature *rule = &shooting->rule;
  const size_t n = shooting->n;
  double done = 0;
  memcpy(curve->z, shooting->state->q, n * sizeof *curve->z);
  memcpy(curve->z + n, shooting->initial.momentum, n * sizeof *curve->z);
  memset(curve->dz, 0, 4 * n * n * sizeof *curve->dz);
  for (size_t a = 0; a < 2 * n; a++) curve->dz[a * 2 * n + a] = 1;
  memset(shooting->gradient, 0, 2 * n * sizeof *shooting->gradient);
  RILL_TRY(rill_hamiltonian_curve_slope(curve, error));
  for (unsigned i = 0; i <= rule->count; i++) {
    const double node = i < rule->count ? rule->node[i] : 1;
    if (node > done) {
      RILL_TRY(rill_hamiltonian_curve_step(curve, (node - done) * shooting->h, error));
      done = node;
      if (i < rule->count) RILL_TRY(rill_hamiltonian_curve_slope(curve, error));
    }
    if (i < rule->count) add_action(shooting, shooting->h * rule->weight[i]);
  }
  return RILL_OK;
}

/* end = b M^-1 for M_ij = d(component i)/dP_j, the upper or the lower half of the tangents. */
static enum rill_status divide(struct shooting *shooting, size_t half, struct rill_error *error) {
  const size_t n = shooting->n;
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++)
      shooting->matrix[i * n + j] = shooting->curve.dz[(n + j) * 2 * n + half + i]; /* transposed */
  return rill_dense_solve(n, shooting->matrix, shooting->pivots, shooting->end, error);
}

/* Type I: end = p_1. */
static enum rill_status find_left(struct shooting *shooting, double *size, struct rill_error *error) {
  const size_t n = shooting->n;
  memcpy(shooting->end, shooting->gradient + n, n * sizeof *shooting->end);
  RILL_TRY(divide(shooting, 0, error));
  for (size_t j = 0; j < n; j++) {
    const double *dz = shooting->curve.dz + j * 2 * n;
    double p0 = -shooting->gradient[j];
    *size = fmax(*size, fmax(fabs(p0), fabs(shooting->end[j])));
    for (size_t i = 0; i < n; i++) p0 += shooting->end[i] * dz[i];
    shooting->initial.residual[j] = shooting->state->p[j] - p0;
  }
  return RILL_OK;
}

/* Type II: end = e, the correction of q_1. */
static enum rill_status find_right(struct shooting *shooting, double *size, struct rill_error *error) {
  const size_t n = shooting->n;
  const double *p = shooting->curve.z + n;
  for (size_t j = 0; j < n; j++) {
    const double *dz = shooting->curve.dz + (n + j) * 2 * n;
    shooting->end[j] = -shooting->gradient[n + j];
    for (size_t i = 0; i < n; i++) shooting->end[j] += p[i] * dz[i];
  }
  RILL_TRY(divide(shooting, n, error));
  for (size_t j = 0; j < n; j++) {
    const double *dz = shooting->curve.dz + j * 2 * n;
    double p0 = -shooting->gradient[j];
    *size = fmax(*size, fmax(fabs(p0), fabs(p[j])));
    for (size_t i = 0; i < n; i++) p0 += p[i] * dz[i] - shooting->end[i] * dz[n + i];
    shooting->initial.residual[j] = shooting->state->p[j] - p0;
  }
  return RILL_OK;
}

static enum rill_status aim(void *self, double *size, struct rill_error *error) {
  struct shooting *shooting = self;
  *size = 0;
  for (size_t i = 0; i < shooting->n; i++) *size = fmax(*size, fabs(shooting->state->p[i]));
  RILL_TRY(shoot(shooting, error));
  RILL_TRY(shooting->right ? find_right(shooting, size, error) : find_left(shooting, size, error));
  for (size_t i = 0; i < 2 * shooting->n; i++)
    if (!isfinite(shooting->curve.z[i])) *size = NAN;
  return RILL_OK;
}

static enum rill_status shooting_step(void *self, struct rill_error *error) {
  struct shooting *shooting = self;
  struct rill_state *state = shooting->state;
  const double *z = shooting->curve.z;
  RILL_TRY(rill_initial_momentum_find(&shooting->initial, state, aim, shooting, error));
  for (size_t i = 0; i < shooting->n; i++) {
    state->q[i] = z[i] + (shooting->right ? shooting->end[i] : 0);
    state->p[i] = shooting->right ? z[shooting->n + i] : shooting->end[i];
  }
  return RILL_OK;
}

static const struct rill_one_step left = {create_left, shooting_step, shooting_destroy},
                                  right = {create_right, shooting_step, shooting_destroy};

const struct rill_method rill_method_hamiltonian_shooting = {
    .name = "hamiltonian-shooting",
    .summary = "`shooting` on the Hamiltonian's side: the action along steps for Hamilton's equations (Type I)",
    .citation = "Leok & Shingel, section 3.2, Hamiltonian approach",
    .order = 4,
    .symplectic = true,
    .needs = RILL_NEEDS_HAMILTONIAN | RILL_NEEDS_REGULAR,
    .one_step = &left,
    .reads = RILL_READS_BASE | RILL_READS_QUADRATURE | RILL_READS_SOLVER,
    .refuse = refuse,
    .specialise = specialise_left,
};

const struct rill_method rill_method_discrete_hamiltonian = {
    .name = "discrete-hamiltonian",
    .summary = "the discrete right Hamiltonian H+(q_0, p_1) along steps for Hamilton's equations (Type II)",
    .citation = "Leok & Shingel, section 3.2, Type II; Lall & West, J. Phys. A 39, 5509 (2006)",
    .order = 4,
    .symplectic = true,
    .needs = RILL_NEEDS_HAMILTONIAN,
    .one_step = &right,
    .reads = RILL_READS_BASE | RILL_READS_QUADRATURE | RILL_READS_SOLVER,
    .refuse = refuse,
    .specialise = specialise_right,
};
