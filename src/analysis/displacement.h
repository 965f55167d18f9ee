/* Displacements of points in a periodic box, added up from positions wrapped into it.
 *
 * A barostat moves unwrapped positions by a part of their distance from the origin, which grows without bound; so
 * displacements must be differences of wrapped ones: von Bulow, Bullerjahn & Hummer, J. Chem. Phys. 153, 021101
 * (2020); Bullerjahn, von Bulow, Heidari, Henin & Hummer, J. Chem. Theory Comput. 19, 3406 (2023).  They are taken
 * relative to the mean displacement of all points, since a heat bath moves their common centre. */
#ifndef RILL_ANALYSIS_DISPLACEMENT_H
#define RILL_ANALYSIS_DISPLACEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/archive.h"
#include "base/status.h"

/* A zeroed struct may be released. */
struct rill_displacement {
  size_t points;
  bool begun;
  double *wrapped; /* [3][points], nm: the last positions */
  double *sum;     /* [3][points], nm: displacements since the first sample */
};

enum rill_status rill_displacement_create(size_t points, struct rill_displacement *displacement,
                                          struct rill_error *error);
void rill_displacement_release(struct rill_displacement *displacement);
/* positions: [3][points], in any image.  box: rows are its vectors, a lower triangle.  A point may have moved by less
 * than half of the box since the last sample. */
void rill_displacement_add(struct rill_displacement *displacement, const double *positions, const double box[3][3]);
void rill_displacement_archive(struct rill_displacement *displacement, struct rill_archive *archive);

#endif
