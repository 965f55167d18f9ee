#include "systems/registry.h"

#include <string.h>

static const struct rill_system_type *const types[] = {
    &rill_system_planar_pendulum,
    &rill_system_spherical_pendulum,
    &rill_system_double_spherical_pendulum,
    &rill_system_double_pendulum,
    &rill_system_pendulum_chain,
    &rill_system_dna,
    &rill_system_harmonic_oscillator,
    &rill_system_simple_pendulum,
    &rill_system_rigid_body,
    &rill_system_spherical_pendulum_angles,
    &rill_system_double_pendulum_angles,
    &rill_system_magnetic_rigid_body,
    &rill_system_free_body,
    &rill_system_pendulum_3d,
    &rill_system_quartic_body,
    &rill_system_ellipsoid_particle,
};

const struct rill_system_type *const *rill_system_types(size_t *count) {
  *count = sizeof types / sizeof types[0];
  return types;
}

const struct rill_system_type *rill_system_type_find(const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strcmp(types[i]->name, name) == 0) return types[i];
  return NULL;
}
