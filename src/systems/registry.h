/* Small systems: types with their parameters, and their creation from a deck's values.
 *
 * Each system is one file with one `const struct rill_system_type`, and one row of RILL_SYSTEM_TYPES
 * (types.h). */
#ifndef RILL_SYSTEMS_REGISTRY_H
#define RILL_SYSTEMS_REGISTRY_H

#include <stddef.h>

#include "base/status.h"
#include "systems/types.h"

const struct rill_system_type *const *rill_system_types(size_t *count);
const struct rill_system_type *rill_system_type_find(const char *name); /* NULL when there is none */

/* Parses one value; messages begin with `where` ("file:line: system.length").  RILL_ERROR_INPUT. */
enum rill_status rill_parameter_parse(const struct rill_system_type *type, const struct rill_parameter *parameter,
                                      const char *where, const char *text, struct rill_parameter_value *value,
                                      struct rill_error *error);

/* Sets all parameters to their defaults. */
enum rill_status rill_parameters_default(const struct rill_system_type *type, struct rill_parameter_value *values,
                                         struct rill_error *error);

/* Index of a parameter by name; the number of parameters if there is none. */
size_t rill_parameter_index(const struct rill_system_type *type, const char *name);

#endif
