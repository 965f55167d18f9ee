/* Ranks over MPI: the only part of rill that knows of it, and of the program rill-mpi alone. */
#ifndef RILL_PARALLEL_MPI_RANKS_H
#define RILL_PARALLEL_MPI_RANKS_H

#include "base/ranks.h"

/* Starts MPI, whose functions only this thread may call.  Released by rill_mpi_end, also after errors. */
enum rill_status rill_mpi_begin(int *argc, char ***argv, struct rill_ranks *ranks, struct rill_error *error);

/* Waits for the other ranks to end as well; when communication has failed, ends them with this exit status. */
void rill_mpi_end(struct rill_ranks *ranks, int exit_status);

#endif
