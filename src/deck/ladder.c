#include "deck/ladder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "deck/units.h"

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

static enum rill_status read_temperature(const char *from, const char *to, double *value, struct rill_error *error) {
  char part[64];
  if (!cut(from, to, part, sizeof part)) return rill_error_set(error, RILL_ERROR_INPUT, "%s", form);
  RILL_TRY(rill_quantity_read(part, RILL_DIMENSION_TEMPERATURE, RILL_DIMENSION_NONE, value, NULL, error));
  return *value > 0 ? RILL_OK
                    : rill_error_set(error, RILL_ERROR_INPUT, "temperatures above 0 K are expected, not `%s`", part);
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

static enum rill_status read_series(const char *text, const char *arrow, struct rill_ladder *ladder,
                                    struct rill_error *error) {
  const char *comma = strrchr(arrow, ','), *end = text + strlen(text);
  double first, last;
  if (comma == NULL) return read_count(end, end, &ladder->count, error);
  RILL_TRY(read_temperature(text, arrow, &first, error));
  RILL_TRY(read_temperature(arrow + 2, comma, &last, error));
  RILL_TRY(read_count(comma + 1, end, &ladder->count, error));
  ladder->geometric = true;
  for (uint64_t i = 0; i < ladder->count; i++)
    ladder->temperature[i] = first * pow(last / first, (double)i / (double)(ladder->count - 1));
  ladder->temperature[ladder->count - 1] = last;
  return RILL_OK;
}

static enum rill_status read_list(const char *text, struct rill_ladder *ladder, struct rill_error *error) {
  for (const char *from = text; from != NULL;) {
    const char *comma = strchr(from, ','), *to = comma != NULL ? comma : from + strlen(from);
    if (ladder->count == RILL_RUNGS)
      return rill_error_set(error, RILL_ERROR_INPUT, "at most %d temperatures are expected", RILL_RUNGS);
    RILL_TRY(read_temperature(from, to, &ladder->temperature[ladder->count], error));
    ladder->count++;
    from = comma != NULL ? comma + 1 : NULL;
  }
  return RILL_OK;
}

enum rill_status rill_ladder_read(const char *text, struct rill_ladder *ladder, struct rill_error *error) {
  struct rill_ladder read = {0};
  const char *arrow = strstr(text, "->");
  RILL_TRY(arrow != NULL ? read_series(text, arrow, &read, error) : read_list(text, &read, error));
  for (uint64_t i = 1; i < read.count; i++)
    if (!(read.temperature[i] > read.temperature[i - 1]))
      return rill_error_set(error, RILL_ERROR_INPUT, "increasing temperatures are expected, and %g K follows %g K",
                            read.temperature[i], read.temperature[i - 1]);
  *ladder = read;
  return RILL_OK;
}

void rill_ladder_write(const struct rill_ladder *ladder, FILE *stream) {
  char number[RILL_NUMBER_TEXT];
  if (ladder->geometric) {
    fprintf(stream, "%s K -> ", rill_number_format(ladder->temperature[0], number));
    fprintf(stream, "%s K, %" PRIu64, rill_number_format(ladder->temperature[ladder->count - 1], number),
            ladder->count);
    return;
  }
  for (uint64_t i = 0; i < ladder->count; i++)
    fprintf(stream, "%s%s K", i > 0 ? ", " : "", rill_number_format(ladder->temperature[i], number));
}
