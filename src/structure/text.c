#include "config.h"

#include "structure/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { QUOTED = 48, NUMBER_CAPACITY = 128 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* The first line end in the file determines it; a file without any is one line. */
static char find_line_end(FILE *file) {
  char block[RILL_LINE_CAPACITY];
  const size_t length = fread(block, 1, sizeof block, file);
  rewind(file);
  return memchr(block, '\n', length) == NULL && memchr(block, '\r', length) != NULL ? '\r' : '\n';
}

enum rill_status rill_text_open(struct rill_text *text, const char *path, struct rill_error *error) {
  struct stat status;
  text->path = path;
  text->error = error;
  text->bytes = -1;
  text->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (text->c_locale == (locale_t)0) return rill_error_set(error, RILL_ERROR_MEMORY, "%s: out of memory", path);
  text->file = fopen(path, "rb");
  if (text->file == NULL || fstat(fileno(text->file), &status) != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
  if (S_ISDIR(status.st_mode))
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: is a directory, expected a structure file", path);
  text->line_end = '\n';
  if (!S_ISREG(status.st_mode)) return RILL_OK; /* a pipe cannot be rewound */
  text->bytes = (long long)status.st_size;
  text->line_end = find_line_end(text->file);
  return RILL_OK;
}

void rill_text_close(struct rill_text *text) {
  if (text->file != NULL) fclose(text->file);
  if (text->c_locale != (locale_t)0) freelocale(text->c_locale);
  text->file = NULL;
  text->c_locale = (locale_t)0;
}

enum rill_status rill_text_fault(struct rill_text *text, size_t line, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return rill_error_set(text->error, RILL_ERROR_INPUT, "%s:%zu: %s", text->path, line, message);
}

/* Files from some editors begin with a byte-order mark. */
static void drop_byte_order_mark(struct rill_text *text) {
  if (text->line != 1 || text->length < 3 || memcmp(text->text, "\xEF\xBB\xBF", 3) != 0) return;
  text->length -= 3;
  memmove(text->text, text->text + 3, text->length);
}

void rill_text_back(struct rill_text *text) { text->again = true; }

enum rill_status rill_text_next(struct rill_text *text) {
  int c;
  if (text->again) {
    text->again = false;
    return RILL_OK;
  }
  text->length = 0;
  text->text[0] = '\0';
  text->line++;
  while ((c = getc(text->file)) != EOF && c != text->line_end) {
    if (c == '\0')
      return rill_text_fault(text, text->line, "column %zu holds a zero byte: this is not a text file",
                             text->length + 1);
    if (text->length + 1 == RILL_LINE_CAPACITY)
      return rill_text_fault(text, text->line, "the line is longer than %d characters: is this a structure file?",
                             RILL_LINE_CAPACITY - 1);
    text->text[text->length++] = (char)c;
  }
  if (ferror(text->file)) return rill_text_fault(text, text->line, "cannot be read: %s", strerror(errno));
  text->terminated = c == text->line_end;
  text->ended = c == EOF && text->length == 0;
  drop_byte_order_mark(text);
  while (text->length > 0 && (is_blank(text->text[text->length - 1]) || text->text[text->length - 1] == '\r'))
    text->length--;
  text->text[text->length] = '\0';
  return RILL_OK;
}

static struct rill_span existing(const struct rill_text *text, struct rill_span span) {
  if (span.first > text->length) span.first = text->length;
  if (span.length > text->length - span.first) span.length = text->length - span.first;
  return span;
}

struct rill_span rill_text_trim(const struct rill_text *text, struct rill_span span) {
  span = existing(text, span);
  while (span.length > 0 && is_blank(text->text[span.first])) {
    span.first++;
    span.length--;
  }
  while (span.length > 0 && is_blank(text->text[span.first + span.length - 1])) span.length--;
  return span;
}

struct rill_span rill_text_word(const struct rill_text *text, size_t from) {
  struct rill_span word = {from < text->length ? from : text->length, 0};
  while (word.first < text->length && is_blank(text->text[word.first])) word.first++;
  while (word.first + word.length < text->length && !is_blank(text->text[word.first + word.length])) word.length++;
  return word;
}

bool rill_text_blank(const struct rill_text *text, struct rill_span span) {
  return rill_text_trim(text, span).length == 0;
}

/* Truncates between UTF-8 characters, not inside one. */
const char *rill_text_copy(const struct rill_text *text, struct rill_span span, char *copy, size_t capacity) {
  size_t length;
  span = existing(text, span);
  length = span.length < capacity ? span.length : capacity - 1;
  if (length < span.length)
    while (length > 0 && ((unsigned char)text->text[span.first + length] & 0xC0) == 0x80) length--;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text->text[span.first + i];
    copy[i] = c == '\t' ? ' ' : c < 0x20 || c == 0x7F ? '?' : (char)c;
  }
  copy[length] = '\0';
  return copy;
}

/* Reasons why a word is not a number, such as the words that printf writes instead of one. */
static const char too_wide[] = "was too wide for its column when the file was written";
static const char not_finite[] = "is not a finite number";

/* The fault of text[0..length) as a number, or NULL; the syntax is [+-] digits [. digits] [exponent], with at least
 * one digit. */
static const char *number_fault(const char *text, size_t length) {
  size_t i = 0, digits = 0;
  bool stars = false, word = length > 0;
  for (size_t k = 0; k < length; k++) {
    stars = stars || (text[k] == '*' && (k + 1 == length || text[k + 1] == '*'));
    word = word && (strchr("+-infatyINFATY", text[k]) != NULL);
  }
  if (length == 0) return "is blank";
  if (stars) return too_wide;
  if (word && length > 2) return not_finite;
  if (length >= NUMBER_CAPACITY) return "is too long for a number";
  if (text[i] == '+' || text[i] == '-') i++;
  for (; i < length && is_digit(text[i]); i++) digits++;
  if (i < length && text[i] == '.')
    for (i++; i < length && is_digit(text[i]); i++) digits++;
  if (digits == 0) return "is not a number";
  if (i < length && (text[i] == 'e' || text[i] == 'E')) {
    i++;
    if (i < length && (text[i] == '+' || text[i] == '-')) i++;
    if (i == length) return "is not a number: its exponent is missing";
    while (i < length && is_digit(text[i])) i++;
  }
  return i == length ? NULL : "is not a number";
}

/* Requires that number_fault found nothing; false when the value exceeds the range of a double. */
static bool convert(const struct rill_text *text, struct rill_span word, double *value) {
  char number[NUMBER_CAPACITY];
  memcpy(number, text->text + word.first, word.length);
  number[word.length] = '\0';
  *value = strtod_l(number, NULL, text->c_locale);
  return isfinite(*value);
}

static enum rill_status number_refused(struct rill_text *text, struct rill_span shown, const char *name,
                                       const char *reason) {
  char quoted[QUOTED];
  return rill_text_fault(text, text->line, "columns %zu-%zu (%s): '%s' %s", shown.first + 1,
                         shown.first + shown.length, name, rill_text_copy(text, shown, quoted, sizeof quoted),
                         reason);
}

enum rill_status rill_text_check_words(struct rill_text *text, size_t from) {
  for (struct rill_span word = rill_text_word(text, from); word.length > 0;
       word = rill_text_word(text, word.first + word.length)) {
    const char *fault = number_fault(text->text + word.first, word.length);
    if (fault == too_wide || fault == not_finite) return number_refused(text, word, "a coordinate", fault);
  }
  return RILL_OK;
}

bool rill_text_is_count(const struct rill_text *text) {
  struct rill_span word = rill_text_word(text, 0);
  for (size_t i = 0; i < word.length; i++)
    if (!is_digit(text->text[word.first + i])) return false;
  return word.length > 0 && word.first + word.length == text->length;
}

/* Whether the word ends in a decimal point and this number of digits. */
static bool has_decimals(const struct rill_text *text, struct rill_span word, size_t decimals) {
  const char *end = text->text + word.first + word.length;
  if (word.length < decimals + 1 || end[-1 - (ptrdiff_t)decimals] != '.') return false;
  for (size_t i = 1; i <= decimals; i++)
    if (!is_digit(end[-(ptrdiff_t)i])) return false;
  return true;
}

enum rill_status rill_text_column(struct rill_text *text, struct rill_span span, size_t decimals, const char *name,
                                  double *value) {
  struct rill_span word = rill_text_trim(text, span);
  const char *fault = number_fault(text->text + word.first, word.length);
  char reason[160];
  if (fault != NULL && strcmp(fault, "is not a number") != 0) return number_refused(text, span, name, fault);
  /* Detects shifted columns: the number ends early, its point is elsewhere, or it includes part of a neighbour. */
  if (fault != NULL || word.first + word.length != span.first + span.length || !has_decimals(text, word, decimals)) {
    snprintf(reason, sizeof reason,
             "is not a number with %zu decimals that ends in column %zu; are the columns shifted or is the line cut?",
             decimals, span.first + span.length);
    return number_refused(text, span, name, reason);
  }
  if (!convert(text, word, value)) return number_refused(text, span, name, "is too large");
  return RILL_OK;
}

enum rill_status rill_text_field(struct rill_text *text, struct rill_span span, const char *name, double *value) {
  struct rill_span word = rill_text_trim(text, span);
  const char *fault = number_fault(text->text + word.first, word.length);
  if (fault == NULL && !convert(text, word, value)) fault = "is too large";
  return fault == NULL ? RILL_OK : number_refused(text, span, name, fault);
}

bool rill_text_is_number(const struct rill_text *text, struct rill_span word) {
  return number_fault(text->text + word.first, word.length) == NULL;
}

enum rill_status rill_text_number(struct rill_text *text, struct rill_span word, const char *name, double *value) {
  const char *fault = number_fault(text->text + word.first, word.length);
  if (word.length == 0) return rill_text_fault(text, text->line, "%s is missing", name);
  if (fault == NULL && !convert(text, word, value)) fault = "is too large";
  return fault == NULL ? RILL_OK : number_refused(text, word, name, fault);
}

enum rill_status rill_text_count(struct rill_text *text, unsigned long long *count) {
  struct rill_span word = rill_text_word(text, 0);
  char quoted[QUOTED];
  unsigned long long value = 0;
  bool whole = word.length > 0 && word.length <= 18 && word.first + word.length == text->length;
  if (text->ended)
    return rill_text_fault(text, text->line, "the file ends here, expected a line with the number of atoms");
  for (size_t i = 0; i < word.length && whole; i++) {
    whole = is_digit(text->text[word.first + i]);
    value = 10 * value + (unsigned long long)(text->text[word.first + i] - '0');
  }
  if (!whole || value == 0)
    return rill_text_fault(text, text->line, "found '%s', expected the number of atoms (a whole number above 0)",
                           rill_text_copy(text, (struct rill_span){0, text->length}, quoted, sizeof quoted));
  *count = value;
  return RILL_OK;
}
