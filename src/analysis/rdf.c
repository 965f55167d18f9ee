#include "analysis/rdf.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_BLOCKS = 32, FEWEST_BLOCKS = 4 };

static const double pi = 3.14159265358979323846;

struct rill_rdf {
  size_t molecules, bins, samples;
  double max, width;
  size_t block_samples; /* in a full block */
  size_t blocks;        /* full ones */
  /* [MOST_BLOCKS + 1][bins + 1]: pairs in each bin, and beyond; blocks[blocks] is the one that is filling up. */
  uint64_t *counts;
  double volumes[MOST_BLOCKS + 1]; /* sums over the samples of a block, nm3 */

  /* Of a periodic box. */
  bool periodic;
  double shortest;    /* lattice vector of all boxes so far, nm */
  double *wrapped;    /* [molecules][3]: oxygens in the box, in the order of their cells */
  double *fractions;  /* [molecules][3], in the caller's order */
  uint32_t *cell;     /* [molecules] */
  uint32_t *start;    /* [cells + 1]: where a cell's oxygens begin */
  size_t most_cells;
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

enum rill_status rill_rdf_create_periodic(size_t molecules, double max, size_t bins, struct rill_rdf **result,
                                          struct rill_error *error) {
  struct rill_rdf *rdf;
  RILL_TRY(rill_rdf_create(molecules, max, bins, result, error));
  rdf = *result;
  rdf->periodic = true;
  rdf->shortest = INFINITY;
  rdf->most_cells = molecules + 1;
  if (molecules < UINT32_MAX && (rdf->wrapped = rill_allocate(3 * molecules + 1, sizeof *rdf->wrapped)) != NULL &&
      (rdf->fractions = rill_allocate(3 * molecules + 1, sizeof *rdf->fractions)) != NULL &&
      (rdf->cell = rill_allocate(molecules + 1, sizeof *rdf->cell)) != NULL &&
      (rdf->start = rill_allocate(rdf->most_cells + 1, sizeof *rdf->start)) != NULL)
    return RILL_OK;
  rill_rdf_destroy(rdf);
  *result = NULL;
  return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for the distances of %zu molecules", molecules);
}

bool rill_rdf_is_periodic(const struct rill_rdf *rdf) { return rdf->periodic; }
double rill_rdf_reach(const struct rill_rdf *rdf) { return 0.5 * rdf->shortest; }

void rill_rdf_destroy(struct rill_rdf *rdf) {
  if (rdf == NULL) return;
  rill_release(rdf->wrapped);
  rill_release(rdf->fractions);
  rill_release(rdf->cell);
  rill_release(rdf->start);
  rill_release(rdf->counts);
  rill_release(rdf);
}

/* Blocks 2b and 2b + 1 become block b, of twice the samples. */
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

/* The bin of a distance below max; just below it rounding may go up. */
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

/* Cells along the box's vectors: molecules within the range are `reach` cells apart at most. */
struct grid {
  const double (*box)[3];
  double inverse[3][3]; /* columns: reciprocal vectors, so that fraction i = sum over c of x_c inverse[c][i] */
  double volume;
  long count[3], reach[3];
};

static double shortest_vector(const double box[3][3], const double height[3]) {
  /* A vector with the coefficient n along an axis is n heights long and more. */
  double longest[3], least = INFINITY;
  long most[3];
  for (int i = 0; i < 3; i++) longest[i] = sqrt(box[i][0] * box[i][0] + box[i][1] * box[i][1] + box[i][2] * box[i][2]);
  for (int i = 0; i < 3; i++) most[i] = (long)fmin(fmin(fmin(longest[0], longest[1]), longest[2]) / height[i], 50);
  for (long a = -most[0]; a <= most[0]; a++)
    for (long b = -most[1]; b <= most[1]; b++)
      for (long c = -most[2]; c <= most[2]; c++) {
        double squared = 0;
        if (a == 0 && b == 0 && c == 0) continue;
        for (int k = 0; k < 3; k++) {
          const double x = (double)a * box[0][k] + (double)b * box[1][k] + (double)c * box[2][k];
          squared += x * x;
        }
        least = fmin(least, squared);
      }
  return sqrt(least);
}

static enum rill_status find_grid(struct rill_rdf *rdf, const double box[3][3], struct grid *grid,
                                  struct rill_error *error) {
  double shortest, height[3];
  grid->box = box;
  for (int i = 0; i < 3; i++) {
    const double *u = box[(i + 1) % 3], *v = box[(i + 2) % 3];
    for (int c = 0; c < 3; c++) grid->inverse[c][i] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
  }
  grid->volume = box[0][0] * grid->inverse[0][0] + box[0][1] * grid->inverse[1][0] + box[0][2] * grid->inverse[2][0];
  if (!(fabs(grid->volume) > 0) || isinf(grid->volume))
    return rill_error_set(error, RILL_ERROR_INPUT, "distances in a box whose vectors span %g nm3", grid->volume);
  for (int i = 0; i < 3; i++) {
    double squared = 0;
    for (int c = 0; c < 3; c++) {
      grid->inverse[c][i] /= grid->volume;
      squared += grid->inverse[c][i] * grid->inverse[c][i];
    }
    height[i] = 1 / sqrt(squared);
  }
  grid->volume = fabs(grid->volume);
  shortest = shortest_vector(box, height);
  if (rdf->max > shortest * (1 + 1e-6))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "distances up to %g nm in a box whose shortest lattice vector is %g nm: beyond it every "
                          "molecule meets itself; take a range of at most that",
                          rdf->max, shortest);
  rdf->shortest = fmin(rdf->shortest, shortest);
  for (int i = 0; i < 3; i++) grid->count[i] = (long)fmin(fmax(2 * height[i] / rdf->max, 1), 1e6);
  while ((double)grid->count[0] * (double)grid->count[1] * (double)grid->count[2] > (double)rdf->most_cells) {
    int most = grid->count[0] >= grid->count[1] ? 0 : 1;
    if (grid->count[2] > grid->count[most]) most = 2;
    grid->count[most] = (grid->count[most] + 1) / 2;
  }
  for (int i = 0; i < 3; i++) grid->reach[i] = (long)(rdf->max * (double)grid->count[i] / height[i]) + 1;
  return RILL_OK;
}

static size_t cell_at(const struct grid *grid, long a, long b, long c) {
  return (size_t)((a * grid->count[1] + b) * grid->count[2] + c);
}

/* Oxygens into the box, and sorted by cell. */
static enum rill_status sort_oxygens(struct rill_rdf *rdf, const double *positions, const struct grid *grid,
                                     struct rill_error *error) {
  const size_t cells = (size_t)(grid->count[0] * grid->count[1] * grid->count[2]);
  memset(rdf->start, 0, (cells + 1) * sizeof *rdf->start);
  for (size_t m = 0; m < rdf->molecules; m++) {
    const double *x = positions + 9 * m;
    long at[3];
    for (size_t i = 0; i < 3; i++) {
      double f = x[0] * grid->inverse[0][i] + x[1] * grid->inverse[1][i] + x[2] * grid->inverse[2][i];
      if (!isfinite(f))
        return rill_error_set(error, RILL_ERROR_INPUT, "molecule %zu has a position that is not finite", m + 1);
      f -= floor(f);
      rdf->fractions[3 * m + i] = f;
      at[i] = (long)(f * (double)grid->count[i]);
      if (at[i] >= grid->count[i]) at[i] = grid->count[i] - 1;
    }
    rdf->cell[m] = (uint32_t)cell_at(grid, at[0], at[1], at[2]);
    rdf->start[rdf->cell[m] + 1]++;
  }
  for (size_t k = 0; k < cells; k++) rdf->start[k + 1] += rdf->start[k];
  for (size_t m = rdf->molecules; m-- > 0;) { /* backwards: a cell's end becomes its beginning */
    double *to = rdf->wrapped + 3 * (size_t)--rdf->start[rdf->cell[m] + 1];
    const double *f = rdf->fractions + 3 * m;
    for (int c = 0; c < 3; c++) to[c] = f[0] * grid->box[0][c] + f[1] * grid->box[1][c] + f[2] * grid->box[2][c];
  }
  memmove(rdf->start, rdf->start + 1, cells * sizeof *rdf->start);
  rdf->start[cells] = (uint32_t)rdf->molecules;
  return RILL_OK;
}

/* Oxygens of one cell against those of another, moved by a lattice vector. */
static void count_pairs(const struct rill_rdf *rdf, size_t one, size_t other, const double moved[3], bool same,
                        uint64_t *counts) {
  const double max_squared = rdf->max * rdf->max, per_width = 1 / rdf->width;
  for (size_t i = rdf->start[one]; i < rdf->start[one + 1]; i++) {
    const double *p = rdf->wrapped + 3 * i;
    for (size_t j = same ? i + 1 : rdf->start[other]; j < rdf->start[other + 1]; j++) {
      const double *q = rdf->wrapped + 3 * j;
      const double x = q[0] + moved[0] - p[0], y = q[1] + moved[1] - p[1], z = q[2] + moved[2] - p[2];
      const double squared = x * x + y * y + z * z;
      /* a molecule's own image is no neighbour */
      if (squared < max_squared && (one != other || i != j)) counts[bin_of(rdf, squared, per_width)]++;
    }
  }
}

/* Whole boxes between an index of a cell and the grid, which it is put into. */
static long wrap_index(long *index, long count) {
  const long boxes = *index >= 0 ? *index / count : -((count - 1 - *index) / count);
  *index -= boxes * count;
  return boxes;
}

/* A cell against those that follow it, in half of all directions: each pair is met once. */
static void count_around(const struct rill_rdf *rdf, const struct grid *grid, long a, long b, long c,
                         uint64_t *counts) {
  const size_t here = cell_at(grid, a, b, c);
  if (rdf->start[here] == rdf->start[here + 1]) return;
  for (long da = 0; da <= grid->reach[0]; da++)
    for (long db = da > 0 ? -grid->reach[1] : 0; db <= grid->reach[1]; db++)
      for (long dc = da > 0 || db > 0 ? -grid->reach[2] : 0; dc <= grid->reach[2]; dc++) {
        long at[3] = {a + da, b + db, c + dc};
        double moved[3] = {0};
        for (int i = 0; i < 3; i++) {
          const long boxes = wrap_index(&at[i], grid->count[i]);
          if (boxes != 0)
            for (int k = 0; k < 3; k++) moved[k] += (double)boxes * grid->box[i][k];
        }
        count_pairs(rdf, here, cell_at(grid, at[0], at[1], at[2]), moved, da == 0 && db == 0 && dc == 0, counts);
      }
}

enum rill_status rill_rdf_sample_box(struct rill_rdf *rdf, const double *positions, const double box[3][3],
                                     struct rill_error *error) {
  struct grid grid;
  RILL_TRY(find_grid(rdf, box, &grid, error));
  RILL_TRY(sort_oxygens(rdf, positions, &grid, error));
  for (long a = 0; a < grid.count[0]; a++)
    for (long b = 0; b < grid.count[1]; b++)
      for (long c = 0; c < grid.count[2]; c++) count_around(rdf, &grid, a, b, c, block_of(rdf, rdf->blocks));
  rdf->volumes[rdf->blocks] += grid.volume;
  end_sample(rdf);
  return RILL_OK;
}

/* ---- results ---- */

size_t rill_rdf_samples(const struct rill_rdf *rdf) { return rdf->samples; }
size_t rill_rdf_bins(const struct rill_rdf *rdf) { return rdf->bins; }
double rill_rdf_centre(const struct rill_rdf *rdf, size_t bin) { return ((double)bin + 0.5) * rdf->width; }

static double pairs_per_sample(const struct rill_rdf *rdf) {
  return rdf->molecules < 2 ? 0 : 0.5 * (double)rdf->molecules * (double)(rdf->molecules - 1);
}

/* A block's pairs in a bin, as a part of all; in a box times the mean volume. */
static double part_of(const struct rill_rdf *rdf, size_t block, size_t bin, double samples) {
  const double part = (double)block_of(rdf, block)[bin] / (pairs_per_sample(rdf) * samples);
  return rdf->periodic ? part * rdf->volumes[block] / samples : part;
}

/* Standard error of that, from the full blocks. */
static double part_error(const struct rill_rdf *rdf, size_t bin) {
  const double samples = (double)rdf->block_samples, blocks = (double)rdf->blocks;
  double mean = 0, squares = 0;
  if (rdf->blocks < FEWEST_BLOCKS) return NAN;
  for (size_t b = 0; b < rdf->blocks; b++) mean += part_of(rdf, b, bin, samples);
  mean /= blocks;
  for (size_t b = 0; b < rdf->blocks; b++) {
    const double difference = part_of(rdf, b, bin, samples) - mean;
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
      if (error != NULL) error[i] = pairs > 0 ? part_error(rdf, i) / rdf->width : NAN;
    }
  }
}

static double total_in(const struct rill_rdf *rdf, size_t bin) {
  uint64_t count = 0;
  for (size_t b = 0; b <= rdf->blocks; b++) count += block_of(rdf, b)[bin];
  return (double)count;
}

void rill_rdf_g(const struct rill_rdf *rdf, double *g, double *error, double *neighbours) {
  const double samples = (double)rdf->samples, pairs = pairs_per_sample(rdf) * samples;
  double volume = 0, within = 0;
  for (size_t b = 0; b <= rdf->blocks; b++) volume += rdf->volumes[b];
  volume /= samples;
  for (size_t i = 0; i < rdf->bins; i++) {
    const double low = (double)i * rdf->width, high = (double)(i + 1) * rdf->width;
    const double shell = 4 * pi / 3 * (high * high * high - low * low * low), count = total_in(rdf, i);
    within += count;
    if (g != NULL) g[i] = pairs > 0 ? count / pairs * volume / shell : NAN;
    if (error != NULL) error[i] = pairs > 0 ? part_error(rdf, i) / shell : NAN;
    if (neighbours != NULL) neighbours[i] = pairs > 0 ? 2 * within / (samples * (double)rdf->molecules) : NAN;
  }
}

double rill_rdf_mean(const struct rill_rdf *rdf) {
  double sum = 0, pairs = 0;
  for (size_t i = 0; i < rdf->bins; i++) {
    sum += total_in(rdf, i) * rill_rdf_centre(rdf, i);
    pairs += total_in(rdf, i);
  }
  return pairs > 0 ? sum / pairs : NAN;
}

/* The pairs that a distribution is normalised by. */
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
