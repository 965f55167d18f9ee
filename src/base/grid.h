/* Points in a periodic box, sorted into cells: which pairs can be within a range, at a cost linear in their number.
 *
 * All images count: within the range a pair may be met several times, each time moved by another lattice vector.  A
 * box of any three vectors that span a volume will do.  Without a box, points get one that keeps images apart. */
#ifndef RILL_BASE_GRID_H
#define RILL_BASE_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct rill_grid;

/* Workspace for so many points. */
enum rill_status rill_grid_create(size_t points, struct rill_grid **grid, struct rill_error *error);

/* Point m stands at positions + step * m, nm, in any image.  box: rows are its vectors; NULL: none.
 * RILL_ERROR_INPUT for a box without volume, a range of more than 50 of its shortest lattice vectors, or a position
 * that is not finite. */
enum rill_status rill_grid_sort(struct rill_grid *grid, const double *positions, size_t step, const double box[3][3],
                                double range, struct rill_error *error);

/* Of the box sorted by: nm3, and nm. */
double rill_grid_volume(const struct rill_grid *grid);
double rill_grid_shortest(const struct rill_grid *grid);

/* The points of two cells. */
struct rill_grid_cells {
  const double *one, *other;      /* [count][3], nm, wrapped into the box */
  const uint32_t *first, *second; /* [count]: which points they are */
  size_t first_count, second_count;
  double moved[3]; /* to be added to the other's */
  bool same;       /* one and the other are one cell, unmoved: a pair is i, j > i */
  bool images;     /* one cell and its own image: a point's image is met too, under the same number */
};

/* Visits pairs of cells until visit returns false: all pairs of points within the range are in them, each in one, and
 * others too. */
void rill_grid_visit(const struct rill_grid *grid, bool (*visit)(void *context, const struct rill_grid_cells *cells),
                     void *context);

/* Accepts NULL. */
void rill_grid_destroy(struct rill_grid *grid);

#endif
