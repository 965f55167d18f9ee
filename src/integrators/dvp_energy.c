/* dvp with the length of each step chosen so that the discrete energy is kept: Kane, Marsden & Ortiz, J. Math. Phys.
 * 40, 3353 (1999).  With Ld(x, y, h) = h L((x + y)/2, (y - x)/h) and E_d = -D3 Ld,
 *
 *   p_k = -D1 Ld(q_k, q_k+1, h),   E_d(q_k, q_k+1, h) = w.M w / 2 + V((q_k + q_k+1)/2) = E,   p_k+1 = D2 Ld,
 *
 * w = (q_k+1 - q_k)/h: n + 1 equations for w and h.  The first step has the length of the deck, and its E_d is E.
 * The step map keeps momentum maps as dvp does, and is symplectic in the extended phase space of (q, t).
 *
 * The equations need not have a solution with h > 0, as the authors say; then the step fails by name. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/step_control.h"
#include "numerics/newton.h"

struct energetic {
  struct rill_state *state;
  const struct rill_mechanical *mechanical;
  double first; /* length of the first step */
  struct rill_newton newton;
  double *middle, *gradient, *product; /* [n] */
  struct rill_band hessian;
  bool given; /* the length of the step is `first` */
};

static void energetic_destroy(void *self) {
  struct energetic *energetic = self;
  if (energetic == NULL) return;
  rill_newton_destroy(&energetic->newton);
  rill_band_destroy(&energetic->hessian);
  rill_release(energetic->middle);
  rill_release(energetic);
}

static enum rill_status energetic_create(struct rill_system *system, double h,
                                         const struct rill_method_options *options, void **self,
                                         struct rill_error *error) {
  const size_t n = system->mechanical->n;
  struct energetic *energetic = rill_allocate(1, sizeof *energetic);
  enum rill_status status;
  if (energetic == NULL || (energetic->middle = rill_allocate(3 * n, sizeof *energetic->middle)) == NULL) {
    energetic_destroy(energetic);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a method that keeps the energy");
  }
  energetic->gradient = energetic->middle + n;
  energetic->product = energetic->middle + 2 * n;
  energetic->state = system->state;
  energetic->mechanical = system->mechanical;
  energetic->first = h;
  status = rill_newton_create(n + 1, n + 1, options->tolerance, (unsigned)options->max_iterations, &energetic->newton,
                              error);
  if (status == RILL_OK) status = rill_band_create(n, n - 1, &energetic->hessian, error);
  if (status != RILL_OK) {
    energetic_destroy(energetic);
    return status;
  }
  system->state->clocked = true;
  *self = energetic;
  return RILL_OK;
}

/* V'(m) and w.M w / 2 + V(m) at the middle. */
static double evaluate(struct energetic *energetic, const double *w, double h) {
  const struct rill_mechanical *mechanical = energetic->mechanical;
  double energy = 0;
  for (size_t i = 0; i < mechanical->n; i++) {
    energetic->middle[i] = energetic->state->q[i] + 0.5 * h * w[i];
    energy += 0.5 * mechanical->mass[i] * w[i] * w[i];
  }
  mechanical->ops->gradient(mechanical->self, energetic->middle, energetic->gradient);
  return energy + mechanical->ops->potential(mechanical->self, energetic->middle);
}

/* In (w, h); with a given length the last equation is h = first. */
static void equations(void *context, const double *x, double *residual, double *matrix) {
  struct energetic *energetic = context;
  const struct rill_mechanical *mechanical = energetic->mechanical;
  const size_t n = mechanical->n, size = n + 1;
  const double h = x[n], energy = evaluate(energetic, x, h);
  rill_band_clear(&energetic->hessian);
  mechanical->ops->add_hessian(mechanical->self, RILL_HESSIAN_FULL, 1, energetic->middle, &energetic->hessian);
  rill_band_multiply(&energetic->hessian, x, energetic->product);
  residual[n] = energetic->given ? h - energetic->first : energy - energetic->state->clock[RILL_CLOCK_CARRIED];
  for (size_t i = 0; i < n; i++) {
    residual[i] = mechanical->mass[i] * x[i] + 0.5 * h * energetic->gradient[i] - energetic->state->p[i];
    for (size_t j = 0; j < n; j++) matrix[j * size + i] = 0.25 * h * h * *rill_band_at(&energetic->hessian, i, j);
    matrix[i * size + i] += mechanical->mass[i];
    matrix[n * size + i] = 0.5 * energetic->gradient[i] + 0.25 * h * energetic->product[i];
    if (energetic->given) continue;
    matrix[i * size + n] = mechanical->mass[i] * x[i] + 0.5 * h * energetic->gradient[i];
    matrix[n * size + n] += 0.5 * energetic->gradient[i] * x[i];
  }
  if (energetic->given) matrix[n * size + n] = 1;
}

static enum rill_status energetic_step(void *self, struct rill_error *error) {
  struct energetic *energetic = self;
  struct rill_newton *newton = &energetic->newton;
  struct rill_state *state = energetic->state;
  const size_t n = state->n;
  enum rill_status status;
  double h, energy;
  energetic->given = isnan(state->clock[RILL_CLOCK_CARRIED]);
  for (size_t i = 0; i < n; i++) newton->x[i] = state->p[i] / energetic->mechanical->mass[i];
  newton->x[n] = energetic->given ? energetic->first : state->clock[RILL_CLOCK_LENGTH];
  status = rill_newton_solve(newton, equations, energetic, error);
  state->iterations = newton->iterations;
  state->residual = newton->residual_size;
  h = newton->x[n];
  if (status == RILL_ERROR_CONVERGENCE || (status == RILL_OK && !(h * energetic->first > 0)))
    return rill_error_set(error, RILL_ERROR_CONVERGENCE,
                          "no length of the step was found that keeps the discrete energy: the equations of Kane, "
                          "Marsden & Ortiz need not have a solution; take verlet-adaptive or verlet-transformed");
  RILL_TRY(status);
  energy = evaluate(energetic, newton->x, h);
  if (energetic->given) state->clock[RILL_CLOCK_CARRIED] = energy;
  for (size_t i = 0; i < n; i++) {
    state->q[i] += h * newton->x[i];
    state->p[i] = energetic->mechanical->mass[i] * newton->x[i] - 0.5 * h * energetic->gradient[i];
  }
  state->clock[RILL_CLOCK_LENGTH] = h;
  state->clock[RILL_CLOCK_TIME] += h;
  return RILL_OK;
}

static const struct rill_one_step own = {energetic_create, energetic_step, energetic_destroy};

const struct rill_method rill_method_dvp_energy = {
    .name = "dvp-energy",
    .summary = "dvp with the length of each step chosen so that the discrete energy is kept, where there is one",
    .citation = "Kane, Marsden & Ortiz, J. Math. Phys. 40, 3353 (1999)",
    .order = 2,
    .symmetric = true,
    .varies = true,
    .solves_for_step = true,
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS,
    .one_step = &own,
    .reads = RILL_READS_SOLVER,
};
