#include "cli/notes.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/terminal.h"

static void print_error(void *context, const char *note) {
  (void)context;
  if (isatty(STDERR_FILENO) == 1) rill_terminal_control(RILL_TERMINAL_LINE RILL_TERMINAL_CLEAR);
  fprintf(stderr, "%s\n", note);
}

static void print_output(void *context, const char *note) {
  (void)context;
  printf("%s\n", note);
}

const struct rill_notes *rill_notes_unless(bool quiet) {
  static const struct rill_notes on_error = {print_error, NULL};
  return quiet ? NULL : &on_error;
}

const struct rill_notes rill_notes_on_output = {print_output, NULL};
