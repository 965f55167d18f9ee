/* Times several simulations against each other, in turns. */
#ifndef RILL_STUDY_TUNE_TIMING_H
#define RILL_STUDY_TUNE_TIMING_H

#include <signal.h>

#include "simulation/simulation.h"
#include "study/tune_rule.h"

enum { RILL_TIMED_ROUNDS = 240, RILL_TIMED_PIECES = 192 };

/* What a step does beside forces: nothing, prunes its neighbour lists, builds them, or moves the cell. */
enum rill_timed_step {
  RILL_TIMED_PLAIN,
  RILL_TIMED_PRUNES,
  RILL_TIMED_BUILDS,
  RILL_TIMED_MOVES_CELL,
  RILL_TIMED_KINDS
};

/* One of the simulations.  Zeroed before use; must not be moved. */
struct rill_timed {
  struct rill_simulation sim; /* created, and set to the common start */
  uint64_t steps;             /* done */
  /* of the last comparison, by round: seconds of a step, and its kind, for each piece */
  float seconds[RILL_TIMED_ROUNDS][RILL_TIMED_PIECES];
  unsigned char kind[RILL_TIMED_ROUNDS][RILL_TIMED_PIECES];
  bool disturbed[RILL_TIMED_ROUNDS][RILL_TIMED_PIECES];
  size_t rounds, pieces, undisturbed;
  struct rill_gain gain; /* against the first simulation */
  enum rill_gain_verdict verdict;
};

/* Rounds in which each simulation makes the same number of steps, until all are judged, or the error of the gains is
 * below `fine` (0: it does not matter), or the clock (rill_clock) is past `deadline`.  Sets the gains: of time for
 * the same simulated time.  stop as in rill_tune_request. */
enum rill_status rill_time_together(struct rill_timed *const *all, size_t count, double fine, double deadline,
                                    const volatile sig_atomic_t *stop, struct rill_error *error);

/* Which part of the steps of the last comparison all threads shared evenly: little where other programs have the
 * processors; 1 before any comparison. */
double rill_timed_undisturbed(const struct rill_timed *timed);

/* Seconds of a step, over steps of all kinds, in the last comparison. */
double rill_timed_seconds(const struct rill_timed *timed);

#endif
