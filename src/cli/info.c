/* rill info: what is in a file. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/frame_option.h"
#include "cli/notes.h"
#include "cli/recording.h"
#include "output/checkpoint.h"
#include "output/csv.h"
#include "output/series_file.h"
#include "structure/structure.h"
#include "water/model/model.h"
#include "water/neighbours/contact.h"

static void describe_box(FILE *out, const double box[3][3]) {
  fprintf(out, "  box          ");
  for (int i = 0; i < 3; i++) fprintf(out, "%s(%g, %g, %g)", i ? ", " : "", box[i][0], box[i][1], box[i][2]);
  fprintf(out, " nm\n");
}

/* What structure_info tells of each frame. */
struct structures {
  const char *path;
  struct rill_water_model model;
  bool table;  /* a row a frame */
  FILE *out;   /* of what is shown when all has gone well */
};

/* The nearest oxygens, and the worst geometry. */
static enum rill_status measure(const struct structures *all, const struct rill_structure *structure, double *deviation,
                                size_t *worst, struct rill_contact *nearest, struct rill_error *error) {
  *deviation = rill_water_deviation(&all->model, structure->positions, structure->molecules, worst);
  return rill_closest_contact(structure->positions, structure->molecules,
                              structure->has_box ? (const double(*)[3])structure->box : NULL, RILL_CONTACT_OXYGENS,
                              nearest, error);
}

static void describe_frame(const struct structures *all, const struct rill_structure *structure, double deviation,
                           size_t worst, const struct rill_contact *nearest) {
  fprintf(all->out, "  title        %s\n  molecules    %zu water, %zu atoms\n  velocities   %s\n", structure->title,
          structure->molecules, 3 * structure->molecules, structure->velocities != NULL ? "yes" : "no");
  if (structure->has_box)
    describe_box(all->out, (const double(*)[3])structure->box);
  else
    fprintf(all->out, "  box          none\n");
  fprintf(all->out, "  geometry     off TIP3P by up to %.3g of a bond length (molecule %zu)\n", deviation, worst + 1);
  if (structure->molecules > 1)
    fprintf(all->out, "  nearest      oxygens of molecules %zu and %zu, %.4f nm apart%s\n", nearest->first + 1,
            nearest->second + 1, nearest->distance, structure->has_box ? ", images in the box counted" : "");
}

static void describe_row(const struct structures *all, const struct rill_structure *structure, size_t frame,
                         double deviation, const struct rill_contact *nearest) {
  const double volume = structure->has_box ? structure->box[0][0] * structure->box[1][1] * structure->box[2][2] : 0;
  if (frame == 0)
    fprintf(all->out, "%8s %9s %10s %12s %12s %12s  title\n", "frame", "molecules", "velocities", "box/nm3",
            "nearest/nm", "off geometry");
  fprintf(all->out, "%8zu %9zu %10s %12.6g %12.4f %12.3g  %s\n", frame, structure->molecules,
          structure->velocities != NULL ? "yes" : "no", volume, nearest->distance, deviation, structure->title);
}

static enum rill_status structure_frame(void *context, struct rill_structure *structure, size_t frame,
                                        struct rill_error *error) {
  const struct structures *all = context;
  struct rill_contact nearest;
  double deviation;
  size_t worst;
  RILL_TRY(measure(all, structure, &deviation, &worst, &nearest, error));
  if (all->table)
    describe_row(all, structure, frame, deviation, &nearest);
  else
    describe_frame(all, structure, deviation, worst, &nearest);
  return RILL_OK;
}

static enum rill_status structure_info(const char *path, const char *wanted, struct rill_error *error) {
  struct structures all = {.path = path};
  struct rill_frame_choice choice;
  enum rill_status status;
  char *text = NULL;
  size_t length, frames = 0;
  RILL_TRY(rill_frame_choose(wanted, &choice, error));
  RILL_TRY(rill_water_model_find("tip3p", 0, &all.model, error));
  all.table = choice.kind == RILL_FRAME_ALL;
  all.out = open_memstream(&text, &length);
  if (all.out == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  status = rill_frames_visit(path, &choice, "--frame N, last or all describes others", rill_notes_unless(false), structure_frame, &all,
                             &frames, error);
  if (fclose(all.out) != 0 && status == RILL_OK)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  if (status == RILL_OK) {
    printf("%s: structure\n", path);
    if (choice.kind == RILL_FRAME_NUMBER)
      printf("  frame        %zu\n", choice.number);
    else
      printf("  frames       %zu%s\n", frames, frames == 1 || all.table  ? ""
                                              : choice.kind == RILL_FRAME_LAST ? "; of the last:"
                                                                               : "; of the first:");
    fputs(text, stdout);
  }
  free(text); /* of open_memstream */
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
  printf("  run          %s\n\nits deck in full\n\n%s", checkpoint.complete ? "complete" : "to be resumed (--resume)",
         checkpoint.deck);
  rill_checkpoint_release(&checkpoint);
  return RILL_OK;
}

/* Names, as of methods, stand in the tables of comparisons. */
static void print_cell(double number, const char *text) {
  if (isnan(number) && text != NULL)
    printf(" %18s", text);
  else
    printf(" %18.10g", number);
}

/* Columns of names, as those of comparisons, and what is no number among numbers. */
static void describe_texts(const struct rill_csv_info *info) {
  for (size_t i = 0; i < info->columns; i++) {
    if (info->texts[i] == 0) continue;
    if (info->texts[i] == info->rows)
      printf("  text         in all cells of %s\n", info->names[i]);
    else
      printf("  text         in %zu of %zu cells of %s, where the others are numbers; the first is \"%.40s\", in line %zu\n",
             info->texts[i], info->rows, info->names[i], info->text[i], info->text_line[i]);
  }
}

static enum rill_status table_info(const char *path, struct rill_error *error) {
  struct rill_csv_info info;
  RILL_TRY(rill_csv_describe(path, &info, error));
  printf("%s: series of numbers (CSV)\n  columns      %zu\n  rows         %zu\n", path, info.columns, info.rows);
  printf("    %-30s %-12s %18s %18s\n", "column", "unit", "in the first row", "in the last");
  for (size_t i = 0; i < info.columns; i++) {
    printf("    %-30s %-12s", info.names[i], info.units[i]);
    print_cell(info.first[i], info.first_text != NULL ? info.first_text[i] : NULL);
    print_cell(info.last[i], info.last_text != NULL ? info.last_text[i] : NULL);
    putchar('\n');
  }
  describe_texts(&info);
  if (info.comment[0] != '\0') printf("\nits comments\n\n%s", info.comment);
  rill_csv_info_release(&info);
  return RILL_OK;
}

static enum rill_status info(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *path = arguments->positional[0], *dot = strrchr(path, '.'), *frame = rill_argument(arguments, "frame");
  const char *ending = dot != NULL ? dot : "";
  struct stat information;
  const bool structure = !rill_checkpoint_is(path) && rill_structure_format(path) != RILL_FORMAT_UNKNOWN;
  if (frame != NULL && !structure)
    return rill_error_set(error, RILL_ERROR_USAGE, "--frame is for structure files; %s is none (.gro, .pdb or .xyz)", path);
  if (structure) return structure_info(path, frame, error);
  if (rill_checkpoint_is(path)) return checkpoint_info(path, error);
  if (strcmp(ending, ".h5") == 0) {
    bool series;
    RILL_TRY(rill_series_file_is(path, &series, error));
    if (series) return series_info(path, error);
  }
  if (strcmp(ending, ".h5md") == 0 || strcmp(ending, ".h5") == 0) return trajectory_info(path, error);
  if (strcmp(ending, ".csv") == 0) return table_info(path, error);
  if (access(path, R_OK) != 0) return rill_error_set(error, RILL_ERROR_INPUT, "%s: %s", path, strerror(errno));
  if (stat(path, &information) == 0 && S_ISDIR(information.st_mode))
    return rill_error_set(error, RILL_ERROR_USAGE, "%s is a folder; `rill verify %s` looks at the files of the runs there",
                          path, path);
  return rill_error_set(error, RILL_ERROR_USAGE,
                        "%s: unknown kind of file; expected a checkpoint, .h5md, .h5, .csv, .gro, .pdb or .xyz", path);
}

static const struct rill_option_row options[] = {RILL_FRAME_OPTION};

const struct rill_command rill_command_info = {
    .name = "info",
    .positional = "FILE",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "what is in a trajectory, a checkpoint, a structure or a series file",
    .description = "Tells molecules, frames, times, box, geometry, and for a trajectory and a checkpoint the deck that made it; "
                   "of a series (CSV) its columns, units and rows. With --frame all there is a row for each frame of a "
                   "structure file.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = info,
};
