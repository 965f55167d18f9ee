/* The implicit capability of water. */
#ifndef RILL_WATER_WATER_IMPLICIT_H
#define RILL_WATER_WATER_IMPLICIT_H

#include "water/water_state.h"

/* Fills in water->implicit, without its arrays: they are allocated when a method begins to use it. */
void rill_water_implicit_create(struct rill_water *water);
void rill_water_implicit_destroy(struct rill_water *water);

#endif
