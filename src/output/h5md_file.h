/* Reads an H5MD file of water in the calling process.  Use it inside a sandbox (output/sandbox.h), because damaged
 * files can crash HDF5.  output/trajectory.h documents which files are read, and how. */
#ifndef RILL_OUTPUT_H5MD_FILE_H
#define RILL_OUTPUT_H5MD_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct rill_h5md;

struct rill_h5md_facts {
  size_t frames, molecules; /* molecules of all replicas */
  size_t replicas;          /* 1, or more, which divides the molecules */
  bool velocities, periodic, times;
  bool own;                               /* written by rill: atoms in the order O, H, H and molecules whole */
  double degrees_of_freedom, step_length; /* NaN when the file has none */
  char creator[512];
  char note[1024]; /* what was guessed, omitted or repaired, one line each */
};

/* path: for messages; the caller keeps it and the descriptor until the file is closed. */
enum rill_status rill_h5md_open(const char *path, int descriptor, struct rill_h5md **file, struct rill_error *error);
void rill_h5md_close(struct rill_h5md *file);
const struct rill_h5md_facts *rill_h5md_facts(const struct rill_h5md *file);
const char *rill_h5md_deck(const struct rill_h5md *file); /* "" for none */

/* Steps, and times in ps (NaN when the file has none), of `count` existing frames from `first`. */
enum rill_status rill_h5md_read_axes(struct rill_h5md *file, size_t first, size_t count, int64_t *steps,
                                     double *times, struct rill_error *error);
/* Reads vectors without checking that they are finite: edges [count][3][3], zeros in vacuum; positions and velocities
 * [count][molecules][3][3] in nm, nm/ps, in the order O, H, H; velocities may be NULL. */
enum rill_status rill_h5md_read_frames(struct rill_h5md *file, size_t first, size_t count, double *edges,
                                       double *positions, double *velocities, struct rill_error *error);
/* Reads columns of /parameters/rill/TABLE by name: *values is [count][*rows], from rill_allocate. */
enum rill_status rill_h5md_read_columns(struct rill_h5md *file, const char *table, size_t count,
                                        const char *const *names, size_t *rows, double **values,
                                        struct rill_error *error);
/* Reads all of /parameters/rill/TABLE: *values is [*rows][*columns], from rill_allocate. */
enum rill_status rill_h5md_read_table(struct rill_h5md *file, const char *table, size_t *rows, size_t *columns,
                                      double **values, struct rill_error *error);

#endif
