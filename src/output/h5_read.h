/* Reading HDF5 that others may have written: what is there is looked at before it is read.  Only objects inside the
 * file count: links other than hard ones, data kept in other files, and filters other than HDF5's own, which would
 * load code, are refused. */
#ifndef RILL_OUTPUT_H5_READ_H
#define RILL_OUTPUT_H5_READ_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { RILL_H5_TEXT = 256 };

struct rill_h5_source {
  const char *path;         /* for messages; the caller's */
  hid_t file;
  hsize_t bytes;            /* of the file */
  enum rill_status trouble; /* with reading what may be missing: it is not taken for missing */
  struct rill_error refusal; /* what must not be read, with its reason; or no message */
};

/* expected: what the file should be, for messages.  RILL_ERROR_INPUT. */
enum rill_status rill_h5_source_open(struct rill_h5_source *source, const char *path, int descriptor,
                                     const char *expected, struct rill_error *error);
void rill_h5_source_close(struct rill_h5_source *source);
/* RILL_OK, or what was refused or could not be read so far. */
enum rill_status rill_h5_source_trouble(const struct rill_h5_source *source, struct rill_error *error);
/* Is the answer to a question an answer at all?  Otherwise there is trouble. */
bool rill_h5_answered(struct rill_h5_source *source, bool answer);

/* Does the path lead to an object, by hard links through groups? */
bool rill_h5_exists(struct rill_h5_source *source, hid_t location, const char *path);
/* Negative when there is none. */
hid_t rill_h5_open_dataset(struct rill_h5_source *source, hid_t location, const char *path);
hid_t rill_h5_open_attribute(struct rill_h5_source *source, hid_t location, const char *path, const char *name);
/* Up to count strings of an attribute, fixed or variable in length; returns how many there are, 0 for none or others.
 */
size_t rill_h5_read_words(struct rill_h5_source *source, hid_t location, const char *path, const char *name,
                          size_t count, char (*words)[RILL_H5_TEXT]);
/* The one string of a dataset, or of the attribute `name` of an object; released by the caller, NULL for none. */
char *rill_h5_read_text(struct rill_h5_source *source, const char *path, const char *name);
/* The same of a text that is filled up with zeros: one that goes on behind its first zero is damaged. */
char *rill_h5_read_filled_text(struct rill_h5_source *source, const char *path, const char *name);
/* A scalar number of an attribute; left alone when it is missing or something else. */
void rill_h5_read_number(struct rill_h5_source *source, hid_t location, const char *path, const char *name,
                         hid_t memory_type, void *number);
H5T_class_t rill_h5_class_of(struct rill_h5_source *source, hid_t dataset);
/* Rank and extent of a dataset of numbers of the given class; -1 when it is something else. */
int rill_h5_shape_of(struct rill_h5_source *source, hid_t dataset, H5T_class_t class, hsize_t extent[4]);
/* Can the file hold so many things of that size?  Asked before memory for them is. */
bool rill_h5_can_hold(const struct rill_h5_source *source, hsize_t count, size_t size);
/* Visits, in a sandbox, all that a file has: objects, links, attributes, the indices of chunks.  So a damaged file is
 * found out before it is opened for writing.  Errors as of rill_sandbox_run. */
enum rill_status rill_h5_probe(const char *path, int descriptor, struct rill_error *error);
/* `count` rows of the first dimension, from `row`. */
bool rill_h5_read_rows(hid_t dataset, hid_t memory_type, size_t row, size_t count, void *values);

#endif
