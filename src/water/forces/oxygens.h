/* Lennard-Jones between the oxygens of clusters in vacuum, for models whose oxygens have no charge: the pair kernels
 * then see only the charges (water/model/site.h).
 *
 * `width` clusters lie side by side as in water/lanes/kernels.h: molecule m of the one in lane l is column
 * m width + l.  Each oxygen meets the one a molecule further on, around the ring, then two, ... up to the one before
 * it, so that its force is the same sum in the same order for any width and any division into ranges. */
#ifndef RILL_WATER_FORCES_OXYGENS_H
#define RILL_WATER_FORCES_OXYGENS_H

#include <stdbool.h>
#include <stddef.h>

#include "water/model/model.h"

struct rill_oxygens {
  double repulsion, attraction; /* 12 c12, -6 c6 */
  size_t width, columns, room;  /* columns: molecules width */
  double *x;                    /* [3][room]: positions, the ring more than twice; owned */
};

/* False without memory.  Release x. */
bool rill_oxygens_create(const struct rill_water_model *model, size_t molecules, size_t width,
                         struct rill_oxygens *oxygens);

/* Takes the positions from q, [9][stride]. */
void rill_oxygens_take(struct rill_oxygens *oxygens, size_t stride, const double *q);

/* Adds the forces on columns first ... last-1 to f, [9][stride]; first is a multiple of RILL_LANES.  A function of
 * struct rill_pair_kernel and rill_lanes_kernel (oxygens_body.h). */
typedef void rill_oxygens_add(const struct rill_oxygens *oxygens, size_t stride, size_t first, size_t last,
                              double *f);

/* The sums over all pairs of r-12 and r-6. */
void rill_oxygens_sum(size_t molecules, size_t stride, const double *q, double *r12, double *r6);

#endif
