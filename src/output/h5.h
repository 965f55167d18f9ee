/* What the writer and the reader of H5MD share: HDF5 kept quiet, and its reason turned into our message. */
#ifndef RILL_OUTPUT_H5_H
#define RILL_OUTPUT_H5_H

#include <hdf5.h>
#include <stdbool.h>

#include "base/status.h"

/* Starts HDF5, before files are made: where memory is short HDF5 1.10 can crash while it starts. */
void rill_h5_prepare(void);
/* The process uses HDF5 for rill alone: its clean-up at exit is left out.  After an I/O error it can crash while it closes a
 * file, and whatever we promise to be on disk has been flushed already.  Before all other calls. */
void rill_h5_own_process(void);

/* HDF5 is used by one thread at a time, does not print its errors, and loads no plugins, which a file can ask for; as the process
 * has set it, outside of these sections.  They may lie in one another. */
struct rill_h5_section {
  bool outermost;
  H5E_auto2_t report;
  void *report_data;
  unsigned plugins;
};
struct rill_h5_section rill_h5_enter(void);
void rill_h5_leave(struct rill_h5_section *section);
/* From here to the end of the function. */
#define RILL_H5_SECTION                                                                      \
  struct rill_h5_section h5_section __attribute__((cleanup(rill_h5_leave))) = rill_h5_enter(); \
  (void)h5_section

/* Sets "PATH: DOING: REASON", the reason taken from the innermost entry of HDF5's error stack; returns status. */
enum rill_status rill_h5_error(struct rill_error *error, enum rill_status status, const char *path, const char *doing);

/* rill_allocate in the midst of calls of HDF5: that memory is out becomes a reason for rill_h5_error. */
void *rill_h5_allocate(size_t count, size_t size) __attribute__((malloc));

/* Closes any identifier (file, group, dataset, type, ...); accepts a negative one.  Reasons of an earlier
 * failure, which HDF5 forgets with its next call, are kept for rill_h5_error. */
void rill_h5_close(hid_t identifier);

#endif
