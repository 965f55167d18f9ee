/* Stochastic velocity rescaling of water: Bussi, Donadio & Parrinello, J. Chem. Phys. 126, 014101 (2007).
 *
 * The momentum of the whole, and in vacuum its angular momentum, are not degrees of freedom of the bath: a factor
 * would keep their directions for ever.  Both are zero, and stay so; what rounding and the mesh add is removed. */
#include "water/water_rescale.h"

#include <math.h>

#include "base/units.h"
#include "water/thermostat/rescale.h"
#include "water/water_atoms.h"
#include "water/water_observe.h"
#include "water/water_momenta.h"

enum { TURN_REMOVED = 1000 /* steps; rounding alone changes the angular momentum */ };

static void scale(struct rill_water *water, double factor, const double velocity[3]) {
  const size_t stride = water->stride;
  const double mass = rill_water_mass(&water->options.model);
  if (water->of_bodies) {
    for (size_t c = 0; c < 3; c++)
      for (size_t m = 0; m < water->molecules; m++) {
        double *p = &water->body.columns.momentum[c * stride + m];
        *p = factor * (*p - mass * velocity[c]);
        water->body.columns.spin[c * stride + m] *= factor;
      }
    water->body.velocities_behind = true;
    return;
  }
  for (size_t k = 0; k < RILL_COORDINATES; k++)
    for (size_t m = 0; m < water->molecules; m++)
      water->v[k * stride + m] = factor * (water->v[k * stride + m] - velocity[k % 3]);
}

enum rill_status rill_water_rescale(void *self, double h, uint64_t step, struct rill_error *error) {
  struct rill_water *water = self;
  const double freedom = rill_water_freedom_of_all(water), whole = rill_water_whole_mass(water);
  const double mean = 0.5 * freedom * RILL_GAS_CONSTANT * water->temperature;
  double momentum[3], velocity[3], before, kinetic, after;
  rill_timers_start(water->options.timers);
  rill_water_bodies_follow(water);
  rill_water_kinetic(water, &before, NULL);
  if (water->removed_angular > 0 && (step + 1) % TURN_REMOVED == 0) RILL_TRY(rill_water_stop_turning(water, error));
  rill_water_momentum(water, momentum);
  rill_water_kinetic(water, &kinetic, NULL);
  for (int c = 0; c < 3; c++) {
    velocity[c] = momentum[c] / whole;
    kinetic -= 0.5 * momentum[c] * velocity[c];
  }
  after = rill_rescaled_kinetic(&water->rescale_noise, step, kinetic, mean, freedom,
                                exp(-h / water->options.rescale_time));
  if (!(kinetic > 0)) after = kinetic; /* at rest there is no direction to scale */
  else scale(water, sqrt(after / kinetic), velocity);
  water->supplied += after - before;
  rill_timers_stop(water->options.timers, RILL_PHASE_THERMOSTAT);
  return RILL_OK;
}
