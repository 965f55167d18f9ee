/* A file driver for HDF5 that keeps the file whole between any two writes, so that a process can be killed at any moment.
 *
 * HDF5 changes its index in place: when a full node splits, the parent, the halved node and the new one are written one
 * after another, by address, and in front of the superblock with the new end of the file.  A kill in between hides rows
 * that were there before.  This driver writes data through, holds metadata back until HDF5 flushes, and then writes
 *   0. the length of the file, which the superblock must not exceed;
 *   1. what lies beyond the old end of the file: nothing refers to it yet;
 *   2. the superblock with the new end;
 *   3. index nodes that were there before, higher levels first: the parent of a split refers to both halves while the
 *      older node still is whole, and a node that is searched through its parent may hold more than it has to;
 *   4. object headers, which hold the lengths of datasets.
 * Each of these writes stays within a page as long as nodes are aligned (H5Pset_alignment), and is therefore done or not
 * done.  Formats up to V18, with version 1 B-trees, are covered.  In all else the driver is like HDF5's own for POSIX. */
#ifndef RILL_OUTPUT_ORDERED_DRIVER_H
#define RILL_OUTPUT_ORDERED_DRIVER_H

#include <hdf5.h>

#include "base/archive.h"

/* Makes a file access property list use the driver; negative on failure. */
herr_t rill_ordered_driver_set(hid_t access);
/* The same for what rill_ordered_driver_keep wrote to the archive: the file is read as it was at that moment,
 * whatever has become of its end and its metadata; nothing is written.  The archive must stay until the file is
 * closed, and so
 * must the descriptor, which is the caller's; -1: the file is opened by its name. */
herr_t rill_ordered_driver_set_kept(hid_t access, struct rill_archive *kept, int descriptor);

/* Undoing what was written after a certain moment.  A file that grows by rows is put back by its length and the bytes of
 * such metadata as is changed in place: superblock, object headers, and of each index the last node of each level.  All that
 * is held back has to be flushed before.
 *
 * _keep writes the file's present state to the archive; errno tells of a failure. */
bool rill_ordered_driver_keep(hid_t file, struct rill_archive *archive);
/* Whether the file of this descriptor can be put back; RILL_ERROR_INPUT when it cannot be the same file. */
enum rill_status rill_ordered_driver_check_kept(int descriptor, const char *path, struct rill_archive *archive,
                                                struct rill_error *error);
/* Puts the file of this descriptor back.  RILL_ERROR_INPUT when it cannot be the same file; then it is left alone. */
enum rill_status rill_ordered_driver_rewind(int descriptor, const char *path, struct rill_archive *archive,
                                            struct rill_error *error);
/* Tells the driver of a file that was put back, and then opened, what its metadata is. */
bool rill_ordered_driver_adopt(hid_t file, struct rill_archive *archive);

/* Lets the driver write to the archive, when it closes the file, its length, where its metadata lie, and their checksum.  The
 * archive must stay until then, in its present group; a failure becomes its fault. */
bool rill_ordered_driver_seal_at_close(hid_t file, struct rill_archive *archive);
/* Whether the file of this descriptor still has that length and those metadata; RILL_ERROR_INPUT. */
enum rill_status rill_ordered_driver_check_sealed(int descriptor, const char *path, struct rill_archive *archive,
                                                  struct rill_error *error);

#endif
