#include "water/water_bath.h"

#include <math.h>

#include "base/units.h"

/* Friction rates of the atoms, 1/ps. */
static double rate_of(const struct rill_water_options *options, int atom) {
  return options->friction_law == RILL_FRICTION_UNIFORM ? options->friction
                                                        : options->friction / options->model.mass[atom];
}

/* sqrt((1 - e^(-2 rate h)) k T / m) */
static double amplitude_of(double rate, double h, double temperature, double mass) {
  return sqrt(-expm1(-2 * rate * h) * RILL_GAS_CONSTANT * temperature / mass);
}

/* v = e^(-rate h) v + sqrt((1 - e^(-2 rate h)) k T / m) xi: the exact flow of dv = -rate v dt + noise. */
void rill_water_find_ou(const struct rill_water_options *options, double temperature, double h, struct rill_ou *ou) {
  const double *mass = options->model.mass;
  const bool apart = options->friction_law == RILL_FRICTION_UNIFORM && options->rotation_friction > 0;
  for (int a = 0; a < RILL_ATOMS; a++) {
    const double rate = apart ? options->rotation_friction : rate_of(options, a);
    ou->decay[a] = exp(-rate * h);
    ou->amplitude[a] = amplitude_of(rate, h, temperature, mass[a]);
    ou->centre_amplitude[a] = amplitude_of(options->friction, h, temperature, mass[a]);
    ou->share[a] = mass[a] / (mass[0] + mass[1] + mass[2]);
  }
  ou->centre_apart = apart;
  ou->centre_decay = exp(-options->friction * h);
}

void rill_water_prepare_ou(struct rill_water *water, double h) {
  if (water->ou_temperature == water->temperature && water->ou_step == h) return;
  rill_water_find_ou(&water->options, water->temperature, h, &water->ou);
  water->ou_temperature = water->temperature;
  water->ou_step = h;
}

bool rill_water_ou_commutes(const void *self) {
  const struct rill_water *water = self;
  return water->options.friction_law == RILL_FRICTION_UNIFORM;
}
