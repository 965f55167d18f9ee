/* The barostat capability: a system whose cell moves to keep a pressure.  A move is the last part of a step, after
 * the whole splitting and the Ornstein-Uhlenbeck flow. */
#ifndef RILL_MECH_BAROSTAT_H
#define RILL_MECH_BAROSTAT_H

#include <stdint.h>

#include "base/status.h"

/* Counts are part of the system's state. */
struct rill_cell_moves {
  uint64_t made, accepted;
  uint64_t planned; /* how often the forces' parameters were chosen anew for another volume */
};

struct rill_barostat_ops {
  /* Steps between moves; at least 1. */
  uint64_t (*interval)(const void *self);

  /* Proposes a move at the end of step number `step` (from 0, which is also the noise's counter), and accepts or
   * rejects it.  time: since the last move, or since the start. */
  enum rill_status (*move)(void *self, uint64_t step, double time, struct rill_error *error);
};

#endif
