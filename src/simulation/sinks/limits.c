/* The guard of [stop]: saves its observations in checkpoints. */
#include "simulation/sinks/sinks.h"

static enum rill_status keep(struct rill_run *run, void *self, struct rill_archive *archive,
                             struct rill_error *error) {
  (void)self, (void)error;
  rill_guard_archive(&run->sim->guard, archive);
  return RILL_OK;
}

const struct rill_sink rill_limits_sink = {.group = "stop", .keep = keep};
