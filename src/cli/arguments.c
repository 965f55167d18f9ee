#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/command.h"
#include "cli/program.h"
#include "deck/units.h"

enum { FIRST_LONG = 256, HELP = 255 };

static size_t row_of(const struct rill_command *command, const char *name) {
  for (size_t i = 0; i < command->option_count; i++)
    if (strcmp(command->options[i].name, name) == 0) return i;
  abort(); /* a command requests an option that its own table lacks */
}

static enum rill_status unknown_option(const struct rill_command *command, const char *given,
                                       struct rill_error *error) {
  const char *names[RILL_MAX_OPTIONS + 1], *nearest, *bare = given + strspn(given, "-");
  size_t count = command->option_count, length = strcspn(bare, "="), beginning = 0;
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), bare);
  for (size_t i = 0; i < count; i++) names[i] = command->options[i].name;
  names[count] = "help";
  for (size_t i = 0; i <= count; i++) {
    if (strncmp(names[i], word, length) == 0) beginning++;
    if (bare[length] == '=' && strcmp(names[i], word) == 0)
      return rill_error_set(error, RILL_ERROR_USAGE, "--%s takes no value (found %s)", word, given);
  }
  if (length > 0 && beginning > 1)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "%s may be short for several options; write it in full (see: %s %s --help)", given,
                          rill_program_name(), command->name);
  nearest = rill_nearest(word, names, count + 1);
  return rill_error_set(error, RILL_ERROR_USAGE, "unknown option %s%s%s%s (see: %s %s --help)", given,
                        nearest ? "; did you mean --" : "", nearest ? nearest : "", nearest ? "?" : "",
                        rill_program_name(), command->name);
}

static enum rill_status take(const struct rill_command *command, size_t row, const char *value,
                             struct rill_arguments *arguments, struct rill_error *error) {
  const char *name = command->options[row].name;
  if (strcmp(name, "set") == 0) {
    if (arguments->repeated_count == RILL_MAX_REPEATED)
      return rill_error_set(error, RILL_ERROR_USAGE, "--set is given more than %d times", RILL_MAX_REPEATED);
    arguments->repeated[arguments->repeated_count++] = value;
    return RILL_OK;
  }
  if (arguments->value[row] != NULL) return rill_error_set(error, RILL_ERROR_USAGE, "--%s is given twice", name);
  arguments->value[row] = value != NULL ? value : "";
  return RILL_OK;
}

enum rill_status rill_arguments_parse(const struct rill_command *command, int argc, char **argv,
                                      struct rill_arguments *arguments, bool *help, struct rill_error *error) {
  struct option longs[RILL_MAX_OPTIONS + 2] = {{0}};
  char shorts[2 * RILL_MAX_OPTIONS + 4] = ":h";
  size_t at = strlen(shorts);
  int found;
  *arguments = (struct rill_arguments){.command = command};
  *help = false;
  for (size_t i = 0; i < command->option_count; i++) {
    const struct rill_option_row *row = &command->options[i];
    longs[i] = (struct option){row->name, row->argument ? required_argument : no_argument, NULL, FIRST_LONG + (int)i};
    if (row->letter) {
      shorts[at++] = row->letter;
      if (row->argument) shorts[at++] = ':';
    }
  }
  longs[command->option_count] = (struct option){"help", no_argument, NULL, HELP};
  opterr = 0;
  optind = 1;
  while ((found = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
    if (found == 'h' || found == HELP) {
      *help = true;
      return RILL_OK;
    }
    if (found == '?') return unknown_option(command, argv[optind - 1], error);
    if (found == ':') return rill_error_set(error, RILL_ERROR_USAGE, "%s needs a value", argv[optind - 1]);
    if (found >= FIRST_LONG) {
      RILL_TRY(take(command, (size_t)(found - FIRST_LONG), optarg, arguments, error));
      continue;
    }
    for (size_t i = 0; i < command->option_count; i++)
      if (command->options[i].letter == found) RILL_TRY(take(command, i, optarg, arguments, error));
  }
  for (; optind < argc; optind++) {
    if (arguments->positional_count == command->positional_max)
      return rill_error_set(error, RILL_ERROR_USAGE, "unexpected argument %s; usage: %s %s %s [options]",
                            argv[optind], rill_program_name(), command->name, command->positional);
    arguments->positional[arguments->positional_count++] = argv[optind];
  }
  if (arguments->positional_count < command->positional_min)
    return rill_error_set(error, RILL_ERROR_USAGE, "missing argument; usage: %s %s %s [options]", rill_program_name(),
                          command->name, command->positional);
  return RILL_OK;
}

const char *rill_argument(const struct rill_arguments *arguments, const char *name) {
  return arguments->value[row_of(arguments->command, name)];
}

bool rill_argument_given(const struct rill_arguments *arguments, const char *name) {
  return rill_argument(arguments, name) != NULL;
}

enum rill_status rill_count_parse(const char *text, const char *what, size_t limit, size_t *count,
                                  struct rill_error *error) {
  bool digits = text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
  unsigned long long number;
  errno = 0;
  number = strtoull(text, NULL, 10);
  *count = 0;
  if (!digits || errno != 0 || number < 1 || number > limit)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s %s: expected a whole number from 1 to %zu", what, text, limit);
  *count = (size_t)number;
  return RILL_OK;
}

enum rill_status rill_argument_count(const struct rill_arguments *arguments, const char *name, size_t limit,
                                     size_t fallback, size_t *count, struct rill_error *error) {
  const char *text = rill_argument(arguments, name);
  char option[64];
  *count = fallback;
  if (text == NULL) return RILL_OK;
  snprintf(option, sizeof option, "--%s", name);
  return rill_count_parse(text, option, limit, count, error);
}

enum rill_status rill_argument_quantity(const struct rill_arguments *arguments, const char *name,
                                        const char *dimension, const char *above, double *value,
                                        struct rill_error *error) {
  const char *text = rill_argument(arguments, name);
  char option[64];
  if (text == NULL) return RILL_OK;
  snprintf(option, sizeof option, "--%s", name);
  RILL_TRY(rill_quantity_parse(text, dimension, option, value, error));
  if (above == NULL || *value > 0) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE, "%s %s: expected a %s above 0", option, text, above);
}

enum rill_status rill_argument_wall_time(const struct rill_arguments *arguments, const char *name, double fallback,
                                         double *seconds, struct rill_error *error) {
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
  const char *text = rill_argument(arguments, name), *unit;
  struct rill_error fault = {0};
  char number[64];
  size_t length;
  *seconds = fallback;
  if (text == NULL) return RILL_OK;
  length = rill_number_length(text);
  unit = text + length + strspn(text + length, " \t");
  if (length == 0 || length >= sizeof number)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "--%s %s: a wall time is expected, for example `23h`, `30min` or "
                          "`90s`",
                          name, text);
  memcpy(number, text, length);
  number[length] = '\0';
  if (rill_number_read(number, seconds, &fault) != RILL_OK)
    return rill_error_set(error, RILL_ERROR_USAGE, "--%s %s: %s", name, text, fault.text);
  if (*unit == '\0')
    return rill_error_set(error, RILL_ERROR_USAGE, "--%s %s: the unit is missing: `%ss`, `%smin` or `%sh`", name,
                          text, number, number, number);
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    if (strcmp(unit, units[i].name) != 0) continue;
    *seconds *= units[i].seconds;
    if (*seconds > 0 && *seconds <= 1e9) return RILL_OK;
    return rill_error_set(error, RILL_ERROR_USAGE, "--%s %s: out of range, above 0 s and up to 1e9 s are expected",
                          name, text);
  }
  return rill_error_set(error, RILL_ERROR_USAGE, "--%s %s: unknown unit %s; s, min or h is expected", name, text,
                        unit);
}

/* A number up to the next colon or the end; *text moves behind it.  initial: where there is none. */
static bool read_bound(const char **text, size_t initial, size_t *bound) {
  char *end;
  *bound = initial;
  if (**text == ':' || **text == '\0') return true;
  if (**text < '0' || **text > '9') return false;
  errno = 0;
  *bound = (size_t)strtoull(*text, &end, 10);
  *text = end;
  return errno == 0;
}

/* first:end:stride, as in Python, but without negative numbers; at least one colon. */
static enum rill_status read_range(const char *text, struct rill_frame_choice *choice, struct rill_error *error) {
  const char *rest = text;
  bool good = strchr(text, ':') != NULL && read_bound(&rest, 0, &choice->first) && *rest++ == ':' &&
              read_bound(&rest, SIZE_MAX, &choice->end);
  choice->kind = RILL_FRAME_RANGE;
  choice->stride = 1;
  if (good && *rest == ':') {
    rest++;
    good = read_bound(&rest, 1, &choice->stride);
  }
  if (good && *rest == '\0' && choice->stride > 0 && choice->first < choice->end) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_USAGE,
                        "--frames %s: expected FIRST:END or FIRST:END:STRIDE, numbers from 0 of which each may be "
                        "missing; END itself is not taken: 0:100:10, 50:, ::2",
                        text);
}

enum rill_status rill_argument_frame(const struct rill_arguments *arguments, struct rill_frame_choice *choice,
                                     struct rill_error *error) {
  const char *text = rill_argument(arguments, "frame");
  *choice = (struct rill_frame_choice){.kind = RILL_FRAME_FIRST};
  if (text == NULL) return RILL_OK;
  if (strcmp(text, "all") == 0) {
    *choice = rill_all_frames;
  } else if (strcmp(text, "last") == 0) {
    choice->kind = RILL_FRAME_LAST;
  } else {
    choice->kind = RILL_FRAME_NUMBER;
    errno = 0;
    choice->number = (size_t)strtoull(text, NULL, 10);
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
      return rill_error_set(error, RILL_ERROR_USAGE, "--frame %s: expected a number from 0, last or all", text);
    if (errno != 0) return rill_error_set(error, RILL_ERROR_USAGE, "--frame %s: no file has as many frames", text);
  }
  return RILL_OK;
}

enum rill_status rill_argument_frames(const struct rill_arguments *arguments, struct rill_frame_choice *choice,
                                      struct rill_error *error) {
  const char *text = rill_argument(arguments, "frames");
  if (text == NULL) return rill_argument_frame(arguments, choice, error);
  if (rill_argument_given(arguments, "frame"))
    return rill_error_set(error, RILL_ERROR_USAGE, "either --frame or --frames");
  return read_range(text, choice, error);
}

static enum rill_status read_index(const struct rill_arguments *arguments, const char *name, size_t *index,
                                   struct rill_error *error) {
  const char *text = rill_argument(arguments, name);
  if (text[0] != '\0' && text[strspn(text, "0123456789")] == '\0' && strlen(text) < 10) {
    *index = (size_t)strtoull(text, NULL, 10);
    return RILL_OK;
  }
  return rill_error_set(error, RILL_ERROR_USAGE, "--%s %s: a whole number, from 0, is expected", name, text);
}

enum rill_status rill_argument_replica(const struct rill_arguments *arguments, struct rill_replica_choice *choice,
                                       struct rill_error *error) {
  const bool replica = rill_argument_given(arguments, "replica"),
             temperature = rill_argument_given(arguments, "temperature"),
             ladder = rill_argument_given(arguments, "ladder");
  *choice = (struct rill_replica_choice){.any_ladder = !ladder};
  if (replica && (temperature || ladder))
    return rill_error_set(error, RILL_ERROR_USAGE, "either --replica, or --temperature with --ladder");
  if (ladder && !temperature) return rill_error_set(error, RILL_ERROR_USAGE, "--ladder needs --temperature");
  if (replica) {
    choice->kind = RILL_REPLICA_NUMBER;
    return read_index(arguments, "replica", &choice->replica, error);
  }
  if (!temperature) return RILL_OK;
  choice->kind = RILL_REPLICA_TEMPERATURE;
  if (ladder) RILL_TRY(read_index(arguments, "ladder", &choice->ladder, error));
  return rill_argument_quantity(arguments, "temperature", "temperature", "temperature", &choice->temperature, error);
}

enum rill_status rill_arguments_page(const struct rill_arguments *arguments, enum rill_page_kind text,
                                     struct rill_page *page, struct rill_error *error) {
  return rill_page_begin(page, rill_argument_given(arguments, "json") ? RILL_PAGE_JSON : text, stdout, error);
}
