#include "systems/falling_particles.h"

static void evaluate(const void *self, const double *q, const double *v, struct rill_lagrangian_values *values) {
  const struct rill_falling_particles *particles = self;
  size_t n = particles->lagrangian.n;
  values->value = 0;
  for (size_t i = 0; i < n; i++) {
    values->value += 0.5 * particles->mass[i] * v[i] * v[i] - particles->weight[i] * q[i];
    if (values->dq != NULL) values->dq[i] = -particles->weight[i];
    if (values->dv != NULL) values->dv[i] = particles->mass[i] * v[i];
    for (size_t j = 0; j < n; j++) {
      if (values->dqq != NULL) values->dqq[i * n + j] = 0;
      if (values->dqv != NULL) values->dqv[i * n + j] = 0;
      if (values->dvv != NULL) values->dvv[i * n + j] = i == j ? particles->mass[i] : 0;
    }
  }
}

static const struct rill_lagrangian_ops ops = {.evaluate = evaluate};

void rill_falling_particles_set(struct rill_falling_particles *particles, size_t count, size_t dimension,
                                const double *masses, double gravity) {
  particles->lagrangian =
      (struct rill_lagrangian){.ops = &ops, .n = count * dimension, .quadratic = true, .self = particles};
  for (size_t i = 0; i < count * dimension; i++) {
    particles->mass[i] = masses[i / dimension];
    particles->weight[i] = i % dimension + 1 == dimension ? masses[i / dimension] * gravity : 0;
  }
}
