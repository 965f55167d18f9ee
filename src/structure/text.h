/* Lines of a text file, and the strict reading of numbers in them: by column or word by word.
 *
 * Numbers are read as in the C locale whatever the process's locale is.  A field that is not wholly a finite number
 * is an error that names file, line and column; nothing is ever read as zero. */
#ifndef RILL_STRUCTURE_TEXT_H
#define RILL_STRUCTURE_TEXT_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

enum { RILL_LINE_CAPACITY = 16384 };

/* A file being read.  Initialise with {0}; rill_text_close in every case. */
struct rill_text {
  const char *path;
  FILE *file;
  locale_t c_locale;
  struct rill_error *error;
  long long bytes; /* size of a regular file, otherwise -1 */
  size_t line;     /* number of the current line, from 1 */
  char line_end;   /* '\n', or '\r' in files of the old Macintosh, which have no '\n' */
  bool again;      /* rill_text_next stays at the current line once more */
  bool ended;      /* there was no further line */
  bool terminated; /* the current line ended in a newline, not in the end of the file */
  size_t length;   /* of the current line, without its end and without trailing blanks */
  char text[RILL_LINE_CAPACITY];
};

/* Part of a line: columns first, ..., first + length - 1, counted from 0 (messages count from 1). */
struct rill_span {
  size_t first, length;
};

/* Borrows path and error. */
enum rill_status rill_text_open(struct rill_text *text, const char *path, struct rill_error *error);
void rill_text_close(struct rill_text *text);

/* Goes to the next line; at the end of the file sets `ended`, leaving an empty line. */
enum rill_status rill_text_next(struct rill_text *text);

/* The next call of rill_text_next stays at the current line. */
void rill_text_back(struct rill_text *text);

/* Sets the error "path:line: message"; returns RILL_ERROR_INPUT. */
enum rill_status rill_text_fault(struct rill_text *text, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The part of the span that exists and is not blank at its ends. */
struct rill_span rill_text_trim(const struct rill_text *text, struct rill_span span);

/* The next word (separated by blanks and tabs) at or after column `from`; length 0 when there is none. */
struct rill_span rill_text_word(const struct rill_text *text, size_t from);

/* Are all the columns blank or beyond the end? */
bool rill_text_blank(const struct rill_text *text, struct rill_span span);

/* Copies the span for a message or a title: unprintable characters become '?', cut at the capacity. */
const char *rill_text_copy(const struct rill_text *text, struct rill_span span, char *copy, size_t capacity);

/* A number in fixed columns: right-justified to the last column, plain notation with exactly `decimals` decimals. */
enum rill_status rill_text_column(struct rill_text *text, struct rill_span span, size_t decimals, const char *name,
                                  double *value);

/* A number anywhere in fixed columns, with any decimals. */
enum rill_status rill_text_field(struct rill_text *text, struct rill_span span, const char *name, double *value);

/* Is the word a number? */
bool rill_text_is_number(const struct rill_text *text, struct rill_span word);

/* A number that is a word: plain or exponent notation. */
enum rill_status rill_text_number(struct rill_text *text, struct rill_span word, const char *name, double *value);

/* Refuses a word from column `from` on that stands for no number: nan, inf, or the stars of an overflow. */
enum rill_status rill_text_check_words(struct rill_text *text, size_t from);

/* Is the line one whole number? */
bool rill_text_is_count(const struct rill_text *text);

/* A line that is one whole number greater than zero: the number of atoms. */
enum rill_status rill_text_count(struct rill_text *text, unsigned long long *count);

#endif
