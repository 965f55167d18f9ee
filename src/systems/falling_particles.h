/* Free particles under uniform gravity, L = sum m_i v_i^2 / 2 - weight_i x_i in Cartesian coordinates: the Lagrangian
 * of the space into which the angles of pendulums are embedded. */
#ifndef RILL_SYSTEMS_FALLING_PARTICLES_H
#define RILL_SYSTEMS_FALLING_PARTICLES_H

#include "mech/lagrangian.h"

enum { RILL_FALLING_LARGEST = 6 };

struct rill_falling_particles {
  struct rill_lagrangian lagrangian;
  double mass[RILL_FALLING_LARGEST], weight[RILL_FALLING_LARGEST]; /* of each coordinate */
};

/* masses: [particles]; gravity pulls along the last of `dimension` axes, downward.  particles * dimension is at
 * most 6. */
void rill_falling_particles_set(struct rill_falling_particles *particles, size_t count, size_t dimension,
                                const double *masses, double gravity);

#endif
