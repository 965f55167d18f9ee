/* Checkpoints of a run: when they are written, which of them can be resumed, and the messages about that. */
#ifndef RILL_SIMULATION_RESUME_H
#define RILL_SIMULATION_RESUME_H

#include "simulation/outputs.h"
#include "simulation/manifest.h"
#include "base/notes.h"
#include "deck/deck.h"
#include "mech/driver.h"
#include "output/checkpoint.h"

/* Loads the checkpoint of the outputs that a run of this deck can be resumed from.  A changed deck is refused with a
 * list of the differences (RILL_ERROR_INPUT), except for those that change no step: these are noted, and so is a
 * damaged checkpoint that is replaced by the previous one.  notes: NULL for none. */
enum rill_status rill_resume_load(const struct rill_outputs *outputs, const struct rill_deck *deck,
                                  const struct rill_notes *notes, struct rill_checkpoint *checkpoint,
                                  struct rill_error *error);

/* Sizes of the fields for an expanded deck and for those of all resumed parts: fixed, so that the files' layout does
 * not depend on them. */
size_t rill_resume_deck_room(const char *expanded);

/* *complete: nothing is left to do, and all files are as the run left them.  A file that lacks only what the end of a
 * run writes is noted, and will be completed.  RILL_ERROR_INPUT: damaged files. */
enum rill_status rill_resume_is_complete(struct rill_checkpoint *checkpoint, const struct rill_outputs *outputs,
                                         const struct rill_deck *deck, const struct rill_notes *notes, bool *complete,
                                         struct rill_error *error);

/* Writes the checkpoints of one run. */
struct rill_keeping {
  const struct rill_outputs *outputs;
  const struct rill_deck *deck;
  const char *expanded, *kernel; /* for the checkpoint */
  /* Writes the state of everything that the run consists of. */
  enum rill_status (*save)(void *job, struct rill_archive *archive, struct rill_error *error);
  void *job;
  struct rill_file_sum first_frame; /* zeros for none */
  struct rill_archive last;         /* of the run's end, written after everything else */
  bool ended;
  uint64_t end;                   /* its step */
  bool torn;                      /* the newest one is damaged, and the previous one is used */
  bool replace;                   /* the first checkpoint may replace an existing file */
  const struct rill_notes *notes; /* NULL: none */
  bool written;                   /* this run has written a checkpoint */
  uint64_t step;                  /* of the last one */
};

/* *checkpointer is filled in for the driver, and must stay where it is.  Where the deck wants no regular checkpoints
 * (it has no trajectory), one is written on request, or when the run ends before its last step. */
const struct rill_checkpointer *rill_keeping_checkpointer(struct rill_keeping *keeping,
                                                          struct rill_checkpointer *checkpointer);

/* Records the checksum of the first frame: the checkpoint's when the run is resumed, otherwise that of the file,
 * which was just written. */
enum rill_status rill_keeping_note_first_frame(struct rill_keeping *keeping, struct rill_archive *resumed,
                                               const struct rill_notes *notes, struct rill_error *error);

/* The archive, in group "sealed", for the checksums of files that are about to be closed permanently; NULL when there
 * will be no checkpoint of the end. */
struct rill_archive *rill_keeping_seal(struct rill_keeping *keeping);

/* To be called when all files are closed and durable: writes the checkpoint of the end, if the run reached it.
 * complete: the run made all its steps and nothing failed. */
enum rill_status rill_keeping_end(struct rill_keeping *keeping, bool complete, struct rill_error *error);

/* Adds to the error message how the run can be resumed, or that it cannot. */
void rill_keeping_explain(const struct rill_keeping *keeping, const char *again, struct rill_error *error);

/* Adds errors that occurred while the files were closed: a run that was stopped has then failed. */
void rill_resume_add_fault(const struct rill_error *fault, struct rill_error *error);

void rill_keeping_release(struct rill_keeping *keeping);

#endif
