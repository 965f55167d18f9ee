#include "cli/list_small.h"

#include <string.h>

#include "simulation/simulation.h"

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

static void put_type(struct rill_json *json, const struct rill_system_type *type) {
  char kind[256];
  rill_json_object(json, NULL);
  rill_json_string(json, "name", type->name);
  rill_json_string(json, "summary", type->summary);
  rill_json_string(json, "source", type->source);
  rill_json_string(json, "units", type->si ? "SI" : "none");
  rill_json_list(json, "parameters");
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_parameter *parameter = &type->parameters[i];
    describe(parameter, kind, sizeof kind);
    rill_json_object(json, NULL);
    rill_json_string(json, "section", rill_parameter_section(parameter));
    rill_json_string(json, "name", parameter->name);
    rill_json_string(json, "default", parameter->fallback);
    rill_json_string(json, "kind", kind);
    rill_json_string(json, "help", parameter->help);
    rill_json_close(json);
  }
  rill_json_close(json);
  rill_json_close(json);
}

void rill_list_small_systems(const char *wanted, struct rill_json *json) {
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  for (size_t i = 0; i < count; i++) {
    const struct rill_system_type *type = types[i];
    if (wanted != NULL && strcmp(wanted, type->name) != 0) continue;
    if (json->stream != NULL) {
      put_type(json, type);
      continue;
    }
    printf("%s\n  %s; %s\n  %s\n", type->name, type->summary, type->si ? "SI units" : "dimensionless", type->source);
    if (wanted != NULL) print_parameters(type);
  }
}
