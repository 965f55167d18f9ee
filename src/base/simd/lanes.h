/* Padding of arrays of molecules, for code outside the vector bodies. */
#ifndef RILL_BASE_SIMD_LANES_H
#define RILL_BASE_SIMD_LANES_H

#include <stddef.h>

enum { RILL_LANES = 8 };

/* Rounds count up to a multiple of the widest vector. */
static inline size_t rill_padded(size_t count) { return (count + RILL_LANES - 1) / RILL_LANES * RILL_LANES; }

#endif
