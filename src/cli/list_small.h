/* `rill list` of small systems: types with their parameters. */
#ifndef RILL_CLI_LIST_SMALL_H
#define RILL_CLI_LIST_SMALL_H

#include "cli/json.h"

/* As text: a line a system without `wanted`, its parameters as well with it.  As JSON, where there is a document:
 * objects for its list. */
void rill_list_small_systems(const char *wanted, struct rill_json *json);

#endif
