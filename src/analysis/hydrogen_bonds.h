/* Hydrogen bonds by a criterion of distances and angles: of two molecules whose oxygens are less than `distance`
 * apart, one gives a bond when the angle H-O...O between its O-H and the line of the oxygens is below `angle` (Luzar
 * & Chandler, Nature 379, 55 (1996): 0.35 nm and 30 degrees). */
#ifndef RILL_ANALYSIS_HYDROGEN_BONDS_H
#define RILL_ANALYSIS_HYDROGEN_BONDS_H

#include "base/grid.h"

struct rill_bond_criterion {
  double distance; /* nm */
  double angle;    /* degrees */
};

/* The number of bonds; positions: [molecules][O, H, H][3], nm, molecules whole.  box, errors: as in rill_grid_sort,
 * of a grid for as many points as there are molecules. */
enum rill_status rill_hydrogen_bonds_count(struct rill_grid *grid, const double *positions, const double box[3][3],
                                           const struct rill_bond_criterion *criterion, size_t *bonds,
                                           struct rill_error *error);

#endif
