#include "water/water_trial.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "water/water_atoms.h"
#include "water/water_domain.h"
#include "water/water_evaluate.h"
#include "water/water_observe.h"

static enum rill_status energy(void *self, double *energy, struct rill_error *error) {
  struct rill_water *water = self;
  double kinetic, potential;
  rill_water_evaluate_for(water, RILL_FLOW_ENERGY);
  RILL_TRY(rill_water_field_failed(water, error));
  rill_water_bodies_follow(water);
  rill_water_kinetic(water, &kinetic, NULL);
  potential = water->soft + rill_water_penalty_energy(water, water->q);
  *energy = (kinetic + potential) / (RILL_GAS_CONSTANT * water->temperature);
  if (isfinite(*energy)) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_NOT_FINITE, "the energy is not finite (kinetic %g, potential %g kJ/mol)",
                        kinetic, potential);
}

static double uniform(const void *self, uint64_t step) {
  const struct rill_water *water = self;
  double u[4];
  rill_noise_uniform(&water->trial_noise, step, 0, 0, u);
  return u[0];
}

static void reverse(void *self) {
  struct rill_water *water = self;
  const size_t count = RILL_COORDINATES * water->stride;
  if (water->of_bodies) {
    rill_water_bodies_reverse(water);
    return;
  }
  for (size_t i = 0; i < count; i++) water->v[i] = -water->v[i];
}

/* SETTLE's and the rotor's drifts and those of free atoms come back (docs/theory.md); an iteration may find another
 * solution. */
static bool returns(const void *self) {
  const struct rill_water *water = self;
  const enum rill_constraint_solver solver = water->options.constraints.solver;
  return water->penalised || solver == RILL_SETTLE || solver == RILL_BODIES_ROTOR;
}

/* Another solution of a drift is a rotation further by some tenths of a radian, at least. */
static bool all_are_back(const struct rill_water *water) {
  static const double closeness = 1e-6; /* nm */
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < water->molecules; m++) {
      const size_t i = k * water->stride + m;
      const double moved = water->q[i] + water->offset[k % 3] - water->saved.q[i] - water->saved.offset[k % 3];
      if (!(fabs(moved) <= closeness)) return false;
    }
  return true;
}

static bool is_back(const void *self) {
  const struct rill_water *water = self;
  rill_water_bodies_place_saved(water);
  return rill_water_on_all(water, all_are_back(water));
}

const struct rill_trial_ops rill_water_trial_ops = {
    .energy = energy, .uniform = uniform, .reverse = reverse, .returns = returns, .is_back = is_back};

void rill_water_archive_trials(struct rill_trials *trials, struct rill_archive *archive) {
  uint64_t counts[] = {trials->made, trials->accepted, trials->failed, trials->unreturned};
  rill_archive_integers(archive, "trials", counts, sizeof counts / sizeof counts[0]);
  rill_archive_reals(archive, "trial_change", &trials->change, 1);
  trials->made = counts[0];
  trials->accepted = counts[1];
  trials->failed = counts[2];
  trials->unreturned = counts[3];
}
