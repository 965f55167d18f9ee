/* A read-only file driver for HDF5 over an open descriptor: HDF5 itself opens no file. */
#ifndef RILL_OUTPUT_DESCRIPTOR_DRIVER_H
#define RILL_OUTPUT_DESCRIPTOR_DRIVER_H

#include <hdf5.h>

/* Makes a file access property list use the descriptor, whatever name H5Fopen is given.  The caller owns the
 * descriptor and closes it after the file.  Negative on failure. */
herr_t rill_descriptor_driver_set(hid_t access, int descriptor);

#endif
