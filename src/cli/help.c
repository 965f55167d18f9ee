/* Help texts, from the tables of commands. */
#include <string.h>

#include "cli/command.h"
#include "cli/program.h"

static const struct rill_command *const commands[] = {
    &rill_command_run,  &rill_command_check,     &rill_command_energy,   &rill_command_rdf,     &rill_command_info,
    &rill_command_list, &rill_command_build,     &rill_command_minimize, &rill_command_convert, &rill_command_compare,
    &rill_command_tune, &rill_command_reproduce, &rill_command_validate, &rill_command_verify,
};

const struct rill_command *const *rill_commands(size_t *count) {
  *count = sizeof commands / sizeof commands[0];
  return commands;
}

enum { NAME_COLUMN = 6, NAME_LENGTH = 64, WIDTH = 100 };

static int option_text(const struct rill_option_row *row, char text[NAME_LENGTH]) {
  return snprintf(text, NAME_LENGTH, "--%s%s%s", row->name, row->argument ? " " : "",
                  row->argument ? row->argument : "");
}

static void write_option(FILE *stream, const struct rill_option_row *row, int longest) {
  char name[NAME_LENGTH];
  size_t indent = (size_t)(NAME_COLUMN + longest + 2);
  option_text(row, name);
  if (row->letter) fprintf(stream, "  -%c, %-*s", row->letter, longest + 2, name);
  else fprintf(stream, "      %-*s", longest + 2, name);
  rill_write_wrapped(stream, row->help, indent, indent, WIDTH);
}

void rill_command_write_help(const struct rill_command *command, FILE *stream) {
  static const struct rill_option_row help = {"help", 'h', NULL, "this text"};
  char name[NAME_LENGTH];
  int longest = option_text(&help, name);
  for (size_t i = 0; i < command->option_count; i++) {
    int length = option_text(&command->options[i], name);
    if (length > longest) longest = length;
  }
  fprintf(stream, "usage: %s %s %s [options]\n\n", rill_program_name(), command->name, command->positional);
  rill_write_wrapped(stream, command->description, 0, 0, WIDTH);
  fputs("\noptions:\n", stream);
  for (size_t i = 0; i < command->option_count; i++) write_option(stream, &command->options[i], longest);
  write_option(stream, &help, longest);
}

void rill_write_help(FILE *stream) {
  fputs(
      "rill: molecular dynamics of rigid water, and a laboratory for its integrators\n\nusage: rill COMMAND "
      "...\n\n",
      stream);
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    fprintf(stream, "  %-9s %-22s %s\n", commands[i]->name, commands[i]->positional, commands[i]->summary);
  fputs(
      "\nrill COMMAND --help shows more; rill --version shows the version, rill --manual the manual page (roff).\n"
      "A run starts from a deck: rill run inputs/water7.ini -o results\n",
      stream);
}
