/* Reading HDF5 files of unknown origin: objects are inspected before they are read.  Only objects inside the file are
 * read. Links other than hard ones, data stored in other files, and filters other than HDF5's own, which would load
 * code, are refused. */
#ifndef RILL_OUTPUT_H5_READ_H
#define RILL_OUTPUT_H5_READ_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { RILL_H5_TEXT = 256 };

struct rill_h5_source {
  const char *path; /* for messages; borrowed */
  hid_t file;
  hsize_t bytes;             /* of the file */
  enum rill_status trouble;  /* a failure to read something optional, which must not be taken for missing */
  struct rill_error refusal; /* the refused object and the reason; without a message when nothing was refused */
};

/* expected: what the file should be, for messages.  RILL_ERROR_INPUT. */
enum rill_status rill_h5_source_open(struct rill_h5_source *source, const char *path, int descriptor,
                                     const char *expected, struct rill_error *error);
void rill_h5_source_close(struct rill_h5_source *source);
/* RILL_OK, or the first refusal or read failure so far. */
enum rill_status rill_h5_source_trouble(const struct rill_h5_source *source, struct rill_error *error);
/* Returns `answer`; records trouble when it is false: HDF5 failed, or the data are damaged. */
bool rill_h5_answered(struct rill_h5_source *source, bool answer);

/* Whether the path leads to an object, by hard links through groups. */
bool rill_h5_exists(struct rill_h5_source *source, hid_t location, const char *path);
/* Negative when there is no such dataset. */
hid_t rill_h5_open_dataset(struct rill_h5_source *source, hid_t location, const char *path);
hid_t rill_h5_open_attribute(struct rill_h5_source *source, hid_t location, const char *path, const char *name);
/* Reads up to count strings of an attribute, of fixed or variable length; returns how many there are, 0 when it is
 * missing or of another type. */
size_t rill_h5_read_words(struct rill_h5_source *source, hid_t location, const char *path, const char *name,
                          size_t count, char (*words)[RILL_H5_TEXT]);
/* The only string of a dataset, or of the attribute `name` of an object; released by the caller; NULL when there is
 * none. */
char *rill_h5_read_text(struct rill_h5_source *source, const char *path, const char *name);
/* The same for a text padded with zeros: a text with other bytes after its first zero is damaged. */
char *rill_h5_read_filled_text(struct rill_h5_source *source, const char *path, const char *name);
/* Reads an attribute that is a scalar number; the value is unchanged when it is missing or of another type. */
void rill_h5_read_number(struct rill_h5_source *source, hid_t location, const char *path, const char *name,
                         hid_t memory_type, void *number);
H5T_class_t rill_h5_class_of(struct rill_h5_source *source, hid_t dataset);
/* Rank and extent of a dataset of numbers of the given class; -1 when the dataset is not of this class. */
int rill_h5_shape_of(struct rill_h5_source *source, hid_t dataset, H5T_class_t class, hsize_t extent[4]);
/* Whether the file can contain `count` items of that size; checked before memory for them is allocated. */
bool rill_h5_can_hold(const struct rill_h5_source *source, hsize_t count, size_t size);
/* Visits everything in a file, in a sandbox: objects, links, attributes, chunk indices.  Thus damage is found before
 * the file is opened for writing.  Errors are those of rill_sandbox_run. */
enum rill_status rill_h5_probe(const char *path, int descriptor, struct rill_error *error);
/* Reads `count` rows of the first dimension, starting at `row`. */
bool rill_h5_read_rows(hid_t dataset, hid_t memory_type, size_t row, size_t count, void *values);

#endif
