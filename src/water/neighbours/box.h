/* The periodic box: three lattice vectors, rows a, b, c of a lower triangle (a along x, b in the xy plane), nm. */
#ifndef RILL_WATER_NEIGHBOURS_BOX_H
#define RILL_WATER_NEIGHBOURS_BOX_H

#include "base/status.h"

struct rill_box {
  double vector[3][3];
  double height[3]; /* distances between opposite faces */
  double shortest;  /* length of the shortest lattice vector: at most one image of a point lies within half of it */
  double volume;
};

/* RILL_ERROR_INPUT for edges that are not positive and finite, entries above the diagonal, or a tilt of more than
 * half an edge (the lattice then has a reduced box, which the message names). */
enum rill_status rill_box_create(const double vectors[3][3], struct rill_box *box, struct rill_error *error);

/* RILL_ERROR_INPUT if a cutoff is too long for the box: it reaches a second image. */
enum rill_status rill_box_holds(const struct rill_box *box, double cutoff, struct rill_error *error);

/* Coordinates along the lattice vectors. */
void rill_box_fractions(const struct rill_box *box, const double x[3], double fraction[3]);

#endif
