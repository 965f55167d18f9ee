/* rill list: what there is, from the registries and tables. */
#include <string.h>

#include "base/nearest.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/list_small.h"
#include "deck/schema.h"
#include "deck/units.h"
#include "integrators/registry.h"
#include "simulation/refusals.h"
#include "study/combinations.h"
#include "systems/registry.h"

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

/* A word, and what it stands for.  key: whose it is, where many are listed; may be NULL. */
static void write_choice(const struct rill_choice *choice, const struct rill_key *key, struct rill_json *json) {
  const char *source = choice->source != NULL ? choice->source : "-";
  if (json->stream == NULL && key == NULL) {
    printf("%-10s %s\n           %s\n", choice->word, choice->summary, source);
  } else if (json->stream == NULL) {
    printf("  %-17s %s\n", choice->word, choice->summary);
    if (choice->source != NULL) printf("  %-17s %s\n", "", source);
  } else {
    put_entry(json, choice->word, choice->summary, source);
    if (key != NULL) rill_json_string(json, "section", key->section);
    if (key != NULL) rill_json_string(json, "key", key->name);
    rill_json_close(json);
  }
}

static enum rill_status write_choices(const char *topic, const struct rill_choice *choices, const char *wanted,
                                      struct rill_json *json, struct rill_error *error) {
  const char *names[32];
  size_t count = 0;
  bool found = false;
  for (const struct rill_choice *choice = choices; choice->word != NULL; choice++) {
    names[count++] = choice->word;
    if (wanted != NULL && strcmp(wanted, choice->word) != 0) continue;
    write_choice(choice, NULL, json);
    found = true;
  }
  return found ? RILL_OK : no_entry(topic, wanted, names, count, error);
}

/* The words of all keys, or of one, "section.key". */
static enum rill_status write_keys(const char *wanted, struct rill_json *json, struct rill_error *error) {
  size_t count, used = 0;
  const struct rill_key *keys = rill_keys(&count);
  char text[64][80];
  const char *names[64];
  bool found = false;
  for (size_t i = 0; i < count && used < 64; i++) {
    if (keys[i].kind != RILL_KIND_WORD) continue;
    snprintf(text[used], sizeof text[0], "%s.%s", keys[i].section, keys[i].name);
    names[used] = text[used];
    used++;
    if (wanted != NULL && strcmp(wanted, names[used - 1]) != 0) continue;
    if (json->stream == NULL) printf("%s%s\n", found ? "\n" : "", names[used - 1]);
    for (const struct rill_choice *choice = keys[i].words; choice->word != NULL; choice++)
      write_choice(choice, &keys[i], json);
    found = true;
  }
  return found ? RILL_OK : no_entry("key with words", wanted, names, used, error);
}

/* The keys of [integrator] that a method reads; in JSON a list of strings. */
static void print_keys(const struct rill_method *method, struct rill_json *json) {
  const char *separator = "  reads ";
  const unsigned reads = rill_method_reads(method);
  size_t count;
  const struct rill_key *keys = rill_keys(&count);
  if (json->stream != NULL) rill_json_list(json, "reads");
  for (size_t i = 0; i < count; i++) {
    if (keys[i].condition == NULL || !(keys[i].condition->reads & reads)) continue;
    if (json->stream != NULL)
      rill_json_string(json, NULL, keys[i].name);
    else
      printf("%s%s", separator, keys[i].name);
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
  static const char summary[] = "rigid TIP3P water in vacuum or in a periodic box: nm, ps, u, kJ/mol, K",
                    source[] = "Jorgensen et al., J. Chem. Phys. 79, 926 (1983)";
  if (json->stream == NULL) {
    printf("water\n  %s\n  %s\n", summary, source);
    return;
  }
  put_entry(json, "water", summary, source);
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
                            enum rill_thermostat thermostat, enum rill_refusal refusal) {
  char why[RILL_REFUSAL_TEXT];
  rill_json_object(json, NULL);
  rill_json_string(json, "system", system);
  rill_json_string(json, "method", method->name);
  rill_json_string(json, "thermostat", rill_choice_word(rill_thermostat_choices, thermostat));
  rill_json_bool(json, "binds", refusal == RILL_BINDS);
  rill_json_string(json, "reason", rill_refusal_text(refusal, why));
  rill_json_close(json);
}

static void take_combination(void *context, const char *system, const struct rill_method *method,
                             enum rill_thermostat thermostat, enum rill_refusal refusal) {
  struct rill_json *json = context;
  char why[RILL_REFUSAL_TEXT];
  if (json->stream != NULL)
    put_combination(json, system, method, thermostat, refusal);
  else
    printf("%-19s %-20s %-6s %s%s\n", system, method->name, rill_choice_word(rill_thermostat_choices, thermostat),
           refusal == RILL_BINDS ? "binds" : "no: ", rill_refusal_text(refusal, why));
}

static void take_small_combination(void *context, const char *system, const struct rill_method *method,
                                   enum rill_thermostat thermostat, enum rill_refusal refusal) {
  struct rill_json *json = context;
  char why[RILL_REFUSAL_TEXT];
  if (json->stream != NULL)
    put_combination(json, system, method, thermostat, refusal);
  else
    printf("%-38s %-20s %s%s\n", system, method->name, refusal == RILL_BINDS ? "binds" : "no: ",
           rill_refusal_text(refusal, why));
}

static enum rill_status write_combinations(const char *wanted, struct rill_json *json, struct rill_error *error) {
  if (wanted != NULL) return rill_error_set(error, RILL_ERROR_USAGE, "rill list combinations takes no name");
  RILL_TRY(rill_water_combinations_each(take_combination, json, error));
  if (json->stream == NULL)
    printf("water is kept rigid by constraints.solver = settle, mshake or shake, alike for all that binds; water/bodies "
           "is solver = lgvi or rotor (rill list constraints)\n\n");
  return rill_small_combinations_each(take_small_combination, json, error);
}

#define TOPICS "integrators, systems, thermostats, constraints, forces, choices, units"

static const struct topic {
  const char *name;
  /* json: without a document text is printed. */
  enum rill_status (*write)(const char *wanted, struct rill_json *json, struct rill_error *error);
  const char *one; /* of choices: what one of them is */
  const struct rill_choice *choices;
} topics[] = {
    {"integrators", write_integrators, NULL, NULL},
    {"systems", write_systems, NULL, NULL},
    {"thermostats", NULL, "thermostat", rill_thermostat_choices},
    {"constraints", NULL, "constraint solver", rill_constraint_solver_choices},
    {"forces", NULL, "force kernel", rill_kernel_choices},
    {"choices", write_keys, NULL, NULL},
    {"units", write_units, NULL, NULL},
    {"combinations", write_combinations, NULL, NULL},
};

static enum rill_status write_topic(const struct topic *topic, const struct rill_arguments *arguments,
                                    struct rill_error *error) {
  const char *wanted = arguments->positional_count > 1 ? arguments->positional[1] : NULL;
  struct rill_json json = {0};
  enum rill_status status;
  if (rill_argument_given(arguments, "json")) {
    RILL_TRY(rill_json_begin(&json, error));
    rill_json_list(&json, NULL);
  }
  status = topic->write != NULL ? topic->write(wanted, &json, error)
                                : write_choices(topic->one, topic->choices, wanted, &json, error);
  if (json.stream != NULL) rill_json_close(&json);
  return rill_json_end(&json, status, error);
}

static enum rill_status list(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *names[sizeof topics / sizeof topics[0]], *nearest;
  size_t count = sizeof topics / sizeof topics[0];
  for (size_t i = 0; i < count; i++) {
    names[i] = topics[i].name;
    if (strcmp(topics[i].name, arguments->positional[0]) == 0) return write_topic(&topics[i], arguments, error);
  }
  nearest = rill_nearest(arguments->positional[0], names, count);
  return rill_error_set(error, RILL_ERROR_USAGE, "rill list %s: expected " TOPICS " or combinations%s%s%s",
                        arguments->positional[0], nearest ? "; did you mean " : "", nearest ? nearest : "",
                        nearest ? "?" : "");
}

static const struct rill_option_row options[] = {{"json", 0, NULL, "print JSON"}};

const struct rill_command rill_command_list = {
    .name = "list",
    .positional = "TOPIC [NAME]",
    .positional_min = 1,
    .positional_max = 2,
    .summary = TOPICS ", combinations",
    .description = "Lists what there is, with sources: " TOPICS ", and combinations (which method binds with which "
                   "thermostat, and why not). Choices are the words of a deck's keys, or of one: rill list choices "
                   "forces.coulomb.",
    .options = options,
    .option_count = 1,
    .run = list,
};
