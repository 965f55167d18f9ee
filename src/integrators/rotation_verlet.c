#include "integrators/rotation_verlet.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numerics/mat3.h"
#include "numerics/newton.h"
#include "numerics/so3.h"

/* --- the equations for a step's rotation --- */

/* residual = G(f) and its derivative with respect to f, which may be NULL.  sin |f| / |f| = 1 - s b and (1 - cos
 * |f|) / |f|^2 = a with the coefficients of dexp, s = |f|^2. */
static void map_and_derivative(const double inertia[9], const double f[3], double residual[3],
                               double derivative[3][3]) {
  double a[3], b[3], s = rill_dot3(f, f), momentum[3], cross[3], hat[9], product[9], other[9];
  rill_so3_dexp_coefficients(s, a, b);
  rill_mat3_apply(inertia, f, momentum);
  rill_cross3(f, momentum, cross);
  for (int i = 0; i < 3; i++) residual[i] = (1 - s * b[0]) * momentum[i] + a[0] * cross[i];
  if (derivative == NULL) return;
  rill_so3_hat(f, hat);
  rill_mat3_product(hat, inertia, product);
  rill_so3_hat(momentum, other);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      derivative[i][j] = (1 - s * b[0]) * inertia[3 * i + j] + a[0] * (product[3 * i + j] - other[3 * i + j]) -
                         2 * (b[0] + s * b[1]) * momentum[i] * f[j] + 2 * a[1] * cross[i] * f[j];
}

void rill_lgvi_map(const double inertia[9], const double f[3], double g[3]) {
  map_and_derivative(inertia, f, g, NULL);
}

static void exponential_equation(const double inertia[9], const double g[3], const double f[3], double residual[3],
                                 double derivative[3][3]) {
  map_and_derivative(inertia, f, residual, derivative);
  for (int i = 0; i < 3; i++) residual[i] -= g[i];
}

/* The negative of G_c of (9): 2 J f - g - g x f - (g.f) f. */
static void cayley_equation(const double inertia[9], const double g[3], const double f[3], double residual[3],
                            double derivative[3][3]) {
  double momentum[3], cross[3], hat[9], along = rill_dot3(g, f);
  rill_mat3_apply(inertia, f, momentum);
  rill_cross3(g, f, cross);
  rill_so3_hat(g, hat);
  for (int i = 0; i < 3; i++) {
    residual[i] = 2 * momentum[i] - g[i] - cross[i] - along * f[i];
    for (int j = 0; j < 3; j++)
      derivative[i][j] = 2 * inertia[3 * i + j] - hat[3 * i + j] - (i == j ? along : 0) - f[i] * g[j];
  }
}

/* 2 (s J u + u x J u) - g, s = (1 - |u|^2)^(1/2): the momenta of 2 u.J u / h at the start of the step. */
static void quaternion_equation(const double inertia[9], const double g[3], const double u[3], double residual[3],
                                double derivative[3][3]) {
  double momentum[3], cross[3], hat[9], product[9], other[9], s = sqrt(1 - rill_dot3(u, u));
  rill_mat3_apply(inertia, u, momentum);
  rill_cross3(u, momentum, cross);
  rill_so3_hat(u, hat);
  rill_mat3_product(hat, inertia, product);
  rill_so3_hat(momentum, other);
  for (int i = 0; i < 3; i++) {
    residual[i] = 2 * (s * momentum[i] + cross[i]) - g[i];
    for (int j = 0; j < 3; j++)
      derivative[i][j] =
          2 * (s * inertia[3 * i + j] - momentum[i] * u[j] / s + product[3 * i + j] - other[3 * i + j]);
  }
}

typedef void rotation_equation(const double inertia[9], const double g[3], const double f[3], double residual[3],
                               double derivative[3][3]);

static double size3(const double x[3]) { return sqrt(rill_dot3(x, x)); }

enum { NEWTON_MOST = 30 };

/* Newton's method from scale J^-1 g.  It ends when the residual is at rounding level relative to g, or close to it
 * and no longer decreasing: with an absolute bound the error would accumulate over small steps. */
static enum rill_status solve(rotation_equation *equation, double scale, const double inertia[9], const double g[3],
                              double f[3], unsigned *iterations, struct rill_error *error) {
  const double rounding = DBL_EPSILON * size3(g);
  double matrix[3][3], inverse[3][3], residual[3], before = INFINITY;
  memcpy(matrix, inertia, sizeof matrix);
  if (rill_mat3_inverse((const double(*)[3])matrix, inverse))
    for (int i = 0; i < 3; i++) f[i] = scale * rill_dot3(inverse[i], g);
  for (*iterations = 0; *iterations < NEWTON_MOST; ++*iterations) {
    double size;
    equation(inertia, g, f, residual, matrix);
    size = size3(residual);
    if (size <= 4 * rounding || (size <= 1e3 * rounding && size >= 0.5 * before)) return RILL_OK;
    if (!isfinite(size) || !rill_mat3_inverse((const double(*)[3])matrix, inverse)) break;
    for (int i = 0; i < 3; i++) f[i] -= rill_dot3(inverse[i], residual);
    before = size;
  }
  return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                        "no rotation was found for the angular momentum times step of (%.6g, %.6g, %.6g) in %u "
                        "iterations; take a smaller step",
                        g[0], g[1], g[2], *iterations);
}

enum rill_status rill_lgvi_solve_exponential(const double inertia[9], const double g[3], double f[3],
                                             unsigned *iterations, struct rill_error *error) {
  return solve(exponential_equation, 1, inertia, g, f, iterations, error);
}

enum rill_status rill_lgvi_solve_cayley(const double inertia[9], const double g[3], double f[3], unsigned *iterations,
                                        struct rill_error *error) {
  return solve(cayley_equation, 0.5, inertia, g, f, iterations, error);
}

enum rill_status rill_lgvi_solve_quaternion(const double inertia[9], const double g[3], double u[3],
                                            unsigned *iterations, struct rill_error *error) {
  return solve(quaternion_equation, 0.5, inertia, g, u, iterations, error);
}

/* The factor of (J w)_perp over s = |w|^2. */
static double perpendicular_factor(enum rill_lie_poisson_form form, double s) {
  double derivative, corrected = rill_so3_exp_coefficient(s, &derivative), x = 0.5 * sqrt(s);
  if (form == RILL_LIE_POISSON) return corrected;
  /* -(2 - x cot x - x / sin x) / 2 */
  return s < RILL_SO3_SMALL ? -(1.0 / 48 + s / 11520) : -0.5 * (corrected + (1 - x / sin(x)) / s);
}

enum rill_status rill_lie_poisson_solve(const double inertia[9], const double inverse[9],
                                        enum rill_lie_poisson_form form, const double g[3], double tolerance,
                                        unsigned max_iterations, double w[3], unsigned *iterations,
                                        struct rill_error *error) {
  double before = INFINITY, change = 0;
  rill_mat3_apply(inverse, g, w);
  for (*iterations = 1; *iterations <= max_iterations; ++*iterations) {
    double s = rill_dot3(w, w), factor = perpendicular_factor(form, s), momentum[3], cross[3], next[3];
    rill_mat3_apply(inertia, w, momentum);
    rill_cross3(w, momentum, cross);
    double along = rill_dot3(w, momentum);
    for (int i = 0; i < 3; i++) momentum[i] = g[i] - 0.5 * cross[i] + factor * (s * momentum[i] - along * w[i]);
    rill_mat3_apply(inverse, momentum, next);
    for (int i = 0; i < 3; i++) cross[i] = next[i] - w[i];
    memcpy(w, next, sizeof next);
    change = size3(cross);
    if (!isfinite(change)) break;
    if (rill_newton_done(change, before, fmax(tolerance, DBL_EPSILON) * size3(w), 0)) return RILL_OK;
    before = change;
  }
  if (*iterations > max_iterations) *iterations = max_iterations;
  return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                        "the fixed point of the Lie-Poisson step did not converge in %u iterations: last change %.3g "
                        "of an angle %.3g; take a smaller step",
                        *iterations, change, size3(w));
}

/* --- steps --- */

enum free_step { FREE_CAYLEY, FREE_EXPONENTIAL, FREE_QUATERNION, FREE_LIE_POISSON, FREE_PRINTED };

struct rotation {
  struct rill_state *state;
  const struct rill_group *group;
  enum free_step free_step;
  bool compensated;
  double h, tolerance;
  unsigned max_iterations;
  double inertia[9], inverse[9];
};

static enum rill_status create(struct rill_system *system, double h, const struct rill_method_options *options,
                               enum free_step free_step, void **self, struct rill_error *error) {
  const struct rill_group *group = system->group;
  struct rotation *rotation = rill_allocate(1, sizeof *rotation);
  if (rotation == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a step on SO(3)");
  *rotation =
      (struct rotation){.state = system->state,
                        .group = group,
                        .free_step = free_step,
                        .h = h,
                        .tolerance = 0.01 * options->tolerance, /* a fixed point leaves as much as it last changed */
                        .max_iterations = (unsigned)options->max_iterations};
  for (int k = 0; k < 3; k++) { /* symmetric: rows equal columns */
    const double unit[3] = {k == 0, k == 1, k == 2};
    group->ops->inertia(group->self, unit, rotation->inertia + 3 * k);
    group->ops->inertia_inverse(group->self, unit, rotation->inverse + 3 * k);
  }
  *self = rotation;
  return RILL_OK;
}

static enum rill_status lgvi_create(struct rill_system *system, double h, const struct rill_method_options *options,
                                    void **self, struct rill_error *error) {
  static const enum free_step steps[] = {[RILL_ROTATION_CAYLEY] = FREE_CAYLEY,
                                         [RILL_ROTATION_EXPONENTIAL] = FREE_EXPONENTIAL,
                                         [RILL_ROTATION_QUATERNION] = FREE_QUATERNION};
  RILL_TRY(create(system, h, options, steps[options->rotation], self, error));
  ((struct rotation *)*self)->compensated = options->compensated;
  return RILL_OK;
}

static const char *lgvi_refuse(const struct rill_system *system, const struct rill_method_options *options) {
  return options->compensated && system->state->compensation == NULL
             ? "the system's state has no room for what compensated summation owes"
             : NULL;
}

static enum rill_status lie_poisson_create(struct rill_system *system, double h,
                                           const struct rill_method_options *options, void **self,
                                           struct rill_error *error) {
  return create(system, h, options, FREE_LIE_POISSON, self, error);
}

static enum rill_status kick(struct rotation *rotation, double h, struct rill_error *error) {
  double torque[3];
  rotation->group->ops->force(rotation->group->self, rotation->state->q, torque);
  for (int i = 0; i < 3; i++) {
    if (!isfinite(torque[i]))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE, "a force is not finite; take a smaller step");
    rotation->state->p[i] += h * torque[i];
  }
  return RILL_OK;
}

static enum rill_status lie_poisson_create_printed(struct rill_system *system, double h,
                                                   const struct rill_method_options *options, void **self,
                                                   struct rill_error *error) {
  return create(system, h, options, FREE_PRINTED, self, error);
}

/* The free body's step: increment = F - 1, and a vector x along its axis. */
static enum rill_status turn(struct rotation *rotation, double x[3], double increment[9], struct rill_error *error) {
  double g[3], s, a, b;
  unsigned *iterations = &rotation->state->iterations;
  for (int i = 0; i < 3; i++) g[i] = rotation->h * rotation->state->p[i];
  if (rotation->free_step == FREE_CAYLEY) {
    RILL_TRY(rill_lgvi_solve_cayley(rotation->inertia, g, x, iterations, error));
    a = b = 2 / (1 + rill_dot3(x, x));
  } else if (rotation->free_step == FREE_QUATERNION) {
    RILL_TRY(rill_lgvi_solve_quaternion(rotation->inertia, g, x, iterations, error));
    a = 2 * sqrt(1 - rill_dot3(x, x)), b = 2;
  } else {
    if (rotation->free_step == FREE_EXPONENTIAL)
      RILL_TRY(rill_lgvi_solve_exponential(rotation->inertia, g, x, iterations, error));
    else
      RILL_TRY(
          rill_lie_poisson_solve(rotation->inertia, rotation->inverse,
                                 rotation->free_step == FREE_PRINTED ? RILL_LIE_POISSON_PRINTED : RILL_LIE_POISSON, g,
                                 rotation->tolerance, rotation->max_iterations, x, iterations, error));
    s = rill_dot3(x, x);
    rill_so3_exp_coefficients(s, &a, &b);
  }
  rill_so3_increment(x, a, b, increment);
  return RILL_OK;
}

/* R F, or R + R (F - 1) with Kahan's compensated summation. */
static void move(struct rotation *rotation, const double increment[9], const double f[9]) {
  double *q = rotation->state->q, *compensation = rotation->state->compensation, product[9];
  if (!rotation->compensated) {
    rill_mat3_product(q, f, product);
    memcpy(q, product, sizeof product);
    return;
  }
  rill_mat3_product(q, increment, product);
  for (int i = 0; i < 9; i++) {
    double term = product[i] - compensation[i], sum = q[i] + term;
    compensation[i] = (sum - q[i]) - term;
    q[i] = sum;
  }
}

/* F^T Pi; for the printed equation (47) Pi - w x J w / h, which is not a rotation of Pi. */
static void turn_momentum(struct rotation *rotation, const double w[3], const double f[9]) {
  double *p = rotation->state->p, momentum[3], cross[3];
  rill_mat3_transposed_apply(f, p, momentum);
  if (rotation->free_step == FREE_PRINTED) {
    rill_mat3_apply(rotation->inertia, w, momentum);
    rill_cross3(w, momentum, cross);
    for (int i = 0; i < 3; i++) momentum[i] = p[i] - cross[i] / rotation->h;
  }
  memcpy(p, momentum, sizeof momentum);
}

static enum rill_status kick_drift_kick(void *self, struct rill_error *error) {
  struct rotation *rotation = self;
  double x[3], increment[9], f[9];
  RILL_TRY(kick(rotation, 0.5 * rotation->h, error));
  RILL_TRY(turn(rotation, x, increment, error));
  for (int i = 0; i < 9; i++) f[i] = increment[i] + (i % 4 == 0);
  move(rotation, increment, f);
  turn_momentum(rotation, x, f);
  return kick(rotation, 0.5 * rotation->h, error);
}

static const struct rill_one_step lgvi = {lgvi_create, kick_drift_kick, rill_release};
static const struct rill_one_step lie_poisson = {lie_poisson_create, kick_drift_kick, rill_release};
static const struct rill_one_step lie_poisson_printed = {lie_poisson_create_printed, kick_drift_kick, rill_release};

const struct rill_method rill_method_lgvi = {
    .name = "lgvi",
    .summary =
        "Lie group velocity Verlet on SO(3): half a kick, a free step that keeps momentum and energy, half a kick",
    .citation = "Leok & Shingel, section 2.3, eqs (5)-(9); Lee, Leok & McClamroch, CMAME 196, 2907 (2007)",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_GROUP | RILL_NEEDS_ROTATIONS,
    .one_step = &lgvi,
    .reads = RILL_READS_ROTATION,
    .refuse = lgvi_refuse,
};

const struct rill_method rill_method_lie_poisson = {
    .name = "lie-poisson",
    .summary = "Leimkuhler & Patrick's integrator on so(3)*, with the attitude and half kicks of a torque around it",
    .citation =
        "Leimkuhler & Patrick, J. Nonlinear Sci. 6, 367 (1996), eqs (46), (47); the printed (45) is corrected",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_GROUP | RILL_NEEDS_ROTATIONS,
    .one_step = &lie_poisson,
    .reads = RILL_READS_SOLVER,
};

const struct rill_method rill_method_lie_poisson_printed = {
    .name = "lie-poisson-printed",
    .summary = "lie-poisson with the factor of (J w)_perp that (45) prints: not Poisson",
    .citation = "Leimkuhler & Patrick, J. Nonlinear Sci. 6, 367 (1996), eqs (45)-(47)",
    .order = 2,
    .symmetric = true,
    .needs = RILL_NEEDS_GROUP | RILL_NEEDS_ROTATIONS,
    .one_step = &lie_poisson_printed,
    .reads = RILL_READS_SOLVER,
};
