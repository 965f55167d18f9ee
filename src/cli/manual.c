/* The manual page rill(1): commands and options from their tables, the deck from its schema; the prose in between is
 * in this file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/roff.h"
#include "deck/schema.h"
#include "integrators/registry.h"
#include "systems/registry.h"
#include "water/model/species.h"

/* ---- from the tables ---- */

static void write_synopsis(FILE *stream) {
  size_t count;
  const struct rill_command *const *commands = rill_commands(&count);
  fputs(".SH SYNOPSIS\n.nf\n", stream);
  for (size_t i = 0; i < count; i++) {
    fprintf(stream, "\\fBrill %s\\fR \\fI", commands[i]->name);
    rill_roff_text(stream, commands[i]->positional);
    fprintf(stream, "\\fR%s\n", commands[i]->option_count > 0 ? " [\\fIoptions\\fR]" : "");
  }
  rill_roff_line(stream, "", "`rill --help` | `--version` | `--manual` [PAGE]");
  rill_roff_line(stream, "", "`rill` COMMAND `--help`");
  fputs(".fi\n", stream);
}

static void write_option(FILE *stream, const struct rill_option_row *row) {
  fputs(".TP\n", stream);
  if (row->letter) fprintf(stream, "\\fB\\-%c\\fR, ", row->letter);
  fputs("\\fB\\-\\-", stream);
  rill_roff_text(stream, row->name);
  fputs("\\fR", stream);
  if (row->argument) {
    fputs(" \\fI", stream);
    rill_roff_text(stream, row->argument);
    fputs("\\fR", stream);
  }
  fputc('\n', stream);
  rill_roff_line(stream, "", row->help);
}

static void write_commands(FILE *stream) {
  size_t count;
  const struct rill_command *const *commands = rill_commands(&count);
  fputs(".SH COMMANDS\n", stream);
  for (size_t i = 0; i < count; i++) {
    fprintf(stream, ".SS rill %s ", commands[i]->name);
    rill_roff_line(stream, "", commands[i]->positional);
    rill_roff_line(stream, "", commands[i]->description);
    fputs(RILL_ROFF_COMPACT, stream);
    for (size_t k = 0; k < commands[i]->option_count; k++) write_option(stream, &commands[i]->options[k]);
    fputs(RILL_ROFF_SPACED, stream);
  }
}

static void write_key(FILE *stream, const struct rill_key *key) {
  char *text = NULL;
  size_t length;
  FILE *description = open_memstream(&text, &length);
  if (description == NULL) return;
  rill_key_describe(key, description);
  if (fclose(description) == 0) rill_roff_tagged(stream, key->name, text);
  free(text);
}

static void write_keys(FILE *stream) {
  size_t section_count, key_count;
  const struct rill_section *sections = rill_sections(&section_count);
  const struct rill_key *keys = rill_keys(&key_count);
  for (size_t s = 0; s < section_count; s++) {
    fprintf(stream, ".SS [%s]\n", sections[s].name);
    rill_roff_text(stream, sections[s].help);
    if (sections[s].condition != NULL) fprintf(stream, "; needs %s", sections[s].condition->text);
    fputc('\n', stream);
    fputs(RILL_ROFF_COMPACT, stream);
    for (size_t k = 0; k < key_count; k++)
      if (strcmp(keys[k].section, sections[s].name) == 0) write_key(stream, &keys[k]);
    fputs(RILL_ROFF_SPACED, stream);
  }
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
      rill_roff_text(stream, rill_status_meaning(shown[i]));
      separator = "; ";
    }
    fputc('\n', stream);
  }
  rill_roff_tagged(
      stream, "129, 130, 140, 143",
      "stopped by SIGHUP, SIGINT, SIGUSR2 or SIGTERM after the step under way; everything is saved. Only a second "
      "SIGINT ends "
      "the program at once. A run that stops at `--max-time` has 0. With `--stopped-status N` every run that was "
      "stopped so, "
      "and can be resumed, has N.");
}

/* ---- prose ---- */

static void write_examples(FILE *stream) {
  fputs(".SH EXAMPLES\n", stream);
  rill_roff_line(stream, "", "A run with another temperature and seed, into a folder of its own:");
  rill_roff_example(
      stream,
      "rill run inputs/water7.ini --set thermostat.temperature=50K \\\n     --set thermostat.seed=2 -o fifty");
  rill_roff_paragraph(stream, "Its distribution of distances again, with other bins:");
  rill_roff_example(stream, "rill rdf fifty/water7.h5md --from 20ps --max 0.8nm --bins 80 --csv coarse.csv");
  rill_roff_paragraph(stream, "A relaxed cluster of 20 molecules, and its energy:");
  rill_roff_example(stream, "rill build water 20 -o cluster.gro\nrill energy cluster.gro");
  rill_roff_paragraph(stream, "A box of liquid water, relaxed:");
  rill_roff_example(stream, "rill build water --box 3nm -o box.gro");
  rill_roff_paragraph(stream, "What would run, with the values of all keys:");
  rill_roff_example(stream, "rill check inputs/water7-nve.ini --set integrator.method=yoshida4");
}

static void write_deck(FILE *stream) {
  fputs(".SH DECK\n", stream);
  rill_roff_line(
      stream, "",
      "An INI file: sections in brackets, one `key = value` per line, comments after `;` and on lines that begin "
      "with `#`. Quantities carry their unit (`2 fs`, `0.2 /ps`, `300 K`), pure numbers have none; `rill list "
      "units` names the units. Numbers are read with a decimal point whatever the locale. An unknown section or "
      "key, a key given twice, a missing or wrong unit, a value out of range, and a key without effect for the "
      "chosen method are errors, all of them reported together with their lines. `--set` on the command line passes "
      "through the same checks; setting `integrator.time` replaces `integrator.steps` and the reverse. Times of "
      "small systems are pure numbers, or in s, ms and us; their temperatures are the energies k T, pure numbers or "
      "in J, and friction is a pure number, or in /s or kg/s.");
  rill_roff_paragraph(stream, "The smallest deck:");
  rill_roff_example(stream, "[system]\nmolecules = 7\n[integrator]\nstep = 2 fs\ntime = 100 ps");
  rill_roff_paragraph(stream, "Its sections, by task:");
  rill_roff_example(stream,
                    "[system] [penalty] [start]    what is simulated, and from which state\n"
                    "[integrator] [constraints]    method, step and length; how molecules are kept rigid\n"
                    "[thermostat] [barostat]       temperature, pressure\n"
                    "[forces] [confine] [field]    accuracy and cutoffs; a wall about a cluster; fields\n"
                    "[force] [control] [friction]  forces on small systems\n"
                    "[output] [rdf] [properties]   files, intervals and averages\n"
                    "[ensemble]                    replicas and their temperatures\n"
                    "[stop]                        limits that end a run");
  write_keys(stream);
}

static void write_temperatures(FILE *stream) {
  fputs(".SH THE TWO TEMPERATURES\n", stream);
  rill_roff_line(
      stream, "",
      "A kinetic temperature is 2 K / (f R), with the kinetic energy K and f degrees of freedom. It is given twice: "
      "`on-step`, from the velocities at the end of a step, and `half-step`, from the velocities in its middle "
      "(after the last drift, or under baoab and ghmc after the Ornstein-Uhlenbeck flow). They differ by order h^2, "
      "and the "
      "place of the noise in the step determines which of them is free of that error:");
  rill_roff_tagged(stream, "gla", "trust the on-step temperature; the half-step one is high by order h^2.");
  rill_roff_tagged(stream, "baoab", "trust the half-step temperature; the on-step one is low by order h^2.");
  rill_roff_tagged(stream, "ghmc",
                   "trust either: neither has an error of the step. The half-step one is before the trial.");
  rill_roff_tagged(
      stream, "none",
      "the on-step one belongs to the energies in the output; their difference shows how coarse the step is.");
  rill_roff_paragraph(
      stream,
      "Separate temperatures of translation and rotation are on-step ones. A friction coefficient (u/ps) that "
      "gives unlike atoms unlike rates, together with constraints, shifts all of them by a fraction of order "
      "gamma h/m; `run` notes it above 0.01. A friction rate (/ps) does not.");
  fputs(".SH DEGREES OF FREEDOM\n", stream);
  rill_roff_line(
      stream, "",
      "N rigid molecules have 6N. Removing the total momentum at the start takes 3, removing the angular momentum "
      "about the centre of mass 3 more, unless they return: with a thermostat of positive friction the noise "
      "restores them, and there are 6N. A single molecule's momentum is never removed. The 3 of a removed rotation "
      "are shared between the translation and the rotation of the molecules in proportion to their parts of the "
      "inertia of the whole. Without degrees of freedom a temperature is n/a.");
}

static void write_liquid(FILE *stream) {
  fputs(".SH LIQUID WATER\n", stream);
  rill_roff_line(
      stream, "",
      "With `boundary = periodic` molecules fill a box, rectangular or triclinic (a along x, b in the xy plane): "
      "that of the structure file, or a cube built for `molecules = N` at `system.density`. Coulomb is "
      "particle-mesh Ewald, a reaction field or cut; Lennard-Jones cut, shifted, or its force switched off. "
      "Pressure and its tensor are molecular. g(r) counts all images within its range, over N (N - 1) / 2 pairs in "
      "the volume of the box.");
  rill_roff_paragraph(
      stream,
      "`forces.accuracy` holds at the start of the run: the error of the forces is measured there against a "
      "direct Ewald sum, and the mesh is refined until the accuracy is met; if none meets it, it is refused, "
      "with the least measured error. The error is relative to the root mean square force, or to kT/nm at 300 "
      "K, 2.494 kJ/mol/nm, where molecules are so far apart that their forces are smaller. The mesh does not "
      "change during the run, and neither does the error in kJ/mol/nm; relative to decreasing forces, as in an "
      "evaporating droplet, it grows.");
  rill_roff_paragraph(
      stream,
      "Which cutoff, precision and accuracy: measured on 21 configurations of 895 molecules at 298 K, cutoff 0.9 nm, "
      "against sums good to 1e-9. Root mean square error of the forces relative to them, mean error of the pressure "
      "in bar, and the time of an evaluation relative to the default's:");
  rill_roff_example(stream,
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
  rill_roff_paragraph(
      stream,
      "The energy's drift at constant energy, 2 fs, 200 ps, in kT per nanosecond and degree of freedom: by "
      "molecules -0.0005 +- 0.0007 (mixed) and 0.0007 +- 0.0006 (double) at 5e-4, -0.00019 +- 0.00004 (mixed) "
      "at 1e-4; by atoms, mixed, -0.00005 +- 0.00003 at 5e-4 and -0.00004 +- 0.00002 at 1e-4. The drift comes "
      "from whole molecules that cross the cutoff, not from single precision. `lj = shift` shows it: with "
      "`cut` the energy has steps as well.");
  rill_roff_paragraph(
      stream,
      "Neighbour lists are remade before any two molecules together have moved by more than `forces.buffer`: "
      "no pair is missed, whatever the buffer, and lists cause no drift. docs/liquid.md has the liquid's "
      "numbers, and what is not supported in a box.");
}

static void write_files(FILE *stream) {
  fputs(".SH FILES\n", stream);
  rill_roff_line(
      stream, "",
      "Written by `run`, relative to the folder of `-o`; an existing file is kept unless `--force` is given.");
  rill_roff_tagged(
      stream, "NAME.h5md",
      "the trajectory (`output.trajectory`): H5MD 1.1, nm and ps, unwrapped positions, masses, charges, bonds; "
      "the expanded deck, the series and the distribution are under /parameters/rill. After a kill all committed "
      "frames can be read. MDAnalysis opens it with NAME.gro as topology.");
  rill_roff_tagged(stream, "NAME.gro", "the first frame, beside the trajectory");
  rill_roff_tagged(
      stream, "SERIES.csv",
      "energies, temperatures, momenta, constraint deviations, in a box the pressure (`output.series`); lines "
      "with # are comments, including the expanded deck and the units");
  rill_roff_tagged(
      stream, "DECK-rdf.csv",
      "the distribution of O-O distances, when the deck has a section [rdf], with standard errors: in a box g(r) "
      "and the number of neighbours; in vacuum, where there is no volume and so no g(r), the density P(r) of all "
      "pair "
      "distances, its integral being 1.");
  rill_roff_tagged(stream, "DECK-rdf-OH.csv, DECK-rdf-HH.csv",
                   "with `rdf.pair = O-O, O-H, H-H`: g(r) of the other pairs of atoms of different molecules");
  rill_roff_tagged(
      stream, "DECK-properties.csv, DECK-properties.json",
      "properties of the liquid, when the deck has a section [properties], with standard errors; the JSON file also "
      "holds the correlation functions, with the ranges of the fits");
  rill_roff_tagged(stream, "DECK-ensemble.csv",
                   "of an ensemble: averages at each temperature, and of the exchanges with the next");
  rill_roff_tagged(
      stream, "DECK-minima.csv, DECK-minima.gro",
      "with `ensemble.quench_interval`: the distinct minima, their counts at each temperature, and their "
      "structures");
  rill_roff_tagged(
      stream, "DECK-final.gro",
      "the last frame, with velocities, always written; its title has the time, the step and the seed of the noise. "
      "DECK-final.xyz in its place, when coordinates or velocities do not fit in the columns of GRO");
  rill_roff_tagged(
      stream, "DECK.checkpoint",
      "the checkpoint that a run with a trajectory is resumed from (`output.checkpoint`); DECK.checkpoint.prev is "
      "the previous one");
  rill_roff_tagged(
      stream, ".NAME.lock",
      "the lock of the output NAME while a run writes it: another run that shares an output is refused. A lock "
      "that a killed run left is ignored. Where the file system has no locks (flock), the file names host and "
      "process instead, and that of another host is to be removed by hand once its process has ended.");
  rill_roff_paragraph(
      stream,
      "Read: decks; GRO with any number of decimals, PDB and XYZ, by column, with the usual names of water "
      "and its atoms; H5MD.");
}

static void write_resuming(FILE *stream) {
  fputs(".SH STOPPING AND RESUMING\n", stream);
  rill_roff_line(
      stream, "",
      "A run with a trajectory writes a checkpoint every 15 minutes (`output.checkpoint_interval`) and when it "
      "ends: by itself; by SIGINT, SIGTERM, SIGHUP or SIGUSR2 after the present step (only a second SIGINT ends it "
      "at once); at `--max-time`, early enough to be over in time: 5 % of the limit, at most 10 s, and two of the "
      "longest steps and checkpoints before it; or because a step failed. SIGUSR1 writes a checkpoint, and the run "
      "continues. A run without a trajectory writes one when it is requested or stopped. Signals that were ignored "
      "when rill started stay ignored. The same command with `--resume` continues from the checkpoint. All files "
      "are then the same to the byte as those of a run that was never stopped, with any number of threads, and "
      "after a kill at any moment as well: output after the checkpoint is removed and written again.");
  rill_roff_paragraph(
      stream,
      "The deck has to be the one that the run began with, and the format of the checkpoint that of this "
      "program. What may change: the length of the run (a complete run can be extended, too; not with a "
      "temperature ramp), `output.interval` and `output.series_interval` (not with multipliers), limits of "
      "iterations, the keys of `[stop]`, those of the checkpoint itself, and threads. Any other difference is "
      "refused, and named. The kernel that `forces.kernel = auto` chose at the start of the run is kept; where the "
      "processor lacks it, another one is noted: its rounding differs.");
  rill_roff_paragraph(
      stream,
      "A checkpoint is written to a temporary file, synchronised to disk and renamed; the previous one is "
      "kept, and replaces one that is damaged. `rill info` shows its contents.");
  rill_roff_paragraph(
      stream,
      "It holds checksums of all outputs, which are synchronised to disk first. Before `--resume` changes a "
      "file it reads them all, some seconds per GB; missing, truncated, changed or damaged files are refused, "
      "and all are left as they are. `rill verify` does the same at any time.");
}

static void write_end(FILE *stream) {
  fputs(".SH ENVIRONMENT\n", stream);
  rill_roff_tagged(stream, "OMP_NUM_THREADS",
                   "threads of `run` without `--threads`; fewer with `forces.threads`; results do not depend on it");
  rill_roff_tagged(stream, "NO_COLOR", "no colours on a terminal");
  rill_roff_tagged(stream, "OMPI_COMM_WORLD_SIZE",
                   "set by mpirun: with more than one process, `run` refuses decks with [ensemble], which are for "
                   "rill-mpi");
  rill_roff_tagged(stream, "PMI_SIZE", "the same, set by other launchers");
  fputs(".SH SEE ALSO\n", stream);
  rill_roff_line(
      stream, "",
      "`rill-combinations`(7): the methods, thermostats, constraint solvers and systems, and which of them bind. "
      "`rill-mpi`(1), where it is installed: ensembles on several machines.");
}

static void write_name(FILE *stream, size_t index, const char *name) {
  if (index > 0) fputs(",\n", stream);
  rill_roff_text(stream, name);
}

static void write_words(FILE *stream, const struct rill_choice *choices) {
  for (size_t i = 0; choices[i].word != NULL; i++) write_name(stream, i, choices[i].word);
  fputc('\n', stream);
}

/* What a key of the deck may be, by name. */
static void write_names(FILE *stream) {
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  const struct rill_system_type *const *types;
  const struct rill_water_species *species;
  fputs(".SH METHODS AND SYSTEMS\n", stream);
  rill_roff_line(stream, "", "What each is, with its source, stands in `rill-combinations`(7).");
  rill_roff_line(stream, ".TP\n", "`integrator.method`");
  for (size_t i = 0; i < count; i++) {
    write_name(stream, i, methods[i]->name);
    if (methods[i]->alias == NULL) continue;
    fputs(" (", stream);
    rill_roff_text(stream, methods[i]->alias);
    fputc(')', stream);
  }
  fputc('\n', stream);
  rill_roff_line(stream, ".TP\n", "`thermostat.method`");
  write_words(stream, rill_thermostat_choices);
  rill_roff_line(stream, ".TP\n", "`constraints.solver`");
  write_words(stream, rill_constraint_solver_choices);
  rill_roff_line(stream, ".TP\n", "`system.model`");
  species = rill_water_species(&count);
  for (size_t i = 0; i < count; i++) write_name(stream, i, species[i].name);
  write_name(stream, count, RILL_WATER_CUSTOM);
  fputc('\n', stream);
  rill_roff_line(stream, ".TP\n", "`system.kind`");
  types = rill_system_types(&count);
  write_name(stream, 0, "water");
  for (size_t i = 0; i < count; i++) write_name(stream, i + 1, types[i]->name);
  fputc('\n', stream);
}

void rill_write_manual(FILE *stream) {
  rill_roff_title(stream, "rill", 1, "molecular dynamics of rigid water, and a laboratory of integrators");
  write_synopsis(stream);
  fputs(".SH DESCRIPTION\n", stream);
  rill_roff_line(
      stream, "",
      "rill simulates rigid water, clusters in vacuum and liquid in a box, and the small systems of papers on "
      "integrators, from an input deck; it writes H5MD trajectories, series and distributions of oxygen distances. "
      "Integrators, constraint solvers and thermostats can be exchanged on the same system, so that they can be "
      "compared. A trajectory is the same to the last byte for any number of threads and after a resume.");
  write_examples(stream);
  write_commands(stream);
  write_deck(stream);
  write_names(stream);
  write_liquid(stream);
  write_temperatures(stream);
  write_resuming(stream);
  write_files(stream);
  write_exit_statuses(stream);
  write_end(stream);
}
