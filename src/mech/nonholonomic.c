#include "mech/nonholonomic.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numerics/newton.h"

enum rill_status rill_nonholonomic_solver_create(const struct rill_nonholonomic *constraints,
                                                 struct rill_nonholonomic_solver *solver, struct rill_error *error) {
  const size_t n = constraints->n, k = constraints->k;
  *solver = (struct rill_nonholonomic_solver){.constraints = constraints};
  solver->a = rill_allocate(2 * k * n + k * k + k, sizeof *solver->a);
  solver->pivots = rill_allocate(k, sizeof *solver->pivots);
  if (solver->a == NULL || solver->pivots == NULL) {
    rill_nonholonomic_solver_destroy(solver);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for constraints on velocities");
  }
  solver->rates = solver->a + k * n;
  solver->product = solver->rates + k * n;
  solver->lambda = solver->product + k * k;
  return RILL_OK;
}

void rill_nonholonomic_solver_destroy(struct rill_nonholonomic_solver *solver) {
  rill_release(solver->a);
  rill_release(solver->pivots);
  *solver = (struct rill_nonholonomic_solver){0};
}

static double dot(const double *a, const double *b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Adds A^T lambda to p, with (A M^-1 A^T) lambda = -(A M^-1 p + shift); shift: [k], or NULL for 0.  A is at hand. */
static enum rill_status add_normal_part(struct rill_nonholonomic_solver *solver, const double *shift, double *p,
                                        struct rill_error *error) {
  const struct rill_nonholonomic *c = solver->constraints;
  const size_t n = c->n, k = c->k;
  for (size_t r = 0; r < k; r++) {
    const double *row = solver->a + r * n;
    solver->lambda[r] = shift != NULL ? -shift[r] : 0;
    for (size_t i = 0; i < n; i++) solver->lambda[r] -= row[i] * p[i] / c->mass[i];
    for (size_t s = 0; s < k; s++) {
      double sum = 0;
      for (size_t i = 0; i < n; i++) sum += row[i] * solver->a[s * n + i] / c->mass[i];
      solver->product[s * k + r] = sum;
    }
  }
  RILL_TRY(rill_dense_solve(k, solver->product, solver->pivots, solver->lambda, error));
  for (size_t r = 0; r < k; r++)
    for (size_t i = 0; i < n; i++) p[i] += solver->lambda[r] * solver->a[r * n + i];
  return RILL_OK;
}

enum rill_status rill_nonholonomic_project(struct rill_nonholonomic_solver *solver, const double *q, double *p,
                                           struct rill_error *error) {
  const struct rill_nonholonomic *c = solver->constraints;
  c->ops->rows(c->self, q, solver->a);
  return add_normal_part(solver, NULL, p, error);
}

enum rill_status rill_nonholonomic_add_reaction(struct rill_nonholonomic_solver *solver, const double *q,
                                                const double *v, double *force, struct rill_error *error) {
  const struct rill_nonholonomic *c = solver->constraints;
  c->ops->rows(c->self, q, solver->a);
  c->ops->rates(c->self, q, v, solver->rates);
  for (size_t r = 0; r < c->k; r++) solver->rates[r] = dot(solver->rates + r * c->n, v, c->n); /* r <= r n */
  return add_normal_part(solver, solver->rates, force, error);
}

void rill_nonholonomic_deviation(struct rill_nonholonomic_solver *solver, const double *q, const double *v,
                                 double *most, double *rms) {
  const struct rill_nonholonomic *c = solver->constraints;
  *most = *rms = 0;
  c->ops->rows(c->self, q, solver->a);
  for (size_t r = 0; r < c->k; r++) {
    const double deviation = dot(solver->a + r * c->n, v, c->n);
    *most = fmax(*most, fabs(deviation));
    *rms += deviation * deviation / (double)c->k;
  }
  *rms = sqrt(*rms);
}
