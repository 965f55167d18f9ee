/* A run: a simulation from its start, or from a checkpoint, to the end of its deck, with everything that it writes.
 *
 *   rill_run_prepare    outputs are planned, locked and checked, the simulation is made or resumed
 *   rill_run_open       files are made, or cut to the checkpoint
 *   rill_run_steps      to the end, or until a signal, a time limit or a fault
 *   rill_run_close      files are completed, the last checkpoint is written
 *   rill_run_release
 */
#ifndef RILL_SIMULATION_RUN_H
#define RILL_SIMULATION_RUN_H

#include "simulation/run_parts.h"

/* sim was read by rill_simulation_read, its threads and notes are set, and it was created, or will be.  The run must
 * stay where it is, and is released in any case.  RILL_ERROR_INPUT, RILL_ERROR_OUTPUT: what cannot be used, and the
 * errors of rill_simulation_create. */
enum rill_status rill_run_prepare(struct rill_run *run, struct rill_simulation *sim, const struct rill_run_request *request,
                                  struct rill_error *error);
/* After an error everything is closed already. */
enum rill_status rill_run_open(struct rill_run *run, struct rill_error *error);
/* RILL_INTERRUPTED: stopped by request.stop or at the deadline.  After an error the message says where the last good state is
 * found. */
enum rill_status rill_run_steps(struct rill_run *run, struct rill_error *error);
/* error: that of the steps; faults on the way out are added.  Returns error->status. */
enum rill_status rill_run_close(struct rill_run *run, struct rill_error *error);
void rill_run_release(struct rill_run *run);

#endif
