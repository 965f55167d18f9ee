/* `rill run` and `rill check` on small systems: time series and a closing summary. */
#ifndef RILL_CLI_RUN_SMALL_H
#define RILL_CLI_RUN_SMALL_H

#include "cli/resume.h"
#include "deck/deck.h"

/* deck: as read; defaults of the system's keys are added. */
enum rill_status rill_run_small(struct rill_deck *deck, const struct rill_run_request *request,
                                struct rill_error *error);
enum rill_status rill_check_small(struct rill_deck *deck, struct rill_error *error);

#endif
