/* Points in a periodic box, sorted into cells to find the pairs that can be within a range, at a cost linear in the
 * number of points.
 *
 * All images count: a pair may be within the range several times, each time with another lattice vector.  The vectors
 * of the box may be any three that span a volume.  Without a box, one is built around the points that keeps images
 * out of range. */
#ifndef RILL_BASE_GRID_H
#define RILL_BASE_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct rill_grid;

/* Allocates the workspace for this number of points. */
enum rill_status rill_grid_create(size_t points, struct rill_grid **grid, struct rill_error *error);

/* Point m is at positions + step * m, in nm, in any image.  box: its rows are the box vectors; NULL: no box.
 * RILL_ERROR_INPUT for a box without volume, a range of more than 50 of its shortest lattice vectors, or a position
 * that is not finite. */
enum rill_status rill_grid_sort(struct rill_grid *grid, const double *positions, size_t step, const double box[3][3],
                                double range, struct rill_error *error);

/* The volume (nm3) and the shortest lattice vector (nm) of the box of the last sort. */
double rill_grid_volume(const struct rill_grid *grid);
double rill_grid_shortest(const struct rill_grid *grid);

/* A pair of cells and their points. */
struct rill_grid_cells {
  const double *one, *other;      /* [count][3], nm, wrapped into the box */
  const uint32_t *first, *second; /* [count]: indices of the points */
  size_t first_count, second_count;
  double moved[3]; /* translation to be added to `other` */
  bool same;       /* both are the same cell, unmoved: its pairs are i, j > i */
  bool images;     /* a cell and its own image: a point is paired with its own image, too, which has the same index */
};

/* Visits pairs of cells until visit returns false.  Each pair of points within the range is in exactly one of them;
 * pairs beyond the range also occur. */
void rill_grid_visit(const struct rill_grid *grid, bool (*visit)(void *context, const struct rill_grid_cells *cells),
                     void *context);

/* Accepts NULL. */
void rill_grid_destroy(struct rill_grid *grid);

#endif
