#include "analysis/rdf.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_BLOCKS = 32, FEWEST_BLOCKS = 4 };

struct rill_rdf {
  size_t molecules, bins, samples;
  double max, width;
  size_t block_samples; /* in a full block */
  size_t blocks;        /* full ones */
  /* [MOST_BLOCKS + 1][bins + 1]: pairs in each bin, and beyond; blocks[blocks] is the one that is filling up. */
  uint64_t *counts;
};

static uint64_t *block_of(const struct rill_rdf *rdf, size_t block) { return rdf->counts + block * (rdf->bins + 1); }

enum rill_status rill_rdf_create(size_t molecules, double max, size_t bins, struct rill_rdf **result, struct rill_error *error) {
  struct rill_rdf *rdf;
  *result = NULL;
  if (!(max > 0) || isinf(max) || bins < 1)
    return rill_error_set(error, RILL_ERROR_USAGE, "a distribution of distances up to %g nm in %zu bins; expected a positive "
                          "distance and at least one bin", max, bins);
  rdf = rill_allocate(1, sizeof *rdf);
  if (rdf != NULL && bins < SIZE_MAX / (2 * MOST_BLOCKS)) rdf->counts = rill_allocate((MOST_BLOCKS + 1) * (bins + 1), sizeof *rdf->counts);
  if (rdf == NULL || rdf->counts == NULL) {
    rill_rdf_destroy(rdf);
    return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a distribution of %zu bins", bins);
  }
  rdf->molecules = molecules;
  rdf->bins = bins;
  rdf->max = max;
  rdf->width = max / (double)bins;
  rdf->block_samples = 1;
  *result = rdf;
  return RILL_OK;
}

void rill_rdf_destroy(struct rill_rdf *rdf) {
  if (rdf == NULL) return;
  rill_release(rdf->counts);
  rill_release(rdf);
}

/* Blocks 2b and 2b + 1 become block b, of twice the samples. */
static void merge_blocks(struct rill_rdf *rdf) {
  for (size_t b = 0; b < MOST_BLOCKS / 2; b++)
    for (size_t i = 0; i <= rdf->bins; i++)
      block_of(rdf, b)[i] = block_of(rdf, 2 * b)[i] + block_of(rdf, 2 * b + 1)[i];
  rdf->blocks = MOST_BLOCKS / 2;
  memset(block_of(rdf, rdf->blocks), 0, (MOST_BLOCKS + 1 - rdf->blocks) * (rdf->bins + 1) * sizeof *rdf->counts);
  rdf->block_samples *= 2;
}

void rill_rdf_sample(struct rill_rdf *rdf, const double *positions) {
  uint64_t *counts = block_of(rdf, rdf->blocks);
  const double max_squared = rdf->max * rdf->max, per_width = 1 / rdf->width;
  for (size_t a = 1; a < rdf->molecules; a++)
    for (size_t b = 0; b < a; b++) {
      const double *p = positions + 9 * a, *q = positions + 9 * b;
      double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2], squared = x * x + y * y + z * z;
      size_t bin = rdf->bins;
      if (squared < max_squared) {
        bin = (size_t)(sqrt(squared) * per_width);
        if (bin >= rdf->bins) bin = rdf->bins - 1; /* just below max, rounded up */
      }
      counts[bin]++;
    }
  rdf->samples++;
  if (rdf->samples % rdf->block_samples != 0) return;
  rdf->blocks++;
  if (rdf->blocks == MOST_BLOCKS) merge_blocks(rdf);
}

void rill_rdf_archive(struct rill_rdf *rdf, struct rill_archive *archive) {
  size_t samples = rdf->samples, block_samples = rdf->block_samples, blocks = rdf->blocks;
  rill_archive_size(archive, "samples", &samples);
  rill_archive_size(archive, "block_samples", &block_samples);
  rill_archive_size(archive, "blocks", &blocks);
  if (blocks >= MOST_BLOCKS || block_samples < 1) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "the distribution's blocks are not as they should be");
    return;
  }
  rdf->samples = samples;
  rdf->block_samples = block_samples;
  rdf->blocks = blocks;
  rill_archive_integers(archive, "counts", rdf->counts, (MOST_BLOCKS + 1) * (rdf->bins + 1));
}

size_t rill_rdf_samples(const struct rill_rdf *rdf) { return rdf->samples; }
size_t rill_rdf_bins(const struct rill_rdf *rdf) { return rdf->bins; }
double rill_rdf_centre(const struct rill_rdf *rdf, size_t bin) { return ((double)bin + 0.5) * rdf->width; }

static double pairs_per_sample(const struct rill_rdf *rdf) {
  return rdf->molecules < 2 ? 0 : 0.5 * (double)rdf->molecules * (double)(rdf->molecules - 1);
}

/* Standard error of the fraction of pairs in a bin, from the full blocks. */
static double fraction_error(const struct rill_rdf *rdf, size_t bin) {
  const double pairs = pairs_per_sample(rdf) * (double)rdf->block_samples, blocks = (double)rdf->blocks;
  double mean = 0, squares = 0;
  if (rdf->blocks < FEWEST_BLOCKS) return NAN;
  for (size_t b = 0; b < rdf->blocks; b++) mean += (double)block_of(rdf, b)[bin] / pairs;
  mean /= blocks;
  for (size_t b = 0; b < rdf->blocks; b++) {
    double difference = (double)block_of(rdf, b)[bin] / pairs - mean;
    squares += difference * difference;
  }
  return sqrt(squares / (blocks * (blocks - 1)));
}

void rill_rdf_result(const struct rill_rdf *rdf, double *density, double *error, double *beyond) {
  const double pairs = pairs_per_sample(rdf) * (double)rdf->samples;
  for (size_t i = 0; i <= rdf->bins; i++) {
    uint64_t count = 0;
    double fraction;
    for (size_t b = 0; b <= rdf->blocks; b++) count += block_of(rdf, b)[i];
    fraction = pairs > 0 ? (double)count / pairs : NAN;
    if (i == rdf->bins) {
      if (beyond != NULL) *beyond = fraction;
    } else {
      if (density != NULL) density[i] = fraction / rdf->width;
      if (error != NULL) error[i] = pairs > 0 ? fraction_error(rdf, i) / rdf->width : NAN;
    }
  }
}

static double total_in(const struct rill_rdf *rdf, size_t bin) {
  uint64_t count = 0;
  for (size_t b = 0; b <= rdf->blocks; b++) count += block_of(rdf, b)[bin];
  return (double)count;
}

double rill_rdf_mean(const struct rill_rdf *rdf) {
  double sum = 0, pairs = 0;
  for (size_t i = 0; i < rdf->bins; i++) {
    sum += total_in(rdf, i) * rill_rdf_centre(rdf, i);
    pairs += total_in(rdf, i);
  }
  return pairs > 0 ? sum / pairs : NAN;
}

double rill_rdf_distance(const struct rill_rdf *a, const struct rill_rdf *b) {
  const double p = pairs_per_sample(a) * (double)a->samples, q = pairs_per_sample(b) * (double)b->samples;
  double sum = 0;
  if (a->bins != b->bins || a->max != b->max || !(p > 0) || !(q > 0)) return NAN;
  for (size_t i = 0; i <= a->bins; i++) sum += fabs(total_in(a, i) / p - total_in(b, i) / q);
  return sum;
}
