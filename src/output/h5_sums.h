/* Checksums of the numbers in an HDF5 file that grows by rows.
 *
 * The bytes of such a file change in place (lengths of datasets, the chunk index), so that the numbers are summed and not the
 * file: for each dataset that grows a running CRC-32 of its rows in the order in which they came, one for all datasets that
 * never change, and one for the deck, which a continuation replaces.  What it costs while a run goes on is the CRC of the
 * new rows, whatever the size of the file; comparing reads all of it. */
#ifndef RILL_OUTPUT_H5_SUMS_H
#define RILL_OUTPUT_H5_SUMS_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/status.h"

enum { RILL_H5_SUMS_MOST = 16, RILL_H5_PATH = 280 };

/* Of one dataset. */
struct rill_h5_sum {
  char path[RILL_H5_PATH];
  uint64_t rows;
  uint32_t crc; /* of all rows, as they are in memory */
};

struct rill_h5_sums {
  size_t count;
  struct rill_h5_sum of[RILL_H5_SUMS_MOST];
  uint32_t fixed; /* of datasets that never change: the CRCs of path and values, added up, so that their order is free */
  uint32_t deck;  /* of a dataset /parameters/rill/deck, with its padding; 0 where there is none */
};

/* The sum of the dataset, begun when there is none yet; NULL when there are too many. */
struct rill_h5_sum *rill_h5_sum_of(struct rill_h5_sums *sums, const char *path);
void rill_h5_sum_add(struct rill_h5_sum *sum, size_t rows, const void *values, size_t bytes);
/* A dataset that does not change, or the deck. */
void rill_h5_sums_add_fixed(struct rill_h5_sums *sums, const char *path, const void *values, size_t bytes);

/* Writes them to the archive, or reads what was written: RILL_ERROR_INPUT is the archive's. */
void rill_h5_sums_archive(struct rill_h5_sums *sums, struct rill_archive *archive);

/* Reads all that the file holds, and compares.  path: for messages.  with_deck: the deck, too.  RILL_ERROR_INPUT names the
 * first dataset that has another number of rows or other numbers. */
enum rill_status rill_h5_sums_compare(const struct rill_h5_sums *sums, hid_t file, bool with_deck, const char *path,
                                      struct rill_error *error);

#endif
