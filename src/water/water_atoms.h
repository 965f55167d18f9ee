/* The atoms of rigid bodies: body.block holds the whole state, from which positions and velocities are computed. */
#ifndef RILL_WATER_WATER_ATOMS_H
#define RILL_WATER_WATER_ATOMS_H

#include "water/water_state.h"

/* Allocates the bodies' state.  RILL_ERROR_MEMORY; RILL_ERROR_INPUT for a molecule that cannot be a body. */
enum rill_status rill_water_bodies_create(struct rill_water *water, struct rill_error *error);
void rill_water_bodies_destroy(struct rill_water *water);

/* adopt: sets the bodies from q and v; changed: body.block was set: updates q, and marks v as stale; follow: updates
 * v from the bodies if it is stale; place_saved: computes the saved positions of the atoms.  These do nothing for
 * other water; the rest are for bodies only. */
void rill_water_bodies_adopt(struct rill_water *water);
void rill_water_bodies_changed(struct rill_water *water);
void rill_water_bodies_follow(struct rill_water *water);
void rill_water_bodies_place_saved(const struct rill_water *water);
void rill_water_bodies_shift(struct rill_water *water, const double shift[3]);
void rill_water_bodies_reverse(struct rill_water *water);
void rill_water_bodies_save(struct rill_water *water);
void rill_water_bodies_restore(struct rill_water *water);
void rill_water_bodies_archive(struct rill_water *water, struct rill_archive *archive);

#endif
