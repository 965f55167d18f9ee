/* rill build: relaxed starts. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/timers.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/written.h"
#include "water/relax/build.h"

enum { MOST_MOLECULES = 100000 };

struct watch {
  bool quiet, terminal;
  double last;
};

static bool show(void *context, const struct rill_build_progress *progress) {
  struct watch *watch = context;
  double now = rill_clock();
  if (watch->quiet || now - watch->last < (watch->terminal ? 0.2 : 5.0)) return true;
  watch->last = now;
  fprintf(stderr, "%strial %zu of %zu  iteration %zu  energy %.8g kJ/mol%s", watch->terminal ? "\r" : "",
          progress->trial, progress->trials, progress->iteration, progress->energy,
          watch->terminal ? "\033[K" : "\n");
  return true;
}

static enum rill_status work(const struct rill_arguments *arguments, struct rill_structure *structure,
                             struct rill_error *error) {
  const char *kind = arguments->positional[0], *number = arguments->positional[1],
             *out = rill_argument(arguments, "output");
  struct rill_build_options options = rill_build_defaults();
  struct rill_build_report report;
  struct rill_water_model model;
  struct watch watch = {rill_argument_given(arguments, "quiet"), isatty(STDERR_FILENO) == 1, rill_clock()};
  size_t threads, seed, molecules;
  if (strcmp(kind, "water") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "rill build %s: expected water, as in rill build water 7 -o water7.gro", kind);
  RILL_TRY(rill_count_parse(number, "rill build water", MOST_MOLECULES, &molecules, error));
  if (out == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "missing -o OUT; usage: rill build water N -o OUT [options]");
  RILL_TRY(rill_written_check(out, rill_argument_given(arguments, "force"), error));
  RILL_TRY(rill_argument_count(arguments, "threads", 1024, 1, &threads, error));
  RILL_TRY(rill_argument_count(arguments, "seed", (size_t)-1, 1, &seed, error));
  options.threads = (int)threads;
  options.seed = seed;
  options.observe = show;
  options.context = &watch;
  RILL_TRY(rill_water_model_find("tip3p", 0, &model, error));
  RILL_TRY(rill_structure_allocate(structure, molecules, false, error));
  RILL_TRY(rill_water_build_cluster(&model, molecules, &options, structure->positions, &report, error));
  if (!watch.quiet && watch.terminal) fputs("\r\033[K", stderr);
  snprintf(structure->title, sizeof structure->title, "%zu TIP3P water molecules, relaxed, seed %zu", molecules,
           seed);
  if (report.hopping)
    printf("basin hopping: %zu minimisations, the best was number %zu\n", report.trials, report.best_trial);
  else
    printf("a droplet at the density of the liquid, minimised until forces are below %g kJ/mol/nm or the iterations "
           "run out\n",
           report.force_tolerance);
  printf("energy        %.10g kJ/mol (%.6g kcal/mol)\nlargest force %.3g kJ/mol/nm (%s)\n",
         report.minimum.after.lj + report.minimum.after.coulomb,
         (report.minimum.after.lj + report.minimum.after.coulomb) / RILL_KCAL, report.minimum.maximum_force,
         rill_minimize_reason_meaning(report.minimum.reason));
  if (molecules > 1) printf("nearest       oxygens %.4f nm apart\n", report.closest_oxygens);
  RILL_TRY(rill_written_structure(out, structure, false, error));
  printf("written to    %s\n", out);
  return RILL_OK;
}

static enum rill_status build(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_structure structure = {0};
  enum rill_status status = work(arguments, &structure, error);
  rill_structure_release(&structure);
  return status;
}

static const struct rill_option_row options[] = {
    {"output", 'o', "OUT", "the structure to write (.gro, .pdb, .xyz)"},
    {"seed", 0, "N", "another cluster for another seed (default 1)"},
    {"threads", 't', "N", "at most so many threads (default 1)"},
    {"force", 'f', NULL, "replaces an existing file"},
    {"quiet", 'q', NULL, "no progress"},
};

const struct rill_command rill_command_build = {
    .name = "build",
    .positional = "water N -o OUT",
    .positional_min = 2,
    .positional_max = 2,
    .summary = "builds a relaxed cluster of N water molecules",
    .description = "Up to 30 molecules: basin hopping, which finds the lowest known energy for small clusters; "
                   "above: a droplet at the "
                   "liquid's density, minimised. The same seed gives the same cluster on the same kind of processor.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = build,
};
