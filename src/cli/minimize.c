/* rill minimize: energy minimisation of rigid water. */
#include <string.h>

#include "cli/command.h"
#include "cli/notes.h"
#include "cli/watch.h"
#include "show/minima.h"
#include "simulation/water_start.h"
#include "simulation/written.h"

/* Data shared by all frames. */
struct minimization {
  struct rill_shown_frames shown;
  const char *out, *boundary;
  struct rill_water_model model;
  struct rill_minimize_options options;
  struct rill_watch watch;
  const struct rill_notes *notes; /* NULL: quiet */
  struct rill_written written;
};

static enum rill_status minimize_frame(void *context, struct rill_structure *structure, size_t frame,
                                       struct rill_error *error) {
  struct minimization *m = context;
  struct rill_minimize_report end;
  struct rill_field_options field;
  RILL_TRY(rill_start_choose_boundary(m->boundary, structure, m->shown.path, m->notes, error));
  RILL_TRY(rill_start_rigidify(&m->model, structure, m->shown.path, m->notes, error));
  m->options.box = NULL;
  if (structure->has_box) {
    RILL_TRY(rill_start_choose_field(&m->model, structure, m->shown.path, m->notes, &field, error));
    m->options.box = &field;
  }
  rill_watch_start(&m->watch, m->notes == NULL);
  RILL_TRY(rill_start_minimize(&m->model, &m->options, structure, m->shown.path, m->notes, &end, error));
  rill_watch_end(&m->watch);
  RILL_TRY(rill_written_add(&m->written, structure));
  rill_show_minimum(&m->shown, m->out, m->model.name, structure, frame, &end);
  return RILL_OK;
}

static enum rill_status read_options(const struct rill_arguments *arguments, struct minimization *m,
                                     struct rill_error *error) {
  size_t threads;
  m->shown.path = arguments->positional[0];
  m->out = rill_argument(arguments, "output");
  m->boundary = rill_argument(arguments, "boundary");
  m->notes = rill_notes_unless(rill_argument_given(arguments, "quiet"));
  m->options = rill_minimize_defaults();
  if (m->out == NULL)
    return rill_error_set(error, RILL_ERROR_USAGE, "missing -o OUT; usage: rill minimize STRUCTURE -o OUT [options]");
  RILL_TRY(rill_written_check(m->out, m->shown.path, rill_argument_given(arguments, "force"), error));
  RILL_TRY(rill_argument_count(arguments, "iterations", 100000000, m->options.maximum_iterations,
                               &m->options.maximum_iterations, error));
  RILL_TRY(rill_argument_count(arguments, "threads", 1024, 1, &threads, error));
  RILL_TRY(rill_argument_quantity(arguments, "tolerance", "force", NULL, &m->options.force_tolerance, error));
  m->options.threads = (int)threads;
  m->options.observe = rill_watch_minimize;
  m->options.context = &m->watch;
  if (m->boundary != NULL && strcmp(m->boundary, "periodic") != 0 && strcmp(m->boundary, "vacuum") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--boundary %s: expected vacuum or periodic", m->boundary);
  return rill_water_model_find(rill_argument(arguments, "model"), 0, &m->model, error);
}

static enum rill_status work(const struct rill_arguments *arguments, struct minimization *m,
                             struct rill_error *error) {
  const bool several = m->shown.choice.kind == RILL_FRAME_RANGE;
  RILL_TRY(rill_written_begin(&m->written, m->out, rill_argument_given(arguments, "force"), false, several, m->notes,
                              error));
  if (several) rill_page_list(m->shown.page);
  RILL_TRY(rill_written_end(
      &m->written, rill_frames_visit(m->shown.path, &m->shown.choice, "--frame N, last or all minimizes others",
                                     m->notes, minimize_frame, m, NULL, error)));
  rill_show_written(m->shown.page, m->out);
  return RILL_OK;
}

static enum rill_status minimize(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_page page;
  struct minimization m = {.shown = {.page = &page}};
  RILL_TRY(read_options(arguments, &m, error));
  RILL_TRY(rill_argument_frame(arguments, &m.shown.choice, error));
  RILL_TRY(rill_arguments_page(arguments, RILL_PAGE_TEXT, &page, error));
  return rill_page_end(&page, work(arguments, &m, error), error);
}

static const struct rill_option_row options[] = {
    {"output", 'o', "OUT", "the structure to write (.gro, .pdb, .xyz)"},
    {"tolerance", 0, "FORCE", "stop when the largest force is below (default 1e-3kJ/mol/nm)"},
    {"boundary", 0, "vacuum|periodic", "required when the file has a box"},
    RILL_FRAME_OPTION,
    {"iterations", 0, "N", "at most this many (default 10000)"},
    {"model", 0, "NAME", RILL_MODEL_HELP},
    {"threads", 't', "N", "at most this many threads (default 1)"},
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
    .description =
        "L-BFGS over the positions and orientations of rigid molecules, in vacuum or in a periodic box "
        "(particle-mesh Ewald to 1e-6, or as fine as a small box allows; Lennard-Jones within 0.9 nm or half the "
        "box). Reports iterations, largest and rms force, and which criterion ended it: in a box molecules enter and "
        "leave the cutoff, so that the energy has small steps, which end a search before round-off does. Molecules "
        "that overlap are pushed apart first, and a note says how far. With --frame all there is a row per frame, "
        "and OUT has all of them.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = minimize,
};
