/* What there is to choose from, with sources: what `rill list` prints and the manual page holds. */
#ifndef RILL_CLI_CATALOGUE_H
#define RILL_CLI_CATALOGUE_H

#include <stddef.h>

#include "base/status.h"
#include "mech/integrator.h"

struct rill_entry {
  const char *name, *summary;
  const char *source; /* "-" for none */
};

struct rill_catalogue {
  const struct rill_entry *entries;
  size_t count;
};

extern const struct rill_catalogue rill_systems, rill_thermostats, rill_constraint_solvers, rill_force_kernels;

/* system: water, or water/penalised.  refusal: why they do not bind; NULL where they do. */
typedef void rill_combination_visit(void *context, const char *system, const struct rill_method *method,
                                    const char *thermostat, const char *refusal);

/* Visits every method with every thermostat.  What binds is asked of the binding itself, on a molecule of water,
 * rigid and penalised. */
enum rill_status rill_combinations_each(rill_combination_visit *visit, void *context, struct rill_error *error);

#endif
