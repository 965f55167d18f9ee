/* The hydrogen bonds of a small cluster, as moves of basin hopping see them.
 *
 * The order of the protons is the hard part of a water cluster: minima on the same oxygens differ by the direction of
 * rings of hydrogen bonds, and a move of single molecules breaks several bonds to change one.  Reversing a whole ring
 * keeps them all; Rick & Haymet, J. Chem. Phys. 118, 9291 (2003), for ice; Kazachenko & Thakkar, Chem. Phys. Lett.
 * 476, 120 (2009), for clusters. */
#ifndef RILL_WATER_RELAX_NETWORK_H
#define RILL_WATER_RELAX_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

enum { RILL_NETWORK_MOST = 30 };

/* Follows donated bonds from a random molecule to one that was met before, and reverses the ring; atoms:
 * [molecules][3][3] nm, up to RILL_NETWORK_MOST molecules.  The draws are those of `step` and `use`.  False, and nothing
 * done, when the walk ends at a molecule that donates no bond. */
bool rill_network_reverse_ring(const struct rill_noise *noise, uint64_t step, uint32_t use, size_t molecules, double *atoms);

/* Of three molecules that uniform numbers choose, the one with the fewest neighbours. */
size_t rill_network_loosest(const double *atoms, size_t molecules, const double u[3]);

#endif
