/* The time of a step of a small system.
 *
 * A busy machine takes the processor away for milliseconds.  A repeat is therefore the median of many pieces that are
 * much shorter, of which an interruption spoils one; timed as a whole, repeats took up to nine times as long. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timers.h"
#include "mech/timing.h"
#include "study/compare_small.h"

enum { LEAST_PIECES = 5, MOST_PIECES = 64, PIECES_OF_A_RUN = 4 };
static const double repeat_seconds = 2e-3, piece_seconds = 5e-5;

static enum rill_status time_piece(struct rill_small_candidate *candidate, uint64_t first, uint64_t steps,
                                   double *seconds, struct rill_error *error) {
  double begun = rill_clock();
  for (uint64_t k = first; k < first + steps; k++)
    RILL_TRY(rill_integrator_step(candidate->sim.integrator, k, false, error));
  *seconds = (rill_clock() - begun) / (double)steps;
  return RILL_OK;
}

/* Within the run, which is begun again as often as needed.  The first piece of it is not counted: memory and caches
 * are cold. */
static enum rill_status time_candidate(struct rill_small_candidate *candidate, size_t repeat,
                                       struct rill_error *error) {
  const uint64_t last = candidate->sim.deck.integrator.steps;
  uint64_t steps = 1 + (uint64_t)(piece_seconds / candidate->step_seconds);
  double piece[MOST_PIECES], all = 0, cold;
  size_t pieces = 0;
  if (steps > last / PIECES_OF_A_RUN) steps = last / PIECES_OF_A_RUN > 0 ? last / PIECES_OF_A_RUN : 1;
  while (pieces < LEAST_PIECES || (pieces < MOST_PIECES && all < repeat_seconds)) {
    uint64_t done = 0;
    RILL_TRY(rill_small_start(candidate, error));
    if (last > steps) RILL_TRY(time_piece(candidate, done, steps, &cold, error));
    for (done = last > steps ? steps : 0; pieces < MOST_PIECES && done + steps <= last; done += steps) {
      RILL_TRY(time_piece(candidate, done, steps, &piece[pieces], error));
      all += piece[pieces++] * (double)steps;
      if (pieces >= LEAST_PIECES && all >= repeat_seconds) break;
    }
  }
  candidate->seconds[repeat] = rill_median(piece, pieces); /* which sorts */
  candidate->step_seconds = fmin(candidate->step_seconds, piece[0]);
  return RILL_OK;
}

/* The candidates take turns, so that a busy time of the machine affects all alike. */
enum rill_status rill_small_time_all(struct rill_small_comparison *comparison, struct rill_error *error) {
  for (size_t repeat = 0; repeat < comparison->repeats; repeat++)
    for (size_t i = 0; i < comparison->candidate_count; i++) {
      if (rill_compare_is_stopped(comparison->request))
        return rill_error_set(error, RILL_INTERRUPTED, "stopped by a signal");
      if (comparison->candidates[i].failure[0] == '\0')
        RILL_TRY(time_candidate(&comparison->candidates[i], repeat, error));
    }
  for (size_t i = 0; i < comparison->candidate_count; i++) {
    struct rill_small_candidate *candidate = &comparison->candidates[i];
    if (candidate->failure[0] == '\0') candidate->step_seconds = rill_median(candidate->seconds, comparison->repeats);
  }
  return RILL_OK;
}
