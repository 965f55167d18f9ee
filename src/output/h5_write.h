/* Writing HDF5 so that a killed run leaves a readable file: objects without times, datasets that grow by rows. */
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

/* Creating objects: by absolute path; after a first failure the rest does nothing. */
struct rill_h5_layout {
  hid_t file;
  bool failed;
  struct rill_h5_sums *sums; /* of the datasets that do not change; NULL: nobody asks */
};

/* A dataset that grows by rows along its first dimension. */
struct rill_h5_rows {
  hid_t dataset;
  hid_t type; /* of a row in memory, equal to that in the file */
  int rank;
  hsize_t extent[RILL_H5_RANK_MAX]; /* [0]: rows so far */
  hsize_t chunk[RILL_H5_RANK_MAX];
  size_t bytes;            /* of a row */
  struct rill_h5_sum *sum; /* of all rows, kept up as they are appended; borrowed; NULL: nobody asks */
};

void rill_h5_checked(struct rill_h5_layout *layout, herr_t result);
void rill_h5_make_group(struct rill_h5_layout *layout, const char *path);
/* rank 0: a scalar. */
void rill_h5_put_attribute(struct rill_h5_layout *layout, const char *path, const char *name, hid_t type, int rank,
                           hsize_t length, const void *value);
/* Gives an attribute that is there another value of the same size. */
void rill_h5_replace_attribute(struct rill_h5_layout *layout, const char *path, const char *name, hid_t type,
                               const void *value);
/* A text with room to be replaced by another: room bytes, or as many as it needs. */
void rill_h5_put_roomy_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text,
                            size_t room);
void rill_h5_replace_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text);
/* size H5T_VARIABLE or the bytes of a fixed-length string with its final zero.  To be closed by the caller. */
hid_t rill_h5_string_type(struct rill_h5_layout *layout, size_t size, bool utf8);
bool rill_h5_is_ascii(const char *text);
void rill_h5_put_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text);
/* Strings of fixed length, as long as the longest. */
void rill_h5_put_words(struct rill_h5_layout *layout, const char *path, const char *name, size_t count,
                       const char *const *words);
/* A string of variable length, which lies in a heap of the file, where damage is harder to bear: only for what readers
 * take in no other form.  MDAnalysis 2.4 knows no unit of fixed length. */
void rill_h5_put_variable_text(struct rill_h5_layout *layout, const char *path, const char *name, const char *text);
void rill_h5_put_unit(struct rill_h5_layout *layout, const char *path, const char *unit);
/* A dataset that does not change.  rank 0: a scalar. */
void rill_h5_put_dataset(struct rill_h5_layout *layout, const char *path, hid_t file_type, hid_t memory_type,
                         int rank, const hsize_t *dimensions, const void *values);
void rill_h5_link(struct rill_h5_layout *layout, const char *target, const char *path);

/* extent and chunk: [rank]; extent[0] is ignored: no rows yet.  path NULL: to be linked later (H5Olink). */
void rill_h5_make_rows(struct rill_h5_layout *layout, const char *path, hid_t file_type, hid_t memory_type, int rank,
                       const hsize_t *extent, hsize_t chunk_rows, struct rill_h5_rows *rows);
/* Rows that are made without a path get their sum when they have one. */
void rill_h5_sum_rows(struct rill_h5_layout *layout, const char *path, struct rill_h5_rows *rows);
/* How rows are opened again: without a chunk cache.  To be closed by the caller. */
hid_t rill_h5_row_access(struct rill_h5_layout *layout);
/* Most bytes that `count` more rows can add to the file. */
size_t rill_h5_rows_growth(const struct rill_h5_rows *rows, size_t count);
/* values: [count][row]. */
bool rill_h5_rows_append(struct rill_h5_rows *rows, size_t count, const void *values);

/* Makes sure that the file may and can grow by `bytes`, before HDF5 begins to change it.  descriptor: a second one of
 * the file; frames: those that are kept when it cannot, for the message.  RILL_ERROR_WRITE. */
enum rill_status rill_h5_reserve(hid_t file, int descriptor, const char *path, unsigned long long frames,
                                 size_t bytes, struct rill_error *error);

/* Opens (creates) the file on a descriptor of our own: the system's reasons are clearer than HDF5's.  An existing
 * file is an error (RILL_ERROR_OUTPUT) unless replace. */
enum rill_status rill_h5_open_descriptor(const char *path, bool replace, int *descriptor, long long *old_size,
                                         struct rill_error *error);
/* After a failure to make the file: removes it when it is new, or when the old one's content is gone already. */
void rill_h5_discard(const char *path, int descriptor, long long old_size);
/* Negative when it fails. */
hid_t rill_h5_create_file(const char *path);

/* Writes what the file holds now to the archive, so that _reopen_file can put it back. */
enum rill_status rill_h5_keep_file(hid_t file, const char *path, struct rill_h5_sums *sums, struct rill_archive *archive,
                                   struct rill_error *error);
/* For a file that is about to be closed for good: writes the sums of all rows to the archive, which must stay, in its present
 * group, until the file is closed: then its metadata are added. */
enum rill_status rill_h5_seal_file(hid_t file, const char *path, struct rill_h5_sums *sums, struct rill_archive *archive,
                                   struct rill_error *error);
/* Whether the file still has all that it had when it was kept (more may have come since); sealed: whether it is exactly what
 * was sealed.  All of it is read, nothing changed.  RILL_ERROR_INPUT says what is missing or damaged. */
enum rill_status rill_h5_check(const char *path, struct rill_archive *archive, bool sealed, struct rill_error *error);
/* The file as it was when it was kept, for reading, after that check. */
enum rill_status rill_h5_open_kept(const char *path, struct rill_h5_sums *sums, struct rill_archive *archive, hid_t *file,
                                   struct rill_error *error);
/* The file as it was when the archive was written, to be continued; *descriptor as of rill_h5_open_descriptor.
 * RILL_ERROR_INPUT for a file that is missing, was cut or is another; RILL_ERROR_OUTPUT for one in use. */
enum rill_status rill_h5_reopen_file(const char *path, struct rill_h5_sums *sums, struct rill_archive *archive,
                                     int *descriptor, hid_t *file, struct rill_error *error);
/* Rows that are there already. */
void rill_h5_open_rows(struct rill_h5_layout *layout, const char *path, hid_t memory_type, struct rill_h5_rows *rows);
/* Makes sure that the index of rows is there, although no row is: whether and when rows come must not move what lies behind
 * it.  row: any. */
void rill_h5_settle_rows(struct rill_h5_layout *layout, struct rill_h5_rows *rows, const void *row);

#endif
