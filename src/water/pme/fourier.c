#include "water/pme/fourier.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* exp(-2 pi i j / n) at place `at` of a table. */
static void put_turn(void *table, size_t at, size_t j, size_t n, int single) {
  const double angle = -2.0 * M_PI * (double)(j % n) / (double)n, cosine = cos(angle), sine = sin(angle);
  if (single) {
    ((float *)table)[2 * at] = (float)cosine;
    ((float *)table)[2 * at + 1] = (float)sine;
  } else {
    ((double *)table)[2 * at] = cosine;
    ((double *)table)[2 * at + 1] = sine;
  }
}

/* 4 while it divides, then 2 and the odd factors. */
static size_t next_radix(size_t length) {
  if (length % 4 == 0) return 4;
  if (length % 2 == 0) return 2;
  for (size_t p = 3; p * p <= length; p += 2)
    if (length % p == 0) return p;
  return length;
}

int rill_fourier_create(size_t length, int single, struct rill_fourier *fourier) {
  const size_t size = 2 * (single ? sizeof(float) : sizeof(double));
  memset(fourier, 0, sizeof *fourier);
  fourier->length = length;
  for (size_t n = length; n > 1; fourier->passes++) {
    const size_t radix = next_radix(n), m = n / radix;
    const int pass = fourier->passes;
    fourier->radix[pass] = radix;
    fourier->turns[pass] = rill_allocate(n, size);
    fourier->roots[pass] = rill_allocate(radix, size);
    if (fourier->turns[pass] == NULL || fourier->roots[pass] == NULL) return 0;
    for (size_t k = 0; k < m; k++)
      for (size_t j = 0; j < radix; j++) put_turn(fourier->turns[pass], k * radix + j, j * k, n, single);
    for (size_t j = 0; j < radix; j++) put_turn(fourier->roots[pass], j, j, radix, single);
    n = m;
  }
  return 1;
}

void rill_fourier_destroy(struct rill_fourier *fourier) {
  for (int pass = 0; pass < RILL_FOURIER_PASSES; pass++) {
    rill_release(fourier->turns[pass]);
    rill_release(fourier->roots[pass]);
  }
  memset(fourier, 0, sizeof *fourier);
}
