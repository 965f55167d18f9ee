/* Writing HDF5 so that a killed run leaves a readable file: objects without timestamps, datasets that grow by
 * rows. */
#ifndef RILL_OUTPUT_H5_WRITE_H
#define RILL_OUTPUT_H5_WRITE_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/archive.h"
#include "base/status.h"
#include "output/h5_sums.h"

enum {
  RILL_H5_CHUNK_BYTES = 64 * 1024,
  RILL_H5_CHUNK_FRAMES_MAX = 256,
  RILL_H5_CHUNK_STEPS = 1024,
  RILL_H5_METADATA_SLACK = 64 * 1024,
  RILL_H5_RANK_MAX = 3
};

/* Creates objects by absolute path; after a first failure all further calls do nothing. */
struct rill_h5_layout {
  hid_t file;
  bool failed;
  struct rill_h5_sums *sums; /* sums of the datasets that do not change; NULL: not needed */
};

/* A dataset that grows by rows along its first dimension. */
struct rill_h5_rows {
  hid_t dataset;
  hid_t type; /* of a row in memory, same as in the file */
  int rank;
  hsize_t extent[RILL_H5_RANK_MAX]; /* [0]: number of rows */
  hsize_t chunk[RILL_H5_RANK_MAX];
  size_t bytes;            /* of a row */
  struct rill_h5_sum *sum; /* of all rows, updated as they are appended; borrowed; NULL: not needed */
};

void rill_h5_checked(struct rill_h5_layout *layout, herr_t result);
void rill_h5_make_group(struct rill_h5_layout *layout, const char *path);
/* One to which links are added later, so that the file can be read after each write: their names may have some 2000
 * characters in all. */
void rill_h5_make_growing_group(struct rill_h5_layout *layout, const char *path);
/* rank 0: a scalar. */
void rill_h5_put_attribute(struct rill_h5_layout *layout, const char *path, const char *name, hid_t type, int rank,
                           hsize_t length, const void *value);
/* Replaces the value of an existing attribute by one of the same size. */
void rill_h5_replace_attribute(struct rill_h5_layout *layout, const char *path, const char *name, hid_t type,
                               const void *value);
/* Writes a text that can later be replaced by another: it gets `room` bytes, or as many as it needs. */
void rill_h5_put_roomy_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text,
                            size_t room);
void rill_h5_replace_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text);
/* size: H5T_VARIABLE, or the bytes of a fixed-length string including its final zero.  Closed by the caller. */
hid_t rill_h5_string_type(struct rill_h5_layout *layout, size_t size, bool utf8);
bool rill_h5_is_ascii(const char *text);
void rill_h5_put_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text);
/* Writes strings of fixed length, that of the longest. */
void rill_h5_put_words(struct rill_h5_layout *layout, const char *path, const char *name, size_t count,
                       const char *const *words);
/* Writes a string of variable length.  It is stored in a heap of the file, where damage has more severe effects, so
 * use it only where readers accept no other form: MDAnalysis 2.4 does not accept units of fixed length. */
void rill_h5_put_variable_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text);
void rill_h5_put_unit(struct rill_h5_layout *layout, const char *path, const char *unit);
/* A dataset that does not change.  rank 0: a scalar. */
void rill_h5_put_dataset(struct rill_h5_layout *layout, const char *path, hid_t file_type, hid_t memory_type,
                         int rank, const hsize_t *dimensions, const void *values);
void rill_h5_link(struct rill_h5_layout *layout, const char *target, const char *path);

/* extent and chunk: [rank]; extent[0] is ignored, as there are no rows yet.  path NULL: to be linked later
 * (H5Olink). */
void rill_h5_make_rows(struct rill_h5_layout *layout, const char *path, hid_t file_type, hid_t memory_type, int rank,
                       const hsize_t *extent, hsize_t chunk_rows, struct rill_h5_rows *rows);
/* Assigns a sum to rows that were created without a path, once they have one. */
void rill_h5_sum_rows(struct rill_h5_layout *layout, const char *path, struct rill_h5_rows *rows);
/* The access properties for reopening rows: no chunk cache.  Closed by the caller. */
hid_t rill_h5_row_access(struct rill_h5_layout *layout);
/* Upper bound on the bytes that `count` more rows add to the file. */
size_t rill_h5_rows_growth(const struct rill_h5_rows *rows, size_t count);
/* values: [count][row]. */
bool rill_h5_rows_append(struct rill_h5_rows *rows, size_t count, const void *values);

/* Makes sure that the file is allowed to grow, and can grow, by `bytes` before HDF5 changes it.  descriptor: a second
 * one of the file; frames: the number of frames kept if it cannot, for the message.  RILL_ERROR_WRITE. */
enum rill_status rill_h5_reserve(hid_t file, int descriptor, const char *path, unsigned long long frames,
                                 size_t bytes, struct rill_error *error);

/* Opens (creates) the file on our own descriptor: the system's error messages are clearer than HDF5's.  An existing
 * file is an error (RILL_ERROR_OUTPUT) unless replace. */
enum rill_status rill_h5_open_descriptor(const char *path, bool replace, int *descriptor, long long *old_size,
                                         struct rill_error *error);
/* After a failure to create the file: removes it if it is new, or if the content of the old one is already lost. */
void rill_h5_discard(const char *path, int descriptor, long long old_size);
/* Negative when it fails. */
hid_t rill_h5_create_file(const char *path);

/* Writes the present state of the file to the archive, so that _reopen_file can restore it. */
enum rill_status rill_h5_keep_file(hid_t file, const char *path, struct rill_h5_sums *sums,
                                   struct rill_archive *archive, struct rill_error *error);
/* Before a file is closed permanently: writes the sums of all rows to the archive.  The archive must stay in its
 * present group until the file is closed, when its metadata are added. */
enum rill_status rill_h5_seal_file(hid_t file, const char *path, struct rill_h5_sums *sums,
                                   struct rill_archive *archive, struct rill_error *error);
/* Whether the file still has all data that it had when it was kept (it may have grown since); sealed: whether it is
 * exactly as it was sealed.  Reads the whole file and changes nothing.  The message of RILL_ERROR_INPUT says what is
 * missing or damaged. */
enum rill_status rill_h5_check(const char *path, struct rill_archive *archive, bool sealed, struct rill_error *error);
/* Opens the file for reading in the state in which it was kept, after the same check. */
enum rill_status rill_h5_open_kept(const char *path, struct rill_h5_sums *sums, struct rill_archive *archive,
                                   hid_t *file, struct rill_error *error);
/* Restores the file to its state when the archive was written, and opens it to be continued; *descriptor as in
 * rill_h5_open_descriptor.  RILL_ERROR_INPUT for a file that is missing, truncated or another one; RILL_ERROR_OUTPUT
 * for a file in use. */
enum rill_status rill_h5_reopen_file(const char *path, struct rill_h5_sums *sums, struct rill_archive *archive,
                                     int *descriptor, hid_t *file, struct rill_error *error);
/* Opens existing rows. */
void rill_h5_open_rows(struct rill_h5_layout *layout, const char *path, hid_t memory_type, struct rill_h5_rows *rows);
/* Creates the index of rows even if there is no row yet: the time of the first row must not change the place of later
 * objects in the file.  row: any values. */
void rill_h5_settle_rows(struct rill_h5_layout *layout, struct rill_h5_rows *rows, const void *row);

#endif
