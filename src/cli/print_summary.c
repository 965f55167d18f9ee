#include "cli/print_summary.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/rdf.h"
#include "base/units.h"
#include "cli/progress.h"
#include "simulation/small.h"

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

static void print_mean(FILE *stream, const char *label, const char *unit, const struct rill_average *average,
                       double scale) {
  const struct rill_mean mean = rill_average_mean(average);
  fprintf(stream, "  %-27s", label);
  print_number(stream, "%12.6g", scale * mean.mean);
  print_error(stream, "%-10.3g", scale * mean.error, mean.sampling, unit);
}

static bool is_of_boxes(enum rill_summary_mean mean) {
  return mean >= RILL_MEAN_pressure;
}

static void print_means(FILE *stream, const struct rill_simulation *sim, const struct rill_summary *s) {
  static const struct { enum rill_summary_mean mean; const char *label, *unit; } rows_shown[] = {
      {RILL_MEAN_potential, "potential energy", "kJ/mol"},
      {RILL_MEAN_lj, "  Lennard-Jones", "kJ/mol"},
      {RILL_MEAN_coulomb, "  Coulomb", "kJ/mol"},
      {RILL_MEAN_confine, "  wall", "kJ/mol"},
      {RILL_MEAN_penalty, "  bonds (penalty)", "kJ/mol"},
      {RILL_MEAN_kinetic, "kinetic energy", "kJ/mol"},
      {RILL_MEAN_total, "total energy", "kJ/mol"},
      {RILL_MEAN_temperature, "temperature, on-step", "K"},
      {RILL_MEAN_temperature_translation, "  translation", "K"},
      {RILL_MEAN_temperature_rotation, "  rotation", "K"},
      {RILL_MEAN_temperature_half, "temperature, half-step", "K"},
      {RILL_MEAN_temperature_half_translation, "  translation", "K"},
      {RILL_MEAN_temperature_half_rotation, "  rotation", "K"},
      {RILL_MEAN_pressure, "pressure", "bar"},
      {RILL_MEAN_pressure_xx, "  xx", "bar"},
      {RILL_MEAN_pressure_yy, "  yy", "bar"},
      {RILL_MEAN_pressure_zz, "  zz", "bar"},
      {RILL_MEAN_pressure_xy, "  xy", "bar"},
      {RILL_MEAN_pressure_xz, "  xz", "bar"},
      {RILL_MEAN_pressure_yz, "  yz", "bar"},
  };
  const double from = sim->deck.output.means_from;
  const size_t counted = s->counted;
  if (counted == 0)
    fprintf(stream, "\nno means: the run has no sample at or after %g ps ([output] means_from)\n", from);
  else
    fprintf(stream, "\nmeans of %zu sample%s", counted, counted == 1 ? "" : "s");
  if (counted > 0 && from > 0) fprintf(stream, " from %g ps on", from);
  if (counted > 0) fputs(", with standard errors\n", stream);
  for (size_t i = 0; counted > 0 && i < sizeof rows_shown / sizeof rows_shown[0]; i++) {
    const enum rill_summary_mean mean = rows_shown[i].mean;
    if (mean == RILL_MEAN_confine && !sim->deck.confine.on) continue;
    if (mean == RILL_MEAN_penalty && !(sim->deck.penalty.stiffness > 0)) continue;
    if (is_of_boxes(mean) && !sim->structure.has_box) continue;
    print_mean(stream, rows_shown[i].label, rows_shown[i].unit, &s->mean[mean], 1);
    if (mean == RILL_MEAN_potential && sim->structure.has_box)
      print_mean(stream, "  a molecule", "kcal/mol", &s->mean[mean],
                 1 / (RILL_KCAL * (double)sim->structure.molecules));
  }
  if (sim->deck.thermostat.method == RILL_THERMOSTAT_BAOAB)
    fputs("  (under baoab trust the half-step temperature: the on-step one is low by order h^2)\n", stream);
  else if (sim->deck.thermostat.method == RILL_THERMOSTAT_GLA)
    fputs("  (under gla trust the on-step temperature: the half-step one is high by order h^2)\n", stream);
  fputs("\nlargest deviations\n", stream);
  fprintf(stream, "  bond lengths, |d-d0|/d0     %12.3g\n", s->largest[RILL_SERIES_position_deviation_max]);
  fprintf(stream, "  bond velocities, |v.r|/|r|  %12.3g  of the thermal velocity\n",
          s->largest[RILL_SERIES_velocity_deviation_max]);
  if (s->largest[RILL_SERIES_evaluations] > 0) {
    fprintf(stream, "  force evaluations of a step %12.3g  at most in its nonlinear solves; mean %.3g\n",
            s->largest[RILL_SERIES_evaluations], rill_average_mean(&s->evaluations).mean);
    fprintf(stream, "  residual of a solve         %12.3g  nm\n", s->largest[RILL_SERIES_residual]);
  }
  if (s->bodies)
    fprintf(stream, "  attitudes, ||q|^2-1|        %12.3g\n", s->largest[RILL_SERIES_attitude_deviation]);
  if (sim->deck.constraints.solver != RILL_SOLVER_SETTLE && !(sim->deck.penalty.stiffness > 0))
    fprintf(stream, "  iterations of a solve       %12.3g  at most; mean %.3g\n", s->largest[RILL_SERIES_iterations],
            rill_average_mean(&s->iterations).mean);
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
static void print_drift(FILE *stream, const struct rill_simulation *sim, const struct rill_summary *s) {
  const double freedom = sim->system.ops->degrees_of_freedom(sim->system.self),
               unit = RILL_NANOSECOND / (RILL_GAS_CONSTANT * rill_average_mean(&s->temperature).mean * freedom);
  const struct rill_drift drift = rill_trend_drift(&s->energy);
  if (sim->deck.thermostat.method != RILL_THERMOSTAT_NONE) return;
  fputs("\nenergy conservation\n", stream);
  fprintf(stream, "  drift                     ");
  print_number(stream, "%12.4g", drift.slope * unit);
  print_error(stream, "%-10.3g", drift.error * unit, drift.sampling, "kT/ns/dof");
  fprintf(stream, "  standard deviation        ");
  print_number(stream, "%12.4g", rill_average_mean(&s->energy.y).deviation);
  fputs("  kJ/mol\n", stream);
}

/* What in a box makes up the share of the forces. */
static void print_phases(FILE *stream, const struct rill_simulation *sim, double forces) {
  struct rill_field_phase phases[RILL_FIELD_PHASES];
  const size_t count = rill_water_phases(&sim->system, phases);
  double all = 0;
  for (size_t p = 0; p < count; p++) all += phases[p].seconds;
  if (!(all > 0)) return;
  fprintf(stream, "  of the forces              ");
  for (size_t p = 0; p < count; p++)
    fprintf(stream, "%s %s%s %.1f %%", p > 0 ? "," : "", phases[p].part, phases[p].name, forces * phases[p].seconds / all);
  fputc('\n', stream);
}

static void print_lists(FILE *stream, const struct rill_simulation *sim) {
  struct rill_periodic_counts counts;
  rill_water_list_counts(&sim->system, &counts);
  if (counts.builds > 0)
    fprintf(stream,
            "  neighbour lists made %" PRIu64 " times, pruned %" PRIu64 " times, for %" PRIu64 " evaluations\n",
            counts.builds, counts.prunes, counts.evaluations);
}

/* Phases are timed on sampled steps; their shares are scaled to the whole time in steps. */
static void print_speed(FILE *stream, const struct rill_simulation *sim, const struct rill_driver *driver, double wall) {
  const double *seconds = sim->timers.seconds;
  uint64_t steps = driver->done - driver->first;
  double observation = seconds[RILL_PHASE_OBSERVATION], stepping = wall - observation;
  double sampled = seconds[RILL_PHASE_REST], inner = 0;
  fprintf(stream, "\nspeed\n  %-27s", "simulated time a day");
  print_number(stream, "%12.5g", rill_speed((double)steps * sim->deck.integrator.step, wall));
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
  print_phases(stream, sim, 100 * seconds[RILL_PHASE_FORCES] / sampled * stepping / wall);
  print_lists(stream, sim);
  fprintf(stream,
          "  (phases from %" PRIu64 " timed steps; reading the clock weighs on steps of about a microsecond)\n",
          driver->timed);
}

static void print_water(FILE *stream, const struct rill_run *run) {
  const struct rill_simulation *sim = run->sim;
  const struct rill_outputs *outputs = &run->outputs;
  const struct rill_rdf *rdf = run->rdf;
  print_means(stream, sim, &run->summary);
  if (rdf != NULL && rill_rdf_is_periodic(rdf)) print_shell(stream, rdf);
  print_drift(stream, sim, &run->summary);
  print_speed(stream, sim, &run->driver, run->wall);
  fputs("\nwritten\n", stream);
  if (outputs->trajectory[0] != '\0')
    fprintf(stream, "  trajectory                  %s, its first frame %s\n", outputs->trajectory, outputs->twin);
  if (outputs->series[0] != '\0') fprintf(stream, "  series                      %s\n", outputs->series);
  if (sim->deck.rdf.on && rdf == NULL)
    fputs("  O-O distribution            none: one molecule has no pair of oxygens\n", stream);
  else if (rdf != NULL && rill_rdf_samples(rdf) == 0)
    fprintf(stream, "  O-O distribution            none: no sample at or after %.10g ps ([rdf] from)\n",
            sim->deck.rdf.from);
  else if (rdf != NULL)
    fprintf(stream, "  O-O distribution            %s\n", outputs->rdf);
  if (outputs->multipliers[0] != '\0') fprintf(stream, "  multipliers                 %s\n", outputs->multipliers);
  fprintf(stream, "  last frame                  %s\n", outputs->final);
}

/* ---- small systems ---- */

static void print_line(FILE *stream, const char *label, double value, const char *unit) {
  fprintf(stream, "  %-27s", label);
  if (isfinite(value))
    fprintf(stream, "%20.12g", value);
  else
    fprintf(stream, "%20s", "n/a");
  fprintf(stream, "%s%s\n", *unit ? "  " : "", unit);
}

/* body: momenta are those of a rigid body, not linear ones. */
static void print_small_means(FILE *stream, const struct rill_small_summary *s, const char *energy_unit, const char *time_unit,
                              bool body, bool constrained, bool iterates) {
  static const char *const names[RILL_SMALL_MOMENTA] = {"momentum x",         "momentum y",
                                                        "momentum z",         "angular momentum x",
                                                        "angular momentum y", "angular momentum z"};
  char rate[32];
  bool any = false;
  snprintf(rate, sizeof rate, "%s%s%s", energy_unit, *time_unit ? "/" : "", time_unit);
  fprintf(stream, "\nenergy, %" PRIu64 " samples\n", s->samples);
  print_line(stream, "first", s->first, energy_unit);
  print_line(stream, "mean", s->first + s->sum / (double)s->samples, energy_unit);
  print_line(stream, "largest deviation", s->most, energy_unit);
  print_line(stream, "linear drift", rill_small_summary_drift(s), rate);
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++) any = any || isfinite(s->momentum[i]);
  if (any)
    fprintf(stream, "\nmomentum maps, first value and largest change (forces may change them%s)\n",
            body ? "; momentum: about the body's axes, angular momentum: about those of space" : "");
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++)
    if (isfinite(s->momentum[i]))
      fprintf(stream, "  %-27s%20.12g%14.3g\n", names[i], s->momentum[i], s->momentum_change[i]);
  if (constrained) {
    fputs("\nconstraints, largest residuals\n", stream);
    print_line(stream, "positions", s->position_residual, "");
    print_line(stream, "velocities", s->velocity_residual, "");
  }
  if (!iterates) return;
  fputs("\nsolver\n", stream);
  print_line(stream, "iterations a step, mean", s->samples > 1 ? s->iterations / (double)(s->samples - 1) : NAN, "");
  print_line(stream, "iterations a step, largest", s->iterations_most, "");
}

static void print_small(FILE *stream, const struct rill_run *run) {
  const struct rill_simulation *sim = run->sim;
  const struct rill_state *state = sim->system.state;
  const uint64_t steps = run->driver.done - run->driver.first;
  const bool iterates = rill_method_reads(sim->method) & (RILL_READS_SOLVER | RILL_READS_ROTATION) || state->m > 0;
  print_small_means(stream, &run->small_summary, rill_simulation_energy_unit(sim), rill_deck_time_unit(&sim->deck),
                    sim->system.group != NULL, rill_small_multipliers(state) > 0, iterates);
  fprintf(stream, "\nspeed\n  %-27s", "a step, without output");
  if (steps > 0)
    fprintf(stream, "%20.4g  us\n", (run->wall - sim->timers.seconds[RILL_PHASE_OBSERVATION]) / (double)steps * 1e6);
  else
    fprintf(stream, "%20s\n", "n/a");
  fprintf(stream, "  %-27s%20.4g  s\n", "wall time", run->wall);
  if (run->outputs.trajectory[0] == '\0' && run->outputs.series[0] == '\0') return;
  fputs("\nwritten\n", stream);
  if (run->outputs.trajectory[0] != '\0') fprintf(stream, "  series in HDF5              %s\n", run->outputs.trajectory);
  if (run->outputs.series[0] != '\0') fprintf(stream, "  series                      %s\n", run->outputs.series);
}

void rill_print_summary(FILE *stream, const struct rill_run *run) {
  (run->sim->type == NULL ? print_water : print_small)(stream, run);
}
