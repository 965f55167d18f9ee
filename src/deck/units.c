#include "deck/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

static const struct {
  const char *name;
  const char *phrase; /* for messages */
  const char *unit;   /* internal */
} dimensions[RILL_DIMENSION_COUNT] = {
    [RILL_DIMENSION_NONE] = {"none", "a pure number", ""},
    [RILL_DIMENSION_TIME] = {"time", "a time", "ps"},
    [RILL_DIMENSION_SECONDS] = {"time (SI)", "a time", "s"},
    [RILL_DIMENSION_JOULE] = {"energy (SI)", "an energy", "J"},
    [RILL_DIMENSION_PER_SECOND] = {"rate (SI)", "a rate", "/s"},
    [RILL_DIMENSION_KILOGRAM_PER_SECOND] = {"friction (SI)", "a friction coefficient (mass times rate)", "kg/s"},
    [RILL_DIMENSION_LENGTH] = {"length", "a length", "nm"},
    [RILL_DIMENSION_TEMPERATURE] = {"temperature", "a temperature", "K"},
    [RILL_DIMENSION_RATE] = {"rate", "a rate", "/ps"},
    [RILL_DIMENSION_FRICTION] = {"friction", "a friction coefficient (mass times rate)", "u/ps"},
    [RILL_DIMENSION_ENERGY] = {"energy", "an energy", "kJ/mol"},
    [RILL_DIMENSION_FORCE] = {"force", "a force", "kJ/mol/nm"},
    [RILL_DIMENSION_STIFFNESS] = {"stiffness", "a stiffness", "kJ/mol/nm2"},
    [RILL_DIMENSION_PRESSURE] = {"pressure", "a pressure", "kJ/mol/nm3"},
    [RILL_DIMENSION_COMPRESSIBILITY] = {"compressibility", "a compressibility", "nm3*mol/kJ"},
    [RILL_DIMENSION_DENSITY] = {"density", "a density", "u/nm3"},
    [RILL_DIMENSION_COULOMB] = {"coulomb", "a Coulomb constant", "kJ*nm/mol/e2"},
    [RILL_DIMENSION_ANGLE] = {"angle", "an angle", "deg"},
    [RILL_DIMENSION_CHARGE] = {"charge", "a charge", "e"},
    [RILL_DIMENSION_MASS] = {"mass", "a mass", "u"},
    [RILL_DIMENSION_FIELD] = {"electric field", "an electric field", "kJ/mol/nm/e"},
    [RILL_DIMENSION_PENALTY] = {"penalty", "a penalty's stiffness", "sqrt(kJ/mol)/nm2"},
};

/* The first of a dimension is the example in messages. */
static const struct rill_unit units[] = {
    {"fs", RILL_DIMENSION_TIME, RILL_FEMTOSECOND},
    {"ps", RILL_DIMENSION_TIME, 1.0},
    {"ns", RILL_DIMENSION_TIME, RILL_NANOSECOND},
    {"akma", RILL_DIMENSION_TIME, RILL_AKMA_TIME},
    {"s", RILL_DIMENSION_SECONDS, 1.0},
    {"ms", RILL_DIMENSION_SECONDS, 1e-3},
    {"us", RILL_DIMENSION_SECONDS, 1e-6},
    {"J", RILL_DIMENSION_JOULE, 1.0},
    {"mJ", RILL_DIMENSION_JOULE, 1e-3},
    {"/s", RILL_DIMENSION_PER_SECOND, 1.0},
    {"kg/s", RILL_DIMENSION_KILOGRAM_PER_SECOND, 1.0},
    {"nm", RILL_DIMENSION_LENGTH, 1.0},
    {"A", RILL_DIMENSION_LENGTH, RILL_ANGSTROM},
    {"pm", RILL_DIMENSION_LENGTH, RILL_PICOMETRE},
    {"K", RILL_DIMENSION_TEMPERATURE, 1.0},
    {"/ps", RILL_DIMENSION_RATE, 1.0},
    {"/fs", RILL_DIMENSION_RATE, 1.0 / RILL_FEMTOSECOND},
    {"/ns", RILL_DIMENSION_RATE, 1.0 / RILL_NANOSECOND},
    {"/akma", RILL_DIMENSION_RATE, 1.0 / RILL_AKMA_TIME},
    {"u/ps", RILL_DIMENSION_FRICTION, 1.0},
    {"u/akma", RILL_DIMENSION_FRICTION, 1.0 / RILL_AKMA_TIME},
    {"kJ/mol", RILL_DIMENSION_ENERGY, 1.0},
    {"kcal/mol", RILL_DIMENSION_ENERGY, RILL_KCAL},
    {"kJ/mol/nm", RILL_DIMENSION_FORCE, 1.0},
    {"kcal/mol/A", RILL_DIMENSION_FORCE, RILL_KCAL *(1.0 / RILL_ANGSTROM)},
    {"kJ/mol/nm2", RILL_DIMENSION_STIFFNESS, 1.0},
    {"kcal/mol/A2", RILL_DIMENSION_STIFFNESS, RILL_KCAL *((1.0 / RILL_ANGSTROM) * (1.0 / RILL_ANGSTROM))},
    {"bar", RILL_DIMENSION_PRESSURE, RILL_BAR},
    {"atm", RILL_DIMENSION_PRESSURE, 1.01325 * RILL_BAR},
    {"MPa", RILL_DIMENSION_PRESSURE, 10.0 * RILL_BAR},
    {"kJ/mol/nm3", RILL_DIMENSION_PRESSURE, 1.0},
    {"/bar", RILL_DIMENSION_COMPRESSIBILITY, 1.0 / RILL_BAR},
    {"nm3*mol/kJ", RILL_DIMENSION_COMPRESSIBILITY, 1.0},
    {"g/cm3", RILL_DIMENSION_DENSITY, RILL_GRAM_PER_CM3},
    {"u/nm3", RILL_DIMENSION_DENSITY, 1.0},
    {"deg", RILL_DIMENSION_ANGLE, 1.0},
    {"rad", RILL_DIMENSION_ANGLE, RILL_RADIAN},
    {"e", RILL_DIMENSION_CHARGE, 1.0},
    {"u", RILL_DIMENSION_MASS, 1.0},
    {"V/nm", RILL_DIMENSION_FIELD, RILL_VOLT},
    {"kJ/mol/nm/e", RILL_DIMENSION_FIELD, 1.0},
    {"kJ*nm/mol/e2", RILL_DIMENSION_COULOMB, 1.0},
    /* the akma unit is sqrt(kcal/mol)/A2; sqrt(4.184) */
    {"akma", RILL_DIMENSION_PENALTY, 2.0454828280872953 * ((1.0 / RILL_ANGSTROM) * (1.0 / RILL_ANGSTROM))},
    {"sqrt(kJ/mol)/nm2", RILL_DIMENSION_PENALTY, 1.0},
    {"kcal*A/mol/e2", RILL_DIMENSION_COULOMB, RILL_KCAL *RILL_ANGSTROM},
};
enum { UNIT_COUNT = sizeof units / sizeof units[0], SYMBOL_CAPACITY = 24 };

const struct rill_unit *rill_units(size_t *count) {
  *count = UNIT_COUNT;
  return units;
}

const char *rill_dimension_name(enum rill_dimension dimension) { return dimensions[dimension].name; }

const char *rill_dimension_unit(enum rill_dimension dimension) { return dimensions[dimension].unit; }

const char *rill_dimension_example(enum rill_dimension dimension) {
  for (size_t i = 0; i < UNIT_COUNT; i++)
    if (units[i].dimension == dimension) return units[i].symbol;
  return "";
}

void rill_dimension_list(enum rill_dimension dimension, enum rill_dimension other, char *text, size_t size) {
  size_t length = 0;
  text[0] = '\0';
  for (size_t i = 0; i < UNIT_COUNT && length < size; i++) {
    if (units[i].dimension != dimension && (other == RILL_DIMENSION_NONE || units[i].dimension != other)) continue;
    length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", units[i].symbol);
  }
}

enum rill_status rill_c_locale_enter(struct rill_c_locale *locale, struct rill_error *error) {
  locale->previous = (locale_t)0;
  locale->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (locale->c == (locale_t)0) return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for the C locale");
  locale->previous = uselocale(locale->c);
  return RILL_OK;
}

void rill_c_locale_leave(struct rill_c_locale *locale) {
  uselocale(locale->previous);
  freelocale(locale->c);
}

const char *rill_number_format(double value, char text[RILL_NUMBER_TEXT]) {
  int digits = 1, exponent;
  char *mark;
  if (!isfinite(value)) {
    snprintf(text, RILL_NUMBER_TEXT, "%g", value);
    return text;
  }
  do {
    snprintf(text, RILL_NUMBER_TEXT, "%.*e", digits - 1, value);
  } while (digits++ < 17 && strtod(text, NULL) != value);
  digits--;
  mark = strchr(text, 'e');
  exponent = atoi(mark + 1);
  if (exponent < -3 || exponent > 15) {
    snprintf(mark, 8, "e%d", exponent);
  } else {
    int decimals = digits - 1 - exponent;
    snprintf(text, RILL_NUMBER_TEXT, "%.*f", decimals > 0 ? decimals : 0, value);
  }
  return text;
}

static size_t count_digits(const char *text) { return strspn(text, "0123456789"); }

size_t rill_number_length(const char *text) {
  size_t sign = text[0] == '+' || text[0] == '-', length = sign, whole = count_digits(text + length), decimals = 0;
  length += whole;
  if (text[length] == '.') {
    decimals = count_digits(text + length + 1);
    length += 1 + decimals;
  }
  if (whole + decimals == 0) return 0;
  if (text[length] == 'e' || text[length] == 'E') {
    size_t exponent = length + 1;
    if (text[exponent] == '+' || text[exponent] == '-') exponent++;
    if (count_digits(text + exponent) > 0) length = exponent + count_digits(text + exponent);
  }
  return length;
}

/* Reads the number at the start of text; *rest is what follows, without leading blanks. */
static enum rill_status read_leading_number(const char *text, double *value, const char **rest,
                                            struct rill_error *error) {
  size_t length = rill_number_length(text);
  *value = 0;
  *rest = text;
  if (length == 0) {
    const char *bare = text + (text[0] == '+' || text[0] == '-');
    if (strncasecmp(bare, "nan", 3) == 0 || strncasecmp(bare, "inf", 3) == 0)
      return rill_error_set(error, RILL_ERROR_INPUT, "not a finite number");
    return rill_error_set(error, RILL_ERROR_INPUT, "not a number");
  }
  *value = strtod(text, NULL);
  if (!isfinite(*value)) return rill_error_set(error, RILL_ERROR_INPUT, "too large for a finite number");
  if (text[length] == ',')
    return rill_error_set(error, RILL_ERROR_INPUT, "a decimal point is expected, and no thousands separator");
  *rest = text + length + strspn(text + length, " \t");
  return RILL_OK;
}

enum rill_status rill_number_read(const char *text, double *value, struct rill_error *error) {
  const char *rest;
  RILL_TRY(read_leading_number(text, value, &rest, error));
  if (*rest != '\0')
    return rill_error_set(error, RILL_ERROR_INPUT, "a pure number is expected, without `%.40s`", rest);
  return RILL_OK;
}

/* Removes blanks around / and *: "kcal / mol" becomes kcal/mol, while "f s" is unchanged.  A symbol truncated at the
 * capacity is longer than any unit. */
static void squeeze(const char *text, char symbol[SYMBOL_CAPACITY]) {
  size_t length = 0;
  for (const char *at = text; *at != '\0' && length < SYMBOL_CAPACITY - 1; at++) {
    if (*at == ' ' || *at == '\t') {
      const char *next = at + strspn(at, " \t");
      if (*next == '/' || *next == '*' || (length > 0 && (symbol[length - 1] == '/' || symbol[length - 1] == '*'))) {
        at = next - 1;
        continue;
      }
    }
    symbol[length++] = *at;
  }
  symbol[length] = '\0';
}

/* A decimal factor below one is applied as division by its whole reciprocal: 9 fs is then the double nearest to 0.009
 * ps, while 9 * 1e-3 is not. */
static double convert(double value, double factor) {
  double reciprocal = 1.0 / factor;
  return reciprocal == rint(reciprocal) ? value / reciprocal : value * factor;
}

enum rill_status rill_quantity_read(const char *text, enum rill_dimension dimension, enum rill_dimension other,
                                    double *value, enum rill_dimension *found, struct rill_error *error) {
  const struct rill_unit *unit = NULL;
  const char *rest, *joint = other == RILL_DIMENSION_NONE ? "" : " or ";
  const char *wanted = dimensions[dimension].phrase;
  const char *also = other == RILL_DIMENSION_NONE ? "" : dimensions[other].phrase;
  char list[256], symbol[SYMBOL_CAPACITY];
  double number;
  RILL_TRY(read_leading_number(text, &number, &rest, error));
  rill_dimension_list(dimension, other, list, sizeof list);
  squeeze(rest, symbol);
  for (size_t i = 0; i < UNIT_COUNT; i++) {
    if (strcmp(units[i].symbol, symbol) != 0) continue;
    if (unit == NULL || units[i].dimension == dimension) unit = &units[i];
  }
  if (*rest == '\0') {
    const char *example = rill_dimension_example(dimension);
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the unit is missing: %s%s%s is expected, for example `%.40s %s` (%s)", wanted, joint, also,
                          text, example, list);
  }
  if (unit == NULL && dimension == RILL_DIMENSION_TEMPERATURE && strcmp(symbol, "C") == 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "temperatures are in K: %.40s is %.6g K", text, number + 273.15);
  if (unit == NULL)
    return rill_error_set(error, RILL_ERROR_INPUT, "unknown unit `%.40s`: %s%s%s is expected (%s)", rest, wanted,
                          joint, also, list);
  if (unit->dimension != dimension && strcmp(dimensions[unit->dimension].phrase, wanted) == 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "the unit `%s` is not used here: %s in %s is expected",
                          unit->symbol, wanted, list);
  if (unit->dimension != dimension && (other == RILL_DIMENSION_NONE || unit->dimension != other))
    return rill_error_set(error, RILL_ERROR_INPUT, "wrong dimension, `%s` is %s: %s%s%s is expected (%s)",
                          unit->symbol, dimensions[unit->dimension].phrase, wanted, joint, also, list);
  *value = convert(number, unit->factor);
  if (!isfinite(*value)) return rill_error_set(error, RILL_ERROR_INPUT, "too large for a finite number");
  if (found != NULL) *found = unit->dimension;
  return RILL_OK;
}

enum rill_status rill_quantity_parse(const char *text, const char *dimension, const char *option, double *value,
                                     struct rill_error *error) {
  struct rill_c_locale locale;
  enum rill_dimension wanted = RILL_DIMENSION_NONE;
  enum rill_status status;
  for (int i = RILL_DIMENSION_NONE + 1; i < RILL_DIMENSION_COUNT; i++)
    if (strcmp(dimensions[i].name, dimension) == 0) wanted = (enum rill_dimension)i;
  if (wanted == RILL_DIMENSION_NONE)
    return rill_error_set(error, RILL_ERROR_USAGE, "%s: there is no dimension `%s`", option, dimension);
  RILL_TRY(rill_c_locale_enter(&locale, error));
  text += strspn(text, " \t");
  status = rill_quantity_read(text, wanted, RILL_DIMENSION_NONE, value, NULL, error);
  rill_c_locale_leave(&locale);
  if (status == RILL_OK) return RILL_OK;
  rill_error_prefix(error, "%s %.80s", option, text);
  return error->status = RILL_ERROR_USAGE;
}
