/* rill list: what there is, from the registries and tables. */
#include <string.h>

#include "base/nearest.h"
#include "cli/json.h"
#include "cli/catalogue.h"
#include "cli/command.h"
#include "cli/list_small.h"
#include "deck/deck.h"
#include "integrators/registry.h"

struct topic {
  const char *name;
  enum rill_status (*write)(const char *wanted, bool json, struct rill_error *error);
};

static enum rill_status no_entry(const char *topic, const char *wanted, const char *const *names, size_t count,
                                 struct rill_error *error) {
  const char *nearest = rill_nearest(wanted, names, count);
  return rill_error_set(error, RILL_ERROR_USAGE, "no %s has the name %s%s%s%s", topic, wanted,
                        nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

static enum rill_status write_catalogue(const char *topic, const struct rill_catalogue *catalogue, const char *wanted,
                                        bool json, struct rill_error *error) {
  const struct rill_entry *entries = catalogue->entries;
  size_t count = catalogue->count;
  const char *names[32];
  bool found = false;
  if (json) printf("[");
  for (size_t i = 0; i < count; i++) {
    names[i] = entries[i].name;
    if (wanted != NULL && strcmp(wanted, entries[i].name) != 0) continue;
    if (json) {
      printf("%s\n  {\"name\": ", found ? "," : "");
      rill_json_string(entries[i].name);
      printf(", \"summary\": ");
      rill_json_string(entries[i].summary);
      printf(", \"source\": ");
      rill_json_string(entries[i].source);
      printf("}");
    } else {
      printf("%-10s %s\n           %s\n", entries[i].name, entries[i].summary, entries[i].source);
    }
    found = true;
  }
  if (json) printf("\n]\n");
  return found ? RILL_OK : no_entry(topic, wanted, names, count, error);
}

/* The keys of [integrator] that a method reads; in JSON a list of strings. */
static void print_keys(const struct rill_method *method, bool json) {
  static const struct { unsigned reads; const char *names[2]; } keys[] = {
      {RILL_READS_BETA, {"beta", NULL}}, {RILL_READS_HESSIAN, {"hessian", NULL}},
      {RILL_READS_NEWTON_START, {"newton_start", NULL}}, {RILL_READS_DEGREE, {"degree", NULL}},
      {RILL_READS_BASE, {"base", NULL}}, {RILL_READS_QUADRATURE, {"quadrature", NULL}},
      {RILL_READS_SOLVER, {"tolerance", "max_iterations"}}, {RILL_READS_ROTATION, {"rotation", "compensated"}},
      {RILL_READS_SUBSTEPS, {"substeps", NULL}}};
  const char *separator = json ? "" : "  reads ";
  unsigned reads = rill_method_reads(method);
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    for (size_t k = 0; k < 2 && (reads & keys[i].reads) && keys[i].names[k] != NULL; k++) {
      printf(json ? "%s\"%s\"" : "%s%s", separator, keys[i].names[k]);
      separator = ", ";
    }
  if (!json && reads != 0) putchar('\n');
}

static enum rill_status write_integrators(const char *wanted, bool json, struct rill_error *error) {
  size_t count, used = 0;
  const struct rill_method *const *methods = rill_methods(&count);
  const char *names[64];
  bool found = false;
  if (json) printf("[");
  for (size_t i = 0; i < count; i++) {
    const struct rill_method *m = methods[i];
    names[used++] = m->name;
    if (m->alias != NULL) names[used++] = m->alias;
    if (wanted != NULL && strcmp(wanted, m->name) != 0 && (m->alias == NULL || strcmp(wanted, m->alias) != 0))
      continue;
    if (json) {
      printf("%s\n  {\"name\": \"%s\", \"alias\": ", found ? "," : "", m->name);
      if (m->alias != NULL)
        rill_json_string(m->alias);
      else
        printf("null");
      printf(", \"summary\": ");
      rill_json_string(m->summary);
      printf(", \"source\": ");
      rill_json_string(m->citation);
      printf(", \"order\": %d, \"symmetric\": %s, \"symplectic\": %s, \"filter\": \"%s\", \"reads\": [", m->order,
             m->symmetric ? "true" : "false", m->symplectic ? "true" : "false",
             m->filter != NULL ? m->filter->name : "none");
      print_keys(m, true);
      printf("]}");
    } else {
      printf("%s%s%s\n  %s\n  order %d, %ssymmetric, %ssymplectic%s\n  %s\n", m->name, m->alias ? ", also " : "",
             m->alias ? m->alias : "", m->summary, m->order, m->symmetric ? "" : "not ", m->symplectic ? "" : "not ",
             m->specialise != NULL ? ", with its default options" : "", m->citation);
      print_keys(m, false);
    }
    found = true;
  }
  if (json) printf("\n]\n");
  return found ? RILL_OK : no_entry("integrator", wanted, names, used, error);
}

static void write_water(bool json) {
  const struct rill_entry *water = &rill_systems.entries[0];
  if (!json) {
    printf("%s\n  %s\n  %s\n", water->name, water->summary, water->source);
    return;
  }
  printf("\n  {\"name\": \"%s\", \"summary\": ", water->name);
  rill_json_string(water->summary);
  printf(", \"source\": ");
  rill_json_string(water->source);
  printf(", \"units\": \"nm ps u\", \"parameters\": []}");
}

static enum rill_status write_systems(const char *wanted, bool json, struct rill_error *error) {
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  const char *names[64] = {"water"};
  bool water = wanted == NULL || strcmp(wanted, "water") == 0;
  for (size_t i = 0; i < count; i++) names[i + 1] = types[i]->name;
  if (!water && rill_system_type_find(wanted) == NULL) return no_entry("system", wanted, names, count + 1, error);
  if (json) printf("[");
  if (water) write_water(json);
  if (wanted == NULL || !water) rill_list_small_systems(wanted, json);
  if (json) printf("\n]\n");
  else if (wanted == NULL) printf("rill list systems NAME tells a small system's keys and their defaults\n");
  return RILL_OK;
}

static enum rill_status write_thermostats(const char *wanted, bool json, struct rill_error *error) {
  return write_catalogue("thermostat", &rill_thermostats, wanted, json, error);
}

static enum rill_status write_constraints(const char *wanted, bool json, struct rill_error *error) {
  return write_catalogue("constraint solver", &rill_constraint_solvers, wanted, json, error);
}

static enum rill_status write_forces(const char *wanted, bool json, struct rill_error *error) {
  return write_catalogue("force kernel", &rill_force_kernels, wanted, json, error);
}

static enum rill_status write_units(const char *wanted, bool json, struct rill_error *error) {
  if (wanted != NULL) return rill_error_set(error, RILL_ERROR_USAGE, "rill list units takes no name");
  rill_deck_write_units(stdout, json);
  return RILL_OK;
}

static void print_combination(void *context, const char *system, const struct rill_method *method,
                              const char *thermostat, const char *refusal) {
  (void)context;
  printf("%-19s %-20s %-6s %s%s\n", system, method->name, thermostat,
         refusal == NULL ? "binds" : "no: ", refusal != NULL ? refusal : "");
}

static void print_small_combination(void *context, const char *system, const struct rill_method *method,
                                    const char *refusal) {
  (void)context;
  printf("%-38s %-20s %s%s\n", system, method->name,
         refusal == NULL ? "binds" : "no: ", refusal != NULL ? refusal : "");
}

static void print_small_combination_json(void *context, const char *system, const struct rill_method *method,
                                         const char *refusal) {
  (void)context;
  printf(",\n  {\"system\": \"%s\", \"method\": \"%s\", \"thermostat\": \"none\", \"binds\": %s, \"reason\": ",
         system, method->name, refusal == NULL ? "true" : "false");
  rill_json_string(refusal != NULL ? refusal : "");
  printf("}");
}

static void print_combination_json(void *context, const char *system, const struct rill_method *method,
                                   const char *thermostat, const char *refusal) {
  const char **separator = context;
  printf("%s\n  {\"system\": \"%s\", \"method\": \"%s\", \"thermostat\": \"%s\", \"binds\": %s, \"reason\": ",
         *separator, system, method->name, thermostat, refusal == NULL ? "true" : "false");
  rill_json_string(refusal != NULL ? refusal : "");
  printf("}");
  *separator = ",";
}

static enum rill_status write_combinations(const char *wanted, bool json, struct rill_error *error) {
  const char *separator = "";
  if (wanted != NULL) return rill_error_set(error, RILL_ERROR_USAGE, "rill list combinations takes no name");
  if (json) printf("[");
  RILL_TRY(rill_combinations_each(json ? print_combination_json : print_combination, &separator, error));
  if (!json) printf("water is kept rigid by constraints.solver = settle, mshake or shake, alike for all that binds; water/bodies is "
                    "solver = lgvi or rotor (rill list constraints)\n\n");
  RILL_TRY(rill_small_combinations_each(json ? print_small_combination_json : print_small_combination, NULL, error));
  if (json) printf("\n]\n");
  return RILL_OK;
}

static const struct topic topics[] = {
    {"integrators", write_integrators}, {"systems", write_systems}, {"thermostats", write_thermostats},
    {"constraints", write_constraints}, {"forces", write_forces},   {"units", write_units},
    {"combinations", write_combinations},
};

static enum rill_status list(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *names[sizeof topics / sizeof topics[0]], *nearest;
  size_t count = sizeof topics / sizeof topics[0];
  for (size_t i = 0; i < count; i++) {
    names[i] = topics[i].name;
    if (strcmp(topics[i].name, arguments->positional[0]) == 0)
      return topics[i].write(arguments->positional_count > 1 ? arguments->positional[1] : NULL,
                             rill_argument_given(arguments, "json"), error);
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
