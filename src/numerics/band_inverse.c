/* The entries of the inverse of a band matrix within the band: Takahashi, Fagan & Chin, Proc. 8th PICA Conf., 63
 * (1973); Erisman & Tinney, Commun. ACM 18, 177 (1975).
 *
 * From A = U^T D U, U unit upper triangular, S = A^-1 satisfies S = D^-1 U^-T + (I - U) S, where D^-1 U^-T is lower
 * triangular:
 *   S_ij = -sum_{k > i} U_ik S_kj  (i < j),    S_ii = 1 / D_i - sum_{k > i} U_ik S_ki.
 * Row i of U has entries up to k = i + width, so that rows from the last to the first need entries of S within the
 * band only. */
#include <math.h>

#include "numerics/band.h"

static size_t entries_after(const struct rill_band *band, size_t i) {
  return i + band->width < band->n ? band->width : band->n - 1 - i;
}

/* U above the diagonal, D on it; the entries below are left. */
static bool factor_symmetric(struct rill_band *band, double *log_determinant) {
  *log_determinant = 0;
  for (size_t j = 0; j < band->n; j++) {
    const size_t after = entries_after(band, j);
    const double pivot = *rill_band_at(band, j, j);
    if (!(pivot > 0 && isfinite(pivot))) return false;
    *log_determinant += log(pivot);
    for (size_t i = 1; i <= after; i++) {
      const double u = *rill_band_at(band, j, j + i) / pivot;
      for (size_t k = i; k <= after; k++) *rill_band_at(band, j + i, j + k) -= u * *rill_band_at(band, j, j + k);
    }
    for (size_t i = 1; i <= after; i++) *rill_band_at(band, j, j + i) /= pivot;
  }
  return true;
}

/* sum_{k > i} U_ik S_kj; rows after i hold S, on both sides of the diagonal. */
static double row_times_column(const struct rill_band *band, size_t i, size_t j, size_t after) {
  double sum = 0;
  for (size_t k = i + 1; k <= i + after; k++) sum += *rill_band_at(band, i, k) * *rill_band_at(band, k, j);
  return sum;
}

bool rill_band_invert_within(struct rill_band *band, double *log_determinant) {
  if (!factor_symmetric(band, log_determinant)) return false;
  for (size_t i = band->n; i-- > 0;) {
    const size_t after = entries_after(band, i);
    for (size_t j = i + 1; j <= i + after; j++) *rill_band_at(band, j, i) = -row_times_column(band, i, j, after);
    *rill_band_at(band, i, i) = 1 / *rill_band_at(band, i, i) - row_times_column(band, i, i, after);
    for (size_t j = i + 1; j <= i + after; j++) *rill_band_at(band, i, j) = *rill_band_at(band, j, i);
  }
  return true;
}
