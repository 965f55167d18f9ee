/* Molecules that rank 0 has, to the ranks that share their box. */
#ifndef RILL_WATER_WATER_HAND_OUT_H
#define RILL_WATER_WATER_HAND_OUT_H

#include "water/model/positions.h"
#include "water/water_state.h"

/* Of all ranks, after rill_water_deal: brings positions or velocities of all molecules of the box, which rank 0 has,
 * to the columns of values, [9][stride], with `shift`, [3], added (NULL: nothing).  Rank 0 has copies of a few at a
 * time; on the others `all` is not used. */
enum rill_status rill_water_hand_out(struct rill_water *water, const struct rill_positions *all, const double *shift,
                                     double *values, struct rill_error *error);

#endif
