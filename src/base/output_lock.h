/* Locks: who writes an output file, kept apart from the file, which may not exist yet or may be replaced by renaming.
 *
 * The lock of PATH is the file .NAME.lock in the same folder.  Where the file system has locks (flock), the lock file is
 * locked while it is held, so that the system gives it up when its owner dies, on whichever machine.  Where it has none,
 * the lock is held by whoever created the file; it names host and process, and is taken over when that process is gone
 * from this host. */
#ifndef RILL_BASE_OUTPUT_LOCK_H
#define RILL_BASE_OUTPUT_LOCK_H

#include <stdbool.h>

#include "base/status.h"

enum rill_flock {
  RILL_FLOCK_TAKEN,
  RILL_FLOCK_HELD,       /* by another */
  RILL_FLOCK_UNAVAILABLE /* the file system has no locks; errno says why */
};

/* Locks the open file for this program alone, without waiting. */
enum rill_flock rill_flock_take(int descriptor);

/* Initialise with {0}. */
struct rill_output_lock {
  char *path;     /* of the lock file, owned; NULL: not held */
  int descriptor; /* owned */
};

/* Takes the lock of PATH.  RILL_ERROR_OUTPUT when another process holds it, or may hold it, and names that process.
 * *no_flock becomes the errno of flock where that does not work, and stays as it is elsewhere.  In a missing folder there is
 * nothing to take.  RILL_ERROR_MEMORY. */
enum rill_status rill_output_lock_take(const char *path, struct rill_output_lock *lock, int *no_flock,
                                       struct rill_error *error);

/* RILL_ERROR_OUTPUT when a process of this host is known to hold the lock of PATH; changes nothing. */
enum rill_status rill_output_lock_check(const char *path, struct rill_error *error);

/* Removes the lock file.  Accepts what is zeroed. */
void rill_output_lock_release(struct rill_output_lock *lock);

/* Removes the lock files that this process holds, and nothing else: for the handler of a crash, after which it
 * ends. */
void rill_output_lock_abandon(void);

#endif
