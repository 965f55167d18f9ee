#include "show/listing.h"

#include <string.h>

#include "base/nearest.h"
#include "deck/schema.h"
#include "deck/units.h"
#include "integrators/registry.h"
#include "simulation/refusals.h"
#include "simulation/simulation.h"
#include "study/combinations.h"

static enum rill_status no_entry(const char *topic, const char *wanted, const char *const *names, size_t count,
                                 struct rill_error *error) {
  const char *nearest = rill_nearest(wanted, names, count);
  return rill_error_set(error, RILL_ERROR_USAGE, "no %s has the name %s%s%s%s", topic, wanted,
                        nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

/* ---- words of keys ---- */

static void put_entry(struct rill_json *json, const char *name, const char *summary, const char *source) {
  rill_json_object(json, NULL);
  rill_json_string(json, "name", name);
  rill_json_string(json, "summary", summary);
  rill_json_string(json, "source", source);
}

/* Writes a word and its meaning.  key: the word's key when several keys are listed, otherwise NULL. */
static void write_choice(const struct rill_choice *choice, const struct rill_key *key, struct rill_page *page) {
  struct rill_json *json = &page->json;
  FILE *out = page->text;
  const char *source = choice->source != NULL ? choice->source : "-";
  if (out != NULL && key == NULL) {
    fprintf(out, "%-10s %s\n           %s\n", choice->word, choice->summary, source);
  } else if (out != NULL) {
    fprintf(out, "  %-17s %s\n", choice->word, choice->summary);
    if (choice->source != NULL) fprintf(out, "  %-17s %s\n", "", source);
  } else {
    put_entry(json, choice->word, choice->summary, source);
    if (key != NULL) rill_json_string(json, "section", key->section);
    if (key != NULL) rill_json_string(json, "key", key->name);
    rill_json_close(json);
  }
}

enum rill_status rill_list_choices(const char *topic, const struct rill_choice *choices, const char *wanted,
                                   struct rill_page *page, struct rill_error *error) {
  const char *names[32];
  size_t count = 0;
  bool found = false;
  for (const struct rill_choice *choice = choices; choice->word != NULL; choice++) {
    names[count++] = choice->word;
    if (wanted != NULL && strcmp(wanted, choice->word) != 0) continue;
    write_choice(choice, NULL, page);
    found = true;
  }
  return found ? RILL_OK : no_entry(topic, wanted, names, count, error);
}

enum rill_status rill_list_keys(const char *wanted, struct rill_page *page, struct rill_error *error) {
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
    if (page->text != NULL) fprintf(page->text, "%s%s\n", found ? "\n" : "", names[used - 1]);
    for (const struct rill_choice *choice = keys[i].words; choice->word != NULL; choice++)
      write_choice(choice, &keys[i], page);
    found = true;
  }
  return found ? RILL_OK : no_entry("key with words", wanted, names, used, error);
}

/* ---- integrators ---- */

/* The next key of [integrator] that a method reads, from keys[*at] on; NULL: there are no more. */
static const char *next_key(const struct rill_method *method, size_t *at) {
  size_t count;
  const struct rill_key *keys = rill_keys(&count);
  for (; *at < count; ++*at)
    if (keys[*at].condition != NULL && keys[*at].condition->holds == NULL &&
        (keys[*at].condition->reads & rill_method_reads(method)))
      return keys[(*at)++].name;
  return NULL;
}

/* Of small systems; nested splittings are for water. */
static bool takes_forces(const struct rill_method *m) {
  return m->splitting != NULL ? m->splitting->kind != RILL_SPLITTING_NESTED : m->forced;
}

static void show_method(struct rill_page *page, const struct rill_method *m) {
  const char *separator = "  reads ";
  struct rill_json *json = &page->json;
  FILE *out = page->text;
  size_t at = 0;
  if (out != NULL) {
    fprintf(out, "%s%s%s%s%s\n  %s\n  order %d, %ssymmetric, %ssymplectic%s%s\n  %s\n", m->name,
            m->alias ? ", also " : "", m->alias ? m->alias : "", m->former ? ", formerly " : "",
            m->former ? m->former : "", m->summary, m->order, m->symmetric ? "" : "not ", m->symplectic ? "" : "not ",
            m->specialise != NULL ? ", with its default options" : "",
            takes_forces(m) ? "; takes [force], [control], [friction]" : "", m->citation);
    for (const char *key; (key = next_key(m, &at)) != NULL; separator = ", ") fprintf(out, "%s%s", separator, key);
    if (rill_method_reads(m) != 0) fputc('\n', out);
    return;
  }
  rill_json_object(json, NULL);
  rill_json_string(json, "name", m->name);
  rill_json_string(json, "alias", m->alias);
  rill_json_string(json, "former_name", m->former);
  rill_json_string(json, "summary", m->summary);
  rill_json_string(json, "source", m->citation);
  rill_json_number(json, "order", m->order);
  rill_json_bool(json, "symmetric", m->symmetric);
  rill_json_bool(json, "symplectic", m->symplectic);
  rill_json_bool(json, "takes_forces", takes_forces(m));
  rill_json_bool(json, "with_default_options", m->specialise != NULL);
  rill_json_string(json, "filter", m->filter != NULL ? m->filter->name : "none");
  rill_json_list(json, "reads");
  for (const char *key; (key = next_key(m, &at)) != NULL;) rill_json_string(json, NULL, key);
  rill_json_close(json);
  rill_json_close(json);
}

enum rill_status rill_list_integrators(const char *wanted, struct rill_page *page, struct rill_error *error) {
  size_t count, used = 0;
  const struct rill_method *const *methods = rill_methods(&count);
  const char *names[64];
  bool found = false;
  for (size_t i = 0; i < count; i++) {
    const struct rill_method *m = methods[i];
    names[used++] = m->name;
    if (m->alias != NULL) names[used++] = m->alias;
    if (wanted != NULL && !rill_method_is_called(m, wanted)) continue;
    show_method(page, m);
    found = true;
  }
  return found ? RILL_OK : no_entry("integrator", wanted, names, used, error);
}

/* ---- systems ---- */

/* The form of a value: "3 numbers, m", "one of a, b". */
static void describe_kind(const struct rill_parameter *parameter, char *text, size_t size) {
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

/* units: for the document; words: the same for the text.  full: with the parameters in the text, too. */
static void show_system(struct rill_page *page, const struct rill_system_type *type, const char *units,
                        const char *words, bool full) {
  struct rill_json *json = &page->json;
  FILE *out = page->text;
  char kind[256];
  if (out != NULL) {
    fprintf(out, "%s\n  %s%s\n  %s\n", type->name, type->summary, words, type->source);
  } else {
    put_entry(json, type->name, type->summary, type->source);
    rill_json_string(json, "units", units);
    rill_json_list(json, "parameters");
  }
  for (size_t i = 0; i < type->parameter_count && (full || out == NULL); i++) {
    const struct rill_parameter *parameter = &type->parameters[i];
    const char *section = rill_parameter_section(parameter);
    describe_kind(parameter, kind, sizeof kind);
    if (out != NULL) {
      fprintf(out, "\n  [%s] %s = %s\n    %s (%s)\n", section, parameter->name, parameter->fallback, parameter->help,
              kind);
      continue;
    }
    rill_json_object(json, NULL);
    rill_json_string(json, "section", section);
    rill_json_string(json, "name", parameter->name);
    rill_json_string(json, "default", parameter->fallback);
    rill_json_string(json, "kind", kind);
    rill_json_string(json, "help", parameter->help);
    rill_json_close(json);
  }
  if (out != NULL) return;
  rill_json_close(json);
  rill_json_close(json);
}

enum rill_status rill_list_systems(const char *wanted, struct rill_page *page, struct rill_error *error) {
  static const struct rill_system_type water = {
      .name = "water",
      .summary = "rigid water in vacuum or in a periodic box: nm, ps, u, kJ/mol, K",
      .source = "its models: rill list models"};
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  const char *names[64] = {water.name};
  bool found = wanted == NULL || strcmp(wanted, water.name) == 0;
  if (found) show_system(page, &water, "nm ps u", "", true);
  for (size_t i = 0; i < count; i++) {
    const struct rill_system_type *type = types[i];
    names[i + 1] = type->name;
    if (wanted != NULL && strcmp(wanted, type->name) != 0) continue;
    show_system(page, type, type->si ? "SI" : "none", type->si ? "; SI units" : "; dimensionless", wanted != NULL);
    found = true;
  }
  if (page->text != NULL && wanted == NULL)
    fputs("rill list systems NAME shows a small system's keys and their defaults\n", page->text);
  return found ? RILL_OK : no_entry("system", wanted, names, count + 1, error);
}

/* ---- units ---- */

enum rill_status rill_list_units(const char *wanted, struct rill_page *page, struct rill_error *error) {
  size_t count;
  const struct rill_unit *units = rill_units(&count);
  struct rill_json *json = &page->json;
  FILE *out = page->text;
  char number[RILL_NUMBER_TEXT];
  if (wanted != NULL) return rill_error_set(error, RILL_ERROR_USAGE, "rill list units takes no name");
  if (out != NULL) fprintf(out, "%-15s %-12s %s\n", "unit", "dimension", "value");
  for (size_t i = 0; i < count; i++) {
    const char *dimension = rill_dimension_name(units[i].dimension),
               *internal = rill_dimension_unit(units[i].dimension);
    if (out != NULL) {
      fprintf(out, "%-15s %-12s %s %s\n", units[i].symbol, dimension, rill_number_format(units[i].factor, number),
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
