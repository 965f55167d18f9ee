#include "config.h" /* _GNU_SOURCE, for strsep */

#include "papers/motion.h"

#include <stdio.h>
#include <string.h>

#include "systems/registry.h"

enum rill_status rill_motion_begin(struct rill_motion *motion, const char *kind, const char *settings,
                                   const struct rill_method *method, const struct rill_method_options *options,
                                   const struct rill_composition *composition, double h, struct rill_error *error) {
  const struct rill_system_type *type = rill_system_type_find(kind);
  const struct rill_binding_options binding = {
      .step = h, .geodesic_steps = 1, .composition = composition, .method = *options};
  struct rill_parameter_value values[RILL_PARAMETERS];
  char copy[256], *rest = copy, *item;
  enum rill_status status;
  *motion = (struct rill_motion){0};
  RILL_TRY(rill_parameters_default(type, values, error));
  snprintf(copy, sizeof copy, "%s", settings);
  while ((item = strsep(&rest, ";")) != NULL) {
    char *value = strchr(item, '=');
    size_t index;
    if (value == NULL) continue;
    *value++ = 0;
    index = rill_parameter_index(type, item);
    RILL_TRY(rill_parameter_parse(type, &type->parameters[index], item, value, &values[index], error));
  }
  RILL_TRY(type->create(values, &motion->system, error));
  status = rill_integrator_create(method, &motion->system, &binding, &motion->integrator, error);
  if (status != RILL_OK) rill_motion_end(motion);
  return status;
}

enum rill_status rill_motion_go(struct rill_motion *motion, uint64_t steps, struct rill_error *error) {
  for (uint64_t i = 0; i < steps; i++)
    RILL_TRY(rill_integrator_step(motion->integrator, motion->done++, false, error));
  return RILL_OK;
}

void rill_motion_end(struct rill_motion *motion) {
  rill_integrator_destroy(motion->integrator);
  if (motion->system.ops != NULL) motion->system.ops->destroy(motion->system.self);
  *motion = (struct rill_motion){0};
}
