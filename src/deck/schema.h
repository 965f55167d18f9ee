/* The schema: every section and key of a deck, in one table (schema.c).  To add a key: a field in struct rill_deck
 * (fields.h) and a row in the table; the checks, the expanded deck and the reference follow. */
#ifndef RILL_DECK_SCHEMA_H
#define RILL_DECK_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/fields.h"
#include "deck/units.h"

enum rill_kind {
  RILL_KIND_QUANTITY,    /* double: number and unit of `dimension`, or of `other`; the enum at `choice` says which */
  RILL_KIND_RAMP,        /* double[2]: a quantity, or first -> last */
  RILL_KIND_NUMBER,      /* double */
  RILL_KIND_INTEGER,     /* uint64_t */
  RILL_KIND_DURATION,    /* uint64_t: a time, kept as a number of steps */
  RILL_KIND_INTERVAL,    /* uint64_t: a time, or "N steps", kept as a number of steps */
  RILL_KIND_PACE,        /* struct rill_pace: a time or "N steps", kept as steps; or "10 min", "2 h" by the clock */
  RILL_KIND_WORD,        /* enum: the value of one of `words` */
  RILL_KIND_SWITCH,      /* bool: the value of one of the two `words` */
  RILL_KIND_NAME,        /* char[size]: one of `words`, or, without them, a name that another room looks up */
  RILL_KIND_INPUT_PATH,  /* char[size]: relative to the deck's folder, joined to it */
  RILL_KIND_OUTPUT_PATH, /* char[size]: relative to the output directory */
  RILL_KIND_PARAMETER,   /* of a small system: no field; text in deck->entries */
};

/* When a key has an effect. */
struct rill_condition {
  bool (*holds)(const struct rill_deck *deck); /* NULL: when the method reads one of `reads` */
  unsigned reads;   /* of enum rill_method_reads: options of a method */
  const char *text; /* "it needs ..." */
};

enum { RILL_NO_OFFSET = -1 };

struct rill_section {
  const char *name;
  long on; /* offset of the bool that says that an optional section is there; RILL_NO_OFFSET: always there */
  const struct rill_condition *condition; /* NULL: always has an effect */
  const char *help;
};

struct rill_key {
  const char *section, *name;
  enum rill_kind kind;
  enum rill_dimension dimension, other;
  const char *initial;      /* default as text; "" for none; "@section.key": that key's value; NULL: must be given */
  const char *small;        /* the default for small systems, where it is another; NULL: the same */
  const char *vacuum;       /* the same for water in vacuum */
  const char *absent;       /* the word that stands for leaving the key out, where initial is ""; may be NULL */
  const char *instead;      /* key of the same section: exactly one of the two is given */
  double least, most;       /* of numbers, in internal units */
  bool above;               /* the least itself is left out */
  bool or_none;             /* of a quantity or number: `none` is INFINITY; without a default, 0 stands for the program's choice */
  const char *floor;        /* why there is a least, where that is not plain */
  const struct rill_choice *words; /* ends as choices do */
  const struct rill_condition *condition; /* NULL: always */
  long offset, choice;      /* into struct rill_deck */
  size_t size;              /* of the field */
  const char *help;         /* with a full stop: the words follow, and what they stand for */
};

const struct rill_section *rill_sections(size_t *count);
const struct rill_key *rill_keys(size_t *count);

/* Index of a section or key, or -1. */
int rill_section_find(const char *section);
int rill_key_find(const char *section, const char *name);

/* The key's field in a deck. */
void *rill_key_field(const struct rill_key *key, struct rill_deck *deck);
const void *rill_key_value(const struct rill_key *key, const struct rill_deck *deck);

bool rill_condition_holds(const struct rill_condition *condition, const struct rill_deck *deck);

/* Why a key has no effect in a deck: its section's condition or its own; NULL when it has. */
const struct rill_condition *rill_key_without_effect(const struct rill_key *key, const struct rill_deck *deck);

/* The key's default as text in such a deck; may be NULL, "" or "@...", as `initial`. */
const char *rill_key_initial(const struct rill_key *key, const struct rill_deck *deck);

/* The deck holds the key's section. */
bool rill_section_on(const char *section, const struct rill_deck *deck);

#endif
