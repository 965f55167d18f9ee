/* The temperatures of an ensemble as text: a geometric series, `60 K -> 250 K, 12`, or a list, `60 K, 80 K, 110 K`.
 */
#ifndef RILL_DECK_LADDER_H
#define RILL_DECK_LADDER_H

#include <stdio.h>

#include "base/status.h"
#include "deck/fields.h"
#include "deck/units.h"

/* dimension: of the temperatures; NONE: pure numbers.  RILL_ERROR_INPUT says what is expected; *ladder is then
 * unchanged. */
enum rill_status rill_ladder_read(const char *text, enum rill_dimension dimension, struct rill_ladder *ladder,
                                  struct rill_error *error);

/* Writes the ladder so that reading it gives the same temperatures; unit: "" for pure numbers. */
void rill_ladder_write(const struct rill_ladder *ladder, const char *unit, FILE *stream);

#endif
