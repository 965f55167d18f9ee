/* The heat bath: the coefficients of the Ornstein-Uhlenbeck flow, and the bath's temperature. */
#ifndef RILL_WATER_WATER_BATH_H
#define RILL_WATER_WATER_BATH_H

#include "water/water_state.h"

/* Whether the bath's temperature changes during the run. */
static inline bool rill_water_ramps(const struct rill_water_options *options) {
  return options->temperature[0] != options->temperature[1] && options->steps > 0;
}

/* Whether the bath scales velocities (water_rescale.h). */
static inline bool rill_water_rescales(const struct rill_water *water) { return water->options.rescale_time > 0; }

/* Computes the coefficients, without noise, of the Ornstein-Uhlenbeck flow for a time h; and those of the system. */
void rill_water_find_ou(const struct rill_water_options *options, double temperature, double h, struct rill_ou *ou);
void rill_water_prepare_ou(struct rill_water *water, double h);
bool rill_water_ou_commutes(const void *self);

#endif
