/* The limits of [stop]: from the deck and the start of the run to what the guard of the driver judges by. */
#ifndef RILL_CLI_STOP_H
#define RILL_CLI_STOP_H

#include "cli/setup.h"
#include "cli/small.h"
#include "mech/guard.h"

/* Observes the start, or reads the guard from the checkpoint that the run continues from (NULL: a new run), and sets
 * the limits.  RILL_ERROR_INPUT when the start is beyond them already.  The guard is released by
 * rill_guard_release. */
enum rill_status rill_stop_begin_water(const struct rill_setup *setup, struct rill_guard *guard,
                                       struct rill_error *error);
enum rill_status rill_stop_begin_small(const struct rill_small *small, const struct rill_deck *deck,
                                       struct rill_archive *continued, struct rill_guard *guard,
                                       struct rill_error *error);

/* |d - d0| / d0 of a bond of penalised water, of that length, that is `before` times its length and then ten thermal
 * widths longer: g = |r|^2 - d0^2 has the width sqrt(k T) / w. */
double rill_stop_stretch(double stiffness, double length, double temperature, double before);

/* kJ/mol in a ps: the most that the deck's bath supplies to so many degrees of freedom on average; 0 without a
 * bath. */
double rill_stop_supply(const struct rill_deck *deck, const struct rill_water_model *model, double freedom);

/* One line that says when the run would stop. */
void rill_stop_describe(const struct rill_guard *guard, const struct rill_deck *deck, FILE *stream);

#endif
