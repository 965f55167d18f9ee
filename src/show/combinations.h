/* Which method works on which system with which thermostat: a matrix, or a line for each combination with its reason.
 */
#ifndef RILL_SHOW_COMBINATIONS_H
#define RILL_SHOW_COMBINATIONS_H

#include "show/page.h"

/* wanted: a method, a system (with or without its formulation), or "all"; NULL: the matrix, in JSON all combinations.
 * RILL_ERROR_USAGE: no such name, with the nearest. */
enum rill_status rill_list_combinations(const char *wanted, struct rill_page *page, struct rill_error *error);

#endif
