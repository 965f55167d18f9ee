/* `rill list` of small systems: types with their parameters, and which methods bind to them. */
#ifndef RILL_CLI_LIST_SMALL_H
#define RILL_CLI_LIST_SMALL_H

#include <stdbool.h>

#include "simulation/kind.h"

/* A line a system without `wanted`; its parameters as well with it.  json: objects for a list, a comma before
 * each. */
void rill_list_small_systems(const char *wanted, bool json);

/* Calls visit for every method on every small system in each of its formulations; refusal is NULL where they bind. */
enum rill_status rill_small_combinations_each(void (*visit)(void *context, const char *system,
                                                            const struct rill_method *method, const char *refusal),
                                              void *context, struct rill_error *error);

#endif
