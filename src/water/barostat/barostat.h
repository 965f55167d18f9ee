/* The moves of a cell at constant pressure: stochastic cell rescaling (Bernetti and Bussi, J. Chem. Phys. 153, 114107
 * (2020)), whose step is a proposal that is accepted or rejected by Metropolis's rule; without its drift it is the
 * Monte Carlo barostat.  docs/theory.md derives both.
 *
 * N molecules move with the cell by their centres of mass.  The law of the cell and of the scaled centres is
 *   V^N exp(-(U + P0 V) / kT),  in the measure dV of an isotropic cell, dA dc of one with an area A = ab and a height
 *   c, and da db dc of one with three edges. */
#ifndef RILL_WATER_BAROSTAT_BAROSTAT_H
#define RILL_WATER_BAROSTAT_BAROSTAT_H

#include <stdbool.h>

#include "base/choices.h"

struct rill_barostat {
  enum rill_barostat_kind kind;
  enum rill_barostat_shape shape;
  double pressure;        /* P0, kJ/mol/nm3 */
  double compressibility; /* an estimate, nm3 mol/kJ: together with tau it sets the size of moves, and no law */
  double tau;             /* ps */
};

/* What does not change in a move. */
struct rill_barostat_bath {
  double molecules;
  double kt;   /* kJ/mol */
  double time; /* ps, between moves */
};

/* Of a configuration: its volume (nm3), potential energy, and the virial of its molecules along each axis with the
 * tail's (kJ/mol). */
struct rill_barostat_state {
  double volume, potential, virial[3];
};

/* Sets the factors of the cell's edges, and of the molecules' centres, from three normal numbers.  They are not
 * positive where the noise would make the volume negative: such a move is rejected. */
void rill_barostat_propose(const struct rill_barostat *barostat, const struct rill_barostat_bath *bath,
                           const struct rill_barostat_state *from, const double normal[3], double scale[3]);

/* The logarithm of the ratio in Metropolis's rule, for a move with these factors: it is accepted with the probability
 * min(1, exp(ratio)). */
double rill_barostat_ratio(const struct rill_barostat *barostat, const struct rill_barostat_bath *bath,
                           const struct rill_barostat_state *from, const struct rill_barostat_state *to,
                           const double scale[3]);

#endif
