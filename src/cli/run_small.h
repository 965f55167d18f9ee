/* `rill run` and `rill check` on small systems: time series and a closing summary. */
#ifndef RILL_CLI_RUN_SMALL_H
#define RILL_CLI_RUN_SMALL_H

#include <stdbool.h>

#include "deck/deck.h"

/* deck: as read; defaults of the system's keys are added.  folder: of the outputs, or NULL. */
enum rill_status rill_run_small(struct rill_deck *deck, const char *folder, bool replace, bool quiet,
                                struct rill_error *error);
enum rill_status rill_check_small(struct rill_deck *deck, struct rill_error *error);

#endif
