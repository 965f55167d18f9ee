/* The thermal capability: a system in a heat bath whose temperature can be changed between steps. */
#ifndef RILL_MECH_THERMAL_H
#define RILL_MECH_THERMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/choices.h"
#include "base/status.h"

/* A bath, in the system's units. */
struct rill_bath {
  double temperature[2]; /* at the first and the last step; linear between them */
  uint64_t steps;        /* of a ramp; at least 1 */
  enum rill_friction_law law;
  double friction; /* a rate, the same for all momenta; or gamma, for the rate gamma / m */
  uint64_t seed;
};

struct rill_thermal_ops {
  /* k, in the system's units of energy per temperature. */
  double boltzmann;
  /* The bath's temperature, and setting it; above 0. */
  double (*temperature)(const void *self);
  void (*set_temperature)(void *self, double temperature);
  /* Multiplies all velocities by the factor. */
  void (*scale_velocities)(void *self, double factor);
  /* Puts the system into the bath, before its first step.  RILL_ERROR_UNSUPPORTED: it has no exact flow with this
   * friction.  NULL: a system is made in its bath. */
  enum rill_status (*couple)(void *self, const struct rill_bath *bath, struct rill_error *error);
  /* The least and the largest rate of friction of a momentum.  NULL like `couple`. */
  void (*rates)(const void *self, double *least, double *most);
  /* Adds the correction of RILL_MEASURE_STIFF_LIMIT to the potential, with its forces in kicks, after `couple`.
   * RILL_ERROR_UNSUPPORTED: it would be constant.  NULL: there are no constraints. */
  enum rill_status (*correct_measure)(void *self, struct rill_error *error);
  bool measure_varies; /* the correction is not constant: stiff springs have another law than the constraints */
};

#endif
