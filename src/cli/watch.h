/* Progress of building and minimisation on standard error: one rewritten line on a terminal, otherwise an occasional
 * line. */
#ifndef RILL_CLI_WATCH_H
#define RILL_CLI_WATCH_H

#include <stdbool.h>

#include "water/relax/build.h"

struct rill_watch {
  bool quiet, terminal, shown;
  double last; /* when a line was written */
};

void rill_watch_start(struct rill_watch *watch, bool quiet);
/* Observers for rill_build_options and rill_minimize_options; context: a watch. */
bool rill_watch_build(void *context, const struct rill_build_progress *progress);
bool rill_watch_minimize(void *context, const struct rill_minimize_progress *progress);
/* Erases a rewritten line. */
void rill_watch_end(struct rill_watch *watch);

#endif
