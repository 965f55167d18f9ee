#include "simulation/report.h"

#include <math.h>
#include <unistd.h>

#include "analysis/rdf.h"
#include "base/units.h"
#include "simulation/manifest.h"
#include "simulation/small.h"

double rill_speed(double simulated_ps, double wall_seconds) {
  return wall_seconds > 0 && simulated_ps > 0 ? simulated_ps * 1e-3 * 86400 / wall_seconds : NAN;
}

/* ---- water ---- */

static const struct {
  enum rill_summary_mean mean;
  const char *name, *label, *unit;
} means[] = {
    {RILL_MEAN_potential, "potential_kJ_mol", "potential energy", "kJ/mol"},
    {RILL_MEAN_lj, "lj_kJ_mol", "  Lennard-Jones", "kJ/mol"},
    {RILL_MEAN_coulomb, "coulomb_kJ_mol", "  Coulomb", "kJ/mol"},
    {RILL_MEAN_confine, "confine_kJ_mol", "  wall", "kJ/mol"},
    {RILL_MEAN_penalty, "penalty_kJ_mol", "  bonds (penalty)", "kJ/mol"},
    {RILL_MEAN_field, "field_kJ_mol", "  field", "kJ/mol"},
    {RILL_MEAN_kinetic, "kinetic_kJ_mol", "kinetic energy", "kJ/mol"},
    {RILL_MEAN_total, "total_kJ_mol", "total energy", "kJ/mol"},
    {RILL_MEAN_temperature, "temperature_K", "temperature, on-step", "K"},
    {RILL_MEAN_temperature_translation, "temperature_translation_K", "  translation", "K"},
    {RILL_MEAN_temperature_rotation, "temperature_rotation_K", "  rotation", "K"},
    {RILL_MEAN_temperature_half, "temperature_half_K", "temperature, half-step", "K"},
    {RILL_MEAN_temperature_half_translation, "temperature_half_translation_K", "  translation", "K"},
    {RILL_MEAN_temperature_half_rotation, "temperature_half_rotation_K", "  rotation", "K"},
    {RILL_MEAN_pressure, "pressure_bar", "pressure", "bar"},
    {RILL_MEAN_pressure_xx, "pressure_xx_bar", "  xx", "bar"},
    {RILL_MEAN_pressure_yy, "pressure_yy_bar", "  yy", "bar"},
    {RILL_MEAN_pressure_zz, "pressure_zz_bar", "  zz", "bar"},
    {RILL_MEAN_pressure_xy, "pressure_xy_bar", "  xy", "bar"},
    {RILL_MEAN_pressure_xz, "pressure_xz_bar", "  xz", "bar"},
    {RILL_MEAN_pressure_yz, "pressure_yz_bar", "  yz", "bar"},
    {RILL_MEAN_pressure_bath, "pressure_bath_bar", "pressure, N kT/V of the bath", "bar"},
    {RILL_MEAN_volume, "volume_nm3", "volume", "nm3"},
    {RILL_MEAN_density, "density_g_cm3", "density", "g/cm3"},
    {RILL_MEAN_enthalpy, "enthalpy_kJ_mol", "enthalpy", "kJ/mol"},
    {RILL_MEAN_box_x, "box_x_nm", "box, x", "nm"},
    {RILL_MEAN_box_y, "box_y_nm", "  y", "nm"},
    {RILL_MEAN_box_z, "box_z_nm", "  z", "nm"},
};

static void add_mean(struct rill_report *report, const char *name, const char *label, const char *unit,
                     struct rill_mean mean, double scale) {
  mean.mean *= scale;
  mean.error *= scale;
  mean.deviation *= scale;
  report->means[report->mean_count++] = (struct rill_reported_mean){name, label, unit, mean};
}

static bool has_mean(const struct rill_simulation *sim, enum rill_summary_mean mean) {
  if (mean == RILL_MEAN_confine) return sim->deck.confine.on;
  if (mean == RILL_MEAN_penalty) return sim->deck.penalty.stiffness > 0;
  if (mean == RILL_MEAN_field) return sim->deck.field.on;
  if (mean >= RILL_MEAN_pressure_bath) return sim->system.barostat != NULL;
  return mean < RILL_MEAN_pressure || sim->structure.has_box;
}

static void report_means(const struct rill_simulation *sim, const struct rill_summary *s,
                         struct rill_report *report) {
  report->samples = s->counted;
  for (size_t i = 0; s->counted > 0 && i < sizeof means / sizeof means[0]; i++) {
    struct rill_mean mean;
    if (!has_mean(sim, means[i].mean)) continue;
    mean = rill_average_mean(&s->mean[means[i].mean]);
    if (means[i].mean == RILL_MEAN_total && sim->deck.thermostat.method == RILL_NO_BATH) {
      mean.error = NAN; /* its scatter is a drift, which has no correlation time */
      mean.sampling = RILL_SAMPLING_CONSERVED;
    }
    add_mean(report, means[i].name, means[i].label, means[i].unit, mean, 1);
    if (means[i].mean == RILL_MEAN_potential && sim->structure.has_box)
      add_mean(report, "potential_per_molecule_kcal_mol", "  a molecule", "kcal/mol", mean,
               1 / (RILL_KCAL * (double)sim->structure.molecules));
  }
}

/* For runs at constant energy, the slope of the total energy in kT per nanosecond and degree of freedom. */
static void report_drift(const struct rill_simulation *sim, const struct rill_summary *s,
                         struct rill_report *report) {
  const double freedom = sim->system.ops->degrees_of_freedom(sim->system.self),
               unit = RILL_NANOSECOND / (RILL_GAS_CONSTANT * rill_average_mean(&s->temperature).mean * freedom);
  report->has_drift = sim->deck.thermostat.method == RILL_NO_BATH;
  if (!report->has_drift) return;
  report->drift = rill_trend_drift(&s->energy);
  report->drift.slope *= unit;
  report->drift.error *= unit;
  report->drift.bound *= unit;
  report->energy_deviation = rill_average_mean(&s->energy.y).deviation;
}

static void report_deviations(const struct rill_simulation *sim, const struct rill_summary *s,
                              struct rill_report *report) {
  report->bond = s->largest[RILL_SERIES_position_deviation_max];
  report->bond_velocity = s->largest[RILL_SERIES_velocity_deviation_max];
  if (s->bodies) report->attitude = s->largest[RILL_SERIES_attitude_deviation];
  if (s->largest[RILL_SERIES_evaluations] > 0) {
    report->evaluations_most = s->largest[RILL_SERIES_evaluations];
    report->evaluations_mean = rill_average_mean(&s->evaluations).mean;
    report->residual = s->largest[RILL_SERIES_residual];
  }
  if (sim->deck.constraints.solver == RILL_SETTLE || sim->deck.penalty.stiffness > 0) return;
  report->iterations_most = s->largest[RILL_SERIES_iterations];
  report->iterations_mean = rill_average_mean(&s->iterations).mean;
}

/* The first maximum of g(r). */
static void report_peak(const struct rill_rdf *rdf, struct rill_report *report) {
  if (rdf == NULL) return;
  report->distribution_samples = rill_rdf_samples(rdf);
  report->bin = 2 * rill_rdf_centre(rdf, 0);
  report->has_peak = rill_rdf_is_periodic(rdf) && rill_rdf_peak(rdf, &report->peak);
}

/* Phases are timed on sampled steps; their shares are scaled to the total time in steps. */
static void report_shares(const struct rill_run *run, struct rill_report *report) {
  const double *seconds = run->sim->timers.seconds;
  const double observation = seconds[RILL_PHASE_OBSERVATION], sampled = seconds[RILL_PHASE_REST];
  const double stepping = (run->wall - observation) / run->wall;
  struct rill_field_phase phases[RILL_FIELD_PHASES];
  const size_t count = rill_water_phases(&run->sim->system, phases);
  double inner = 0, all = 0;
  size_t n = 0;
  if (run->driver.timed == 0 || !(sampled > 0) || !(run->wall > 0)) return;
  report->timed = run->driver.timed;
  for (int p = 0; p < RILL_PHASE_OBSERVATION; p++) {
    inner += seconds[p];
    report->shares[n++] =
        (struct rill_reported_share){"", rill_phase_name((enum rill_phase)p), seconds[p] / sampled * stepping};
  }
  report->shares[n++] = (struct rill_reported_share){"", "observation and output", observation / run->wall};
  report->shares[n++] = (struct rill_reported_share){"", "rest", fmax(0, sampled - inner) / sampled * stepping};
  report->share_count = n;
  for (size_t p = 0; p < count; p++) all += phases[p].seconds;
  for (size_t p = 0; all > 0 && p < count; p++)
    report->force_shares[report->force_share_count++] = (struct rill_reported_share){
        phases[p].part, phases[p].name, seconds[RILL_PHASE_FORCES] / sampled * stepping * phases[p].seconds / all};
}

static void report_water(const struct rill_run *run, struct rill_report *report) {
  struct rill_error unused = {0};
  report_means(run->sim, &run->summary, report);
  report_drift(run->sim, &run->summary, report);
  report_deviations(run->sim, &run->summary, report);
  report->has_trials = run->sim->system.trials != NULL;
  if (report->has_trials) report->trials = *run->sim->system.trials;
  report->has_cell_moves = run->sim->system.cell_moves != NULL;
  if (report->has_cell_moves) report->cell_moves = *run->sim->system.cell_moves;
  report_peak(run->rdf[RILL_RDF_OO], report);
  report_shares(run, report);
  report->speed = rill_speed((double)(report->done - report->first) * report->step, run->wall);
  rill_water_list_counts(&run->sim->system, &report->lists);
  (void)rill_water_sharing(&run->sim->system, &report->sharing, &unused); /* ranks are lost: none is reported */
}

/* ---- small systems ---- */

static void report_means_of_small(const struct rill_run *run, struct rill_report *report) {
  static const struct {
    const char *name, *name_si, *label;
  } of[RILL_SMALL_MEANS] = {
#define X(name, label, value) {#name, #name "_J", label},
      RILL_SMALL_MEANS_LIST(X)
#undef X
  };
  const struct rill_small_summary *s = &run->small_summary;
  const bool si = run->sim->type->si;
  report->samples = s->counted;
  for (int i = 0; s->counted > 0 && i < RILL_SMALL_MEANS; i++)
    if (s->mean[i].samples > 0)
      add_mean(report, si ? of[i].name_si : of[i].name, of[i].label, si ? "J" : "", rill_average_mean(&s->mean[i]),
               1);
}

static void report_small(const struct rill_run *run, struct rill_report *report) {
  const struct rill_simulation *sim = run->sim;
  const struct rill_small_summary *s = &run->small_summary;
  const struct rill_state *state = sim->system.state;
  report->small_samples = s->samples;
  if (s->sampled) report_means_of_small(run, report);
  report->energy_first = s->first;
  report->energy_mean = s->first + s->sum / (double)s->samples;
  report->energy_most = s->most;
  report->energy_drift = rill_small_summary_drift(s);
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++) {
    report->momentum[i] = s->momentum[i];
    report->momentum_change[i] = s->momentum_change[i];
  }
  report->constrained = rill_small_multipliers(state) > 0;
  report->position_residual = s->position_residual;
  report->velocity_residual = s->velocity_residual;
  report->iterates = rill_method_reads(sim->method) & (RILL_READS_SOLVER | RILL_READS_ROTATION) || state->m > 0;
  if (!report->iterates) return;
  report->iterations_mean = s->samples > 1 ? s->iterations / (double)(s->samples - 1) : NAN;
  report->iterations_most = s->iterations_most;
}

/* ---- both ---- */

static void add_file(struct rill_report *report, const char *role, const char *path) {
  if (path[0] != '\0' && access(path, F_OK) == 0)
    report->files[report->file_count++] = (struct rill_reported_file){role, path};
}

static void report_files(const struct rill_run *run, struct rill_report *report) {
  const struct rill_outputs *outputs = &run->outputs;
  for (enum rill_file_role role = 0; role < RILL_FILE_ROLES; role++)
    add_file(report, rill_file_role_entry(role), rill_outputs_path(outputs, role));
  add_file(report, "checkpoint", outputs->checkpoint);
}

void rill_run_report(const struct rill_run *run, struct rill_report *report) {
  const struct rill_deck *deck = &run->sim->deck;
  *report = (struct rill_report){.resumed = run->complete || run->sim->continued != NULL,
                                 .first = run->checkpoint.step,
                                 .done = run->complete ? run->checkpoint.step : run->driver.done,
                                 .planned = deck->integrator.steps,
                                 .step = deck->integrator.step,
                                 .wall = run->wall,
                                 .step_seconds = NAN,
                                 .speed = NAN,
                                 .bond = NAN,
                                 .bond_velocity = NAN,
                                 .attitude = NAN,
                                 .evaluations_most = NAN,
                                 .evaluations_mean = NAN,
                                 .residual = NAN,
                                 .iterations_most = NAN,
                                 .iterations_mean = NAN,
                                 .energy_deviation = NAN};
  report->time = (double)report->done * report->step;
  report->complete = report->done >= report->planned;
  report_files(run, report);
  if (run->complete) return;
  if (report->done > report->first)
    report->step_seconds =
        (run->wall - run->sim->timers.seconds[RILL_PHASE_OBSERVATION]) / (double)(report->done - report->first);
  if (run->sim->ensemble != NULL)
    report->speed = rill_speed(
        (double)(report->done - report->first) * report->step * (double)run->sim->ensemble->replicas, run->wall);
  else (run->sim->type == NULL ? report_water : report_small)(run, report);
}
