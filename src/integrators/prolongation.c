#include "integrators/prolongation.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum rill_status rill_prolongation_create(const struct rill_system *system, double tolerance, unsigned max_iterations,
                                          struct rill_prolongation *of, struct rill_error *error) {
  const size_t n = system->mechanical->n, size = 2 * n;
  enum rill_status status;
  *of = (struct rill_prolongation){.lagrangian = system->lagrangian, .mechanical = system->mechanical, .n = n};
  double *m = of->memory = rill_allocate(7 * n + 2 * n * n + 2 * size * size, sizeof *m);
  of->pivots = rill_allocate(size, sizeof *of->pivots);
  status = m != NULL && of->pivots != NULL
               ? rill_newton_create(size, size, tolerance, max_iterations, &of->newton, error)
               : rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the base prolongation");
  if (status != RILL_OK) {
    rill_prolongation_destroy(of);
    return status;
  }
  of->from = m, m += size;
  of->a = m, m += n;
  of->j = m, m += n;
  of->probe = m, m += n;
  of->above = m, m += n;
  of->below = m, m += n;
  of->by_q = m, m += n * n;
  of->jerk = m, m += n * n;
  of->matrix = m, m += size * size;
  of->tangents = m;
  return RILL_OK;
}

void rill_prolongation_destroy(struct rill_prolongation *of) {
  rill_newton_destroy(&of->newton);
  rill_release(of->memory);
  rill_release(of->pivots);
  *of = (struct rill_prolongation){0};
}

/* a, j, a'(q) and j_q at (q, v).  The third derivatives with v and a unit vector are half of the difference of those
 * with (v + s e) twice and (v - s e) twice, over 2 s: exact, as they are quadratic. */
static void evaluate(struct rill_prolongation *of, const double *q, const double *v) {
  const double *mass = of->mechanical->mass;
  const size_t n = of->n;
  struct rill_lagrangian_values values = {.dq = of->a, .dqq = of->by_q};
  double s = 0;
  of->lagrangian->ops->evaluate(of->lagrangian->self, q, v, &values);
  for (size_t i = 0; i < n; i++) {
    s = fmax(s, fabs(v[i]));
    of->a[i] /= mass[i];
    of->j[i] = 0;
    for (size_t k = 0; k < n; k++) {
      of->by_q[i * n + k] /= mass[i];
      of->j[i] += of->by_q[i * n + k] * v[k];
    }
  }
  if (!(s > 0)) s = 1;
  for (size_t k = 0; k < n; k++) {
    memcpy(of->probe, v, n * sizeof *v);
    of->probe[k] = v[k] + s;
    of->mechanical->ops->third(of->mechanical->self, q, of->probe, of->above);
    of->probe[k] = v[k] - s;
    of->mechanical->ops->third(of->mechanical->self, q, of->probe, of->below);
    for (size_t i = 0; i < n; i++) of->jerk[i * n + k] = -(of->above[i] - of->below[i]) / (4 * s * mass[i]);
  }
}

/* Of q_1 and v_1 less their terms in a_1 and j_1, by columns. */
static void fill_matrix(const struct rill_prolongation *of, double *matrix) {
  const size_t n = of->n, size = 2 * n;
  const double h = of->h;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      const double a = of->by_q[i * n + k], j = of->jerk[i * n + k];
      matrix[k * size + i] = (i == k) - h * h * 3 / 20 * a + h * h * h / 30 * j;
      matrix[(n + k) * size + i] = h * h * h / 30 * a;
      matrix[k * size + n + i] = -h / 2 * a + h * h / 12 * j;
      matrix[(n + k) * size + n + i] = (i == k) + h * h / 12 * a;
    }
}

static void equations(void *context, const double *x, double *residual, double *matrix) {
  struct rill_prolongation *of = context;
  const size_t n = of->n;
  const double h = of->h;
  evaluate(of, x, x + n);
  for (size_t i = 0; i < n; i++) {
    residual[i] = x[i] - of->from[i] - h * h * 3 / 20 * of->a[i] + h * h * h / 30 * of->j[i];
    residual[n + i] = x[n + i] - of->from[n + i] - h / 2 * of->a[i] + h * h / 12 * of->j[i];
  }
  fill_matrix(of, matrix);
}

enum rill_status rill_prolongation_step(struct rill_prolongation *of, double h, double *q, double *p, double *dq,
                                        double *dp, struct rill_error *error) {
  const double *mass = of->mechanical->mass;
  const size_t n = of->n, size = 2 * n;
  double *x = of->newton.x, *v = x + n;
  of->h = h;
  for (size_t i = 0; i < n; i++) v[i] = p[i] / mass[i];
  evaluate(of, q, v);
  for (size_t i = 0; i < n; i++) {
    of->from[i] = q[i] + h * v[i] + h * h * 7 / 20 * of->a[i] + h * h * h / 20 * of->j[i];
    of->from[n + i] = v[i] + h / 2 * of->a[i] + h * h / 12 * of->j[i];
  }
  for (size_t t = 0; t < size; t++)
    for (size_t i = 0; i < n; i++) {
      double da = 0, dj = 0;
      for (size_t k = 0; k < n; k++) {
        da += of->by_q[i * n + k] * dq[t * n + k];
        dj += of->jerk[i * n + k] * dq[t * n + k] + of->by_q[i * n + k] * dp[t * n + k] / mass[k];
      }
      of->tangents[t * size + i] =
          dq[t * n + i] + h * dp[t * n + i] / mass[i] + h * h * 7 / 20 * da + h * h * h / 20 * dj;
      of->tangents[t * size + n + i] = dp[t * n + i] / mass[i] + h / 2 * da + h * h / 12 * dj;
    }
  for (size_t i = 0; i < n; i++) {
    x[i] = q[i] + h * v[i] + h * h / 2 * of->a[i];
    v[i] += h * of->a[i];
  }
  RILL_TRY(rill_newton_solve(&of->newton, equations, of, error));
  evaluate(of, x, v);
  fill_matrix(of, of->matrix);
  RILL_TRY(rill_dense_factor(size, of->matrix, of->pivots, error));
  rill_dense_solve_factored(size, of->matrix, of->pivots, size, of->tangents);
  for (size_t i = 0; i < n; i++) {
    q[i] = x[i];
    p[i] = mass[i] * v[i];
    for (size_t t = 0; t < size; t++) {
      dq[t * n + i] = of->tangents[t * size + i];
      dp[t * n + i] = mass[i] * of->tangents[t * size + n + i];
    }
  }
  return RILL_OK;
}
