/* An H5MD file of water, read in the calling process: for use inside a sandbox (output/sandbox.h), since HDF5 does
 * not bear every damaged file.  output/trajectory.h says what is read, and how. */
#ifndef RILL_OUTPUT_H5MD_FILE_H
#define RILL_OUTPUT_H5MD_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct rill_h5md;

struct rill_h5md_facts {
  size_t frames, molecules;
  bool velocities, periodic, times;
  bool own;                               /* written by rill: O, H, H and whole by construction */
  double degrees_of_freedom, step_length; /* NaN when the file has none */
  char creator[512];
  char note[1024];                        /* what was guessed, left out or repaired, a line each */
};

/* path: for messages, the caller's until the file is closed, as is the descriptor. */
enum rill_status rill_h5md_open(const char *path, int descriptor, struct rill_h5md **file, struct rill_error *error);
void rill_h5md_close(struct rill_h5md *file);
const struct rill_h5md_facts *rill_h5md_facts(const struct rill_h5md *file);
const char *rill_h5md_deck(const struct rill_h5md *file); /* "" for none */

/* Of `count` frames from `first`, which are there: steps, and times in ps, NaN for none. */
enum rill_status rill_h5md_read_axes(struct rill_h5md *file, size_t first, size_t count, int64_t *steps,
                                     double *times, struct rill_error *error);
/* The vectors as they are in the file, finite or not: edges [count][3][3], zeros in vacuum; positions and velocities
 * [count][molecules][3][3] in nm, nm/ps, in the order O, H, H; velocities may be NULL. */
enum rill_status rill_h5md_read_frames(struct rill_h5md *file, size_t first, size_t count, double *edges,
                                       double *positions, double *velocities, struct rill_error *error);
/* Columns of /parameters/rill/TABLE by name: *values gets [count][*rows], from rill_allocate. */
enum rill_status rill_h5md_read_columns(struct rill_h5md *file, const char *table, size_t count,
                                        const char *const *names, size_t *rows, double **values,
                                        struct rill_error *error);

#endif
