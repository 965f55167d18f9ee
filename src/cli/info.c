/* rill info: what is in a file. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/frame_option.h"
#include "cli/json.h"
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

/* A document's first members. */
static void put_file(struct rill_json *json, const char *path, const char *kind) {
  rill_json_object(json, NULL);
  rill_json_string(json, "file", path);
  rill_json_string(json, "kind", kind);
}

/* The deck of a run; null where the file has none. */
static void put_deck(struct rill_json *json, const char *deck) {
  rill_json_string(json, "deck_in_full", deck != NULL && deck[0] != '\0' ? deck : NULL);
}

/* What structure_info tells of each frame. */
struct structures {
  const char *path;
  struct rill_water_model model;
  bool table;             /* a row a frame */
  struct rill_json *json; /* without a document: text */
  FILE *out;              /* of text that is shown when all has gone well */
};

static double volume_of(const struct rill_structure *structure) {
  return structure->has_box ? structure->box[0][0] * structure->box[1][1] * structure->box[2][2] : NAN;
}

static void put_frame(const struct structures *all, const struct rill_structure *structure, size_t frame,
                      double deviation, size_t worst, const struct rill_contact *nearest) {
  struct rill_json *json = all->json;
  put_file(json, all->path, "structure");
  rill_json_count(json, "frame", frame);
  rill_json_string(json, "title", structure->title);
  rill_json_count(json, "molecules", structure->molecules);
  rill_json_count(json, "atoms", 3 * structure->molecules);
  rill_json_bool(json, "velocities", structure->velocities != NULL);
  rill_json_matrix(json, "box_nm", structure->has_box ? (const double(*)[3])structure->box : NULL);
  rill_json_number(json, "volume_nm3", volume_of(structure));
  rill_json_number(json, "geometry_deviation", deviation);
  rill_json_count(json, "geometry_worst_molecule", worst + 1);
  rill_json_number(json, "nearest_oxygens_nm", structure->molecules > 1 ? nearest->distance : NAN);
  if (structure->molecules > 1) {
    const double pair[2] = {(double)nearest->first + 1, (double)nearest->second + 1};
    rill_json_numbers(json, "nearest_molecules", pair, 2);
  }
  if (all->table) rill_json_close(json);
}

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
  const double volume = structure->has_box ? volume_of(structure) : 0;
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
  if (all->json->stream != NULL)
    put_frame(all, structure, frame, deviation, worst, &nearest);
  else if (all->table)
    describe_row(all, structure, frame, deviation, &nearest);
  else
    describe_frame(all, structure, deviation, worst, &nearest);
  return RILL_OK;
}

static enum rill_status visit(struct structures *all, const struct rill_frame_choice *choice, size_t *frames,
                              struct rill_error *error) {
  return rill_frames_visit(all->path, choice, "--frame N, last or all describes others", rill_notes_unless(false),
                           structure_frame, all, frames, error);
}

static enum rill_status structure_json(struct structures *all, const struct rill_frame_choice *choice,
                                       struct rill_error *error) {
  size_t frames = 0;
  if (all->table) rill_json_list(all->json, NULL);
  RILL_TRY(visit(all, choice, &frames, error));
  if (!all->table && choice->kind != RILL_FRAME_NUMBER) rill_json_count(all->json, "frames", frames);
  rill_json_close(all->json);
  return RILL_OK;
}

static enum rill_status structure_text(struct structures *all, const struct rill_frame_choice *choice,
                                       struct rill_error *error) {
  enum rill_status status;
  char *text = NULL;
  size_t length, frames = 0;
  all->out = open_memstream(&text, &length);
  if (all->out == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", all->path);
  status = visit(all, choice, &frames, error);
  if (fclose(all->out) != 0 && status == RILL_OK)
    status = rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", all->path);
  if (status == RILL_OK) {
    printf("%s: structure\n", all->path);
    if (choice->kind == RILL_FRAME_NUMBER)
      printf("  frame        %zu\n", choice->number);
    else
      printf("  frames       %zu%s\n", frames, frames == 1 || all->table  ? ""
                                              : choice->kind == RILL_FRAME_LAST ? "; of the last:"
                                                                                : "; of the first:");
    fputs(text, stdout);
  }
  free(text); /* of open_memstream */
  return status;
}

static enum rill_status structure_info(const char *path, const char *wanted, struct rill_json *json,
                                       struct rill_error *error) {
  struct structures all = {.path = path, .json = json};
  struct rill_frame_choice choice;
  RILL_TRY(rill_frame_choose(wanted, &choice, error));
  RILL_TRY(rill_water_model_find("tip3p", 0, &all.model, error));
  all.table = choice.kind == RILL_FRAME_ALL;
  return (json->stream != NULL ? structure_json : structure_text)(&all, &choice, error);
}

/* ---- trajectories ---- */

/* All that is read of a trajectory; ends: of its first and last frame. */
struct recording {
  struct rill_trajectory_reader *reader;
  struct rill_trajectory_survey survey;
  uint64_t step[2];
  double time[2];
};

static enum rill_status read_recording(struct recording *recording, struct rill_error *error) {
  const size_t frames = rill_trajectory_frames(recording->reader);
  for (int i = 0; i < 2 && frames > 0; i++)
    RILL_TRY(rill_trajectory_time(recording->reader, i == 0 ? 0 : frames - 1, &recording->step[i],
                                  &recording->time[i], error));
  return rill_trajectory_survey(recording->reader, &recording->survey, error);
}

static void print_recording(const char *path, const struct recording *recording) {
  const struct rill_trajectory_reader *reader = recording->reader;
  const struct rill_trajectory_survey *survey = &recording->survey;
  const size_t frames = rill_trajectory_frames(reader), molecules = rill_trajectory_molecules(reader);
  printf("%s: H5MD trajectory, written by %s\n  molecules    %zu water, %zu atoms\n  frames       %zu\n  velocities  "
         " %s\n  boundary     %s\n",
         path, rill_trajectory_creator(reader), molecules, 3 * molecules, frames,
         rill_trajectory_has_velocities(reader) ? "yes" : "no",
         rill_trajectory_is_periodic(reader) ? "periodic" : "none (vacuum)");
  for (int i = 0; i < 2 && frames > 0; i++)
    printf("  %s  step %" PRIu64 ", %g ps\n", i ? "last frame " : "first frame", recording->step[i],
           recording->time[i]);
  if (rill_trajectory_is_periodic(reader))
    printf("  box          %s\n", survey->box_changes ? "changes from frame to frame" : "the same in all frames");
  if (survey->damaged > 0)
    printf("  damaged      %zu of %zu frames; the first: %s\n", survey->damaged, frames, survey->first_damage.text);
  if (survey->disordered > 0)
    printf("  disordered   %zu frames are not later than the one before; the first is frame %zu (from 0)\n",
           survey->disordered, survey->first_disordered);
  if (rill_trajectory_deck(reader)[0] != '\0') printf("\nits deck in full\n\n%s", rill_trajectory_deck(reader));
}

static void put_recording(struct rill_json *json, const char *path, const struct recording *recording) {
  const struct rill_trajectory_reader *reader = recording->reader;
  const struct rill_trajectory_survey *survey = &recording->survey;
  const size_t frames = rill_trajectory_frames(reader);
  put_file(json, path, "trajectory");
  rill_json_string(json, "creator", rill_trajectory_creator(reader));
  rill_json_count(json, "molecules", rill_trajectory_molecules(reader));
  rill_json_count(json, "atoms", 3 * rill_trajectory_molecules(reader));
  rill_json_count(json, "frames", frames);
  rill_json_bool(json, "velocities", rill_trajectory_has_velocities(reader));
  rill_json_string(json, "boundary", rill_trajectory_is_periodic(reader) ? "periodic" : "vacuum");
  for (int i = 0; i < 2 && frames > 0; i++) {
    rill_json_object(json, i == 0 ? "first_frame" : "last_frame");
    rill_json_count(json, "step", recording->step[i]);
    rill_json_number(json, "time_ps", recording->time[i]);
    rill_json_close(json);
  }
  if (rill_trajectory_is_periodic(reader)) rill_json_bool(json, "box_changes", survey->box_changes);
  rill_json_count(json, "damaged_frames", survey->damaged);
  rill_json_string(json, "first_damage", survey->damaged > 0 ? survey->first_damage.text : NULL);
  rill_json_count(json, "disordered_frames", survey->disordered);
  if (survey->disordered > 0) rill_json_count(json, "first_disordered_frame", survey->first_disordered);
  put_deck(json, rill_trajectory_deck(reader));
  rill_json_close(json);
}

static enum rill_status trajectory_info(const char *path, struct rill_json *json, struct rill_error *error) {
  struct recording *recording = rill_allocate(1, sizeof *recording);
  enum rill_status status;
  if (recording == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a survey of the frames");
  status = rill_recording_open(path, &recording->reader, error);
  if (status == RILL_OK) status = read_recording(recording, error);
  if (status == RILL_OK && json->stream != NULL)
    put_recording(json, path, recording);
  else if (status == RILL_OK)
    print_recording(path, recording);
  rill_trajectory_reader_close(recording->reader);
  rill_release(recording);
  return status;
}

/* ---- small systems ---- */

static void print_series(const char *path, const struct rill_series_file_info *info) {
  const char *space = info->time_unit[0] != '\0' ? " " : "";
  printf(
      "%s: time series of a small system, written by rill %s\n  system       %s, %s\n  method       %s\n  "
      "coordinates  %zu\n"
      "  multipliers  %zu\n  frames       %zu\n",
      path, info->version, info->system, strcmp(info->units, "SI") == 0 ? "SI units" : "dimensionless", info->method,
      info->n, info->m, info->frames);
  if (info->frames > 0) printf("  time         %g to %g%s%s\n", info->first, info->last, space, info->time_unit);
  if (info->deck != NULL && info->deck[0] != '\0') printf("\nits deck in full\n\n%s", info->deck);
}

static void put_series(struct rill_json *json, const char *path, const struct rill_series_file_info *info) {
  put_file(json, path, "series");
  rill_json_string(json, "version", info->version);
  rill_json_string(json, "system", info->system);
  rill_json_string(json, "units", info->units);
  rill_json_string(json, "method", info->method);
  rill_json_count(json, "coordinates", info->n);
  rill_json_count(json, "multipliers", info->m);
  rill_json_count(json, "frames", info->frames);
  rill_json_quantity(json, "first_time", info->time_unit, info->first);
  rill_json_quantity(json, "last_time", info->time_unit, info->last);
  put_deck(json, info->deck);
  rill_json_close(json);
}

static enum rill_status series_info(const char *path, struct rill_json *json, struct rill_error *error) {
  struct rill_series_file_info info;
  RILL_TRY(rill_series_file_describe(path, &info, error));
  if (json->stream != NULL)
    put_series(json, path, &info);
  else
    print_series(path, &info);
  rill_series_file_info_release(&info);
  return RILL_OK;
}

/* ---- checkpoints ---- */

/* How many frames the trajectory had; false without one. */
static bool frames_of(const struct rill_checkpoint *checkpoint, uint64_t *frames) {
  size_t count;
  const void *items = rill_archive_find(&checkpoint->archive, "trajectory/frames", RILL_ARCHIVE_INTEGERS, &count);
  if (items == NULL || count != 1) return false;
  memcpy(frames, items, sizeof *frames);
  return true;
}

static void print_checkpoint(const char *path, const struct rill_checkpoint *checkpoint) {
  uint64_t frames;
  printf("%s: checkpoint, written by rill %s\n  system       %s\n  step         %" PRIu64 ", time %.10g\n", path,
         checkpoint->version, checkpoint->kind, checkpoint->step, (double)checkpoint->step * checkpoint->step_length);
  if (checkpoint->kernel[0] != '\0') printf("  kernel       %s\n", checkpoint->kernel);
  if (frames_of(checkpoint, &frames)) printf("  frames       %" PRIu64 " in the trajectory\n", frames);
  printf("  run          %s\n\nits deck in full\n\n%s",
         checkpoint->complete ? "complete" : "to be resumed (--resume)", checkpoint->deck);
}

static void put_checkpoint(struct rill_json *json, const char *path, const struct rill_checkpoint *checkpoint) {
  uint64_t frames;
  put_file(json, path, "checkpoint");
  rill_json_string(json, "version", checkpoint->version);
  rill_json_string(json, "system", checkpoint->kind);
  rill_json_count(json, "step", checkpoint->step);
  rill_json_number(json, "time", (double)checkpoint->step * checkpoint->step_length);
  rill_json_string(json, "kernel", checkpoint->kernel[0] != '\0' ? checkpoint->kernel : NULL);
  if (frames_of(checkpoint, &frames)) rill_json_count(json, "frames", frames);
  rill_json_bool(json, "complete", checkpoint->complete);
  put_deck(json, checkpoint->deck);
  rill_json_close(json);
}

static enum rill_status checkpoint_info(const char *path, struct rill_json *json, struct rill_error *error) {
  struct rill_checkpoint checkpoint;
  RILL_TRY(rill_checkpoint_read(path, &checkpoint, error));
  if (json->stream != NULL)
    put_checkpoint(json, path, &checkpoint);
  else
    print_checkpoint(path, &checkpoint);
  rill_checkpoint_release(&checkpoint);
  return RILL_OK;
}

/* ---- tables ---- */

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

static void print_table(const char *path, const struct rill_csv_info *info) {
  printf("%s: series of numbers (CSV)\n  columns      %zu\n  rows         %zu\n", path, info->columns, info->rows);
  printf("    %-30s %-12s %18s %18s\n", "column", "unit", "in the first row", "in the last");
  for (size_t i = 0; i < info->columns; i++) {
    printf("    %-30s %-12s", info->names[i], info->units[i]);
    print_cell(info->first[i], info->first_text != NULL ? info->first_text[i] : NULL);
    print_cell(info->last[i], info->last_text != NULL ? info->last_text[i] : NULL);
    putchar('\n');
  }
  describe_texts(info);
  if (info->comment[0] != '\0') printf("\nits comments\n\n%s", info->comment);
}

/* A number, null for nan, or the text that stands there instead. */
static void put_cell(struct rill_json *json, const char *name, double number, const char *text) {
  if (isnan(number) && text != NULL && strcasecmp(text, "nan") != 0)
    rill_json_string(json, name, text);
  else
    rill_json_number(json, name, number);
}

static void put_table(struct rill_json *json, const char *path, const struct rill_csv_info *info) {
  put_file(json, path, "table");
  rill_json_count(json, "rows", info->rows);
  rill_json_list(json, "columns");
  for (size_t i = 0; i < info->columns; i++) {
    rill_json_object(json, NULL);
    rill_json_string(json, "name", info->names[i]);
    rill_json_string(json, "unit", info->units[i]);
    put_cell(json, "first", info->first[i], info->first_text != NULL ? info->first_text[i] : NULL);
    put_cell(json, "last", info->last[i], info->last_text != NULL ? info->last_text[i] : NULL);
    rill_json_count(json, "texts", info->texts[i]);
    if (info->texts[i] > 0) rill_json_string(json, "first_text", info->text[i]);
    if (info->texts[i] > 0) rill_json_count(json, "first_text_line", info->text_line[i]);
    rill_json_close(json);
  }
  rill_json_close(json);
  rill_json_string(json, "comments", info->comment);
  rill_json_close(json);
}

static enum rill_status table_info(const char *path, struct rill_json *json, struct rill_error *error) {
  struct rill_csv_info info;
  RILL_TRY(rill_csv_describe(path, &info, error));
  if (json->stream != NULL)
    put_table(json, path, &info);
  else
    print_table(path, &info);
  rill_csv_info_release(&info);
  return RILL_OK;
}

/* ---- the command ---- */

static enum rill_status describe(const char *path, const char *frame, struct rill_json *json,
                                 struct rill_error *error) {
  const char *dot = strrchr(path, '.'), *ending = dot != NULL ? dot : "";
  struct stat information;
  const bool structure = !rill_checkpoint_is(path) && rill_structure_format(path) != RILL_FORMAT_UNKNOWN;
  if (frame != NULL && !structure)
    return rill_error_set(error, RILL_ERROR_USAGE, "--frame is for structure files; %s is none (.gro, .pdb or .xyz)", path);
  if (structure) return structure_info(path, frame, json, error);
  if (rill_checkpoint_is(path)) return checkpoint_info(path, json, error);
  if (strcmp(ending, ".h5") == 0) {
    bool series;
    RILL_TRY(rill_series_file_is(path, &series, error));
    if (series) return series_info(path, json, error);
  }
  if (strcmp(ending, ".h5md") == 0 || strcmp(ending, ".h5") == 0) return trajectory_info(path, json, error);
  if (strcmp(ending, ".csv") == 0) return table_info(path, json, error);
  if (access(path, R_OK) != 0) return rill_error_set(error, RILL_ERROR_INPUT, "%s: %s", path, strerror(errno));
  if (stat(path, &information) == 0 && S_ISDIR(information.st_mode))
    return rill_error_set(error, RILL_ERROR_USAGE, "%s is a folder; `rill verify %s` looks at the files of the runs there",
                          path, path);
  return rill_error_set(error, RILL_ERROR_USAGE,
                        "%s: unknown kind of file; expected a checkpoint, .h5md, .h5, .csv, .gro, .pdb or .xyz", path);
}

static enum rill_status info(const struct rill_arguments *arguments, struct rill_error *error) {
  struct rill_json json = {0};
  if (rill_argument_given(arguments, "json")) RILL_TRY(rill_json_begin(&json, error));
  return rill_json_end(&json, describe(arguments->positional[0], rill_argument(arguments, "frame"), &json, error),
                       error);
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
    .summary = "what is in a trajectory, a checkpoint, a structure or a series file",
    .description = "Tells molecules, frames, times, box, geometry, and for a trajectory and a checkpoint the deck that made it; "
                   "of a series (CSV) its columns, units and rows. With --frame all there is a row for each frame of a "
                   "structure file.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = info,
};
