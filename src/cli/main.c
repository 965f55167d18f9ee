/* rill: finds the command, runs it, prints its message. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/command.h"
#include "cli/program.h"
#include "config.h"

static const struct rill_command *find_command(const char *name, struct rill_error *error) {
  size_t count;
  const struct rill_command *const *commands = rill_commands(&count);
  const char *names[32], *nearest;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
    names[i] = commands[i]->name;
  }
  nearest = rill_nearest(name, names, count);
  rill_error_set(error, RILL_ERROR_USAGE, "unknown command %s%s%s%s (see: rill --help)", name,
                 nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
  return NULL;
}

static enum rill_status write_manual(const char *page, struct rill_error *error) {
  if (strcmp(page, "rill-combinations") == 0) return rill_write_combinations_manual(stdout, error);
  if (strcmp(page, "rill") == 0) rill_write_manual(stdout);
  else if (strcmp(page, "rill-mpi") == 0) rill_write_mpi_manual(stdout);
  else
    return rill_error_set(error, RILL_ERROR_USAGE, "--manual %s: the pages are rill, rill-mpi and rill-combinations",
                          page);
  return RILL_OK;
}

static enum rill_status run(int argc, char **argv, struct rill_error *error) {
  struct rill_arguments arguments;
  const struct rill_command *command;
  bool help;
  if (argc < 2) {
    rill_write_help(stderr);
    return rill_error_set(error, RILL_ERROR_USAGE, "no command given");
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
    command = argc > 2 ? find_command(argv[2], error) : NULL;
    if (error->status != RILL_OK) return error->status;
    if (command != NULL) rill_command_write_help(command, stdout);
    else rill_write_help(stdout);
    return RILL_OK;
  }
  if (strcmp(argv[1], "--version") == 0) {
    puts(PACKAGE_STRING);
    return RILL_OK;
  }
  if (strcmp(argv[1], "--manual") == 0) return write_manual(argc > 2 ? argv[2] : "rill", error);
  command = find_command(argv[1], error);
  if (command == NULL) return error->status;
  RILL_TRY(rill_arguments_parse(command, argc - 1, argv + 1, &arguments, &help, error));
  if (help) {
    rill_command_write_help(command, stdout);
    return RILL_OK;
  }
  return command->run(&arguments, error);
}

int main(int argc, char **argv) {
  static struct rill_error error;
  enum rill_status status = rill_program_begin("rill", &error);
  if (status == RILL_OK) status = run(argc, argv, &error);
  return rill_program_end(status, &error);
}
