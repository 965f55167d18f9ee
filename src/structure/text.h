/* Lines of a text file, and the strict reading of numbers in them, by column or word by word.
 *
 * Numbers are read as in the C locale, whatever the locale of the process.  A field that is not entirely a finite
 * number is an error that names file, line and column; nothing is ever silently read as zero. */
#ifndef RILL_STRUCTURE_TEXT_H
#define RILL_STRUCTURE_TEXT_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

enum { RILL_LINE_CAPACITY = 16384 };

/* A file that is being read.  Initialise with {0}; call rill_text_close in every case. */
struct rill_text {
  const char *path;
  FILE *file;
  locale_t c_locale;
  struct rill_error *error;
  long long bytes; /* size of a regular file, otherwise -1 */
  size_t line;     /* number of the current line, from 1 */
  char line_end;   /* '\n', or '\r' in files of the classic Macintosh, which have no '\n' */
  bool again;      /* the next rill_text_next keeps the current line */
  bool ended;      /* there was no further line */
  bool terminated; /* the current line ended in a newline, not at the end of the file */
  size_t length;   /* of the current line, without its end and trailing blanks */
  char text[RILL_LINE_CAPACITY];
};

/* Part of a line: columns first, ..., first + length - 1, counted from 0 (messages count from 1). */
struct rill_span {
  size_t first, length;
};

/* Borrows path and error. */
enum rill_status rill_text_open(struct rill_text *text, const char *path, struct rill_error *error);
void rill_text_close(struct rill_text *text);

/* Advances to the next line; at the end of the file sets `ended` and makes the line empty. */
enum rill_status rill_text_next(struct rill_text *text);

/* Makes the next call of rill_text_next keep the current line. */
void rill_text_back(struct rill_text *text);

/* Sets the error "path:line: message"; returns RILL_ERROR_INPUT. */
enum rill_status rill_text_fault(struct rill_text *text, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The part of the span within the line, without blanks at its ends. */
struct rill_span rill_text_trim(const struct rill_text *text, struct rill_span span);

/* The next word (separated by blanks and tabs) at or after column `from`; length 0 when there is none. */
struct rill_span rill_text_word(const struct rill_text *text, size_t from);

/* Whether all the columns are blank or beyond the end. */
bool rill_text_blank(const struct rill_text *text, struct rill_span span);

/* Copies the span for a message or a title: unprintable characters become '?'; truncated at the capacity. */
const char *rill_text_copy(const struct rill_text *text, struct rill_span span, char *copy, size_t capacity);

/* Reads a number in fixed columns: right-justified to the last column, plain notation with exactly `decimals`
 * decimals. */
enum rill_status rill_text_column(struct rill_text *text, struct rill_span span, size_t decimals, const char *name,
                                  double *value);

/* Reads a number anywhere in fixed columns, with any number of decimals. */
enum rill_status rill_text_field(struct rill_text *text, struct rill_span span, const char *name, double *value);

/* Whether the word is a number. */
bool rill_text_is_number(const struct rill_text *text, struct rill_span word);

/* Reads a number that is a word: plain or exponent notation. */
enum rill_status rill_text_number(struct rill_text *text, struct rill_span word, const char *name, double *value);

/* Refuses any word from column `from` on that replaces a number: nan, inf, or the stars of an overflow. */
enum rill_status rill_text_check_words(struct rill_text *text, size_t from);

/* Whether the line is a single whole number. */
bool rill_text_is_count(const struct rill_text *text);

/* Reads a line that is a single whole number greater than zero: the number of atoms. */
enum rill_status rill_text_count(struct rill_text *text, unsigned long long *count);

#endif
