/* Trajectories in H5MD 1.1, laid out for MDAnalysis and VMD, safe against a kill at any moment: a frame is there with
 * all that belongs to it, or it is not there at all. */
#ifndef RILL_OUTPUT_TRAJECTORY_H
#define RILL_OUTPUT_TRAJECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/status.h"

/* What a trajectory says of itself; all borrowed for the call of rill_trajectory_create only. */
struct rill_trajectory_header {
  size_t molecules;
  const double *mass;        /* [3]: O, H, H; u */
  const double *charge;      /* [3]: e */
  bool periodic;
  const char *version;       /* of the program */
  const char *deck;          /* the expanded deck */
  size_t deck_room;          /* bytes for it and the decks of continuations, which may differ a little */
  uint64_t seed;
  double degrees_of_freedom;
  double step;               /* ps */
  bool velocities;
  bool double_precision;
  bool replace;              /* an existing file is replaced (--force); otherwise it is an error */
};

struct rill_trajectory_frame {
  uint64_t step;
  double time;                 /* ps */
  const double *positions;     /* [molecules][3][3], nm, unwrapped, whole */
  const double *velocities;    /* the same shape, nm/ps; NULL unless the header has velocities */
  const double *box;           /* [3][3], nm; NULL in vacuum */
};

struct rill_table_fact {
  const char *name;
  double value;
};

/* A named table of doubles kept in /parameters/rill/NAME: columns with units (series, rdf). */
struct rill_table {
  const char *name;
  size_t rows, columns;
  const char *const *column_names;
  const char *const *column_units;
  const double *values;        /* [rows][columns] */
  const char *description;
  const struct rill_table_fact *facts; /* numbers of the whole table, which later calls replace: attributes; may be NULL */
  size_t fact_count;
};

struct rill_trajectory_writer;
struct rill_trajectory_reader;

/* Errors: RILL_ERROR_OUTPUT when the file exists or cannot be made.  Nothing of the path, user or host is stored. */
enum rill_status rill_trajectory_create(const char *path, const struct rill_trajectory_header *header,
                                        struct rill_trajectory_writer **writer, struct rill_error *error);
/* RILL_ERROR_WRITE when the disk or the limit on file sizes is full: found out before the frame begins, so that all
 * frames so far are in order and the writer can be closed. */
enum rill_status rill_trajectory_append(struct rill_trajectory_writer *writer, const struct rill_trajectory_frame *frame,
                                        struct rill_error *error);
/* Appended rows become durable in the same way as frames; the first call, which may have no rows, fixes columns; later
 * calls append rows.
 * In the file: group /parameters/rill/NAME with the attributes columns, units, description and the dataset values. */
enum rill_status rill_trajectory_append_table(struct rill_trajectory_writer *writer, const struct rill_table *table,
                                              struct rill_error *error);
/* Resuming: _keep writes to the archive what the file holds now; _resume takes away what came after that,
 * whatever state a killed process left it in, and continues to the same bytes as a writer that was never stopped.  Tables
 * that are to come should be made (without rows) at the beginning.  header: that of the creation; another deck takes the old
 * one's place. */
enum rill_status rill_trajectory_keep(struct rill_trajectory_writer *writer, struct rill_archive *archive,
                                      struct rill_error *error);
enum rill_status rill_trajectory_resume(const char *path, const struct rill_trajectory_header *header,
                                        struct rill_archive *archive, struct rill_trajectory_writer **writer,
                                        struct rill_error *error);
/* The file as it was when it was kept, after a check of all its numbers, to be closed: whether _resume can succeed is known before anything is changed.  RILL_ERROR_INPUT. */
enum rill_status rill_trajectory_open_kept(const char *path, const struct rill_trajectory_header *header,
                                           struct rill_archive *archive, struct rill_trajectory_writer **writer,
                                           struct rill_error *error);
/* Before a file is closed for good: writes the checksums of what it holds to the archive, which gets more while the file is
 * closed, and must stay until then in its present group. */
enum rill_status rill_trajectory_seal(struct rill_trajectory_writer *writer, struct rill_archive *archive,
                                      struct rill_error *error);
/* Of a trajectory or of the series of a small system: whether the file has all that it had when it was kept, whatever came after it; sealed: whether it is exactly what was
 * sealed.  All of it is read, and nothing changed.  RILL_ERROR_INPUT says what is missing or damaged. */
enum rill_status rill_trajectory_check(const char *path, struct rill_archive *archive, bool sealed,
                                       struct rill_error *error);
/* Closes and releases; accepts NULL.  After a failure inside HDF5 the file is left as committed, without a further touch
 * (HDF5 keeps its handle until the process ends: closing could crash). */
enum rill_status rill_trajectory_close(struct rill_trajectory_writer *writer, struct rill_error *error);

/* Reads what rill wrote, and other programs' H5MD files of water with positions of shape [F][3N][3], in any particle
 * group; units are converted.  Which of another program's atoms are oxygens is found from the distances in the first frame
 * that is finite (output/atom_order.h), to which species must not be contrary; molecules broken across the box are made
 * whole.  Frames are those that were committed: rows of value beyond the length of step do not count.  The file is not
 * locked and may still be written by another process; frames that came after the opening are not seen.
 * Errors: RILL_ERROR_INPUT, also where the order of the atoms cannot be told. */
enum rill_status rill_trajectory_open(const char *path, struct rill_trajectory_reader **reader, struct rill_error *error);
size_t rill_trajectory_frames(const struct rill_trajectory_reader *reader);
size_t rill_trajectory_molecules(const struct rill_trajectory_reader *reader);
bool rill_trajectory_has_velocities(const struct rill_trajectory_reader *reader);
bool rill_trajectory_is_periodic(const struct rill_trajectory_reader *reader);
/* What was guessed, left out or repaired, a line each without a final newline; "" for nothing.  To be shown once. */
const char *rill_trajectory_note(const struct rill_trajectory_reader *reader);
/* The stored expanded deck and other facts; "" or NaN when the file has none.  Borrowed from the reader. */
const char *rill_trajectory_deck(const struct rill_trajectory_reader *reader);
const char *rill_trajectory_creator(const struct rill_trajectory_reader *reader);
double rill_trajectory_degrees_of_freedom(const struct rill_trajectory_reader *reader);
double rill_trajectory_step(const struct rill_trajectory_reader *reader); /* ps */
/* Of a frame: time in ps, NaN when the file has none. */
enum rill_status rill_trajectory_time(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step, double *time,
                                      struct rill_error *error);
/* positions and velocities: [molecules][3][3], nm and nm/ps, given by the caller; velocities and box ([3][3], nm, zeros
 * in vacuum) may be NULL.  time: ps, NaN when the file has none.  RILL_ERROR_INPUT for a frame with a number that is
 * not finite, or that no frame of water can have. */
enum rill_status rill_trajectory_read(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step, double *time,
                                      double *positions, double *velocities, double *box, struct rill_error *error);
/* All frames of a trajectory. */
struct rill_trajectory_survey {
  size_t damaged;                 /* frames with a number that is not finite or impossible */
  struct rill_error first_damage; /* what is wrong with the first of these */
  size_t disordered;              /* frames whose step or time does not come after that of the frame before */
  size_t first_disordered;        /* the first of these, from 0 */
  bool box_changes;
};
/* Reads them all, with velocities where there are some; RILL_ERROR_INPUT for a frame that cannot be read. */
enum rill_status rill_trajectory_survey(struct rill_trajectory_reader *reader, struct rill_trajectory_survey *survey,
                                        struct rill_error *error);
/* Columns of a table that rill_trajectory_append_table wrote, by name: *values gets [count][*rows], released by the
 * caller with rill_release.  RILL_ERROR_INPUT when the table or a column is not there. */
enum rill_status rill_trajectory_read_columns(struct rill_trajectory_reader *reader, const char *table, size_t count,
                                              const char *const *names, size_t *rows, double **values,
                                              struct rill_error *error);
void rill_trajectory_reader_close(struct rill_trajectory_reader *reader);

#endif
