#include "deck/kind.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "deck/ladder.h"

enum { LIST_CAPACITY = 256 };

/* Enumerations and switches are stored in fields of these sizes. */
_Static_assert(sizeof(enum rill_boundary) == sizeof(unsigned), "words are written through unsigned");
_Static_assert((int)RILL_FRICTION_UNIFORM == 0 && (int)RILL_FRICTION_PER_MASS == 1, "choice: 0 dimension, 1 other");

bool rill_kind_needs_step(enum rill_kind kind) {
  return kind == RILL_KIND_DURATION || kind == RILL_KIND_INTERVAL || kind == RILL_KIND_PACE;
}

/* The dimension in a deck of these units.  Of small systems times are pure numbers or seconds, and rates and friction
 * likewise; temperatures of a bath are energies. */
static enum rill_dimension dimension_of(enum rill_dimension dimension, enum rill_deck_units units) {
  static const enum rill_dimension in_si[RILL_DIMENSION_COUNT] = {
      [RILL_DIMENSION_TIME] = RILL_DIMENSION_SECONDS,
      [RILL_DIMENSION_TEMPERATURE] = RILL_DIMENSION_JOULE,
      [RILL_DIMENSION_RATE] = RILL_DIMENSION_PER_SECOND,
      [RILL_DIMENSION_FRICTION] = RILL_DIMENSION_KILOGRAM_PER_SECOND,
  };
  if (units == RILL_UNITS_MOLECULAR || in_si[dimension] == RILL_DIMENSION_NONE) return dimension;
  return units == RILL_UNITS_SI ? in_si[dimension] : RILL_DIMENSION_NONE;
}

/* Quantities that are temperatures belong to water alone. */
static enum rill_dimension dimension_in(const struct rill_key *key, enum rill_deck_units units) {
  const bool of_water = key->kind == RILL_KIND_QUANTITY && key->dimension == RILL_DIMENSION_TEMPERATURE;
  return of_water ? key->dimension : dimension_of(key->dimension, units);
}

/* A quantity of a dimension, where NONE is a pure number. */
static enum rill_status read_of(enum rill_dimension dimension, const char *text, double *value,
                                struct rill_error *error) {
  if (dimension == RILL_DIMENSION_NONE) return rill_number_read(text, value, error);
  return rill_quantity_read(text, dimension, RILL_DIMENSION_NONE, value, NULL, error);
}

/* "at least 0 K", "above 0 ps", "1e-14 to 0.0001" */
static void describe_range(const struct rill_key *key, enum rill_deck_units units, char *text, size_t size) {
  char least[RILL_NUMBER_TEXT], most[RILL_NUMBER_TEXT];
  const char *unit = rill_kind_needs_step(key->kind) ? "steps" : rill_dimension_unit(dimension_in(key, units));
  const char *space = unit[0] != '\0' ? " " : "";
  rill_number_format(key->least, least);
  if (key->most >= 0x1p64) snprintf(most, sizeof most, "%" PRIu64, UINT64_MAX);
  else rill_number_format(key->most, most);
  if (isfinite(key->most)) snprintf(text, size, "%s to %s%s%s", least, most, space, unit);
  else if (key->least == 0 && !key->above) snprintf(text, size, "not negative");
  else snprintf(text, size, "%s %s%s%s", key->above ? "above" : "at least", least, space, unit);
}

static enum rill_status check_range(const struct rill_key *key, double value, const struct rill_reading *reading,
                                    struct rill_error *error) {
  char range[LIST_CAPACITY];
  if (value >= key->least && value <= key->most && !(key->above && value == key->least)) return RILL_OK;
  const bool of_water = key->kind == RILL_KIND_QUANTITY; /* quantities of other systems have no usual size */
  describe_range(key, reading->units, range, sizeof range);
  if (key->floor != NULL && value < key->least && (!of_water || reading->units == RILL_UNITS_MOLECULAR))
    return rill_error_set(error, RILL_ERROR_INPUT, "out of range, %s is expected: %s", range, key->floor);
  return rill_error_set(error, RILL_ERROR_INPUT, "out of range, %s is expected", range);
}

static enum rill_status find_word(const struct rill_choice *words, const char *text, unsigned *value,
                                  struct rill_error *error) {
  const struct rill_choice *found = rill_choice_find(words, text), *nearest = NULL;
  char list[LIST_CAPACITY];
  int distance = RILL_FAR;
  *value = found != NULL ? found->value : 0;
  if (found != NULL) return RILL_OK;
  rill_choice_list(words, ", ", list, sizeof list);
  for (const struct rill_choice *choice = words; choice->word != NULL; choice++) {
    int far = rill_slip_distance(text, choice->word);
    if (far >= distance) continue;
    distance = far;
    nearest = choice;
  }
  if (nearest != NULL) return rill_error_set(error, RILL_ERROR_INPUT, "did you mean %s? (%s)", nearest->word, list);
  return rill_error_set(error, RILL_ERROR_INPUT, "%s%s is expected", words[1].word != NULL ? "one of " : "", list);
}

/* Reads digits, or a decimal number such as 2.5e5 that is whole; doubles represent whole numbers up to 2^53
 * exactly. */
static enum rill_status read_whole(const char *text, const char **rest, uint64_t *value, struct rill_error *error) {
  size_t length = rill_number_length(text), digits = strspn(text, "0123456789");
  if (length == 0 || text[0] == '-') {
    return rill_error_set(error, RILL_ERROR_INPUT, "a whole number%s is expected",
                          length > 0 ? " that is not negative" : "");
  }
  *rest = text + length + strspn(text + length, " \t");
  if (digits == length) {
    errno = 0;
    *value = strtoull(text, NULL, 10);
    if (errno == ERANGE) return rill_error_set(error, RILL_ERROR_INPUT, "too large, at most %" PRIu64, UINT64_MAX);
  } else {
    double number = strtod(text, NULL);
    if (!(number <= 0x1p53))
      return rill_error_set(error, RILL_ERROR_INPUT, "a whole number as large as this is expected as plain digits");
    if (number != rint(number)) return rill_error_set(error, RILL_ERROR_INPUT, "a whole number is expected");
    *value = (uint64_t)number;
  }
  return RILL_OK;
}

/* Compares with the upper limit exactly: beyond 2^53 several whole numbers share a double. */
static enum rill_status check_whole(const struct rill_key *key, uint64_t number, const struct rill_reading *reading,
                                    struct rill_error *error) {
  const bool beyond = key->most < 0x1p64 && number > (uint64_t)key->most;
  return check_range(key, beyond ? INFINITY : (double)number, reading, error);
}

static enum rill_status read_integer(const struct rill_key *key, const char *text, const struct rill_reading *reading,
                                     uint64_t *value, struct rill_error *error) {
  const char *rest;
  uint64_t number;
  RILL_TRY(read_whole(text, &rest, &number, error));
  if (*rest == ',') return rill_error_set(error, RILL_ERROR_INPUT, "a whole number without separators is expected");
  if (*rest != '\0')
    return rill_error_set(error, RILL_ERROR_INPUT, "a whole number is expected, without `%.40s`", rest);
  RILL_TRY(check_whole(key, number, reading, error));
  *value = number;
  return RILL_OK;
}

/* Separated by commas or spaces, as vectors. */
static enum rill_status read_grid(const struct rill_key *key, const char *text, const struct rill_reading *reading,
                                  uint64_t grid[3], struct rill_error *error) {
  const char *rest = text;
  uint64_t number[3];
  for (int c = 0; c < 3; c++) {
    const char *from = rest;
    if (*from != '\0') RILL_TRY(read_whole(from, &rest, &number[c], error));
    if (rest == from || (c == 2 && *rest != '\0'))
      return rill_error_set(error, RILL_ERROR_INPUT, "three whole numbers are expected, such as `100, 100, 128`");
    RILL_TRY(check_whole(key, number[c], reading, error));
    if (c < 2 && *rest == ',') rest += 1 + strspn(rest + 1, " \t");
  }
  memcpy(grid, number, sizeof number);
  return RILL_OK;
}

/* Converts a time to a number of steps.  The quotient must be whole up to rounding: to a thousandth of a step and a
 * relative 1e-9. */
static enum rill_status count_steps(const struct rill_key *key, double time, const struct rill_reading *reading,
                                    uint64_t *value, struct rill_error *error) {
  double ratio = time / reading->step, whole = rint(ratio);
  if (reading->lenient) whole = fmin(fmax(whole, key->least), key->most);
  if (!reading->lenient && fabs(ratio - whole) > fmin(1e-6 * ratio, 1e-3 + 1e-9 * ratio)) {
    const char *unit = rill_dimension_unit(dimension_in(key, reading->units)), *space = unit[0] != '\0' ? " " : "";
    char given[RILL_NUMBER_TEXT], below[RILL_NUMBER_TEXT], above[RILL_NUMBER_TEXT], step[RILL_NUMBER_TEXT];
    snprintf(given, sizeof given, "%.9g", ratio);
    snprintf(below, sizeof below, "%.9g", floor(ratio) * reading->step);
    snprintf(above, sizeof above, "%.9g", ceil(ratio) * reading->step);
    rill_number_format(reading->step, step);
    if (floor(ratio) < 1)
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "not a whole number of steps, %s of %s%s%s: the least time is %s%s%s", given, step, space,
                            unit, above, space, unit);
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "not a whole number of steps, %s of %s%s%s: the nearest times are %s%s%s and %s%s%s", given,
                          step, space, unit, below, space, unit, above, space, unit);
  }
  RILL_TRY(check_range(key, whole, reading, error));
  *value = (uint64_t)whole;
  return RILL_OK;
}

/* Reads a quantity of one of the two dimensions of the key, or a pure number if the units of the deck require one. */
static enum rill_status read_one(const struct rill_key *key, const char *text, const struct rill_reading *reading,
                                 double *value, enum rill_dimension *found, struct rill_error *error) {
  enum rill_dimension dimension = dimension_in(key, reading->units);
  if (dimension == RILL_DIMENSION_NONE) return rill_number_read(text, value, error);
  return rill_quantity_read(text, dimension, dimension_of(key->other, reading->units), value, found, error);
}

static enum rill_status read_steps(const struct rill_key *key, const char *text, const struct rill_reading *reading,
                                   uint64_t *value, struct rill_error *error) {
  size_t length = rill_number_length(text);
  const char *unit = text + length + strspn(text + length, " \t");
  double time;
  if (length > 0 && (strcmp(unit, "steps") == 0 || strcmp(unit, "step") == 0)) {
    const char *rest;
    uint64_t number;
    if (key->kind == RILL_KIND_DURATION)
      return rill_error_set(error, RILL_ERROR_INPUT, "a time is expected; a number of steps belongs in `steps`");
    RILL_TRY(read_whole(text, &rest, &number, error));
    RILL_TRY(check_whole(key, number, reading, error));
    *value = number;
    return RILL_OK;
  }
  RILL_TRY(read_one(key, text, reading, &time, NULL, error));
  if (time < 0 || (time == 0 && key->least > 0))
    return rill_error_set(error, RILL_ERROR_INPUT, "out of range, a time %s is expected",
                          key->least > 0 ? "above 0" : "that is not negative");
  if (reading->step > 0) RILL_TRY(count_steps(key, time, reading, value, error));
  return RILL_OK;
}

/* "15 min" and "2 h" are wall time. */
static enum rill_status read_pace(const struct rill_key *key, const char *text, const struct rill_reading *reading,
                                  struct rill_pace *pace, struct rill_error *error) {
  const size_t length = rill_number_length(text);
  const char *unit = text + length + strspn(text + length, " \t");
  struct rill_error fault = {0};
  char number[64];
  double value;
  if (length == 0 || length >= sizeof number || (strcmp(unit, "min") != 0 && strcmp(unit, "h") != 0)) {
    pace->minutes = 0;
    if (read_steps(key, text, reading, &pace->steps, &fault) == RILL_OK) return RILL_OK;
    return rill_error_set(error, fault.status, "%s; or wall time: `15 min` or `2 h`", fault.text);
  }
  memcpy(number, text, length);
  number[length] = '\0';
  RILL_TRY(rill_number_read(number, &value, error));
  if (strcmp(unit, "h") == 0) value *= 60;
  if (!(value > 0 && value <= 1e6))
    return rill_error_set(error, RILL_ERROR_INPUT, "out of range, above 0 min is expected");
  *pace = (struct rill_pace){0, value};
  return RILL_OK;
}

static enum rill_status read_quantity(const struct rill_key *key, const char *text,
                                      const struct rill_reading *reading, struct rill_deck *deck,
                                      struct rill_error *error) {
  const enum rill_dimension dimension = dimension_in(key, reading->units);
  enum rill_dimension found = dimension;
  double value;
  RILL_TRY(read_one(key, text, reading, &value, &found, error));
  RILL_TRY(check_range(key, value, reading, error));
  *(double *)rill_key_field(key, deck) = value + 0.0; /* converts -0 to 0 */
  if (key->other != RILL_DIMENSION_NONE && dimension != RILL_DIMENSION_NONE)
    *(unsigned *)(void *)((char *)deck + key->choice) = found != dimension;
  return RILL_OK;
}

/* Detects two quantities separated by something other than an arrow, as in `300 K - 10 K`, and writes the intended
 * ramp. */
static bool suggest_ramp(const struct rill_key *key, const char *text, char *ramp, size_t size) {
  const size_t length = rill_number_length(text);
  const char *unit = text + length + strspn(text + length, " \t"), *second = unit + strcspn(unit, "0123456789"),
             *rest;
  const size_t letters = strspn(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
  char first[64], last[64];
  struct rill_error ignored = {0};
  double value;
  if (length == 0 || *second == '\0') return false;
  rest = second + rill_number_length(second);
  rest += strspn(rest, " \t");
  for (size_t used = letters;; used = 0) { /* `300-10 K`: the unit of both comes last; also `300 to 10 K` */
    const char *shared = *rest != '\0' ? rest : unit;
    const size_t shared_length = *rest != '\0' ? strlen(rest) : letters;
    snprintf(first, sizeof first, "%.*s %.*s", (int)length, text, (int)(used > 0 ? used : shared_length),
             used > 0 ? unit : shared);
    snprintf(last, sizeof last, "%.*s %.*s", (int)rill_number_length(second), second, (int)shared_length, shared);
    if (rill_quantity_read(first, key->dimension, RILL_DIMENSION_NONE, &value, NULL, &ignored) == RILL_OK &&
        rill_quantity_read(last, key->dimension, RILL_DIMENSION_NONE, &value, NULL, &ignored) == RILL_OK) {
      snprintf(ramp, size, "%s -> %s", first, last);
      return true;
    }
    if (used == 0) return false;
  }
}

static enum rill_status read_ramp(const struct rill_key *key, const char *text, const struct rill_reading *reading,
                                  double ends[2], struct rill_error *error) {
  const enum rill_dimension dimension = dimension_in(key, reading->units);
  const char *arrow = strstr(text, "->");
  char ramp[160];
  double value[2];
  if (arrow == NULL) {
    if (read_of(dimension, text, &value[0], error) != RILL_OK)
      return dimension == key->dimension && suggest_ramp(key, text, ramp, sizeof ramp)
                 ? rill_error_set(error, RILL_ERROR_INPUT, "a ramp is written with ->: `%s`", ramp)
                 : error->status;
    value[1] = value[0];
  } else {
    char first[64];
    const char *last = arrow + 2 + strspn(arrow + 2, " \t");
    size_t length = (size_t)(arrow - text);
    while (length > 0 && strchr(" \t", text[length - 1]) != NULL) length--;
    if (length == 0 || length >= sizeof first || *last == '\0')
      return rill_error_set(error, RILL_ERROR_INPUT, "a ramp reads first -> last, for example `300 K -> 10 K`");
    if (strstr(last, "->") != NULL)
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "a ramp has a first and a last value; a second ramp needs another run");
    memcpy(first, text, length);
    first[length] = '\0';
    RILL_TRY(read_of(dimension, first, &value[0], error));
    RILL_TRY(read_of(dimension, last, &value[1], error));
  }
  for (int i = 0; i < 2; i++) RILL_TRY(check_range(key, value[i], reading, error));
  memcpy(ends, value, sizeof value);
  return RILL_OK;
}

/* "0, 0, 0.1 V/nm", with or without the commas. */
static enum rill_status read_vector(const struct rill_key *key, const char *text, double vector[3],
                                    struct rill_error *error) {
  const char *at = text, *number[3];
  size_t length[3];
  double value[3];
  char part[128];
  for (int c = 0; c < 3; c++) {
    number[c] = at;
    length[c] = rill_number_length(at);
    at += length[c] + strspn(at + length[c], " \t");
    if (c < 2 && *at == ',') at += 1 + strspn(at + 1, " \t");
  }
  for (int c = 0; c < 3; c++) {
    if (length[c] == 0 || length[c] + strlen(at) + 2 > sizeof part)
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "three numbers and one unit are expected, such as `0, 0, 0.1 %s`",
                            rill_dimension_example(key->dimension));
    snprintf(part, sizeof part, "%.*s %s", (int)length[c], number[c], at);
    RILL_TRY(read_of(key->dimension, part, &value[c], error));
  }
  for (int c = 0; c < 3; c++) vector[c] = value[c] + 0.0; /* converts -0 to 0 */
  return RILL_OK;
}

/* Words separated by commas, each of them once. */
static enum rill_status read_set(const struct rill_key *key, const char *text, unsigned *set,
                                 struct rill_error *error) {
  unsigned found = 0;
  for (const char *from = text; from != NULL;) {
    const char *comma = strchr(from, ','), *end = comma != NULL ? comma : from + strlen(from);
    char word[64];
    unsigned value;
    from += strspn(from, " \t");
    while (end > from && strchr(" \t", end[-1]) != NULL) end--;
    if (end <= from || (size_t)(end - from) >= sizeof word)
      return rill_error_set(error, RILL_ERROR_INPUT, "a list of words separated by commas is expected");
    snprintf(word, sizeof word, "%.*s", (int)(end - from), from);
    if (find_word(key->words, word, &value, error) != RILL_OK)
      return strchr(text, ',') != NULL ? rill_error_prefix(error, "`%s`", word) : error->status;
    if (found & value) return rill_error_set(error, RILL_ERROR_INPUT, "`%s` is named twice", word);
    found |= value;
    from = comma != NULL ? comma + 1 : NULL;
  }
  *set = found;
  return RILL_OK;
}

/* Of words with the same value the first. */
static void write_set(const struct rill_choice *words, unsigned set, FILE *stream) {
  const char *separator = "";
  for (const struct rill_choice *choice = words; choice->word != NULL; choice++) {
    if (!(set & choice->value)) continue;
    fprintf(stream, "%s%s", separator, choice->word);
    separator = ", ";
    set &= ~choice->value;
  }
}

static enum rill_status read_name(const struct rill_key *key, const char *text, char *name,
                                  struct rill_error *error) {
  unsigned word;
  if (key->words != NULL) RILL_TRY(find_word(key->words, text, &word, error));
  if (text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-+_/")] != '\0')
    return rill_error_set(error, RILL_ERROR_INPUT, "a name of letters, digits and - + _ / is expected");
  if (strlen(text) >= key->size)
    return rill_error_set(error, RILL_ERROR_INPUT, "a name of at most %zu characters is expected", key->size - 1);
  memcpy(name, text, strlen(text) + 1);
  return RILL_OK;
}

/* Refuses names that would not read back unchanged, or are mistakes: quotes, the start of a comment, a missing
 * name. */
static enum rill_status check_path(const char *text, struct rill_error *error) {
  size_t length = strlen(text);
  if (length > 0 && strchr("\"'", text[0]) != NULL && text[length - 1] == text[0])
    return rill_error_set(error, RILL_ERROR_INPUT, "a file name is expected without quotes");
  if (text[length - 1] == '/') return rill_error_set(error, RILL_ERROR_INPUT, "a file is expected, not a directory");
  for (size_t i = 0; i < length; i++) {
    bool begins = i == 0 || strchr(" \t/", text[i - 1]) != NULL;
    if ((unsigned char)text[i] < ' ' || text[i] == 127)
      return rill_error_set(error, RILL_ERROR_INPUT, "a file name without control characters is expected");
    if (begins && (text[i] == ';' || text[i] == '#'))
      return rill_error_set(
          error, RILL_ERROR_INPUT,
          "a comment at the end of a line begins with a blank and ;, and a file name cannot hold `%s`",
          text[i] == ';' ? " ;" : " #");
    if (i > 0 && text[i - 1] == '/' && text[i] == ' ')
      return rill_error_set(error, RILL_ERROR_INPUT, "a file name that does not begin with a blank is expected");
  }
  return RILL_OK;
}

static enum rill_status read_path(const struct rill_key *key, const char *text, const char *folder, char *path,
                                  struct rill_error *error) {
  RILL_TRY(check_path(text, error));
  if (text[0] == '/') folder = "";
  if (strlen(folder) + strlen(text) >= key->size)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the path is too long, at most %zu characters with the deck's folder", key->size - 1);
  snprintf(path, key->size, "%s%s", folder, text);
  return RILL_OK;
}

/* Numbers with blanks between them. */
static enum rill_status read_numbers(const char *text, struct rill_numbers *numbers, struct rill_error *error) {
  struct rill_numbers read = {0};
  while (*text != '\0') {
    const size_t length = strcspn(text, " \t");
    char number[64];
    if (read.count == RILL_NUMBERS)
      return rill_error_set(error, RILL_ERROR_INPUT, "at most %d numbers are expected", RILL_NUMBERS);
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    RILL_TRY(rill_number_read(number, &read.value[read.count], error));
    read.count++;
    text += length + strspn(text + length, " \t");
  }
  *numbers = read;
  return RILL_OK;
}

static void write_numbers(const struct rill_numbers *numbers, FILE *stream) {
  char number[RILL_NUMBER_TEXT];
  for (uint64_t i = 0; i < numbers->count; i++)
    fprintf(stream, "%s%s", i > 0 ? " " : "", rill_number_format(numbers->value[i], number));
}

enum rill_status rill_kind_read(const struct rill_key *key, const char *text, const struct rill_reading *reading,
                                struct rill_deck *deck, struct rill_error *error) {
  void *field = rill_key_field(key, deck);
  unsigned word;
  double number;
  if (text[0] == '\0') return rill_error_set(error, RILL_ERROR_INPUT, "a value is expected after the =");
  if (key->or_none && strcmp(text, "none") == 0) {
    *(double *)field = INFINITY;
    return RILL_OK;
  }
  switch (key->kind) {
  case RILL_KIND_QUANTITY: return read_quantity(key, text, reading, deck, error);
  case RILL_KIND_RAMP: return read_ramp(key, text, reading, field, error);
  case RILL_KIND_LADDER: return rill_ladder_read(text, dimension_in(key, reading->units), field, error);
  case RILL_KIND_VECTOR: return read_vector(key, text, field, error);
  case RILL_KIND_NUMBERS: return read_numbers(text, field, error);
  case RILL_KIND_NUMBER:
    RILL_TRY(rill_number_read(text, &number, error));
    RILL_TRY(check_range(key, number, reading, error));
    *(double *)field = number;
    return RILL_OK;
  case RILL_KIND_GRID: return read_grid(key, text, reading, field, error);
  case RILL_KIND_INTEGER: return read_integer(key, text, reading, field, error);
  case RILL_KIND_DURATION:
  case RILL_KIND_INTERVAL: return read_steps(key, text, reading, field, error);
  case RILL_KIND_PACE: return read_pace(key, text, reading, field, error);
  case RILL_KIND_WORD:
    RILL_TRY(find_word(key->words, text, &word, error));
    *(unsigned *)field = word;
    return RILL_OK;
  case RILL_KIND_SET: return read_set(key, text, field, error);
  case RILL_KIND_SWITCH:
    RILL_TRY(find_word(key->words, text, &word, error));
    *(bool *)field = word == 1;
    return RILL_OK;
  case RILL_KIND_NAME: return read_name(key, text, field, error);
  case RILL_KIND_INPUT_PATH: return read_path(key, text, reading->folder, field, error);
  case RILL_KIND_OUTPUT_PATH: return read_path(key, text, "", field, error);
  case RILL_KIND_PARAMETER: return RILL_OK;
  }
  return RILL_OK;
}

bool rill_kind_is_set(const struct rill_key *key, const struct rill_deck *deck) {
  const void *field = rill_key_value(key, deck);
  switch (key->kind) {
  case RILL_KIND_NAME:
  case RILL_KIND_INPUT_PATH:
  case RILL_KIND_OUTPUT_PATH: return *(const char *)field != '\0';
  case RILL_KIND_GRID:
  case RILL_KIND_INTEGER:
  case RILL_KIND_DURATION:
  case RILL_KIND_INTERVAL: return (double)*(const uint64_t *)field >= key->least;
  case RILL_KIND_NUMBER:
  case RILL_KIND_QUANTITY: return key->initial == NULL || key->initial[0] != '\0' || *(const double *)field != 0;
  case RILL_KIND_LADDER: return ((const struct rill_ladder *)field)->count > 0;
  case RILL_KIND_NUMBERS: return ((const struct rill_numbers *)field)->count > 0;
  case RILL_KIND_PARAMETER: return false;
  default: return true;
  }
}

static void write_quantity(double value, enum rill_dimension dimension, FILE *stream) {
  char number[RILL_NUMBER_TEXT];
  const char *unit = rill_dimension_unit(dimension);
  fprintf(stream, "%s%s%s", rill_number_format(value, number), unit[0] != '\0' ? " " : "", unit);
}

/* Writes only the file name of an input, or of an output with an absolute path, to hide the folders of this
 * machine. */
static void write_path(const char *path, bool whole, FILE *stream) {
  const char *slash = strrchr(path, '/');
  fputs(slash == NULL || (whole && path[0] != '/') ? path : slash + 1, stream);
}

void rill_kind_write(const struct rill_key *key, const struct rill_deck *deck, FILE *stream) {
  const void *field = rill_key_value(key, deck);
  char number[RILL_NUMBER_TEXT];
  if (key->or_none && isinf(*(const double *)field)) {
    fputs("none", stream);
    return;
  }
  switch (key->kind) {
  case RILL_KIND_QUANTITY: {
    bool other =
        key->other != RILL_DIMENSION_NONE && *(const unsigned *)(const void *)((const char *)deck + key->choice);
    write_quantity(*(const double *)field,
                   other ? dimension_of(key->other, deck->units) : dimension_in(key, deck->units), stream);
    break;
  }
  case RILL_KIND_RAMP: {
    const double *ends = field;
    write_quantity(ends[0], dimension_in(key, deck->units), stream);
    if (ends[1] == ends[0]) break;
    fputs(" -> ", stream);
    write_quantity(ends[1], dimension_in(key, deck->units), stream);
    break;
  }
  case RILL_KIND_VECTOR:
    for (int c = 0; c < 3; c++)
      fprintf(stream, "%s%s", rill_number_format(((const double *)field)[c], number), c < 2 ? ", " : " ");
    fputs(rill_dimension_unit(key->dimension), stream);
    break;
  case RILL_KIND_LADDER: rill_ladder_write(field, rill_dimension_unit(dimension_in(key, deck->units)), stream); break;
  case RILL_KIND_NUMBERS: write_numbers(field, stream); break;
  case RILL_KIND_NUMBER: fputs(rill_number_format(*(const double *)field, number), stream); break;
  case RILL_KIND_GRID:
    for (int c = 0; c < 3; c++) fprintf(stream, "%" PRIu64 "%s", ((const uint64_t *)field)[c], c < 2 ? ", " : "");
    break;
  case RILL_KIND_INTEGER: fprintf(stream, "%" PRIu64, *(const uint64_t *)field); break;
  case RILL_KIND_DURATION:
  case RILL_KIND_INTERVAL: fprintf(stream, "%" PRIu64 " steps", *(const uint64_t *)field); break;
  case RILL_KIND_PACE: {
    const struct rill_pace *pace = field;
    if (pace->steps > 0) fprintf(stream, "%" PRIu64 " steps", pace->steps);
    else fprintf(stream, "%s min", rill_number_format(pace->minutes, number));
    break;
  }
  case RILL_KIND_WORD: fputs(rill_choice_word(key->words, *(const unsigned *)field), stream); break;
  case RILL_KIND_SET: write_set(key->words, *(const unsigned *)field, stream); break;
  case RILL_KIND_SWITCH: fputs(rill_choice_word(key->words, *(const bool *)field), stream); break;
  case RILL_KIND_NAME: fputs(field, stream); break;
  case RILL_KIND_INPUT_PATH: write_path(field, false, stream); break;
  case RILL_KIND_OUTPUT_PATH: write_path(field, true, stream); break;
  case RILL_KIND_PARAMETER: break;
  }
}

void rill_kind_describe(const struct rill_key *key, FILE *stream) {
  char text[LIST_CAPACITY];
  switch (key->kind) {
  case RILL_KIND_QUANTITY:
    fputs(rill_dimension_name(key->dimension), stream);
    if (key->other != RILL_DIMENSION_NONE) fprintf(stream, " or %s", rill_dimension_name(key->other));
    break;
  case RILL_KIND_RAMP: fprintf(stream, "%s, or a ramp first -> last", rill_dimension_name(key->dimension)); break;
  case RILL_KIND_LADDER:
    fputs("a geometric series, first -> last, number; or a list, each above the one before", stream);
    break;
  case RILL_KIND_VECTOR: fprintf(stream, "%s, three components", rill_dimension_name(key->dimension)); break;
  case RILL_KIND_NUMBERS: fputs("numbers", stream); break;
  case RILL_KIND_NUMBER: fputs("number", stream); break;
  case RILL_KIND_GRID: fputs("three whole numbers", stream); break;
  case RILL_KIND_INTEGER: fputs("whole number", stream); break;
  case RILL_KIND_DURATION: fputs("time", stream); break;
  case RILL_KIND_INTERVAL: fputs("time, or N steps", stream); break;
  case RILL_KIND_PACE: fputs("minutes or hours of wall time, simulated time, or N steps", stream); break;
  case RILL_KIND_SET: fprintf(stream, "list of %s", rill_choice_list(key->words, ", ", text, sizeof text)); break;
  case RILL_KIND_WORD:
  case RILL_KIND_SWITCH: fputs(rill_choice_list(key->words, ", ", text, sizeof text), stream); break;
  case RILL_KIND_NAME:
    fputs(key->words != NULL ? rill_choice_list(key->words, ", ", text, sizeof text) : "name", stream);
    break;
  case RILL_KIND_INPUT_PATH:
  case RILL_KIND_OUTPUT_PATH: fputs("file", stream); break;
  case RILL_KIND_PARAMETER: fputs("defined by the system", stream); break;
  }
  if (key->kind <= RILL_KIND_INTEGER && key->kind != RILL_KIND_LADDER && key->kind != RILL_KIND_NUMBERS &&
      (key->least > -INFINITY || key->most < INFINITY)) {
    describe_range(key, RILL_UNITS_MOLECULAR, text, sizeof text);
    fprintf(stream, ", %s", text);
  }
  if (key->or_none) fputs(", or none", stream);
}
