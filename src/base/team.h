/* A team of threads that share loops of a few microseconds to milliseconds, step after step.
 *
 * The caller publishes a loop and works on its indices itself.  Helpers that are awake take part.  A helper that
 * sleeps, or has no processor because other programs use it, is not waited for: the caller does all work that has not
 * been started. After its last work a helper spins for some tens of microseconds, about the length of the serial
 * parts of a step, and then sleeps.  Two threads are therefore not slower than one on a busy machine, and on an idle
 * one no time is lost to waking. */
#ifndef RILL_BASE_TEAM_H
#define RILL_BASE_TEAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct rill_team;

/* For one thread the team is NULL, which all functions accept.  RILL_ERROR_MEMORY when threads cannot be started. */
enum rill_status rill_team_create(int threads, struct rill_team **team, struct rill_error *error);

/* Calls body(context, index) for each index below count, started in increasing order, and returns when all are done.
 * Index 0 is the caller's: what one thread alone may do, such as sending messages, has its place there.
 * wake: also wakes sleeping helpers; without it only spinning ones take part, for loops too short for a system call.
 * Call it from one thread only, and not from within a body. */
void rill_team_run(struct rill_team *team, size_t count, bool wake, void (*body)(void *context, size_t index),
                   void *context);

/* Waits a moment for what another thread or process has yet to do; where it has no processor, it may have this one.
 */
void rill_team_pause(void);

/* Which part of the indices helpers have done since the last call: near 0 while they have no processor; 1 where
 * there was nothing to share. */
double rill_team_helped(struct rill_team *team);

/* The number of threads, including the caller. */
int rill_team_threads(const struct rill_team *team);

/* The index at which part `part` begins when `count` items are divided into `parts`. */
static inline size_t rill_share(size_t count, size_t part, size_t parts) { return count * part / parts; }

/* Accepts NULL. */
void rill_team_destroy(struct rill_team *team);

#endif
