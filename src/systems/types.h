/* The small systems, one line each; registry.c lists them. */
#ifndef RILL_SYSTEMS_TYPES_H
#define RILL_SYSTEMS_TYPES_H

#include "systems/registry.h"

extern const struct rill_system_type rill_system_planar_pendulum;
extern const struct rill_system_type rill_system_spherical_pendulum;
extern const struct rill_system_type rill_system_double_spherical_pendulum;
extern const struct rill_system_type rill_system_double_pendulum;
extern const struct rill_system_type rill_system_pendulum_chain;
extern const struct rill_system_type rill_system_dna;
extern const struct rill_system_type rill_system_harmonic_oscillator;
extern const struct rill_system_type rill_system_simple_pendulum;
extern const struct rill_system_type rill_system_rigid_body;
extern const struct rill_system_type rill_system_spherical_pendulum_angles;
extern const struct rill_system_type rill_system_double_pendulum_angles;
extern const struct rill_system_type rill_system_magnetic_rigid_body;
extern const struct rill_system_type rill_system_free_body;
extern const struct rill_system_type rill_system_pendulum_3d;
extern const struct rill_system_type rill_system_quartic_body;
extern const struct rill_system_type rill_system_ellipsoid_particle;

#endif
