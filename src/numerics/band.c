/* Band matrices over LAPACK's general band LU (Anderson et al., LAPACK Users' Guide, 3rd ed., SIAM 1999).
 *
 * Narrow bands, those of pendulums and chains, are eliminated here: the overhead of LAPACK for each column is several
 * times the arithmetic of a few entries.  Both perform the same elimination in the same storage.
 *
 * The `_work` entry points do no NaN scan and no allocation of their own. */
#include "numerics/band.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "numerics/blas.h"

enum rill_status rill_band_create(size_t n, size_t width, struct rill_band *band, struct rill_error *error) {
  *band = (struct rill_band){.n = n, .width = n > 0 && width > n - 1 ? n - 1 : width};
  if (n > INT32_MAX / 4 || width > INT32_MAX / 4)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "a band matrix of %zu rows is larger than LAPACK's indices",
                          n);
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

enum { NARROW = 8 };

/* Gaussian elimination with partial pivoting; multipliers replace the entries that they eliminate, and reciprocals of
 * the pivots replace the pivots.  For a constant `width` the inner loops are unrolled. */
static inline __attribute__((always_inline)) bool eliminate(struct rill_band *band, size_t width) {
  size_t n = band->n, along = 3 * width; /* distance from an entry to its right neighbour */
  size_t reach = 0;                      /* the last column in which the rows swapped so far have entries */
  for (size_t j = 0; j < n; j++) {
    double *diagonal = band->entries + j * (3 * width + 1) + 2 * width;
    size_t below = j + width < n ? width : n - 1 - j, pivot = 0;
    for (size_t i = 1; i <= below; i++)
      if (fabs(diagonal[i]) > fabs(diagonal[pivot])) pivot = i;
    band->pivots[j] = (int)pivot;
    if (diagonal[pivot] == 0) return false;
    if (j + width + pivot > reach) reach = j + width + pivot;
    if (reach > n - 1) reach = n - 1;
    if (pivot != 0)
      for (size_t k = 0; k <= reach - j; k++) {
        double *entry = diagonal + k * along, swapped = entry[0];
        entry[0] = entry[pivot];
        entry[pivot] = swapped;
      }
    double inverse = 1.0 / diagonal[0];
    for (size_t i = 1; i <= below; i++) diagonal[i] *= inverse;
    diagonal[0] = inverse;
    for (size_t k = 1; k <= reach - j; k++) {
      double *column = diagonal + k * along, top = column[0];
      for (size_t i = 1; i <= below; i++) column[i] -= diagonal[i] * top;
    }
  }
  return true;
}

static inline __attribute__((always_inline)) void substitute(const struct rill_band *band, size_t width, double *x) {
  size_t n = band->n, rows = 3 * width + 1;
  for (size_t j = 0; j < n; j++) {
    const double *diagonal = band->entries + j * rows + 2 * width;
    size_t below = j + width < n ? width : n - 1 - j, pivot = j + (size_t)band->pivots[j];
    double top = x[pivot];
    x[pivot] = x[j];
    x[j] = top;
    for (size_t i = 1; i <= below; i++) x[j + i] -= diagonal[i] * top;
  }
  for (size_t j = n; j-- > 0;) {
    const double *diagonal = band->entries + j * rows + 2 * width;
    size_t above = j < 2 * width ? j : 2 * width;
    double top = x[j] *= diagonal[0];
    for (size_t i = 1; i <= above; i++) x[j - i] -= diagonal[-(ptrdiff_t)i] * top;
  }
}

static bool factor_wide(struct rill_band *band) {
  const lapack_int n = (lapack_int)band->n, width = (lapack_int)band->width;
  lapack_int info;
  rill_blas_enter();
  info = LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, n, n, width, width, band->entries, 3 * width + 1, band->pivots);
  rill_blas_leave();
  return info == 0;
}

static void solve_wide(const struct rill_band *band, double *x) {
  const lapack_int n = (lapack_int)band->n, width = (lapack_int)band->width;
  rill_blas_enter();
  LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', n, width, width, 1, band->entries, 3 * width + 1, band->pivots, x, n);
  rill_blas_leave();
}

bool rill_band_factor(struct rill_band *band) {
  bool regular;
  if (band->n == 0) return band->factored = true;
  switch (band->width) {
  case 1: regular = eliminate(band, 1); break;
  case 3: regular = eliminate(band, 3); break;
  default: regular = band->width <= NARROW ? eliminate(band, band->width) : factor_wide(band);
  }
  /* A number that is not finite propagates to the pivots. */
  for (size_t j = 0; regular && j < band->n; j++)
    regular = isfinite(band->entries[j * (3 * band->width + 1) + 2 * band->width]);
  return band->factored = regular;
}

static void solve_stored(const struct rill_band *band, double *x) {
  switch (band->width) {
  case 1: substitute(band, 1, x); break;
  case 3: substitute(band, 3, x); break;
  default:
    if (band->width <= NARROW) substitute(band, band->width, x);
    else solve_wide(band, x);
  }
}

void rill_band_solve(const struct rill_band *band, double *x) {
  size_t n = band->n;
  if (n == 0) return;
  if (!band->ring) {
    solve_stored(band, x);
    return;
  }
  for (size_t i = 0; i < n; i++) band->folded[rill_band_fold(n, i)] = x[i];
  solve_stored(band, band->folded);
  for (size_t i = 0; i < n; i++) x[i] = band->folded[rill_band_fold(n, i)];
}

/* Rows [first, last) in which column j has entries, in the order of storage. */
static inline size_t first_row(const struct rill_band *band, size_t j) {
  return j > band->width ? j - band->width : 0;
}
static inline size_t last_row(const struct rill_band *band, size_t j) {
  return j + band->width < band->n ? j + band->width + 1 : band->n;
}

/* The index whose entries are stored in row or column i. */
static inline size_t unfold(const struct rill_band *band, size_t i) {
  return !band->ring ? i : i % 2 == 0 ? i / 2 : band->n - 1 - i / 2;
}

void rill_band_multiply(const struct rill_band *band, const double *x, double *y) {
  size_t rows = 3 * band->width + 1;
  for (size_t i = 0; i < band->n; i++) y[i] = 0;
  for (size_t j = 0; j < band->n; j++) {
    const double *column = band->entries + j * rows + 2 * band->width - j;
    for (size_t i = first_row(band, j); i < last_row(band, j); i++)
      y[unfold(band, i)] += column[i] * x[unfold(band, j)];
  }
}

void rill_band_unpack(const struct rill_band *band, double *matrix) {
  size_t n = band->n, rows = 3 * band->width + 1;
  memset(matrix, 0, n * n * sizeof *matrix);
  for (size_t j = 0; j < n; j++) {
    const double *column = band->entries + j * rows + 2 * band->width - j;
    for (size_t i = first_row(band, j); i < last_row(band, j); i++)
      matrix[unfold(band, i) * n + unfold(band, j)] = column[i];
  }
}
