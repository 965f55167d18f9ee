/* Removal of momenta from the velocities of atoms. */
#ifndef RILL_WATER_WATER_MOMENTA_H
#define RILL_WATER_WATER_MOMENTA_H

#include "water/water_state.h"

enum rill_status rill_water_remove_linear(struct rill_water *water, struct rill_error *error);

/* About the centre of mass: v -= omega x (r - centre), I omega = L, a rotation of the whole cluster, which keeps
 * every molecule rigid.  RILL_ERROR_INPUT: the inertia is singular. */
enum rill_status rill_water_remove_angular(struct rill_water *water, struct rill_error *error);

/* The same for atoms or bodies, whose velocities need not be up to date. */
enum rill_status rill_water_stop_turning(struct rill_water *water, struct rill_error *error);

#endif
