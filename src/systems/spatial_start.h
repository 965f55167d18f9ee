/* Initial data of rods hanging from the origin in space, given with or without their z components. */
#ifndef RILL_SYSTEMS_SPATIAL_START_H
#define RILL_SYSTEMS_SPATIAL_START_H

#include <stdbool.h>
#include <stddef.h>

#include "systems/types.h"

/* Fills q and v [3 count] of `count` masses in a row from the two parameters `position` and `velocity`, which hold 3
 * numbers per mass, or 2: then z is that of a mass below the one it hangs from, and its velocity the one that keeps
 * the rod's length.  rigid: given velocities may not change that length either.  RILL_ERROR_INPUT, also if a rod is
 * too short for x and y. */
enum rill_status rill_spatial_start(const char *system, size_t count, const double *length, bool rigid,
                                    const struct rill_parameter_value *position,
                                    const struct rill_parameter_value *velocity, double *q, double *v,
                                    struct rill_error *error);

#endif
