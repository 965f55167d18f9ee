#include "integrators/hamiltonian_curve.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* An explicit Runge-Kutta method in which each stage uses only the slope of the previous one. */
struct tableau {
  unsigned stages;
  double reach[4], weight[4];
};

static const struct tableau explicit_midpoint = {2, {0, 0.5}, {0, 1}};
static const struct tableau rk4 = {4, {0, 0.5, 0.5, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

enum rill_status rill_hamiltonian_curve_create(const struct rill_hamiltonian *hamiltonian,
                                               enum rill_shooting_base base, size_t tangents, double tolerance,
                                               unsigned max_iterations, struct rill_hamiltonian_curve *curve,
                                               struct rill_error *error) {
  const size_t n = hamiltonian->n, size = 2 * n, many = tangents * size;
  double *m;
  enum rill_status status = RILL_OK;
  *curve = (struct rill_hamiltonian_curve){.hamiltonian = hamiltonian, .base = base, .n = n, .tangents = tangents};
  curve->memory = m = rill_allocate(4 * (size + many) + 2 * n + 3 * n * n + size * size, sizeof *m);
  curve->pivots = rill_allocate(size, sizeof *curve->pivots);
  if (m == NULL || curve->pivots == NULL)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a solution of Hamilton's equations");
  if (status == RILL_OK && base == RILL_BASE_IMPLICIT_MIDPOINT)
    status = rill_newton_create(size, size, tolerance, max_iterations, &curve->newton, error);
  if (status != RILL_OK) {
    rill_hamiltonian_curve_destroy(curve);
    return status;
  }
  double **const points[] = {&curve->z, &curve->f, &curve->stage, &curve->next},
                 **const changes[] = {&curve->dz, &curve->df, &curve->dstage, &curve->dnext};
  for (int i = 0; i < 4; i++) {
    *points[i] = m, m += size;
    *changes[i] = m, m += many;
  }
  curve->matrix = m, m += size * size;
  curve->values = (struct rill_hamiltonian_values){
      .dq = m, .dp = m + n, .dqq = m + 2 * n, .dqp = m + 2 * n + n * n, .dpp = m + 2 * n + 2 * n * n};
  return RILL_OK;
}

void rill_hamiltonian_curve_destroy(struct rill_hamiltonian_curve *curve) {
  rill_newton_destroy(&curve->newton);
  rill_release(curve->memory);
  rill_release(curve->pivots);
  *curve = (struct rill_hamiltonian_curve){0};
}

/* f'(z) t for one tangent, at the point of the values. */
static void push(const struct rill_hamiltonian_curve *curve, const double *t, double *out) {
  const struct rill_hamiltonian_values *of = &curve->values;
  const size_t n = curve->n;
  for (size_t i = 0; i < n; i++) {
    out[i] = out[n + i] = 0;
    for (size_t j = 0; j < n; j++) {
      out[i] += of->dqp[j * n + i] * t[j] + of->dpp[i * n + j] * t[n + j];
      out[n + i] -= of->dqq[i * n + j] * t[j] + of->dqp[i * n + j] * t[n + j];
    }
  }
}

static enum rill_status slope_at(struct rill_hamiltonian_curve *curve, const double *z, const double *dz,
                                 struct rill_error *error) {
  const struct rill_hamiltonian *hamiltonian = curve->hamiltonian;
  const size_t n = curve->n;
  RILL_TRY(hamiltonian->evaluate(hamiltonian->self, z, z + n, &curve->values, error));
  for (size_t i = 0; i < n; i++) {
    curve->f[i] = curve->values.dp[i];
    curve->f[n + i] = -curve->values.dq[i];
  }
  for (size_t a = 0; a < curve->tangents; a++) push(curve, dz + a * 2 * n, curve->df + a * 2 * n);
  return RILL_OK;
}

enum rill_status rill_hamiltonian_curve_slope(struct rill_hamiltonian_curve *curve, struct rill_error *error) {
  return slope_at(curve, curve->z, curve->dz, error);
}

/* to = from + span slope, with tangents; both may be the same. */
static void move(const struct rill_hamiltonian_curve *curve, const double *from, const double *dfrom, double span,
                 double *to, double *dto) {
  const size_t size = 2 * curve->n;
  for (size_t i = 0; i < size; i++) to[i] = from[i] + span * curve->f[i];
  for (size_t i = 0; i < curve->tangents * size; i++) dto[i] = dfrom[i] + span * curve->df[i];
}

static enum rill_status step_explicitly(struct rill_hamiltonian_curve *curve, double span, struct rill_error *error) {
  const struct tableau *tableau = curve->base == RILL_BASE_RK4 ? &rk4 : &explicit_midpoint;
  const size_t size = 2 * curve->n;
  move(curve, curve->z, curve->dz, tableau->weight[0] * span, curve->next, curve->dnext);
  for (unsigned k = 1; k < tableau->stages; k++) {
    move(curve, curve->z, curve->dz, tableau->reach[k] * span, curve->stage, curve->dstage);
    RILL_TRY(slope_at(curve, curve->stage, curve->dstage, error));
    move(curve, curve->next, curve->dnext, tableau->weight[k] * span, curve->next, curve->dnext);
  }
  memcpy(curve->z, curve->next, size * sizeof *curve->z);
  memcpy(curve->dz, curve->dnext, curve->tangents * size * sizeof *curve->dz);
  return RILL_OK;
}

/* 1 - (span/2) f'(m), by columns. */
static void fill_matrix(const struct rill_hamiltonian_curve *curve, double *matrix) {
  const struct rill_hamiltonian_values *of = &curve->values;
  const size_t n = curve->n, size = 2 * n;
  const double half = 0.5 * curve->span;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      matrix[j * size + i] = (i == j) - half * of->dqp[j * n + i];
      matrix[(n + j) * size + i] = -half * of->dpp[i * n + j];
      matrix[j * size + n + i] = half * of->dqq[i * n + j];
      matrix[(n + j) * size + n + i] = (i == j) + half * of->dqp[i * n + j];
    }
}

/* m - z - (span/2) f(m) = 0. */
static void midpoint_equations(void *context, const double *m, double *residual, double *matrix) {
  struct rill_hamiltonian_curve *curve = context;
  const struct rill_hamiltonian *hamiltonian = curve->hamiltonian;
  const size_t n = curve->n;
  const double half = 0.5 * curve->span;
  if (curve->status == RILL_OK)
    curve->status = hamiltonian->evaluate(hamiltonian->self, m, m + n, &curve->values, curve->error);
  for (size_t i = 0; i < n; i++) {
    residual[i] = curve->status == RILL_OK ? m[i] - curve->z[i] - half * curve->values.dp[i] : NAN;
    residual[n + i] = m[n + i] - curve->z[n + i] + half * curve->values.dq[i];
  }
  fill_matrix(curve, matrix);
}

static enum rill_status step_to_midpoint(struct rill_hamiltonian_curve *curve, double span,
                                         struct rill_error *error) {
  const size_t size = 2 * curve->n;
  enum rill_status status;
  curve->span = span;
  curve->status = RILL_OK;
  curve->error = error;
  for (size_t i = 0; i < size; i++) curve->newton.x[i] = curve->z[i] + 0.5 * span * curve->f[i];
  status = rill_newton_solve(&curve->newton, midpoint_equations, curve, error);
  if (curve->status != RILL_OK) return curve->status;
  RILL_TRY(status);
  memcpy(curve->stage, curve->newton.x, size * sizeof *curve->stage);
  memcpy(curve->dstage, curve->dz, curve->tangents * size * sizeof *curve->dstage);
  if (curve->tangents > 0) {
    RILL_TRY(slope_at(curve, curve->stage, curve->dz, error));
    fill_matrix(curve, curve->matrix);
    RILL_TRY(rill_dense_factor(size, curve->matrix, curve->pivots, error));
    rill_dense_solve_factored(size, curve->matrix, curve->pivots, curve->tangents, curve->dstage);
  }
  RILL_TRY(slope_at(curve, curve->stage, curve->dstage, error));
  move(curve, curve->z, curve->dz, span, curve->z, curve->dz);
  return RILL_OK;
}

enum rill_status rill_hamiltonian_curve_step(struct rill_hamiltonian_curve *curve, double span,
                                             struct rill_error *error) {
  return curve->base == RILL_BASE_IMPLICIT_MIDPOINT ? step_to_midpoint(curve, span, error)
                                                    : step_explicitly(curve, span, error);
}
