/* rill compare on water. */
#ifndef RILL_CLI_COMPARE_WATER_H
#define RILL_CLI_COMPARE_WATER_H

#include "cli/command.h"
#include "deck/deck.h"

/* deck: as the arguments' DECK and --set give it, of water. */
enum rill_status rill_compare_water(const struct rill_arguments *arguments, const struct rill_deck *deck,
                                    struct rill_error *error);

#endif
