/* Numbers and quantities as text, such as "2 fs", "0.2 /ps", "332.06371 kcal*A/mol/e2"; conversion to and from
 * internal units.
 *
 * Numbers are read and written in the current thread's locale: call rill_c_locale_enter first, except for
 * rill_quantity_parse. */
#ifndef RILL_DECK_UNITS_H
#define RILL_DECK_UNITS_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum rill_dimension {
  RILL_DIMENSION_NONE,
  RILL_DIMENSION_TIME,
  RILL_DIMENSION_SECONDS, /* of systems in SI units, like the next three */
  RILL_DIMENSION_JOULE,
  RILL_DIMENSION_PER_SECOND,
  RILL_DIMENSION_KILOGRAM_PER_SECOND,
  RILL_DIMENSION_LENGTH,
  RILL_DIMENSION_TEMPERATURE,
  RILL_DIMENSION_RATE,
  RILL_DIMENSION_FRICTION,
  RILL_DIMENSION_ENERGY,
  RILL_DIMENSION_FORCE,
  RILL_DIMENSION_STIFFNESS,
  RILL_DIMENSION_PRESSURE,
  RILL_DIMENSION_COMPRESSIBILITY,
  RILL_DIMENSION_DENSITY,
  RILL_DIMENSION_COULOMB,
  RILL_DIMENSION_ANGLE, /* in degrees */
  RILL_DIMENSION_CHARGE,
  RILL_DIMENSION_MASS,
  RILL_DIMENSION_FIELD,
  RILL_DIMENSION_PENALTY, /* square root of an energy over a length squared */
  RILL_DIMENSION_COUNT
};

struct rill_unit {
  const char *symbol;
  enum rill_dimension dimension;
  double factor; /* the value of this unit in internal units */
};

/* The units, grouped by dimension. */
const struct rill_unit *rill_units(size_t *count);

const char *rill_dimension_name(enum rill_dimension dimension);

/* The internal unit of a dimension, the one with factor 1. */
const char *rill_dimension_unit(enum rill_dimension dimension);

/* The unit that messages give as an example. */
const char *rill_dimension_example(enum rill_dimension dimension);

/* Writes the symbols of one or two dimensions (the second may be NONE), such as "fs, ps, ns, akma", into text
 * [size]. */
void rill_dimension_list(enum rill_dimension dimension, enum rill_dimension other, char *text, size_t size);

/* Sets the C locale for this thread, whatever the user's is; leave restores the previous one. */
struct rill_c_locale {
  locale_t c, previous;
};
enum rill_status rill_c_locale_enter(struct rill_c_locale *locale, struct rill_error *error);
void rill_c_locale_leave(struct rill_c_locale *locale);

enum { RILL_NUMBER_TEXT = 40 };

/* Writes the shortest decimals that read back to the same double, in plain notation from 1e-3 up to 1e16; returns
 * text. */
const char *rill_number_format(double value, char text[RILL_NUMBER_TEXT]);

/* Length of the decimal number at the beginning of text; 0 when there is none, as for nan and inf. */
size_t rill_number_length(const char *text);

/* Reads a pure number with nothing after it; it must be finite. */
enum rill_status rill_number_read(const char *text, double *value, struct rill_error *error);

/* Reads a number and a unit of `dimension`, or of `other` when that is not NONE; *found says which of the two it was.
 * The value is in internal units, and the double nearest to the decimals for decimal units (9 fs is 0.009 ps). */
enum rill_status rill_quantity_read(const char *text, enum rill_dimension dimension, enum rill_dimension other,
                                    double *value, enum rill_dimension *found, struct rill_error *error);

/* Reads "0.9nm" or "0.9 nm" with the given dimension name ("length", "time", ...); for command-line options, in any
 * locale.  Errors name the option. */
enum rill_status rill_quantity_parse(const char *text, const char *dimension, const char *option, double *value,
                                     struct rill_error *error);

#endif
