/* rill minimize: energy minimisation of rigid water. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/frame_option.h"
#include "cli/json.h"
#include "cli/watch.h"
#include "cli/notes.h"
#include "deck/units.h"
#include "simulation/written.h"
#include "simulation/water_start.h"

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

/* A box in the file leaves no boundary to be taken for granted; in vacuum it is left out. */
static enum rill_status choose_boundary(const char *boundary, const char *path, struct rill_structure *structure,
                                        const struct rill_notes *notes, struct rill_error *error) {
  const bool periodic = boundary != NULL && strcmp(boundary, "periodic") == 0;
  if (periodic && !structure->has_box)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has no box, but --boundary periodic needs one", path);
  if (structure->has_box && boundary == NULL)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s has a box: choose --boundary periodic, or vacuum, which does not use it", path);
  if (structure->has_box && !periodic && notes != NULL)
    rill_note(notes, "note: %s: the file's box is left out, --boundary vacuum", path);
  structure->has_box = periodic;
  return RILL_OK;
}

/* What all frames have in common. */
struct minimization {
  const char *path, *out, *boundary;
  struct rill_water_model model;
  struct rill_minimize_options options;
  struct rill_watch watch;
  const struct rill_notes *notes; /* NULL: quiet */
  bool several;
  struct rill_written written;
  struct rill_json json; /* without a document: text */
};

static void put_report(struct minimization *m, const struct rill_structure *structure, size_t frame,
                       const struct rill_minimize_report *report) {
  struct rill_json *json = &m->json;
  rill_json_object(json, NULL);
  rill_json_string(json, "file", m->out);
  rill_json_count(json, "frame", frame);
  rill_json_count(json, "molecules", structure->molecules);
  rill_json_string(json, "model", m->model.name);
  rill_json_string(json, "boundary", structure->has_box ? "periodic" : "vacuum");
  rill_json_number(json, "potential_before_kJ_mol", report->before.lj + report->before.coulomb);
  rill_json_number(json, "potential_kJ_mol", report->after.lj + report->after.coulomb);
  rill_json_count(json, "iterations", report->iterations);
  rill_json_count(json, "evaluations", report->evaluations);
  rill_json_number(json, "max_force_kJ_mol_nm", report->maximum_force);
  rill_json_number(json, "rms_force_kJ_mol_nm", report->rms_force);
  rill_json_number(json, "torque_length_nm", report->length);
  rill_json_number(json, "geometry_deviation", report->deviation);
  rill_json_string(json, "ended_because", rill_minimize_reason_meaning(report->reason));
  rill_json_close(json);
}

static void report(struct minimization *m, const struct rill_structure *structure, size_t frame,
                   const struct rill_minimize_report *report) {
  if (m->json.stream != NULL) {
    put_report(m, structure, frame, report);
    return;
  }
  if (!m->several) {
    report_end(report);
    return;
  }
  if (m->written.frames == 1)
    printf("%8s %9s %18s %18s %10s %13s  ended because\n", "frame", "molecules", "kJ/mol at first", "kJ/mol at last",
           "iterations", "kJ/mol/nm");
  printf("%8zu %9zu %18.10g %18.10g %10zu %13.4g  %s\n", frame, structure->molecules,
         report->before.lj + report->before.coulomb, report->after.lj + report->after.coulomb, report->iterations,
         report->maximum_force, rill_minimize_reason_meaning(report->reason));
}

static enum rill_status minimize_frame(void *context, struct rill_structure *structure, size_t frame,
                                       struct rill_error *error) {
  struct minimization *m = context;
  struct rill_minimize_report end;
  struct rill_field_options field;
  RILL_TRY(choose_boundary(m->boundary, m->path, structure, m->notes, error));
  RILL_TRY(rill_start_rigidify(&m->model, structure, m->path, m->notes, error));
  m->options.box = NULL;
  if (structure->has_box) {
    RILL_TRY(rill_start_choose_field(&m->model, structure, m->path, m->notes, &field, error));
    m->options.box = &field;
  }
  rill_watch_start(&m->watch, m->notes == NULL);
  RILL_TRY(rill_start_minimize(&m->model, &m->options, structure, m->path, m->notes, &end, error));
  rill_watch_end(&m->watch);
  RILL_TRY(rill_written_add(&m->written, structure));
  report(m, structure, frame, &end);
  return RILL_OK;
}

static enum rill_status read_options(const struct rill_arguments *arguments, struct minimization *m,
                                     struct rill_error *error) {
  const char *model = rill_argument(arguments, "model"), *tolerance = rill_argument(arguments, "tolerance");
  size_t threads;
  m->path = arguments->positional[0];
  m->out = rill_argument(arguments, "output");
  m->boundary = rill_argument(arguments, "boundary");
  m->notes = rill_notes_unless(rill_argument_given(arguments, "quiet"));
  m->options = rill_minimize_defaults();
  if (m->out == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "missing -o OUT; usage: rill minimize STRUCTURE -o OUT [options]");
  RILL_TRY(rill_written_check(m->out, m->path, rill_argument_given(arguments, "force"), error));
  RILL_TRY(rill_argument_count(arguments, "iterations", 100000000, m->options.maximum_iterations,
                               &m->options.maximum_iterations, error));
  RILL_TRY(rill_argument_count(arguments, "threads", 1024, 1, &threads, error));
  if (tolerance != NULL)
    RILL_TRY(rill_quantity_parse(tolerance, "force", "--tolerance", &m->options.force_tolerance, error));
  m->options.threads = (int)threads;
  m->options.observe = rill_watch_minimize;
  m->options.context = &m->watch;
  if (m->boundary != NULL && strcmp(m->boundary, "periodic") != 0 && strcmp(m->boundary, "vacuum") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--boundary %s: expected vacuum or periodic", m->boundary);
  return rill_water_model_find(model != NULL ? model : "tip3p", 0, &m->model, error);
}

static enum rill_status minimize(const struct rill_arguments *arguments, struct rill_error *error) {
  struct minimization m = {0};
  struct rill_frame_choice choice;
  const bool json = rill_argument_given(arguments, "json");
  enum rill_status status;
  RILL_TRY(read_options(arguments, &m, error));
  RILL_TRY(rill_frame_choose(rill_argument(arguments, "frame"), &choice, error));
  m.several = choice.kind == RILL_FRAME_ALL;
  RILL_TRY(rill_written_begin(&m.written, m.out, rill_argument_given(arguments, "force"), false, m.several, m.notes, error));
  status = json ? rill_json_begin(&m.json, error) : RILL_OK;
  if (json && status == RILL_OK && m.several) rill_json_list(&m.json, NULL);
  if (status == RILL_OK)
    status = rill_frames_visit(m.path, &choice, "--frame N, last or all minimizes others", m.notes, minimize_frame,
                               &m, NULL, error);
  status = rill_written_end(&m.written, status);
  if (m.json.stream != NULL && m.several) rill_json_close(&m.json);
  RILL_TRY(rill_json_end(&m.json, status, error));
  if (!json) printf("written to    %s\n", m.out);
  return RILL_OK;
}

static const struct rill_option_row options[] = {
    {"output", 'o', "OUT", "the structure to write (.gro, .pdb, .xyz)"},
    {"tolerance", 0, "FORCE", "stop when the largest force is below (default 1e-3kJ/mol/nm)"},
    {"boundary", 0, "vacuum|periodic", "to be chosen when the file has a box"},
    RILL_FRAME_OPTION,
    {"iterations", 0, "N", "at most so many (default 10000)"},
    {"model", 0, "NAME", "tip3p (default) or tip3p-ac"},
    {"threads", 't', "N", "at most so many threads (default 1)"},
    {"force", 'f', NULL, "replaces an existing file"},
    {"json", 0, NULL, "print one JSON object; with --frame all a list of them"},
    {"quiet", 'q', NULL, "no progress and no notes"},
};

const struct rill_command rill_command_minimize = {
    .name = "minimize",
    .positional = "STRUCTURE -o OUT",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "minimises the energy of rigid water",
    .description = "L-BFGS over the positions and orientations of rigid molecules, in vacuum or in a periodic box "
                   "(particle-mesh Ewald to 1e-6, or as fine as a small box allows; Lennard-Jones within 0.9 nm or "
                   "half the box). Reports iterations, largest and rms force, and which criterion ended it: in a box "
                   "molecules enter and leave the cutoff, so that the energy has small steps, which end a search "
                   "before round-off does. Molecules that overlap are pushed apart first, which is said with its size. "
                   "With --frame all there is a row a frame, and OUT has all of them.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = minimize,
};
