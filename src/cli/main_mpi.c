/* rill-mpi: `rill run` for ensembles and boxes of water, over the ranks of MPI. */
#include <stdio.h>
#include <string.h>

#include "cli/program.h"
#include "cli/run.h"
#include "cli/signals.h"
#include "config.h"
#include "parallel/mpi_ranks.h"

static void write_help(FILE *stream) {
  fputs(
      "rill-mpi: ensembles of replicas, and boxes of water, over the ranks of MPI, on one machine or several\n\n"
      "usage: mpirun -n RANKS rill-mpi run DECK [options]\n\n"
      "The options are those of `rill run`; rill-mpi run --help lists them.  All files are the same, byte for byte,\n"
      "as those of `rill run`, for any number of ranks and threads, and a run may be resumed with other numbers.\n",
      stream);
}

/* *arguments of `run`; *done: it was --help or --version, printed when `prints`. */
static enum rill_status read_command(int argc, char **argv, bool prints, struct rill_arguments *arguments, bool *done,
                                     struct rill_error *error) {
  const char *command = argc > 1 ? argv[1] : "";
  bool help = false;
  *done = true;
  if (argc < 2) {
    if (prints) write_help(stderr);
    return rill_error_set(error, RILL_ERROR_USAGE, "no command given");
  }
  if (strcmp(command, "--version") == 0 || strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0) {
    if (prints && strcmp(command, "--version") == 0) puts(PACKAGE_STRING);
    else if (prints) write_help(stdout);
    return RILL_OK;
  }
  if (strcmp(command, "run") != 0)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "%s: the only command over ranks is run (see: rill-mpi --help); rill has all others",
                          command);
  RILL_TRY(rill_arguments_parse(&rill_command_run, argc - 1, argv + 1, arguments, &help, error));
  if (help && prints) rill_command_write_help(&rill_command_run, stdout);
  *done = help;
  return RILL_OK;
}

static int lead(int argc, char **argv, struct rill_ranks *ranks, struct rill_error *error) {
  struct rill_arguments arguments;
  bool done;
  enum rill_status status = read_command(argc, argv, true, &arguments, &done, error);
  if (status == RILL_OK && !done) status = rill_run_deck(&arguments, ranks, error);
  else rill_run_without(ranks, rill_program_status(status));
  return rill_program_end(status, error);
}

/* Prints nothing while rank 0 can. */
static int follow(int argc, char **argv, struct rill_ranks *ranks, struct rill_error *error) {
  struct rill_arguments arguments;
  bool done;
  int exit_status;
  if (read_command(argc, argv, false, &arguments, &done, error) == RILL_OK && done)
    rill_error_set(error, RILL_ERROR_USAGE, "has other arguments than rank 0");
  if (rill_run_beside(&arguments, ranks, &exit_status, error) == RILL_OK) return exit_status;
  return rill_program_end(error->status, error);
}

int main(int argc, char **argv) {
  static struct rill_error error;
  struct rill_ranks ranks;
  enum rill_status status = rill_program_begin("rill-mpi", &error);
  int exit_status;
  if (status != RILL_OK) return rill_program_end(status, &error);
  if (rill_mpi_begin(&argc, &argv, &ranks, &error) != RILL_OK) {
    exit_status = rill_program_end(error.status, &error);
  } else {
    ranks.caught = rill_signal_tell;
    ranks.hear = rill_signal_hear;
    exit_status = ranks.rank == 0 ? lead(argc, argv, &ranks, &error) : follow(argc, argv, &ranks, &error);
  }
  rill_mpi_end(&ranks, exit_status);
  return exit_status;
}
