/* The input deck: INI text to a plain struct.
 *
 * One table (schema.c) names every section and key with kind, dimension, default, range and help; the checks, the
 * listing, the manual's reference and the expanded deck all come from it. */
#ifndef RILL_DECK_DECK_H
#define RILL_DECK_DECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "deck/fields.h"

/* What other rooms know about the names in a deck.  It is asked while a deck is read, so that all faults come
 * together. */
struct rill_deck_registry {
  /* The units of a small system; RILL_UNITS_MOLECULAR for water.  RILL_ERROR_INPUT: no such system. */
  enum rill_status (*system)(const char *kind, enum rill_deck_units *units, struct rill_error *error);
  /* Checks a key of a small system's own; RILL_ERROR_INPUT says what is expected.  *known: the key is there, and the
   * fault is its value's. */
  enum rill_status (*entry)(const char *kind, const char *section, const char *key, const char *value, bool *known,
                            struct rill_error *error);
  /* Of enum rill_method_reads, what the method reads; all of them for an unknown one, which is reported elsewhere. */
  unsigned (*method_reads)(const char *method);
};

/* Reads and validates a deck, then applies `overrides` (count strings "section.key=value", as --set gives them; they
 * pass through the same schema; a path is relative to the deck's folder, too).  Setting integrator.time replaces
 * steps and the reverse, likewise system.structure and molecules.  A line of the deck that an override leaves without
 * effect (thermostat.friction after thermostat.method=none) is passed over; any other key without effect is a fault.
 *
 * All faults are reported together, a line each, as "file:line: ..." or "--set section.key: ..." with what was found,
 * what is expected and the nearest valid key (RILL_ERROR_INPUT).  Names that other rooms know (system.kind,
 * system.model, integrator.method) are left to them. */
enum rill_status rill_deck_read(const char *path, const char *const *overrides, size_t count, struct rill_deck *deck,
                                struct rill_error *error);

/* The same, with small systems: system.kind is looked up; with a kind other than water, the other keys of [system]
 * and those of [penalty] are the system's own (deck->entries), times are in its units, and what belongs to water is
 * without effect. */
enum rill_status rill_deck_read_with(const struct rill_deck_registry *registry, const char *path,
                                     const char *const *overrides, size_t count, struct rill_deck *deck,
                                     struct rill_error *error);

/* The same from a text, such as the deck that a file of results holds; name stands for its path in messages, and files
 * are relative to the folder in it. */
enum rill_status rill_deck_read_text(const struct rill_deck_registry *registry, const char *name, const char *text,
                                     const char *const *overrides, size_t count, struct rill_deck *deck,
                                     struct rill_error *error);

/* Appends a key of a small system's own with its default.  RILL_ERROR_INPUT when there is no room. */
enum rill_status rill_deck_add_entry(struct rill_deck *deck, const char *section, const char *key, const char *value,
                                     struct rill_error *error);

/* Where a key got its value, for messages about it: "deck.ini:12", "--set section.key", or "deck.ini" for a default.
 * Returns place. */
enum { RILL_DECK_PLACE = 300 };
const char *rill_deck_place(const struct rill_deck *deck, const char *section, const char *key,
                            char place[RILL_DECK_PLACE]);

/* The fully expanded deck as text: every key that has an effect, with its value and unit; it reads back to the same
 * deck.  The structure and absolute paths are given by the file's name alone.  Returns a string that the caller frees
 * with free(), or NULL when out of memory. */
char *rill_deck_expand(const struct rill_deck *deck);

/* The reference of sections and keys, from the schema: as a manual page fragment (roff) or as plain text. */
void rill_deck_write_reference(FILE *stream, bool roff);

/* "100 ps" or "500 steps" as steps of the deck, at least one: as output.interval is read.  RILL_ERROR_INPUT. */
enum rill_status rill_deck_count_steps(const struct rill_deck *deck, const char *text, uint64_t *steps,
                                       struct rill_error *error);

#endif
