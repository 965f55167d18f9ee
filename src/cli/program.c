#include "cli/program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/crash.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "output/h5.h"

static const char *name = "rill";

/* If a standard stream is closed, the first file that is opened gets its descriptor, and printed text would end up
 * inside that file.  Opens it read-only, so that printing still fails. */
static void hold_standard_streams(void) {
  int descriptor;
  while ((descriptor = open("/dev/null", O_RDONLY)) >= 0 && descriptor <= STDERR_FILENO) continue;
  if (descriptor >= 0) close(descriptor);
}

enum rill_status rill_program_begin(const char *given, struct rill_error *error) {
  name = given;
  hold_standard_streams();
  rill_crash_prepare();
  rill_h5_own_process();
  signal(SIGXFSZ, SIG_IGN); /* a file-size limit becomes an ordinary write error */
  if (rill_terminal_filter()) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for the streams");
}

const char *rill_program_name(void) { return name; }

/* A run that stopped at its time limit did not fail. */
static void print_error(const struct rill_error *error) {
  const bool stopped = error->status == RILL_INTERRUPTED && rill_signal_caught() == 0;
  const bool colour = !stopped && isatty(STDERR_FILENO) && getenv("NO_COLOR") == NULL;
  fflush(stdout);
  if (colour) rill_terminal_control("\033[1;31m");
  fprintf(stderr, "%s:%s", name, stopped ? "" : " error:");
  if (colour) rill_terminal_control("\033[0m");
  fprintf(stderr, " %s\n", error->text);
}

int rill_program_status(enum rill_status status) {
  return status == RILL_INTERRUPTED ? rill_stopped_status() : rill_status_exit(status);
}

int rill_program_end(enum rill_status status, struct rill_error *error) {
  if (status == RILL_OK && (fflush(stdout) != 0 || ferror(stdout)))
    status = rill_error_set(error, RILL_ERROR_WRITE, "standard output could not be written");
  if (status != RILL_OK) print_error(error);
  return rill_program_status(status);
}
