/* The tables that this build has; used by bodies.c alone. */
#ifndef RILL_WATER_BODIES_TABLES_H
#define RILL_WATER_BODIES_TABLES_H

#include "water/bodies/bodies.h"

extern const struct rill_body_table rill_bodies_portable, rill_bodies_avx2, rill_bodies_avx512;

#endif
