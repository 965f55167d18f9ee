/* Verlet on the Poincare-transformed Hamiltonian K = sigma(q) (H(q, p) - E), whose time tau has dt = sigma dtau on
 * H = E: Reich, SIAM J. Numer. Anal. 36, 1549 (1999); Hairer, Lubich & Wanner, Geometric
 * Numerical Integration, VIII.2.1.  sigma is the system's step size, E the energy of the start, which is carried.
 *
 * K is not separable.  The Stormer-Verlet scheme for any Hamiltonian (VI.3.5 there) is
 *
 *   p- = p - (h/2) K_q(q, p-),   q' = q + (h/2) (K_p(q, p-) + K_p(q', p-)),   p' = p- - (h/2) K_q(q', p-),
 *   K_q = sigma_q (T(p) + V - E) + sigma V_q,   K_p = sigma M^-1 p,
 *
 * where the first equation is quadratic in the number T(p-), and the second has one unknown, sigma(q'). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/step_control.h"
#include "numerics/newton.h"

struct transformed {
  struct rill_state *state;
  const struct rill_mechanical *mechanical;
  double h;
  unsigned max_iterations;
  double *next;            /* [n] */
  double *gradient, *size; /* of V and of sigma: [n] */
  double *middle;          /* p-: [n] */
};

static enum rill_status transformed_create(struct rill_system *system, double h,
                                           const struct rill_method_options *options, void **self,
                                           struct rill_error *error) {
  const size_t n = system->mechanical->n;
  struct transformed *transformed = rill_allocate(1, sizeof *transformed);
  if (transformed == NULL || (transformed->next = rill_allocate(4 * n, sizeof *transformed->next)) == NULL) {
    rill_release(transformed);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a transformed method");
  }
  transformed->gradient = transformed->next + n;
  transformed->size = transformed->next + 2 * n;
  transformed->middle = transformed->next + 3 * n;
  transformed->state = system->state;
  transformed->mechanical = system->mechanical;
  transformed->h = h;
  transformed->max_iterations = (unsigned)options->max_iterations;
  system->state->clocked = true;
  *self = transformed;
  return RILL_OK;
}

static void transformed_destroy(void *self) {
  struct transformed *transformed = self;
  if (transformed == NULL) return;
  rill_release(transformed->next);
  rill_release(transformed);
}

/* a.M^-1 b */
static double product(const struct rill_mechanical *mechanical, const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < mechanical->n; i++) sum += a[i] * b[i] / mechanical->mass[i];
  return sum;
}

/* V - E, and the gradients, at q. */
static double evaluate(struct transformed *transformed, const double *q, double *sigma) {
  const struct rill_mechanical *mechanical = transformed->mechanical;
  mechanical->ops->gradient(mechanical->self, q, transformed->gradient);
  *sigma = mechanical->ops->step_size(mechanical->self, q, transformed->size);
  return mechanical->ops->potential(mechanical->self, q) - transformed->state->clock[RILL_CLOCK_CARRIED];
}

/* p- and T(p-): with p- = a - (h/2) T sigma_q, T = |a - (h/2) T sigma_q|^2 / 2 has the root that is |a|^2 / 2 for
 * h = 0. */
static enum rill_status kick_implicitly(struct transformed *transformed, double excess, double sigma, double *kinetic,
                                        struct rill_error *error) {
  const double half = 0.5 * transformed->h, *p = transformed->state->p;
  double *a = transformed->middle, square, linear, root;
  for (size_t i = 0; i < transformed->state->n; i++)
    a[i] = p[i] - half * (transformed->size[i] * excess + sigma * transformed->gradient[i]);
  square = product(transformed->mechanical, a, a);
  linear = 1 + half * product(transformed->mechanical, a, transformed->size);
  root =
      linear * linear - half * half * product(transformed->mechanical, transformed->size, transformed->size) * square;
  if (!(root >= 0) || !(linear > 0))
    return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                          "the transformed Hamiltonian's implicit kick has no solution here; take a smaller step");
  *kinetic = square / (linear + sqrt(root));
  for (size_t i = 0; i < transformed->state->n; i++) a[i] -= half * *kinetic * transformed->size[i];
  return RILL_OK;
}

/* q' and sigma(q'), by Newton's method for sigma(q'). */
static enum rill_status drift_implicitly(struct transformed *transformed, double sigma, double *sigma_next,
                                         struct rill_error *error) {
  const struct rill_mechanical *mechanical = transformed->mechanical;
  struct rill_state *state = transformed->state;
  const double half = 0.5 * transformed->h;
  double before = INFINITY;
  *sigma_next = sigma;
  for (state->iterations = 1; state->iterations <= transformed->max_iterations; state->iterations++) {
    double found, change;
    for (size_t i = 0; i < state->n; i++)
      transformed->next[i] =
          state->q[i] + half * (sigma + *sigma_next) * transformed->middle[i] / mechanical->mass[i];
    found = mechanical->ops->step_size(mechanical->self, transformed->next, transformed->size);
    change = (*sigma_next - found) / (1 - half * product(mechanical, transformed->size, transformed->middle));
    if (!isfinite(change))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE, "the length of a step is not finite; take a smaller step");
    *sigma_next -= change;
    state->residual = fabs(change);
    if (rill_newton_done(fabs(change), before, 0, 4 * DBL_EPSILON * fabs(*sigma_next))) {
      for (size_t i = 0; i < state->n; i++)
        transformed->next[i] =
            state->q[i] + half * (sigma + *sigma_next) * transformed->middle[i] / mechanical->mass[i];
      return RILL_OK;
    }
    before = fabs(change);
  }
  return rill_error_set(
      error, RILL_ERROR_CONVERGENCE,
      "the length of a step did not converge in %u iterations: last change %.3g; take a smaller step",
      transformed->max_iterations, before);
}

static enum rill_status transformed_step(void *self, struct rill_error *error) {
  struct transformed *transformed = self;
  const struct rill_mechanical *mechanical = transformed->mechanical;
  struct rill_state *state = transformed->state;
  const double half = 0.5 * transformed->h;
  double sigma, sigma_next, kinetic = 0, excess;
  if (isnan(state->clock[RILL_CLOCK_CARRIED]))
    state->clock[RILL_CLOCK_CARRIED] =
        0.5 * product(mechanical, state->p, state->p) + mechanical->ops->potential(mechanical->self, state->q);
  excess = evaluate(transformed, state->q, &sigma);
  RILL_TRY(kick_implicitly(transformed, excess, sigma, &kinetic, error));
  RILL_TRY(drift_implicitly(transformed, sigma, &sigma_next, error));
  memcpy(state->q, transformed->next, state->n * sizeof *state->q);
  excess = evaluate(transformed, state->q, &sigma_next);
  for (size_t i = 0; i < state->n; i++)
    state->p[i] = transformed->middle[i] -
                  half * (transformed->size[i] * (kinetic + excess) + sigma_next * transformed->gradient[i]);
  state->clock[RILL_CLOCK_LENGTH] = half * (sigma + sigma_next);
  state->clock[RILL_CLOCK_TIME] += state->clock[RILL_CLOCK_LENGTH];
  return RILL_OK;
}

static const struct rill_one_step own = {transformed_create, transformed_step, transformed_destroy};

const struct rill_method rill_method_verlet_transformed = {
    .name = "verlet-transformed",
    .summary = "Verlet on the Poincare-transformed Hamiltonian sigma(q) (H - E), with the system's step size sigma",
    .citation =
        "Reich, SIAM J. Numer. Anal. 36, 1549 (1999); Hairer, Lubich & Wanner, Geometric Numerical Integration, "
        "VIII.2.1",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .varies = true,
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS | RILL_NEEDS_STEP_SIZE,
    .one_step = &own,
};
