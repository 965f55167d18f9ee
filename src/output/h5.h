/* Shared by the writer and the reader of H5MD: keeps HDF5 quiet, and turns its errors into our messages. */
#ifndef RILL_OUTPUT_H5_H
#define RILL_OUTPUT_H5_H

#include <hdf5.h>
#include <stdbool.h>

#include "base/status.h"

/* Initialises HDF5, before files are created: when memory is short HDF5 1.10 can crash during initialisation. */
void rill_h5_prepare(void);
/* Declares that the process uses HDF5 only for rill, and skips its clean-up at exit.  After an I/O error HDF5 can
 * crash when it closes a file, and all data that must be on disk have been flushed before.  Call it before all other
 * functions. */
void rill_h5_own_process(void);

/* Within a section HDF5 is used by one thread only, prints no errors, and loads no plugins, which a file can request;
 * outside, the settings of the process apply.  Sections may be nested. */
struct rill_h5_section {
  bool outermost;
  H5E_auto2_t report;
  void *report_data;
  unsigned plugins;
};
struct rill_h5_section rill_h5_enter(void);
void rill_h5_leave(struct rill_h5_section *section);
/* A section from here to the end of the block. */
#define RILL_H5_SECTION                                                                                              \
  struct rill_h5_section h5_section __attribute__((cleanup(rill_h5_leave))) = rill_h5_enter();                       \
  (void)h5_section

/* Sets "PATH: DOING: REASON", the reason taken from the innermost entry of HDF5's error stack; returns status. */
enum rill_status rill_h5_error(struct rill_error *error, enum rill_status status, const char *path,
                               const char *doing);

/* rill_allocate for use between HDF5 calls: a lack of memory is put on the error stack for rill_h5_error. */
void *rill_h5_allocate(size_t count, size_t size) __attribute__((malloc));

/* Closes any identifier (file, group, dataset, type, ...); accepts a negative one.  The error stack of an earlier
 * failure, which the next call of HDF5 would clear, is preserved for rill_h5_error. */
void rill_h5_close(hid_t identifier);

#endif
