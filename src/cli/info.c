/* rill info: what is in a file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/recording.h"
#include "output/checkpoint.h"
#include "output/series_file.h"
#include "structure/structure.h"
#include "water/model/model.h"
#include "water/neighbours/contact.h"

static void describe_box(const double box[3][3]) {
  printf("  box          ");
  for (int i = 0; i < 3; i++) printf("%s(%g, %g, %g)", i ? ", " : "", box[i][0], box[i][1], box[i][2]);
  printf(" nm\n");
}

static enum rill_status structure_info(const char *path, struct rill_error *error) {
  struct rill_structure structure = {0};
  struct rill_water_model model;
  struct rill_contact nearest;
  enum rill_status status;
  size_t worst;
  double deviation;
  RILL_TRY(rill_water_model_find("tip3p", 0, &model, error));
  RILL_TRY(rill_structure_read(path, &structure, error));
  printf("%s: structure\n  title        %s\n  molecules    %zu water, %zu atoms\n  velocities   %s\n", path,
         structure.title, structure.molecules, 3 * structure.molecules, structure.velocities != NULL ? "yes" : "no");
  if (structure.has_box)
    describe_box((const double (*)[3])structure.box);
  else
    printf("  box          none\n");
  deviation = rill_water_deviation(&model, structure.positions, structure.molecules, &worst);
  printf("  geometry     off TIP3P by up to %.3g of a bond length (molecule %zu)\n", deviation, worst + 1);
  status = rill_closest_contact(structure.positions, structure.molecules,
                                structure.has_box ? (const double(*)[3])structure.box : NULL, RILL_CONTACT_OXYGENS,
                                &nearest, error);
  if (status == RILL_OK && structure.molecules > 1)
    printf("  nearest      oxygens of molecules %zu and %zu, %.4f nm apart%s\n", nearest.first + 1, nearest.second + 1,
           nearest.distance, structure.has_box ? ", images in the box counted" : "");
  rill_structure_release(&structure);
  return status;
}

static enum rill_status first_and_last(struct rill_trajectory_reader *reader, struct rill_error *error) {
  const size_t at[2] = {0, rill_trajectory_frames(reader) - 1};
  for (int i = 0; i < 2; i++) {
    uint64_t step;
    double time;
    RILL_TRY(rill_trajectory_time(reader, at[i], &step, &time, error));
    printf("  %s  step %" PRIu64 ", %g ps\n", i ? "last frame " : "first frame", step, time);
  }
  return RILL_OK;
}

/* Reads every frame. */
static enum rill_status soundness(struct rill_trajectory_reader *reader, struct rill_error *error) {
  struct rill_trajectory_survey *survey = rill_allocate(1, sizeof *survey);
  enum rill_status status;
  if (survey == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a survey of the frames");
  status = rill_trajectory_survey(reader, survey, error);
  if (status == RILL_OK && rill_trajectory_is_periodic(reader))
    printf("  box          %s\n", survey->box_changes ? "changes from frame to frame" : "the same in all frames");
  if (status == RILL_OK && survey->damaged > 0)
    printf("  damaged      %zu of %zu frames; the first: %s\n", survey->damaged, rill_trajectory_frames(reader),
           survey->first_damage.text);
  if (status == RILL_OK && survey->disordered > 0)
    printf("  disordered   %zu frames are not later than the one before; the first is frame %zu (from 0)\n",
           survey->disordered, survey->first_disordered);
  rill_release(survey);
  return status;
}

static enum rill_status trajectory_info(const char *path, struct rill_error *error) {
  struct rill_trajectory_reader *reader;
  enum rill_status status = RILL_OK;
  RILL_TRY(rill_recording_open(path, &reader, error));
  printf("%s: H5MD trajectory, written by %s\n  molecules    %zu water, %zu atoms\n  frames       %zu\n  velocities  "
         " %s\n  boundary     %s\n",
         path, rill_trajectory_creator(reader), rill_trajectory_molecules(reader),
         3 * rill_trajectory_molecules(reader), rill_trajectory_frames(reader),
         rill_trajectory_has_velocities(reader) ? "yes" : "no",
         rill_trajectory_is_periodic(reader) ? "periodic" : "none (vacuum)");
  if (rill_trajectory_frames(reader) > 0) status = first_and_last(reader, error);
  if (status == RILL_OK) status = soundness(reader, error);
  if (status == RILL_OK && rill_trajectory_deck(reader)[0] != '\0')
    printf("\nits deck in full\n\n%s", rill_trajectory_deck(reader));
  rill_trajectory_reader_close(reader);
  return status;
}

static enum rill_status series_info(const char *path, struct rill_error *error) {
  struct rill_series_file_info info;
  const char *space;
  RILL_TRY(rill_series_file_describe(path, &info, error));
  space = info.time_unit[0] != '\0' ? " " : "";
  printf("%s: time series of a small system, written by rill %s\n  system       %s, %s\n  method       %s\n  "
         "coordinates  %zu\n"
         "  multipliers  %zu\n  frames       %zu\n",
         path, info.version, info.system, strcmp(info.units, "SI") == 0 ? "SI units" : "dimensionless", info.method,
         info.n, info.m, info.frames);
  if (info.frames > 0) printf("  time         %g to %g%s%s\n", info.first, info.last, space, info.time_unit);
  if (info.deck != NULL && info.deck[0] != '\0') printf("\nits deck in full\n\n%s", info.deck);
  rill_series_file_info_release(&info);
  return RILL_OK;
}

static void print_frames(const struct rill_checkpoint *checkpoint) {
  size_t count;
  uint64_t frames;
  const void *items = rill_archive_find(&checkpoint->archive, "trajectory/frames", RILL_ARCHIVE_INTEGERS, &count);
  if (items == NULL || count != 1) return;
  memcpy(&frames, items, sizeof frames);
  printf("  frames       %" PRIu64 " in the trajectory\n", frames);
}

static enum rill_status checkpoint_info(const char *path, struct rill_error *error) {
  struct rill_checkpoint checkpoint;
  RILL_TRY(rill_checkpoint_read(path, &checkpoint, error));
  printf("%s: checkpoint, written by rill %s\n  system       %s\n  step         %" PRIu64 ", time %.10g\n", path,
         checkpoint.version, checkpoint.kind, checkpoint.step, (double)checkpoint.step * checkpoint.step_length);
  if (checkpoint.kernel[0] != '\0') printf("  kernel       %s\n", checkpoint.kernel);
  print_frames(&checkpoint);
  printf("  run          %s\n\nits deck in full\n\n%s", checkpoint.complete ? "complete" : "to be gone on with (--resume)",
         checkpoint.deck);
  rill_checkpoint_release(&checkpoint);
  return RILL_OK;
}

static enum rill_status info(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *path = arguments->positional[0], *dot = strrchr(path, '.');
  if (rill_checkpoint_is(path)) return checkpoint_info(path, error);
  if (dot != NULL && strcmp(dot, ".h5") == 0 && rill_series_file_is(path)) return series_info(path, error);
  if (dot != NULL && (strcmp(dot, ".h5md") == 0 || strcmp(dot, ".h5") == 0)) return trajectory_info(path, error);
  if (rill_structure_format(path) != RILL_FORMAT_UNKNOWN) return structure_info(path, error);
  return rill_error_set(error, RILL_ERROR_USAGE, "%s: unknown kind of file; expected a checkpoint, .h5md, .h5, .gro, .pdb or .xyz",
                        path);
}

const struct rill_command rill_command_info = {
    .name = "info",
    .positional = "FILE",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "what is in a trajectory, a checkpoint, a structure or a series file",
    .description = "Tells molecules, frames, times, box, geometry, and for a trajectory and a checkpoint the deck that made it.",
    .run = info,
};
