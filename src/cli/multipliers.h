/* The multipliers of one molecule's bonds as a CSV, with averages over a window of time that ends at the row
 * (Tao & Owhadi 2016, theorem 1.3). */
#ifndef RILL_CLI_MULTIPLIERS_H
#define RILL_CLI_MULTIPLIERS_H

#include "deck/deck.h"
#include "mech/driver.h"

struct rill_multipliers;

/* system is borrowed; it has the deck's molecule. */
enum rill_status rill_multipliers_create(const char *path, bool replace, const char *comment,
                                         const struct rill_deck *deck, const struct rill_system *system,
                                         struct rill_multipliers **multipliers, struct rill_error *error);
/* Looks at every step, writes a row at the deck's series interval. */
struct rill_observer rill_multipliers_observer(struct rill_multipliers *multipliers);
/* Resuming, as a series does (output/series.h). */
enum rill_status rill_multipliers_keep(struct rill_multipliers *multipliers, struct rill_archive *archive,
                                       struct rill_error *error);
enum rill_status rill_multipliers_check(const char *path, const char *comment, const struct rill_deck *deck,
                                        struct rill_archive *archive, struct rill_error *error);
/* As rill_series_keep, of the file alone. */
enum rill_status rill_multipliers_seal(struct rill_multipliers *multipliers, struct rill_archive *archive,
                                       struct rill_error *error);
enum rill_status rill_multipliers_resume(const char *path, const char *comment, const struct rill_deck *deck,
                                         const struct rill_system *system, struct rill_archive *archive,
                                         struct rill_multipliers **multipliers, struct rill_error *error);
enum rill_status rill_multipliers_close(struct rill_multipliers *multipliers,
                                        struct rill_error *error); /* accepts NULL */

#endif
