#include "mech/pushforward.h"

#include <math.h>

#include "base/memory.h"

struct rill_pushforward {
  const struct rill_implicit *implicit;
  struct rill_nonlinear *solver;
  const double *c;
  double s;
  double *force, *work, *image; /* [n] */
};

static enum rill_status map(void *self, const double *y, double *g, struct rill_error *error) {
  struct rill_pushforward *p = self;
  const struct rill_implicit *implicit = p->implicit;
  (void)error;
  implicit->ops->force(implicit->self, y, p->force);
  for (size_t i = 0; i < implicit->n; i++) p->work[i] = p->s * p->force[i] - implicit->mass[i] * (y[i] - p->c[i]);
  implicit->ops->stiff_solve(implicit->self, RILL_HESSIAN_GAUSS_NEWTON, p->s, y, p->work, g);
  for (size_t i = 0; i < implicit->n; i++) g[i] += y[i];
  return RILL_OK;
}

/* (M + s H)^-1 (M - s DF) u; the preconditioner is treated as constant. */
static void derivative(void *self, const double *y, const double *u, double *out) {
  struct rill_pushforward *p = self;
  const struct rill_implicit *implicit = p->implicit;
  implicit->ops->force_derivative(implicit->self, y, u, p->work);
  for (size_t i = 0; i < implicit->n; i++) p->work[i] = implicit->mass[i] * u[i] - p->s * p->work[i];
  implicit->ops->stiff_solve(implicit->self, RILL_HESSIAN_GAUSS_NEWTON, p->s, y, p->work, out);
}

void rill_pushforward_destroy(struct rill_pushforward *p) {
  if (p == NULL) return;
  rill_nonlinear_destroy(p->solver);
  rill_release(p->force);
  rill_release(p->work);
  rill_release(p->image);
  rill_release(p);
}

enum rill_status rill_pushforward_create(const struct rill_implicit *implicit, enum rill_nonlinear_kind kind,
                                         double tolerance, unsigned max_iterations, struct rill_pushforward **out,
                                         struct rill_error *error) {
  const struct rill_nonlinear_options options = {kind, tolerance * implicit->length,
                                                 max_iterations > 0 ? max_iterations : 50};
  struct rill_pushforward *p;
  enum rill_status status;
  *out = NULL;
  if (kind == RILL_NEWTON_KRYLOV && implicit->ops->force_derivative == NULL)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "the system does not offer derivatives of its forces; take nonlinear = anderson");
  RILL_TRY(implicit->ops->begin(implicit->self, error));
  p = rill_allocate(1, sizeof *p);
  if (p == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for an implicit method");
  p->implicit = implicit;
  p->force = rill_allocate(implicit->n, sizeof *p->force);
  p->work = rill_allocate(implicit->n, sizeof *p->work);
  p->image = rill_allocate(implicit->n, sizeof *p->image);
  status = p->force == NULL || p->work == NULL || p->image == NULL
               ? rill_error_set(error, RILL_ERROR_MEMORY, "no memory for an implicit method")
               : rill_nonlinear_create(&(struct rill_nonlinear_problem){implicit->n, map, derivative, p}, &options,
                                       &p->solver, error);
  if (status == RILL_OK) *out = p;
  else rill_pushforward_destroy(p);
  return status;
}

enum rill_status rill_pushforward_solve(struct rill_pushforward *p, const double *c, double s, double *y,
                                        struct rill_error *error) {
  struct rill_nonlinear_report report;
  enum rill_status status;
  p->c = c;
  p->s = s;
  status = rill_nonlinear_solve(p->solver, y, p->image, &report, error);
  rill_implicit_note(p->implicit, &report);
  for (size_t i = 0; status == RILL_OK && i < p->implicit->n; i++) y[i] = p->image[i];
  return status;
}
