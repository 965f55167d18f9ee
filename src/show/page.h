/* Where a command shows its results: text, or one JSON document. */
#ifndef RILL_SHOW_PAGE_H
#define RILL_SHOW_PAGE_H

#include "base/status.h"
#include "show/json.h"
#include "structure/frames.h"

enum rill_page_kind {
  RILL_PAGE_TEXT,      /* written at once */
  RILL_PAGE_HELD_TEXT, /* written as a whole when the command has succeeded */
  RILL_PAGE_JSON       /* a document, written as a whole */
};

/* Zeroed: shows nothing. */
struct rill_page {
  FILE *out;  /* receives all output in the end, borrowed; a heading may precede held text */
  FILE *text; /* NULL: results go to the document */
  struct rill_json json;
  char *held;
  size_t length;
};

enum rill_status rill_page_begin(struct rill_page *page, enum rill_page_kind kind, FILE *out,
                                 struct rill_error *error);
/* Closes all open lists and objects.  Writes held output when status is RILL_OK, and releases it in any case.
 * Returns the status, or RILL_ERROR_MEMORY. */
enum rill_status rill_page_end(struct rill_page *page, enum rill_status status, struct rill_error *error);

/* Makes the following parts of the document members of a list; no effect on text. */
void rill_page_list(struct rill_page *page);

/* Frames of a structure file: a single one or, where all are chosen, one per row. */
struct rill_shown_frames {
  struct rill_page *page;
  const char *path;
  struct rill_frame_choice choice;
};

/* Writes words from column `at` on, broken before `width` and indented by `indent`; ends the line. */
void rill_write_wrapped(FILE *stream, const char *text, size_t at, size_t indent, size_t width);

#endif
