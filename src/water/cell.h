/* The cell of a periodic system: three lattice vectors, rows a, b, c of a lower triangle (a along x, b in the xy
 * plane), nm. */
#ifndef RILL_WATER_CELL_H
#define RILL_WATER_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct rill_cell {
  double vector[3][3];
  double height[3]; /* distances between opposite faces */
  double shortest;  /* length of the shortest lattice vector: at most one image of a point lies within half of it */
  double volume;
  uint64_t revision; /* number of changes since the cell was created */
};

/* RILL_ERROR_INPUT for edges that are not positive and finite, entries above the diagonal, or a tilt of more than
 * half an edge (the lattice then has a reduced box, which the message names). */
enum rill_status rill_cell_create(const double vectors[3][3], struct rill_cell *cell, struct rill_error *error);

/* RILL_ERROR_INPUT if a cutoff is too long for the box: it reaches a second image. */
enum rill_status rill_cell_holds(const struct rill_cell *cell, double cutoff, struct rill_error *error);

/* Whether the three vectors are along x, y and z. */
bool rill_cell_is_rectangular(const struct rill_cell *cell);

/* Coordinates along the lattice vectors. */
void rill_cell_fractions(const struct rill_cell *cell, const double x[3], double fraction[3]);

#endif
