/* Parses parameter values of small systems: numbers in C notation in any locale, and one unit after the last. */
#include "config.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "systems/registry.h"

static const struct {
  const char *symbol, *unit;
  double factor;
} units[] = {
    {"m", "m", 1},
    {"cm", "m", 1e-2},
    {"mm", "m", 1e-3},
    {"kg", "kg", 1},
    {"g", "kg", 1e-3},
    {"s", "s", 1},
    {"ms", "s", 1e-3},
    {"m/s", "m/s", 1},
    {"cm/s", "m/s", 1e-2},
    {"m/s2", "m/s2", 1},
    {"m/s^2", "m/s2", 1},
    {"rad", "rad", 1},
    {"deg", "rad", 0.017453292519943295769},
    {"rad/s", "rad/s", 1},
    {"deg/s", "rad/s", 0.017453292519943295769},
    {"1/s", "rad/s", 1},
    {"/s", "rad/s", 1},
    {"kg m2", "kg m2", 1},
    {"N/m", "N/m", 1},
    {"J", "J", 1},
    {"sqrt(J)/m2", "sqrt(J)/m2", 1},
    {"sqrt(J)/m^2", "sqrt(J)/m2", 1},
};

static const char *skip_blanks(const char *text) {
  while (isspace((unsigned char)*text)) text++;
  return text;
}

/* Reads numbers separated by blanks or commas; *rest is the remaining text. */
static enum rill_status read_numbers(const char *where, const char *text, double *numbers, size_t *count,
                                     const char **rest, struct rill_error *error) {
  locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  enum rill_status status = RILL_OK;
  *count = 0;
  if (c == (locale_t)0) return rill_error_add(error, RILL_ERROR_MEMORY, "%s: out of memory", where);
  text = skip_blanks(text);
  for (;;) {
    char *end;
    double number;
    /* strtod would also accept nan, inf and hexadecimal numbers. */
    if (strchr("+-.0123456789", *text) == NULL || *text == 0) break;
    number = strtod_l(text, &end, c);
    if (end == text || text + strcspn(text, "xXnN") < end) break;
    if (*end == '/') break; /* "1/s": a unit */
    if (*count == RILL_PARAMETER_LENGTH) {
      status = rill_error_add(error, RILL_ERROR_INPUT, "%s: more than %d numbers", where, RILL_PARAMETER_LENGTH);
      break;
    }
    numbers[(*count)++] = number;
    text = skip_blanks(end);
    if (*text == ',') text = skip_blanks(text + 1);
  }
  *rest = text;
  freelocale(c);
  return status;
}

/* The factor of a unit, or of no unit for a pure number; NAN if the parameter has another unit. */
static double unit_factor(const struct rill_parameter *parameter, const char *symbol) {
  if (parameter->unit == NULL || (parameter->unit_optional && *symbol == 0)) return *symbol == 0 ? 1 : NAN;
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (strcmp(units[i].symbol, symbol) == 0 && strcmp(units[i].unit, parameter->unit) == 0) return units[i].factor;
  return strcmp(parameter->unit, symbol) == 0 ? 1 : NAN;
}

static enum rill_status parse_word(const struct rill_parameter *parameter, const char *where, const char *text,
                                   struct rill_parameter_value *value, struct rill_error *error) {
  char known[256] = "";
  for (int i = 0; parameter->words[i] != NULL; i++) {
    if (strcmp(parameter->words[i], text) == 0) {
      value->word = i;
      return RILL_OK;
    }
    if (i > 0) strncat(known, ", ", sizeof known - strlen(known) - 1);
    strncat(known, parameter->words[i], sizeof known - strlen(known) - 1);
  }
  return rill_error_add(error, RILL_ERROR_INPUT, "%s: \"%s\" is not known; choose one of: %s", where, text, known);
}

enum rill_status rill_parameter_parse(const struct rill_system_type *type, const struct rill_parameter *parameter,
                                      const char *where, const char *text, struct rill_parameter_value *value,
                                      struct rill_error *error) {
  const char *rest = text;
  double factor;
  (void)type;
  *value = (struct rill_parameter_value){.given = true};
  if (parameter->kind == RILL_PARAMETER_WORD) return parse_word(parameter, where, text, value, error);
  RILL_TRY(read_numbers(where, text, value->number, &value->count, &rest, error));
  if (value->count == 0)
    return rill_error_add(error, RILL_ERROR_INPUT, "%s: \"%s\" does not begin with a number", where, text);
  factor = unit_factor(parameter, rest);
  if (isnan(factor)) {
    if (parameter->unit == NULL)
      return rill_error_add(error, RILL_ERROR_INPUT, "%s: \"%s\" after the number; %s expected", where, rest,
                            parameter->kind == RILL_PARAMETER_VECTOR ? "pure numbers are" : "a pure number is");
    if (*rest == 0)
      return rill_error_add(error, RILL_ERROR_INPUT, "%s: \"%s\" has no unit; write for example \"%s %s\"", where,
                            text, text, parameter->unit);
    return rill_error_add(error, RILL_ERROR_INPUT, "%s: \"%s\" is not a unit for this; \"%s\" is", where, rest,
                          parameter->unit);
  }
  if (parameter->kind != RILL_PARAMETER_VECTOR && value->count != 1)
    return rill_error_add(error, RILL_ERROR_INPUT, "%s: one number is expected, \"%s\" has %zu", where, text,
                          value->count);
  if (parameter->kind == RILL_PARAMETER_VECTOR && parameter->length != 0 && value->count != parameter->length)
    return rill_error_add(error, RILL_ERROR_INPUT, "%s: %zu numbers are expected, \"%s\" has %zu", where,
                          parameter->length, text, value->count);
  for (size_t i = 0; i < value->count; i++) {
    double number = value->number[i] *= factor;
    if (!isfinite(number)) return rill_error_add(error, RILL_ERROR_INPUT, "%s: \"%s\" is not finite", where, text);
    if (parameter->least <= parameter->most && (number < parameter->least || number > parameter->most))
      return rill_error_add(error, RILL_ERROR_INPUT, "%s: %.15g is outside %.15g to %.15g%s%s", where, number,
                            parameter->least, parameter->most, parameter->unit != NULL ? " " : "",
                            parameter->unit != NULL ? parameter->unit : "");
    if (parameter->kind == RILL_PARAMETER_COUNT && (number != floor(number) || number < 0 || number > 1e9))
      return rill_error_add(error, RILL_ERROR_INPUT, "%s: \"%s\" is not a whole number from 0 to 1000000000", where,
                            text);
  }
  return RILL_OK;
}

enum rill_status rill_parameters_default(const struct rill_system_type *type, struct rill_parameter_value *values,
                                         struct rill_error *error) {
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_parameter *parameter = &type->parameters[i];
    RILL_TRY(rill_parameter_parse(type, parameter, parameter->name, parameter->fallback, &values[i], error));
    values[i].given = false;
  }
  return RILL_OK;
}

size_t rill_parameter_index(const struct rill_system_type *type, const char *name) {
  size_t i = 0;
  while (i < type->parameter_count && strcmp(type->parameters[i].name, name) != 0) i++;
  return i;
}
