/* The files a run writes: names, checks before anything starts, and the small ones. */
#ifndef RILL_SIMULATION_FILES_H
#define RILL_SIMULATION_FILES_H

#include <stdbool.h>

#include "analysis/rdf.h"
#include "base/output_lock.h"
#include "base/notes.h"
#include "deck/deck.h"
#include "mech/system.h"
#include "output/trajectory.h"

enum { RILL_PATH = 2048 };

/* Paths, "" for what is not written. */
struct rill_outputs {
  char folder[RILL_PATH];      /* with a final slash, or "" */
  char trajectory[RILL_PATH];
  char first_frame[RILL_PATH];        /* GRO of the first frame, beside the trajectory */
  char series[RILL_PATH];
  char rdf[RILL_PATH];
  char multipliers[RILL_PATH];
  char final[RILL_PATH];       /* GRO of the last frame */
  char wide[RILL_PATH];        /* XYZ of the last frame, for one that GRO has no room for */
  char checkpoint[RILL_PATH];
  char previous[RILL_PATH];    /* the checkpoint before */
};

/* Takes note of the folder.  NULL: the current one. */
enum rill_status rill_outputs_enter(struct rill_outputs *outputs, const char *folder, struct rill_error *error);

/* Names, which must differ from one another: the deck's; NAME.gro beside a trajectory NAME.h5md; STEM-rdf.csv,
 * STEM-multipliers.csv, STEM-final.gro and STEM.checkpoint, STEM from the deck's file name. */
enum rill_status rill_outputs_plan(struct rill_outputs *outputs, const struct rill_deck *deck,
                                   struct rill_error *error);

/* Of a small system: an HDF5 file (.h5) and a CSV, where the deck names them, and a checkpoint. */
enum rill_status rill_outputs_plan_small(struct rill_outputs *outputs, const struct rill_deck *deck,
                                         struct rill_error *error);

/* RILL_ERROR_OUTPUT for what exists (unless replace), cannot be written, or is the run's own input; changes
 * nothing. */
enum rill_status rill_outputs_check(const struct rill_outputs *outputs, const struct rill_deck *deck, bool replace,
                                    struct rill_error *error);

/* What a run writes at its end only: files of an earlier run would otherwise stand there when it ends early. */
void rill_outputs_remove_old(const struct rill_outputs *outputs);
/* Checkpoints of an earlier run, before any of the files that they name is replaced: durable at once. */
enum rill_status rill_outputs_remove_checkpoints(const struct rill_outputs *outputs, struct rill_error *error);
/* Makes everything that is there durable, its names in their folders, too. */
enum rill_status rill_outputs_settle(const struct rill_outputs *outputs, struct rill_error *error);

/* What a run holds from before it looks at its outputs until all are written.  Initialise with {0}. */
enum { RILL_OUTPUTS = 9, RILL_FOLDERS_MADE = 16 };
struct rill_outputs_lock {
  struct rill_output_lock held[RILL_OUTPUTS];
  char *made[RILL_FOLDERS_MADE]; /* folders, outer ones first; owned */
  size_t made_count;
};

/* Makes the folders of all outputs, unless the run resumes, takes the locks of all, and checks the outputs as
 * rill_outputs_check does, which so finds nothing that another run is writing.  What can be refused at once is, before
 * anything is made.  notes: says once where the file system has no locks; NULL: nothing.  Unlocked by the caller, also
 * after an error. */
enum rill_status rill_outputs_lock(const struct rill_outputs *outputs, const struct rill_deck *deck, bool replace,
                                   bool resume, const struct rill_notes *notes, struct rill_outputs_lock *lock, struct rill_error *error);

/* Removes the lock files, and the folders that were made when they are empty still. */
void rill_outputs_unlock(struct rill_outputs_lock *lock);

/* Both exist and are one file, by whatever names. */
bool rill_same_file(const char *a, const char *b);

/* RILL_ERROR_OUTPUT when the folder that path lies in cannot be written to.  may_be_made: a missing one will do when
 * it can be made. */
enum rill_status rill_folder_check(const char *path, bool may_be_made, struct rill_error *error);

/* Molecules that left the cluster long ago, or at a great speed, have no place in the columns of GRO: the last frame
 * becomes XYZ then, which holds no velocities.  True when its name changed. */
bool rill_outputs_widen_final(struct rill_outputs *outputs, const struct rill_system *system);

/* The state now, with velocities when asked for (GRO).  box: [3][3], nm, or NULL.  path "" does nothing. */
enum rill_status rill_outputs_write_state(const char *path, const struct rill_system *system, const char *title,
                                          const double *box, bool velocities, bool replace, struct rill_error *error);

/* Makes room in the trajectory for the table of the distribution. */
enum rill_status rill_outputs_begin_rdf(const struct rill_rdf *rdf, struct rill_trajectory_writer *trajectory,
                                        struct rill_error *error);
/* CSV, as cli/distribution.h has it; also as a table of the trajectory when there is one. */
enum rill_status rill_outputs_write_rdf(const char *path, bool replace, const struct rill_rdf *rdf,
                                        const char *provenance, struct rill_trajectory_writer *trajectory,
                                        struct rill_error *error);

#endif
