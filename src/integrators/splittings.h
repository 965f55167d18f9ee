/* Methods that are splittings. */
#ifndef RILL_INTEGRATORS_SPLITTINGS_H
#define RILL_INTEGRATORS_SPLITTINGS_H

#include "mech/integrator.h"

/* Velocity Verlet, kick-drift-kick: the base of filters and compositions. */
extern const struct rill_splitting rill_splitting_verlet;

extern const struct rill_method rill_method_verlet, rill_method_position_shake, rill_method_respa;
extern const struct rill_method rill_method_yoshida4, rill_method_yoshida6, rill_method_yoshida8;

/* Compositions: higher-order methods from any symmetric base of order 2; *count receives the table's length. */
const struct rill_composition *rill_compositions(size_t *count);
const struct rill_composition *rill_composition_find(const char *name); /* NULL when there is none */

#endif
