/* What `rill validate` does for each kind of run. */
#ifndef RILL_CLI_VALIDATE_H
#define RILL_CLI_VALIDATE_H

#include "analysis/verdicts.h"
#include "cli/command.h"
#include "deck/deck.h"

/* Findings of one run, in the order in which they are shown. */
struct rill_verdicts {
  struct rill_finding list[32];
  size_t count;
};

/* A finding of a comparison of numbers that are not statistical. */
void rill_verdicts_add(struct rill_verdicts *verdicts, const struct rill_finding *finding);

/* A water deck is run in memory, and tried: order of the energy error, reversal, threads. */
enum rill_status rill_validate_water(const struct rill_arguments *arguments, struct rill_verdicts *verdicts,
                                     struct rill_error *error);
/* What an H5MD file of rill's holds of its run. */
enum rill_status rill_validate_trajectory(const char *path, struct rill_verdicts *verdicts, struct rill_error *error);
/* A deck of a small system is run in memory; path of a file: what it holds. */
enum rill_status rill_validate_small(struct rill_deck *deck, struct rill_verdicts *verdicts,
                                     struct rill_error *error);
enum rill_status rill_validate_series_file(const char *path, struct rill_verdicts *verdicts,
                                           struct rill_error *error);

#endif
