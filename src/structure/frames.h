/* Visiting the frames of a structure file. */
#ifndef RILL_STRUCTURE_FRAMES_H
#define RILL_STRUCTURE_FRAMES_H

#include <stdint.h>

#include "base/notes.h"
#include "structure/structure.h"

enum rill_frame_kind { RILL_FRAME_FIRST, RILL_FRAME_NUMBER, RILL_FRAME_LAST, RILL_FRAME_RANGE };

/* Frames are numbered from 0.  A range is that of Python's slices first:end:stride. */
struct rill_frame_choice {
  enum rill_frame_kind kind;
  size_t number;
  size_t first, end, stride;
};

static const struct rill_frame_choice rill_all_frames = {
    .kind = RILL_FRAME_RANGE, .first = 0, .end = SIZE_MAX, .stride = 1};

static inline bool rill_frame_is_in_range(const struct rill_frame_choice *choice, size_t frame) {
  return frame >= choice->first && frame < choice->end && (frame - choice->first) % choice->stride == 0;
}

/* Called for a frame of a file.  The visitor may change the structure, and may take its arrays (leaving it
 * zeroed). */
typedef enum rill_status (*rill_frame_visitor)(void *context, struct rill_structure *structure, size_t frame,
                                               struct rill_error *error);

/* Visits the chosen frames in order.  When the first frame is used because none was chosen, the rest of the file is
 * read, too: a note gives the number of frames and how to select another one (`otherwise`), and an unreadable frame
 * is an error.  A note also names data in the file that are not used.  notes: NULL for none.  *count (may be NULL):
 * the number of frames read; with RILL_FRAME_NUMBER or _RANGE reading stops at the
 * last of the choice.  Errors: those of reading, and
 * RILL_ERROR_INPUT for a number beyond the end. */
enum rill_status rill_frames_visit(const char *path, const struct rill_frame_choice *choice, const char *otherwise,
                                   const struct rill_notes *notes, rill_frame_visitor visit, void *context,
                                   size_t *count, struct rill_error *error);

/* Reads the first frame into *structure, with the notes. */
enum rill_status rill_frames_first(const char *path, struct rill_structure *structure, const struct rill_notes *notes,
                                   struct rill_error *error);

#endif
