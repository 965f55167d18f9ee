/* Square band matrices, solved through LAPACKE; dense matrices are bands of full width. */
#ifndef RILL_NUMERICS_BAND_H
#define RILL_NUMERICS_BAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* rill_band_at gives the address of entry (i, j), |i - j| <= width; the storage is LAPACK's general band form, with
 * room for pivoting. */
struct rill_band {
  size_t n, width;
  bool ring;       /* indices are folded, 0, n - 1, 1, n - 2, ...: a band for a narrow ring */
  double *entries; /* [n columns][3 width + 1]; column major: entry (i, j) at j (3 width + 1) + 2 width + i - j */
  int *pivots;     /* [n] */
  double *folded;  /* [n] scratch for solves of a ring; NULL otherwise */
  bool factored;
};

enum rill_status rill_band_create(size_t n, size_t width, struct rill_band *band, struct rill_error *error);
/* A matrix whose entries vanish beyond a distance `reach` around the ring of indices; rill_band_at takes unfolded
 * indices. */
enum rill_status rill_band_create_ring(size_t n, size_t reach, struct rill_band *band, struct rill_error *error);
void rill_band_destroy(struct rill_band *band); /* accepts a zeroed struct */
void rill_band_clear(struct rill_band *band);   /* all entries 0, not factored */

static inline size_t rill_band_fold(size_t n, size_t i) { return 2 * i < n ? 2 * i : 2 * (n - 1 - i) + 1; }

static inline double *rill_band_at(const struct rill_band *band, size_t i, size_t j) {
  if (band->ring) i = rill_band_fold(band->n, i), j = rill_band_fold(band->n, j);
  return band->entries + j * (3 * band->width + 1) + 2 * band->width + i - j;
}

/* LU with partial pivoting in place; false when singular or not finite.  Linear in n for a fixed width. */
bool rill_band_factor(struct rill_band *band);
/* x = A^-1 x after factoring: [n]. */
void rill_band_solve(const struct rill_band *band, double *x);
/* y = A x before factoring: [n], overwritten. */
void rill_band_multiply(const struct rill_band *band, const double *x, double *y);
/* For a symmetric positive definite matrix, not factored and no ring: ln det A, and A^-1 in place of A, within the
 * band only (outside it A^-1 does not vanish); false when it is not positive definite.  The cost is n width^2. */
bool rill_band_invert_within(struct rill_band *band, double *log_determinant);
/* The matrix before factoring, dense and row major: [n][n], overwritten. */
void rill_band_unpack(const struct rill_band *band, double *matrix);

#endif
