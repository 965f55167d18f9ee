/* What the writer and the reader of H5MD share: HDF5 kept quiet, and its reason turned into our message. */
#ifndef RILL_OUTPUT_H5_H
#define RILL_OUTPUT_H5_H

#include <hdf5.h>

#include "base/status.h"

/* To be called before anything else of HDF5, and before files are made: where memory is short HDF5 1.10 can crash while it
 * starts.  Turns off its error printing, and its clean-up at exit: after an I/O error it can crash while it closes a file,
 * and whatever we promise to be on disk has been flushed already.
 * And its loading of plugins, which a file can ask for. */
void rill_h5_prepare(void);

/* Sets "PATH: DOING: REASON", the reason taken from the innermost entry of HDF5's error stack; returns status. */
enum rill_status rill_h5_error(struct rill_error *error, enum rill_status status, const char *path, const char *doing);

/* rill_allocate in the midst of calls of HDF5: that memory is out becomes a reason for rill_h5_error. */
void *rill_h5_allocate(size_t count, size_t size) __attribute__((malloc));

/* Closes any identifier (file, group, dataset, type, ...); accepts a negative one.  Reasons of an earlier
 * failure, which HDF5 forgets with its next call, are kept for rill_h5_error. */
void rill_h5_close(hid_t identifier);

#endif
