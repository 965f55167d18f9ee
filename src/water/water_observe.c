#include "water/water_observe.h"

#include <math.h>

#include "base/exact_sum.h"
#include "base/units.h"
#include "numerics/mat3.h"
#include "water/water_atoms.h"
#include "water/water_bath.h"
#include "water/water_domain.h"
#include "water/water_barostat.h"
#include "water/water_evaluate.h"
#include "water/water_filtered.h"

static void centre_of(const struct rill_water *water, const double *x, size_t molecule, double centre[3]) {
  const double *mass = water->options.model.mass;
  double total = rill_water_mass(&water->options.model);
  for (size_t c = 0; c < 3; c++) {
    centre[c] = 0;
    for (size_t a = 0; a < RILL_ATOMS; a++) centre[c] += mass[a] * rill_water_coordinate(water, x, molecule, a, c);
    centre[c] /= total;
  }
}

void rill_water_kinetic(const struct rill_water *water, double *all, double *translation) {
  const double *mass = water->options.model.mass;
  const double total = rill_water_mass(&water->options.model);
  struct rill_exact_sum sum = {0}, com = {0};
  for (size_t m = 0; m < water->molecules; m++) {
    double p[3] = {0}, own = 0;
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t c = 0; c < 3; c++) {
        double v = rill_water_coordinate(water, water->v, m, a, c);
        own += mass[a] * v * v;
        p[c] += mass[a] * v;
      }
    rill_exact_add(&sum, own);
    if (translation != NULL) rill_exact_add(&com, (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / total);
  }
  rill_water_add_up(water, &sum, 1);
  *all = 0.5 * rill_exact_value(&sum);
  if (translation == NULL) return;
  rill_water_add_up(water, &com, 1);
  *translation = 0.5 * rill_exact_value(&com);
}

double rill_water_whole_mass(const struct rill_water *water) {
  return rill_water_mass(&water->options.model) * (double)rill_water_all(water);
}

static void values_of(const struct rill_water *water, struct rill_exact_sum sum[3], double value[3]) {
  rill_water_add_up(water, sum, 3);
  for (int c = 0; c < 3; c++) value[c] = rill_exact_value(&sum[c]);
}

/* The sum of mass times x. */
static void moment_of(const struct rill_water *water, const double *x, double moment[3]) {
  const double total = rill_water_mass(&water->options.model);
  struct rill_exact_sum sum[3] = {{.terms = 0}};
  for (size_t m = 0; m < water->molecules; m++) {
    double molecule[3];
    centre_of(water, x, m, molecule);
    for (int c = 0; c < 3; c++) rill_exact_add(&sum[c], total * molecule[c]);
  }
  values_of(water, sum, moment);
}

void rill_water_momentum(const struct rill_water *water, double momentum[3]) { moment_of(water, water->v, momentum); }

/* About the centre of mass, in the frame in which it is at rest. */
static void angular_momentum(const struct rill_water *water, const double momentum[3], double angular[3]) {
  const double *mass = water->options.model.mass, total = rill_water_whole_mass(water);
  struct rill_exact_sum sum[3] = {{.terms = 0}};
  double moment[3];
  moment_of(water, water->q, moment);
  for (size_t m = 0; m < water->molecules; m++) {
    double l[3] = {0};
    for (size_t a = 0; a < RILL_ATOMS; a++) {
      double r[3], u[3];
      for (size_t c = 0; c < 3; c++) {
        r[c] = rill_water_coordinate(water, water->q, m, a, c) - moment[c] / total;
        u[c] = mass[a] * (rill_water_coordinate(water, water->v, m, a, c) - momentum[c] / total);
      }
      for (int c = 0; c < 3; c++) l[c] += r[(c + 1) % 3] * u[(c + 2) % 3] - r[(c + 2) % 3] * u[(c + 1) % 3];
    }
    for (int c = 0; c < 3; c++) rill_exact_add(&sum[c], l[c]);
  }
  values_of(water, sum, angular);
}

static void add_inertia(double inertia[3][3], double mass, const double r[3]) {
  double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) inertia[i][j] += mass * ((i == j ? r2 : 0.0) - r[i] * r[j]);
}

void rill_water_momenta(const struct rill_water *water, double momentum[3], double centre[3], double angular[3],
                        double inertia[3][3], double own_inertia[3][3]) {
  const double *mass = water->options.model.mass;
  double p[3] = {0}, x[3] = {0}, l[3] = {0}, all[3][3] = {{0}}, own[3][3] = {{0}};
  double total = rill_water_mass(&water->options.model) * (double)water->molecules;
  for (size_t m = 0; m < water->molecules; m++)
    for (size_t a = 0; a < RILL_ATOMS; a++)
      for (size_t c = 0; c < 3; c++) {
        p[c] += mass[a] * rill_water_coordinate(water, water->v, m, a, c);
        x[c] += mass[a] * rill_water_coordinate(water, water->q, m, a, c);
      }
  for (int c = 0; c < 3; c++) x[c] /= total;
  if (angular != NULL || inertia != NULL || own_inertia != NULL)
    for (size_t m = 0; m < water->molecules; m++) {
      double molecule[3];
      centre_of(water, water->q, m, molecule);
      for (size_t a = 0; a < RILL_ATOMS; a++) {
        double r[3], s[3], u[3];
        for (size_t c = 0; c < 3; c++) {
          r[c] = rill_water_coordinate(water, water->q, m, a, c) - x[c];
          s[c] = rill_water_coordinate(water, water->q, m, a, c) - molecule[c];
          u[c] = mass[a] * (rill_water_coordinate(water, water->v, m, a, c) - p[c] / total);
        }
        for (int c = 0; c < 3; c++) l[c] += r[(c + 1) % 3] * u[(c + 2) % 3] - r[(c + 2) % 3] * u[(c + 1) % 3];
        add_inertia(all, mass[a], r);
        add_inertia(own, mass[a], s);
      }
    }
  for (int i = 0; i < 3; i++) {
    if (momentum != NULL) momentum[i] = p[i];
    if (centre != NULL) centre[i] = x[i];
    if (angular != NULL) angular[i] = l[i];
    for (int j = 0; j < 3; j++) {
      if (inertia != NULL) inertia[i][j] = all[i][j];
      if (own_inertia != NULL) own_inertia[i][j] = own[i][j];
    }
  }
}

/* 6 N (9 N for penalised water) less the removed ones.  A removed rotation of the whole cluster takes 3, which are
 * shared between the molecules' own rotation and their translation in proportion to their parts of the inertia:
 * tr(I^-1 I_own) and the rest, exact for the expectation at this configuration. */
double rill_water_freedom_of_all(const struct rill_water *water) {
  return (water->penalised ? 9 : 6) * (double)rill_water_all(water) - water->removed_linear - water->removed_angular;
}

struct rill_water_freedom rill_water_freedom(const struct rill_water *water) {
  double n = (double)rill_water_all(water), own_share = 0;
  struct rill_water_freedom freedom;
  if (water->removed_angular > 0) {
    double inertia[3][3], own[3][3], inverse[3][3];
    rill_water_momenta(water, NULL, NULL, NULL, inertia, own);
    if (rill_mat3_inverse(inertia, inverse))
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) own_share += inverse[i][j] * own[j][i];
  }
  freedom.all = rill_water_freedom_of_all(water);
  freedom.rotation = (water->penalised ? 6 : 3) * n - own_share; /* including the vibrations of penalised water */
  freedom.translation = freedom.all - freedom.rotation;
  return freedom;
}

static void deviations(const struct rill_water *water, const double *q, struct rill_observation *o) {
  const struct rill_water_model *model = &water->options.model;
  const double count = (double)(RILL_BONDS * rill_water_all(water));
  struct rill_exact_sum position_sum = {0}, velocity_sum = {0};
  double largest[2];
  o->position_deviation_max = o->velocity_deviation_max = 0;
  for (size_t m = 0; m < water->molecules; m++)
    for (size_t b = 0; b < RILL_BONDS; b++) {
      double r2 = 0, rv = 0, position, velocity;
      for (size_t c = 0; c < 3; c++) {
        double r = rill_water_coordinate(water, q, m, rill_bond_ends[b][1], c) -
                   rill_water_coordinate(water, q, m, rill_bond_ends[b][0], c);
        double v = rill_water_coordinate(water, water->v, m, rill_bond_ends[b][1], c) -
                   rill_water_coordinate(water, water->v, m, rill_bond_ends[b][0], c);
        r2 += r * r;
        rv += r * v;
      }
      position = fabs(sqrt(r2) - model->bond[b]) / model->bond[b];
      velocity = fabs(rv) / sqrt(r2) / water->options.constraints.thermal_velocity;
      o->position_deviation_max = fmax(o->position_deviation_max, position);
      o->velocity_deviation_max = fmax(o->velocity_deviation_max, velocity);
      rill_exact_add(&position_sum, position * position);
      rill_exact_add(&velocity_sum, velocity * velocity);
    }
  largest[0] = o->position_deviation_max;
  largest[1] = o->velocity_deviation_max;
  rill_water_largest(water, largest, 2);
  o->bond_deviation = o->position_deviation_max = largest[0];
  o->velocity_deviation_max = largest[1];
  rill_water_add_up(water, &position_sum, 1);
  rill_water_add_up(water, &velocity_sum, 1);
  o->position_deviation_rms = sqrt(rill_exact_value(&position_sum) / count);
  o->velocity_deviation_rms = sqrt(rill_exact_value(&velocity_sum) / count);
}

double rill_water_temperature(double kinetic, double freedom) {
  return freedom > 0 ? 2 * kinetic / (freedom * RILL_GAS_CONSTANT) : NAN;
}

double rill_water_penalty_energy(const struct rill_water *water, const double *q) {
  struct rill_exact_sum sum = {0};
  if (!water->penalised) return 0;
  for (size_t m = 0; m < water->molecules; m++)
    rill_exact_add(&sum, rill_penalty_energy(&water->stiff.penalty, 1, water->stride, q + m));
  rill_water_add_up(water, &sum, 1);
  return rill_exact_value(&sum);
}

/* Terms are rounded to 2^-32 kJ/mol, so that sums of integers, which compilers vectorise, are exact. */
enum { FLUX_BLOCK = 256, FLUX_UNIT = -32 /* power of 2 */ };

/* Adds the products of some molecules; false if one is too large to be rounded, or not finite. */
static bool add_flux(const struct rill_water *water, size_t first, size_t count, struct rill_exact_sum sum[6]) {
  static const double largest = 0x1p18; /* kJ/mol: that of 2e7 K */
  const double *mass = water->options.model.mass, total = rill_water_mass(&water->options.model);
  const double scale = ldexp(total, -FLUX_UNIT);
  double v[3][FLUX_BLOCK];
  bool small = true;
  for (size_t c = 0; c < 3; c++) {
    const double *o = water->v + c * water->stride + first, *h1 = o + 3 * water->stride, *h2 = h1 + 3 * water->stride;
    for (size_t m = 0; m < count; m++)
      v[c][m] = (mass[0] / total) * o[m] + (mass[1] / total) * h1[m] + (mass[2] / total) * h2[m];
    for (size_t m = 0; m < count; m++) small &= total * v[c][m] * v[c][m] < largest;
  }
  for (size_t k = 0, i = 0; i < 3; i++)
    for (size_t j = i; j < 3; j++, k++) {
      uint64_t units = 0; /* wraps if one is too large */
      for (size_t m = 0; m < count; m++) units += (uint64_t)rill_whole_units(scale * v[i][m] * v[j][m]);
      rill_exact_add_units(&sum[k], (int64_t)units, FLUX_UNIT);
    }
  return small;
}

void rill_water_flux(const struct rill_water *water, double flux[3][3]) {
  struct rill_exact_sum sum[6] = {{.terms = 0}};
  for (size_t m = 0; m < water->molecules; m += FLUX_BLOCK) {
    const size_t left = water->molecules - m;
    if (!add_flux(water, m, left < FLUX_BLOCK ? left : FLUX_BLOCK, sum))
      for (int k = 0; k < 6; k++) sum[k].invalid = true;
  }
  rill_water_add_up(water, sum, 6);
  for (size_t k = 0, i = 0; i < 3; i++)
    for (size_t j = i; j < 3; j++, k++) flux[i][j] = flux[j][i] = rill_exact_value(&sum[k]);
}

/* The cell and the molecular pressure: P V = sum M V (x) V + W, with the virial of forces between molecules. */
static void pressure(const struct rill_water *water, const struct rill_field_energies *energies,
                     struct rill_observation *o) {
  const struct rill_cell *cell = rill_water_field_cell(water->field);
  const double volume = cell != NULL ? cell->volume : NAN, mass = rill_water_mass(&water->options.model);
  double flux[3][3], trace = 0;
  o->pressure = o->pressure_bath = o->volume = o->density = o->enthalpy = NAN;
  for (int i = 0; i < 3; i++) {
    o->edge[i] = NAN;
    for (int j = 0; j < 3; j++) o->pressure_tensor[i][j] = NAN;
  }
  if (cell == NULL) return;
  rill_water_flux(water, flux);
  o->pressure = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) o->pressure_tensor[i][j] = (flux[i][j] + energies->virial[i][j]) / volume;
    o->pressure += o->pressure_tensor[i][i] / 3;
    o->edge[i] = cell->vector[i][i];
    trace += energies->virial[i][i];
  }
  o->volume = volume;
  o->density = (double)rill_water_all(water) * mass / volume;
  if (water->options.thermostat)
    o->pressure_bath = ((double)rill_water_all(water) * RILL_GAS_CONSTANT * water->temperature + trace / 3) / volume;
  if (rill_water_has_barostat(water))
    o->enthalpy = o->kinetic + o->potential + water->options.barostat.pressure * volume;
}

enum rill_status rill_water_observe(void *self, struct rill_observation *o, struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_field_energies energies;
  struct rill_water_freedom freedom = rill_water_freedom(water);
  const double *q = rill_water_physical(water);
  double translation;
  rill_water_bodies_follow(water);
  rill_water_energies_at(water, q, &energies);
  RILL_TRY(rill_water_field_failed(water, error));
  o->correction = 0;
  rill_water_kinetic(water, &o->kinetic, &translation);
  o->part[0] = energies.lj;
  o->part[1] = energies.coulomb;
  o->part[2] = water->confine_energy;
  o->part[3] = rill_water_penalty_energy(water, q);
  o->part[4] = water->external_energy;
  o->potential = energies.lj + energies.coulomb + rill_water_outside_energy(water) + o->part[3];
  o->effective = rill_water_rescales(water) ? o->kinetic + o->potential - water->supplied : NAN;
  o->temperature = rill_water_temperature(o->kinetic, freedom.all);
  o->temperature_half = water->temperature_half;
  o->temperature_half_translation = water->temperature_half_translation;
  o->temperature_half_rotation = water->temperature_half_rotation;
  o->temperature_translation = rill_water_temperature(translation, freedom.translation);
  o->temperature_rotation = rill_water_temperature(o->kinetic - translation, freedom.rotation);
  rill_water_momentum(water, o->momentum);
  angular_momentum(water, o->momentum, o->angular_momentum);
  deviations(water, q, o);
  o->attitude_deviation = water->of_bodies ? rill_bodies_deviation(water->body.columns, water->molecules) : NAN;
  if (water->of_bodies) rill_water_largest(water, &o->attitude_deviation, 1);
  pressure(water, &energies, o);
  o->iterations = water->penalised || water->implicit.report.iterations > 0 ? water->implicit.report.iterations
                                                                            : water->iterations;
  rill_water_largest(water, &o->iterations, 1);
  o->evaluations = water->implicit.report.evaluations;
  o->residual = water->implicit.report.residual;
  if (!isfinite(o->kinetic + o->potential))
    return rill_error_set(error, RILL_ERROR_NOT_FINITE, "the energy is not finite (kinetic %g, potential %g kJ/mol)",
                          o->kinetic, o->potential);
  return RILL_OK;
}

void rill_water_observe_half_step(void *self) {
  struct rill_water *water = self;
  struct rill_water_freedom freedom = rill_water_freedom(water);
  double kinetic, translation;
  rill_water_bodies_follow(water);
  rill_water_kinetic(water, &kinetic, &translation);
  water->temperature_half = rill_water_temperature(kinetic, freedom.all);
  water->temperature_half_translation = rill_water_temperature(translation, freedom.translation);
  water->temperature_half_rotation = rill_water_temperature(kinetic - translation, freedom.rotation);
}
