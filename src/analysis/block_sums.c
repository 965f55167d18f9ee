#include "analysis/block_sums.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_BLOCKS = 256 };

static double *block_of(const struct rill_block_sums *sums, size_t block) { return sums->sums + block * sums->width; }

enum rill_status rill_block_sums_create(size_t width, struct rill_block_sums *sums, struct rill_error *error) {
  *sums = (struct rill_block_sums){.width = width, .block_samples = 1};
  sums->sums = rill_allocate((MOST_BLOCKS + 1) * width, sizeof *sums->sums);
  if (sums->sums != NULL) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the sums of %zu quantities", width);
}

void rill_block_sums_release(struct rill_block_sums *sums) {
  rill_release(sums->sums);
  sums->sums = NULL;
}

double *rill_block_sums_row(const struct rill_block_sums *sums) { return block_of(sums, sums->blocks); }

/* Merges blocks 2b and 2b + 1 into block b. */
static void merge_blocks(struct rill_block_sums *sums) {
  for (size_t b = 0; b < MOST_BLOCKS / 2; b++)
    for (size_t i = 0; i < sums->width; i++)
      block_of(sums, b)[i] = block_of(sums, 2 * b)[i] + block_of(sums, 2 * b + 1)[i];
  sums->blocks = MOST_BLOCKS / 2;
  memset(block_of(sums, sums->blocks), 0, (MOST_BLOCKS + 1 - sums->blocks) * sums->width * sizeof *sums->sums);
  sums->block_samples *= 2;
}

void rill_block_sums_end_sample(struct rill_block_sums *sums) {
  sums->samples++;
  if (sums->samples % sums->block_samples != 0) return;
  sums->blocks++;
  if (sums->blocks == MOST_BLOCKS) merge_blocks(sums);
}

static void add_blocks(const struct rill_block_sums *sums, size_t blocks, double *total) {
  memset(total, 0, sums->width * sizeof *total);
  for (size_t b = 0; b < blocks; b++)
    for (size_t i = 0; i < sums->width; i++) total[i] += block_of(sums, b)[i];
}

void rill_block_sums_total(const struct rill_block_sums *sums, double *total) {
  add_blocks(sums, sums->blocks + 1, total);
}

/* pseudo: [count][blocks]. */
static void find_pseudo_values(const struct rill_block_sums *sums, rill_block_function function, void *context,
                               size_t count, double *work, double *pseudo) {
  const size_t blocks = sums->blocks, width = sums->width;
  const double n = (double)blocks;
  double *full = work, *without = work + width, *whole = work + 2 * width, *part = whole + count;
  add_blocks(sums, blocks, full);
  function(context, full, whole);
  for (size_t b = 0; b < blocks; b++) {
    for (size_t i = 0; i < width; i++) without[i] = full[i] - block_of(sums, b)[i];
    function(context, without, part);
    for (size_t k = 0; k < count; k++) pseudo[k * blocks + b] = n * whole[k] - (n - 1) * part[k];
  }
}

enum rill_status rill_block_sums_estimate(const struct rill_block_sums *sums, rill_block_function function,
                                          void *context, size_t count, struct rill_estimate *estimates,
                                          struct rill_error *error) {
  const size_t blocks = sums->blocks;
  double *work = rill_allocate(2 * sums->width + 2 * count, sizeof *work);
  double *pseudo = rill_allocate(count * blocks + 1, sizeof *pseudo);
  if (work == NULL || pseudo == NULL) {
    rill_release(work);
    rill_release(pseudo);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the jackknife of %zu estimates", count);
  }
  if (blocks > 1) find_pseudo_values(sums, function, context, count, work, pseudo);
  rill_block_sums_total(sums, work);
  function(context, work, work + 2 * sums->width);
  for (size_t k = 0; k < count; k++) {
    struct rill_mean mean = rill_mean_of(pseudo + k * blocks, blocks > 1 ? blocks : 0);
    const double full = (double)(blocks * sums->block_samples) / (double)sums->samples;
    estimates[k] = (struct rill_estimate){sums->samples > 0 ? work[2 * sums->width + k] : NAN, NAN, mean.sampling};
    if (!isfinite(estimates[k].value) || (mean.sampling == RILL_SAMPLING_ENOUGH && !isfinite(mean.error)))
      estimates[k].sampling = RILL_SAMPLING_FEW;
    if (estimates[k].sampling == RILL_SAMPLING_ENOUGH) estimates[k].error = mean.error * sqrt(full);
  }
  rill_release(work);
  rill_release(pseudo);
  return RILL_OK;
}

void rill_block_sums_archive(struct rill_block_sums *sums, struct rill_archive *archive) {
  size_t samples = sums->samples, block_samples = sums->block_samples, blocks = sums->blocks;
  rill_archive_size(archive, "samples", &samples);
  rill_archive_size(archive, "block_samples", &block_samples);
  rill_archive_size(archive, "blocks", &blocks);
  if (blocks >= MOST_BLOCKS || block_samples < 1 || samples / block_samples != blocks) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "the blocks of sums are inconsistent");
    return;
  }
  sums->samples = samples;
  sums->block_samples = block_samples;
  sums->blocks = blocks;
  rill_archive_reals(archive, "sums", sums->sums, (MOST_BLOCKS + 1) * sums->width);
}
