/* `run`, in rill and in rill-mpi. */
#ifndef RILL_CLI_RUN_H
#define RILL_CLI_RUN_H

#include "base/ranks.h"
#include "cli/command.h"

/* Rank 0, also when it is alone: runs the deck, writes and prints.  ranks: NULL in a program without MPI. */
enum rill_status rill_run_deck(const struct rill_arguments *arguments, struct rill_ranks *ranks,
                               struct rill_error *error);

/* The other ranks.  error: what is wrong with their arguments; rank 0 reports it.  *exit_status: for the program.  An
 * error is returned only when communication has failed. */
enum rill_status rill_run_beside(const struct rill_arguments *arguments, struct rill_ranks *ranks, int *exit_status,
                                 struct rill_error *error);

/* Rank 0, when it ends without a run. */
void rill_run_without(struct rill_ranks *ranks, int exit_status);

#endif
