#include "show/contents.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* The first members of a document. */
static void put_file(struct rill_json *json, const char *path, const char *kind) {
  rill_json_object(json, NULL);
  rill_json_string(json, "file", path);
  rill_json_string(json, "kind", kind);
}

/* The deck of a run; null when the file has none. */
static void put_deck(struct rill_json *json, const char *deck) {
  rill_json_string(json, "deck_in_full", deck != NULL && deck[0] != '\0' ? deck : NULL);
}

/* ---- frames of structures ---- */

/* The names of the models that have this geometry, and how far it is from theirs. */
static void put_geometry(struct rill_json *json, const struct rill_frame_facts *facts) {
  size_t count;
  const struct rill_water_species *species = rill_water_species(&count);
  rill_json_list(json, "geometry_models");
  for (size_t i = 0; i < count; i++)
    if (rill_water_same_geometry(&species[i], facts->geometry)) rill_json_string(json, NULL, species[i].name);
  rill_json_close(json);
  rill_json_number(json, "geometry_deviation", facts->deviation);
  rill_json_count(json, "geometry_worst_molecule", facts->worst + 1);
}

static void put_frame(struct rill_json *json, const struct rill_shown_frames *all,
                      const struct rill_structure *structure, size_t frame, const struct rill_frame_facts *facts) {
  put_file(json, all->path, "structure");
  rill_json_count(json, "frame", frame);
  rill_json_string(json, "title", structure->title);
  rill_json_count(json, "molecules", structure->molecules);
  rill_json_count(json, "atoms", 3 * structure->molecules);
  rill_json_bool(json, "velocities", structure->velocities != NULL);
  rill_json_matrix(json, "box_nm", structure->has_box ? (const double(*)[3])structure->box : NULL);
  rill_json_number(json, "volume_nm3", facts->volume);
  put_geometry(json, facts);
  rill_json_number(json, "nearest_oxygens_nm", structure->molecules > 1 ? facts->nearest.distance : NAN);
  if (structure->molecules > 1) {
    const double pair[2] = {(double)facts->nearest.first + 1, (double)facts->nearest.second + 1};
    rill_json_numbers(json, "nearest_molecules", pair, 2);
  }
  if (all->choice.kind == RILL_FRAME_RANGE) rill_json_close(json);
}

static void describe_box(FILE *out, const double box[3][3]) {
  fprintf(out, "  box          ");
  for (int i = 0; i < 3; i++) fprintf(out, "%s(%g, %g, %g)", i ? ", " : "", box[i][0], box[i][1], box[i][2]);
  fprintf(out, " nm\n");
}

static void describe_frame(FILE *out, const struct rill_structure *structure, const struct rill_frame_facts *facts) {
  char names[192];
  fprintf(out, "  title        %s\n  molecules    %zu water, %zu atoms\n  velocities   %s\n", structure->title,
          structure->molecules, 3 * structure->molecules, structure->velocities != NULL ? "yes" : "no");
  if (structure->has_box) describe_box(out, (const double(*)[3])structure->box);
  else fprintf(out, "  box          none\n");
  fprintf(out, "  geometry     deviates by up to %.3g of a bond length (molecule %zu) from %s\n", facts->deviation,
          facts->worst + 1, rill_water_geometry_names(facts->geometry, names, sizeof names));
  if (structure->molecules > 1)
    fprintf(out, "  nearest      oxygens of molecules %zu and %zu, %.4f nm apart%s\n", facts->nearest.first + 1,
            facts->nearest.second + 1, facts->nearest.distance,
            structure->has_box ? ", including periodic images" : "");
}

static void describe_row(FILE *out, const struct rill_structure *structure, size_t frame,
                         const struct rill_frame_facts *facts) {
  if (frame == 0)
    fprintf(out, "%8s %9s %10s %12s %12s %12s  title\n", "frame", "molecules", "velocities", "box/nm3", "nearest/nm",
            "off geometry");
  fprintf(out, "%8zu %9zu %10s %12.6g %12.4f %12.3g  %s\n", frame, structure->molecules,
          structure->velocities != NULL ? "yes" : "no", structure->has_box ? facts->volume : 0,
          facts->nearest.distance, facts->deviation, structure->title);
}

void rill_show_frame(const struct rill_shown_frames *all, const struct rill_structure *structure, size_t frame,
                     const struct rill_frame_facts *facts) {
  FILE *out = all->page->text;
  if (out == NULL) put_frame(&all->page->json, all, structure, frame, facts);
  else if (all->choice.kind == RILL_FRAME_RANGE) describe_row(out, structure, frame, facts);
  else describe_frame(out, structure, facts);
}

void rill_show_frame_count(const struct rill_shown_frames *all, size_t frames) {
  const enum rill_frame_kind kind = all->choice.kind;
  FILE *out = all->page->out;
  if (all->page->text == NULL) {
    if (kind == RILL_FRAME_FIRST || kind == RILL_FRAME_LAST) rill_json_count(&all->page->json, "frames", frames);
    return;
  }
  fprintf(out, "%s: structure\n", all->path);
  if (kind == RILL_FRAME_NUMBER) fprintf(out, "  frame        %zu\n", all->choice.number);
  else
    fprintf(out, "  frames       %zu%s\n", frames,
            frames == 1 || kind == RILL_FRAME_RANGE ? ""
            : kind == RILL_FRAME_LAST               ? "; the last one:"
                                                    : "; the first one:");
}

/* ---- trajectories ---- */

static void print_recording(FILE *out, const char *path, const struct rill_recording_facts *facts) {
  const struct rill_trajectory_reader *reader = facts->reader;
  const struct rill_trajectory_survey *survey = &facts->survey;
  const size_t frames = rill_trajectory_frames(reader), molecules = rill_trajectory_molecules(reader),
               replicas = rill_trajectory_replicas(reader);
  fprintf(out, "%s: H5MD trajectory, written by %s\n  molecules    %zu water, %zu atoms\n", path,
          rill_trajectory_creator(reader), molecules, 3 * molecules);
  if (replicas > 1)
    fprintf(out, "  replicas     %zu of %zu molecules each, one after another\n", replicas, molecules / replicas);
  fprintf(out, "  frames       %zu\n  velocities   %s\n  boundary     %s\n", frames,
          rill_trajectory_has_velocities(reader) ? "yes" : "no",
          rill_trajectory_is_periodic(reader) ? "periodic" : "none (vacuum)");
  for (int i = 0; i < 2 && frames > 0; i++)
    fprintf(out, "  %s  step %" PRIu64 ", %g ps\n", i ? "last frame " : "first frame", facts->step[i],
            facts->time[i]);
  if (rill_trajectory_is_periodic(reader))
    fprintf(out, "  box          %s\n",
            survey->box_changes ? "changes from frame to frame" : "the same in all frames");
  if (survey->damaged > 0)
    fprintf(out, "  damaged      %zu of %zu frames; the first: %s\n", survey->damaged, frames,
            survey->first_damage.text);
  if (survey->disordered > 0)
    fprintf(out, "  disordered   %zu frames are not later than the one before; the first is frame %zu (from 0)\n",
            survey->disordered, survey->first_disordered);
  if (rill_trajectory_deck(reader)[0] != '\0') fprintf(out, "\nits deck in full\n\n%s", rill_trajectory_deck(reader));
}

static void put_recording(struct rill_json *json, const char *path, const struct rill_recording_facts *facts) {
  const struct rill_trajectory_reader *reader = facts->reader;
  const struct rill_trajectory_survey *survey = &facts->survey;
  const size_t frames = rill_trajectory_frames(reader);
  put_file(json, path, "trajectory");
  rill_json_string(json, "creator", rill_trajectory_creator(reader));
  rill_json_count(json, "molecules", rill_trajectory_molecules(reader));
  rill_json_count(json, "atoms", 3 * rill_trajectory_molecules(reader));
  if (rill_trajectory_replicas(reader) > 1) rill_json_count(json, "replicas", rill_trajectory_replicas(reader));
  rill_json_count(json, "frames", frames);
  rill_json_bool(json, "velocities", rill_trajectory_has_velocities(reader));
  rill_json_string(json, "boundary", rill_trajectory_is_periodic(reader) ? "periodic" : "vacuum");
  for (int i = 0; i < 2 && frames > 0; i++) {
    rill_json_object(json, i == 0 ? "first_frame" : "last_frame");
    rill_json_count(json, "step", facts->step[i]);
    rill_json_number(json, "time_ps", facts->time[i]);
    rill_json_close(json);
  }
  if (rill_trajectory_is_periodic(reader)) rill_json_bool(json, "box_changes", survey->box_changes);
  rill_json_count(json, "damaged_frames", survey->damaged);
  rill_json_string(json, "first_damage", survey->damaged > 0 ? survey->first_damage.text : NULL);
  rill_json_count(json, "disordered_frames", survey->disordered);
  if (survey->disordered > 0) rill_json_count(json, "first_disordered_frame", survey->first_disordered);
  put_deck(json, rill_trajectory_deck(reader));
}

void rill_show_recording(struct rill_page *page, const char *path, const struct rill_recording_facts *facts) {
  if (page->text == NULL) put_recording(&page->json, path, facts);
  else print_recording(page->text, path, facts);
}

/* ---- small systems ---- */

void rill_show_series(struct rill_page *page, const char *path, const struct rill_series_file_info *info) {
  struct rill_json *json = &page->json;
  FILE *out = page->text;
  if (out != NULL) {
    fprintf(out,
            "%s: time series of a small system, written by rill %s\n  system       %s, %s\n  method       %s\n  "
            "coordinates  %zu\n"
            "  multipliers  %zu\n  frames       %zu\n",
            path, info->version, info->system, strcmp(info->units, "SI") == 0 ? "SI units" : "dimensionless",
            info->method, info->n, info->m, info->frames);
    if (info->frames > 0)
      fprintf(out, "  time         %g to %g%s%s\n", info->first, info->last, info->time_unit[0] != '\0' ? " " : "",
              info->time_unit);
    if (info->deck != NULL && info->deck[0] != '\0') fprintf(out, "\nits deck in full\n\n%s", info->deck);
    return;
  }
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
}

/* ---- checkpoints ---- */

void rill_show_checkpoint(struct rill_page *page, const char *path, const struct rill_checkpoint *checkpoint) {
  const double time = (double)checkpoint->step * checkpoint->step_length;
  uint64_t frames;
  const bool has_frames = rill_checkpoint_frames(checkpoint, &frames);
  struct rill_json *json = &page->json;
  FILE *out = page->text;
  if (out != NULL) {
    fprintf(out, "%s: checkpoint, written by rill %s\n  system       %s\n  step         %" PRIu64 ", time %.10g\n",
            path, checkpoint->version, checkpoint->kind, checkpoint->step, time);
    if (checkpoint->kernel[0] != '\0') fprintf(out, "  kernel       %s\n", checkpoint->kernel);
    if (has_frames) fprintf(out, "  frames       %" PRIu64 " in the trajectory\n", frames);
    fprintf(out, "  run          %s\n\nits deck in full\n\n%s",
            checkpoint->complete ? "complete" : "to be resumed (--resume)", checkpoint->deck);
    return;
  }
  put_file(json, path, "checkpoint");
  rill_json_string(json, "version", checkpoint->version);
  rill_json_string(json, "system", checkpoint->kind);
  rill_json_count(json, "step", checkpoint->step);
  rill_json_number(json, "time", time);
  rill_json_string(json, "kernel", checkpoint->kernel[0] != '\0' ? checkpoint->kernel : NULL);
  if (has_frames) rill_json_count(json, "frames", frames);
  rill_json_bool(json, "complete", checkpoint->complete);
  put_deck(json, checkpoint->deck);
}

/* ---- tables ---- */

/* A number, or the text of a cell that is not one, such as a method's name. */
static void print_cell(FILE *out, double number, const char *text) {
  if (isnan(number) && text != NULL) fprintf(out, " %18s", text);
  else fprintf(out, " %18.10g", number);
}

/* Columns of names, as in comparisons, and other cells that are not numbers. */
static void describe_texts(FILE *out, const struct rill_csv_info *info) {
  for (size_t i = 0; i < info->columns; i++) {
    if (info->texts[i] == 0) continue;
    if (info->texts[i] == info->rows) fprintf(out, "  text         in all cells of %s\n", info->names[i]);
    else
      fprintf(
          out,
          "  text         in %zu of %zu cells of %s, and numbers in the others; the first text is \"%.40s\", in line "
          "%zu\n",
          info->texts[i], info->rows, info->names[i], info->text[i], info->text_line[i]);
  }
}

static void print_table(FILE *out, const char *path, const struct rill_csv_info *info) {
  fprintf(out, "%s: series of numbers (CSV)\n  columns      %zu\n  rows         %zu\n", path, info->columns,
          info->rows);
  fprintf(out, "    %-30s %-12s %18s %18s\n", "column", "unit", "in the first row", "in the last");
  for (size_t i = 0; i < info->columns; i++) {
    fprintf(out, "    %-30s %-12s", info->names[i], info->units[i]);
    print_cell(out, info->first[i], info->first_text != NULL ? info->first_text[i] : NULL);
    print_cell(out, info->last[i], info->last_text != NULL ? info->last_text[i] : NULL);
    fputc('\n', out);
  }
  describe_texts(out, info);
  if (info->comment[0] != '\0') fprintf(out, "\nits comments\n\n%s", info->comment);
}

/* A number, null for nan, or the text of an entry that is not a number. */
static void put_cell(struct rill_json *json, const char *name, double number, const char *text) {
  if (isnan(number) && text != NULL && strcasecmp(text, "nan") != 0) rill_json_string(json, name, text);
  else rill_json_number(json, name, number);
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
}

void rill_show_table(struct rill_page *page, const char *path, const struct rill_csv_info *info) {
  if (page->text == NULL) put_table(&page->json, path, info);
  else print_table(page->text, path, info);
}
