#include "analysis/rdf.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analysis/statistics.h"
#include "base/grid.h"
#include "base/memory.h"

enum { MOST_BLOCKS = 128 };

static const double pi = 3.14159265358979323846;

struct rill_rdf {
  size_t molecules, bins, samples;
  double max, width;
  size_t block_samples; /* number of samples in a full block */
  size_t blocks;        /* number of full blocks */
  /* [MOST_BLOCKS + 1][bins + 1]: pairs in each bin, and beyond the range; blocks[blocks] is the one being filled. */
  uint64_t *counts;
  double volumes[MOST_BLOCKS + 1]; /* sums over the samples of a block, nm3 */

  /* For a periodic box. */
  bool periodic;
  enum rill_rdf_pair pair;
  double shortest; /* shortest lattice vector of all boxes so far, nm */
  struct rill_grid *grid;
  double *points; /* [points][3] of the grid; NULL for oxygens, which are taken where they are */
};

static uint64_t *block_of(const struct rill_rdf *rdf, size_t block) { return rdf->counts + block * (rdf->bins + 1); }

enum rill_status rill_rdf_create(size_t molecules, double max, size_t bins, struct rill_rdf **result,
                                 struct rill_error *error) {
  struct rill_rdf *rdf;
  *result = NULL;
  if (!(max > 0) || isinf(max) || bins < 1)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "a distribution of distances up to %g nm in %zu bins; expected a positive "
                          "distance and at least one bin",
                          max, bins);
  rdf = rill_allocate(1, sizeof *rdf);
  if (rdf != NULL && bins < SIZE_MAX / (2 * MOST_BLOCKS))
    rdf->counts = rill_allocate((MOST_BLOCKS + 1) * (bins + 1), sizeof *rdf->counts);
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

/* The points in the grid are oxygens, hydrogens, or all oxygens and then all hydrogens, in order of molecules. */
static size_t points_of(enum rill_rdf_pair pair, size_t molecules) {
  return molecules * (pair == RILL_RDF_OO ? 1 : pair == RILL_RDF_HH ? 2 : 3);
}

enum rill_status rill_rdf_create_periodic(size_t molecules, double max, size_t bins, struct rill_rdf **result,
                                          struct rill_error *error) {
  RILL_TRY(rill_rdf_create(molecules, max, bins, result, error));
  (*result)->periodic = true;
  (*result)->shortest = INFINITY;
  if (rill_grid_create(molecules, &(*result)->grid, error) == RILL_OK) return RILL_OK;
  rill_rdf_destroy(*result);
  *result = NULL;
  return error->status;
}

enum rill_status rill_rdf_create_pair(enum rill_rdf_pair pair, size_t molecules, double max, size_t bins,
                                      struct rill_rdf **result, struct rill_error *error) {
  struct rill_rdf *rdf;
  RILL_TRY(rill_rdf_create_periodic(molecules, max, bins, result, error));
  rdf = *result;
  rdf->pair = pair;
  if (pair == RILL_RDF_OO) return RILL_OK;
  rill_grid_destroy(rdf->grid);
  rdf->grid = NULL;
  rdf->points = rill_allocate(3 * points_of(pair, molecules) + 1, sizeof *rdf->points);
  if (rdf->points == NULL) rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the atoms of a distribution");
  else if (rill_grid_create(points_of(pair, molecules), &rdf->grid, error) == RILL_OK) return RILL_OK;
  rill_rdf_destroy(rdf);
  *result = NULL;
  return error->status;
}

enum rill_rdf_pair rill_rdf_pair(const struct rill_rdf *rdf) { return rdf->pair; }
bool rill_rdf_is_periodic(const struct rill_rdf *rdf) { return rdf->periodic; }
double rill_rdf_reach(const struct rill_rdf *rdf) { return 0.5 * rdf->shortest; }

void rill_rdf_destroy(struct rill_rdf *rdf) {
  if (rdf == NULL) return;
  rill_grid_destroy(rdf->grid);
  rill_release(rdf->points);
  rill_release(rdf->counts);
  rill_release(rdf);
}

/* Merges blocks 2b and 2b + 1 into block b, with twice the samples. */
static void merge_blocks(struct rill_rdf *rdf) {
  for (size_t b = 0; b < MOST_BLOCKS / 2; b++) {
    for (size_t i = 0; i <= rdf->bins; i++)
      block_of(rdf, b)[i] = block_of(rdf, 2 * b)[i] + block_of(rdf, 2 * b + 1)[i];
    rdf->volumes[b] = rdf->volumes[2 * b] + rdf->volumes[2 * b + 1];
  }
  rdf->blocks = MOST_BLOCKS / 2;
  memset(block_of(rdf, rdf->blocks), 0, (MOST_BLOCKS + 1 - rdf->blocks) * (rdf->bins + 1) * sizeof *rdf->counts);
  memset(rdf->volumes + rdf->blocks, 0, (MOST_BLOCKS + 1 - rdf->blocks) * sizeof *rdf->volumes);
  rdf->block_samples *= 2;
}

static void end_sample(struct rill_rdf *rdf) {
  rdf->samples++;
  if (rdf->samples % rdf->block_samples != 0) return;
  rdf->blocks++;
  if (rdf->blocks == MOST_BLOCKS) merge_blocks(rdf);
}

/* The bin of a distance below max; rounding may push a distance just below max into the next bin. */
static inline size_t bin_of(const struct rill_rdf *rdf, double squared, double per_width) {
  const size_t bin = (size_t)(sqrt(squared) * per_width);
  return bin < rdf->bins ? bin : rdf->bins - 1;
}

void rill_rdf_sample(struct rill_rdf *rdf, const double *positions) {
  uint64_t *counts = block_of(rdf, rdf->blocks);
  const double max_squared = rdf->max * rdf->max, per_width = 1 / rdf->width;
  for (size_t a = 1; a < rdf->molecules; a++)
    for (size_t b = 0; b < a; b++) {
      const double *p = positions + 9 * a, *q = positions + 9 * b;
      double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2], squared = x * x + y * y + z * z;
      counts[squared < max_squared ? bin_of(rdf, squared, per_width) : rdf->bins]++;
    }
  end_sample(rdf);
}

/* ---- in a box ---- */

static uint32_t molecule_of(const struct rill_rdf *rdf, uint32_t point) {
  const uint32_t oxygens = (uint32_t)rdf->molecules;
  if (rdf->pair == RILL_RDF_OO) return point;
  if (rdf->pair == RILL_RDF_HH) return point / 2;
  return point < oxygens ? point : (point - oxygens) / 2;
}

static const double *place_points(struct rill_rdf *rdf, const double *positions) {
  double *oxygens = rdf->points, *hydrogens = rdf->points;
  if (rdf->pair == RILL_RDF_OO) return positions;
  if (rdf->pair == RILL_RDF_OH) hydrogens += 3 * rdf->molecules;
  for (size_t m = 0; m < rdf->molecules; m++) {
    if (rdf->pair == RILL_RDF_OH) memcpy(oxygens + 3 * m, positions + 9 * m, 3 * sizeof *positions);
    memcpy(hydrogens + 6 * m, positions + 9 * m + 3, 6 * sizeof *positions);
  }
  return rdf->points;
}

/* Points of a cell, in columns. */
enum { CHUNK = 128 };
struct chunk {
  size_t count, oxygens; /* which come first */
  double x[CHUNK], y[CHUNK], z[CHUNK], low[3], high[3];
  uint32_t point[CHUNK], molecule[CHUNK];
};

/* A sample being counted.  A cell is visited with many others, one after another, and its chunk is kept. */
struct counting {
  const struct rill_rdf *rdf;
  uint64_t *counts;
  double max_squared, own_squared, per_width;
  const double *filled; /* the points of the chunk; NULL at first */
  struct chunk chunk;
};

static void find_bounds(const double *x, size_t count, double *low, double *high) {
  *low = *high = x[0];
  for (size_t j = 1; j < count; j++) {
    *low = x[j] < *low ? x[j] : *low;
    *high = x[j] > *high ? x[j] : *high;
  }
}

static void fill_chunk(const struct rill_rdf *rdf, const double *points, const uint32_t *which, size_t count,
                       struct chunk *chunk) {
  chunk->count = count;
  chunk->oxygens = 0;
  for (size_t j = 0; j < count; j++) {
    chunk->x[j] = points[3 * j];
    chunk->y[j] = points[3 * j + 1];
    chunk->z[j] = points[3 * j + 2];
    chunk->point[j] = which[j];
    chunk->molecule[j] = molecule_of(rdf, which[j]);
    chunk->oxygens += which[j] < rdf->molecules;
  }
  find_bounds(chunk->x, count, &chunk->low[0], &chunk->high[0]);
  find_bounds(chunk->y, count, &chunk->low[1], &chunk->high[1]);
  find_bounds(chunk->z, count, &chunk->low[2], &chunk->high[2]);
}

static double beyond(double x, double low, double high) { return x < low ? low - x : x > high ? x - high : 0; }

/* Whether a point of the chunk may be within the range: its bounds, rounded as distances are, are nearer. */
static bool may_reach(const struct chunk *chunk, const double p[3], double max_squared) {
  const double x = beyond(p[0], chunk->low[0], chunk->high[0]), y = beyond(p[1], chunk->low[1], chunk->high[1]),
               z = beyond(p[2], chunk->low[2], chunk->high[2]);
  return x * x + y * y + z * z < max_squared;
}

/* Counts the pairs of a point with [from, end) of the chunk.  Atoms of one molecule are closer than half of the box,
 * their images are not; a point's own image does not count. */
static void count_row(const struct counting *counting, const double p[3], uint32_t point, size_t from, size_t end) {
  const struct chunk *chunk = &counting->chunk;
  const double max_squared = counting->max_squared, own_squared = counting->own_squared;
  const uint32_t molecule = molecule_of(counting->rdf, point);
  double squared[CHUNK];
  for (size_t j = from; j < end; j++) { /* in vectors */
    const double x = p[0] - chunk->x[j], y = p[1] - chunk->y[j], z = p[2] - chunk->z[j];
    squared[j] = x * x + y * y + z * z;
  }
  for (size_t j = from; j < end; j++) {
    if (!(squared[j] < max_squared)) continue;
    if (chunk->molecule[j] == molecule && (squared[j] < own_squared || chunk->point[j] == point)) continue;
    counting->counts[bin_of(counting->rdf, squared[j], counting->per_width)]++;
  }
}

/* Counts the pairs of the second cell's points with the chunk, which begins at point `at` of the first cell; in one
 * cell those with later points. */
static void count_chunk(const struct counting *counting, const struct rill_grid_cells *cells, size_t at) {
  const struct chunk *chunk = &counting->chunk;
  for (size_t j = 0; j < cells->second_count; j++) {
    const double *q = cells->other + 3 * j;
    const double p[3] = {q[0] + cells->moved[0], q[1] + cells->moved[1], q[2] + cells->moved[2]};
    const bool oxygen = cells->second[j] < counting->rdf->molecules;
    size_t from = cells->same && j + 1 > at ? j + 1 - at : 0, end = chunk->count;
    if (!may_reach(chunk, p, counting->max_squared)) continue;
    if (counting->rdf->pair == RILL_RDF_OH) {
      if (oxygen && from < chunk->oxygens) from = chunk->oxygens;
      if (!oxygen) end = chunk->oxygens;
    }
    count_row(counting, p, cells->second[j], from, end);
  }
}

static bool count_cells(void *context, const struct rill_grid_cells *cells) {
  struct counting *counting = context;
  for (size_t at = 0; at < cells->first_count; at += CHUNK) {
    const double *points = cells->one + 3 * at;
    const size_t count = cells->first_count - at < CHUNK ? cells->first_count - at : CHUNK;
    if (counting->filled != points) fill_chunk(counting->rdf, points, cells->first + at, count, &counting->chunk);
    counting->filled = points;
    count_chunk(counting, cells, at);
  }
  return true;
}

enum rill_status rill_rdf_sample_box(struct rill_rdf *rdf, const double *positions, const double box[3][3],
                                     struct rill_error *error) {
  struct counting counting = {.rdf = rdf,
                              .counts = block_of(rdf, rdf->blocks),
                              .max_squared = rdf->max * rdf->max,
                              .per_width = 1 / rdf->width};
  double shortest;
  RILL_TRY(rill_grid_sort(rdf->grid, place_points(rdf, positions), rdf->pair == RILL_RDF_OO ? 9 : 3, box, rdf->max,
                          error));
  shortest = rill_grid_shortest(rdf->grid);
  if (rdf->max > shortest * (1 + 1e-6))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "distances up to %g nm in a box whose shortest lattice vector is %g nm: beyond it every "
                          "molecule meets its own image; choose a range of at most that length",
                          rdf->max, shortest);
  counting.own_squared = 0.25 * shortest * shortest;
  rill_grid_visit(rdf->grid, count_cells, &counting);
  rdf->shortest = fmin(rdf->shortest, shortest);
  rdf->volumes[rdf->blocks] += rill_grid_volume(rdf->grid);
  end_sample(rdf);
  return RILL_OK;
}

/* ---- resuming ---- */

void rill_rdf_archive(struct rill_rdf *rdf, struct rill_archive *archive) {
  size_t samples = rdf->samples, block_samples = rdf->block_samples, blocks = rdf->blocks;
  rill_archive_size(archive, "samples", &samples);
  rill_archive_size(archive, "block_samples", &block_samples);
  rill_archive_size(archive, "blocks", &blocks);
  if (blocks >= MOST_BLOCKS || block_samples < 1) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "the blocks of the distribution are inconsistent");
    return;
  }
  rdf->samples = samples;
  rdf->block_samples = block_samples;
  rdf->blocks = blocks;
  rill_archive_integers(archive, "counts", rdf->counts, (MOST_BLOCKS + 1) * (rdf->bins + 1));
  if (!rdf->periodic) return;
  rill_archive_reals(archive, "volumes", rdf->volumes, MOST_BLOCKS + 1);
  rill_archive_reals(archive, "shortest", &rdf->shortest, 1);
}

/* ---- results ---- */

size_t rill_rdf_molecules(const struct rill_rdf *rdf) { return rdf->molecules; }
size_t rill_rdf_samples(const struct rill_rdf *rdf) { return rdf->samples; }
size_t rill_rdf_bins(const struct rill_rdf *rdf) { return rdf->bins; }
double rill_rdf_centre(const struct rill_rdf *rdf, size_t bin) { return ((double)bin + 0.5) * rdf->width; }

static double pairs_per_sample(const struct rill_rdf *rdf) {
  const double molecules = (double)rdf->molecules;
  return rdf->molecules < 2 ? 0 : (rdf->pair == RILL_RDF_OO ? 0.5 : 2) * molecules * (molecules - 1);
}

/* The pairs of a block in a bin as a fraction of all pairs; in a box multiplied by the mean volume. */
static double part_of(const struct rill_rdf *rdf, size_t block, size_t bin, double samples) {
  const double part = (double)block_of(rdf, block)[bin] / (pairs_per_sample(rdf) * samples);
  return rdf->periodic ? part * rdf->volumes[block] / samples : part;
}

/* The mean of that fraction over the full blocks; its error is used for that of all samples. */
static struct rill_mean part_mean(const struct rill_rdf *rdf, size_t bin) {
  struct rill_average average = {0};
  struct rill_mean mean;
  for (size_t b = 0; b < rdf->blocks; b++)
    rill_average_add(&average, part_of(rdf, b, bin, (double)rdf->block_samples));
  mean = rill_average_mean(&average);
  mean.error *= sqrt((double)(rdf->blocks * rdf->block_samples) / (double)rdf->samples);
  return mean;
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
      if (error != NULL) error[i] = pairs > 0 ? part_mean(rdf, i).error / rdf->width : NAN;
    }
  }
}

/* Volume of a bin, nm3. */
static double shell_of(const struct rill_rdf *rdf, size_t bin) {
  const double low = (double)bin * rdf->width, high = (double)(bin + 1) * rdf->width;
  return 4 * pi / 3 * (high * high * high - low * low * low);
}

static double total_in(const struct rill_rdf *rdf, size_t bin) {
  uint64_t count = 0;
  for (size_t b = 0; b <= rdf->blocks; b++) count += block_of(rdf, b)[bin];
  return (double)count;
}

/* The number of an atom's neighbours is so many times the number of pairs over that of molecules. */
static double neighbours_per_pair(const struct rill_rdf *rdf) { return rdf->pair == RILL_RDF_OO ? 2 : 1; }

void rill_rdf_g(const struct rill_rdf *rdf, double *g, double *error, double *neighbours) {
  const double samples = (double)rdf->samples, pairs = pairs_per_sample(rdf) * samples;
  double volume = 0, within = 0;
  for (size_t b = 0; b <= rdf->blocks; b++) volume += rdf->volumes[b];
  volume /= samples;
  for (size_t i = 0; i < rdf->bins; i++) {
    const double shell = shell_of(rdf, i), count = total_in(rdf, i);
    within += count;
    if (g != NULL) g[i] = pairs > 0 ? count / pairs * volume / shell : NAN;
    if (error != NULL) error[i] = pairs > 0 ? part_mean(rdf, i).error / shell : NAN;
    if (neighbours != NULL)
      neighbours[i] = pairs > 0 ? neighbours_per_pair(rdf) * within / (samples * (double)rdf->molecules) : NAN;
  }
}

bool rill_rdf_peak(const struct rill_rdf *rdf, struct rill_peak *peak) {
  double *g = rill_allocate(rdf->bins, sizeof *g);
  size_t top = 0;
  bool found = false;
  if (g == NULL) return false;
  rill_rdf_g(rdf, g, NULL, NULL);
  for (size_t i = 1; i < rdf->bins; i++)
    if (g[i] > g[top]) top = i;
  if (top > 0 && top + 1 < rdf->bins && isfinite(g[top])) {
    const double slope = 0.5 * (g[top + 1] - g[top - 1]), bend = g[top + 1] - 2 * g[top] + g[top - 1];
    found = true;
    const struct rill_mean mean = part_mean(rdf, top);
    *peak = (struct rill_peak){rill_rdf_centre(rdf, top), g[top], mean.error / shell_of(rdf, top), mean.sampling};
    if (bend < 0) {
      peak->place -= slope / bend * rdf->width;
      peak->height -= 0.5 * slope * slope / bend;
    }
  }
  rill_release(g);
  return found;
}

double rill_rdf_mean(const struct rill_rdf *rdf) {
  double sum = 0, pairs = 0;
  for (size_t i = 0; i < rdf->bins; i++) {
    sum += total_in(rdf, i) * rill_rdf_centre(rdf, i);
    pairs += total_in(rdf, i);
  }
  return pairs > 0 ? sum / pairs : NAN;
}

/* The number of pairs by which a distribution is normalised. */
static double pairs_of(const struct rill_rdf *rdf) {
  double pairs = 0;
  if (!rdf->periodic) return pairs_per_sample(rdf) * (double)rdf->samples;
  for (size_t i = 0; i < rdf->bins; i++) pairs += total_in(rdf, i);
  return pairs;
}

double rill_rdf_distance(const struct rill_rdf *a, const struct rill_rdf *b) {
  const double p = pairs_of(a), q = pairs_of(b);
  double sum = 0;
  if (a->bins != b->bins || a->max != b->max || !(p > 0) || !(q > 0)) return NAN;
  for (size_t i = 0; i <= a->bins; i++) sum += fabs(total_in(a, i) / p - total_in(b, i) / q);
  return sum;
}
