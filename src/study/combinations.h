/* Which methods and thermostats bind to which systems, and why others do not. */
#ifndef RILL_STUDY_COMBINATIONS_H
#define RILL_STUDY_COMBINATIONS_H

#include "base/status.h"
#include "mech/integrator.h"

/* system: kind, or kind/formulation, such as water/penalised. */
typedef void rill_combination_visit(void *context, const char *system, const struct rill_method *method,
                                    enum rill_thermostat thermostat, enum rill_refusal refusal);

/* Every method with every thermostat, bound to a molecule of water in each formulation. */
enum rill_status rill_water_combinations_each(rill_combination_visit *visit, void *context, struct rill_error *error);

/* Every method, without a thermostat, on every small system in each of its formulations. */
enum rill_status rill_small_combinations_each(rill_combination_visit *visit, void *context, struct rill_error *error);

#endif
