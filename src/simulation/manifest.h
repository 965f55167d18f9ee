/* What a checkpoint records about its run's files, and the check of it. */
#ifndef RILL_SIMULATION_MANIFEST_H
#define RILL_SIMULATION_MANIFEST_H

#include <stdbool.h>
#include <stdio.h>

#include "simulation/outputs.h"
#include "output/checkpoint.h"

/* Length and CRC-32 of a whole file; zeros for none. */
struct rill_file_sum {
  uint64_t length, crc;
};

/* RILL_ERROR_INPUT when the file cannot be read. */
enum rill_status rill_file_sum(const char *path, struct rill_file_sum *sum, struct rill_error *error);

/* ---- writing ---- */

/* The names, relative to the folder of the outputs, of all files that are not written only at the end, and the
 * checksum of the first frame. */
void rill_manifest_names(const struct rill_outputs *outputs, struct rill_file_sum *first_frame,
                         struct rill_archive *archive);
/* At the end of a run, in its group: the files that are written only then. */
enum rill_status rill_manifest_seal(const struct rill_outputs *outputs, struct rill_archive *archive,
                                    struct rill_error *error);

/* ---- checking ---- */

enum rill_file_state {
  RILL_FILE_INTACT,    /* exactly as the run left it when it ended */
  RILL_FILE_RESUMABLE, /* holds everything up to the checkpoint; resuming the run truncates the rest */
  RILL_FILE_MISSING,
  RILL_FILE_DAMAGED /* truncated, changed, or unreadable */
};

/* How a file is compared with a checkpoint. */
enum rill_file_check {
  RILL_CHECK_TRAJECTORY,       /* HDF5, by its last parts */
  RILL_CHECK_SERIES,           /* CSV, by a running checksum */
  RILL_CHECK_WHOLE_FROM_START, /* by the checksum that it had when the run began */
  RILL_CHECK_WHOLE_AT_END      /* written at the end only, by the checksum that it had then */
};

struct rill_file_finding {
  enum rill_file_role role;
  enum rill_file_state state;
  char path[RILL_PATH];
  char text[512]; /* what is wrong, with the path; "" for an intact file */
};

struct rill_findings {
  size_t count;
  struct rill_file_finding of[RILL_FILE_ROLES];
};

/* "first frame", and in checkpoints and JSON "first_frame". */
const char *rill_file_role_name(enum rill_file_role role);
const char *rill_file_role_entry(enum rill_file_role role);
enum rill_file_check rill_file_role_check(enum rill_file_role role);
const char *rill_file_state_name(enum rill_file_state state);

/* Reads all files that the checkpoint at this path names.  notes: NULL, or receives a note about large files, which
 * take time.  RILL_ERROR_INPUT when it names none; faults of files are no error. */
enum rill_status rill_manifest_check(const char *path, struct rill_checkpoint *checkpoint,
                                     const struct rill_notes *notes, struct rill_findings *findings,
                                     struct rill_error *error);
/* Writes a note about a file that takes seconds to read. */
void rill_manifest_announce(const char *path, const struct rill_notes *notes);

#endif
