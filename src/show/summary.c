#include "config.h" /* for PACKAGE_VERSION */

#include "show/summary.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/rdf.h"
#include "show/ensemble.h"
#include "show/plan.h"
#include "simulation/manifest.h"
#include "simulation/report.h"
#include "simulation/simulation.h"

static void print_number(FILE *stream, const char *format, double value) {
  if (isfinite(value)) fprintf(stream, format, value);
  else fprintf(stream, "%12s", "n/a");
}

/* Prints "+- error  unit", or why there is no error. */
static void print_error(FILE *stream, const char *format, double error, enum rill_sampling sampling,
                        const char *unit) {
  if (sampling == RILL_SAMPLING_ENOUGH) {
    fputs("  +- ", stream);
    print_number(stream, *unit ? format : "%.3g", error);
    fprintf(stream, "%s%s\n", *unit ? "  " : "", unit);
  } else {
    fprintf(stream, "  %-13s  %s%s(no error: %s)\n", "", unit, *unit ? "  " : "", rill_sampling_name(sampling));
  }
}

static void print_means(FILE *stream, const struct rill_run *run, const struct rill_report *report) {
  const struct rill_deck *deck = &run->sim->deck;
  const double from = deck->output.means_from;
  const size_t counted = report->samples;
  const char *unit = rill_deck_time_unit(deck), *space = *unit ? " " : "";
  bool half = false;
  if (counted == 0)
    fprintf(stream, "\nno means: the run has no sample at or after %g%s%s ([output] means_from)\n", from, space,
            unit);
  else fprintf(stream, "\nmeans of %zu sample%s", counted, counted == 1 ? "" : "s");
  if (counted > 0 && from > 0) fprintf(stream, " from %g%s%s on", from, space, unit);
  if (counted > 0) fputs(", with standard errors\n", stream);
  for (size_t i = 0; i < report->mean_count; i++) {
    const struct rill_reported_mean *m = &report->means[i];
    fprintf(stream, "  %-27s", m->label);
    print_number(stream, "%12.6g", m->mean.mean);
    print_error(stream, "%-10.3g", m->mean.error, m->mean.sampling, m->unit);
    half = half || strstr(m->label, "half-step") != NULL;
  }
  if (deck->thermostat.rotation_friction > 0 && deck->thermostat.rotation_friction != deck->thermostat.friction)
    fputs(
        "  (rotation has a friction of its own: the bath keeps the mean of the temperatures of rotation and\n"
        "   translation, weighted by the frictions, which rill validate judges)\n",
        stream);
  if (deck->thermostat.method == RILL_BAOAB)
    fputs("  (under baoab trust the half-step temperature: the on-step one is low by order h^2)\n", stream);
  else if (deck->thermostat.method == RILL_GLA && half)
    fputs("  (under gla trust the on-step temperature: the half-step one is high by order h^2)\n", stream);
  else if (deck->thermostat.method == RILL_V_RESCALE && half)
    fputs("  (under v-rescale trust the on-step temperature: the half-step one is high by order h^2)\n", stream);
  else if (deck->thermostat.method == RILL_GHMC)
    fputs("  (under ghmc trust either temperature: half-step is after the refreshment, before the trial)\n", stream);
}

/* Results that have no value say why in their remark. */
static void print_properties(FILE *stream, const struct rill_property_report *properties) {
  if (properties->count + properties->note_count > 0)
    fputs("\nproperties of the liquid, with standard errors\n", stream);
  for (size_t i = 0; i < properties->count; i++) {
    const struct rill_property *p = &properties->result[i];
    const char *unit = strcmp(p->unit, "1") == 0 ? "" : p->unit;
    fprintf(stream, "  %-31s", p->label);
    print_number(stream, "%12.5g", p->estimate.value);
    if (p->estimate.sampling == RILL_SAMPLING_CONSERVED) fprintf(stream, "  %s", unit);
    else if (isfinite(p->estimate.error)) fprintf(stream, "  +- %-9.2g %s", p->estimate.error, unit);
    else fprintf(stream, "  (no error)   %s", unit);
    fprintf(stream, "%s%s\n", p->remark[0] != '\0' ? "; " : "", p->remark);
  }
  for (size_t i = 0; i < properties->note_count; i++) fprintf(stream, "  note: %s\n", properties->note[i]);
}

static void print_deviations(FILE *stream, const struct rill_report *report) {
  fputs("\nlargest deviations\n", stream);
  fprintf(stream, "  bond lengths, |d-d0|/d0     %12.3g\n", report->bond);
  fprintf(stream, "  bond velocities, |v.r|/|r|  %12.3g  of the thermal velocity\n", report->bond_velocity);
  if (!isnan(report->evaluations_most)) {
    fprintf(stream, "  force evaluations per step  %12.3g  at most, in nonlinear solves; mean %.3g\n",
            report->evaluations_most, report->evaluations_mean);
    fprintf(stream, "  residual of a solve         %12.3g  nm\n", report->residual);
  }
  if (!isnan(report->attitude)) fprintf(stream, "  attitudes, ||q|^2-1|        %12.3g\n", report->attitude);
  if (!isnan(report->iterations_most))
    fprintf(stream, "  iterations of a solve       %12.3g  at most; mean %.3g\n", report->iterations_most,
            report->iterations_mean);
}

/* The first maximum of g(r). */
static void print_peak(FILE *stream, const struct rill_report *report) {
  char place[64];
  if (!report->has_peak) return;
  fprintf(stream, "\nradial distribution of oxygens, %zu samples\n  first maximum             ",
          report->distribution_samples);
  snprintf(place, sizeof place, "at %.4g nm (bins of %.3g nm)", report->peak.place, report->bin);
  print_number(stream, "%12.4g", report->peak.height);
  print_error(stream, "%-10.2g", report->peak.error, report->peak.sampling, place);
}

static void print_drift(FILE *stream, const struct rill_report *report) {
  if (!report->has_drift) return;
  fputs("\nenergy conservation\n", stream);
  fprintf(stream, "  drift                     ");
  print_number(stream, "%12.4g", report->drift.slope);
  print_error(stream, "%-10.3g", report->drift.error, report->drift.sampling, "kT/ns/dof");
  fprintf(stream, "  standard deviation        ");
  print_number(stream, "%12.4g", report->energy_deviation);
  fputs("  kJ/mol\n", stream);
}

static double share_of(uint64_t part, uint64_t all) { return all > 0 ? (double)part / (double)all : NAN; }

static void print_trials(FILE *stream, const struct rill_report *report) {
  const struct rill_trials *t = &report->trials;
  if (!report->has_trials) return;
  fprintf(stream, "\ntrials\n  accepted                  ");
  print_number(stream, "%12.4g", 100 * share_of(t->accepted, t->made));
  fprintf(stream, "  %% of %" PRIu64 "\n", t->made);
  fprintf(stream, "  rejected, solver failed    %12" PRIu64 "\n", t->failed);
  fprintf(stream, "  rejected, did not return   %12" PRIu64 "\n", t->unreturned);
}

static void print_cell_moves(FILE *stream, const struct rill_report *report) {
  const struct rill_cell_moves *moves = &report->cell_moves;
  if (!report->has_cell_moves) return;
  fprintf(stream, "\nmoves of the cell\n  accepted                  ");
  print_number(stream, "%12.4g", 100 * share_of(moves->accepted, moves->made));
  fprintf(stream, "  %% of %" PRIu64 "%s\n", moves->made,
          moves->made > 0 && moves->accepted == 0
              ? ": the cell never changed, and the errors of its means are meaningless"
              : "");
  if (moves->planned > 0) fprintf(stream, "  mesh chosen anew          %12" PRIu64 "  times\n", moves->planned);
}

static void print_shares(FILE *stream, const struct rill_report *report) {
  const struct rill_periodic_counts *lists = &report->lists;
  fputs("  shares of wall time        ", stream);
  for (size_t i = 0; i < report->share_count; i++)
    fprintf(stream, "%s %s %.0f %%", i > 0 ? "," : "", report->shares[i].name, 100 * report->shares[i].share);
  if (report->force_share_count > 0) fprintf(stream, "\n  forces, by part            ");
  for (size_t i = 0; i < report->force_share_count; i++)
    fprintf(stream, "%s %s%s %.1f %%", i > 0 ? "," : "", report->force_shares[i].part, report->force_shares[i].name,
            100 * report->force_shares[i].share);
  if (lists->builds > 0)
    fprintf(stream,
            "\n  neighbour lists: %" PRIu64 " evaluations, of which %" PRIu64 " built them and %" PRIu64
            " pruned them",
            lists->evaluations, lists->builds, lists->prunes);
  fprintf(stream, "\n  (phases from %" PRIu64 " timed steps; reading the clock slows steps of about a microsecond)\n",
          report->timed);
}

static double a_step(double count, const struct rill_report *report) {
  return report->lists.evaluations > 0 ? count / (double)report->lists.evaluations : NAN;
}

enum { TRAFFICS = 1 + RILL_PME_TRAFFICS };
static const char *const traffic_labels[TRAFFICS] = {"pairs", "mesh, to planes and back", "mesh, transpositions",
                                                     "mesh, sums"},
                         *const traffic_names[TRAFFICS] = {"pairs", "remap", "transpositions", "sums"};

static void print_sharing(FILE *stream, const struct rill_report *report) {
  const struct rill_water_sharing *s = &report->sharing;
  if (s->ranks == 0) return;
  fprintf(stream, "\nranks\n  %-27s%12d  %d x %d x %d\n", "bricks", s->ranks, s->bricks.count[0], s->bricks.count[1],
          s->bricks.count[2]);
  if (s->mesh_ranks > 0 && s->mesh_ranks < s->ranks)
    fprintf(stream, "  %-27s%12d\n", "that transform the mesh", s->mesh_ranks);
  fprintf(stream, "  %-27s%12.6g  at most %.6g (%.4f of the mean)\n", "molecules of a rank", s->own_mean, s->own_most,
          s->own_most / s->own_mean);
  fprintf(stream, "  %-27s%12.6g  at most %.6g\n", "  in its halo", s->halo_mean, s->halo_most);
  fprintf(stream, "  %-27s%12.6g  at most %.6g\n", "entries on its lists", s->entries_mean, s->entries_most);
  for (int k = 0; k < TRAFFICS && (k == 0 || s->traffic[1].messages > 0); k++)
    fprintf(stream, "  %-27s%12.3g  messages of a rank for an evaluation, %.4g kB\n", traffic_labels[k],
            a_step(s->traffic[k].messages, report), a_step(s->traffic[k].bytes, report) / 1e3);
  fprintf(stream, "  %-27s%12" PRIu64 "  times, %" PRIu64 " molecules\n", "migrations", s->migrations, s->migrated);
  fprintf(stream, "  %-27s%12.4g  MB, %.3g kB for a molecule of the box\n", "most memory, of rank 0",
          s->memory_first / 1e6, s->memory_first / 1e3 / (s->own_mean * s->ranks));
  fprintf(stream, "  %-27s%12.4g  MB, at most %.4g, %.3g kB for a molecule of the rank\n", "  of the others, mean",
          s->memory_mean / 1e6, s->memory_most / 1e6, s->memory_mean / 1e3 / s->own_mean);
}

static void print_speed(FILE *stream, const struct rill_report *report) {
  fprintf(stream, "\nspeed\n  %-27s", "simulated time per day");
  print_number(stream, "%12.5g", report->speed);
  fprintf(stream, "  ns\n  %-27s", "time per step, no output");
  print_number(stream, "%12.5g", report->step_seconds * 1e6);
  fprintf(stream, "  us\n  %-27s%12.4g  s\n", "wall time", report->wall);
  if (report->timed > 0) print_shares(stream, report);
  print_sharing(stream, report);
}

/* Why there is no distribution, in place of its path; NULL when there is one. */
static const char *no_distribution(const struct rill_run *run, enum rill_file_role role, char text[128]) {
  const struct rill_rdf *rdf;
  if (run->sim->ensemble != NULL) return NULL;
  if (role != RILL_FILE_DISTRIBUTION && role != RILL_FILE_DISTRIBUTION_OH && role != RILL_FILE_DISTRIBUTION_HH)
    return NULL;
  rdf = run->rdf[role == RILL_FILE_DISTRIBUTION      ? RILL_RDF_OO
                 : role == RILL_FILE_DISTRIBUTION_OH ? RILL_RDF_OH
                                                     : RILL_RDF_HH];
  if (rdf == NULL) return "none: one molecule has no pair of oxygens";
  if (rill_rdf_samples(rdf) > 0) return NULL;
  snprintf(text, 128, "none: no sample at or after %.10g ps ([rdf] from)", run->sim->deck.rdf.from);
  return text;
}

static void print_file(FILE *stream, const struct rill_run *run, enum rill_file_role role) {
  const bool water = run->sim->type == NULL;
  const char *label = rill_file_role_name(role), *path = rill_outputs_path(&run->outputs, role), *none;
  char text[128];
  if (path[0] == '\0' || role == RILL_FILE_FIRST_FRAME) return;
  if (role == RILL_FILE_TRAJECTORY && !water) label = "series in HDF5";
  if (role == RILL_FILE_DISTRIBUTION) label = "O-O distribution";
  if (role == RILL_FILE_FINAL_FRAME) label = "last frame";
  if (role == RILL_FILE_DISTRIBUTION_OH) label = "O-H distribution";
  if (role == RILL_FILE_DISTRIBUTION_HH) label = "H-H distribution";
  none = no_distribution(run, role, text);
  fprintf(stream, "  %-27s %s", label, none != NULL ? none : path);
  if (role == RILL_FILE_TRAJECTORY && water) fprintf(stream, ", its first frame %s", run->outputs.first_frame);
  fputc('\n', stream);
}

/* The last checkpoint is written after the summary, with all files complete. */
static void print_files(FILE *stream, const struct rill_run *run) {
  const bool checkpoint = rill_deck_writes_checkpoint(&run->sim->deck);
  bool any = checkpoint;
  for (enum rill_file_role role = 0; role < RILL_FILE_ROLES; role++)
    any = any || rill_outputs_path(&run->outputs, role)[0] != '\0';
  if (any) fputs("\nwritten\n", stream);
  for (enum rill_file_role role = 0; role < RILL_FILE_ROLES; role++) print_file(stream, run, role);
  if (checkpoint) fprintf(stream, "  %-27s %s\n", "checkpoint", run->outputs.checkpoint);
}

static void print_water(FILE *stream, const struct rill_run *run, const struct rill_report *report) {
  print_means(stream, run, report);
  print_deviations(stream, report);
  print_peak(stream, report);
  print_drift(stream, report);
  print_trials(stream, report);
  print_cell_moves(stream, report);
  print_properties(stream, &run->property_report);
  print_speed(stream, report);
  print_files(stream, run);
}

static void print_ensemble(FILE *stream, const struct rill_run *run, const struct rill_report *report) {
  rill_print_averages(stream, run);
  fputs("\nspeed\n", stream);
  if (run->sim->type == NULL) {
    fprintf(stream, "  %-27s", "simulated time per day");
    print_number(stream, "%12.5g", report->speed);
    fputs("  ns, of all replicas\n", stream);
  }
  fprintf(stream, "  %-27s", "time per replica-step");
  print_number(stream, "%12.5g", report->step_seconds * 1e6 / (double)run->sim->ensemble->replicas);
  fprintf(stream, "  us\n  %-27s%12.4g  s\n", "wall time", report->wall);
  print_files(stream, run);
}

/* ---- small systems ---- */

static void print_line(FILE *stream, const char *label, double value, const char *unit) {
  fprintf(stream, "  %-27s", label);
  if (isfinite(value)) fprintf(stream, "%20.12g", value);
  else fprintf(stream, "%20s", "n/a");
  fprintf(stream, "%s%s\n", *unit ? "  " : "", unit);
}

/* What the means of a run in a bath are compared with. */
static void print_law(FILE *stream, const struct rill_simulation *sim) {
  const double *temperature = sim->deck.thermostat.temperature, freedom = rill_simulation_degrees_of_freedom(sim);
  const char *unit = rill_simulation_energy_unit(sim), *space = *unit ? " " : "";
  if (temperature[0] != temperature[1]) return;
  fprintf(stream,
          "  (the bath's temperature is %g%s%s: %g degree%s of freedom ha%s the mean kinetic energy %g%s%s)\n",
          temperature[0], space, unit, freedom, freedom == 1 ? "" : "s", freedom == 1 ? "s" : "ve",
          freedom / 2 * temperature[0], space, unit);
}

/* body: the first three are momenta about the axes of a rigid body, not linear momenta. */
static void print_momenta(FILE *stream, const struct rill_report *report, bool body) {
  static const char *const names[RILL_SMALL_MOMENTA] = {
      "momentum x", "momentum y", "momentum z", "angular momentum x", "angular momentum y", "angular momentum z"};
  bool any = false;
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++) any = any || isfinite(report->momentum[i]);
  if (any)
    fprintf(stream, "\nmomentum maps, first value and largest change (forces may change them%s)\n",
            body ? "; momentum: about the body's axes, angular momentum: about those of space" : "");
  for (int i = 0; i < RILL_SMALL_MOMENTA; i++)
    if (isfinite(report->momentum[i]))
      fprintf(stream, "  %-27s%20.12g%14.3g\n", names[i], report->momentum[i], report->momentum_change[i]);
}

static void print_small(FILE *stream, const struct rill_run *run, const struct rill_report *report) {
  const struct rill_simulation *sim = run->sim;
  const char *energy_unit = rill_simulation_energy_unit(sim), *time_unit = rill_deck_time_unit(&sim->deck);
  char rate[32];
  snprintf(rate, sizeof rate, "%s%s%s", energy_unit, *time_unit ? "/" : "", time_unit);
  if (sim->deck.thermostat.method != RILL_NO_BATH) {
    print_means(stream, run, report);
    print_law(stream, sim);
  }
  fprintf(stream, "\nenergy, %" PRIu64 " samples\n", report->small_samples);
  print_line(stream, "first", report->energy_first, energy_unit);
  print_line(stream, "mean", report->energy_mean, energy_unit);
  print_line(stream, "largest deviation", report->energy_most, energy_unit);
  print_line(stream, "linear drift", report->energy_drift, rate);
  print_momenta(stream, report, sim->system.group != NULL);
  if (report->constrained) {
    fputs("\nconstraints, largest residuals\n", stream);
    print_line(stream, "positions", report->position_residual, "");
    print_line(stream, "velocities", report->velocity_residual, "");
  }
  if (report->iterates) {
    fputs("\nsolver\n", stream);
    print_line(stream, "mean iterations per step", report->iterations_mean, "");
    print_line(stream, "most iterations per step", report->iterations_most, "");
  }
  fprintf(stream, "\nspeed\n  %-27s", "time per step, no output");
  if (!isnan(report->step_seconds)) fprintf(stream, "%20.4g  us\n", report->step_seconds * 1e6);
  else fprintf(stream, "%20s\n", "n/a");
  fprintf(stream, "  %-27s%20.4g  s\n", "wall time", report->wall);
  print_files(stream, run);
}

/* ---- JSON ---- */

/* Why a number has no error estimate. */
static void put_reason(struct rill_json *json, enum rill_sampling sampling) {
  if (sampling != RILL_SAMPLING_ENOUGH) rill_json_string(json, "reason", rill_sampling_name(sampling));
}

static void put_means(struct rill_json *json, const struct rill_report *report) {
  rill_json_count(json, "samples", report->samples);
  rill_json_object(json, "means");
  for (size_t i = 0; i < report->mean_count; i++) {
    const struct rill_mean *mean = &report->means[i].mean;
    rill_json_object(json, report->means[i].name);
    rill_json_number(json, "mean", mean->mean);
    rill_json_number(json, "error", mean->error);
    rill_json_count(json, "samples", mean->samples);
    put_reason(json, mean->sampling);
    rill_json_close(json);
  }
  rill_json_close(json);
}

static void put_deviations(struct rill_json *json, const struct rill_report *report) {
  rill_json_object(json, "largest_deviations");
  rill_json_number(json, "bond_lengths", report->bond);
  rill_json_number(json, "bond_velocities", report->bond_velocity);
  rill_json_number(json, "attitudes", report->attitude);
  rill_json_number(json, "residual_nm", report->residual);
  rill_json_close(json);
}

/* Writes null if there are no solves. */
static void put_solver(struct rill_json *json, const struct rill_report *report) {
  rill_json_object(json, "solver");
  rill_json_number(json, "iterations_mean", report->iterations_mean);
  rill_json_number(json, "iterations_max", report->iterations_most);
  rill_json_number(json, "evaluations_mean", report->evaluations_mean);
  rill_json_number(json, "evaluations_max", report->evaluations_most);
  rill_json_close(json);
}

static void put_drift(struct rill_json *json, const struct rill_report *report) {
  if (!report->has_drift) return;
  rill_json_object(json, "energy_drift");
  rill_json_number(json, "slope_kT_ns_dof", report->drift.slope);
  rill_json_number(json, "error", report->drift.error);
  put_reason(json, report->drift.sampling);
  rill_json_number(json, "deviation_kJ_mol", report->energy_deviation);
  rill_json_close(json);
}

static void put_trials(struct rill_json *json, const struct rill_report *report) {
  const struct rill_trials *t = &report->trials;
  if (!report->has_trials) return;
  rill_json_object(json, "trials");
  rill_json_count(json, "made", t->made);
  rill_json_count(json, "accepted", t->accepted);
  rill_json_count(json, "failed", t->failed);
  rill_json_count(json, "unreturned", t->unreturned);
  rill_json_number(json, "acceptance", share_of(t->accepted, t->made));
  rill_json_close(json);
}

static void put_cell_moves(struct rill_json *json, const struct rill_report *report) {
  const struct rill_cell_moves *moves = &report->cell_moves;
  if (!report->has_cell_moves) return;
  rill_json_object(json, "cell_moves");
  rill_json_count(json, "made", moves->made);
  rill_json_count(json, "accepted", moves->accepted);
  rill_json_number(json, "acceptance", share_of(moves->accepted, moves->made));
  rill_json_count(json, "meshes_chosen_anew", moves->planned);
  rill_json_close(json);
}

static void put_peak(struct rill_json *json, const struct rill_report *report) {
  if (!report->has_peak) return;
  rill_json_object(json, "distribution_peak");
  rill_json_number(json, "r_nm", report->peak.place);
  rill_json_number(json, "g", report->peak.height);
  rill_json_number(json, "error", report->peak.error);
  put_reason(json, report->peak.sampling);
  rill_json_number(json, "bin_nm", report->bin);
  rill_json_count(json, "samples", report->distribution_samples);
  rill_json_close(json);
}

static void put_properties(struct rill_json *json, const struct rill_property_report *properties) {
  if (properties->count + properties->note_count == 0) return;
  rill_json_object(json, "properties");
  for (size_t i = 0; i < properties->count; i++) {
    const struct rill_property *p = &properties->result[i];
    rill_json_object(json, p->name);
    rill_json_number(json, "value", p->estimate.value);
    rill_json_number(json, "error", p->estimate.error);
    rill_json_string(json, "unit", p->unit);
    rill_json_string(json, "remark", p->remark);
    rill_json_close(json);
  }
  rill_json_close(json);
  rill_json_list(json, "property_notes");
  for (size_t i = 0; i < properties->note_count; i++) rill_json_string(json, NULL, properties->note[i]);
  rill_json_close(json);
}

static void put_shares(struct rill_json *json, const char *name, const struct rill_reported_share *shares,
                       size_t count) {
  char label[64];
  rill_json_object(json, name);
  for (size_t i = 0; i < count; i++) {
    snprintf(label, sizeof label, "%s%s", shares[i].part, shares[i].name);
    rill_json_number(json, label, shares[i].share);
  }
  rill_json_close(json);
}

static void put_speed(struct rill_json *json, const struct rill_report *report, bool water) {
  rill_json_object(json, "speed");
  if (water) rill_json_number(json, "ns_per_day", report->speed);
  rill_json_number(json, "us_per_step", report->step_seconds * 1e6);
  rill_json_number(json, "wall_s", report->wall);
  if (report->timed > 0) {
    rill_json_count(json, "timed_steps", report->timed);
    put_shares(json, "shares", report->shares, report->share_count);
    put_shares(json, "shares_of_forces", report->force_shares, report->force_share_count);
  }
  if (report->lists.builds > 0) {
    rill_json_count(json, "lists_made", report->lists.builds);
    rill_json_count(json, "lists_pruned", report->lists.prunes);
    rill_json_count(json, "evaluations", report->lists.evaluations);
  }
  if (report->sharing.ranks > 0) {
    rill_json_count(json, "ranks", (uint64_t)report->sharing.ranks);
    if (report->sharing.mesh_ranks > 0) rill_json_count(json, "mesh_ranks", (uint64_t)report->sharing.mesh_ranks);
    rill_json_number(json, "molecules_of_a_rank", report->sharing.own_mean);
    rill_json_number(json, "molecules_of_a_rank_most", report->sharing.own_most);
    rill_json_number(json, "halo", report->sharing.halo_mean);
    for (int k = 0; k < TRAFFICS; k++) {
      char name[64];
      snprintf(name, sizeof name, "%s_messages_an_evaluation", traffic_names[k]);
      rill_json_number(json, name, a_step(report->sharing.traffic[k].messages, report));
      snprintf(name, sizeof name, "%s_bytes_an_evaluation", traffic_names[k]);
      rill_json_number(json, name, a_step(report->sharing.traffic[k].bytes, report));
    }
    rill_json_count(json, "migrations", report->sharing.migrations);
    rill_json_count(json, "migrated", report->sharing.migrated);
    rill_json_number(json, "memory_of_rank_0_bytes", report->sharing.memory_first);
    rill_json_number(json, "memory_of_a_rank_bytes", report->sharing.memory_mean);
    rill_json_number(json, "memory_of_a_rank_most_bytes", report->sharing.memory_most);
  }
  rill_json_close(json);
}

static void put_water(struct rill_json *json, const struct rill_run *run, const struct rill_report *report) {
  rill_json_number(json, "means_from_ps", run->sim->deck.output.means_from);
  put_means(json, report);
  put_deviations(json, report);
  put_solver(json, report);
  put_drift(json, report);
  put_trials(json, report);
  put_cell_moves(json, report);
  put_peak(json, report);
  put_properties(json, &run->property_report);
}

static void put_small(struct rill_json *json, const struct rill_run *run, const struct rill_report *report) {
  const bool si = run->sim->type->si, bath = run->sim->deck.thermostat.method != RILL_NO_BATH;
  rill_json_count(json, bath ? "all_samples" : "samples", report->small_samples);
  rill_json_object(json, si ? "energy_J" : "energy");
  rill_json_number(json, "first", report->energy_first);
  rill_json_number(json, "mean", report->energy_mean);
  rill_json_number(json, "largest_deviation", report->energy_most);
  rill_json_number(json, si ? "drift_J_s" : "drift", report->energy_drift);
  rill_json_close(json);
  if (bath) {
    rill_json_number(json, si ? "means_from_s" : "means_from", run->sim->deck.output.means_from);
    put_means(json, report);
  }
  rill_json_object(json, "momenta");
  rill_json_numbers(json, "first", report->momentum, RILL_SMALL_MOMENTA);
  rill_json_numbers(json, "largest_change", report->momentum_change, RILL_SMALL_MOMENTA);
  rill_json_close(json);
  if (report->constrained) {
    rill_json_object(json, "largest_residuals");
    rill_json_number(json, "positions", report->position_residual);
    rill_json_number(json, "velocities", report->velocity_residual);
    rill_json_close(json);
  }
  if (report->iterates) put_solver(json, report);
}

static void put_run(struct rill_json *json, const struct rill_run *run, const struct rill_report *report) {
  const char *unit = rill_deck_time_unit(&run->sim->deck);
  const bool water = run->sim->type == NULL;
  rill_json_object(json, NULL);
  rill_json_string(json, "deck", run->sim->deck.path);
  rill_json_string(json, "system", water ? "water" : run->sim->type->name);
  rill_json_string(json, "method", rill_simulation_method(run->sim));
  rill_json_string(json, "outcome", report->complete ? "complete" : "stopped");
  rill_json_count(json, "steps", report->planned);
  rill_json_count(json, "steps_done", report->done);
  rill_json_quantity(json, "step", unit, report->step);
  rill_json_quantity(json, "time", unit, report->time);
  if (report->resumed) {
    rill_json_object(json, "resumed_from");
    rill_json_string(json, "checkpoint", run->outputs.checkpoint);
    rill_json_count(json, "steps_done", report->first);
    rill_json_quantity(json, "time", unit, (double)report->first * report->step);
    rill_json_close(json);
  } else {
    rill_json_null(json, "resumed_from");
  }
  if (!run->complete) {
    if (run->sim->ensemble != NULL) rill_put_averages(json, run);
    else (water ? put_water : put_small)(json, run, report);
    put_speed(json, report, water);
  }
  rill_json_object(json, "files");
  for (size_t i = 0; i < report->file_count; i++)
    rill_json_string(json, report->files[i].role, report->files[i].path);
  rill_json_close(json);
  rill_json_close(json);
}

void rill_show_summary(struct rill_page *page, const struct rill_run *run) {
  struct rill_report report;
  rill_run_report(run, &report);
  if (page->text == NULL) put_run(&page->json, run, &report);
  else if (run->complete)
    fprintf(page->text,
            "the run is complete: checkpoint %s holds its last step, %" PRIu64
            ", and all files are unchanged; a longer integrator.time continues it\n",
            run->outputs.checkpoint, run->checkpoint.step);
  else if (run->sim->ensemble != NULL) print_ensemble(page->text, run, &report);
  else (run->sim->type == NULL ? print_water : print_small)(page->text, run, &report);
}

void rill_describe_run(FILE *stream, const struct rill_run *run) {
  const struct rill_simulation *sim = run->sim;
  const uint64_t step = run->checkpoint.step;
  fprintf(stream, "rill %s: %s\n", PACKAGE_VERSION, sim->deck.path);
  rill_describe_simulation(sim, stream);
  if (sim->continued == NULL) return;
  fprintf(stream, "  resumed      after step %" PRIu64, step);
  if (sim->type == NULL) fprintf(stream, ", %g ps", (double)step * sim->deck.integrator.step);
  fprintf(stream, ", from %s\n", run->outputs.checkpoint);
}
