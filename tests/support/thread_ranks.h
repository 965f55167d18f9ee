/* Ranks that are threads of one process, for tests without MPI: all functions of base/ranks.h.
 *
 * Where one rank fails, or ends while others wait for it, all others fail at their next call instead of waiting. */
#ifndef RILL_TESTS_THREAD_RANKS_H
#define RILL_TESTS_THREAD_RANKS_H

#include "base/ranks.h"

/* Calls body(ranks, context) on `count` threads, each with a rank of its own, and returns when all have returned.
 * False if the threads cannot be started. */
bool rill_thread_ranks_run(int count, void (*body)(struct rill_ranks *ranks, void *context), void *context);

#endif
