/* A run takes a simulation from its start, or from a checkpoint, to the end of its deck, and writes all outputs.
 *
 *   rill_run_prepare    plans, locks and checks the outputs; makes or resumes the simulation
 *   rill_run_open       creates files, or truncates them to the checkpoint
 *   rill_run_steps      takes steps until the end, a signal, a time limit or an error
 *   rill_run_close      completes files, writes the last checkpoint
 *   rill_run_release */
#ifndef RILL_SIMULATION_RUN_H
#define RILL_SIMULATION_RUN_H

#include "simulation/run_parts.h"

/* sim was read by rill_simulation_read, has its threads and notes, and was created, or will be.  The run must not be
 * moved, and is released in any case.  RILL_ERROR_INPUT, RILL_ERROR_OUTPUT: unusable files; and the errors of
 * rill_simulation_create. */
enum rill_status rill_run_prepare(struct rill_run *run, struct rill_simulation *sim,
                                  const struct rill_run_request *request, struct rill_error *error);
/* After an error everything is already closed. */
enum rill_status rill_run_open(struct rill_run *run, struct rill_error *error);
/* RILL_INTERRUPTED: stopped by request.stop or at the deadline.  After an error the message says where the last good
 * state is. */
enum rill_status rill_run_steps(struct rill_run *run, struct rill_error *error);
/* error: that of the steps; later errors are added.  Returns error->status. */
enum rill_status rill_run_close(struct rill_run *run, struct rill_error *error);
void rill_run_release(struct rill_run *run);

#endif
