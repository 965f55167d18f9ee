/* Commands: the help, the manual page and the parser use one table for each. */
#ifndef RILL_CLI_COMMAND_H
#define RILL_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"
#include "show/page.h"
#include "study/recording.h"

struct rill_option_row {
  const char *name;     /* long name, without dashes */
  char letter;          /* short name, or 0 */
  const char *argument; /* placeholder, or NULL for a flag */
  const char *help;
};

enum { RILL_MAX_OPTIONS = 16, RILL_MAX_POSITIONAL = 64, RILL_MAX_REPEATED = 64 };

/* The parsed command line; strings are borrowed from argv. */
struct rill_arguments {
  const char *positional[RILL_MAX_POSITIONAL];
  size_t positional_count;
  const char *value[RILL_MAX_OPTIONS];     /* by row of the table; "" for a flag that is set; NULL when not given */
  const char *repeated[RILL_MAX_REPEATED]; /* values of the row named "set", in order */
  size_t repeated_count;
  const struct rill_command *command;
};

struct rill_command {
  const char *name;
  const char *positional; /* for the synopsis, such as "DECK" */
  size_t positional_min, positional_max;
  const char *summary;     /* one line */
  const char *description; /* a paragraph */
  const struct rill_option_row *options;
  size_t option_count;
  /* RILL_INTERRUPTED: *signal_number is set. */
  enum rill_status (*run)(const struct rill_arguments *arguments, struct rill_error *error);
};

/* RILL_ERROR_USAGE: the message names what is wrong and the nearest option.  *help is set when --help was given. */
enum rill_status rill_arguments_parse(const struct rill_command *command, int argc, char **argv,
                                      struct rill_arguments *arguments, bool *help, struct rill_error *error);

/* The value of an option, or NULL. */
const char *rill_argument(const struct rill_arguments *arguments, const char *name);
bool rill_argument_given(const struct rill_arguments *arguments, const char *name);

/* A whole number from 1 to limit; what: the option or argument, for the message. */
enum rill_status rill_count_parse(const char *text, const char *what, size_t limit, size_t *count,
                                  struct rill_error *error);

/* The same for an option; `fallback` when the option is not given. */
enum rill_status rill_argument_count(const struct rill_arguments *arguments, const char *name, size_t limit,
                                     size_t fallback, size_t *count, struct rill_error *error);

/* Reads a quantity with its unit into *value, which is unchanged when the option is not given.  above: the name of a
 * quantity that must be positive, such as "length"; NULL: any value. */
enum rill_status rill_argument_quantity(const struct rill_arguments *arguments, const char *name,
                                        const char *dimension, const char *above, double *value,
                                        struct rill_error *error);

/* A wall time, "90s", "30 min" or "23h", in seconds, above 0; `fallback` when the option is not given. */
enum rill_status rill_argument_wall_time(const struct rill_arguments *arguments, const char *name, double fallback,
                                         double *seconds, struct rill_error *error);

/* What --model takes. */
#define RILL_MODEL_HELP "the water model, one of rill list models (default tip3p)"

/* The option --frame: its row in a table, and its value; the first frame without it. */
#define RILL_FRAME_OPTION                                                                                            \
  { "frame", 0, "N|last|all", "the frame of a file with several, from 0 (default: the first, with a note)" }
enum rill_status rill_argument_frame(const struct rill_arguments *arguments, struct rill_frame_choice *choice,
                                     struct rill_error *error);
/* Of --frame and --frames, for commands that have both. */
enum rill_status rill_argument_frames(const struct rill_arguments *arguments, struct rill_frame_choice *choice,
                                      struct rill_error *error);

/* The options --replica, --temperature and --ladder: their rows, and their values. */
#define RILL_REPLICA_OPTIONS                                                                                         \
  {"replica", 0, "K", "of an ensemble's trajectory: the replica, from 0"},                                           \
      {"temperature", 0, "T",                                                                                        \
       "of an ensemble's trajectory: whichever replica has this temperature (with its unit)"},                       \
  {                                                                                                                  \
    "ladder", 0, "L", "with --temperature: in this ladder, from 0"                                                   \
  }
enum rill_status rill_argument_replica(const struct rill_arguments *arguments, struct rill_replica_choice *choice,
                                       struct rill_error *error);

/* A page on standard output: JSON with --json, otherwise text of the given kind. */
enum rill_status rill_arguments_page(const struct rill_arguments *arguments, enum rill_page_kind text,
                                     struct rill_page *page, struct rill_error *error);

extern const struct rill_command rill_command_run, rill_command_check, rill_command_energy, rill_command_rdf,
    rill_command_info, rill_command_list, rill_command_minimize, rill_command_convert, rill_command_build,
    rill_command_compare, rill_command_tune, rill_command_reproduce, rill_command_validate, rill_command_verify;

/* All commands, in the order in which they are shown. */
const struct rill_command *const *rill_commands(size_t *count);

void rill_command_write_help(const struct rill_command *command, FILE *stream);
void rill_write_help(FILE *stream);

/* The manual pages in roff: rill(1), from the same tables and the schema of the deck; rill-mpi(1); and
 * rill-combinations(7), from the registries of methods and systems. */
void rill_write_manual(FILE *stream);
void rill_write_mpi_manual(FILE *stream);
enum rill_status rill_write_combinations_manual(FILE *stream, struct rill_error *error);

#endif
