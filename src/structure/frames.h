/* Going through the frames of a structure file. */
#ifndef RILL_STRUCTURE_FRAMES_H
#define RILL_STRUCTURE_FRAMES_H

#include "base/notes.h"
#include "structure/structure.h"

enum rill_frame_kind { RILL_FRAME_FIRST, RILL_FRAME_NUMBER, RILL_FRAME_LAST, RILL_FRAME_ALL };

struct rill_frame_choice {
  enum rill_frame_kind kind;
  size_t number; /* from 0 */
};

/* A frame of a file; the visitor may change the structure, and take its arrays (leaving it zeroed). */
typedef enum rill_status (*rill_frame_visitor)(void *context, struct rill_structure *structure, size_t frame,
                                               struct rill_error *error);

/* Visits the frames chosen, in their order.  Where the first is taken for want of a choice the rest of the file is
 * read too: a note says how many frames there are, and how to take another (`otherwise`), and one that cannot be read
 * is an error.  A note also names what the file has and nothing uses.  notes: NULL for none.  *count (may be NULL):
 * how many frames were read; with RILL_FRAME_NUMBER nothing behind the frame is.  Errors: those of reading, and
 * RILL_ERROR_INPUT for a number beyond the end. */
enum rill_status rill_frames_visit(const char *path, const struct rill_frame_choice *choice, const char *otherwise,
                                   const struct rill_notes *notes, rill_frame_visitor visit, void *context, size_t *count,
                                   struct rill_error *error);

/* The first frame, into *structure, with the notes. */
enum rill_status rill_frames_first(const char *path, struct rill_structure *structure, const struct rill_notes *notes,
                                   struct rill_error *error);

#endif
