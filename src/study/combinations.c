#include "study/combinations.h"

#include <stdlib.h>

#include "simulation/kind.h"

/* One formulation: the methods' refusals on the system made with these values. */
static enum rill_status visit_methods(struct rill_simulation *sim, const char *name,
                                      rill_small_combination_visit *visit, void *context, struct rill_error *error) {
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  RILL_TRY(rill_simulation_create_system(sim, error));
  for (size_t i = 0; i < count; i++)
    visit(context, name, methods[i], rill_method_refusal(methods[i], &sim->system, RILL_NO_BATH));
  rill_simulation_clear(sim);
  return RILL_OK;
}

static enum rill_status visit_type(const struct rill_system_type *type, struct rill_simulation *sim,
                                   rill_small_combination_visit *visit, void *context, struct rill_error *error) {
  size_t choice = rill_parameter_index(type, "formulation");
  char name[128];
  *sim = (struct rill_simulation){.type = type, .kind = &rill_small_kind};
  RILL_TRY(rill_parameters_default(type, sim->values, error));
  if (choice == type->parameter_count) return visit_methods(sim, type->name, visit, context, error);
  for (int word = 0; type->parameters[choice].words[word] != NULL; word++) {
    sim->values[choice].word = word;
    snprintf(name, sizeof name, "%s/%s", type->name, type->parameters[choice].words[word]);
    RILL_TRY(visit_methods(sim, name, visit, context, error));
  }
  return RILL_OK;
}

enum rill_status rill_small_combinations_each(rill_small_combination_visit *visit, void *context,
                                              struct rill_error *error) {
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  enum rill_status status = sim != NULL ? RILL_OK : rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (size_t i = 0; status == RILL_OK && i < count; i++) status = visit_type(types[i], sim, visit, context, error);
  free(sim);
  return status;
}
