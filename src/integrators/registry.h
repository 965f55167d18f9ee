/* All methods, by name. */
#ifndef RILL_INTEGRATORS_REGISTRY_H
#define RILL_INTEGRATORS_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "mech/integrator.h"

/* The table of methods; *count receives its length. */
const struct rill_method *const *rill_methods(size_t *count);

/* Whether this is the method's name, its alias, or its former name. */
bool rill_method_is_called(const struct rill_method *method, const char *name);

/* Whether this is the former name of a method. */
bool rill_method_name_is_former(const char *name);

/* The method's row in the table, which must have it. */
size_t rill_method_index(const struct rill_method *method);

/* Finds a method by any of its names; NULL when there is none. */
const struct rill_method *rill_method_find(const char *name);

#endif
