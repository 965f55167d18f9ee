/* The implicit midpoint rule z' = z + h X_H((z + z')/2), Marsden & Wendlandt (1997), eq. (18).
 *
 * For H = p^2/2 + V(q) it is their scheme (17); without constraints it is also the dvp of (4.1).  This
 * implementation uses the mechanical capability and a band matrix, so that its cost is linear in the length of a
 * chain.  The unknown is w = (q' - q)/h:  M w - p + (h/2) V'(q + h w/2) = 0,  p' = p - h V'(q + h w/2). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/conserving.h"
#include "integrators/implicit_step.h"
#include "numerics/newton.h"

enum { DEFAULT_ITERATIONS = 50 };

struct midpoint {
  struct rill_state *state;
  const struct rill_mechanical *mechanical;
  double h, tolerance;
  unsigned max_iterations;
  double *w, *middle, *gradient, *correction; /* [n] */
  struct rill_band band;
};

static void midpoint_destroy(void *self) {
  struct midpoint *midpoint = self;
  if (midpoint == NULL) return;
  rill_release(midpoint->w);
  rill_band_destroy(&midpoint->band);
  rill_release(midpoint);
}

static enum rill_status midpoint_create(struct rill_system *system, double h,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  struct midpoint *midpoint = rill_allocate(1, sizeof *midpoint);
  size_t n = system->state->n;
  enum rill_status status;
  if (midpoint == NULL || (midpoint->w = rill_allocate(4 * n, sizeof *midpoint->w)) == NULL) {
    midpoint_destroy(midpoint);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the implicit midpoint rule");
  }
  midpoint->middle = midpoint->w + n;
  midpoint->gradient = midpoint->w + 2 * n;
  midpoint->correction = midpoint->w + 3 * n;
  midpoint->state = system->state;
  midpoint->mechanical = system->mechanical;
  midpoint->h = h;
  midpoint->tolerance = fmax(options->tolerance, DBL_EPSILON);
  midpoint->max_iterations = options->max_iterations > 0 ? (unsigned)options->max_iterations : DEFAULT_ITERATIONS;
  status = rill_band_create(n, system->mechanical->bandwidth, &midpoint->band, error);
  if (status != RILL_OK) {
    midpoint_destroy(midpoint);
    return status;
  }
  *self = midpoint;
  return RILL_OK;
}

/* The gradient of V at the midpoint. */
static void evaluate(struct midpoint *midpoint) {
  const struct rill_mechanical *mechanical = midpoint->mechanical;
  for (size_t i = 0; i < mechanical->n; i++)
    midpoint->middle[i] = midpoint->state->q[i] + 0.5 * midpoint->h * midpoint->w[i];
  mechanical->ops->gradient(mechanical->self, midpoint->middle, midpoint->gradient);
}

/* One correction of w; the sizes of residual, correction, w and positions. */
static enum rill_status correct(struct midpoint *midpoint, double *residual, double *change, double *size,
                                double *farthest, struct rill_error *error) {
  const struct rill_mechanical *mechanical = midpoint->mechanical;
  double h = midpoint->h;
  *residual = *change = *size = *farthest = 0;
  evaluate(midpoint);
  rill_band_clear(&midpoint->band);
  mechanical->ops->add_hessian(mechanical->self, RILL_HESSIAN_FULL, 0.25 * h * h, midpoint->middle, &midpoint->band);
  for (size_t i = 0; i < mechanical->n; i++) {
    double r = mechanical->mass[i] * midpoint->w[i] - midpoint->state->p[i] + 0.5 * h * midpoint->gradient[i];
    *rill_band_at(&midpoint->band, i, i) += mechanical->mass[i];
    midpoint->correction[i] = r;
    if (!(fabs(r) <= *residual)) *residual = fabs(r);
  }
  if (!isfinite(*residual))
    return rill_error_set(error, RILL_ERROR_NOT_FINITE,
                          "the implicit midpoint rule met a force that is not finite; take a "
                          "smaller step");
  if (!rill_band_factor(&midpoint->band))
    return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                          "the implicit midpoint rule met a singular matrix; take a smaller step");
  rill_band_solve(&midpoint->band, midpoint->correction);
  for (size_t i = 0; i < mechanical->n; i++) {
    midpoint->w[i] -= midpoint->correction[i];
    *change = fmax(*change, fabs(midpoint->correction[i]));
    *size = fmax(*size, fabs(midpoint->w[i]));
    *farthest = fmax(*farthest, fabs(midpoint->middle[i]));
  }
  return RILL_OK;
}

static enum rill_status midpoint_step(void *self, struct rill_error *error) {
  struct midpoint *midpoint = self;
  struct rill_state *state = midpoint->state;
  double before = INFINITY, change = 0, size = 0, farthest = 0;
  memset(midpoint->w, 0, state->n * sizeof *midpoint->w);
  for (state->iterations = 1; state->iterations <= midpoint->max_iterations; state->iterations++) {
    RILL_TRY(correct(midpoint, &state->residual, &change, &size, &farthest, error));
    /* The rounding of positions of a long chain exceeds its slow velocities times h. */
    if (rill_newton_done(change, before, midpoint->tolerance * size, DBL_EPSILON * farthest / midpoint->h)) {
      evaluate(midpoint);
      for (size_t i = 0; i < state->n; i++) {
        state->q[i] += midpoint->h * midpoint->w[i];
        state->p[i] -= midpoint->h * midpoint->gradient[i];
      }
      return RILL_OK;
    }
    before = change;
  }
  return rill_error_set(
      error, RILL_ERROR_CONVERGENCE,
      "the implicit midpoint rule did not converge in %u iterations: residual %.3g, last change %.3g of "
      "velocities up to %.3g; take a smaller step",
      midpoint->max_iterations, state->residual, change, size);
}

static const struct rill_one_step midpoint_own = {midpoint_create, midpoint_step, midpoint_destroy};

const struct rill_method rill_method_implicit_midpoint = {
    .name = "implicit-midpoint",
    .alias = "marsden-wendlandt-17",
    .summary = "the implicit midpoint rule; for H = p^2/2 + V it is Marsden & Wendlandt's implicit scheme (17)",
    .citation = "Marsden & Wendlandt, in Current and Future Directions in Applied Mathematics (1997), eqs (17), (18)",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
    .one_step = &midpoint_own,
    .implicit = &rill_implicit_midpoint,
    .implicit_needs = RILL_NEEDS_IMPLICIT | RILL_NEEDS_NO_CONSTRAINTS,
    .reads = RILL_READS_SOLVER,
};
