#include "study/recording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "base/memory.h"
#include "simulation/water_start.h"

/* The seed of the noise in the title of a last frame; "" where the deck has no bath. */
static void put_seed(const char *deck, char *text, size_t size) {
  const char *bath = strstr(deck, "[thermostat]"), *end = bath != NULL ? strstr(bath, "\n[") : NULL;
  const char *method = bath != NULL ? strstr(bath, "\nmethod = ") : NULL,
             *seed = bath != NULL ? strstr(bath, "\nseed = ") : NULL;
  text[0] = '\0';
  if (method == NULL || seed == NULL || (end != NULL && (method > end || seed > end))) return;
  if (strncmp(method, "\nmethod = none", 14) != 0)
    snprintf(text, size, RILL_TITLE_SEED "%.*s", (int)strspn(seed + 8, "0123456789"), seed + 8);
}

/* Reads a frame of an open trajectory. */
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
  structure->step = step;
  structure->time = time;
  if (rill_trajectory_is_selected(reader))
    snprintf(seed, sizeof seed, " of replica %zu", rill_trajectory_replica(reader, frame));
  else put_seed(rill_trajectory_deck(reader), seed, sizeof seed);
  snprintf(structure->title, sizeof structure->title, "frame %zu%s, t= %g step= %llu", frame, seed, time,
           (unsigned long long)step);
  return RILL_OK;
}

/* Without a choice, the range is the last frame. */
static enum rill_status choose_range(const char *path, const struct rill_frame_choice *choice, size_t frames,
                                     size_t *first, size_t *end, struct rill_error *error) {
  char number[48] = "--frame last";
  *first = choice->kind == RILL_FRAME_RANGE ? choice->first : frames - 1;
  *end = choice->kind == RILL_FRAME_RANGE && choice->end < frames ? choice->end : frames;
  if (choice->kind == RILL_FRAME_NUMBER) {
    *first = choice->number;
    *end = *first + 1;
  }
  if (frames > 0 && *first < frames) return RILL_OK;
  if (choice->kind == RILL_FRAME_RANGE) snprintf(number, sizeof number, "frame %zu", choice->first);
  if (choice->kind == RILL_FRAME_NUMBER) snprintf(number, sizeof number, "--frame %zu", choice->number);
  return rill_error_set(error, RILL_ERROR_INPUT, "%s has %zu frames (0 to %zd); %s is not among them", path, frames,
                        (ssize_t)frames - 1, number);
}

enum rill_status rill_recording_visit(struct rill_trajectory_reader *reader, const char *path,
                                      const struct rill_frame_choice *choice, rill_frame_visitor visit, void *context,
                                      struct rill_error *error) {
  const size_t stride = choice->kind == RILL_FRAME_RANGE ? choice->stride : 1;
  size_t first, end;
  RILL_TRY(choose_range(path, choice, rill_trajectory_frames(reader), &first, &end, error));
  for (size_t frame = first; frame < end; frame += stride) {
    struct rill_structure structure = {0};
    enum rill_status status = read_frame(reader, frame, &structure, error);
    if (status == RILL_OK) status = visit(context, &structure, frame, error);
    rill_structure_release(&structure);
    if (status != RILL_OK) return status;
  }
  return RILL_OK;
}

enum rill_status rill_recording_open(const char *path, const struct rill_notes *notes,
                                     struct rill_trajectory_reader **reader, struct rill_error *error) {
  RILL_TRY(rill_trajectory_open(path, reader, error));
  for (const char *line = rill_trajectory_note(*reader); *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    rill_note(notes, "note: %s: %.*s", path, (int)length, line);
    line += length + (line[length] == '\n');
  }
  return RILL_OK;
}

enum rill_status rill_recording_select(struct rill_trajectory_reader *reader, const char *path,
                                       const struct rill_replica_choice *choice, size_t ladder,
                                       struct rill_error *error) {
  const size_t replicas = rill_trajectory_replicas(reader);
  if (replicas == 1 && choice->kind == RILL_REPLICA_UNCHOSEN) return RILL_OK;
  if (replicas == 1)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s holds one system, no replicas: omit --%s", path,
                          choice->kind == RILL_REPLICA_NUMBER ? "replica" : "temperature");
  if (choice->kind == RILL_REPLICA_NUMBER) return rill_trajectory_select_replica(reader, choice->replica, error);
  if (choice->kind == RILL_REPLICA_TEMPERATURE)
    return rill_trajectory_select_temperature(reader, choice->temperature, ladder, error);
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s holds %zu replicas: choose one with --replica K (0 to %zu), or a temperature with "
                        "--temperature T and --ladder L",
                        path, replicas, replicas - 1);
}

enum rill_status rill_recording_ladders(struct rill_trajectory_reader *reader,
                                        const struct rill_replica_choice *choice, size_t *ladders,
                                        struct rill_error *error) {
  *ladders = 1;
  if (choice->kind != RILL_REPLICA_TEMPERATURE || !choice->any_ladder) return RILL_OK;
  return rill_trajectory_ladders(reader, ladders, error);
}

static const char *find_difference(const struct rill_deck *a, const struct rill_deck *b) {
  if (strcmp(a->system.model, b->system.model) != 0 ||
      memcmp(&a->system.custom, &b->system.custom, sizeof a->system.custom) != 0)
    return "water model";
  if (a->barostat.method != RILL_NO_BAROSTAT && b->barostat.method != RILL_NO_BAROSTAT &&
      a->barostat.pressure != b->barostat.pressure)
    return "pressure";
  return NULL;
}

enum rill_status rill_recording_check_same(const struct rill_trajectory_reader *reader, const char *path,
                                           const char *deck, struct rill_error *error) {
  struct rill_deck *decks;
  const char *own = rill_trajectory_deck(reader), *difference = NULL;
  enum rill_status status;
  if (own[0] == '\0' || deck[0] == '\0') return RILL_OK;
  decks = rill_allocate(2, sizeof *decks);
  if (decks == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for two decks");
  status = rill_deck_read_text(&rill_deck_registry, path, own, NULL, 0, &decks[0], error);
  if (status == RILL_OK) status = rill_deck_read_text(&rill_deck_registry, path, deck, NULL, 0, &decks[1], error);
  if (status == RILL_OK) difference = find_difference(&decks[0], &decks[1]);
  rill_release(decks);
  if (difference == NULL) return status;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s has another %s than the files before: only runs of one system are averaged", path,
                        difference);
}

enum rill_status rill_frame_measure(const struct rill_structure *structure, struct rill_frame_facts *facts,
                                    struct rill_error *error) {
  const double(*box)[3] = structure->has_box ? (const double(*)[3])structure->box : NULL;
  facts->volume = box != NULL ? box[0][0] * box[1][1] * box[2][2] : NAN;
  facts->geometry =
      rill_water_nearest_geometry(structure->positions, structure->molecules, &facts->deviation, &facts->worst);
  return rill_closest_contact(structure->positions, structure->molecules, box, RILL_CONTACT_OXYGENS, &facts->nearest,
                              error);
}

enum rill_status rill_recording_survey(struct rill_trajectory_reader *reader, struct rill_recording_facts *facts,
                                       struct rill_error *error) {
  const size_t frames = rill_trajectory_frames(reader);
  *facts = (struct rill_recording_facts){.reader = reader};
  for (int i = 0; i < 2 && frames > 0; i++)
    RILL_TRY(rill_trajectory_time(reader, i == 0 ? 0 : frames - 1, &facts->step[i], &facts->time[i], error));
  return rill_trajectory_survey(reader, &facts->survey, error);
}

bool rill_checkpoint_frames(const struct rill_checkpoint *checkpoint, uint64_t *frames) {
  size_t count;
  const void *items = rill_archive_find(&checkpoint->archive, "trajectory/frames", RILL_ARCHIVE_INTEGERS, &count);
  if (items == NULL || count != 1) return false;
  memcpy(frames, items, sizeof *frames);
  return true;
}
