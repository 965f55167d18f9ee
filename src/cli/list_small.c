#include "cli/json.h"
#include "cli/list_small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a value looks like: "3 numbers, m", "one of a, b". */
static void describe(const struct rill_parameter *parameter, char *text, size_t size) {
  size_t length = 0;
  switch (parameter->kind) {
    case RILL_PARAMETER_NUMBER: length = (size_t)snprintf(text, size, "number"); break;
    case RILL_PARAMETER_COUNT: length = (size_t)snprintf(text, size, "whole number"); break;
    case RILL_PARAMETER_VECTOR:
      length = parameter->length > 0 ? (size_t)snprintf(text, size, "%zu numbers", parameter->length)
                                     : (size_t)snprintf(text, size, "numbers");
      break;
    case RILL_PARAMETER_WORD:
      for (size_t i = 0; parameter->words[i] != NULL && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", parameter->words[i]);
      break;
  }
  if (parameter->unit != NULL && length < size) snprintf(text + length, size - length, ", %s", parameter->unit);
}

static void print_parameters(const struct rill_system_type *type) {
  char kind[256];
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_parameter *parameter = &type->parameters[i];
    describe(parameter, kind, sizeof kind);
    printf("\n  [%s] %s = %s\n    %s (%s)\n", rill_parameter_section(parameter), parameter->name,
           parameter->fallback, parameter->help, kind);
  }
}

static void print_parameters_json(const struct rill_system_type *type) {
  char kind[256];
  printf(", \"units\": \"%s\", \"parameters\": [", type->si ? "SI" : "none");
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_parameter *parameter = &type->parameters[i];
    describe(parameter, kind, sizeof kind);
    printf("%s\n    {\"section\": \"%s\", \"name\": \"%s\", \"default\": ", i > 0 ? "," : "",
           rill_parameter_section(parameter), parameter->name);
    rill_json_string(parameter->fallback);
    printf(", \"kind\": ");
    rill_json_string(kind);
    printf(", \"help\": ");
    rill_json_string(parameter->help);
    printf("}");
  }
  printf("]");
}

void rill_list_small_systems(const char *wanted, bool json) {
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  for (size_t i = 0; i < count; i++) {
    const struct rill_system_type *type = types[i];
    if (wanted != NULL && strcmp(wanted, type->name) != 0) continue;
    if (json) {
      printf("%s\n  {\"name\": \"%s\", \"summary\": ", wanted == NULL ? "," : "", type->name);
      rill_json_string(type->summary);
      printf(", \"source\": ");
      rill_json_string(type->source);
      print_parameters_json(type);
      printf("}");
    } else {
      printf("%s\n  %s; %s\n  %s\n", type->name, type->summary, type->si ? "SI units" : "dimensionless",
             type->source);
      if (wanted != NULL) print_parameters(type);
    }
  }
}

/* One formulation: the methods' refusals on the system made with these values. */
static enum rill_status visit_methods(struct rill_simulation *sim, const char *name,
                                      void (*visit)(void *context, const char *system,
                                                    const struct rill_method *method, const char *refusal),
                                      void *context, struct rill_error *error) {
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  RILL_TRY(rill_simulation_create_system(sim, error));
  for (size_t i = 0; i < count; i++)
    visit(context, name, methods[i], rill_method_refusal(methods[i], &sim->system, RILL_OU_NONE));
  rill_simulation_clear(sim);
  return RILL_OK;
}

static enum rill_status visit_type(const struct rill_system_type *type, struct rill_simulation *sim,
                                   void (*visit)(void *context, const char *system, const struct rill_method *method,
                                                 const char *refusal),
                                   void *context, struct rill_error *error) {
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

enum rill_status rill_small_combinations_each(void (*visit)(void *context, const char *system,
                                                            const struct rill_method *method, const char *refusal),
                                              void *context, struct rill_error *error) {
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  struct rill_simulation *sim = calloc(1, sizeof *sim);
  enum rill_status status = sim != NULL ? RILL_OK : rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  for (size_t i = 0; status == RILL_OK && i < count; i++) status = visit_type(types[i], sim, visit, context, error);
  free(sim);
  return status;
}
