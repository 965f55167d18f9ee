#include "config.h"

#include "output/csv.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char units_mark[] = "# units: ";

struct reader {
  const char *path;
  FILE *file;
  struct rill_csv_info *info;
  struct rill_error *error;
  char *line; /* allocated by getline */
  size_t capacity, number;
  char *units; /* the line of units, unparsed */
  char *last;  /* the last row so far */
  size_t last_room;
  locale_t c_locale;
};

static size_t count_cells(const char *line) {
  size_t cells = 1;
  for (; *line != '\0'; line++) cells += *line == ',';
  return cells;
}

static enum rill_status fault(const struct reader *reader, const char *what) {
  if (reader->number == 0) return rill_error_set(reader->error, RILL_ERROR_INPUT, "%s: %s", reader->path, what);
  return rill_error_set(reader->error, RILL_ERROR_INPUT, "%s:%zu: %s", reader->path, reader->number, what);
}

static enum rill_status no_memory(const struct reader *reader) {
  return rill_error_set(reader->error, RILL_ERROR_MEMORY, "%s: out of memory", reader->path);
}

static char *copy(const char *text, size_t length) {
  char *made = rill_allocate(length + 1, 1);
  if (made != NULL) memcpy(made, text, length);
  return made;
}

/* Splits a line into cells, trimming blanks; missing cells are "". */
static enum rill_status split(const struct reader *reader, const char *line, size_t columns, char ***cells) {
  *cells = rill_allocate(columns, sizeof **cells);
  if (*cells == NULL) return no_memory(reader);
  for (size_t i = 0; i < columns; i++) {
    size_t length = strcspn(line, ","), blanks = strspn(line, " ");
    const char *from = line + (blanks < length ? blanks : length);
    size_t used = (size_t)(line + length - from);
    while (used > 0 && from[used - 1] == ' ') used--;
    if (((*cells)[i] = copy(from, used)) == NULL) return no_memory(reader);
    line += length + (line[length] == ',');
  }
  return RILL_OK;
}

static enum rill_status add_comment(const struct reader *reader, const char *line) {
  char **comment = &reader->info->comment, *longer;
  const size_t before = strlen(*comment), length = strlen(line);
  longer = rill_allocate(before + length + 2, 1);
  if (longer == NULL) return no_memory(reader);
  memcpy(longer, *comment, before);
  memcpy(longer + before, line, length);
  longer[before + length] = '\n';
  rill_release(*comment);
  *comment = longer;
  return RILL_OK;
}

/* Not all cells are numbers: tables of comparisons contain names. */
static bool is_number(const struct reader *reader, const char *cell, double *value) {
  char *end;
  *value = strtod_l(cell, &end, reader->c_locale);
  if (end != cell && end[strspn(end, " ")] == (cell[strcspn(cell, ",")] == ',' ? ',' : '\0')) return true;
  *value = NAN;
  return false;
}

static enum rill_status note_text(const struct reader *reader, size_t column, const char *cell) {
  struct rill_csv_info *info = reader->info;
  if (info->texts[column]++ > 0) return RILL_OK;
  info->text_line[column] = reader->number;
  info->text[column] = copy(cell, strcspn(cell, ","));
  return info->text[column] != NULL ? RILL_OK : no_memory(reader);
}

/* Copies the row, which may be the last one. */
static enum rill_status keep_last(struct reader *reader, const char *row) {
  const size_t length = strlen(row) + 1;
  if (length > reader->last_room) {
    rill_release(reader->last);
    reader->last_room = 2 * length;
    reader->last = rill_allocate(reader->last_room, 1);
    if (reader->last == NULL) return no_memory(reader);
  }
  memcpy(reader->last, row, length);
  return RILL_OK;
}

static enum rill_status read_row(struct reader *reader, const char *line) {
  struct rill_csv_info *info = reader->info;
  const char *row = line;
  if (count_cells(line) != info->columns)
    return fault(reader, "a different number of columns than in the line of names; is the file truncated?");
  for (size_t i = 0; i < info->columns; i++) {
    if (!is_number(reader, line, &info->last[i])) RILL_TRY(note_text(reader, i, line));
    line += strcspn(line, ",") + 1;
  }
  if (info->rows++ > 0) return keep_last(reader, row);
  memcpy(info->first, info->last, info->columns * sizeof *info->first);
  RILL_TRY(split(reader, row, info->columns, &info->first_text));
  return keep_last(reader, row);
}

static enum rill_status read_names(struct reader *reader, const char *line) {
  struct rill_csv_info *info = reader->info;
  info->columns = count_cells(line);
  info->first = rill_allocate(info->columns, sizeof *info->first);
  info->last = rill_allocate(info->columns, sizeof *info->last);
  info->texts = rill_allocate(info->columns, sizeof *info->texts);
  info->text_line = rill_allocate(info->columns, sizeof *info->text_line);
  info->text = rill_allocate(info->columns, sizeof *info->text);
  if (info->first == NULL || info->last == NULL || info->texts == NULL || info->text_line == NULL ||
      info->text == NULL)
    return no_memory(reader);
  for (size_t i = 0; i < info->columns; i++) info->first[i] = info->last[i] = NAN;
  return split(reader, line, info->columns, &info->names);
}

static enum rill_status read_line(struct reader *reader, const char *line) {
  struct rill_csv_info *info = reader->info;
  if (strncmp(line, units_mark, sizeof units_mark - 1) == 0) {
    rill_release(reader->units);
    reader->units = copy(line + sizeof units_mark - 1, strlen(line + sizeof units_mark - 1));
    return reader->units != NULL ? RILL_OK : no_memory(reader);
  }
  if (line[0] == '#') return add_comment(reader, line + 1 + (line[1] == ' '));
  return info->columns > 0 ? read_row(reader, line) : read_names(reader, line);
}

static enum rill_status read_lines(struct reader *reader) {
  ssize_t length;
  while ((length = getline(&reader->line, &reader->capacity, reader->file)) >= 0) {
    reader->number++;
    if (memchr(reader->line, '\0', (size_t)length) != NULL)
      return fault(reader, "a zero byte; this is not a text file");
    if (reader->line[length - 1] != '\n') return fault(reader, "the file ends inside this line; is it truncated?");
    reader->line[length - 1] = '\0';
    if (length > 1 && reader->line[length - 2] == '\r') reader->line[length - 2] = '\0';
    RILL_TRY(read_line(reader, reader->line));
  }
  if (ferror(reader->file)) return fault(reader, strerror(errno));
  if (reader->info->columns == 0)
    return fault(reader, "the names of the columns are missing; expected a CSV of a run");
  if (reader->last != NULL) RILL_TRY(split(reader, reader->last, reader->info->columns, &reader->info->last_text));
  return split(reader, reader->units != NULL ? reader->units : "", reader->info->columns, &reader->info->units);
}

enum rill_status rill_csv_describe(const char *path, struct rill_csv_info *info, struct rill_error *error) {
  struct reader reader = {.path = path, .info = info, .error = error};
  enum rill_status status = RILL_OK;
  *info = (struct rill_csv_info){0};
  reader.file = fopen(path, "r");
  if (reader.file == NULL)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
  reader.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  info->comment = copy("", 0);
  if (info->comment == NULL || reader.c_locale == (locale_t)0) status = no_memory(&reader);
  if (status == RILL_OK) status = read_lines(&reader);
  if (status != RILL_OK) rill_csv_info_release(info);
  if (reader.c_locale != (locale_t)0) freelocale(reader.c_locale);
  free(reader.line); /* allocated by getline */
  rill_release(reader.units);
  rill_release(reader.last);
  fclose(reader.file);
  return status;
}

void rill_csv_info_release(struct rill_csv_info *info) {
  for (size_t i = 0; i < info->columns; i++) {
    if (info->names != NULL) rill_release(info->names[i]);
    if (info->units != NULL) rill_release(info->units[i]);
    if (info->text != NULL) rill_release(info->text[i]);
    if (info->first_text != NULL) rill_release(info->first_text[i]);
    if (info->last_text != NULL) rill_release(info->last_text[i]);
  }
  rill_release(info->texts);
  rill_release(info->text_line);
  rill_release(info->text);
  rill_release(info->first_text);
  rill_release(info->last_text);
  rill_release(info->names);
  rill_release(info->units);
  rill_release(info->first);
  rill_release(info->last);
  rill_release(info->comment);
  *info = (struct rill_csv_info){0};
}
