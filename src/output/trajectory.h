/* Trajectories in H5MD 1.1, laid out for MDAnalysis and VMD, safe against a kill at any moment: per frame the values are
 * written and flushed, then step and time and flushed; the number of committed frames is the length of `step`. */
#ifndef RILL_OUTPUT_TRAJECTORY_H
#define RILL_OUTPUT_TRAJECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* What a trajectory says of itself; all borrowed for the call of rill_trajectory_create only. */
struct rill_trajectory_header {
  size_t molecules;
  const double *mass;        /* [3]: O, H, H; u */
  const double *charge;      /* [3]: e */
  bool periodic;
  const char *version;       /* of the program */
  const char *deck;          /* the expanded deck */
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

/* A named table of doubles kept in /parameters/rill/NAME: columns with units (series, rdf). */
struct rill_table {
  const char *name;
  size_t rows, columns;
  const char *const *column_names;
  const char *const *column_units;
  const double *values;        /* [rows][columns] */
  const char *description;
};

struct rill_trajectory_writer;
struct rill_trajectory_reader;

enum rill_status rill_trajectory_create(const char *path, const struct rill_trajectory_header *header,
                                        struct rill_trajectory_writer **writer, struct rill_error *error);
enum rill_status rill_trajectory_append(struct rill_trajectory_writer *writer, const struct rill_trajectory_frame *frame,
                                        struct rill_error *error);
/* Appended rows become durable in the same way as frames; the first call fixes columns; later calls append rows. */
enum rill_status rill_trajectory_append_table(struct rill_trajectory_writer *writer, const struct rill_table *table,
                                              struct rill_error *error);
/* Closes and releases; accepts NULL.  After a write error the file is left as committed. */
enum rill_status rill_trajectory_close(struct rill_trajectory_writer *writer, struct rill_error *error);

/* Reads what rill wrote, and other programs' H5MD files with positions of shape [F][3N][3] in O, H, H order. */
enum rill_status rill_trajectory_open(const char *path, struct rill_trajectory_reader **reader, struct rill_error *error);
size_t rill_trajectory_frames(const struct rill_trajectory_reader *reader);
size_t rill_trajectory_molecules(const struct rill_trajectory_reader *reader);
bool rill_trajectory_has_velocities(const struct rill_trajectory_reader *reader);
bool rill_trajectory_is_periodic(const struct rill_trajectory_reader *reader);
/* The stored expanded deck and other facts; "" or NaN when the file has none.  Borrowed from the reader. */
const char *rill_trajectory_deck(const struct rill_trajectory_reader *reader);
const char *rill_trajectory_creator(const struct rill_trajectory_reader *reader);
/* positions and velocities: [molecules][3][3], given by the caller; velocities and box may be NULL. */
enum rill_status rill_trajectory_read(struct rill_trajectory_reader *reader, size_t frame, uint64_t *step, double *time,
                                      double *positions, double *velocities, double *box, struct rill_error *error);
void rill_trajectory_reader_close(struct rill_trajectory_reader *reader);

#endif
