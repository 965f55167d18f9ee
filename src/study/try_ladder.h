/* A short run of an ensemble, of which nothing is written: how often neighbours of its ladder would be exchanged, and
 * temperatures that would make this even. */
#ifndef RILL_STUDY_TRY_LADDER_H
#define RILL_STUDY_TRY_LADDER_H

#include <stdint.h>

#include "deck/fields.h"
#include "ensemble/advice.h"
#include "simulation/simulation.h"

struct rill_ladder_trial {
  uint64_t steps;
  size_t rungs, samples; /* temperatures, and samples at each, from the second half of the run */
  struct rill_expected_acceptance acceptance[RILL_RUNGS]; /* [rungs - 1], from the energies */
  double even[RILL_RUNGS], even_acceptance;               /* [rungs]; what all pairs would have */
  /* The fewest temperatures with RILL_ACCEPTANCE_PROPOSED or more for all pairs; 0: more than RILL_RUNGS. */
  size_t enough_rungs;
  double enough[RILL_RUNGS];
};

/* Replicas pass best when two of five exchanges are accepted, or a few more. */
#define RILL_ACCEPTANCE_PROPOSED 0.4

/* Runs the ensemble of `sim`, which is created and whose limits are watched, for `time` ps.  RILL_ERROR_INPUT: one
 * temperature, or too short a time for four samples; errors of replicas. */
enum rill_status rill_try_ladder(struct rill_simulation *sim, double time, struct rill_ladder_trial *trial,
                                 struct rill_error *error);

#endif
