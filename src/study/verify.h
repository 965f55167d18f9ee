/* Compares the files of runs with their checkpoints (rill verify). */
#ifndef RILL_STUDY_VERIFY_H
#define RILL_STUDY_VERIFY_H

#include "base/notes.h"
#include "simulation/manifest.h"

enum rill_verify_kind { RILL_VERIFY_FOLDER, RILL_VERIFY_CHECKPOINT, RILL_VERIFY_DECK };

/* Borrowed for the call. */
struct rill_verify_request {
  const char *path;             /* of a folder, a checkpoint or a deck */
  const char *const *overrides; /* of a deck */
  size_t override_count;
  const char *folder;             /* of a deck's run's outputs; NULL: the current one */
  const struct rill_notes *notes; /* NULL: none */
  /* Receives the findings about a checkpoint; path: without the ending of a previous one. */
  void (*take)(void *context, const char *path, const struct rill_checkpoint *checkpoint,
               const struct rill_findings *findings);
  void *context;
};

/* bad: number of files that are missing, damaged, or not as a finished run leaves them. */
struct rill_verify_counts {
  size_t checkpoints, files, bad;
};

/* The kind of a path: a folder, a checkpoint (or the name of one of which only the previous exists), otherwise a
 * deck. */
enum rill_verify_kind rill_verify_kind_of(const char *path);

/* Reads all files that the checkpoints name; changes nothing.  RILL_ERROR_INPUT: no checkpoint, or one that cannot
 * be read; RILL_ERROR_USAGE: an output file.  Bad files are counted, and are no error. */
enum rill_status rill_verify(const struct rill_verify_request *request, struct rill_verify_counts *counts,
                             struct rill_error *error);

#endif
