/* rill compare on water. */
#ifndef RILL_CLI_COMPARE_WATER_H
#define RILL_CLI_COMPARE_WATER_H

#include "cli/command.h"
#include "deck/deck.h"

/* deck: as the arguments' DECK and --set give it, of water. */
enum rill_status rill_compare_water(const struct rill_arguments *arguments, const struct rill_deck *deck,
                                    struct rill_error *error);

/* The parts of a list of names or numbers between commas, at least one and at most `most`; they point into text, in
 * which the commas are overwritten.  RILL_ERROR_USAGE names the option. */
enum rill_status rill_compare_split(char *text, const char *option, const char **parts, size_t most, size_t *count,
                                    struct rill_error *error);

#endif
