/* A change of one key in the text of a deck, which keeps everything else: comments, order, line ends. */
#ifndef RILL_DECK_EDIT_H
#define RILL_DECK_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Sets [section] key to the value.  Where the text has the key, its value is replaced, and a comment behind it stays;
 * otherwise a line is added at the end of the section, or with the section at the end of the text.  reason: a comment
 * of one line above it; NULL: none.  *edited: the new text, released by the caller with free().  The text is one that
 * rill_deck_read_text accepts.  RILL_ERROR_MEMORY is the only failure. */
enum rill_status rill_deck_edit(const char *text, const char *section, const char *key, const char *value,
                                const char *reason, char **edited, struct rill_error *error);

/* Turns the line of the key into a comment, with another comment, of one line, above it; the text stays as it is
 * where it has no such key.  Errors as above. */
enum rill_status rill_deck_comment_out(const char *text, const char *section, const char *key, const char *reason,
                                       char **edited, struct rill_error *error);

/* Removes the line "; comment" if it stands directly above the key.  Errors as above. */
enum rill_status rill_deck_drop_comment(const char *text, const char *section, const char *key, const char *comment,
                                        char **edited, struct rill_error *error);

/* Copies the value of the key as the text has it, cut to the capacity; false, and "", if it has none. */
bool rill_deck_value(const char *text, const char *section, const char *key, char *value, size_t capacity);

#endif
