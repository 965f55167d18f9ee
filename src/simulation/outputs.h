/* The files that a run writes: names, checks before anything starts, and writing the small ones. */
#ifndef RILL_SIMULATION_FILES_H
#define RILL_SIMULATION_FILES_H

#include <stdbool.h>

#include "analysis/rdf.h"
#include "base/output_lock.h"
#include "base/notes.h"
#include "deck/deck.h"
#include "mech/system.h"
#include "output/trajectory.h"
#include "simulation/sinks/list.h"

enum { RILL_PATH = 2048 };

enum rill_file_role {
#define X(role, name, shown, check) RILL_FILE_##role,
  RILL_FILE_LIST(X)
#undef X
      RILL_FILE_ROLES
};

/* Paths; "" for files that are not written. */
struct rill_outputs {
  char folder[RILL_PATH]; /* with a final slash, or "" */
#define X(role, name, shown, check) char name[RILL_PATH];
  RILL_FILE_LIST(X)
#undef X
  char wide[RILL_PATH]; /* XYZ of the last frame, when GRO has too few columns for it */
  char checkpoint[RILL_PATH];
  char previous[RILL_PATH]; /* the previous checkpoint */
};

/* Sets the folder.  NULL: the current one. */
enum rill_status rill_outputs_enter(struct rill_outputs *outputs, const char *folder, struct rill_error *error);

/* Sets a path in the folder of the outputs, unless the name is absolute.  RILL_ERROR_OUTPUT when it is too long. */
enum rill_status rill_outputs_name(const struct rill_outputs *outputs, const char *name, const char *ending,
                                   char path[RILL_PATH], struct rill_error *error);

/* The same for a file named after the deck, with another ending: water7.ini, "-rdf.csv" -> water7-rdf.csv. */
enum rill_status rill_outputs_name_after(const struct rill_outputs *outputs, const struct rill_deck *deck,
                                         const char *ending, char path[RILL_PATH], struct rill_error *error);

/* The same for the deck's trajectory, if it has one.  RILL_ERROR_INPUT for a name with another ending (".h5md"). */
enum rill_status rill_outputs_name_trajectory(struct rill_outputs *outputs, const struct rill_deck *deck,
                                              const char *ending, struct rill_error *error);

/* The same for the deck's series, if it has one. */
enum rill_status rill_outputs_name_series(struct rill_outputs *outputs, const struct rill_deck *deck,
                                          struct rill_error *error);

/* "" for a file that is not written. */
const char *rill_outputs_path(const struct rill_outputs *outputs, enum rill_file_role role);

/* name without its ending: "a/b.h5md" -> "a/b". */
void rill_cut_ending(const char *name, char stem[RILL_DECK_STRING]);

/* Names the checkpoint, after the sinks have named their files, and checks that all names differ. */
enum rill_status rill_outputs_plan(struct rill_outputs *outputs, const struct rill_deck *deck,
                                   struct rill_error *error);

/* RILL_ERROR_OUTPUT for files that exist (unless replace), cannot be written, or are inputs of the run; changes
 * nothing. */
enum rill_status rill_outputs_check(const struct rill_outputs *outputs, const struct rill_deck *deck, bool replace,
                                    struct rill_error *error);

/* Removes the files that a run writes only at its end: those of an earlier run would otherwise remain when this one
 * ends early. */
void rill_outputs_remove_old(const struct rill_outputs *outputs);
/* Removes the checkpoints of an earlier run before any of the files that they name is replaced; durable at once. */
enum rill_status rill_outputs_remove_checkpoints(const struct rill_outputs *outputs, struct rill_error *error);
/* Makes all existing outputs durable, and their entries in folders, too. */
enum rill_status rill_outputs_settle(const struct rill_outputs *outputs, struct rill_error *error);

/* What a run holds from before its outputs are checked until all are written.  Initialise with {0}. */
enum { RILL_OUTPUTS = RILL_FILE_ROLES + 3 /* the others of struct rill_outputs, too */, RILL_FOLDERS_MADE = 16 };
struct rill_outputs_lock {
  struct rill_output_lock held[RILL_OUTPUTS];
  char *made[RILL_FOLDERS_MADE]; /* created folders, outer ones first; owned */
  size_t made_count;
};

/* Makes the folders of all outputs (unless the run is resumed), locks all outputs, and checks them as
 * rill_outputs_check does, so that no other run is writing to them.  What can be refused without creating anything is
 * refused first.  notes: receives one note where the file system has no locks; NULL: none.  The caller unlocks, also
 * after an error. */
enum rill_status rill_outputs_lock(const struct rill_outputs *outputs, const struct rill_deck *deck, bool replace,
                                   bool resume, const struct rill_notes *notes, struct rill_outputs_lock *lock,
                                   struct rill_error *error);

/* Removes the lock files, and the created folders that are still empty. */
void rill_outputs_unlock(struct rill_outputs_lock *lock);

/* Whether both exist and are the same file, by whatever names. */
bool rill_same_file(const char *a, const char *b);

/* RILL_ERROR_OUTPUT when the folder that contains path is not writable.  may_be_made: a missing folder is accepted
 * when it can be created. */
enum rill_status rill_folder_check(const char *path, bool may_be_made, struct rill_error *error);

/* Molecules that left the cluster long ago, or at great speed, do not fit into the columns of GRO: the last frame is
 * then written as XYZ, which holds no velocities.  True when its name changed. */
bool rill_outputs_widen_final(struct rill_outputs *outputs, const struct rill_system *system);

/* Writes the present state, with velocities when requested (GRO).  box: [3][3], nm, or NULL.  path "":
 * does nothing. */
enum rill_status rill_outputs_write_state(const char *path, const struct rill_system *system, const char *title,
                                          const double *box, bool velocities, bool replace, struct rill_error *error);

/* Creates the table of the distribution in the trajectory. */
enum rill_status rill_outputs_begin_rdf(const struct rill_rdf *rdf, struct rill_trajectory_writer *trajectory,
                                        struct rill_error *error);
/* Writes the CSV, as in simulation/distribution.h, and the table of the trajectory when there is one. */
enum rill_status rill_outputs_write_rdf(const char *path, bool replace, const struct rill_rdf *rdf,
                                        const char *provenance, struct rill_trajectory_writer *trajectory,
                                        struct rill_error *error);

#endif
