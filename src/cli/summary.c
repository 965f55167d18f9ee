#include "cli/summary.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/statistics.h"
#include "base/memory.h"
#include "base/units.h"
#include "cli/progress.h"
#include "cli/series_columns.h"

static void print_number(FILE *stream, const char *format, double value) {
  if (isfinite(value))
    fprintf(stream, format, value);
  else
    fprintf(stream, "%12s", "n/a");
}

/* "+- error  unit", or why there is no error. */
static void print_error(FILE *stream, const char *format, double error, enum rill_sampling sampling,
                        const char *unit) {
  if (sampling == RILL_SAMPLING_ENOUGH) {
    fputs("  +- ", stream);
    print_number(stream, format, error);
    fprintf(stream, "  %s\n", unit);
  } else {
    fprintf(stream, "  %-13s  %s  (no error: %s)\n", "", unit, rill_sampling_name(sampling));
  }
}

/* Half-step quantities are not there at step 0. */
static void print_mean(FILE *stream, const char *label, const char *unit, const double *values, size_t rows) {
  size_t skip = rows > 0 && isnan(values[0]) ? 1 : 0;
  struct rill_mean mean = rill_mean_of(values + skip, rows - skip);
  fprintf(stream, "  %-27s", label);
  print_number(stream, "%12.6g", mean.mean);
  print_error(stream, "%-10.3g", mean.error, mean.sampling, unit);
}

static double largest(const double *values, size_t rows) {
  double most = 0;
  for (size_t i = 0; i < rows; i++) most = fmax(most, values[i]);
  return most;
}

/* Rows of the beginning, which belong to equilibration. */
static size_t rows_before(const struct rill_series *series, double time) {
  const size_t columns = rill_series_columns(series), rows = rill_series_rows(series);
  const double *values = rill_series_values(series);
  size_t row = 0;
  while (row < rows && values[columns * row + RILL_SERIES_time_ps] < time) row++;
  return row;
}

static bool is_of_boxes(enum rill_series_column column) {
  return column == RILL_SERIES_pressure || column >= RILL_SERIES_pressure_xx;
}

static void print_means(FILE *stream, const struct rill_setup *setup, const struct rill_series *series) {
  static const struct { enum rill_series_column column; const char *label, *unit; } rows_shown[] = {
      {RILL_SERIES_potential, "potential energy", "kJ/mol"},
      {RILL_SERIES_lj, "  Lennard-Jones", "kJ/mol"},
      {RILL_SERIES_coulomb, "  Coulomb", "kJ/mol"},
      {RILL_SERIES_confine, "  wall", "kJ/mol"},
      {RILL_SERIES_penalty, "  bonds (penalty)", "kJ/mol"},
      {RILL_SERIES_kinetic, "kinetic energy", "kJ/mol"},
      {RILL_SERIES_total, "total energy", "kJ/mol"},
      {RILL_SERIES_temperature, "temperature, on-step", "K"},
      {RILL_SERIES_temperature_translation, "  translation", "K"},
      {RILL_SERIES_temperature_rotation, "  rotation", "K"},
      {RILL_SERIES_temperature_half, "temperature, half-step", "K"},
      {RILL_SERIES_temperature_half_translation, "  translation", "K"},
      {RILL_SERIES_temperature_half_rotation, "  rotation", "K"},
      {RILL_SERIES_pressure, "pressure", "bar"},
      {RILL_SERIES_pressure_xx, "  xx", "bar"},
      {RILL_SERIES_pressure_yy, "  yy", "bar"},
      {RILL_SERIES_pressure_zz, "  zz", "bar"},
      {RILL_SERIES_pressure_xy, "  xy", "bar"},
      {RILL_SERIES_pressure_xz, "  xz", "bar"},
      {RILL_SERIES_pressure_yz, "  yz", "bar"},
  };
  const double from = setup->deck.output.means_from;
  size_t rows = rill_series_rows(series), before = rows_before(series, from), counted = rows - before;
  double *column = rill_allocate(rows, sizeof *column);
  if (column == NULL) return;
  if (counted == 0)
    fprintf(stream, "\nno means: the run has no sample at or after %g ps ([output] means_from)\n", from);
  else
    fprintf(stream, "\nmeans of %zu sample%s", counted, counted == 1 ? "" : "s");
  if (counted > 0 && from > 0) fprintf(stream, " from %g ps on", from);
  if (counted > 0) fputs(", with standard errors\n", stream);
  for (size_t i = 0; counted > 0 && i < sizeof rows_shown / sizeof rows_shown[0]; i++) {
    if (rows_shown[i].column == RILL_SERIES_confine && !setup->deck.confine.on) continue;
    if (rows_shown[i].column == RILL_SERIES_penalty && !(setup->deck.penalty.stiffness > 0)) continue;
    if (is_of_boxes(rows_shown[i].column) && !setup->structure.has_box) continue;
    rill_series_column(series, rows_shown[i].column, column);
    print_mean(stream, rows_shown[i].label, rows_shown[i].unit, column + before, counted);
    if (rows_shown[i].column != RILL_SERIES_potential || !setup->structure.has_box) continue;
    for (size_t k = 0; k < rows; k++) column[k] /= RILL_KCAL * (double)setup->structure.molecules;
    print_mean(stream, "  a molecule", "kcal/mol", column + before, counted);
  }
  if (setup->deck.thermostat.method == RILL_THERMOSTAT_BAOAB)
    fputs("  (under baoab trust the half-step temperature: the on-step one is low by order h^2)\n", stream);
  else if (setup->deck.thermostat.method == RILL_THERMOSTAT_GLA)
    fputs("  (under gla trust the on-step temperature: the half-step one is high by order h^2)\n", stream);
  fputs("\nlargest deviations\n", stream);
  rill_series_column(series, RILL_SERIES_position_deviation_max, column);
  fprintf(stream, "  bond lengths, |d-d0|/d0     %12.3g\n", largest(column, rows));
  rill_series_column(series, RILL_SERIES_velocity_deviation_max, column);
  fprintf(stream, "  bond velocities, |v.r|/|r|  %12.3g  of the thermal velocity\n", largest(column, rows));
  rill_series_column(series, RILL_SERIES_evaluations, column);
  if (largest(column, rows) > 0) {
    fprintf(stream, "  force evaluations of a step %12.3g  at most in its nonlinear solves; mean %.3g\n",
            largest(column, rows), rill_mean_of(column, rows).mean);
    rill_series_column(series, RILL_SERIES_residual, column);
    fprintf(stream, "  residual of a solve         %12.3g  nm\n", largest(column, rows));
  }
  rill_series_column(series, RILL_SERIES_attitude_deviation, column);
  if (rows > 0 && isfinite(column[0]))
    fprintf(stream, "  attitudes, ||q|^2-1|        %12.3g\n", largest(column, rows));
  if (setup->deck.constraints.solver != RILL_SOLVER_SETTLE && !(setup->deck.penalty.stiffness > 0)) {
    rill_series_column(series, RILL_SERIES_iterations, column);
    fprintf(stream, "  iterations of a solve       %12.3g  at most; mean %.3g\n", largest(column, rows),
            rill_mean_of(column, rows).mean);
  }
  rill_release(column);
}

/* The first maximum of g(r). */
static void print_shell(FILE *stream, const struct rill_rdf *rdf) {
  struct rill_peak peak;
  char place[64];
  if (!rill_rdf_peak(rdf, &peak)) return;
  fprintf(stream, "\nradial distribution of oxygens, %zu samples\n  first maximum             ",
          rill_rdf_samples(rdf));
  snprintf(place, sizeof place, "at %.4g nm (bins of %.3g nm)", peak.place, 2 * rill_rdf_centre(rdf, 0));
  print_number(stream, "%12.4g", peak.height);
  print_error(stream, "%-10.2g", peak.error, peak.sampling, place);
}

/* Constant-energy runs: slope of the total energy, in kT a nanosecond and a degree of freedom. */
static void print_drift(FILE *stream, const struct rill_setup *setup, const struct rill_series *series) {
  size_t rows = rill_series_rows(series);
  double *t, *e, *temperature, freedom = setup->system.ops->degrees_of_freedom(setup->system.self), kt;
  struct rill_drift drift;
  if (setup->deck.thermostat.method != RILL_THERMOSTAT_NONE) return;
  t = rill_allocate(3 * rows, sizeof *t);
  if (t == NULL) return;
  e = t + rows;
  temperature = e + rows;
  rill_series_column(series, RILL_SERIES_time_ps, t);
  rill_series_column(series, RILL_SERIES_total, e);
  rill_series_column(series, RILL_SERIES_temperature, temperature);
  drift = rill_drift_of(t, e, rows);
  kt = RILL_GAS_CONSTANT * rill_mean_of(temperature, rows).mean;
  fputs("\nenergy conservation\n", stream);
  fprintf(stream, "  drift                     ");
  print_number(stream, "%12.4g", drift.slope * RILL_NANOSECOND / (kt * freedom));
  print_error(stream, "%-10.3g", drift.error * RILL_NANOSECOND / (kt * freedom), drift.sampling, "kT/ns/dof");
  fprintf(stream, "  standard deviation        ");
  print_number(stream, "%12.4g", rill_mean_of(e, rows).deviation);
  fputs("  kJ/mol\n", stream);
  rill_release(t);
}

/* What in a box makes up the share of the forces. */
static void print_phases(FILE *stream, const struct rill_setup *setup, double forces) {
  struct rill_field_phase phases[RILL_FIELD_PHASES];
  const size_t count = rill_water_phases(&setup->system, phases);
  double all = 0;
  for (size_t p = 0; p < count; p++) all += phases[p].seconds;
  if (!(all > 0)) return;
  fprintf(stream, "  of the forces              ");
  for (size_t p = 0; p < count; p++)
    fprintf(stream, "%s %s%s %.1f %%", p > 0 ? "," : "", phases[p].part, phases[p].name, forces * phases[p].seconds / all);
  fputc('\n', stream);
}

static void print_lists(FILE *stream, const struct rill_setup *setup) {
  struct rill_periodic_counts counts;
  rill_water_list_counts(&setup->system, &counts);
  if (counts.builds > 0)
    fprintf(stream,
            "  neighbour lists made %" PRIu64 " times, pruned %" PRIu64 " times, for %" PRIu64 " evaluations\n",
            counts.builds, counts.prunes, counts.evaluations);
}

/* Phases are timed on sampled steps; their shares are scaled to the whole time in steps. */
static void print_speed(FILE *stream, const struct rill_setup *setup, const struct rill_driver *driver, double wall) {
  const double *seconds = setup->timers.seconds;
  uint64_t steps = driver->done - driver->first;
  double observation = seconds[RILL_PHASE_OBSERVATION], stepping = wall - observation;
  double sampled = seconds[RILL_PHASE_REST], inner = 0;
  fprintf(stream, "\nspeed\n  %-27s", "simulated time a day");
  print_number(stream, "%12.5g", rill_speed((double)steps * setup->deck.integrator.step, wall));
  fprintf(stream, "  ns\n  %-27s", "a step, without output");
  print_number(stream, "%12.5g", steps > 0 ? stepping / (double)steps * 1e6 : NAN);
  fprintf(stream, "  us\n  %-27s%12.4g  s\n", "wall time", wall);
  if (driver->timed == 0 || !(sampled > 0) || !(wall > 0)) return;
  fputs("  where it went              ", stream);
  for (int p = 0; p < RILL_PHASE_OBSERVATION; p++) {
    inner += seconds[p];
    fprintf(stream, " %s %.0f %%,", rill_phase_name((enum rill_phase)p),
            100 * seconds[p] / sampled * stepping / wall);
  }
  fprintf(stream, " observation and output %.0f %%, rest %.0f %%\n", 100 * observation / wall,
          100 * fmax(0, sampled - inner) / sampled * stepping / wall);
  print_phases(stream, setup, 100 * seconds[RILL_PHASE_FORCES] / sampled * stepping / wall);
  print_lists(stream, setup);
  fprintf(stream,
          "  (phases from %" PRIu64 " timed steps; reading the clock weighs on steps of about a microsecond)\n",
          driver->timed);
}

void rill_summary_write(FILE *stream, const struct rill_setup *setup, const struct rill_driver *driver, double wall,
                        const struct rill_series *series, const struct rill_rdf *rdf,
                        const struct rill_outputs *outputs) {
  print_means(stream, setup, series);
  if (rdf != NULL && rill_rdf_is_periodic(rdf)) print_shell(stream, rdf);
  print_drift(stream, setup, series);
  print_speed(stream, setup, driver, wall);
  fputs("\nwritten\n", stream);
  if (outputs->trajectory[0] != '\0')
    fprintf(stream, "  trajectory                  %s, its first frame %s\n", outputs->trajectory, outputs->twin);
  if (outputs->series[0] != '\0') fprintf(stream, "  series                      %s\n", outputs->series);
  if (setup->deck.rdf.on && rdf == NULL)
    fputs("  O-O distribution            none: one molecule has no pair of oxygens\n", stream);
  else if (rdf != NULL && rill_rdf_samples(rdf) == 0)
    fprintf(stream, "  O-O distribution            none: no sample at or after %.10g ps ([rdf] from)\n",
            setup->deck.rdf.from);
  else if (rdf != NULL)
    fprintf(stream, "  O-O distribution            %s\n", outputs->rdf);
  if (outputs->multipliers[0] != '\0') fprintf(stream, "  multipliers                 %s\n", outputs->multipliers);
  fprintf(stream, "  last frame                  %s\n", outputs->final);
}
