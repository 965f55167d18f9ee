/* Tao & Owhadi, Variational and linearly implicit integrators, with applications, IMA J. Numer. Anal. 36, 80 (2016):
 * the data of figures 1, 2a, 2b, 3, 8, 9 and 10, and the limits of stability that figure 1's caption speaks of. */
#ifndef RILL_PAPERS_TAO_OWHADI_H
#define RILL_PAPERS_TAO_OWHADI_H

#include "papers/result.h"

/* tao-owhadi-figure-1, tao-owhadi-stability, tao-owhadi-figure-2a, -2b, -3, -8, -9, -10; *count gets their number. */
const struct rill_result *rill_tao_owhadi_results(size_t *count);

#endif
