/* Checkpoints of a run: when they are written, what may go on from one, and how to say so. */
#ifndef RILL_SIMULATION_RESUME_H
#define RILL_SIMULATION_RESUME_H

#include "simulation/outputs.h"
#include "simulation/manifest.h"
#include "base/notes.h"
#include "deck/deck.h"
#include "mech/driver.h"
#include "output/checkpoint.h"

/* The checkpoint of the outputs, from which a run of this deck can go on: a changed deck is refused with the differences
 * named (RILL_ERROR_INPUT), but for those that change no step; they are noted, as is a damaged checkpoint that the one before
 * stands in for.  kernel: the instruction set of the forces, "" for none.  notes: NULL for none. */
enum rill_status rill_resume_load(const struct rill_outputs *outputs, const struct rill_deck *deck, const char *kernel,
                                  const struct rill_notes *notes, struct rill_checkpoint *checkpoint, struct rill_error *error);

/* Bytes for an expanded deck and for those of all continuations: the same for all of them, so that files are laid out alike. */
size_t rill_resume_deck_room(const char *expanded);

/* *complete: nothing is left to do, and all files are as the run left them.  A file that lacks only what the end
 * of a run writes is noted, and left to be completed.  RILL_ERROR_INPUT: damaged files. */
enum rill_status rill_resume_is_complete(struct rill_checkpoint *checkpoint, const struct rill_outputs *outputs,
                                         const struct rill_deck *deck, const struct rill_notes *notes, bool *complete,
                                         struct rill_error *error);

/* The keeping of one run. */
struct rill_keeping {
  const struct rill_outputs *outputs;
  const struct rill_deck *deck;
  const char *expanded, *kernel;         /* for the checkpoint */
  /* Writes the state of all that the run consists of. */
  enum rill_status (*save)(void *job, struct rill_archive *archive, struct rill_error *error);
  void *job;
  struct rill_file_sum first_frame;      /* zeros for none */
  struct rill_archive last;              /* of the run's end, to be written when all else is */
  bool ended;
  uint64_t end;                          /* its step */
  bool torn;                             /* the newest one is damaged, and the one before stood in for it */
  bool replace;                          /* may the first checkpoint take the place of a file that is there */
  const struct rill_notes *notes;                           /* NULL: none */
  bool written;                          /* a checkpoint of this run is there */
  uint64_t step;                         /* of the last one */
};

/* For the driver.  *checkpointer is filled in, and stays where it is.  Where the deck wants no regular checkpoints (it has no
 * trajectory), one is written when it is requested, or when the run ends before its last step. */
const struct rill_checkpointer *rill_keeping_checkpointer(struct rill_keeping *keeping, struct rill_checkpointer *checkpointer);

/* Notes the sum of the first frame: that of the checkpoint when the run is resumed, otherwise of the file, which was just
 * written. */
enum rill_status rill_keeping_note_first_frame(struct rill_keeping *keeping, struct rill_archive *resumed, const struct rill_notes *notes,
                                               struct rill_error *error);

/* Where the sums of what is about to be closed for good belong, in group "sealed"; NULL when no checkpoint of the end is to be
 * written. */
struct rill_archive *rill_keeping_seal(struct rill_keeping *keeping);

/* When all files are closed and durable: writes the checkpoint of the end, if the run came to one.  complete: it did all its
 * steps and nothing failed. */
enum rill_status rill_keeping_end(struct rill_keeping *keeping, bool complete, struct rill_error *error);

/* Adds to the error how the run can be resumed, or that it cannot. */
void rill_keeping_explain(const struct rill_keeping *keeping, const char *again, struct rill_error *error);

/* Adds what went wrong while a run's files were closed: then a run that was stopped is one that failed. */
void rill_resume_add_fault(const struct rill_error *fault, struct rill_error *error);

void rill_keeping_release(struct rill_keeping *keeping);

#endif
