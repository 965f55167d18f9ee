#include "analysis/correlator.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Partial sums that are added in a fixed order, and that a compiler can keep in a vector. */
enum { LANES = 8 };

static size_t width_of(const struct rill_correlator *c) { return c->options.components * c->options.points; }

static double *held_at(const struct rill_correlator *c, size_t level, uint64_t value) {
  return c->held + (level * c->options.values + (size_t)(value % c->options.values)) * width_of(c);
}

/* The first lag that a level correlates at. */
static size_t first_of(const struct rill_correlator *c, size_t level) {
  return level == 0 ? 0 : c->options.values / 2;
}

/* The index of lag j of a level. */
static size_t index_of(const struct rill_correlator *c, size_t level, size_t j) {
  return level == 0 ? j : c->options.values + (level - 1) * (c->options.values / 2) + j - c->options.values / 2;
}

size_t rill_correlator_levels(size_t values, double samples) {
  size_t levels = 1;
  for (double reach = (double)values - 1; reach < samples && levels < 48; reach *= 2) levels++;
  return levels;
}

enum rill_status rill_correlator_create(const struct rill_correlator_options *options, struct rill_correlator *c,
                                        struct rill_error *error) {
  const size_t width = options->components * options->points;
  *c = (struct rill_correlator){.options = *options};
  c->lags = options->values + (options->levels - 1) * (options->values / 2);
  c->functions = options->kind == RILL_CORRELATION_LEGENDRE ? 2 : 1;
  RILL_TRY(rill_block_sums_create((c->functions + 1) * c->lags, &c->sums, error));
  c->held = rill_allocate(options->levels * options->values * width, sizeof *c->held);
  c->pending = rill_allocate(options->levels * width, sizeof *c->pending);
  c->count = rill_allocate(options->levels, sizeof *c->count);
  if (c->held != NULL && c->pending != NULL && c->count != NULL) return RILL_OK;
  rill_correlator_release(c);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory to correlate %zu signals", options->points);
}

void rill_correlator_release(struct rill_correlator *c) {
  rill_block_sums_release(&c->sums);
  rill_release(c->held);
  rill_release(c->pending);
  rill_release(c->count);
  *c = (struct rill_correlator){0};
}

static double added(const double lane[LANES]) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

static double product(const double *a, const double *b, size_t n) {
  double lane[LANES] = {0};
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (size_t k = 0; k < LANES; k++) lane[k] += a[i + k] * b[i + k];
  for (; i < n; i++) lane[i % LANES] += a[i] * b[i];
  return added(lane);
}

static double square(const double *a, const double *b, size_t n) {
  double lane[LANES] = {0};
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (size_t k = 0; k < LANES; k++) lane[k] += (a[i + k] - b[i + k]) * (a[i + k] - b[i + k]);
  for (; i < n; i++) lane[i % LANES] += (a[i] - b[i]) * (a[i] - b[i]);
  return added(lane);
}

/* Sums of c and of c^2, with c the product of two vectors of three components. */
static void cosines(const double *a, const double *b, size_t n, double *first, double *second) {
  double lane[LANES] = {0}, squared[LANES] = {0};
  size_t i = 0;
  for (; i + LANES <= n; i += LANES)
    for (size_t k = 0; k < LANES; k++) {
      const size_t x = i + k, y = n + i + k, z = 2 * n + i + k;
      const double cosine = a[x] * b[x] + a[y] * b[y] + a[z] * b[z];
      lane[k] += cosine;
      squared[k] += cosine * cosine;
    }
  for (; i < n; i++) {
    const double cosine = a[i] * b[i] + a[n + i] * b[n + i] + a[2 * n + i] * b[2 * n + i];
    lane[i % LANES] += cosine;
    squared[i % LANES] += cosine * cosine;
  }
  *first = added(lane);
  *second = added(squared);
}

static void correlate(struct rill_correlator *c, const double *early, const double *late, size_t index) {
  double *sums = rill_block_sums_row(&c->sums), first, second;
  const size_t points = c->options.points;
  sums[c->functions * c->lags + index] += 1;
  switch (c->options.kind) {
  case RILL_CORRELATION_PRODUCT: sums[index] += product(early, late, width_of(c)) / (double)points; break;
  case RILL_CORRELATION_SQUARE: sums[index] += square(early, late, width_of(c)) / (double)points; break;
  case RILL_CORRELATION_LEGENDRE:
    cosines(early, late, points, &first, &second);
    sums[index] += first / (double)points;
    sums[c->lags + index] += 1.5 * second / (double)points - 0.5;
    break;
  }
}

/* The value that the next level receives: NULL when it waits for another. */
static const double *pass_on(struct rill_correlator *c, size_t level, const double *value) {
  const size_t width = width_of(c);
  double *pending = c->pending + level * width;
  const bool second = c->count[level] % 2 == 0;
  if (!c->options.averages) return second ? NULL : value;
  if (!second) {
    memcpy(pending, value, width * sizeof *pending);
    return NULL;
  }
  for (size_t i = 0; i < width; i++) pending[i] = 0.5 * (pending[i] + value[i]);
  return pending;
}

void rill_correlator_add(struct rill_correlator *c, const double *sample) {
  const double *value = sample;
  for (size_t level = 0; level < c->options.levels && value != NULL; level++) {
    const uint64_t now = c->count[level]++;
    memcpy(held_at(c, level, now), value, width_of(c) * sizeof *value);
    if (now % c->options.every == 0)
      for (size_t j = first_of(c, level); j < c->options.values && j <= now; j++)
        correlate(c, held_at(c, level, now - j), held_at(c, level, now), index_of(c, level, j));
    value = pass_on(c, level, value);
  }
  rill_block_sums_end_sample(&c->sums);
}

double rill_correlator_lag(const struct rill_correlator *c, size_t index) {
  const size_t half = c->options.values / 2;
  if (index < c->options.values) return (double)index;
  index -= c->options.values;
  return ldexp((double)(half + index % half), (int)(1 + index / half));
}

size_t rill_correlator_known(const struct rill_correlator *c) {
  for (size_t i = 0; i < c->lags; i++) {
    bool any = false;
    for (size_t b = 0; b <= c->sums.blocks; b++)
      any = any || c->sums.sums[b * c->sums.width + c->functions * c->lags + i] > 0;
    if (!any) return i;
  }
  return c->lags;
}

double rill_correlator_value(const struct rill_correlator *c, const double *sums, size_t function, size_t index) {
  return sums[function * c->lags + index] / sums[c->functions * c->lags + index];
}

void rill_correlator_archive(struct rill_correlator *c, struct rill_archive *archive) {
  const size_t width = width_of(c);
  rill_block_sums_archive(&c->sums, archive);
  rill_archive_integers(archive, "values", c->count, c->options.levels);
  rill_archive_reals(archive, "held", c->held, c->options.levels * c->options.values * width);
  if (c->options.averages) rill_archive_reals(archive, "pending", c->pending, c->options.levels * width);
}
