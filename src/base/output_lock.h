/* Locks on output files.  A lock is separate from its file, which may not exist yet or may be replaced by renaming.
 *
 * The lock of PATH is the file .NAME.lock in the same folder.  Where the file system supports flock, the lock file is
 * locked while the lock is held, so that the system releases it when its owner dies, on any machine.  Elsewhere the
 * process that created the file holds the lock; the file names the host and the process, and another process of this
 * host takes the lock over when that process has ended. */
#ifndef RILL_BASE_OUTPUT_LOCK_H
#define RILL_BASE_OUTPUT_LOCK_H

#include <stdbool.h>

#include "base/status.h"

enum rill_flock {
  RILL_FLOCK_TAKEN,
  RILL_FLOCK_HELD,       /* another process holds it */
  RILL_FLOCK_UNAVAILABLE /* the file system does not support flock; errno says why */
};

/* Takes an exclusive lock on the open file, without waiting. */
enum rill_flock rill_flock_take(int descriptor);

/* Initialise with {0}. */
struct rill_output_lock {
  char *path;     /* path of the lock file, owned; NULL: not held */
  int descriptor; /* owned */
};

/* Takes the lock of PATH.  RILL_ERROR_OUTPUT when another process holds it, or may hold it; the message names that
 * process.  Where flock does not work *no_flock is set to its errno, and is otherwise unchanged.  In a missing folder
 * no lock is taken.  RILL_ERROR_MEMORY. */
enum rill_status rill_output_lock_take(const char *path, struct rill_output_lock *lock, int *no_flock,
                                       struct rill_error *error);

/* RILL_ERROR_OUTPUT when a process of this host is known to hold the lock of PATH; has no side effects. */
enum rill_status rill_output_lock_check(const char *path, struct rill_error *error);

/* Releases the lock and removes its file.  Accepts a zeroed lock. */
void rill_output_lock_release(struct rill_output_lock *lock);

/* Removes the lock files that this process holds and releases nothing else: for the handler of a crash, after which
 * the process ends. */
void rill_output_lock_abandon(void);

#endif
