#include "deck/ladder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char form[] =
    "temperatures are written as a geometric series, for example `60 K -> 250 K, 12`, or as a "
    "list, `60 K, 80 K, 110 K`";

/* Copies the text from `from` to `to` without outer blanks; false when it is empty or too long. */
static bool cut(const char *from, const char *to, char *part, size_t size) {
  while (from < to && strchr(" \t", *from) != NULL) from++;
  while (to > from && strchr(" \t", to[-1]) != NULL) to--;
  if (to == from || (size_t)(to - from) >= size) return false;
  memcpy(part, from, (size_t)(to - from));
  part[to - from] = '\0';
  return true;
}

static enum rill_status read_temperature(const char *from, const char *to, enum rill_dimension dimension,
                                         double *value, struct rill_error *error) {
  const char *unit = rill_dimension_unit(dimension);
  char part[64];
  if (!cut(from, to, part, sizeof part)) return rill_error_set(error, RILL_ERROR_INPUT, "%s", form);
  if (dimension == RILL_DIMENSION_NONE) RILL_TRY(rill_number_read(part, value, error));
  else RILL_TRY(rill_quantity_read(part, dimension, RILL_DIMENSION_NONE, value, NULL, error));
  return *value > 0 ? RILL_OK
                    : rill_error_set(error, RILL_ERROR_INPUT, "temperatures above 0%s%s are expected, not `%s`",
                                     *unit ? " " : "", unit, part);
}

static enum rill_status read_count(const char *from, const char *to, uint64_t *count, struct rill_error *error) {
  char part[64];
  if (!cut(from, to, part, sizeof part) || part[strspn(part, "0123456789")] != '\0')
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "a geometric series ends with the number of temperatures, for example `60 K -> 250 K, 12`");
  *count = strtoull(part, NULL, 10);
  if (*count >= 2 && *count <= RILL_RUNGS) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT, "2 to %d temperatures are expected, not %s", RILL_RUNGS, part);
}

static enum rill_status read_series(const char *text, const char *arrow, enum rill_dimension dimension,
                                    struct rill_ladder *ladder, struct rill_error *error) {
  const char *comma = strrchr(arrow, ','), *end = text + strlen(text);
  double first, last;
  if (comma == NULL) return read_count(end, end, &ladder->count, error);
  RILL_TRY(read_temperature(text, arrow, dimension, &first, error));
  RILL_TRY(read_temperature(arrow + 2, comma, dimension, &last, error));
  RILL_TRY(read_count(comma + 1, end, &ladder->count, error));
  ladder->geometric = true;
  for (uint64_t i = 0; i < ladder->count; i++)
    ladder->temperature[i] = first * pow(last / first, (double)i / (double)(ladder->count - 1));
  ladder->temperature[ladder->count - 1] = last;
  return RILL_OK;
}

static enum rill_status read_list(const char *text, enum rill_dimension dimension, struct rill_ladder *ladder,
                                  struct rill_error *error) {
  for (const char *from = text; from != NULL;) {
    const char *comma = strchr(from, ','), *to = comma != NULL ? comma : from + strlen(from);
    if (ladder->count == RILL_RUNGS)
      return rill_error_set(error, RILL_ERROR_INPUT, "at most %d temperatures are expected", RILL_RUNGS);
    RILL_TRY(read_temperature(from, to, dimension, &ladder->temperature[ladder->count], error));
    ladder->count++;
    from = comma != NULL ? comma + 1 : NULL;
  }
  return RILL_OK;
}

enum rill_status rill_ladder_read(const char *text, enum rill_dimension dimension, struct rill_ladder *ladder,
                                  struct rill_error *error) {
  struct rill_ladder read = {0};
  const char *arrow = strstr(text, "->"), *unit = rill_dimension_unit(dimension), *space = *unit ? " " : "";
  RILL_TRY(arrow != NULL ? read_series(text, arrow, dimension, &read, error)
                         : read_list(text, dimension, &read, error));
  for (uint64_t i = 1; i < read.count; i++)
    if (!(read.temperature[i] > read.temperature[i - 1]))
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "increasing temperatures are expected, and %g%s%s follows %g%s%s", read.temperature[i],
                            space, unit, read.temperature[i - 1], space, unit);
  *ladder = read;
  return RILL_OK;
}

static void write_temperature(double temperature, const char *unit, FILE *stream) {
  char number[RILL_NUMBER_TEXT];
  fprintf(stream, "%s%s%s", rill_number_format(temperature, number), *unit ? " " : "", unit);
}

void rill_ladder_write(const struct rill_ladder *ladder, const char *unit, FILE *stream) {
  if (ladder->geometric) {
    write_temperature(ladder->temperature[0], unit, stream);
    fputs(" -> ", stream);
    write_temperature(ladder->temperature[ladder->count - 1], unit, stream);
    fprintf(stream, ", %" PRIu64, ladder->count);
    return;
  }
  for (uint64_t i = 0; i < ladder->count; i++) {
    if (i > 0) fputs(", ", stream);
    write_temperature(ladder->temperature[i], unit, stream);
  }
}
