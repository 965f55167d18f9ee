/* The registries of methods and small systems, for the deck reader. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "simulation/small.h"

const char *rill_parameter_section(const struct rill_parameter *parameter) {
  bool of_penalty = strcmp(parameter->name, "stiffness") == 0 && parameter->with != NULL;
  return of_penalty ? "penalty" : "system";
}

bool rill_parameter_has_effect(const struct rill_system_type *type, size_t index,
                               const struct rill_parameter_value *values) {
  const struct rill_parameter *parameter = &type->parameters[index];
  size_t choice = parameter->with != NULL ? rill_parameter_index(type, parameter->with) : type->parameter_count;
  return choice == type->parameter_count ||
         strcmp(type->parameters[choice].words[values[choice].word], parameter->with_word) == 0;
}

/* Whether two names share a part between hyphens. */
static bool shares_a_part(const char *one, const char *other) {
  for (const char *part = one; *part != '\0'; part += strspn(part, "-_")) {
    const size_t length = strcspn(part, "-_");
    for (const char *at = other; *at != '\0'; at += strspn(at, "-")) {
      const size_t size = strcspn(at, "-");
      if (size == length && length > 2 && strncasecmp(part, at, length) == 0) return true;
      at += size;
    }
    part += length;
  }
  return false;
}

static enum rill_status look_up_system(const char *kind, enum rill_deck_units *units, struct rill_error *error) {
  const struct rill_system_type *type = rill_system_type_find(kind);
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  const char *names[64] = {"water"}, *nearest;
  char list[1024] = "water", related[512] = "";
  *units = RILL_UNITS_MOLECULAR;
  if (strcmp(kind, "water") == 0) return RILL_OK;
  if (type != NULL) {
    *units = type->si ? RILL_UNITS_SI : RILL_UNITS_NONE;
    return RILL_OK;
  }
  for (size_t i = 0; i < count; i++) {
    names[i + 1] = types[i]->name;
    snprintf(list + strlen(list), sizeof list - strlen(list), ", %s", types[i]->name);
  }
  nearest = rill_nearest(kind, names, count + 1);
  for (size_t i = 0; i <= count; i++)
    if (names[i] != nearest && shares_a_part(kind, names[i]))
      snprintf(related + strlen(related), sizeof related - strlen(related), "%s%s", *related ? ", " : "", names[i]);
  if (nearest != NULL)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "no such system; did you mean %s?%s%s%s `rill list systems` describes each", nearest,
                          *related ? " Similar names are also " : "", related, *related ? ";" : "");
  if (*related != '\0')
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "no such system; similar names are %s; `rill list systems` "
                          "describes each",
                          related);
  return rill_error_set(error, RILL_ERROR_INPUT, "no such system; expected one of %s", list);
}

static enum rill_status unknown_key(const struct rill_system_type *type, const char *section, const char *key,
                                    struct rill_error *error) {
  const char *names[RILL_PARAMETERS], *nearest;
  char list[512] = "";
  size_t count = 0;
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_parameter *parameter = &type->parameters[i];
    if (strcmp(rill_parameter_section(parameter), section) != 0) {
      if (strcmp(parameter->name, key) == 0)
        return rill_error_set(error, RILL_ERROR_INPUT, "unknown key %.60s in [%s]: it belongs in [%s]", key, section,
                              rill_parameter_section(parameter));
      continue;
    }
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", count > 0 ? ", " : "", parameter->name);
    names[count++] = parameter->name;
  }
  if (count == 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "unknown key %.60s in [%s]: %s has no keys there", key, section,
                          type->name);
  nearest = rill_nearest(key, names, count);
  if (nearest != NULL)
    return rill_error_set(error, RILL_ERROR_INPUT, "unknown key %.60s in [%s]: did you mean %s?", key, section,
                          nearest);
  return rill_error_set(error, RILL_ERROR_INPUT, "unknown key %.60s in [%s]; the keys of %s there are %s%s", key,
                        section, type->name, strcmp(section, "system") == 0 ? "kind, " : "", list);
}

/* The message of rill_parameter_parse without the leading position, which the deck adds. */
enum rill_status rill_parameter_of_deck(const struct rill_system_type *type, size_t index, const char *text,
                                        struct rill_parameter_value *value, struct rill_error *error) {
  struct rill_error own = {0};
  const char *message;
  if (rill_parameter_parse(type, &type->parameters[index], type->parameters[index].name, text, value, &own) ==
      RILL_OK)
    return RILL_OK;
  message = strstr(own.text, ": ");
  return rill_error_set(error, own.status, "%s", message != NULL ? message + 2 : own.text);
}

static enum rill_status check_entry(const char *kind, const char *section, const char *key, const char *value,
                                    bool *known, struct rill_error *error) {
  const struct rill_system_type *type = rill_system_type_find(kind);
  size_t index = rill_parameter_index(type, key);
  struct rill_parameter_value parsed;
  *known = index < type->parameter_count && strcmp(rill_parameter_section(&type->parameters[index]), section) == 0;
  if (!*known) return unknown_key(type, section, key, error);
  if (value[0] == '\0') return rill_error_set(error, RILL_ERROR_INPUT, "a value is expected after the =");
  return rill_parameter_of_deck(type, index, value, &parsed, error);
}

static unsigned method_reads(const char *name) {
  const struct rill_method *method = rill_method_find(name);
  return method != NULL ? rill_method_reads(method) : ~0u;
}

const struct rill_deck_registry rill_deck_registry = {look_up_system, check_entry, method_reads};
