#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void append(struct rill_error *error, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* A line feed inside a name must not look like the end of the message: it is shown as \n, unless the format itself
 * contains line feeds or passes on a whole message. */
static void append(struct rill_error *error, const char *format, va_list arguments) {
  const bool own_lines = strchr(format, '\n') != NULL || strcmp(format, "%s") == 0;
  char piece[RILL_ERROR_CAPACITY];
  if (vsnprintf(piece, sizeof piece, format, arguments) < 0) return;
  for (const char *c = piece; *c != '\0'; c++) {
    const bool shown = *c == '\n' && !own_lines;
    if (error->length + 1 + shown >= sizeof error->text) break;
    if (shown) error->text[error->length++] = '\\';
    error->text[error->length++] = shown ? 'n' : *c;
  }
  error->text[error->length] = '\0';
}

enum rill_status rill_error_set(struct rill_error *error, enum rill_status status, const char *format, ...) {
  va_list arguments;
  rill_error_clear(error);
  error->status = status;
  va_start(arguments, format);
  append(error, format, arguments);
  va_end(arguments);
  return status;
}

enum rill_status rill_error_add(struct rill_error *error, enum rill_status status, const char *format, ...) {
  va_list arguments;
  if (error->status == RILL_OK) error->status = status;
  if (error->length > 0 && error->length + 1 < sizeof error->text) error->text[error->length++] = '\n';
  va_start(arguments, format);
  append(error, format, arguments);
  va_end(arguments);
  return error->status;
}

enum rill_status rill_error_prefix(struct rill_error *error, const char *format, ...) {
  char kept[RILL_ERROR_CAPACITY];
  va_list arguments;
  size_t length;
  memcpy(kept, error->text, sizeof kept);
  error->length = 0;
  va_start(arguments, format);
  append(error, format, arguments);
  va_end(arguments);
  length = error->length;
  snprintf(error->text + length, sizeof error->text - length, ": %.*s", RILL_ERROR_CAPACITY - 1, kept);
  error->length = strlen(error->text);
  return error->status;
}

enum rill_status rill_error_append(struct rill_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  append(error, format, arguments);
  va_end(arguments);
  return error->status;
}

void rill_error_clear(struct rill_error *error) {
  error->status = RILL_OK;
  error->length = 0;
  error->text[0] = '\0';
}

const char *rill_status_name(enum rill_status status) {
  switch (status) {
#define X(name, exit_status, meaning)                                                                                \
  case RILL_##name: return #name;
    RILL_STATUS_LIST(X)
#undef X
  }
  return "UNKNOWN";
}

const char *rill_status_meaning(enum rill_status status) {
  switch (status) {
#define X(name, exit_status, meaning)                                                                                \
  case RILL_##name: return meaning;
    RILL_STATUS_LIST(X)
#undef X
  }
  return "unknown status";
}

int rill_status_exit(enum rill_status status) {
  switch (status) {
#define X(name, exit_status, meaning)                                                                                \
  case RILL_##name: return exit_status;
    RILL_STATUS_LIST(X)
#undef X
  }
  return 1;
}
