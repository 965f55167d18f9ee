/* A file driver for HDF5 that keeps the file readable between any two writes, so that the process can be killed at
 * any moment.
 *
 * HDF5 changes its index in place: when a full node splits, the parent, the halved node and the new one are written
 * one after another, by address, and before the superblock with the new end of the file.  A kill in between hides
 * rows that were there before.  This driver writes data through, holds metadata back until HDF5 flushes, and then
 * writes
 *   0. the length of the file, which the superblock must not exceed;
 *   1. what was never written before: nothing refers to it yet;
 *   2. the superblock with the new end;
 *   3. heaps, which hold the names to which groups refer;
 *   4. existing index nodes, higher levels first: the parent of a split refers to both halves while the old node is
 *      still whole, and a node that is searched through its parent may hold more than it has to;
 *   5. object headers, which hold the lengths of datasets.
 * A new file gets its superblock last, so that it is no HDF5 file until its first flush is complete.
 * Each of these writes stays within a page as long as nodes are aligned (H5Pset_alignment), and is therefore done
 * completely or not at all.  Formats up to V18, with version 1 B-trees, are covered.  In all other respects the
 * driver is like HDF5's own for POSIX. */
#ifndef RILL_OUTPUT_ORDERED_DRIVER_H
#define RILL_OUTPUT_ORDERED_DRIVER_H

#include <hdf5.h>

#include "base/archive.h"

/* Makes a file access property list use the driver; negative on failure. */
herr_t rill_ordered_driver_set(hid_t access);
/* The same for a file whose state rill_ordered_driver_keep wrote to the archive: the file is read in that state,
 * whatever has happened to its end and its metadata since, and nothing is written.  The archive must stay until the
 * file is closed, and so must the descriptor, which is the caller's; -1: the file is opened by its name. */
herr_t rill_ordered_driver_set_kept(hid_t access, struct rill_archive *kept, int descriptor);

/* Restoring an earlier state of a file.  A file that grows by rows is restored by its length and the bytes of the
 * metadata that are changed in place: superblock, object headers, and of each index the last node of each level.  All
 * metadata held back must be flushed before.
 *
 * _keep writes the present state of the file to the archive; when it fails errno is set. */
bool rill_ordered_driver_keep(hid_t file, struct rill_archive *archive);
/* Whether the file of this descriptor can be restored; RILL_ERROR_INPUT when it cannot be the same file. */
enum rill_status rill_ordered_driver_check_kept(int descriptor, const char *path, struct rill_archive *archive,
                                                struct rill_error *error);
/* Restores the file of this descriptor.  RILL_ERROR_INPUT, without any change, when it cannot be the same file. */
enum rill_status rill_ordered_driver_rewind(int descriptor, const char *path, struct rill_archive *archive,
                                            struct rill_error *error);
/* Gives the driver the places of metadata of a file that was restored and then opened. */
bool rill_ordered_driver_adopt(hid_t file, struct rill_archive *archive);

/* Makes the driver write the length of the file, the places of its metadata and their checksum to the archive when it
 * closes the file.  The archive must stay until then, in its present group; a failure is recorded in the archive. */
bool rill_ordered_driver_seal_at_close(hid_t file, struct rill_archive *archive);
/* Whether the file of this descriptor still has that length and those metadata; RILL_ERROR_INPUT. */
enum rill_status rill_ordered_driver_check_sealed(int descriptor, const char *path, struct rill_archive *archive,
                                                  struct rill_error *error);

#endif
