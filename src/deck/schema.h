/* The schema: every section and key of a deck, in one table (schema.c).  To add a key, add a field to struct
 * rill_deck (fields.h) and a row to the table; the checks, the expanded deck and the reference follow from it. */
#ifndef RILL_DECK_SCHEMA_H
#define RILL_DECK_SCHEMA_H

#include <stdio.h>
#include <stdbool.h>
#include <stddef.h>

#include "deck/fields.h"
#include "deck/units.h"

enum rill_kind {
  RILL_KIND_QUANTITY,    /* double: number and unit of `dimension` or `other`; the enum at `choice` records which */
  RILL_KIND_RAMP,        /* double[2]: a quantity, or first -> last */
  RILL_KIND_LADDER,      /* struct rill_ladder: temperatures */
  RILL_KIND_NUMBERS,     /* struct rill_numbers */
  RILL_KIND_NUMBER,      /* double */
  RILL_KIND_GRID,        /* uint64_t[3] */
  RILL_KIND_INTEGER,     /* uint64_t */
  RILL_KIND_DURATION,    /* uint64_t: a time, kept as a number of steps */
  RILL_KIND_INTERVAL,    /* uint64_t: a time, or "N steps", kept as a number of steps */
  RILL_KIND_PACE,        /* struct rill_pace: a time or "N steps", kept as steps; or wall time, "10 min", "2 h" */
  RILL_KIND_VECTOR,      /* double[3]: three numbers and one unit */
  RILL_KIND_WORD,        /* enum: the value of one of `words` */
  RILL_KIND_SET,         /* unsigned: the values of several of `words`, separated by commas, as bits */
  RILL_KIND_SWITCH,      /* bool: the value of one of the two `words` */
  RILL_KIND_NAME,        /* char[size]: one of `words`, or without them a name defined in another room */
  RILL_KIND_INPUT_PATH,  /* char[size]: relative to the deck's folder, joined to it */
  RILL_KIND_OUTPUT_PATH, /* char[size]: relative to the output directory */
  RILL_KIND_PARAMETER,   /* of a small system: no field; text in deck->entries */
};

/* The condition under which a key has an effect. */
struct rill_condition {
  bool (*holds)(const struct rill_deck *deck); /* NULL: when the method reads one of `reads` */
  unsigned reads;   /* of enum rill_method_reads: the options to which the key belongs; also with a `holds` */
  const char *text; /* completes "it needs ..." */
};

enum { RILL_NO_OFFSET = -1 };

struct rill_section {
  const char *name;
  long on; /* offset of the bool that says whether an optional section is present; RILL_NO_OFFSET: always present */
  const struct rill_condition *condition; /* NULL: always has an effect */
  const char *help;
};

struct rill_key {
  const char *section, *name;
  enum rill_kind kind;
  enum rill_dimension dimension, other;
  const char *initial; /* default as text; "": none; "@section.key": value of that key; NULL: must be given */
  const char *small;   /* the default for small systems, if different; NULL: the same */
  const char *vacuum;  /* likewise for water in vacuum */
  const char *absent;  /* the word for omitting the key, where initial is ""; may be NULL */
  const char *instead; /* an alternative key of the same section: exactly one of the two is given */
  double least, most;  /* of numbers, in internal units */
  bool above;          /* excludes `least` itself */
  bool or_none;        /* `none` means INFINITY; without a default, 0: the program chooses */
  const char *floor;   /* the reason for the lower limit, if it is not obvious */
  const struct rill_choice *words;        /* a table of choices */
  const struct rill_condition *condition; /* NULL: always */
  long offset, choice;                    /* offsets in struct rill_deck */
  size_t size;                            /* of the field */
  const char *help;                       /* if it ends with a full stop, the words and their meaning are appended */
};

const struct rill_section *rill_sections(size_t *count);
const struct rill_key *rill_keys(size_t *count);

/* Whether this is the key of an option that the deck's method reads. */
bool rill_key_is_read_option(const struct rill_key *key, const struct rill_deck *deck);

/* Writes what the key means, and in parentheses its kind and range, units, default, and the condition under which it
 * has an effect, in one line without an end; words of a deck stand in `backquotes`. */
void rill_key_describe(const struct rill_key *key, FILE *stream);

/* Index of a section or key, or -1. */
int rill_section_find(const char *section);
int rill_key_find(const char *section, const char *name);

/* The address of the key's field in a deck. */
void *rill_key_field(const struct rill_key *key, struct rill_deck *deck);
const void *rill_key_value(const struct rill_key *key, const struct rill_deck *deck);

bool rill_condition_holds(const struct rill_condition *condition, const struct rill_deck *deck);

/* The condition, of its section or its own, that keeps a key from having an effect; NULL when it has an effect. */
const struct rill_condition *rill_key_without_effect(const struct rill_key *key, const struct rill_deck *deck);

/* The default of the key as text in such a deck; may be NULL, "" or "@...", like `initial`. */
const char *rill_key_initial(const struct rill_key *key, const struct rill_deck *deck);

/* Whether the section is present in the deck. */
bool rill_section_on(const char *section, const struct rill_deck *deck);

#endif
