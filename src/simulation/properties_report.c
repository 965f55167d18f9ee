/* Reads the results off the estimators. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/correlation_fits.h"
#include "base/memory.h"
#include "base/units.h"
#include "simulation/properties_parts.h"
#include "simulation/simulation.h"

static const double pi = 3.14159265358979323846;
/* Of a cubic lattice: Yeh & Hummer, J. Phys. Chem. B 108, 15873 (2004). */
static const double cubic = 2.837297;
/* Ends of the ranges of fits, as parts of the longest time. */
static const double displacement_from = 0.1, displacement_to = 0.5, decay_from = 0.05;
/* Decays are fitted as long as the correlation is above. */
static const double decayed = 0.05;

static const double diffusion_unit = 1e3;             /* nm2/ps in 1e-9 m2/s */
static const double viscosity_unit = 1e-4 / RILL_BAR; /* kJ/mol/nm3 ps in mPa s */
static const double heat_unit = 1e3;                  /* kJ in J */
static const double light = 29.9792458;               /* cm in a ns; 1/cm is that many GHz */

/* The state of a run that results depend on. */
struct conditions {
  double temperature, volume; /* K, nm3 */
  double molecules, mass;     /* u, of a molecule */
  double freedom;             /* of a molecule */
};

/* ---- adding to the report ---- */

static struct rill_property *add(struct rill_property_report *report, const char *name, const char *label,
                                 const char *unit, struct rill_estimate estimate, double scale) {
  struct rill_property *result = &report->result[report->count++];
  *result = (struct rill_property){.name = name, .label = label, .unit = unit, .estimate = estimate};
  result->estimate.value *= scale;
  result->estimate.error *= fabs(scale);
  return result;
}

static void note(struct rill_property_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(struct rill_property_report *report, const char *format, ...) {
  va_list arguments;
  if (report->note_count == RILL_PROPERTY_NOTES) return;
  va_start(arguments, format);
  vsnprintf(report->note[report->note_count++], sizeof report->note[0], format, arguments);
  va_end(arguments);
}

/* Rows of the lags that are known: the time, then the columns. */
static enum rill_status add_curve(struct rill_property_report *report, const char *name, size_t columns, size_t rows,
                                  struct rill_property_curve **curve, struct rill_error *error) {
  *curve = &report->curve[report->curve_count];
  **curve = (struct rill_property_curve){.name = name, .columns = columns, .rows = rows, .from = NAN, .to = NAN};
  (*curve)->values = rill_allocate(columns * rows + 1, sizeof *(*curve)->values);
  if ((*curve)->values == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a correlation");
  report->curve_count++;
  return RILL_OK;
}

static void name_column(struct rill_property_curve *curve, size_t column, const char *name, const char *unit) {
  curve->column[column] = name;
  curve->unit[column] = unit;
}

static void fill(struct rill_property_curve *curve, size_t column, const struct rill_estimate *estimates, bool errors,
                 double scale) {
  for (size_t i = 0; i < curve->rows; i++)
    curve->values[i * curve->columns + column] = (errors ? estimates[i].error : estimates[i].value) * scale;
}

static void fill_times(struct rill_property_curve *curve, const struct rill_correlator *correlator, double interval) {
  name_column(curve, 0, "time", "ps");
  for (size_t i = 0; i < curve->rows; i++)
    curve->values[i * curve->columns] = rill_correlator_lag(correlator, i) * interval;
}

static double time_at(const struct rill_properties *p, const struct rill_correlator *correlator, size_t index) {
  const bool motion = correlator == &p->displacements || correlator == &p->axes;
  return rill_correlator_lag(correlator, index) * (motion ? p->motion_interval : p->interval);
}

static void mark_range(const struct rill_properties *p, const struct rill_correlator *correlator,
                       struct rill_lag_range range, struct rill_property_curve *curve, struct rill_property *result,
                       const char *what) {
  if (range.last < range.first) {
    snprintf(result->remark, sizeof result->remark, "no %s: the run is too short", what);
    return;
  }
  curve->from = time_at(p, correlator, range.first);
  curve->to = time_at(p, correlator, range.last);
  snprintf(result->remark, sizeof result->remark, "%s %.4g to %.4g ps", what, curve->from, curve->to);
}

/* ---- conditions ---- */

static struct conditions find_conditions(const struct rill_properties *p) {
  const struct rill_deck *deck = &p->sim->deck;
  const double *mass = p->sim->model.mass;
  double sums[CONDITION_SUMS];
  struct conditions c = {.molecules = (double)p->molecules, .mass = mass[0] + mass[1] + mass[2]};
  rill_block_sums_total(&p->conditions, sums);
  c.freedom = rill_simulation_degrees_of_freedom(p->sim) / c.molecules;
  c.volume = sums[CONDITION_VOLUME] / sums[CONDITION_SAMPLES];
  c.temperature = deck->thermostat.temperature[0];
  if (deck->thermostat.method == RILL_NO_BATH)
    c.temperature =
        2 * sums[CONDITION_KINETIC] / sums[CONDITION_SAMPLES] / (c.freedom * c.molecules * RILL_GAS_CONSTANT);
  return c;
}

/* The bath's friction on centres of mass, 1/ps. */
static double friction_of(const struct rill_properties *p, double mass) {
  const struct rill_deck *deck = &p->sim->deck;
  if (deck->thermostat.method != RILL_GLA && deck->thermostat.method != RILL_BAOAB) return 0;
  return deck->thermostat.friction_law == RILL_FRICTION_PER_MASS ? 3 * deck->thermostat.friction / mass
                                                                 : deck->thermostat.friction;
}

/* The diffusion coefficient, in nm2/ps, gives the liquid's own friction, k T / (m D) less the bath's. */
static void note_friction(const struct rill_properties *p, const struct conditions *c, double diffusion,
                          struct rill_property_report *report) {
  const double friction = friction_of(p, c->mass), kt = RILL_GAS_CONSTANT * c->temperature;
  const unsigned dynamic =
      RILL_PROPERTY_DIFFUSION | RILL_PROPERTY_VISCOSITY | RILL_PROPERTY_DIPOLE | RILL_PROPERTY_VELOCITY;
  if (friction <= 0 || !(p->compute & dynamic)) return;
  if (diffusion > 0)
    note(report,
         "the heat bath slows the dynamics: its friction of %.4g /ps is %.2g %% of all that a molecule feels; by "
         "about as much diffusion is too low",
         friction, 100 * friction * c->mass * diffusion / kt);
  else
    note(report,
         "the heat bath slows the dynamics, by its friction of %.4g /ps; add `diffusion` to learn what share of the "
         "whole friction that is",
         friction);
}

/* ---- viscosity ---- */

static enum rill_status report_viscosity(const struct rill_properties *p, const struct conditions *c,
                                         struct rill_property_report *report, struct rill_estimate *viscosity,
                                         struct rill_error *error) {
  const size_t known = rill_correlator_known(&p->stress);
  const double scale = c->volume / (RILL_GAS_CONSTANT * c->temperature) * viscosity_unit,
               squared = 1 / (RILL_BAR * RILL_BAR);
  struct rill_estimate *curves = rill_allocate(2 * known + 1, sizeof *curves);
  struct rill_lag_range plateau;
  struct rill_property_curve *curve;
  struct rill_property *result;
  enum rill_status status;
  if (curves == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the viscosity");
  status = add_curve(report, "viscosity", 4, known, &curve, error);
  if (status == RILL_OK) status = rill_correlation_curve(&p->stress, 0, curves, error);
  if (status == RILL_OK)
    status = rill_correlation_integral(&p->stress, p->interval, curves + known, &plateau, viscosity, error);
  if (status == RILL_OK) {
    fill_times(curve, &p->stress, p->interval);
    name_column(curve, 1, "stress_correlation", "bar2");
    name_column(curve, 2, "viscosity", "mPa s");
    name_column(curve, 3, "viscosity_error", "mPa s");
    fill(curve, 1, curves, false, squared);
    fill(curve, 2, curves + known, false, scale);
    fill(curve, 3, curves + known, true, scale);
    result = add(report, "viscosity", "shear viscosity", "mPa s", *viscosity, scale);
    *viscosity = result->estimate;
    mark_range(p, &p->stress, plateau, curve, result, "plateau");
    if (plateau.last < plateau.first)
      snprintf(result->remark, sizeof result->remark,
               "no plateau within %.4g ps: a longer run or a longer window is needed",
               p->sim->deck.properties.window);
  }
  rill_release(curves);
  return status;
}

/* ---- diffusion ---- */

static bool is_cubic(const struct rill_properties *p) {
  const struct rill_cell *cell = rill_water_cell(&p->sim->system);
  const double edge = cell->vector[0][0];
  return rill_cell_is_rectangular(cell) && fabs(cell->vector[1][1] / edge - 1) < 1e-6 &&
         fabs(cell->vector[2][2] / edge - 1) < 1e-6;
}

/* viscosity: mPa s; value NaN: not known. */
static void correct_for_size(const struct rill_properties *p, const struct conditions *c,
                             struct rill_estimate diffusion, struct rill_estimate viscosity,
                             struct rill_property_report *report) {
  const double eta = viscosity.value / viscosity_unit,
               correction = cubic * RILL_GAS_CONSTANT * c->temperature / (6 * pi * eta * cbrt(c->volume));
  const double part = correction * viscosity.error / viscosity.value;
  struct rill_property *result;
  struct rill_estimate whole = diffusion;
  if (!is_cubic(p)) {
    note(report, "the correction of diffusion for the box's size is known for a cube: none is given");
    return;
  }
  whole.value += correction;
  whole.error = hypot(diffusion.error, part);
  if (diffusion.sampling == RILL_SAMPLING_ENOUGH) whole.sampling = viscosity.sampling;
  result = add(report, "diffusion_infinite", "  of an infinite box", "1e-9 m2/s", whole, diffusion_unit);
  if (isfinite(viscosity.value))
    snprintf(result->remark, sizeof result->remark, "with %.4g added for the size of the box",
             correction * diffusion_unit);
  else
    snprintf(result->remark, sizeof result->remark,
             rill_properties_want(p, RILL_PROPERTY_VISCOSITY) ? "the viscosity has no plateau"
                                                              : "needs the viscosity of this run: add `viscosity`");
}

static enum rill_status report_diffusion(const struct rill_properties *p, const struct conditions *c,
                                         struct rill_estimate viscosity, struct rill_property_report *report,
                                         double *diffusion, struct rill_error *error) {
  const struct rill_correlator *correlator = &p->displacements;
  const double window = p->sim->deck.properties.window;
  const size_t known = rill_correlator_known(correlator);
  const struct rill_lag_range range =
      rill_correlation_range(correlator, p->motion_interval, displacement_from * window, displacement_to * window);
  struct rill_estimate *curves = rill_allocate(known + 1, sizeof *curves), slope;
  struct rill_property_curve *curve;
  struct rill_property *result;
  enum rill_status status;
  if (curves == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the diffusion");
  status = add_curve(report, "displacement", 3, known, &curve, error);
  if (status == RILL_OK) status = rill_correlation_curve(correlator, 0, curves, error);
  if (status == RILL_OK)
    status = rill_correlation_slope(correlator, p->motion_interval, 0, false, range, &slope, error);
  if (status == RILL_OK) {
    fill_times(curve, correlator, p->motion_interval);
    name_column(curve, 1, "squared_displacement", "nm2");
    name_column(curve, 2, "squared_displacement_error", "nm2");
    fill(curve, 1, curves, false, 1);
    fill(curve, 2, curves, true, 1);
    slope.value /= 6;
    slope.error /= 6;
    *diffusion = slope.value;
    result = add(report, "diffusion", "self-diffusion", "1e-9 m2/s", slope, diffusion_unit);
    mark_range(p, correlator, range, curve, result, "fit");
    correct_for_size(p, c, slope, viscosity, report);
  }
  rill_release(curves);
  return status;
}

/* ---- velocities ---- */

static enum rill_status add_spectrum(const struct rill_properties *p, const struct rill_estimate *correlation,
                                     size_t known, struct rill_property_report *report, struct rill_error *error) {
  const size_t even = p->velocities.options.values, count = known < even ? known : even;
  struct rill_property_curve *curve;
  double values[RILL_BLOCKS];
  if (count < 2 || count > RILL_BLOCKS) return RILL_OK;
  for (size_t i = 0; i < count; i++) values[i] = correlation[i].value;
  RILL_TRY(add_curve(report, "velocity_spectrum", 2, count, &curve, error));
  name_column(curve, 0, "wavenumber", "1/cm");
  name_column(curve, 1, "spectrum", "ps");
  for (size_t i = 0; i < count; i++) { /* up to the highest frequency that the samples resolve */
    const double frequency = 0.5 / p->interval * (double)i / (double)(count - 1);
    curve->values[2 * i] = frequency * 1e3 / light;
    curve->values[2 * i + 1] = rill_correlation_spectrum(values, count, p->interval, frequency);
  }
  return RILL_OK;
}

static enum rill_status report_velocity(const struct rill_properties *p, struct rill_property_report *report,
                                        struct rill_error *error) {
  const size_t known = rill_correlator_known(&p->velocities);
  struct rill_estimate *curves = rill_allocate(2 * known + 1, sizeof *curves), value;
  struct rill_lag_range plateau;
  struct rill_property_curve *curve;
  enum rill_status status;
  if (curves == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the velocities");
  status = add_curve(report, "velocity", 4, known, &curve, error);
  if (status == RILL_OK) status = rill_correlation_curve(&p->velocities, 0, curves, error);
  if (status == RILL_OK)
    status = rill_correlation_integral(&p->velocities, p->interval, curves + known, &plateau, &value, error);
  if (status == RILL_OK) {
    fill_times(curve, &p->velocities, p->interval);
    name_column(curve, 1, "velocity_correlation", "nm2/ps2");
    name_column(curve, 2, "diffusion", "1e-9 m2/s");
    name_column(curve, 3, "diffusion_error", "1e-9 m2/s");
    fill(curve, 1, curves, false, 1);
    fill(curve, 2, curves + known, false, diffusion_unit / 3);
    fill(curve, 3, curves + known, true, diffusion_unit / 3);
    mark_range(
        p, &p->velocities, plateau, curve,
        add(report, "diffusion_velocity", "self-diffusion, by velocities", "1e-9 m2/s", value, diffusion_unit / 3),
        "plateau");
    status = add_spectrum(p, curves, known, report, error);
  }
  rill_release(curves);
  return status;
}

/* ---- reorientation ---- */

static enum rill_status report_decay(const struct rill_properties *p, size_t function,
                                     const struct rill_estimate *correlation, struct rill_property_curve *curve,
                                     struct rill_property_report *report, struct rill_error *error) {
  static const char *const name[] = {"dipole_tau_1", "dipole_tau_2"};
  static const char *const label[] = {"reorientation of dipoles, P1", "  P2"};
  const double window = p->sim->deck.properties.window;
  const size_t known = rill_correlator_known(&p->axes);
  struct rill_lag_range range;
  struct rill_estimate slope, time;
  size_t last = 0;
  while (last + 1 < known && correlation[last + 1].value > decayed) last++;
  range = rill_correlation_range(&p->axes, p->motion_interval, decay_from * window,
                                 fmin(time_at(p, &p->axes, last), displacement_to * window));
  RILL_TRY(rill_correlation_slope(&p->axes, p->motion_interval, function, true, range, &slope, error));
  time = (struct rill_estimate){-1 / slope.value, slope.error / (slope.value * slope.value), slope.sampling};
  mark_range(p, &p->axes, range, curve, add(report, name[function], label[function], "ps", time, 1), "fit");
  return RILL_OK;
}

static enum rill_status report_dipoles(const struct rill_properties *p, struct rill_property_report *report,
                                       struct rill_error *error) {
  static const char *const name[] = {"dipole_P1", "dipole_P2"};
  const size_t known = rill_correlator_known(&p->axes);
  struct rill_estimate *correlation = rill_allocate(known + 1, sizeof *correlation);
  struct rill_property_curve *curve;
  enum rill_status status = RILL_OK;
  if (correlation == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the dipoles");
  for (size_t f = 0; status == RILL_OK && f < 2; f++) {
    status = add_curve(report, name[f], 3, known, &curve, error);
    if (status == RILL_OK) status = rill_correlation_curve(&p->axes, f, correlation, error);
    if (status != RILL_OK) break;
    fill_times(curve, &p->axes, p->motion_interval);
    name_column(curve, 1, "correlation", "1");
    name_column(curve, 2, "error", "1");
    fill(curve, 1, correlation, false, 1);
    fill(curve, 2, correlation, true, 1);
    status = report_decay(p, f, correlation, curve, report, error);
  }
  rill_release(correlation);
  return status;
}

/* ---- fluctuations ---- */

struct fluctuation {
  const struct rill_properties *properties;
  const struct conditions *conditions;
};

enum dielectric_result { DIELECTRIC_CONSTANT, DIELECTRIC_SQUARE, DIELECTRIC_MEAN, DIELECTRIC_RESULTS };

/* eps = 1 + 4 pi f (<M2> - <M>2) / (3 V k T), f = 1 / (4 pi eps0); <M2>; <M>2. */
static void dielectric(void *context, const double *sums, double *result) {
  const struct fluctuation *of = context;
  const double n = sums[DIPOLE_SAMPLES], kt = RILL_GAS_CONSTANT * of->conditions->temperature;
  double mean = 0;
  for (int c = 0; c < 3; c++) mean += sums[DIPOLE_X + c] / n * (sums[DIPOLE_X + c] / n);
  result[DIELECTRIC_SQUARE] = sums[DIPOLE_SQUARE] / n;
  result[DIELECTRIC_MEAN] = mean;
  result[DIELECTRIC_CONSTANT] = 1 + 4 * pi * of->properties->sim->deck.system.coulomb_constant *
                                        (result[DIELECTRIC_SQUARE] - mean) / (3 * sums[DIPOLE_VOLUME] / n * kt);
}

static enum rill_status report_dielectric(const struct rill_properties *p, const struct conditions *c,
                                          struct rill_property_report *report, struct rill_error *error) {
  struct fluctuation of = {p, c};
  struct rill_estimate e[DIELECTRIC_RESULTS];
  struct rill_property *mean;
  RILL_TRY(rill_block_sums_estimate(&p->dipole, dielectric, &of, DIELECTRIC_RESULTS, e, error));
  add(report, "dielectric", "dielectric constant", "1", e[DIELECTRIC_CONSTANT], 1);
  add(report, "dipole_square", "  <M2> of the box", "e2 nm2", e[DIELECTRIC_SQUARE], 1);
  e[DIELECTRIC_MEAN].error = NAN; /* it is itself an error, squared */
  mean = add(report, "dipole_mean_square", "  <M>2", "e2 nm2", e[DIELECTRIC_MEAN], 1);
  mean->estimate.sampling = RILL_SAMPLING_CONSERVED;
  snprintf(mean->remark, sizeof mean->remark, "%.3g of <M2>: zero by symmetry in a long run",
           e[DIELECTRIC_MEAN].value / e[DIELECTRIC_SQUARE].value);
  return RILL_OK;
}

enum energy_result { HEAT_CAPACITY, EXPANSION, COMPRESSIBILITY, VAPORISATION, ENERGY_RESULTS };

/* Of H = U + P0 V, with P0 = 0 at constant volume; momenta are independent of U and V, and add f R / 2. */
static void energy_fluctuations(void *context, const double *sums, double *result) {
  const struct fluctuation *of = context;
  const struct rill_properties *p = of->properties;
  const struct conditions *c = of->conditions;
  const bool constant_pressure = p->sim->deck.barostat.method != RILL_NO_BAROSTAT;
  const double pressure = constant_pressure ? p->sim->deck.barostat.pressure : 0, t = c->temperature,
               kt = RILL_GAS_CONSTANT * t, n = sums[ENERGY_SAMPLES];
  const double u = sums[ENERGY_U] / n, v = sums[ENERGY_V] / n, uu = sums[ENERGY_UU] / n - u * u,
               vv = sums[ENERGY_VV] / n - v * v, uv = sums[ENERGY_UV] / n - u * v;
  const double volume = p->first_volume + v, hh = uu + 2 * pressure * uv + pressure * pressure * vv;
  result[HEAT_CAPACITY] = hh / (c->molecules * kt * t) + 0.5 * c->freedom * RILL_GAS_CONSTANT;
  result[EXPANSION] = (uv + pressure * vv) / (kt * t * volume);
  result[COMPRESSIBILITY] = vv / (kt * volume);
  result[VAPORISATION] = kt - (p->first_potential + u) / c->molecules;
}

static enum rill_status report_energies(const struct rill_properties *p, const struct conditions *c,
                                        struct rill_property_report *report, struct rill_error *error) {
  const bool constant_pressure = p->sim->deck.barostat.method != RILL_NO_BAROSTAT;
  struct fluctuation of = {p, c};
  struct rill_estimate e[ENERGY_RESULTS];
  RILL_TRY(rill_block_sums_estimate(&p->energies, energy_fluctuations, &of, ENERGY_RESULTS, e, error));
  if (rill_properties_want(p, RILL_PROPERTY_HEAT_CAPACITY))
    add(report, constant_pressure ? "heat_capacity_pressure" : "heat_capacity_volume",
        constant_pressure ? "heat capacity, Cp" : "heat capacity, Cv", "J/mol/K", e[HEAT_CAPACITY], heat_unit);
  if (rill_properties_want(p, RILL_PROPERTY_EXPANSION))
    add(report, "expansion", "thermal expansion", "1e-4/K", e[EXPANSION], 1e4);
  if (rill_properties_want(p, RILL_PROPERTY_COMPRESSIBILITY))
    add(report, "compressibility", "isothermal compressibility", "1e-6/bar", e[COMPRESSIBILITY], 1e6 * RILL_BAR);
  if (rill_properties_want(p, RILL_PROPERTY_VAPORISATION))
    snprintf(add(report, "vaporisation", "heat of vaporisation", "kcal/mol", e[VAPORISATION], 1 / RILL_KCAL)->remark,
             sizeof report->result[0].remark, "RT - <U>/N: of a rigid model, the vapour ideal");
  return RILL_OK;
}

/* Each bond counts for both molecules. */
static void bonds_a_molecule(void *context, const double *sums, double *result) {
  const struct conditions *c = context;
  *result = 2 * sums[BOND_COUNT] / sums[BOND_SAMPLES] / c->molecules;
}

static enum rill_status report_bonds(const struct rill_properties *p, struct conditions *c,
                                     struct rill_property_report *report, struct rill_error *error) {
  struct rill_estimate bonds;
  RILL_TRY(rill_block_sums_estimate(&p->bonds, bonds_a_molecule, c, 1, &bonds, error));
  snprintf(add(report, "hydrogen_bonds", "hydrogen bonds a molecule", "1", bonds, 1)->remark,
           sizeof report->result[0].remark, "O-O below 0.35 nm and the angle H-O...O below 30 degrees");
  return RILL_OK;
}

/* ---- all ---- */

static enum rill_status report_all(const struct rill_properties *p, struct rill_property_report *report,
                                   struct rill_error *error) {
  struct conditions c = find_conditions(p);
  struct rill_estimate viscosity = {NAN, NAN, RILL_SAMPLING_FEW};
  double diffusion = NAN;
  if (rill_properties_want(p, RILL_PROPERTY_VISCOSITY)) RILL_TRY(report_viscosity(p, &c, report, &viscosity, error));
  if (rill_properties_want(p, RILL_PROPERTY_DIFFUSION))
    RILL_TRY(report_diffusion(p, &c, viscosity, report, &diffusion, error));
  if (rill_properties_want(p, RILL_PROPERTY_VELOCITY)) RILL_TRY(report_velocity(p, report, error));
  if (rill_properties_want(p, RILL_PROPERTY_DIPOLE)) RILL_TRY(report_dipoles(p, report, error));
  if (rill_properties_want(p, RILL_PROPERTY_DIELECTRIC)) RILL_TRY(report_dielectric(p, &c, report, error));
  if (rill_properties_take_energies(p)) RILL_TRY(report_energies(p, &c, report, error));
  if (rill_properties_want(p, RILL_PROPERTY_HYDROGEN_BONDS)) RILL_TRY(report_bonds(p, &c, report, error));
  note_friction(p, &c, diffusion, report);
  return RILL_OK;
}

enum rill_status rill_properties_report(const struct rill_properties *p, struct rill_property_report *report,
                                        struct rill_error *error) {
  *report = (struct rill_property_report){0};
  if (p->conditions.samples > 0) return report_all(p, report, error);
  note(report, "no properties: the run has no sample at or after %g ps ([properties] from)",
       p->sim->deck.properties.from);
  return RILL_OK;
}

void rill_property_report_release(struct rill_property_report *report) {
  for (size_t i = 0; i < report->curve_count; i++) rill_release(report->curve[i].values);
  *report = (struct rill_property_report){0};
}
