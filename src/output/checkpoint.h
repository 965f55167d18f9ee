/* Checkpoints: everything that a run needs to go on to the same bytes, in one file.
 *
 *   bytes 0    "rill checkpoint\n"
 *         16   format (4 bytes), 0x01020304 (4 bytes): 1, in the order of the machine that wrote it
 *         24   length of what follows the head (8 bytes)
 *         32   CRC-32 of all bytes before, and behind the head (8 bytes)
 *         40   an archive (base/archive.h): version, kind, kernel, deck, step, step_length, complete, and in groups the state
 *              of the system, the samples, what the output files were, and in group sealed what they are since their run ended
 *
 * The format is a number that is raised whenever what is archived, or what it means, changes: it alone decides whether a
 * checkpoint can be resumed, and not the version of the program, which development builds do not change.
 * tests/data/checkpoints holds one of each format.
 *
 * A file that is there is whole: it is written beside its place, brought to the disk and renamed, and the one before it stays
 * as PATH.prev. */
#ifndef RILL_OUTPUT_CHECKPOINT_H
#define RILL_OUTPUT_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/status.h"

enum { RILL_CHECKPOINT_WORD = 64 };

/* What a checkpoint says of its run, and all its arrays.  Texts are borrowed from the bytes. */
struct rill_checkpoint {
  char version[RILL_CHECKPOINT_WORD]; /* of the program */
  char kind[RILL_CHECKPOINT_WORD];    /* of the system, as the deck names it */
  char kernel[RILL_CHECKPOINT_WORD];  /* instruction set of the forces; "" where there is none */
  const char *deck;                   /* expanded */
  uint64_t step;                      /* steps done */
  double step_length;                 /* in the deck's unit of time */
  bool complete;                      /* the run had come to its end, with everything written */
  bool sealed;                        /* it says what all files are since its run ended, complete or not */
  bool stands_in;                     /* rill_checkpoint_load took PATH.prev for it */
  struct rill_archive archive;        /* to be read; its groups are the caller's */
  unsigned char *bytes;               /* owned; NULL when parsed from somebody's */
};

/* Begins an archive with what a checkpoint says of its run. */
void rill_checkpoint_begin(struct rill_archive *archive, const struct rill_checkpoint *facts);

/* Ends an archive that was begun so, and writes it; the checkpoint that was there stays as PATH.prev.  Without replace
 * nothing may be there: it is the first of its run.  Durable when it returns.  RILL_ERROR_WRITE: everything is as before. */
enum rill_status rill_checkpoint_write(const char *path, bool replace, struct rill_archive *archive, bool complete,
                                       struct rill_error *error);

/* Writes a checkpoint that was read once more without what it says of the end of its run, when it says that: before the run's
 * files are changed.  Then it is not complete, nor sealed.  RILL_ERROR_WRITE. */
enum rill_status rill_checkpoint_unseal(const char *path, const struct rill_checkpoint *checkpoint,
                                        struct rill_error *error);

/* A pure function of the bytes, which are borrowed.  RILL_ERROR_INPUT says what is wrong: no checkpoint, cut off, damaged, of
 * another format.  All lengths are checked before anything is read or asked for. */
enum rill_status rill_checkpoint_parse(const unsigned char *bytes, size_t length, struct rill_checkpoint *checkpoint,
                                       struct rill_error *error);

/* The file at path alone. */
enum rill_status rill_checkpoint_read(const char *path, struct rill_checkpoint *checkpoint, struct rill_error *error);

/* The file at path or, when it is damaged or missing, PATH.prev, which then stands in, and `fault` says why.
 * RILL_ERROR_INPUT when neither can be read; *missing: because neither is there. */
enum rill_status rill_checkpoint_load(const char *path, struct rill_checkpoint *checkpoint, bool *missing,
                                      struct rill_error *fault, struct rill_error *error);

/* Whether the file begins as a checkpoint does. */
bool rill_checkpoint_is(const char *path);

/* Accepts what is zeroed. */
void rill_checkpoint_release(struct rill_checkpoint *checkpoint);

#endif
