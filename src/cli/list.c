/* rill list: what there is, from the registries and tables. */
#include <string.h>

#include "base/nearest.h"
#include "cli/json.h"
#include "cli/catalogue.h"
#include "cli/command.h"
#include "cli/list_small.h"
#include "deck/deck.h"
#include "deck/units.h"
#include "integrators/registry.h"
#include "study/combinations.h"
#include "systems/registry.h"

struct topic {
  const char *name;
  /* json: without a document text is printed. */
  enum rill_status (*write)(const char *wanted, struct rill_json *json, struct rill_error *error);
};

static enum rill_status no_entry(const char *topic, const char *wanted, const char *const *names, size_t count,
                                 struct rill_error *error) {
  const char *nearest = rill_nearest(wanted, names, count);
  return rill_error_set(error, RILL_ERROR_USAGE, "no %s has the name %s%s%s%s", topic, wanted,
                        nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

static void put_entry(struct rill_json *json, const char *name, const char *summary, const char *source) {
  rill_json_object(json, NULL);
  rill_json_string(json, "name", name);
  rill_json_string(json, "summary", summary);
  rill_json_string(json, "source", source);
}

static enum rill_status write_catalogue(const char *topic, const struct rill_catalogue *catalogue, const char *wanted,
                                        struct rill_json *json, struct rill_error *error) {
  const struct rill_entry *entries = catalogue->entries;
  size_t count = catalogue->count;
  const char *names[32];
  bool found = false;
  for (size_t i = 0; i < count; i++) {
    names[i] = entries[i].name;
    if (wanted != NULL && strcmp(wanted, entries[i].name) != 0) continue;
    found = true;
    if (json->stream == NULL) {
      printf("%-10s %s\n           %s\n", entries[i].name, entries[i].summary, entries[i].source);
      continue;
    }
    put_entry(json, entries[i].name, entries[i].summary, entries[i].source);
    rill_json_close(json);
  }
  return found ? RILL_OK : no_entry(topic, wanted, names, count, error);
}

/* The keys of [integrator] that a method reads; in JSON a list of strings. */
static void print_keys(const struct rill_method *method, struct rill_json *json) {
  static const struct { unsigned reads; const char *names[2]; } keys[] = {
      {RILL_READS_BETA, {"beta", NULL}}, {RILL_READS_HESSIAN, {"hessian", NULL}},
      {RILL_READS_NEWTON_START, {"newton_start", NULL}}, {RILL_READS_DEGREE, {"degree", NULL}},
      {RILL_READS_BASE, {"base", NULL}}, {RILL_READS_QUADRATURE, {"quadrature", NULL}},
      {RILL_READS_SOLVER, {"tolerance", "max_iterations"}}, {RILL_READS_ROTATION, {"rotation", "compensated"}},
      {RILL_READS_SUBSTEPS, {"substeps", NULL}}};
  const char *separator = "  reads ";
  unsigned reads = rill_method_reads(method);
  if (json->stream != NULL) rill_json_list(json, "reads");
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    for (size_t k = 0; k < 2 && (reads & keys[i].reads) && keys[i].names[k] != NULL; k++) {
      if (json->stream != NULL)
        rill_json_string(json, NULL, keys[i].names[k]);
      else
        printf("%s%s", separator, keys[i].names[k]);
      separator = ", ";
    }
  if (json->stream != NULL)
    rill_json_close(json);
  else if (reads != 0)
    putchar('\n');
}

static void put_method(struct rill_json *json, const struct rill_method *m) {
  rill_json_object(json, NULL);
  rill_json_string(json, "name", m->name);
  rill_json_string(json, "alias", m->alias);
  rill_json_string(json, "summary", m->summary);
  rill_json_string(json, "source", m->citation);
  rill_json_number(json, "order", m->order);
  rill_json_bool(json, "symmetric", m->symmetric);
  rill_json_bool(json, "symplectic", m->symplectic);
  rill_json_bool(json, "with_default_options", m->specialise != NULL);
  rill_json_string(json, "filter", m->filter != NULL ? m->filter->name : "none");
  print_keys(m, json);
  rill_json_close(json);
}

static void print_method(const struct rill_method *m, struct rill_json *json) {
  printf("%s%s%s\n  %s\n  order %d, %ssymmetric, %ssymplectic%s\n  %s\n", m->name, m->alias ? ", also " : "",
         m->alias ? m->alias : "", m->summary, m->order, m->symmetric ? "" : "not ", m->symplectic ? "" : "not ",
         m->specialise != NULL ? ", with its default options" : "", m->citation);
  print_keys(m, json);
}

static enum rill_status write_integrators(const char *wanted, struct rill_json *json, struct rill_error *error) {
  size_t count, used = 0;
  const struct rill_method *const *methods = rill_methods(&count);
  const char *names[64];
  bool found = false;
  for (size_t i = 0; i < count; i++) {
    const struct rill_method *m = methods[i];
    names[used++] = m->name;
    if (m->alias != NULL) names[used++] = m->alias;
    if (wanted != NULL && strcmp(wanted, m->name) != 0 && (m->alias == NULL || strcmp(wanted, m->alias) != 0))
      continue;
    if (json->stream != NULL)
      put_method(json, m);
    else
      print_method(m, json);
    found = true;
  }
  return found ? RILL_OK : no_entry("integrator", wanted, names, used, error);
}

static void write_water(struct rill_json *json) {
  const struct rill_entry *water = &rill_systems.entries[0];
  if (json->stream == NULL) {
    printf("%s\n  %s\n  %s\n", water->name, water->summary, water->source);
    return;
  }
  put_entry(json, water->name, water->summary, water->source);
  rill_json_string(json, "units", "nm ps u");
  rill_json_list(json, "parameters");
  rill_json_close(json);
  rill_json_close(json);
}

static enum rill_status write_systems(const char *wanted, struct rill_json *json, struct rill_error *error) {
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  const char *names[64] = {"water"};
  bool water = wanted == NULL || strcmp(wanted, "water") == 0;
  for (size_t i = 0; i < count; i++) names[i + 1] = types[i]->name;
  if (!water && rill_system_type_find(wanted) == NULL) return no_entry("system", wanted, names, count + 1, error);
  if (water) write_water(json);
  if (wanted == NULL || !water) rill_list_small_systems(wanted, json);
  if (json->stream == NULL && wanted == NULL)
    printf("rill list systems NAME tells a small system's keys and their defaults\n");
  return RILL_OK;
}

static enum rill_status write_thermostats(const char *wanted, struct rill_json *json, struct rill_error *error) {
  return write_catalogue("thermostat", &rill_thermostats, wanted, json, error);
}

static enum rill_status write_constraints(const char *wanted, struct rill_json *json, struct rill_error *error) {
  return write_catalogue("constraint solver", &rill_constraint_solvers, wanted, json, error);
}

static enum rill_status write_forces(const char *wanted, struct rill_json *json, struct rill_error *error) {
  return write_catalogue("force kernel", &rill_force_kernels, wanted, json, error);
}

static enum rill_status write_units(const char *wanted, struct rill_json *json, struct rill_error *error) {
  size_t count;
  const struct rill_unit *units = rill_units(&count);
  char number[RILL_NUMBER_TEXT];
  if (wanted != NULL) return rill_error_set(error, RILL_ERROR_USAGE, "rill list units takes no name");
  if (json->stream == NULL) printf("%-15s %-12s %s\n", "unit", "dimension", "value");
  for (size_t i = 0; i < count; i++) {
    const char *dimension = rill_dimension_name(units[i].dimension),
               *internal = rill_dimension_unit(units[i].dimension);
    if (json->stream == NULL) {
      printf("%-15s %-12s %s %s\n", units[i].symbol, dimension, rill_number_format(units[i].factor, number),
             internal);
      continue;
    }
    rill_json_object(json, NULL);
    rill_json_string(json, "unit", units[i].symbol);
    rill_json_string(json, "dimension", dimension);
    rill_json_number(json, "value", units[i].factor);
    rill_json_string(json, "internal", internal);
    rill_json_close(json);
  }
  return RILL_OK;
}

static void put_combination(struct rill_json *json, const char *system, const struct rill_method *method,
                            const char *thermostat, const char *refusal) {
  rill_json_object(json, NULL);
  rill_json_string(json, "system", system);
  rill_json_string(json, "method", method->name);
  rill_json_string(json, "thermostat", thermostat);
  rill_json_bool(json, "binds", refusal == NULL);
  rill_json_string(json, "reason", refusal != NULL ? refusal : "");
  rill_json_close(json);
}

static void take_combination(void *context, const char *system, const struct rill_method *method,
                             const char *thermostat, const char *refusal) {
  struct rill_json *json = context;
  if (json->stream != NULL)
    put_combination(json, system, method, thermostat, refusal);
  else
    printf("%-19s %-20s %-6s %s%s\n", system, method->name, thermostat, refusal == NULL ? "binds" : "no: ",
           refusal != NULL ? refusal : "");
}

static void take_small_combination(void *context, const char *system, const struct rill_method *method,
                                   const char *refusal) {
  struct rill_json *json = context;
  if (json->stream != NULL)
    put_combination(json, system, method, "none", refusal);
  else
    printf("%-38s %-20s %s%s\n", system, method->name,
           refusal == NULL ? "binds" : "no: ", refusal != NULL ? refusal : "");
}

static enum rill_status write_combinations(const char *wanted, struct rill_json *json, struct rill_error *error) {
  if (wanted != NULL) return rill_error_set(error, RILL_ERROR_USAGE, "rill list combinations takes no name");
  RILL_TRY(rill_combinations_each(take_combination, json, error));
  if (json->stream == NULL)
    printf("water is kept rigid by constraints.solver = settle, mshake or shake, alike for all that binds; water/bodies "
           "is solver = lgvi or rotor (rill list constraints)\n\n");
  return rill_small_combinations_each(take_small_combination, json, error);
}

static const struct topic topics[] = {
    {"integrators", write_integrators}, {"systems", write_systems}, {"thermostats", write_thermostats},
    {"constraints", write_constraints}, {"forces", write_forces},   {"units", write_units},
    {"combinations", write_combinations},
};

static enum rill_status write_topic(const struct topic *topic, const struct rill_arguments *arguments,
                                    struct rill_error *error) {
  struct rill_json json = {0};
  enum rill_status status;
  if (rill_argument_given(arguments, "json")) {
    RILL_TRY(rill_json_begin(&json, error));
    rill_json_list(&json, NULL);
  }
  status = topic->write(arguments->positional_count > 1 ? arguments->positional[1] : NULL, &json, error);
  if (json.stream != NULL) rill_json_close(&json);
  return rill_json_end(&json, status, error);
}

static enum rill_status list(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *names[sizeof topics / sizeof topics[0]], *nearest;
  size_t count = sizeof topics / sizeof topics[0];
  for (size_t i = 0; i < count; i++) {
    names[i] = topics[i].name;
    if (strcmp(topics[i].name, arguments->positional[0]) == 0)
      return write_topic(&topics[i], arguments, error);
  }
  nearest = rill_nearest(arguments->positional[0], names, count);
  return rill_error_set(error, RILL_ERROR_USAGE,
                        "rill list %s: expected integrators, systems, thermostats, constraints, forces, units or "
                        "combinations%s%s%s",
                        arguments->positional[0], nearest ? "; did you mean " : "", nearest ? nearest : "",
                        nearest ? "?" : "");
}

static const struct rill_option_row options[] = {{"json", 0, NULL, "print JSON"}};

const struct rill_command rill_command_list = {
    .name = "list",
    .positional = "TOPIC [NAME]",
    .positional_min = 1,
    .positional_max = 2,
    .summary = "integrators, systems, thermostats, constraints, forces, units, combinations",
    .description = "Lists what there is, with sources: integrators, systems, thermostats, constraints, forces, "
                   "units, and combinations "
                   "(which method binds with which thermostat, and why not).",
    .options = options,
    .option_count = 1,
    .run = list,
};
