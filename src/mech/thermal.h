/* The thermal capability: a system in a heat bath whose temperature can be changed between steps. */
#ifndef RILL_MECH_THERMAL_H
#define RILL_MECH_THERMAL_H

struct rill_thermal_ops {
  /* k, in the system's units of energy per temperature. */
  double boltzmann;
  /* The bath's temperature, and setting it; above 0. */
  double (*temperature)(const void *self);
  void (*set_temperature)(void *self, double temperature);
  /* Multiplies all velocities by the factor. */
  void (*scale_velocities)(void *self, double factor);
};

#endif
