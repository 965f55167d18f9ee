/* The manual page, in roff: commands and options from their tables, the deck from its schema, methods, thermostats
 * and solvers from the registry and the choices; the prose in between is in this file. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "config.h"
#include "deck/deck.h"
#include "integrators/registry.h"
#include "simulation/simulation.h"
#include "simulation/refusals.h"
#include "study/combinations.h"

/* Writes text as roff: hyphens that can be copied, no line that begins with a control character, `code` in bold. */
static void put(FILE *stream, const char *text) {
  bool code = false;
  for (const char *c = text; *c; c++) {
    if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n')) fputs("\\&", stream);
    if (*c == '-') fputs("\\-", stream);
    else if (*c == '\\') fputs("\\e", stream);
    else if (*c == '^') fputs("\\(ha", stream);
    else if (*c == '~') fputs("\\(ti", stream);
    else if (*c == '`') fputs((code = !code) ? "\\fB" : "\\fR", stream);
    else fputc(*c, stream);
  }
}

static void line(FILE *stream, const char *macro, const char *text) {
  fputs(macro, stream);
  put(stream, text);
  fputc('\n', stream);
}

static void paragraph(FILE *stream, const char *text) {
  fputs(".PP\n", stream);
  line(stream, "", text);
}

/* A tagged paragraph: the tag in bold. */
static void tagged(FILE *stream, const char *tag, const char *text) {
  line(stream, ".TP\n.B ", tag);
  line(stream, "", text);
}

static void example(FILE *stream, const char *text) {
  line(stream, ".PP\n.RS 4\n.nf\n", text);
  fputs(".fi\n.RE\n", stream);
}

/* ---- from the tables ---- */

static void write_synopsis(FILE *stream) {
  size_t count;
  const struct rill_command *const *commands = rill_commands(&count);
  fputs(".SH SYNOPSIS\n.nf\n", stream);
  for (size_t i = 0; i < count; i++) {
    fprintf(stream, "\\fBrill %s\\fR \\fI", commands[i]->name);
    put(stream, commands[i]->positional);
    fprintf(stream, "\\fR%s\n", commands[i]->option_count > 0 ? " [\\fIoptions\\fR]" : "");
  }
  line(stream, "", "`rill --help` | `--version` | `--manual`");
  line(stream, "", "`rill` COMMAND `--help`");
  fputs(".fi\n", stream);
}

static void write_option(FILE *stream, const struct rill_option_row *row) {
  fputs(".TP\n", stream);
  if (row->letter) fprintf(stream, "\\fB\\-%c\\fR, ", row->letter);
  fputs("\\fB\\-\\-", stream);
  put(stream, row->name);
  fputs("\\fR", stream);
  if (row->argument) {
    fputs(" \\fI", stream);
    put(stream, row->argument);
    fputs("\\fR", stream);
  }
  fputc('\n', stream);
  line(stream, "", row->help);
}

static void write_commands(FILE *stream) {
  size_t count;
  const struct rill_command *const *commands = rill_commands(&count);
  fputs(".SH COMMANDS\n", stream);
  for (size_t i = 0; i < count; i++) {
    fprintf(stream, ".SS rill %s ", commands[i]->name);
    line(stream, "", commands[i]->positional);
    line(stream, "", commands[i]->description);
    for (size_t k = 0; k < commands[i]->option_count; k++) write_option(stream, &commands[i]->options[k]);
  }
}

static void write_methods(FILE *stream) {
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  fputs(".SH METHODS\n", stream);
  line(stream, "", "What `integrator.method` may be.");
  for (size_t i = 0; i < count; i++) {
    const struct rill_method *m = methods[i];
    fprintf(stream, ".TP\n\\fB%s\\fR", m->name);
    if (m->alias != NULL) fprintf(stream, ", also \\fB%s\\fR", m->alias);
    fputc('\n', stream);
    line(stream, "", m->summary);
    fprintf(stream, ".br\norder %d, %ssymmetric, %ssymplectic%s\n.br\n", m->order, m->symmetric ? "" : "not ",
            m->symplectic ? "" : "not ", m->specialise != NULL ? ", with its default options" : "");
    line(stream, "", m->citation);
  }
}

static void write_choices(FILE *stream, const struct rill_choice *choices) {
  for (const struct rill_choice *choice = choices; choice->word != NULL; choice++) {
    tagged(stream, choice->word, choice->summary);
    if (choice->source != NULL) line(stream, ".br\n", choice->source);
  }
}

static void write_combination(void *context, const char *system, const struct rill_method *method,
                              enum rill_thermostat thermostat, enum rill_refusal refusal) {
  FILE *stream = context;
  char why[RILL_REFUSAL_TEXT];
  fprintf(stream, ".TP\n\\fB%s\\fR with \\fB%s\\fR on %s\n", method->name,
          rill_choice_word(rill_thermostat_choices, thermostat), system);
  if (refusal == RILL_BINDS) line(stream, "", "binds");
  else line(stream, "no: ", rill_refusal_text(refusal, why));
}

static void write_combinations(FILE *stream) {
  static struct rill_error unused;
  fputs(".SH WHAT BINDS WITH WHAT\n", stream);
  line(stream, "",
       "Methods with thermostats, on water. Rigid water is `water` with constraints.solver = settle, mshake or "
       "shake, alike "
       "for all that binds, and `water/bodies` with lgvi or rotor.");
  (void)rill_water_combinations_each(write_combination, stream, &unused);
}

/* The list of methods is inserted here. */
struct small_place {
  FILE *stream;
  char system[128];
};

static void write_small_combination(void *context, const char *system, const struct rill_method *method,
                                    enum rill_thermostat thermostat, enum rill_refusal refusal) {
  struct small_place *at = context;
  (void)thermostat;
  if (strcmp(at->system, system) != 0) {
    snprintf(at->system, sizeof at->system, "%s", system);
    fprintf(at->stream, ".TP\n\\fB%s\\fR\n", system);
  }
  if (refusal == RILL_BINDS) line(at->stream, "", method->name);
}

static void write_parameters(FILE *stream, const struct rill_system_type *type) {
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_parameter *parameter = &type->parameters[i];
    fprintf(stream, ".TP\n[%s] \\fB%s\\fR = ", rill_parameter_section(parameter), parameter->name);
    line(stream, "", parameter->fallback);
    line(stream, "", parameter->help);
  }
}

static void write_small_systems(FILE *stream) {
  static struct rill_error unused;
  struct small_place at = {stream, ""};
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  fputs(".SH SMALL SYSTEMS\n", stream);
  line(stream, "",
       "What `system.kind` may be besides `water`, with the keys of each and their defaults. Times are pure numbers, "
       "or in s, ms or us where the system is in SI units.");
  for (size_t i = 0; i < count; i++) {
    fprintf(stream, ".SS %s\n", types[i]->name);
    line(stream, "", types[i]->summary);
    fprintf(stream, ".br\n%s\n.br\n", types[i]->si ? "SI units" : "dimensionless");
    line(stream, "", types[i]->source);
    write_parameters(stream, types[i]);
  }
  fputs(".SS Methods that bind to small systems\n", stream);
  line(stream, "", "By system and formulation; `rill list combinations` tells why the others do not.");
  (void)rill_small_combinations_each(write_small_combination, &at, &unused);
}

static void write_exit_statuses(FILE *stream) {
  static const enum rill_status shown[] = {
#define X(name, exit_status, meaning) RILL_##name,
      RILL_STATUS_LIST(X)
#undef X
  };
  static const char *const meanings[] = {
      "success", "a run that failed; the message says what, and what was saved:", "nothing was run:"};
  fputs(".SH EXIT STATUS\n", stream);
  for (int exit_status = 0; exit_status <= 2; exit_status++) {
    const char *separator = " ";
    fprintf(stream, ".TP\n.B %d\n%s", exit_status, meanings[exit_status]);
    for (size_t i = 1; i < sizeof shown / sizeof shown[0]; i++) {
      if (rill_status_exit(shown[i]) != exit_status) continue;
      fputs(separator, stream);
      put(stream, rill_status_meaning(shown[i]));
      separator = "; ";
    }
    fputc('\n', stream);
  }
  tagged(stream, "129, 130, 140, 143",
         "stopped by SIGHUP, SIGINT, SIGUSR2 or SIGTERM after the step under way; everything is saved. Only a second "
         "SIGINT ends "
         "the program at once. A run that stops at `--max-time` has 0. With `--stopped-status N` every run that was "
         "stopped so, "
         "and can be resumed, has N.");
}

/* ---- prose ---- */

static void write_deck(FILE *stream) {
  fputs(".SH DECK\n", stream);
  line(stream, "",
       "An INI file: sections in brackets, one `key = value` per line, comments after `;` and on lines that begin "
       "with `#`. Quantities carry their unit (`2 fs`, `0.2 /ps`, `300 K`), pure numbers have none; `rill list "
       "units` names the units. Numbers are read with a decimal point whatever the locale. An unknown section or "
       "key, a key given twice, a missing or wrong unit, a value out of range, and a key without effect for the "
       "chosen method are errors, all of them reported together with their lines. `--set` on the command line passes "
       "through the same checks; setting `integrator.time` replaces `integrator.steps` and the reverse.");
  paragraph(stream, "The smallest deck:");
  example(stream, "[system]\nmolecules = 7\n[integrator]\nstep = 2 fs\ntime = 100 ps");
  rill_deck_write_reference(stream, true);
}

static void write_temperatures(FILE *stream) {
  fputs(".SH THE TWO TEMPERATURES\n", stream);
  line(stream, "",
       "A kinetic temperature is 2 K / (f R), with the kinetic energy K and f degrees of freedom. It is given twice: "
       "`on-step`, from the velocities at the end of a step, and `half-step`, from the velocities in its middle "
       "(after the last drift, or under baoab after the Ornstein-Uhlenbeck flow). They differ by order h^2, and the "
       "place of the noise in the step determines which of them is free of that error:");
  tagged(stream, "gla", "trust the on-step temperature; the half-step one is high by order h^2.");
  tagged(stream, "baoab", "trust the half-step temperature; the on-step one is low by order h^2.");
  tagged(stream, "none",
         "the on-step one belongs to the energies in the output; their difference shows how coarse the step is.");
  paragraph(stream,
            "Separate temperatures of translation and rotation are on-step ones. A friction coefficient (u/ps) that "
            "gives unlike atoms unlike rates, together with constraints, shifts all of them by a fraction of order "
            "gamma h/m; `run` notes it above 0.01. A friction rate (/ps) does not.");
  fputs(".SH DEGREES OF FREEDOM\n", stream);
  line(stream, "",
       "N rigid molecules have 6N. Removing the total momentum at the start takes 3, removing the angular momentum "
       "about the centre of mass 3 more, unless they return: with a thermostat of positive friction the noise "
       "restores them, and there are 6N. A single molecule's momentum is never removed. The 3 of a removed rotation "
       "are shared between the translation and the rotation of the molecules in proportion to their parts of the "
       "inertia of the whole. Without degrees of freedom a temperature is n/a.");
}

static void write_liquid(FILE *stream) {
  fputs(".SH LIQUID WATER\n", stream);
  line(stream, "",
       "With `boundary = periodic` molecules fill a box, rectangular or triclinic (a along x, b in the xy plane): "
       "that of the structure file, or a cube built for `molecules = N` at `system.density`. Coulomb is "
       "particle-mesh Ewald, a reaction field or cut; Lennard-Jones cut, shifted, or its force switched off. "
       "Pressure and its tensor are molecular. g(r) counts all images within its range, over N (N - 1) / 2 pairs in "
       "the volume of the box.");
  paragraph(stream,
            "`forces.accuracy` holds at the start of the run: the error of the forces is measured there against a "
            "direct Ewald sum, and the mesh is refined until the accuracy is met; if none meets it, it is refused, "
            "with the least measured error. The error is relative to the root mean square force, or to kT/nm at 300 "
            "K, 2.494 kJ/mol/nm, where molecules are so far apart that their forces are smaller. The mesh does not "
            "change during the run, and neither does the error in kJ/mol/nm; relative to decreasing forces, as in an "
            "evaporating droplet, it grows.");
  paragraph(
      stream,
      "Which cutoff, precision and accuracy: measured on 21 configurations of 895 molecules at 298 K, cutoff 0.9 nm, "
      "against sums good to 1e-9. Root mean square error of the forces relative to them, mean error of the pressure "
      "in bar, and the time of an evaluation relative to the default's:");
  example(stream,
          "cutoff_by  precision  accuracy   forces   pressure   time\n"
          "molecule   mixed      5e-4       4.3e-4     -4.1      1\n"
          "atom       mixed      5e-4       4.3e-4     +3.6      1.3\n"
          "molecule   double     5e-4       4.3e-4     -4.1      2.7\n"
          "atom       double     5e-4       4.3e-4     +3.6      4.1\n"
          "molecule   mixed      1e-4       5.9e-5     -1.2      1.2\n"
          "atom       mixed      1e-4       5.6e-5     +1.6      1.5\n"
          "molecule   mixed      1e-5       6.6e-6     -0.4      1.6\n"
          "atom       mixed      1e-5       4.8e-6     +0.2      2.0\n"
          "molecule   double     1e-5       6.5e-6     -0.4      3.7\n"
          "atom       double     1e-5       4.8e-6     +0.2      5.0\n"
          "molecule   double     1e-6       1.1e-6     -0.1      4.5\n"
          "atom       double     1e-6       5.7e-7      0.0      6.0");
  paragraph(stream,
            "The energy's drift at constant energy, 2 fs, 200 ps, in kT per nanosecond and degree of freedom: by "
            "molecules -0.0005 +- 0.0007 (mixed) and 0.0007 +- 0.0006 (double) at 5e-4, -0.00019 +- 0.00004 (mixed) "
            "at 1e-4; by atoms, mixed, -0.00005 +- 0.00003 at 5e-4 and -0.00004 +- 0.00002 at 1e-4. The drift comes "
            "from whole molecules that cross the cutoff, not from single precision. `lj = shift` shows it: with "
            "`cut` the energy has steps as well.");
  paragraph(stream,
            "Neighbour lists are remade before any two molecules together have moved by more than `forces.buffer`: "
            "no pair is missed, whatever the buffer, and lists cause no drift. docs/liquid.md has the liquid's "
            "numbers, and what is not supported in a box.");
}

static void write_files(FILE *stream) {
  fputs(".SH FILES\n", stream);
  line(stream, "",
       "Written by `run`, relative to the folder of `-o`; an existing file is kept unless `--force` is given.");
  tagged(stream, "NAME.h5md",
         "the trajectory (`output.trajectory`): H5MD 1.1, nm and ps, unwrapped positions, masses, charges, bonds; "
         "the expanded deck, the series and the distribution are under /parameters/rill. After a kill all committed "
         "frames can be read. MDAnalysis opens it with NAME.gro as topology.");
  tagged(stream, "NAME.gro", "the first frame, beside the trajectory");
  tagged(stream, "SERIES.csv",
         "energies, temperatures, momenta, constraint deviations, in a box the pressure (`output.series`); lines "
         "with # are comments, including the expanded deck and the units");
  tagged(stream, "DECK-rdf.csv",
         "the distribution of O-O distances, when the deck has a section [rdf], with standard errors: in a box g(r) "
         "and the number of neighbours; in vacuum, where there is no volume and so no g(r), the density P(r) of all "
         "pair "
         "distances, its integral being 1.");
  tagged(
      stream, "DECK-final.gro",
      "the last frame, with velocities, always written; its title has the time, the step and the seed of the noise");
  tagged(stream, "DECK.checkpoint",
         "the checkpoint that a run with a trajectory is resumed from (`output.checkpoint`); DECK.checkpoint.prev is "
         "the previous one");
  tagged(stream, ".NAME.lock",
         "the lock of the output NAME while a run writes it: another run that shares an output is refused. A lock "
         "that a killed run left is ignored. Where the file system has no locks (flock), the file names host and "
         "process instead, and that of another host is to be removed by hand once its process has ended.");
  paragraph(stream,
            "Read: decks; GRO with any number of decimals, PDB and XYZ, by column, with the usual names of water "
            "and its atoms; H5MD.");
}

static void write_resuming(FILE *stream) {
  fputs(".SH STOPPING AND RESUMING\n", stream);
  line(stream, "",
       "A run with a trajectory writes a checkpoint every 15 minutes (`output.checkpoint_interval`) and when it "
       "ends: by itself; by SIGINT, SIGTERM, SIGHUP or SIGUSR2 after the present step (only a second SIGINT ends it "
       "at once); at `--max-time`, early enough to be over in time: 5 % of the limit, at most 10 s, and two of the "
       "longest steps and checkpoints before it; or because a step failed. SIGUSR1 writes a checkpoint, and the run "
       "continues. A run without a trajectory writes one when it is requested or stopped. Signals that were ignored "
       "when rill started stay ignored. The same command with `--resume` continues from the checkpoint. All files "
       "are then the same to the byte as those of a run that was never stopped, with any number of threads, and "
       "after a kill at any moment as well: output after the checkpoint is removed and written again.");
  paragraph(stream,
            "The deck has to be the one that the run began with, and the format of the checkpoint that of this "
            "program. What may change: the length of the run (a complete run can be extended, too; not with a "
            "temperature ramp), `output.interval` and `output.series_interval` (not with multipliers), limits of "
            "iterations, the keys of `[stop]`, those of the checkpoint itself, and threads. Any other difference is "
            "refused, and named. A different instruction set from that of the start of the run is noted: its "
            "rounding differs.");
  paragraph(stream,
            "A checkpoint is written to a temporary file, synchronised to disk and renamed; the previous one is "
            "kept, and replaces one that is damaged. `rill info` shows its contents.");
  paragraph(stream,
            "It holds checksums of all outputs, which are synchronised to disk first. Before `--resume` changes a "
            "file it reads them all, some seconds per GB; missing, truncated, changed or damaged files are refused, "
            "and all are left as they are. `rill verify` does the same at any time.");
}

static void write_end(FILE *stream) {
  fputs(".SH ENVIRONMENT\n", stream);
  tagged(stream, "OMP_NUM_THREADS", "threads of `run` when `--threads` is not given; results do not depend on it");
  tagged(stream, "NO_COLOR", "no colours on a terminal");
  fputs(".SH EXAMPLES\n", stream);
  line(stream, "", "A run with another temperature and seed, into a folder of its own:");
  example(stream,
          "rill run inputs/water7.ini --set thermostat.temperature=50K \\\n     --set thermostat.seed=2 -o fifty");
  paragraph(stream, "Its distribution of distances again, with other bins:");
  example(stream, "rill rdf fifty/water7.h5md --from 20ps --max 0.8nm --bins 80 --csv coarse.csv");
  paragraph(stream, "A relaxed cluster of 20 molecules, and its energy:");
  example(stream, "rill build water 20 -o cluster.gro\nrill energy cluster.gro");
  paragraph(stream, "A box of liquid water, relaxed:");
  example(stream, "rill build water --box 3nm -o box.gro");
  paragraph(stream, "What would run, with the values of all keys:");
  example(stream, "rill check inputs/water7-nve.ini --set integrator.method=yoshida4");
}

void rill_write_manual(FILE *stream) {
  fprintf(stream,
          ".TH RILL 1 \"\" \"rill %s\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n"
          "rill \\- molecular dynamics of rigid water\n",
          PACKAGE_VERSION);
  write_synopsis(stream);
  fputs(".SH DESCRIPTION\n", stream);
  line(stream, "",
       "rill simulates clusters of rigid TIP3P water in vacuum from an input deck, and writes H5MD trajectories, "
       "series and distributions of oxygen distances. Integrators, constraint solvers and thermostats can be "
       "exchanged on the same system, so that they can be compared. The trajectory is the same to the last byte "
       "for any number of threads.");
  write_commands(stream);
  write_deck(stream);
  write_methods(stream);
  fputs(".SH THERMOSTATS\n", stream);
  line(stream, "", "What `thermostat.method` may be.");
  write_choices(stream, rill_thermostat_choices);
  fputs(".SH CONSTRAINT SOLVERS\n", stream);
  line(stream, "", "What `constraints.solver` may be.");
  write_choices(stream, rill_constraint_solver_choices);
  write_combinations(stream);
  write_small_systems(stream);
  write_liquid(stream);
  write_temperatures(stream);
  write_files(stream);
  write_exit_statuses(stream);
  write_resuming(stream);
  write_end(stream);
}
