/* Pushes overlapping molecules apart, so that there is a finite energy to minimise from.
 *
 * The energy of point charges has no minimum where a hydrogen is within 0.01 nm of another molecule's oxygen, and
 * forces inside an overlap say little about the way out.  So whole molecules are moved along the line between their
 * oxygens until no two oxygens are nearer than 0.25 nm: then no sites are near enough to fuse, and minimisation does
 * the rest. */
#ifndef RILL_WATER_RELAX_SEPARATE_H
#define RILL_WATER_RELAX_SEPARATE_H

#include "water/neighbours/contact.h"

struct rill_separation {
  struct rill_contact closest; /* at the start, of all sites */
  size_t moved;                /* molecules; 0: there was no overlap, or no two oxygens were near */
  double farthest;             /* nm, largest displacement of a molecule */
};

/* positions: [molecules][3][3] nm, molecules whole; box: rows are its vectors, NULL in vacuum.  Positions are changed
 * only if sites of two molecules are nearer than 0.1 nm, or their oxygens than 0.2 nm.  Molecules at the same
 * position are separated in directions that depend on their numbers.  RILL_ERROR_INPUT if the box is too small for
 * them, or as rill_closest_contact; positions are then unchanged. */
enum rill_status rill_water_separate(size_t molecules, const double box[3][3], double *positions,
                                     struct rill_separation *separation, struct rill_error *error);

#endif
