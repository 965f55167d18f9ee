/* Band matrices over LAPACK's general band LU (Anderson et al., LAPACK Users' Guide, 3rd ed., SIAM 1999).
 *
 * The `_work` entry points do no NaN scan and no allocation of their own.  An OpenBLAS behind LAPACK is kept to one thread:
 * with more, its results would depend on their number. */
#include "numerics/band.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Present only when the BLAS is OpenBLAS. */
extern void openblas_set_num_threads(int count) __attribute__((weak));

enum rill_status rill_band_create(size_t n, size_t width, struct rill_band *band, struct rill_error *error) {
  *band = (struct rill_band){.n = n, .width = n > 0 && width > n - 1 ? n - 1 : width};
  if (openblas_set_num_threads != NULL) openblas_set_num_threads(1);
  if (n > INT32_MAX / 4 || width > INT32_MAX / 4)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "a band matrix of %zu rows is larger than LAPACK's indices", n);
  band->entries = rill_allocate(n * (3 * band->width + 1), sizeof *band->entries);
  band->pivots = rill_allocate(n, sizeof *band->pivots);
  if (band->entries != NULL && band->pivots != NULL) return RILL_OK;
  rill_band_destroy(band);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a band matrix of %zu rows, width %zu", n, width);
}

enum rill_status rill_band_create_ring(size_t n, size_t reach, struct rill_band *band, struct rill_error *error) {
  RILL_TRY(rill_band_create(n, 2 * reach, band, error));
  band->ring = true;
  band->folded = rill_allocate(n, sizeof *band->folded);
  if (band->folded != NULL) return RILL_OK;
  rill_band_destroy(band);
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for a band matrix of %zu rows", n);
}

void rill_band_destroy(struct rill_band *band) {
  rill_release(band->entries);
  rill_release(band->folded);
  rill_release(band->pivots);
  *band = (struct rill_band){0};
}

void rill_band_clear(struct rill_band *band) {
  memset(band->entries, 0, band->n * (3 * band->width + 1) * sizeof *band->entries);
  band->factored = false;
}

bool rill_band_factor(struct rill_band *band) {
  lapack_int n = (lapack_int)band->n, width = (lapack_int)band->width;
  if (n == 0) return band->factored = true;
  if (LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, n, n, width, width, band->entries, 3 * width + 1, band->pivots) != 0) return false;
  /* A number that is not finite reaches the pivots. */
  for (size_t j = 0; j < band->n; j++)
    if (!isfinite(band->entries[j * (3 * band->width + 1) + 2 * band->width])) return false;
  return band->factored = true;
}

void rill_band_solve(const struct rill_band *band, double *x) {
  lapack_int n = (lapack_int)band->n, width = (lapack_int)band->width;
  double *y = band->ring ? band->folded : x;
  if (n == 0) return;
  for (size_t i = 0; band->ring && i < band->n; i++) y[rill_band_fold(band->n, i)] = x[i];
  LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', n, width, width, 1, band->entries, 3 * width + 1, band->pivots, y, n);
  for (size_t i = 0; band->ring && i < band->n; i++) x[i] = y[rill_band_fold(band->n, i)];
}

/* Rows [first, last) that column j has entries in, as storage knows them. */
static inline size_t first_row(const struct rill_band *band, size_t j) { return j > band->width ? j - band->width : 0; }
static inline size_t last_row(const struct rill_band *band, size_t j) {
  return j + band->width < band->n ? j + band->width + 1 : band->n;
}

/* The index that is stored in row or column i. */
static inline size_t unfold(const struct rill_band *band, size_t i) {
  return !band->ring ? i : i % 2 == 0 ? i / 2 : band->n - 1 - i / 2;
}

void rill_band_multiply(const struct rill_band *band, const double *x, double *y) {
  size_t rows = 3 * band->width + 1;
  for (size_t i = 0; i < band->n; i++) y[i] = 0;
  for (size_t j = 0; j < band->n; j++) {
    const double *column = band->entries + j * rows + 2 * band->width - j;
    for (size_t i = first_row(band, j); i < last_row(band, j); i++) y[unfold(band, i)] += column[i] * x[unfold(band, j)];
  }
}

void rill_band_unpack(const struct rill_band *band, double *matrix) {
  size_t n = band->n, rows = 3 * band->width + 1;
  memset(matrix, 0, n * n * sizeof *matrix);
  for (size_t j = 0; j < n; j++) {
    const double *column = band->entries + j * rows + 2 * band->width - j;
    for (size_t i = first_row(band, j); i < last_row(band, j); i++) matrix[unfold(band, i) * n + unfold(band, j)] = column[i];
  }
}
