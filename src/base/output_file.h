/* Creating files.  All output files are created here, so that no file of the user's is ever replaced unless
 * requested.
 *
 * A file either is created under its own name and grows in place (rill_output_create), or is written under a
 * temporary name beside it and renamed when complete (struct rill_part).  Neither ever writes to a device or a FIFO,
 * or through a symbolic link, which somebody else may have put into a shared folder. */
#ifndef RILL_BASE_OUTPUT_FILE_H
#define RILL_BASE_OUTPUT_FILE_H

#include <stdbool.h>

#include "base/status.h"

/* Opens a new file for reading and writing.  An existing file is refused unless replace; then a regular file is
 * opened with its contents, so that the caller can lock it before truncating it.  The caller owns *descriptor;
 * *existed may be NULL. RILL_ERROR_OUTPUT. */
enum rill_status rill_output_create(const char *path, bool replace, int *descriptor, bool *existed,
                                    struct rill_error *error);

/* A file that is being written under the name PATH.PID.N.part. */
struct rill_part {
  char *path, *temporary; /* owned */
  int descriptor;         /* owned; open for reading and writing */
};

/* Creates the part, and removes parts of the same PATH that killed processes left behind.  Refuses a PATH that is a
 * folder, a FIFO or a device.  RILL_ERROR_OUTPUT, RILL_ERROR_MEMORY. */
enum rill_status rill_part_create(const char *path, struct rill_part *part, struct rill_error *error);

/* Synchronises the data to disk and gives the file its name.  An existing file is replaced if `replace`, and
 * otherwise an error (RILL_ERROR_OUTPUT).  The part is released in any case, and removed on failure.  The descriptor
 * is closed, unless kept is not NULL and the call succeeds: then *kept owns it.  RILL_ERROR_WRITE. */
enum rill_status rill_part_finish(struct rill_part *part, bool replace, int *kept, struct rill_error *error);

/* Removes the file and releases the part; does nothing for one that is zeroed or finished. */
void rill_part_discard(struct rill_part *part);

/* Makes the names in the folder of PATH durable.  File systems that do not support this, and folders that may not be
 * read, are ignored.  RILL_ERROR_WRITE. */
enum rill_status rill_output_sync_folder(const char *path, struct rill_error *error);

#endif
