#include "water/water_sample.h"

#include <math.h>

#include "base/exact_sum.h"
#include "base/memory.h"
#include "water/water_atoms.h"
#include "water/water_domain.h"
#include "water/water_evaluate.h"
#include "water/water_filtered.h"
#include "water/water_lead.h"
#include "water/water_observe.h"

/* Rows of the result are `stride` apart. */
static void centres(const struct rill_water *water, const double *x, const double offset[3], size_t stride,
                    double *centre) {
  const double *mass = water->options.model.mass, total = rill_water_mass(&water->options.model);
  for (size_t c = 0; c < 3; c++)
    for (size_t m = 0; m < water->molecules; m++) {
      double sum = 0;
      for (size_t a = 0; a < RILL_ATOMS; a++) sum += mass[a] * rill_water_coordinate(water, x, m, a, c);
      centre[c * stride + m] = sum / total + offset[c];
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

static void axes(const struct rill_water *water, const double *q, const double charge[3], size_t stride,
                 double *axis) {
  for (size_t m = 0; m < water->molecules; m++) {
    double d[3], length;
    dipole_of(water, q, charge, m, d);
    length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (size_t c = 0; c < 3; c++) axis[c * stride + m] = d[c] / length;
  }
}

/* Of this process's molecules. */
static void take(struct rill_water *water, enum rill_water_command command, const double charge[3], size_t stride,
                 double *values) {
  static const double none[3] = {0};
  const double *q = rill_water_physical(water);
  if (command == RILL_LEAD_AXES) axes(water, q, charge, stride, values);
  else if (command == RILL_LEAD_CENTRES) centres(water, q, water->offset, stride, values);
  else {
    rill_water_bodies_follow(water);
    centres(water, water->v, none, stride, values);
  }
}

/* Where ranks share the box: out, [3][molecules], on rank 0, NaN when ranks are lost. */
static void take_from_ranks(struct rill_water *water, enum rill_water_command command, const double charge[3],
                            double *out) {
  struct rill_domain *domain = water->domain;
  const bool first = domain->ranks->rank == 0;
  double *all = first ? rill_allocate(3 * domain->all_stride, sizeof *all) : NULL;
  double *own = rill_allocate(3 * water->stride, sizeof *own);
  struct rill_error error = {0};
  enum rill_status status = RILL_OK;
  if (own == NULL || (first && all == NULL)) {
    domain->ranks->broken = true; /* the others wait */
    status = RILL_ERROR_MEMORY;
  } else {
    take(water, command, charge, water->stride, own);
    status = rill_water_collect(water, own, 3, all, &error);
  }
  for (size_t c = 0; first && c < 3; c++)
    for (size_t m = 0; m < domain->all; m++)
      out[c * domain->all + m] = status == RILL_OK ? all[c * domain->all_stride + m] : NAN;
  rill_release(own);
  rill_release(all);
}

void rill_water_sample_rows(struct rill_water *water, enum rill_water_command command, const double charge[3],
                            double *out) {
  struct rill_error unused = {0}; /* a failure shows in what follows */
  if (water->domain == NULL) {
    take(water, command, charge, water->molecules, out);
    return;
  }
  (void)rill_water_lead_with(water, command, charge, &unused);
  take_from_ranks(water, command, charge, out);
}

void rill_water_sample_molecules(const struct rill_system *system, const double charge[3],
                                 struct rill_water_sample *sample) {
  struct rill_water *water = system->self;
  if (sample->centre != NULL) rill_water_sample_rows(water, RILL_LEAD_CENTRES, charge, sample->centre);
  if (sample->axis != NULL) rill_water_sample_rows(water, RILL_LEAD_AXES, charge, sample->axis);
  if (sample->velocity == NULL) return;
  rill_water_sample_rows(water, RILL_LEAD_CENTRE_VELOCITIES, charge, sample->velocity);
  remove_mean(sample->velocity, rill_water_all(water));
}

void rill_water_total_dipole(const struct rill_system *system, const double charge[3], double dipole[3]) {
  struct rill_water *water = system->self;
  const double *q = rill_water_physical(water);
  struct rill_exact_sum sum[3] = {{.terms = 0}};
  struct rill_error unused = {0};
  (void)rill_water_lead_with(water, RILL_LEAD_DIPOLE, charge, &unused);
  for (size_t m = 0; m < water->molecules; m++) {
    double d[3];
    dipole_of(water, q, charge, m, d);
    for (size_t c = 0; c < 3; c++) rill_exact_add(&sum[c], d[c]);
  }
  rill_water_add_up(water, sum, 3);
  for (size_t c = 0; c < 3; c++) dipole[c] = rill_exact_value(&sum[c]);
}

double rill_water_kinetic_energy(const struct rill_system *system) {
  struct rill_water *water = system->self;
  struct rill_error unused = {0};
  double kinetic;
  (void)rill_water_lead(water, RILL_LEAD_KINETIC, &unused);
  rill_water_bodies_follow(water);
  rill_water_kinetic(water, &kinetic, NULL);
  return kinetic;
}

enum rill_status rill_water_sample_forces(const struct rill_system *system, double *potential, double pressure[3][3],
                                          struct rill_error *error) {
  struct rill_water *water = system->self;
  const unsigned wanted = potential != NULL ? RILL_FLOW_ENERGY : RILL_FLOW_VIRIAL;
  double flux[3][3];
  RILL_TRY(rill_water_lead_forces(water, wanted, error));
  rill_water_evaluate_for(water, wanted);
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
