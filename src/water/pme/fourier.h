/* Fourier transforms of any length, many at once: a transform a lane; private to src/water/pme/.
 *
 * A length is split into its factors; each gives a pass of butterflies from one array to another that puts its
 * results in order (Stockham's autosort; Van Loan, Computational Frameworks for the Fast Fourier Transform, section
 * 1.7). Numbers are vectors of lanes, real and imaginary parts apart, so that no pass shuffles lanes.  There is no
 * planning by the clock: the operations depend on the length alone. */
#ifndef RILL_WATER_PME_FOURIER_H
#define RILL_WATER_PME_FOURIER_H

#include <stddef.h>

enum { RILL_FOURIER_PASSES = 16 };

struct rill_fourier {
  size_t length;
  int passes;
  size_t radix[RILL_FOURIER_PASSES];
  /* real, cosine and sine: [m][radix] of exp(-2 pi i j k / n), n = m radix left, and [radix] of
   * exp(-2 pi i j / radix) */
  void *turns[RILL_FOURIER_PASSES], *roots[RILL_FOURIER_PASSES];
};

/* length >= 1; single: float tables.  False when memory is out.  Destroy in any case. */
int rill_fourier_create(size_t length, int single, struct rill_fourier *fourier);
void rill_fourier_destroy(struct rill_fourier *fourier);

#endif
