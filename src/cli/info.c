/* rill info: the contents of a file. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/notes.h"
#include "show/contents.h"

static enum rill_status show_frame(void *context, struct rill_structure *structure, size_t frame,
                                   struct rill_error *error) {
  const struct rill_shown_frames *shown = context;
  struct rill_frame_facts facts;
  RILL_TRY(rill_frame_measure(structure, &facts, error));
  rill_show_frame(shown, structure, frame, &facts);
  return RILL_OK;
}

static enum rill_status show_structure(const struct rill_arguments *arguments, struct rill_page *page,
                                       struct rill_error *error) {
  const char *path = arguments->positional[0];
  struct rill_shown_frames shown = {.page = page, .path = path};
  size_t count = 0;
  RILL_TRY(rill_argument_frame(arguments, &shown.choice, error));
  if (shown.choice.kind == RILL_FRAME_RANGE) rill_page_list(page);
  RILL_TRY(rill_frames_visit(path, &shown.choice, "--frame N, last or all describes others", rill_notes_unless(false),
                             show_frame, &shown, &count, error));
  rill_show_frame_count(&shown, count);
  return RILL_OK;
}

static enum rill_status show_trajectory(const char *path, struct rill_page *page, struct rill_error *error) {
  struct rill_recording_facts *facts = rill_allocate(1, sizeof *facts);
  struct rill_trajectory_reader *reader = NULL;
  enum rill_status status;
  if (facts == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a survey of the frames");
  status = rill_recording_open(path, rill_notes_unless(false), &reader, error);
  if (status == RILL_OK) status = rill_recording_survey(reader, facts, error);
  if (status == RILL_OK) rill_show_recording(page, path, facts);
  rill_trajectory_reader_close(reader);
  rill_release(facts);
  return status;
}

static enum rill_status show_series(const char *path, struct rill_page *page, struct rill_error *error) {
  struct rill_series_file_info info;
  RILL_TRY(rill_series_file_describe(path, &info, error));
  rill_show_series(page, path, &info);
  rill_series_file_info_release(&info);
  return RILL_OK;
}

static enum rill_status show_checkpoint(const char *path, struct rill_page *page, struct rill_error *error) {
  struct rill_checkpoint checkpoint;
  RILL_TRY(rill_checkpoint_read(path, &checkpoint, error));
  rill_show_checkpoint(page, path, &checkpoint);
  rill_checkpoint_release(&checkpoint);
  return RILL_OK;
}

static enum rill_status show_table(const char *path, struct rill_page *page, struct rill_error *error) {
  struct rill_csv_info info;
  RILL_TRY(rill_csv_describe(path, &info, error));
  rill_show_table(page, path, &info);
  rill_csv_info_release(&info);
  return RILL_OK;
}

static enum rill_status show(const struct rill_arguments *arguments, struct rill_page *page,
                             struct rill_error *error) {
  const char *path = arguments->positional[0];
  const char *dot = strrchr(path, '.'), *ending = dot != NULL ? dot : "";
  struct stat information;
  const bool structure = !rill_checkpoint_is(path) && rill_structure_format(path) != RILL_FORMAT_UNKNOWN;
  if (rill_argument_given(arguments, "frame") && !structure)
    return rill_error_set(error, RILL_ERROR_USAGE, "--frame is for structure files; %s is none (.gro, .pdb or .xyz)",
                          path);
  if (structure) return show_structure(arguments, page, error);
  if (rill_checkpoint_is(path)) return show_checkpoint(path, page, error);
  if (strcmp(ending, ".h5") == 0) {
    bool series;
    RILL_TRY(rill_series_file_is(path, &series, error));
    if (series) return show_series(path, page, error);
  }
  if (strcmp(ending, ".h5md") == 0 || strcmp(ending, ".h5") == 0) return show_trajectory(path, page, error);
  if (strcmp(ending, ".csv") == 0) return show_table(path, page, error);
  if (access(path, R_OK) != 0) return rill_error_set(error, RILL_ERROR_INPUT, "%s: %s", path, strerror(errno));
  if (stat(path, &information) == 0 && S_ISDIR(information.st_mode))
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "%s is a folder; `rill verify %s` looks at the files of the runs there", path, path);
  return rill_error_set(error, RILL_ERROR_USAGE,
                        "%s: unknown kind of file; expected a checkpoint, .h5md, .h5, .csv, .gro, .pdb or .xyz",
                        path);
}

static enum rill_status info(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_page page;
  RILL_TRY(rill_arguments_page(arguments, RILL_PAGE_HELD_TEXT, &page, error));
  return rill_page_end(&page, show(arguments, &page, error), error);
}

static const struct rill_option_row options[] = {
    RILL_FRAME_OPTION,
    {"json", 0, NULL, "print one JSON object; with --frame all a list of them"},
};

const struct rill_command rill_command_info = {
    .name = "info",
    .positional = "FILE",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "contents of a trajectory, a checkpoint, a structure or a series file",
    .description =
        "Shows molecules, frames, times, box, geometry, and for a trajectory and a checkpoint the deck that made it; "
        "for a series (CSV) its columns, units and rows. With --frame all there is a row for each frame of a "
        "structure file.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = info,
};
