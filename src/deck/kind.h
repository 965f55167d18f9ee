/* Values of each kind: reading text into a field of the deck, and writing it. */
#ifndef RILL_DECK_KIND_H
#define RILL_DECK_KIND_H

#include <stdio.h>

#include "deck/schema.h"

/* The context in which values are read. */
struct rill_reading {
  const char *folder; /* folder of the deck, with its final slash; "" for the current one */
  enum rill_deck_units units;
  double step;  /* in these units; 0 while unknown: then times are only checked, and stored as 0 steps */
  bool lenient; /* a default: an interval that is not a multiple of the step is rounded to the nearest one */
};

/* Whether the value depends on the step, so that it is read after the others. */
bool rill_kind_needs_step(enum rill_kind kind);

/* Checks text and stores its value in the key's field of deck; on failure the message says what is expected, and the
 * field is unchanged. */
enum rill_status rill_kind_read(const struct rill_key *key, const char *text, const struct rill_reading *reading,
                                struct rill_deck *deck, struct rill_error *error);

/* Whether the field has a value (a path may be "", and a number outside the range means no value). */
bool rill_kind_is_set(const struct rill_key *key, const struct rill_deck *deck);

/* Writes the value so that reading it gives the same value. */
void rill_kind_write(const struct rill_key *key, const struct rill_deck *deck, FILE *stream);

/* Describes the expected values for the reference: "time", "whole number", "no, yes", with their range. */
void rill_kind_describe(const struct rill_key *key, FILE *stream);

#endif
