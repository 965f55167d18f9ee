/* Which methods bind to which systems. */
#ifndef RILL_STUDY_COMBINATIONS_H
#define RILL_STUDY_COMBINATIONS_H

#include "base/status.h"
#include "mech/integrator.h"

/* system: its name, with /FORMULATION where it has several.  refusal: why they do not bind; NULL where they do. */
typedef void rill_small_combination_visit(void *context, const char *system, const struct rill_method *method,
                                          const char *refusal);

/* Visits every method on every small system in each of its formulations, with the default values of their parameters.
 */
enum rill_status rill_small_combinations_each(rill_small_combination_visit *visit, void *context,
                                              struct rill_error *error);

#endif
