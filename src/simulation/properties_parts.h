/* The estimators of the properties, shared by the files that feed them and read them. */
#ifndef RILL_SIMULATION_PROPERTIES_PARTS_H
#define RILL_SIMULATION_PROPERTIES_PARTS_H

#include "analysis/correlator.h"
#include "analysis/displacement.h"
#include "base/grid.h"
#include "simulation/properties.h"
#include "water/water_sample.h"

/* Sums of each estimator's blocks. */
enum condition_sum { CONDITION_SAMPLES, CONDITION_VOLUME, CONDITION_KINETIC, CONDITION_SUMS };
enum dipole_sum { DIPOLE_SAMPLES, DIPOLE_X, DIPOLE_Y, DIPOLE_Z, DIPOLE_SQUARE, DIPOLE_VOLUME, DIPOLE_SUMS };
/* Of potential energy and volume less those of the first sample. */
enum energy_sum { ENERGY_SAMPLES, ENERGY_U, ENERGY_UU, ENERGY_V, ENERGY_VV, ENERGY_UV, ENERGY_SUMS };
enum bond_sum { BOND_SAMPLES, BOND_COUNT, BOND_SUMS };

/* Independent components of the traceless symmetric stress. */
enum { STRESS_COMPONENTS = 5 };

struct rill_properties {
  const struct rill_simulation *sim;
  unsigned compute;
  size_t molecules;
  double interval, motion_interval;                       /* ps */
  uint64_t every, motion_every, energy_every, bond_every; /* steps; multiples of the first */
  struct rill_water_sample molecule;                      /* of the quantities that are used */
  struct rill_displacement displacement;
  struct rill_correlator displacements, velocities, axes, stress;
  struct rill_block_sums conditions, dipole, energies, bonds;
  double first_potential, first_volume;
  struct rill_grid *grid;
  double *positions; /* [molecules][3][3], for hydrogen bonds */
};

/* Whether it is computed; heat capacity, expansion and compressibility also by `fluctuations`. */
bool rill_properties_want(const struct rill_properties *properties, enum rill_property_word word);
bool rill_properties_take_energies(const struct rill_properties *properties);

#endif
