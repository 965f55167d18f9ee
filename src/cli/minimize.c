/* rill minimize: energy minimisation of rigid water. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/field.h"
#include "cli/setup.h"
#include "cli/watch.h"
#include "cli/written.h"

/* Of the mesh in a box: its error must not hide the minimum. */
static const double accuracy = 1e-6;

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

/* A box in the file leaves no boundary to be taken for granted; in vacuum it is forgotten. */
static enum rill_status choose_boundary(const char *boundary, const char *path, struct rill_structure *structure,
                                        struct rill_error *error) {
  const bool periodic = boundary != NULL && strcmp(boundary, "periodic") == 0;
  if (boundary != NULL && !periodic && strcmp(boundary, "vacuum") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--boundary %s: expected vacuum or periodic", boundary);
  if (periodic && !structure->has_box)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has no box, but --boundary periodic needs one", path);
  if (structure->has_box && boundary == NULL)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s has a box: choose --boundary periodic, or vacuum, which does not use it", path);
  structure->has_box = periodic;
  return RILL_OK;
}

static enum rill_status work(const struct rill_arguments *arguments, struct rill_structure *structure,
                             struct rill_error *error) {
  const char *path = arguments->positional[0], *out = rill_argument(arguments, "output"), *text;
  const char *model_name = rill_argument(arguments, "model");
  struct rill_minimize_options options = rill_minimize_defaults();
  struct rill_minimize_report report;
  struct rill_water_model model;
  const char *boundary = rill_argument(arguments, "boundary");
  struct rill_field_options field;
  struct rill_watch watch;
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
  rill_watch_start(&watch, rill_argument_given(arguments, "quiet"));
  options.observe = rill_watch_minimize;
  options.context = &watch;
  RILL_TRY(rill_water_model_find(model_name != NULL ? model_name : "tip3p", 0, &model, error));
  RILL_TRY(rill_structure_read(path, structure, error));
  RILL_TRY(choose_boundary(boundary, path, structure, error));
  RILL_TRY(rill_setup_rigidify(&model, structure, path, watch.quiet ? NULL : stderr, error));
  if (structure->has_box) {
    RILL_TRY(rill_field_choose(&model, structure->molecules, (const double(*)[3])structure->box,
                               RILL_PRECISION_DOUBLE, accuracy, &field, error));
    options.box = &field;
  }
  RILL_TRY(rill_setup_minimize(&model, &options, structure, path, &report, error));
  rill_watch_end(&watch);
  report_end(&report);
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
    {"boundary", 0, "vacuum|periodic", "to be chosen when the file has a box"},
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
    .description = "L-BFGS over the positions and orientations of rigid molecules, in vacuum or in a periodic box "
                   "(particle-mesh Ewald to 1e-6, Lennard-Jones within 0.9 nm or half the box). Reports iterations, "
                   "largest and rms force, and which criterion ended it: in a box molecules enter and leave the cutoff, "
                   "so that the energy has small steps, which end a search before round-off does.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = minimize,
};
