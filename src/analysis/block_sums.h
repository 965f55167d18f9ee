/* Functions of means, with errors by the jackknife, computed on line in bounded memory.
 *
 * Sums of several quantities are kept for between 128 and 256 blocks of successive samples, which merge in pairs as
 * the run grows.  An estimate is a function f of the sums, such as <x^2> - <x>^2 or the integral of a correlation
 * function. Its value is that of all samples.  Leaving out block b of n gives f_b, and the pseudo-values n f - (n -
 * 1) f_b (Tukey) are averages over the blocks: the error of their mean is that of analysis/statistics.h, which sees
 * correlations between blocks, and gives no error where there are too few independent ones. */
#ifndef RILL_ANALYSIS_BLOCK_SUMS_H
#define RILL_ANALYSIS_BLOCK_SUMS_H

#include <stddef.h>

#include "analysis/statistics.h"
#include "base/archive.h"
#include "base/status.h"

struct rill_block_sums {
  size_t width;                          /* quantities */
  size_t samples, block_samples, blocks; /* block_samples: in a full block; blocks: full ones */
  double *sums;                          /* [256 + 1][width]; sums[blocks] is the block being filled */
};

struct rill_estimate {
  double value, error; /* error: NaN unless sampling is enough */
  enum rill_sampling sampling;
};

enum rill_status rill_block_sums_create(size_t width, struct rill_block_sums *sums, struct rill_error *error);
/* Accepts a zeroed one. */
void rill_block_sums_release(struct rill_block_sums *sums);

/* The sums to which the present sample is to be added: [width]. */
double *rill_block_sums_row(const struct rill_block_sums *sums);
/* The present sample is complete. */
void rill_block_sums_end_sample(struct rill_block_sums *sums);

/* Sums of all samples: [width]. */
void rill_block_sums_total(const struct rill_block_sums *sums, double *total);

/* A function of the sums, result: [count]. */
typedef void (*rill_block_function)(void *context, const double *sums, double *result);
/* estimates: [count]; NaN without samples.  RILL_ERROR_MEMORY. */
enum rill_status rill_block_sums_estimate(const struct rill_block_sums *sums, rill_block_function function,
                                          void *context, size_t count, struct rill_estimate *estimates,
                                          struct rill_error *error);

/* Writes to an archive, or reads from one with the same width. */
void rill_block_sums_archive(struct rill_block_sums *sums, struct rill_archive *archive);

#endif
