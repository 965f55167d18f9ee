/* Overlapping molecules pushed apart, so that there is a finite energy to minimise from.
 *
 * Point charges have no lowest energy where a hydrogen is within 0.01 nm of another molecule's oxygen, and forces
 * inside an overlap say little about the way out.  So molecules are moved as a whole, along the line of their
 * oxygens, until no two oxygens are nearer than 0.25 nm: then no sites are near enough to fuse, and minimisation does
 * the rest. */
#ifndef RILL_WATER_RELAX_SEPARATE_H
#define RILL_WATER_RELAX_SEPARATE_H

#include "water/neighbours/contact.h"

struct rill_separation {
  struct rill_contact closest; /* at the start, of all sites */
  size_t moved;                /* molecules; 0: nothing overlapped, or no two oxygens were near */
  double farthest;             /* nm, that a molecule was moved */
};

/* positions: [molecules][3][3] nm, molecules whole; box: rows are its vectors, NULL in vacuum.  Leaves them alone
 * unless sites of two molecules are nearer than 0.1 nm, or their oxygens than 0.2 nm.  Molecules at one and the same
 * place go apart in directions that their numbers decide.  RILL_ERROR_INPUT when the box is too small for them, or as
 * rill_closest_contact; positions are then as they were. */
enum rill_status rill_water_separate(size_t molecules, const double box[3][3], double *positions,
                                     struct rill_separation *separation, struct rill_error *error);

#endif
