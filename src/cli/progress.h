/* Progress of a run on standard error: one rewritten line on a terminal, otherwise an occasional line. */
#ifndef RILL_CLI_PROGRESS_H
#define RILL_CLI_PROGRESS_H

#include <stdbool.h>

#include "simulation/simulation.h"
#include "mech/driver.h"

struct rill_progress {
  const struct rill_simulation *sim;
  uint64_t first;
  bool quiet, terminal, shown;
  double started, last, cost; /* seconds; of the last line */
};

/* first: steps already done. */
void rill_progress_start(struct rill_progress *progress, const struct rill_simulation *sim, uint64_t first,
                         bool quiet);
struct rill_observer rill_progress_observer(struct rill_progress *progress);
/* Ends a rewritten line. */
void rill_progress_end(struct rill_progress *progress);

#endif
