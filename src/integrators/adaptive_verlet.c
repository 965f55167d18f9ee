/* Verlet with steps of varying length, h sigma(q): kept reversible, and not.
 *
 * verlet-adaptive: Hairer & Soederlind, SIAM J. Sci. Comput. 26, 1838 (2005).  The density of steps rho = 1/sigma is
 * integrated beside the motion, in a symmetric composition around a step of Verlet:
 *
 *   rho- = rho + (h/2) G(q, p),   a step of length h/rho-,   rho' = rho- + (h/2) G(q', p'),
 *   G = d rho / d tau = -sigma_q.v / sigma,   rho(0) = 1/sigma(q(0)).
 *
 * All is explicit, and reversing p and G's sign reverses a step.  rho is carried by the state.
 *
 * verlet-naive takes h sigma(q) from the start of each step, as usual control does: a step back has another length.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/step_control.h"

struct adaptive {
  struct rill_state *state;
  const struct rill_mechanical *mechanical;
  double h;
  double *gradient, *size; /* of V and of sigma: [n] */
};

static enum rill_status adaptive_create(struct rill_system *system, double h,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  const size_t n = system->mechanical->n;
  struct adaptive *adaptive = rill_allocate(1, sizeof *adaptive);
  (void)options;
  if (adaptive == NULL || (adaptive->gradient = rill_allocate(2 * n, sizeof *adaptive->gradient)) == NULL) {
    rill_release(adaptive);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a method with steps of varying length");
  }
  adaptive->size = adaptive->gradient + n;
  adaptive->state = system->state;
  adaptive->mechanical = system->mechanical;
  adaptive->h = h;
  system->state->clocked = true;
  *self = adaptive;
  return RILL_OK;
}

static void adaptive_destroy(void *self) {
  struct adaptive *adaptive = self;
  if (adaptive == NULL) return;
  rill_release(adaptive->gradient);
  rill_release(adaptive);
}

static void kick(struct adaptive *adaptive, double h) {
  const struct rill_mechanical *mechanical = adaptive->mechanical;
  mechanical->ops->gradient(mechanical->self, adaptive->state->q, adaptive->gradient);
  for (size_t i = 0; i < mechanical->n; i++) adaptive->state->p[i] -= h * adaptive->gradient[i];
}

static enum rill_status verlet(struct adaptive *adaptive, double h, struct rill_error *error) {
  struct rill_state *state = adaptive->state;
  if (!isfinite(h) || !(h * adaptive->h > 0))
    return rill_error_set(error, RILL_ERROR_FAILED,
                          "the density of steps has left its range: a step of %g; take a smaller step", h);
  kick(adaptive, 0.5 * h);
  for (size_t i = 0; i < state->n; i++) state->q[i] += h * state->p[i] / adaptive->mechanical->mass[i];
  kick(adaptive, 0.5 * h);
  state->clock[RILL_CLOCK_LENGTH] = h;
  state->clock[RILL_CLOCK_TIME] += h;
  return RILL_OK;
}

/* sigma, and its rate along the motion divided by it. */
static double step_size(struct adaptive *adaptive, double *relative_rate) {
  const struct rill_mechanical *mechanical = adaptive->mechanical;
  const struct rill_state *state = adaptive->state;
  const double sigma = mechanical->ops->step_size(mechanical->self, state->q, adaptive->size);
  *relative_rate = 0;
  for (size_t i = 0; i < state->n; i++)
    *relative_rate += adaptive->size[i] * state->p[i] / (mechanical->mass[i] * sigma);
  return sigma;
}

static enum rill_status adaptive_step(void *self, struct rill_error *error) {
  struct adaptive *adaptive = self;
  double *density = &adaptive->state->clock[RILL_CLOCK_CARRIED], rate, sigma = step_size(adaptive, &rate);
  if (isnan(*density)) *density = 1 / sigma;
  *density -= 0.5 * adaptive->h * rate;
  RILL_TRY(verlet(adaptive, adaptive->h / *density, error));
  step_size(adaptive, &rate);
  *density -= 0.5 * adaptive->h * rate;
  return RILL_OK;
}

static enum rill_status naive_step(void *self, struct rill_error *error) {
  struct adaptive *adaptive = self;
  double rate;
  return verlet(adaptive, adaptive->h * step_size(adaptive, &rate), error);
}

static const struct rill_one_step adaptive_own = {adaptive_create, adaptive_step, adaptive_destroy},
                                  naive_own = {adaptive_create, naive_step, adaptive_destroy};

const struct rill_method rill_method_verlet_adaptive = {
    .name = "verlet-adaptive",
    .summary = "Verlet with the density of steps integrated beside the motion, explicit and reversible",
    .citation = "Hairer & Soederlind, SIAM J. Sci. Comput. 26, 1838 (2005)",
    .order = 2,
    .symmetric = true,
    .varies = true,
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS | RILL_NEEDS_STEP_SIZE,
    .one_step = &adaptive_own,
};

const struct rill_method rill_method_verlet_naive = {
    .name = "verlet-naive",
    .summary = "Verlet with the length of each step from its start, which is not reversible: for comparison",
    .citation = "Gladman, Duncan & Candy, Celest. Mech. Dyn. Astron. 52, 221 (1991)",
    .order = 2,
    .varies = true,
    .needs = RILL_NEEDS_MECHANICAL | RILL_NEEDS_NO_CONSTRAINTS | RILL_NEEDS_STEP_SIZE,
    .one_step = &naive_own,
};
