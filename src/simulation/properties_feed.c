/* Feeds the estimators of properties. */
#include "simulation/properties.h"

#include <math.h>

#include "analysis/hydrogen_bonds.h"
#include "base/memory.h"
#include "simulation/properties_parts.h"

/* Values of a level of the multiple-tau scheme.  Of the stress and the velocities, which oscillate, 3.0 and 1.5 ps at
 * 24 fs are known at every sample. */
enum { STRESS_VALUES = 128, VELOCITY_VALUES = 64, MOTION_VALUES = 16 };
/* Successive samples of motion are alike: a correlation is formed with every fourth as the later one. */
enum { MOTION_EVERY = 4 };

static const struct rill_bond_criterion hydrogen_bond = {0.35, 30};

bool rill_properties_want(const struct rill_properties *p, enum rill_property_word word) {
  const bool at_constant_pressure = p->sim->deck.barostat.method != RILL_NO_BAROSTAT;
  const unsigned fluctuations =
      RILL_PROPERTY_HEAT_CAPACITY |
      (at_constant_pressure ? (unsigned)RILL_PROPERTY_EXPANSION | RILL_PROPERTY_COMPRESSIBILITY : 0);
  return (p->compute & word) || ((p->compute & RILL_PROPERTY_FLUCTUATIONS) && (fluctuations & word));
}

bool rill_properties_take_energies(const struct rill_properties *p) {
  return rill_properties_want(p, RILL_PROPERTY_HEAT_CAPACITY) || rill_properties_want(p, RILL_PROPERTY_EXPANSION) ||
         rill_properties_want(p, RILL_PROPERTY_COMPRESSIBILITY) ||
         rill_properties_want(p, RILL_PROPERTY_VAPORISATION);
}

/* ---- creating ---- */

static enum rill_status allocate_vectors(double **vectors, size_t molecules, struct rill_error *error) {
  *vectors = rill_allocate(3 * molecules, sizeof **vectors);
  if (*vectors != NULL) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for properties of %zu molecules", molecules);
}

/* The signals of all molecules, as samples and not averages of samples, so that every lag is exact. */
static enum rill_status correlate_molecules(struct rill_properties *p, enum rill_correlation kind, size_t values,
                                            double interval, struct rill_correlator *correlator,
                                            struct rill_error *error) {
  const struct rill_correlator_options options = {
      .kind = kind,
      .points = p->molecules,
      .components = 3,
      .values = values,
      .levels = rill_correlator_levels(values, p->sim->deck.properties.window / interval),
      .every = MOTION_EVERY};
  return rill_correlator_create(&options, correlator, error);
}

static enum rill_status correlate_stress(struct rill_properties *p, struct rill_error *error) {
  const struct rill_correlator_options options = {
      .kind = RILL_CORRELATION_PRODUCT,
      .averages = true,
      .points = STRESS_COMPONENTS,
      .components = 1,
      .values = STRESS_VALUES,
      .levels = rill_correlator_levels(STRESS_VALUES, p->sim->deck.properties.window / p->interval),
      .every = 1};
  return rill_correlator_create(&options, &p->stress, error);
}

static enum rill_status create_motion(struct rill_properties *p, struct rill_error *error) {
  if (rill_properties_want(p, RILL_PROPERTY_DIFFUSION)) {
    RILL_TRY(allocate_vectors(&p->molecule.centre, p->molecules, error));
    RILL_TRY(rill_displacement_create(p->molecules, &p->displacement, error));
    RILL_TRY(
        correlate_molecules(p, RILL_CORRELATION_SQUARE, MOTION_VALUES, p->motion_interval, &p->displacements, error));
  }
  if (rill_properties_want(p, RILL_PROPERTY_VELOCITY)) {
    RILL_TRY(allocate_vectors(&p->molecule.velocity, p->molecules, error));
    RILL_TRY(correlate_molecules(p, RILL_CORRELATION_PRODUCT, VELOCITY_VALUES, p->interval, &p->velocities, error));
  }
  if (rill_properties_want(p, RILL_PROPERTY_DIPOLE)) {
    RILL_TRY(allocate_vectors(&p->molecule.axis, p->molecules, error));
    RILL_TRY(correlate_molecules(p, RILL_CORRELATION_LEGENDRE, MOTION_VALUES, p->motion_interval, &p->axes, error));
  }
  return RILL_OK;
}

static enum rill_status create_bonds(struct rill_properties *p, struct rill_error *error) {
  RILL_TRY(rill_block_sums_create(BOND_SUMS, &p->bonds, error));
  RILL_TRY(rill_grid_create(p->molecules, &p->grid, error));
  p->positions = rill_allocate(9 * p->molecules, sizeof *p->positions);
  if (p->positions != NULL) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for hydrogen bonds of %zu molecules", p->molecules);
}

static enum rill_status create_parts(struct rill_properties *p, struct rill_error *error) {
  RILL_TRY(rill_block_sums_create(CONDITION_SUMS, &p->conditions, error));
  RILL_TRY(create_motion(p, error));
  if (rill_properties_want(p, RILL_PROPERTY_VISCOSITY)) RILL_TRY(correlate_stress(p, error));
  if (rill_properties_want(p, RILL_PROPERTY_DIELECTRIC))
    RILL_TRY(rill_block_sums_create(DIPOLE_SUMS, &p->dipole, error));
  if (rill_properties_take_energies(p)) RILL_TRY(rill_block_sums_create(ENERGY_SUMS, &p->energies, error));
  if (rill_properties_want(p, RILL_PROPERTY_HYDROGEN_BONDS)) RILL_TRY(create_bonds(p, error));
  return RILL_OK;
}

enum rill_status rill_properties_create(const struct rill_simulation *sim, struct rill_properties **properties,
                                        struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  struct rill_properties *p = rill_allocate(1, sizeof *p);
  *properties = p;
  if (p == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for properties");
  p->sim = sim;
  p->compute = deck->properties.compute;
  p->molecules = sim->structure.molecules;
  p->every = deck->properties.interval;
  p->motion_every = deck->properties.motion_interval;
  p->energy_every = deck->properties.energy_interval;
  p->bond_every = deck->properties.bond_interval;
  p->interval = (double)p->every * deck->integrator.step;
  p->motion_interval = (double)p->motion_every * deck->integrator.step;
  if (create_parts(p, error) == RILL_OK) return RILL_OK;
  rill_properties_destroy(p);
  *properties = NULL;
  return error->status;
}

void rill_properties_destroy(struct rill_properties *p) {
  if (p == NULL) return;
  rill_release(p->molecule.centre);
  rill_release(p->molecule.velocity);
  rill_release(p->molecule.axis);
  rill_displacement_release(&p->displacement);
  rill_correlator_release(&p->displacements);
  rill_correlator_release(&p->velocities);
  rill_correlator_release(&p->axes);
  rill_correlator_release(&p->stress);
  rill_block_sums_release(&p->conditions);
  rill_block_sums_release(&p->dipole);
  rill_block_sums_release(&p->energies);
  rill_block_sums_release(&p->bonds);
  rill_grid_destroy(p->grid);
  rill_release(p->positions);
  rill_release(p);
}

uint64_t rill_properties_energy_interval(const struct rill_properties *p) {
  return rill_properties_take_energies(p) ? p->energy_every : 0;
}

uint64_t rill_properties_virial_interval(const struct rill_properties *p) {
  return rill_properties_want(p, RILL_PROPERTY_VISCOSITY) ? p->every : 0;
}

/* The values that are held of each molecule, and the sums of two functions and a count in each block. */
static double correlator_bytes(const struct rill_simulation *sim, uint64_t every, size_t values, double functions,
                               double held) {
  const double interval = (double)every * sim->deck.integrator.step;
  const double levels = (double)rill_correlator_levels(values, sim->deck.properties.window / interval);
  const double lags = (double)values * (1 + 0.5 * (levels - 1));
  return sizeof(double) * (held * levels * (double)values + 257 * (functions + 1) * lags);
}

double rill_properties_bytes(const struct rill_simulation *sim) {
  const unsigned compute = sim->deck.properties.compute;
  const uint64_t every = sim->deck.properties.interval, motion_every = sim->deck.properties.motion_interval;
  const double vectors = 3 * (double)sim->structure.molecules;
  double bytes = 0;
  if (!sim->deck.properties.on) return 0;
  if (compute & RILL_PROPERTY_DIFFUSION)
    bytes += correlator_bytes(sim, motion_every, MOTION_VALUES, 1, vectors) + 2 * vectors * sizeof(double);
  if (compute & RILL_PROPERTY_DIPOLE) bytes += correlator_bytes(sim, motion_every, MOTION_VALUES, 2, vectors);
  if (compute & RILL_PROPERTY_VELOCITY) bytes += correlator_bytes(sim, every, VELOCITY_VALUES, 1, vectors);
  if (compute & RILL_PROPERTY_VISCOSITY) bytes += correlator_bytes(sim, every, STRESS_VALUES, 1, STRESS_COMPONENTS);
  return bytes;
}

/* ---- sampling ---- */

static void add_conditions(struct rill_properties *p, double volume) {
  double *sums = rill_block_sums_row(&p->conditions);
  const bool bath = p->sim->deck.thermostat.method != RILL_NO_BATH;
  sums[CONDITION_SAMPLES] += 1;
  sums[CONDITION_VOLUME] += volume;
  if (!bath) sums[CONDITION_KINETIC] += rill_water_kinetic_energy(&p->sim->system);
  rill_block_sums_end_sample(&p->conditions);
}

static void add_velocities(struct rill_properties *p) {
  struct rill_water_sample sample = {.velocity = p->molecule.velocity};
  if (sample.velocity == NULL) return;
  rill_water_sample_molecules(&p->sim->system, p->sim->atom_charge, &sample);
  rill_correlator_add(&p->velocities, sample.velocity);
}

static void add_motion(struct rill_properties *p, const struct rill_cell *cell) {
  struct rill_water_sample sample = {.centre = p->molecule.centre, .axis = p->molecule.axis};
  rill_water_sample_molecules(&p->sim->system, p->sim->atom_charge, &sample);
  if (sample.centre != NULL) {
    rill_displacement_add(&p->displacement, sample.centre, cell->vector);
    rill_correlator_add(&p->displacements, p->displacement.sum);
  }
  if (sample.axis != NULL) rill_correlator_add(&p->axes, sample.axis);
}

static void add_dipole(struct rill_properties *p, double volume) {
  double *sums = rill_block_sums_row(&p->dipole), d[3];
  rill_water_total_dipole(&p->sim->system, p->sim->atom_charge, d);
  sums[DIPOLE_SAMPLES] += 1;
  for (int c = 0; c < 3; c++) sums[DIPOLE_X + c] += d[c];
  sums[DIPOLE_SQUARE] += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  sums[DIPOLE_VOLUME] += volume;
  rill_block_sums_end_sample(&p->dipole);
}

/* An orthonormal basis of traceless symmetric tensors, of which an isotropic liquid prefers none. */
static void add_stress(struct rill_properties *p, const double s[3][3]) {
  const double components[STRESS_COMPONENTS] = {s[0][1], s[0][2], s[1][2], 0.5 * (s[0][0] - s[1][1]),
                                                (2 * s[2][2] - s[0][0] - s[1][1]) / sqrt(12)};
  rill_correlator_add(&p->stress, components);
}

static void add_energy(struct rill_properties *p, double potential, double volume) {
  double *sums = rill_block_sums_row(&p->energies);
  if (p->energies.samples == 0) {
    p->first_potential = potential;
    p->first_volume = volume;
  }
  const double u = potential - p->first_potential, v = volume - p->first_volume;
  sums[ENERGY_SAMPLES] += 1;
  sums[ENERGY_U] += u;
  sums[ENERGY_UU] += u * u;
  sums[ENERGY_V] += v;
  sums[ENERGY_VV] += v * v;
  sums[ENERGY_UV] += u * v;
  rill_block_sums_end_sample(&p->energies);
}

static enum rill_status add_bonds(struct rill_properties *p, const struct rill_cell *cell, struct rill_error *error) {
  double *sums = rill_block_sums_row(&p->bonds);
  size_t bonds;
  rill_water_copy_positions(&p->sim->system, p->positions);
  RILL_TRY(rill_hydrogen_bonds_count(p->grid, p->positions, cell->vector, &hydrogen_bond, &bonds, error));
  sums[BOND_SAMPLES] += 1;
  sums[BOND_COUNT] += (double)bonds;
  rill_block_sums_end_sample(&p->bonds);
  return RILL_OK;
}

enum rill_status rill_properties_sample(struct rill_properties *p, uint64_t step, double time,
                                        struct rill_error *error) {
  const struct rill_cell *cell = rill_water_cell(&p->sim->system);
  const bool energy = rill_properties_take_energies(p) && step % p->energy_every == 0;
  const bool stress = rill_properties_want(p, RILL_PROPERTY_VISCOSITY), motion = step % p->motion_every == 0;
  double potential = 0, pressure[3][3];
  if (time < p->sim->deck.properties.from || step % p->every != 0) return RILL_OK;
  add_conditions(p, cell->volume);
  add_velocities(p);
  if (motion) add_motion(p, cell);
  if (motion && rill_properties_want(p, RILL_PROPERTY_DIELECTRIC)) add_dipole(p, cell->volume);
  if (energy || stress)
    RILL_TRY(rill_water_sample_forces(&p->sim->system, energy ? &potential : NULL, pressure, error));
  if (stress) add_stress(p, (const double(*)[3])pressure);
  if (energy) add_energy(p, potential, cell->volume);
  if (rill_properties_want(p, RILL_PROPERTY_HYDROGEN_BONDS) && step % p->bond_every == 0)
    RILL_TRY(add_bonds(p, cell, error));
  return RILL_OK;
}

/* ---- resuming ---- */

static void archive_sums(struct rill_block_sums *sums, const char *name, struct rill_archive *archive) {
  if (sums->width == 0) return;
  rill_archive_enter(archive, name);
  rill_block_sums_archive(sums, archive);
  rill_archive_leave(archive);
}

static void archive_correlator(struct rill_correlator *correlator, const char *name, struct rill_archive *archive) {
  if (correlator->lags == 0) return;
  rill_archive_enter(archive, name);
  rill_correlator_archive(correlator, archive);
  rill_archive_leave(archive);
}

void rill_properties_archive(struct rill_properties *p, struct rill_archive *archive) {
  archive_sums(&p->conditions, "conditions", archive);
  archive_sums(&p->dipole, "dipole", archive);
  archive_sums(&p->energies, "energies", archive);
  archive_sums(&p->bonds, "bonds", archive);
  if (p->energies.width > 0) {
    rill_archive_reals(archive, "first_potential", &p->first_potential, 1);
    rill_archive_reals(archive, "first_volume", &p->first_volume, 1);
  }
  if (p->displacement.points > 0) rill_displacement_archive(&p->displacement, archive);
  archive_correlator(&p->displacements, "displacement", archive);
  archive_correlator(&p->velocities, "velocity", archive);
  archive_correlator(&p->axes, "axis", archive);
  archive_correlator(&p->stress, "stress", archive);
}
