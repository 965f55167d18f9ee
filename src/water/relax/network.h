/* The hydrogen bonds of a small cluster, for moves of basin hopping.
 *
 * The order of the protons makes finding the minimum of a water cluster hard: minima with the same oxygens differ by
 * the direction of rings of hydrogen bonds, and a move of single molecules breaks several bonds to change one.
 * Reversing a whole ring keeps them all; Rick & Haymet, J. Chem. Phys. 118, 9291 (2003), for ice; Kazachenko &
 * Thakkar, Chem. Phys. Lett. 476, 120 (2009), for clusters. */
#ifndef RILL_WATER_RELAX_NETWORK_H
#define RILL_WATER_RELAX_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

enum { RILL_NETWORK_MOST = 30 };

/* Follows donated bonds from a random molecule until one is visited twice, and reverses the ring; atoms:
 * [molecules][3][3] nm, up to RILL_NETWORK_MOST molecules.  The draws are those of `step` and `use`.  Returns false,
 * with the atoms unchanged, if the walk ends at a molecule that donates no bond. */
bool rill_network_reverse_ring(const struct rill_noise *noise, uint64_t step, uint32_t use, size_t molecules,
                               double *atoms);

/* Returns the molecule with the fewest neighbours among three that uniform numbers choose. */
size_t rill_network_loosest(const double *atoms, size_t molecules, const double u[3]);

#endif
