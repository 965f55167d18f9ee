/* The input deck: reads INI text into a plain struct.
 *
 * One table (schema.c) defines every section and key with kind, dimension, default, range and help; the checks, the
 * listing, the reference in the manual and the expanded deck are all derived from it. */
#ifndef RILL_DECK_DECK_H
#define RILL_DECK_DECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "deck/fields.h"

/* Information about names in a deck that is defined in other modules.  It is used while the deck is read, so that all
 * faults are reported together. */
struct rill_deck_registry {
  /* Gets the units of a system; RILL_UNITS_MOLECULAR for water.  RILL_ERROR_INPUT: there is no such system. */
  enum rill_status (*system)(const char *kind, enum rill_deck_units *units, struct rill_error *error);
  /* Checks a key that belongs to a small system; the message of RILL_ERROR_INPUT says what is expected.  *known: the
   * key exists, so that a fault concerns its value. */
  enum rill_status (*entry)(const char *kind, const char *section, const char *key, const char *value, bool *known,
                            struct rill_error *error);
  /* Returns the options that the method reads, of enum rill_method_reads; all of them for an unknown method, which is
   * reported elsewhere. */
  unsigned (*method_reads)(const char *method);
};

/* Reads and validates a deck, and applies `overrides` (count strings "section.key=value", as given by --set; they are
 * checked against the same schema, and paths are relative to the deck's folder, too).  Setting integrator.time
 * replaces steps and vice versa, likewise system.structure and molecules.  A line of the deck that loses its effect
 * by an override (thermostat.friction after thermostat.method=none) is dropped; any other key without effect is a
 * fault.
 *
 * All faults are reported together, a line each, as "file:line: ..." or "--set section.key: ..." with what was found,
 * what is expected and the nearest valid key (RILL_ERROR_INPUT).  Names defined in other modules (system.kind,
 * system.model, integrator.method) are not checked here. */
enum rill_status rill_deck_read(const char *path, const char *const *overrides, size_t count, struct rill_deck *deck,
                                struct rill_error *error);

/* The same with small systems, for which system.kind is looked up.  With a kind other than water, the other keys of
 * [system] and those of [penalty] belong to the system (deck->entries), times are in its units, and keys of water
 * have no effect. */
enum rill_status rill_deck_read_with(const struct rill_deck_registry *registry, const char *path,
                                     const char *const *overrides, size_t count, struct rill_deck *deck,
                                     struct rill_error *error);

/* The same for a text, such as the deck stored in a result file; name replaces its path in messages, and files are
 * relative to the folder in it. */
enum rill_status rill_deck_read_text(const struct rill_deck_registry *registry, const char *name, const char *text,
                                     const char *const *overrides, size_t count, struct rill_deck *deck,
                                     struct rill_error *error);

/* Appends a key that belongs to a small system, with its default.  RILL_ERROR_INPUT when there is no room. */
enum rill_status rill_deck_add_entry(struct rill_deck *deck, const char *section, const char *key, const char *value,
                                     struct rill_error *error);

/* The origin of a key's value, for messages about it: "deck.ini:12", "--set section.key", or "deck.ini" for a
 * default. Returns place. */
enum { RILL_DECK_PLACE = 300 };
const char *rill_deck_place(const struct rill_deck *deck, const char *section, const char *key,
                            char place[RILL_DECK_PLACE]);

/* Whether the deck, or an override, gives the key, which then has no default. */
bool rill_deck_gives(const struct rill_deck *deck, const char *section, const char *key);

/* Whether overrides left keys of the file without effect; text is set to a list of them. */
bool rill_deck_dropped(const struct rill_deck *deck, char text[RILL_DECK_STRING]);

/* Writes the fully expanded deck as text: every key that has an effect, with its value and unit; reading it gives the
 * same deck.  The structure and absolute paths are reduced to the file name.  Returns a string that the caller
 * releases with free(), or NULL when memory is out. */
char *rill_deck_expand(const struct rill_deck *deck);

/* Whether the decks, which have the same method, give it the same options. */
bool rill_deck_same_options(const struct rill_deck *a, const struct rill_deck *b);

/* Converts "100 ps" or "500 steps" to a number of steps of the deck, at least one, as for output.interval.
 * RILL_ERROR_INPUT. */
enum rill_status rill_deck_count_steps(const struct rill_deck *deck, const char *text, uint64_t *steps,
                                       struct rill_error *error);

#endif
