/* One box over ranks: each has the molecules of a brick (parallel/bricks.h, water/water_ranks.h). */
#ifndef RILL_SIMULATION_SHARED_BOX_H
#define RILL_SIMULATION_SHARED_BOX_H

#include "base/ranks.h"
#include "simulation/simulation.h"
#include "simulation/water.h"

/* RILL_ERROR_UNSUPPORTED: what cannot be divided among ranks, by name. */
enum rill_status rill_shared_box_check(const struct rill_simulation *sim, struct rill_error *error);

/* On rank 0, for a simulation that was created: how its box is divided.  RILL_ERROR_UNSUPPORTED when it is too
 * small, with the next smaller number of ranks that fits, or too uneven. */
enum rill_status rill_shared_box_plan(const struct rill_simulation *sim, int ranks, struct rill_water_share *share,
                                      struct rill_error *error);

/* The same before that, for measuring the forces of a field. */
enum rill_status rill_shared_box_plan_field(const struct rill_simulation *sim, int ranks,
                                            const struct rill_field_options *field,
                                            const struct rill_field_sample *sample, struct rill_water_share *share,
                                            struct rill_error *error);

/* On all ranks, where sim has no system yet: makes one, evaluates its forces as rill_water_evaluate_shared does, and
 * destroys it.  All return the same status. */
enum rill_status rill_shared_box_measure(struct rill_simulation *sim, const struct rill_water_share *share,
                                         struct rill_ranks *ranks, const struct rill_field_sample *sample, double *f,
                                         struct rill_field_energies *energies, struct rill_error *error);

/* Makes this rank's part of the system, in place of the whole on rank 0, and binds the method to it. */
enum rill_status rill_shared_box_create(struct rill_simulation *sim, const struct rill_water_share *share,
                                        struct rill_ranks *ranks, struct rill_error *error);

#endif
