/* All methods, by name. */
#ifndef RILL_INTEGRATORS_REGISTRY_H
#define RILL_INTEGRATORS_REGISTRY_H

#include <stddef.h>

#include "mech/integrator.h"

/* The table of methods; *count receives its length. */
const struct rill_method *const *rill_methods(size_t *count);

/* Finds a method by name or alias; NULL when there is none. */
const struct rill_method *rill_method_find(const char *name);

#endif
