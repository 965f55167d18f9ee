/* Checksums of the numbers in an HDF5 file that grows by rows.
 *
 * The bytes of such a file change in place (lengths of datasets, the chunk index), so the numbers are summed instead
 * of the file: for each dataset that grows a running CRC-32 of its rows in the order in which they were written, one
 * CRC-32 for all datasets that never change, and one for the deck, which a continuation replaces.  During a run the
 * cost is that of the CRC of the new rows, whatever the size of the file; a comparison reads the whole file. */
#ifndef RILL_OUTPUT_H5_SUMS_H
#define RILL_OUTPUT_H5_SUMS_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/status.h"

enum { RILL_H5_SUMS_MOST = 16, RILL_H5_PATH = 280 };

/* The sum of one dataset. */
struct rill_h5_sum {
  char path[RILL_H5_PATH];
  uint64_t rows;
  uint32_t crc; /* of all rows, in their format in memory */
};

struct rill_h5_sums {
  size_t count;
  struct rill_h5_sum of[RILL_H5_SUMS_MOST];
  uint32_t fixed; /* of datasets that never change: sum of the CRCs of their paths and values, in any order */
  uint32_t deck;  /* of the dataset /parameters/rill/deck, with its padding; 0 when there is none */
};

/* The sum of the dataset, created when it does not exist; NULL when there are too many. */
struct rill_h5_sum *rill_h5_sum_of(struct rill_h5_sums *sums, const char *path);
void rill_h5_sum_add(struct rill_h5_sum *sum, size_t rows, const void *values, size_t bytes);
/* Adds a dataset that does not change, or the deck. */
void rill_h5_sums_add_fixed(struct rill_h5_sums *sums, const char *path, const void *values, size_t bytes);

/* Writes the sums to the archive, or reads them back; RILL_ERROR_INPUT is recorded in the archive. */
void rill_h5_sums_archive(struct rill_h5_sums *sums, struct rill_archive *archive);

/* Reads all data of the file and compares their sums.  path: for messages.  with_deck: includes the deck.  The
 * message of RILL_ERROR_INPUT names the first dataset with another number of rows or other values. */
enum rill_status rill_h5_sums_compare(const struct rill_h5_sums *sums, hid_t file, bool with_deck, const char *path,
                                      struct rill_error *error);

#endif
