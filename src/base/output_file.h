/* Creating files: the one place where outputs come into being, so that nothing of the user's is ever replaced unasked.
 *
 * A file is created under its own name, to grow in place (rill_output_create), or beside it under a temporary name, to
 * take its place once it is whole (struct rill_part).  Neither ever writes through a symbolic link, which somebody else
 * may have put into a shared folder, nor to a device or a FIFO. */
#ifndef RILL_BASE_OUTPUT_FILE_H
#define RILL_BASE_OUTPUT_FILE_H

#include <stdbool.h>

#include "base/status.h"

/* Opens a new file for reading and writing.  What exists is refused, unless replace: then a regular file is opened as it
 * is, so that the caller can lock it before truncating it.  *descriptor is the caller's; *existed may be NULL.
 * RILL_ERROR_OUTPUT. */
enum rill_status rill_output_create(const char *path, bool replace, int *descriptor, bool *existed,
                                    struct rill_error *error);

/* A file being written as PATH.PID.N.part. */
struct rill_part {
  char *path, *temporary; /* owned */
  int descriptor;         /* owned; open for reading and writing */
};

/* Creates it, and removes those of the same PATH that killed processes left.  A folder, a FIFO or a device in its place is
 * refused.  RILL_ERROR_OUTPUT, RILL_ERROR_MEMORY. */
enum rill_status rill_part_create(const char *path, struct rill_part *part, struct rill_error *error);

/* Brings its data to the disk and gives it its name: in place of what has it when replace, and otherwise only if nothing
 * has it (RILL_ERROR_OUTPUT).  The part is released in any case, and removed on failure.  The descriptor is closed, unless
 * kept is not NULL, which then becomes its owner on success.  RILL_ERROR_WRITE. */
enum rill_status rill_part_finish(struct rill_part *part, bool replace, int *kept, struct rill_error *error);

/* Removes and releases it; nothing for one that is zeroed or finished. */
void rill_part_discard(struct rill_part *part);

/* Makes the names in the folder of PATH durable; file systems that cannot do that, and folders that may not be read, are
 * passed over.  RILL_ERROR_WRITE. */
enum rill_status rill_output_sync_folder(const char *path, struct rill_error *error);

#endif
