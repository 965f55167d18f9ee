/* Trajectories in H5MD 1.1, laid out for MDAnalysis and VMD, and safe against a kill at any moment: a frame exists
 * with all its data, or not at all. */
#ifndef RILL_OUTPUT_TRAJECTORY_H
#define RILL_OUTPUT_TRAJECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/status.h"

/* The facts stored in a trajectory; all borrowed for the call of rill_trajectory_create only. */
struct rill_trajectory_header {
  size_t molecules;     /* of all replicas */
  uint64_t replicas;    /* of one system, one after another among the molecules; 0 or 1: one system */
  const double *mass;   /* [3]: O, H, H; u */
  const double *charge; /* [3]: e */
  bool periodic;
  const char *version; /* of the program */
  const char *deck;    /* the expanded deck */
  size_t deck_room;    /* bytes for it and the decks of continuations, whose length may differ a little */
  uint64_t seed;
  double degrees_of_freedom; /* of one replica */
  double step;               /* ps */
  bool velocities;
  bool double_precision;
  bool replace; /* an existing file is replaced (--force); otherwise it is an error */
};

struct rill_trajectory_frame {
  uint64_t step;
  double time;              /* ps */
  const double *positions;  /* [molecules][3][3], nm, unwrapped, molecules whole */
  const double *velocities; /* the same shape, nm/ps; NULL unless the header has velocities */
  const double *box;        /* [3][3], nm; NULL in vacuum */
};

struct rill_table_fact {
  const char *name;
  double value;
};

/* A named table of doubles in /parameters/rill/NAME: columns with units (series, rdf). */
struct rill_table {
  const char *name;
  size_t rows, columns;
  const char *const *column_names; /* NULL: columns are numbered, and the description has their unit */
  const char *const *column_units;
  const double *values; /* [rows][columns] */
  const char *description;
  const struct rill_table_fact *facts; /* attributes of the whole table, replaced by later calls; may be NULL */
  size_t fact_count;
};

struct rill_trajectory_writer;
struct rill_trajectory_reader;

/* RILL_ERROR_OUTPUT when the file exists or cannot be created.  Nothing about the path, user or host is stored. */
enum rill_status rill_trajectory_create(const char *path, const struct rill_trajectory_header *header,
                                        struct rill_trajectory_writer **writer, struct rill_error *error);
/* RILL_ERROR_WRITE when the disk is full or the limit on file sizes is reached.  This is detected before the frame
 * begins, so that all frames so far are intact and the writer can be closed. */
enum rill_status rill_trajectory_append(struct rill_trajectory_writer *writer,
                                        const struct rill_trajectory_frame *frame, struct rill_error *error);
/* Appends rows, which become durable in the same way as frames.  The first call, which may have no rows, fixes the
 * columns. In the file: group /parameters/rill/NAME with the attributes columns, units, description and the dataset
 * values. */
enum rill_status rill_trajectory_append_table(struct rill_trajectory_writer *writer, const struct rill_table *table,
                                              struct rill_error *error);
/* Resuming.  _keep writes the present state of the file to the archive.  _resume removes everything written later,
 * whatever state a killed process left, and continues with the same bytes as a writer that was never stopped.  Tables
 * for later use should be created (without rows) at the beginning.  header: that of the creation; a different deck
 * replaces the old one. */
enum rill_status rill_trajectory_keep(struct rill_trajectory_writer *writer, struct rill_archive *archive,
                                      struct rill_error *error);
enum rill_status rill_trajectory_resume(const char *path, const struct rill_trajectory_header *header,
                                        struct rill_archive *archive, struct rill_trajectory_writer **writer,
                                        struct rill_error *error);
/* Opens the file in the state in which it was kept, after a check of all its numbers; the caller closes it.  Thus it
 * is known whether _resume can succeed before anything is changed.  RILL_ERROR_INPUT. */
enum rill_status rill_trajectory_open_kept(const char *path, const struct rill_trajectory_header *header,
                                           struct rill_archive *archive, struct rill_trajectory_writer **writer,
                                           struct rill_error *error);
/* Before a file is closed permanently: writes the checksums of its contents to the archive.  More is added when the
 * file is closed; until then the archive must stay in its present group. */
enum rill_status rill_trajectory_seal(struct rill_trajectory_writer *writer, struct rill_archive *archive,
                                      struct rill_error *error);
/* For a trajectory or the series of a small system: whether the file has all data that it had when it was kept, and
 * possibly later ones; sealed: whether it is exactly as it was sealed.  Reads the whole file and changes nothing.
 * The message of RILL_ERROR_INPUT says what is missing or damaged. */
enum rill_status rill_trajectory_check(const char *path, struct rill_archive *archive, bool sealed,
                                       struct rill_error *error);
/* Closes and releases; accepts NULL.  After a failure inside HDF5 the file is left in its committed state without
 * further access (HDF5 keeps its handle until the process ends, as closing could crash). */
enum rill_status rill_trajectory_close(struct rill_trajectory_writer *writer, struct rill_error *error);

/* Reads files of rill, and H5MD files of water by other programs with positions of shape [F][3N][3], in any particle
 * group; units are converted.  For other programs the oxygens are identified by the distances in the first finite
 * frame (output/atom_order.h), which species must not contradict; molecules broken across the box are made whole.
 * Only committed frames count: rows of value beyond the length of step are ignored.  The file is not locked and
 * another process may still write to it; frames written after the opening are not seen. Errors: RILL_ERROR_INPUT,
 * also when the oxygens cannot be identified. */
enum rill_status rill_trajectory_open(const char *path, struct rill_trajectory_reader **reader,
                                      struct rill_error *error);
size_t rill_trajectory_frames(const struct rill_trajectory_reader *reader);
size_t rill_trajectory_molecules(const struct rill_trajectory_reader *reader);
/* Files of ensembles hold the replicas of one system, one after another among the molecules: their number; 1 for
 * other files.  After one of these calls frames are those of one replica, and so is the number of molecules: a
 * replica, from 0, with its changing temperatures; or the replicas of a ladder, from 0, that have a temperature (K,
 * within 0.5 %). RILL_ERROR_INPUT when there is none. */
size_t rill_trajectory_replicas(const struct rill_trajectory_reader *reader);
enum rill_status rill_trajectory_select_replica(struct rill_trajectory_reader *reader, size_t replica,
                                                struct rill_error *error);
enum rill_status rill_trajectory_select_temperature(struct rill_trajectory_reader *reader, double temperature,
                                                    size_t ladder, struct rill_error *error);
/* The number of ladders of temperatures among the replicas. */
enum rill_status rill_trajectory_ladders(struct rill_trajectory_reader *reader, size_t *ladders,
                                         struct rill_error *error);
bool rill_trajectory_is_selected(const struct rill_trajectory_reader *reader);
/* The replica that a frame is of. */
size_t rill_trajectory_replica(const struct rill_trajectory_reader *reader, size_t frame);
bool rill_trajectory_has_velocities(const struct rill_trajectory_reader *reader);
bool rill_trajectory_is_periodic(const struct rill_trajectory_reader *reader);
/* What was guessed, omitted or repaired, one line each without a final newline; "" for nothing.  To be shown once. */
const char *rill_trajectory_note(const struct rill_trajectory_reader *reader);
/* The stored expanded deck and other facts; "" or NaN when the file has none.  Borrowed from the reader. */
const char *rill_trajectory_deck(const struct rill_trajectory_reader *reader);
const char *rill_trajectory_creator(const struct rill_trajectory_reader *reader);
double rill_trajectory_degrees_of_freedom(const struct rill_trajectory_reader *reader);
double rill_trajectory_step(const struct rill_trajectory_reader *reader); /* ps */
/* Step and time of a frame: ps, NaN when the file has no times. */
enum rill_status rill_trajectory_time(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step,
                                      double *time, struct rill_error *error);
/* positions and velocities: [molecules][3][3], nm and nm/ps, allocated by the caller; velocities and box ([3][3], nm,
 * zeros in vacuum) may be NULL.  time: ps, NaN when the file has none.  RILL_ERROR_INPUT for a frame with a number
 * that is not finite or not possible for water. */
enum rill_status rill_trajectory_read(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step,
                                      double *time, double *positions, double *velocities, double *box,
                                      struct rill_error *error);
/* The result of checking all frames of a trajectory. */
struct rill_trajectory_survey {
  size_t damaged;                 /* frames with a number that is not finite, or impossible */
  struct rill_error first_damage; /* the fault of the first damaged frame */
  size_t disordered;              /* frames whose step or time does not exceed that of the frame before */
  size_t first_disordered;        /* index of the first such frame, from 0 */
  bool box_changes;
};
/* Reads all frames, with velocities where they exist; RILL_ERROR_INPUT for a frame that cannot be read. */
enum rill_status rill_trajectory_survey(struct rill_trajectory_reader *reader, struct rill_trajectory_survey *survey,
                                        struct rill_error *error);
/* Reads columns, by name, of a table that rill_trajectory_append_table wrote: *values is [count][*rows], released by
 * the caller with rill_release.  RILL_ERROR_INPUT when the table or a column does not exist. */
enum rill_status rill_trajectory_read_columns(struct rill_trajectory_reader *reader, const char *table, size_t count,
                                              const char *const *names, size_t *rows, double **values,
                                              struct rill_error *error);
/* Reads all of a table: *values is [*rows][*columns], released by the caller with rill_release. */
enum rill_status rill_trajectory_read_table(struct rill_trajectory_reader *reader, const char *table, size_t *rows,
                                            size_t *columns, double **values, struct rill_error *error);
void rill_trajectory_reader_close(struct rill_trajectory_reader *reader);

#endif
