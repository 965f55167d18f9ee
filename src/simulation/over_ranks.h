/* A run over ranks: rank 0 makes it, and the others advance their part of the replicas of an ensemble, or the
 * molecules in their bricks of a box.
 *
 * All ranks read the deck, and for an ensemble the structures that it names; the state at the start, or that of a
 * checkpoint, the others receive from rank 0.  Before any file is changed, all ranks agree that they can work
 * together: on the version of the program, the instruction set of the kernels, the deck, and, for an ensemble, an
 * energy to the last bit. */
#ifndef RILL_SIMULATION_OVER_RANKS_H
#define RILL_SIMULATION_OVER_RANKS_H

#include "base/ranks.h"
#include "simulation/run.h"

/* What rank 0 has handed out to the others.  Zeroed at first. */
struct rill_over_ranks {
  struct rill_ranks *ranks; /* borrowed; NULL, or one rank: all functions do nothing */
  bool handed_out, begun;
  struct rill_simulation *sim; /* for measuring its forces */
  struct rill_field_elsewhere elsewhere;
};

/* After sim was read: sets sim->divided.  RILL_ERROR_UNSUPPORTED: what can be divided among ranks is an ensemble, or
 * a box of water. */
enum rill_status rill_over_ranks_check(const struct rill_ranks *ranks, struct rill_simulation *sim,
                                       struct rill_error *error);

/* The same for sim->mesh_ranks. */
enum rill_status rill_over_ranks_check_mesh(const struct rill_ranks *ranks, const struct rill_simulation *sim,
                                            struct rill_error *error);

/* On rank 0, before rill_run_prepare: the ranks that are to share a box measure the accuracy of its forces, too. */
void rill_over_ranks_offer(struct rill_over_ranks *over, struct rill_simulation *sim);

/* On rank 0, between rill_run_prepare and rill_run_open.  An error names the rank that cannot take part. */
enum rill_status rill_over_ranks_begin(struct rill_over_ranks *over, struct rill_run *run, struct rill_error *error);

/* On rank 0, at the end of the program in any case, when all is written: the others end as well, with its exit
 * status.  Before rill_run_release when rill_over_ranks_begin was called. */
void rill_over_ranks_end(struct rill_over_ranks *over, const struct rill_run *run, int exit_status);

/* On the others: all that they do.  sim was read, or could not be, with the error in *error; it is created here.
 * *exit_status: for the program.  An error is returned only when communication has failed; all others are reported by
 * rank 0. */
enum rill_status rill_over_ranks_serve(struct rill_ranks *ranks, struct rill_simulation *sim, int *exit_status,
                                       struct rill_error *error);

#endif
