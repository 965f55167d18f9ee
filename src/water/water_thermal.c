/* The thermal capability of water: replicas that exchange temperatures. */
#include "water/water_thermal.h"

#include "base/units.h"
#include "water/water_atoms.h"
#include "water/water_observe.h"

static double temperature(const void *self) {
  const struct rill_water *water = self;
  return water->temperature;
}

static void set_temperature(void *self, double temperature) {
  struct rill_water *water = self;
  water->options.temperature[0] = water->options.temperature[1] = water->temperature = temperature;
}

static void scale(double *values, size_t count, double factor) {
  for (size_t i = 0; i < count; i++) values[i] *= factor;
}

/* The inert columns are at rest. */
static void scale_velocities(void *self, double factor) {
  struct rill_water *water = self;
  if (!water->of_bodies) {
    scale(water->v, RILL_COORDINATES * water->stride, factor);
    return;
  }
  scale(water->body.columns.momentum, 3 * water->stride, factor);
  scale(water->body.columns.spin, 3 * water->stride, factor);
  water->body.velocities_behind = true;
}

const struct rill_thermal_ops rill_water_thermal_ops = {.boltzmann = RILL_GAS_CONSTANT,
                                                        .temperature = temperature,
                                                        .set_temperature = set_temperature,
                                                        .scale_velocities = scale_velocities};
