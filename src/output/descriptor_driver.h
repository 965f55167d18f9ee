/* A read-only file driver for HDF5 over a descriptor that is open already: HDF5 itself opens nothing. */
#ifndef RILL_OUTPUT_DESCRIPTOR_DRIVER_H
#define RILL_OUTPUT_DESCRIPTOR_DRIVER_H

#include <hdf5.h>

/* Makes a file access property list use the descriptor, whatever name H5Fopen is given; it stays the caller's, who
 * closes it after the file.  Negative on failure. */
herr_t rill_descriptor_driver_set(hid_t access, int descriptor);

#endif
