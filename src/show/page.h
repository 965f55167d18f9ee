/* Where a command shows its results: text, or one JSON document instead. */
#ifndef RILL_SHOW_PAGE_H
#define RILL_SHOW_PAGE_H

#include "base/status.h"
#include "show/json.h"
#include "structure/frames.h"

enum rill_page_kind {
  RILL_PAGE_TEXT,      /* goes out as it is written */
  RILL_PAGE_HELD_TEXT, /* goes out as a whole when the command has succeeded */
  RILL_PAGE_JSON       /* the same, a document */
};

/* Zeroed: nothing is shown. */
struct rill_page {
  FILE *out;  /* where all of it goes in the end, borrowed; a head may go there before a text that is held */
  FILE *text; /* NULL: results go to the document */
  struct rill_json json;
  char *held;
  size_t length;
};

enum rill_status rill_page_begin(struct rill_page *page, enum rill_page_kind kind, FILE *out,
                                 struct rill_error *error);
/* Lists and objects that are open are closed.  What is held goes out when status is RILL_OK, and is released in any
 * case.  Returns the status, or RILL_ERROR_MEMORY. */
enum rill_status rill_page_end(struct rill_page *page, enum rill_status status, struct rill_error *error);

/* The document's parts that follow are members of a list; of text nothing. */
void rill_page_list(struct rill_page *page);

/* Frames of a structure file, one of them or, where all are chosen, a row each. */
struct rill_shown_frames {
  struct rill_page *page;
  const char *path;
  struct rill_frame_choice choice;
};

/* Words of text from column `at` on, lines broken before `width` and begun at column `indent`; ends the line. */
void rill_write_wrapped(FILE *stream, const char *text, size_t at, size_t indent, size_t width);

#endif
