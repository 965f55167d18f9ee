/* rill convert: structure files to one another, and frames of trajectories to structure files. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/recording.h"
#include "cli/written.h"

static enum rill_status read_frame(const char *path, const char *wanted, struct rill_structure *structure,
                                   struct rill_error *error) {
  struct rill_trajectory_reader *reader;
  size_t frames, frame;
  uint64_t step;
  double time;
  char *end;
  bool periodic, velocities;
  enum rill_status status;
  RILL_TRY(rill_recording_open(path, &reader, error));
  frames = rill_trajectory_frames(reader);
  frame = frames - 1;
  if (wanted != NULL && strcmp(wanted, "last") != 0) {
    frame = (size_t)strtoull(wanted, &end, 10);
    if (end == wanted || *end != '\0' || wanted[0] == '-') frame = frames;
  }
  if (frames == 0 || frame >= frames) {
    rill_trajectory_reader_close(reader);
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has %zu frames (0 to %zd); --frame %s is not among them", path,
                          frames, (ssize_t)frames - 1, wanted != NULL ? wanted : "last");
  }
  periodic = rill_trajectory_is_periodic(reader);
  velocities = rill_trajectory_has_velocities(reader);
  status = rill_structure_allocate(structure, rill_trajectory_molecules(reader), velocities, error);
  if (status == RILL_OK)
    status = rill_trajectory_read(reader, frame, &step, &time, structure->positions, structure->velocities,
                                  periodic ? &structure->box[0][0] : NULL, error);
  if (status == RILL_OK) {
    structure->has_box = periodic;
    snprintf(structure->title, sizeof structure->title, "frame %zu, t= %g step= %llu", frame, time,
             (unsigned long long)step);
  }
  rill_trajectory_reader_close(reader);
  return status;
}

static enum rill_status convert(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *in = arguments->positional[0], *out = arguments->positional[1], *dot = strrchr(in, '.');
  const char *frame = rill_argument(arguments, "frame");
  struct rill_structure structure = {0};
  bool trajectory = dot != NULL && (strcmp(dot, ".h5md") == 0 || strcmp(dot, ".h5") == 0);
  enum rill_status status;
  RILL_TRY(rill_written_check(out, rill_argument_given(arguments, "force"), error));
  if (frame != NULL && !trajectory)
    return rill_error_set(error, RILL_ERROR_USAGE, "--frame is for trajectories; %s is a structure file", in);
  status = trajectory ? read_frame(in, frame, &structure, error) : rill_structure_read(in, &structure, error);
  if (status == RILL_OK) status = rill_written_structure(out, &structure, true, error);
  if (status == RILL_OK) printf("%s: %zu molecules\n", out, structure.molecules);
  rill_structure_release(&structure);
  return status;
}

static const struct rill_option_row options[] = {
    {"frame", 0, "N|last", "of a trajectory: which frame, from 0 (default: the last)"},
    {"force", 'f', NULL, "replaces an existing file"},
};

const struct rill_command rill_command_convert = {
    .name = "convert",
    .positional = "IN OUT",
    .positional_min = 2,
    .positional_max = 2,
    .summary = "converts between GRO, PDB and XYZ, and takes frames out of trajectories",
    .description = "Formats are known by the names' endings. Molecules come out whole, O H H, with standard names.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = convert,
};
