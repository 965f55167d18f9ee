#include "numerics/broyden.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum rill_status rill_broyden_create(size_t n, struct rill_broyden *broyden, struct rill_error *error) {
  *broyden = (struct rill_broyden){.n = n};
  broyden->inverse = rill_allocate(n * n + 4 * n, sizeof *broyden->inverse);
  if (broyden->inverse == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for Broyden's method");
  broyden->change = broyden->inverse + n * n;
  broyden->before = broyden->change + n;
  broyden->seen = broyden->before + n;
  broyden->across = broyden->seen + n;
  return RILL_OK;
}

void rill_broyden_destroy(struct rill_broyden *broyden) {
  rill_release(broyden->inverse);
  *broyden = (struct rill_broyden){0};
}

void rill_broyden_begin(struct rill_broyden *broyden) {
  const size_t n = broyden->n;
  memset(broyden->inverse, 0, n * n * sizeof *broyden->inverse);
  for (size_t i = 0; i < n; i++) broyden->inverse[i * n + i] = 1;
  broyden->begun = false;
}

/* From the change s of x and y = r before - r, where B y should be s: B += (s - B y) s^T B / (s^T B y). */
static void learn(struct rill_broyden *broyden, const double *r) {
  const size_t n = broyden->n;
  const double *s = broyden->change;
  double *b = broyden->inverse, *y = broyden->before, *seen = broyden->seen, *across = broyden->across,
         denominator = 0;
  for (size_t i = 0; i < n; i++) y[i] -= r[i];
  memset(seen, 0, n * sizeof *seen);
  memset(across, 0, n * sizeof *across);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      seen[i] += b[i * n + j] * y[j];
      across[j] += s[i] * b[i * n + j];
    }
  for (size_t i = 0; i < n; i++) denominator += s[i] * seen[i];
  if (!(fabs(denominator) > 0)) return;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) b[i * n + j] += (s[i] - seen[i]) * across[j] / denominator;
}

void rill_broyden_correct(struct rill_broyden *broyden, const double *r, double *x) {
  const size_t n = broyden->n;
  if (broyden->begun) learn(broyden, r);
  broyden->begun = true;
  memcpy(broyden->before, r, n * sizeof *r);
  memset(broyden->change, 0, n * sizeof *broyden->change);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) broyden->change[i] += broyden->inverse[i * n + j] * r[j];
  for (size_t i = 0; i < n; i++) x[i] += broyden->change[i];
}
