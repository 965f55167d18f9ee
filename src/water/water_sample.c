#include "water/water_sample.h"

#include <math.h>

#include "water/water_atoms.h"
#include "water/water_evaluate.h"
#include "water/water_filtered.h"
#include "water/water_observe.h"

static void centres(const struct rill_water *water, const double *x, const double offset[3], double *centre) {
  const double *mass = water->options.model.mass, total = rill_water_mass(&water->options.model);
  for (size_t c = 0; c < 3; c++)
    for (size_t m = 0; m < water->molecules; m++) {
      double sum = 0;
      for (size_t a = 0; a < RILL_ATOMS; a++) sum += mass[a] * rill_water_coordinate(water, x, m, a, c);
      centre[c * water->molecules + m] = sum / total + offset[c];
    }
}

/* A bath with noise moves the liquid as a whole, slowly: its correlation would count as diffusion. */
static void remove_mean(double *velocity, size_t molecules) {
  for (size_t c = 0; c < 3; c++) {
    double mean = 0.0, *v = velocity + c * molecules;
    for (size_t m = 0; m < molecules; m++) mean += v[m] / (double)molecules;
    for (size_t m = 0; m < molecules; m++) v[m] -= mean;
  }
}

static void dipole_of(const struct rill_water *water, const double *q, const double charge[3], size_t m,
                      double dipole[3]) {
  for (size_t c = 0; c < 3; c++) {
    dipole[c] = 0;
    for (size_t a = 0; a < RILL_ATOMS; a++) dipole[c] += charge[a] * rill_water_coordinate(water, q, m, a, c);
  }
}

static void axes(const struct rill_water *water, const double *q, const double charge[3], double *axis) {
  for (size_t m = 0; m < water->molecules; m++) {
    double d[3], length;
    dipole_of(water, q, charge, m, d);
    length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (size_t c = 0; c < 3; c++) axis[c * water->molecules + m] = d[c] / length;
  }
}

void rill_water_sample_molecules(const struct rill_system *system, const double charge[3],
                                 struct rill_water_sample *sample) {
  static const double none[3] = {0};
  struct rill_water *water = system->self;
  const double *q = rill_water_physical(water);
  if (sample->centre != NULL) centres(water, q, water->offset, sample->centre);
  if (sample->axis != NULL) axes(water, q, charge, sample->axis);
  if (sample->velocity == NULL) return;
  rill_water_bodies_follow(water);
  centres(water, water->v, none, sample->velocity);
  remove_mean(sample->velocity, water->molecules);
}

void rill_water_total_dipole(const struct rill_system *system, const double charge[3], double dipole[3]) {
  struct rill_water *water = system->self;
  const double *q = rill_water_physical(water);
  for (size_t c = 0; c < 3; c++) dipole[c] = 0;
  for (size_t m = 0; m < water->molecules; m++) {
    double d[3];
    dipole_of(water, q, charge, m, d);
    for (size_t c = 0; c < 3; c++) dipole[c] += d[c];
  }
}

double rill_water_kinetic_energy(const struct rill_system *system) {
  struct rill_water *water = system->self;
  double kinetic;
  rill_water_bodies_follow(water);
  rill_water_kinetic(water, &kinetic, NULL);
  return kinetic;
}

enum rill_status rill_water_sample_forces(const struct rill_system *system, double *potential, double pressure[3][3],
                                          struct rill_error *error) {
  struct rill_water *water = system->self;
  double flux[3][3];
  rill_water_evaluate_for(water, potential != NULL ? RILL_FLOW_ENERGY : RILL_FLOW_VIRIAL);
  RILL_TRY(rill_water_field_failed(water, error));
  rill_water_bodies_follow(water);
  if (potential != NULL) *potential = water->soft;
  rill_water_flux(water, flux);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      pressure[i][j] = (flux[i][j] + 0.5 * (water->energies.virial[i][j] + water->energies.virial[j][i])) /
                       rill_water_field_cell(water->field)->volume;
  return RILL_OK;
}
