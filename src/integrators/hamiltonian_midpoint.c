/* The implicit midpoint rule of Hamilton's equations, z_1 = z_0 + h f((z_0 + z_1)/2), z = (q, p): symplectic for any
 * H, separable or not, degenerate or not. */
#include <string.h>

#include "base/memory.h"
#include "integrators/hamiltonian_curve.h"
#include "integrators/hamiltonian_methods.h"

struct midpoint {
  struct rill_state *state;
  double h;
  struct rill_hamiltonian_curve curve;
};

static void midpoint_destroy(void *self) {
  struct midpoint *midpoint = self;
  if (midpoint == NULL) return;
  rill_hamiltonian_curve_destroy(&midpoint->curve);
  rill_release(midpoint);
}

static enum rill_status midpoint_create(struct rill_system *system, double h,
                                        const struct rill_method_options *options, void **self,
                                        struct rill_error *error) {
  struct midpoint *midpoint = rill_allocate(1, sizeof *midpoint);
  enum rill_status status;
  if (midpoint == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the implicit midpoint rule");
  midpoint->state = system->state;
  midpoint->h = h;
  status = rill_hamiltonian_curve_create(system->hamiltonian, RILL_BASE_IMPLICIT_MIDPOINT, 0, options->tolerance,
                                         (unsigned)options->max_iterations, &midpoint->curve, error);
  if (status == RILL_OK) *self = midpoint;
  else midpoint_destroy(midpoint);
  return status;
}

static enum rill_status midpoint_step(void *self, struct rill_error *error) {
  struct midpoint *midpoint = self;
  struct rill_hamiltonian_curve *curve = &midpoint->curve;
  struct rill_state *state = midpoint->state;
  const size_t bytes = state->n * sizeof *state->q;
  memcpy(curve->z, state->q, bytes);
  memcpy(curve->z + state->n, state->p, bytes);
  RILL_TRY(rill_hamiltonian_curve_slope(curve, error));
  RILL_TRY(rill_hamiltonian_curve_step(curve, midpoint->h, error));
  memcpy(state->q, curve->z, bytes);
  memcpy(state->p, curve->z + state->n, bytes);
  state->iterations = curve->newton.iterations;
  state->residual = curve->newton.residual_size;
  return RILL_OK;
}

static const struct rill_one_step midpoint_own = {midpoint_create, midpoint_step, midpoint_destroy};

const struct rill_method rill_method_hamiltonian_midpoint = {
    .name = "hamiltonian-midpoint",
    .summary = "the implicit midpoint rule of Hamilton's equations, for any H(q, p)",
    .citation = "Feng Kang, J. Comput. Math. 4, 279 (1986); Hairer, Lubich & Wanner, VI.4.1",
    .order = 2,
    .symmetric = true,
    .symplectic = true,
    .needs = RILL_NEEDS_HAMILTONIAN,
    .one_step = &midpoint_own,
    .reads = RILL_READS_SOLVER,
};
