/* Checkpoints: everything that a run needs to be resumed and to give the same bytes, in one file.
 *
 *   bytes 0    "rill checkpoint\n"
 *         16   format (4 bytes), 0x01020304 (4 bytes): 1, in the byte order of the machine that wrote it
 *         24   length of the data after the header (8 bytes)
 *         32   CRC-32 of the preceding bytes and of the data after the header (8 bytes)
 *         40   an archive (base/archive.h): version, kind, kernel, deck, step, step_length, complete, and groups with
 *              the state of the system, the samples, the state of the output files, and in group sealed their state
 *              at the end of the run
 *
 * The format number is raised whenever the archived data or their meaning change.  It alone decides whether a
 * checkpoint can be resumed, not the version of the program, which stays the same in development builds.
 * tests/data/checkpoints has one checkpoint of each format.
 *
 * A checkpoint is always complete: it is written to a temporary file beside it, synchronised to disk and renamed, and
 * the previous one stays as PATH.prev. */
#ifndef RILL_OUTPUT_CHECKPOINT_H
#define RILL_OUTPUT_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/status.h"

enum { RILL_CHECKPOINT_WORD = 64 };

/* The description of a run in its checkpoint, and all arrays.  Texts are borrowed from the bytes. */
struct rill_checkpoint {
  char version[RILL_CHECKPOINT_WORD]; /* of the program */
  char kind[RILL_CHECKPOINT_WORD];    /* of the system, as the deck names it */
  char kernel[RILL_CHECKPOINT_WORD];  /* instruction set of the forces; "" when there is none */
  const char *deck;                   /* the expanded deck */
  uint64_t step;                      /* number of steps done */
  double step_length;                 /* in the deck's unit of time */
  bool complete;                      /* the run had ended, with all its output written */
  bool sealed;                        /* it has the state of all files at the end of the run, complete or not */
  bool stands_in;                     /* rill_checkpoint_load read PATH.prev instead */
  struct rill_archive archive;        /* open for reading; the caller knows its groups */
  unsigned char *bytes;               /* owned; NULL when the caller's bytes were parsed */
};

/* Begins an archive with the description of a run. */
void rill_checkpoint_begin(struct rill_archive *archive, const struct rill_checkpoint *facts);

/* Completes an archive begun by rill_checkpoint_begin, and writes it; the existing checkpoint is kept as PATH.prev.
 * Without replace an existing file is an error, as for the first checkpoint of a run.  Durable on return.  On
 * RILL_ERROR_WRITE all files are unchanged. */
enum rill_status rill_checkpoint_write(const char *path, bool replace, struct rill_archive *archive, bool complete,
                                       struct rill_error *error);

/* If the checkpoint is sealed, writes it again without the record of the end of its run, before the files of the run
 * are changed.  RILL_ERROR_WRITE. */
enum rill_status rill_checkpoint_unseal(const char *path, const struct rill_checkpoint *checkpoint,
                                        struct rill_error *error);

/* A pure function of the bytes, which are borrowed.  The message of RILL_ERROR_INPUT says whether they are no
 * checkpoint, truncated, damaged, or of another format.  All lengths are checked before data are read or memory is
 * allocated. */
enum rill_status rill_checkpoint_parse(const unsigned char *bytes, size_t length, struct rill_checkpoint *checkpoint,
                                       struct rill_error *error);

/* Reads the file at path, never PATH.prev. */
enum rill_status rill_checkpoint_read(const char *path, struct rill_checkpoint *checkpoint, struct rill_error *error);

/* Reads the file at path or, when it is damaged or missing, PATH.prev; then stands_in is set and `fault` says why.
 * RILL_ERROR_INPUT when neither can be read; *missing is set when neither exists. */
enum rill_status rill_checkpoint_load(const char *path, struct rill_checkpoint *checkpoint, bool *missing,
                                      struct rill_error *fault, struct rill_error *error);

/* Whether the file begins like a checkpoint. */
bool rill_checkpoint_is(const char *path);

/* Accepts a zeroed struct. */
void rill_checkpoint_release(struct rill_checkpoint *checkpoint);

#endif
