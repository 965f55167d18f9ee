#include "structure/frames.h"

#include <stdbool.h>

struct visit {
  rill_frame_visitor visit;
  void *context;
  const char *path;
  const struct rill_notes *notes;
  bool said_unused;
};

static enum rill_status take(struct visit *v, struct rill_structure *structure, size_t frame,
                             struct rill_error *error) {
  if (v->notes != NULL && structure->unused[0] != '\0' && !v->said_unused) {
    rill_note(v->notes, "note: %s: not used: %s", v->path, structure->unused);
    v->said_unused = true;
  }
  return v->visit(v->context, structure, frame, error);
}

static void note_choice(const struct visit *v, size_t frames, const char *otherwise) {
  if (v->notes != NULL && frames > 1)
    rill_note(v->notes, "note: %s has %zu frames; the first, frame 0, is taken; %s", v->path, frames, otherwise);
}

/* When a frame cannot be read, mentions the frames before it. */
static enum rill_status explain(enum rill_status status, size_t frames, struct rill_error *error) {
  struct rill_error found = *error;
  if (status != RILL_ERROR_INPUT || frames == 0) return status;
  return rill_error_set(error, status, "%s (in frame %zu, counted from 0; --frame N takes one of those before it)",
                        found.text, frames);
}

static enum rill_status visit_all(struct visit *v, struct rill_structure_reader *reader,
                                  const struct rill_frame_choice *choice, size_t *frames, struct rill_structure *kept,
                                  struct rill_error *error) {
  for (*frames = 0;; ++*frames) {
    struct rill_structure structure;
    enum rill_status status;
    bool found;
    if (choice->kind == RILL_FRAME_RANGE && *frames >= choice->end) return RILL_OK;
    status = rill_structure_next(reader, &structure, &found);
    if (status != RILL_OK) return explain(status, *frames, error);
    if (!found) return RILL_OK;
    if (choice->kind == RILL_FRAME_RANGE && rill_frame_is_in_range(choice, *frames) &&
        take(v, &structure, *frames, error) != RILL_OK)
      status = rill_error_prefix(error, "frame %zu", *frames);
    if (choice->kind == RILL_FRAME_LAST || (choice->kind == RILL_FRAME_FIRST && *frames == 0) ||
        (choice->kind == RILL_FRAME_NUMBER && *frames == choice->number)) {
      rill_structure_release(kept);
      *kept = structure;
    } else {
      rill_structure_release(&structure);
    }
    if (status != RILL_OK || (choice->kind == RILL_FRAME_NUMBER && *frames == choice->number)) {
      ++*frames;
      return status;
    }
  }
}

enum rill_status rill_frames_visit(const char *path, const struct rill_frame_choice *choice, const char *otherwise,
                                   const struct rill_notes *notes, rill_frame_visitor visit, void *context,
                                   size_t *count, struct rill_error *error) {
  struct visit v = {.visit = visit, .context = context, .path = path, .notes = notes};
  struct rill_structure kept = {0};
  struct rill_structure_reader *reader;
  enum rill_status status;
  size_t frames = 0;
  RILL_TRY(rill_structure_open(path, &reader, error));
  status = visit_all(&v, reader, choice, &frames, &kept, error);
  rill_structure_close(reader);
  if (count != NULL) *count = frames;
  if (status == RILL_OK && choice->kind == RILL_FRAME_NUMBER && choice->number >= frames)
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s has %zu frame%s (0 to %zu); --frame %zu is not among them",
                            path, frames, frames == 1 ? "" : "s", frames - 1, choice->number);
  if (status == RILL_OK && choice->kind == RILL_FRAME_RANGE && choice->first >= frames)
    status = rill_error_set(error, RILL_ERROR_INPUT, "%s has %zu frame%s (0 to %zu); the range begins at %zu", path,
                            frames, frames == 1 ? "" : "s", frames - 1, choice->first);
  if (status == RILL_OK && choice->kind != RILL_FRAME_RANGE) {
    if (choice->kind == RILL_FRAME_FIRST) note_choice(&v, frames, otherwise);
    status = take(&v, &kept, choice->kind == RILL_FRAME_FIRST ? 0 : frames - 1, error);
  }
  rill_structure_release(&kept);
  return status;
}

static enum rill_status keep(void *context, struct rill_structure *structure, size_t frame,
                             struct rill_error *error) {
  (void)frame;
  (void)error;
  *(struct rill_structure *)context = *structure;
  *structure = (struct rill_structure){0};
  return RILL_OK;
}

enum rill_status rill_frames_first(const char *path, struct rill_structure *structure, const struct rill_notes *notes,
                                   struct rill_error *error) {
  const struct rill_frame_choice first = {.kind = RILL_FRAME_FIRST};
  return rill_frames_visit(path, &first, "rill convert FILE OUT --frame N writes another one to a separate file",
                           notes, keep, structure, NULL, error);
}
