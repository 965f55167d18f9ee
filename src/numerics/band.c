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

void rill_band_destroy(struct rill_band *band) {
  rill_release(band->entries);
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
  for (size_t i = 0; i < band->n; i++)
    if (!isfinite(*rill_band_at(band, i, i))) return false;
  return band->factored = true;
}

void rill_band_solve(const struct rill_band *band, double *x) {
  lapack_int n = (lapack_int)band->n, width = (lapack_int)band->width;
  if (n == 0) return;
  LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', n, width, width, 1, band->entries, 3 * width + 1, band->pivots, x, n);
}

void rill_band_multiply(const struct rill_band *band, const double *x, double *y) {
  size_t rows = 3 * band->width + 1;
  for (size_t i = 0; i < band->n; i++) y[i] = 0;
  for (size_t j = 0; j < band->n; j++) {
    size_t first = j > band->width ? j - band->width : 0;
    size_t last = j + band->width < band->n ? j + band->width : band->n - 1;
    const double *column = band->entries + j * rows + 2 * band->width - j;
    for (size_t i = first; i <= last; i++) y[i] += column[i] * x[j];
  }
}

void rill_band_unpack(const struct rill_band *band, double *matrix) {
  size_t n = band->n, rows = 3 * band->width + 1;
  memset(matrix, 0, n * n * sizeof *matrix);
  for (size_t j = 0; j < n; j++) {
    size_t first = j > band->width ? j - band->width : 0;
    size_t last = j + band->width < n ? j + band->width : n - 1;
    for (size_t i = first; i <= last; i++) matrix[i * n + j] = band->entries[j * rows + 2 * band->width + i - j];
  }
}
