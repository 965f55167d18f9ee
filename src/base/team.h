/* Threads that share loops of a few microseconds to milliseconds, step after step.
 *
 * The caller hands out a loop's indices and works on them itself.  Helpers that are at hand take part; one that sleeps,
 * or has no processor since other programs have it, is not waited for: the caller does all the work that nobody has
 * begun.  After its last work a helper spins for some tens of microseconds, the serial parts of a step, and then
 * sleeps.  So two threads are not slower than one on a busy machine, and on an idle one nothing is lost to waking. */
#ifndef RILL_BASE_TEAM_H
#define RILL_BASE_TEAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct rill_team;

/* For one thread: NULL, a team all the same.  Errors: RILL_ERROR_MEMORY when threads cannot be started. */
enum rill_status rill_team_create(int threads, struct rill_team **team, struct rill_error *error);

/* body(context, index) for each index below count, in rising order of their beginning, and returns when all are done.
 * wake: helpers that sleep too; else those that spin, for work that is not worth a call of the system.  From one
 * thread only, and not from within a body. */
void rill_team_run(struct rill_team *team, size_t count, bool wake, void (*body)(void *context, size_t index),
                   void *context);

/* Its threads, the caller among them. */
int rill_team_threads(const struct rill_team *team);

/* Where part `part` of `parts` of so many things begins. */
static inline size_t rill_share(size_t count, size_t part, size_t parts) { return count * part / parts; }

/* Accepts NULL. */
void rill_team_destroy(struct rill_team *team);

#endif
