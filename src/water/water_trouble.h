/* The message about a step that failed. */
#ifndef RILL_WATER_WATER_TROUBLE_H
#define RILL_WATER_WATER_TROUBLE_H

#include "water/water_state.h"

/* `what` of the worst molecule, the nearest pair in the last good state, and remedies. */
enum rill_status rill_water_trouble(const struct rill_water *water, enum rill_status status, const char *what,
                                    struct rill_error *error);

#endif
