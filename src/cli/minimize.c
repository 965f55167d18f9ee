/* rill minimize: energy minimisation of rigid water. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/setup.h"
#include "cli/written.h"

struct watch {
  bool quiet, terminal;
  double last;
};

static bool show(void *context, const struct rill_minimize_progress *progress) {
  struct watch *watch = context;
  double now = rill_clock();
  if (watch->quiet || (progress->iteration > 0 && now - watch->last < (watch->terminal ? 0.2 : 5.0))) return true;
  watch->last = now;
  fprintf(stderr, "%siteration %zu  energy %.8g kJ/mol  largest force %.3g kJ/mol/nm%s", watch->terminal ? "\r" : "",
          progress->iteration, progress->energy, progress->maximum_force, watch->terminal ? "\033[K" : "\n");
  return true;
}

static void report_end(const struct rill_minimize_report *report) {
  printf("energy        %.10g -> %.10g kJ/mol\niterations    %zu, force evaluations %zu\nlargest force %.4g "
         "kJ/mol/nm, rms %.4g "
         "kJ/mol/nm (of molecules: net force, and torque divided by %.4f nm)\ngeometry      off the model by %.2g of "
         "a bond length\n"
         "ended because %s\n",
         report->before.lj + report->before.coulomb, report->after.lj + report->after.coulomb, report->iterations,
         report->evaluations, report->maximum_force, report->rms_force, report->length, report->deviation,
         rill_minimize_reason_meaning(report->reason));
}

static enum rill_status work(const struct rill_arguments *arguments, struct rill_structure *structure,
                             struct rill_error *error) {
  const char *path = arguments->positional[0], *out = rill_argument(arguments, "output"), *text;
  const char *model_name = rill_argument(arguments, "model");
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  struct rill_water_model model;
  struct watch watch = {rill_argument_given(arguments, "quiet"), isatty(STDERR_FILENO) == 1, 0};
  size_t threads;
  if (out == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "missing -o OUT; usage: rill minimize STRUCTURE -o OUT [options]");
  RILL_TRY(rill_written_check(out, rill_argument_given(arguments, "force"), error));
  RILL_TRY(rill_argument_count(arguments, "iterations", 100000000, options.maximum_iterations,
                               &options.maximum_iterations, error));
  RILL_TRY(rill_argument_count(arguments, "threads", 1024, 1, &threads, error));
  if ((text = rill_argument(arguments, "tolerance")) != NULL)
    RILL_TRY(rill_quantity_parse(text, "force", "--tolerance", &options.force_tolerance, error));
  options.threads = (int)threads;
  options.observe = show;
  options.context = &watch;
  RILL_TRY(rill_water_model_find(model_name != NULL ? model_name : "tip3p", 0, &model, error));
  RILL_TRY(rill_structure_read(path, structure, error));
  if (structure->has_box)
    fprintf(stderr, "note: %s: the file's box is not used, the cluster is minimised in vacuum\n", path);
  RILL_TRY(rill_setup_rigidify(&model, structure, path, watch.quiet ? NULL : stderr, error));
  RILL_TRY(rill_setup_minimize(&model, &options, structure, path, &report, error));
  if (!watch.quiet && watch.terminal) fputs("\r\033[K", stderr);
  report_end(&report);
  structure->has_box = false;
  RILL_TRY(rill_written_structure(out, structure, false, error));
  printf("written to    %s\n", out);
  return RILL_OK;
}

static enum rill_status minimize(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_structure structure = {0};
  enum rill_status status = work(arguments, &structure, error);
  rill_structure_release(&structure);
  return status;
}

static const struct rill_option_row options[] = {
    {"output", 'o', "OUT", "the structure to write (.gro, .pdb, .xyz)"},
    {"tolerance", 0, "FORCE", "stop when the largest force is below (default 1e-3kJ/mol/nm)"},
    {"iterations", 0, "N", "at most so many (default 10000)"},
    {"model", 0, "NAME", "tip3p (default) or tip3p-ac"},
    {"threads", 't', "N", "at most so many threads (default 1)"},
    {"force", 'f', NULL, "replaces an existing file"},
    {"quiet", 'q', NULL, "no progress and no notes"},
};

const struct rill_command rill_command_minimize = {
    .name = "minimize",
    .positional = "STRUCTURE -o OUT",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "minimises the energy of rigid water",
    .description = "L-BFGS over the positions and orientations of rigid molecules in vacuum. Reports iterations, "
                   "largest and rms force, "
                   "and which criterion ended it.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = minimize,
};
