#include "mech/legendre.h"

#include <string.h>

#include "base/memory.h"

enum rill_status rill_legendre_create(const struct rill_lagrangian *lagrangian, struct rill_legendre *legendre,
                                      struct rill_error *error) {
  size_t n = lagrangian->n, m = lagrangian->m;
  *legendre = (struct rill_legendre){.lagrangian = lagrangian};
  RILL_TRY(rill_newton_create(n + m, n, 0, 0, &legendre->newton, error));
  legendre->velocity = legendre->newton.x;
  legendre->multiplier = legendre->newton.x + n;
  legendre->momentum = rill_allocate(n, sizeof *legendre->momentum);
  legendre->dvv = rill_allocate(n * n, sizeof *legendre->dvv);
  legendre->jacobian = rill_allocate(m * n, sizeof *legendre->jacobian);
  if (legendre->momentum != NULL && legendre->dvv != NULL && legendre->jacobian != NULL) return RILL_OK;
  rill_legendre_destroy(legendre);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a Legendre transform");
}

void rill_legendre_destroy(struct rill_legendre *legendre) {
  rill_newton_destroy(&legendre->newton);
  rill_release(legendre->momentum);
  rill_release(legendre->dvv);
  rill_release(legendre->jacobian);
  *legendre = (struct rill_legendre){0};
}

/* Solves L_v(q, v) - Dg^T nu - p = 0, Dg v = 0. */
static void equations(void *context, const double *x, double *residual, double *matrix) {
  struct rill_legendre *legendre = context;
  const struct rill_lagrangian *lagrangian = legendre->lagrangian;
  size_t n = lagrangian->n, m = lagrangian->m, size = n + m;
  struct rill_lagrangian_values values = {.dv = residual, .dvv = legendre->dvv};
  lagrangian->ops->evaluate(lagrangian->self, legendre->q, x, &values);
  for (size_t i = 0; i < n; i++) {
    residual[i] -= legendre->p[i];
    for (size_t j = 0; j < n; j++) matrix[j * size + i] = legendre->dvv[i * n + j];
  }
  for (size_t c = 0; c < m; c++) {
    residual[n + c] = 0;
    for (size_t i = 0; i < n; i++) {
      double dg = legendre->jacobian[c * n + i];
      residual[i] -= dg * x[n + c];
      residual[n + c] += dg * x[i];
      matrix[(n + c) * size + i] = -dg;
      matrix[i * size + n + c] = dg;
    }
  }
}

enum rill_status rill_legendre_transform(struct rill_legendre *legendre, const double *q, const double *p,
                                         struct rill_error *error) {
  const struct rill_lagrangian *lagrangian = legendre->lagrangian;
  struct rill_newton *newton = &legendre->newton;
  struct rill_lagrangian_values values = {.dv = legendre->momentum};
  legendre->q = q;
  legendre->p = p;
  if (lagrangian->m > 0) lagrangian->ops->jacobian(lagrangian->self, q, legendre->jacobian);
  memset(newton->x, 0, newton->n * sizeof *newton->x);
  if (lagrangian->quadratic) { /* the equations are linear: the first correction from 0 is the solution */
    memset(newton->jacobian, 0, newton->n * newton->n * sizeof *newton->jacobian);
    equations(legendre, newton->x, newton->residual, newton->jacobian);
    RILL_TRY(rill_dense_solve(newton->n, newton->jacobian, newton->pivots, newton->residual, error));
    for (size_t i = 0; i < newton->n; i++) newton->x[i] = -newton->residual[i];
  } else {
    RILL_TRY(rill_newton_solve(newton, equations, legendre, error));
  }
  lagrangian->ops->evaluate(lagrangian->self, q, legendre->velocity, &values);
  return RILL_OK;
}
