/* Values of each kind: from text into a field of the deck, and back. */
#ifndef RILL_DECK_KIND_H
#define RILL_DECK_KIND_H

#include <stdio.h>

#include "deck/schema.h"

/* What values depend on besides their text. */
struct rill_reading {
  const char *folder; /* of the deck, with its final slash; "" for the current one */
  enum rill_deck_units units;
  double step;        /* in these units; 0 while it is not known: then times are only checked, and kept as 0 steps */
  bool lenient;       /* a default: an interval that is no whole multiple of the step takes the nearest one */
};

/* The value needs the step: it is read after the others. */
bool rill_kind_needs_step(enum rill_kind kind);

/* Checks text and puts its value into the key's field of deck; on failure the message says what is expected, and the
 * field keeps its value. */
enum rill_status rill_kind_read(const struct rill_key *key, const char *text, const struct rill_reading *reading,
                                struct rill_deck *deck, struct rill_error *error);

/* The field holds a value (a path may be "", and a number outside the range stands for none). */
bool rill_kind_is_set(const struct rill_key *key, const struct rill_deck *deck);

/* Writes the field so that it reads back the same. */
void rill_kind_write(const struct rill_key *key, const struct rill_deck *deck, FILE *stream);

/* What is expected of a value, for the reference: "time", "whole number", "no, yes", with its range. */
void rill_kind_describe(const struct rill_key *key, FILE *stream);

#endif
