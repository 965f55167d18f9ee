/* Parses INI text into entries (section, key, value, line), with inih.
 *
 * inih splits lines; its limitations are handled here: it keeps a line in a short buffer, takes an indented line for
 * the continuation of the one before, counts only its own lines, and skips sections without keys and all invalid
 * lines after the first. */
#ifndef RILL_DECK_INI_H
#define RILL_DECK_INI_H

#include <stddef.h>

#include "base/status.h"

struct rill_ini_entry {
  char *section; /* one allocation for section, key and value */
  char *key;     /* "" for the entry of the section header itself */
  char *value;
  size_t line;
};

/* Called for a line that is neither a comment, nor [section], nor key = value. */
typedef void (*rill_ini_fault)(void *context, size_t line, const char *message);

struct rill_ini {
  struct rill_ini_entry *entries;
  size_t count, capacity;
};

/* Reads a whole text file into *text (owned by the caller, rill_release), zero-terminated; *length excludes the zero.
 * RILL_ERROR_INPUT with one message for a file that is missing, a directory, empty, too long or not text. */
enum rill_status rill_ini_load(const char *path, char **text, size_t *length, struct rill_error *error);

/* Splits text into entries, which are appended to ini (zeroed before the first use); invalid lines are passed to
 * fault. Line ends are \n, \r\n or \r.  RILL_ERROR_MEMORY is the only failure. */
enum rill_status rill_ini_parse(const char *text, rill_ini_fault fault, void *context, struct rill_ini *ini,
                                struct rill_error *error);

/* Appends one entry; copies its strings. */
enum rill_status rill_ini_append(struct rill_ini *ini, const char *section, const char *key, const char *value,
                                 size_t line, struct rill_error *error);

/* Accepts a zeroed struct. */
void rill_ini_clear(struct rill_ini *ini);

#endif
