/* Help, from the tables of commands. */
#include "cli/command.h"

static const struct rill_command *const commands[] = {
    &rill_command_run,  &rill_command_check, &rill_command_energy,   &rill_command_rdf,   &rill_command_info,
    &rill_command_list, &rill_command_build, &rill_command_minimize, &rill_command_convert,
};

const struct rill_command *const *rill_commands(size_t *count) {
  *count = sizeof commands / sizeof commands[0];
  return commands;
}

void rill_command_write_help(const struct rill_command *command, FILE *stream) {
  fprintf(stream, "usage: rill %s %s [options]\n\n%s\n\noptions:\n", command->name, command->positional, command->description);
  for (size_t i = 0; i < command->option_count; i++) {
    const struct rill_option_row *row = &command->options[i];
    char name[64];
    snprintf(name, sizeof name, "--%s%s%s", row->name, row->argument ? " " : "", row->argument ? row->argument : "");
    if (row->letter)
      fprintf(stream, "  -%c, %-24s %s\n", row->letter, name, row->help);
    else
      fprintf(stream, "      %-24s %s\n", name, row->help);
  }
  fprintf(stream, "  -h, %-24s %s\n", "--help", "this text");
}

void rill_write_help(FILE *stream) {
  fputs("rill: molecular dynamics of rigid water, and a laboratory for its integrators\n\nusage: rill COMMAND ...\n\n", stream);
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    fprintf(stream, "  %-9s %-22s %s\n", commands[i]->name, commands[i]->positional, commands[i]->summary);
  fputs("\nrill COMMAND --help tells more; rill --version tells the version.\n"
        "A run starts from a deck: rill run inputs/water7.ini -o results\n",
        stream);
}
