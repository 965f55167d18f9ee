#include "study/combinations.h"

#include <stdlib.h>

#include "integrators/registry.h"
#include "simulation/kind.h"
#include "simulation/simulation.h"
#include "water/water_system.h"

enum rill_status rill_water_combinations_each(rill_combination_visit *visit, void *context,
                                              struct rill_error *error) {
  static const struct {
    const char *name;
    double stiffness;
    enum rill_constraint_solver solver;
    bool periodic;
  } formulations[] = {{"water", 0, RILL_SETTLE, false},
                      {"water/bodies", 0, RILL_BODIES_LGVI, false},
                      {"water/penalised", 4000, RILL_SETTLE, false},
                      {"water/box", 0, RILL_SETTLE, true},
                      {"water/box/bodies", 0, RILL_BODIES_LGVI, true},
                      {"water/box/penalised", 4000, RILL_SETTLE, true}};
  double molecule[9] = {0, 0, 0, 0.07, 0.06, 0, -0.07, 0.06, 0};
  struct rill_water_options options = {.molecules = 1,
                                       .positions = molecule,
                                       .constraints = {RILL_SETTLE, 1e-10, 1e-10, 1, 100},
                                       .thermostat = true,
                                       .trials = true,
                                       .isa = RILL_ISA_PORTABLE,
                                       .threads = 1};
  struct rill_system system;
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  RILL_TRY(rill_water_model_find(NULL, 0, &options.model, error));
  RILL_TRY(rill_water_rigidify(&options.model, molecule, 1, error));
  options.box = (struct rill_periodic_options){
      .box = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, .cutoff = 0.9, .coulomb = RILL_COULOMB_CUT};
  for (size_t f = 0; f < sizeof formulations / sizeof formulations[0]; f++) {
    options.stiffness = formulations[f].stiffness;
    options.constraints.solver = formulations[f].solver;
    options.periodic = formulations[f].periodic;
    RILL_TRY(rill_water_create(&options, &system, error));
    for (size_t i = 0; i < count; i++)
      for (const struct rill_choice *bath = rill_thermostat_choices; bath->word != NULL; bath++) {
        const enum rill_thermostat thermostat = (enum rill_thermostat)bath->value;
        visit(context, formulations[f].name, methods[i], thermostat,
              rill_method_refusal(methods[i], &system, thermostat));
      }
    system.ops->destroy(system.self);
  }
  return RILL_OK;
}

/* Visits every method with each thermostat, with the reason for not binding to this formulation of the system, if
 * there is one. */
static enum rill_status visit_methods(struct rill_simulation *sim, const char *name, rill_combination_visit *visit,
                                      void *context, struct rill_error *error) {
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  RILL_TRY(rill_simulation_create_system(sim, error));
  for (size_t i = 0; i < count; i++)
    for (const struct rill_choice *bath = rill_thermostat_choices; bath->word != NULL; bath++) {
      const enum rill_thermostat thermostat = (enum rill_thermostat)bath->value;
      visit(context, name, methods[i], thermostat, rill_method_refusal(methods[i], &sim->system, thermostat));
    }
  rill_simulation_clear(sim);
  return RILL_OK;
}

static enum rill_status visit_type(const struct rill_system_type *type, struct rill_simulation *sim,
                                   rill_combination_visit *visit, void *context, struct rill_error *error) {
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

enum rill_status rill_small_combinations_each(rill_combination_visit *visit, void *context,
                                              struct rill_error *error) {
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  enum rill_status status = sim != NULL ? RILL_OK : rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (size_t i = 0; status == RILL_OK && i < count; i++) status = visit_type(types[i], sim, visit, context, error);
  free(sim);
  return status;
}
