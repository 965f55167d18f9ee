/* rill convert: structure files to one another, and frames of trajectories to structure files. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/frame_option.h"
#include "cli/recording.h"
#include "simulation/simulation.h"
#include "cli/notes.h"
#include "simulation/written.h"
#include "simulation/water_start.h"

/* The seed of the noise that led to a frame, as titles of last frames have it; "" where the deck has no bath. */
static void put_seed(const char *deck, char *text, size_t size) {
  const char *bath = strstr(deck, "[thermostat]"), *end = bath != NULL ? strstr(bath, "\n[") : NULL;
  const char *method = bath != NULL ? strstr(bath, "\nmethod = ") : NULL, *seed = bath != NULL ? strstr(bath, "\nseed = ") : NULL;
  text[0] = '\0';
  if (method == NULL || seed == NULL || (end != NULL && (method > end || seed > end))) return;
  if (strncmp(method, "\nmethod = none", 14) != 0)
    snprintf(text, size, RILL_TITLE_SEED "%.*s", (int)strspn(seed + 8, "0123456789"), seed + 8);
}

/* A frame of an open trajectory. */
static enum rill_status read_frame(struct rill_trajectory_reader *reader, size_t frame,
                                   struct rill_structure *structure, struct rill_error *error) {
  const bool periodic = rill_trajectory_is_periodic(reader);
  enum rill_status status;
  char seed[48];
  uint64_t step;
  double time;
  RILL_TRY(rill_structure_allocate(structure, rill_trajectory_molecules(reader),
                                   rill_trajectory_has_velocities(reader), error));
  status = rill_trajectory_read(reader, frame, &step, &time, structure->positions, structure->velocities,
                                periodic ? &structure->box[0][0] : NULL, error);
  if (status != RILL_OK) return status;
  structure->has_box = periodic;
  put_seed(rill_trajectory_deck(reader), seed, sizeof seed);
  snprintf(structure->title, sizeof structure->title, "frame %zu%s, t= %g step= %llu", frame, seed, time,
           (unsigned long long)step);
  return RILL_OK;
}

/* Which frames of a trajectory: without a choice the last. */
static enum rill_status choose_range(const char *path, const char *text, const struct rill_frame_choice *choice,
                                     size_t frames, size_t *first, size_t *end, struct rill_error *error) {
  *first = choice->kind == RILL_FRAME_ALL ? 0 : choice->kind == RILL_FRAME_NUMBER ? choice->number : frames - 1;
  *end = frames;
  if (frames == 0 || *first >= frames)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has %zu frames (0 to %zd); --frame %s is not among them", path,
                          frames, (ssize_t)frames - 1, text != NULL ? text : "last");
  if (choice->kind == RILL_FRAME_NUMBER) *end = *first + 1;
  return RILL_OK;
}

static enum rill_status convert_trajectory(const char *path, const char *text, const struct rill_frame_choice *choice,
                                           struct rill_written *written, struct rill_error *error) {
  struct rill_trajectory_reader *reader;
  enum rill_status status;
  size_t first, end;
  RILL_TRY(rill_recording_open(path, &reader, error));
  status = choose_range(path, text, choice, rill_trajectory_frames(reader), &first, &end, error);
  for (size_t frame = first; status == RILL_OK && frame < end; frame++) {
    struct rill_structure structure = {0};
    status = read_frame(reader, frame, &structure, error);
    if (status == RILL_OK) status = rill_written_add(written, &structure);
    rill_structure_release(&structure);
  }
  rill_trajectory_reader_close(reader);
  return status;
}

static enum rill_status add_frame(void *context, struct rill_structure *structure, size_t frame,
                                  struct rill_error *error) {
  (void)frame;
  (void)error;
  return rill_written_add(context, structure);
}

static enum rill_status convert(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *in = arguments->positional[0], *out = arguments->positional[1], *dot = strrchr(in, '.');
  const char *text = rill_argument(arguments, "frame");
  const bool trajectory = dot != NULL && (strcmp(dot, ".h5md") == 0 || strcmp(dot, ".h5") == 0);
  const bool replace = rill_argument_given(arguments, "force");
  struct rill_frame_choice choice;
  struct rill_written written;
  enum rill_status status;
  RILL_TRY(rill_written_check(out, in, replace, error));
  RILL_TRY(rill_frame_choose(text, &choice, error));
  RILL_TRY(rill_written_begin(&written, out, replace, true, choice.kind == RILL_FRAME_ALL, rill_notes_unless(false), error));
  if (trajectory)
    status = convert_trajectory(in, text, &choice, &written, error);
  else
    status = rill_frames_visit(in, &choice, "--frame N, last or all converts others", rill_notes_unless(false), add_frame, &written, NULL,
                               error);
  RILL_TRY(rill_written_end(&written, status));
  if (choice.kind == RILL_FRAME_ALL)
    printf("%s: %zu frame%s\n", out, written.frames, written.frames == 1 ? "" : "s");
  else
    printf("%s: %zu molecules\n", out, written.molecules);
  return RILL_OK;
}

static const struct rill_option_row options[] = {
    {"frame", 0, "N|last|all", "which frame, from 0 (default: of a trajectory the last, of a structure file the first)"},
    {"force", 'f', NULL, "replaces an existing file"},
};

const struct rill_command rill_command_convert = {
    .name = "convert",
    .positional = "IN OUT",
    .positional_min = 2,
    .positional_max = 2,
    .summary = "converts between GRO, PDB and XYZ, and takes frames out of trajectories",
    .description = "Formats are known by the names' endings. Molecules come out whole, O H H, with standard names. "
                   "With --frame all every frame goes into one file (PDB: as models). What the other format cannot hold "
                   "(velocities, decimals) is said.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = convert,
};
