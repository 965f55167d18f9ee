/* The trial capability: what the Metropolis test of generalised hybrid Monte Carlo needs of a system. */
#ifndef RILL_MECH_TRIAL_H
#define RILL_MECH_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Counts are part of the system's state. */
struct rill_trials {
  uint64_t made, accepted;
  uint64_t failed, unreturned; /* rejected because a flow failed; because the reversed trial ended elsewhere */
  double change;               /* of the last trial: that of the total energy over k T; NaN when it failed */
};

struct rill_trial_ops {
  /* The total energy over k T, all external potentials included.  Errors as in an evaluation of the forces. */
  enum rill_status (*energy)(void *self, double *energy, struct rill_error *error);

  /* A uniform number in (0, 1), a function of the seed and the step. */
  double (*uniform)(const void *self, uint64_t step);

  /* Reverses all velocities. */
  void (*reverse)(void *self);

  /* Whether each flow that succeeds would come back to its start if reversed: it is then not tried. */
  bool (*returns)(const void *self);

  /* Whether positions are those of the last save, but for rounding and tolerances. */
  bool (*is_back)(const void *self);
};

#endif
