/* Times several simulations against each other, in turns. */
#ifndef RILL_STUDY_TUNE_RACE_H
#define RILL_STUDY_TUNE_RACE_H

#include <signal.h>

#include "simulation/simulation.h"
#include "study/tune_rule.h"

enum { RILL_RACE_ROUNDS = 240, RILL_RACE_PIECES = 192 };

/* What a step does beside forces: nothing, prunes its neighbour lists, builds them, or moves the cell. */
enum rill_race_step { RILL_RACE_PLAIN, RILL_RACE_PRUNES, RILL_RACE_BUILDS, RILL_RACE_MOVES_CELL, RILL_RACE_KINDS };

/* One of them.  Zeroed before use; must not be moved. */
struct rill_race_runner {
  struct rill_simulation sim; /* created, and set to the common start */
  uint64_t steps;             /* done */
  /* of one race, by round: seconds of a step, and its kind, for each piece */
  float seconds[RILL_RACE_ROUNDS][RILL_RACE_PIECES];
  unsigned char kind[RILL_RACE_ROUNDS][RILL_RACE_PIECES];
  bool disturbed[RILL_RACE_ROUNDS][RILL_RACE_PIECES];
  size_t rounds, pieces, undisturbed;
  struct rill_gain gain; /* against the first runner */
  enum rill_gain_verdict verdict;
};

/* Rounds in which each runner makes the same number of steps, until all are judged, or the error of the gains is
 * below `fine` (0: it does not matter), or the clock (rill_clock) is past `deadline`.  Sets the gains: of time for
 * the same simulated time.  stop as in rill_tune_request. */
enum rill_status rill_race(struct rill_race_runner *const *runners, size_t count, double fine, double deadline,
                           const volatile sig_atomic_t *stop, struct rill_error *error);

/* Which part of the steps of the last race all threads shared evenly: little where other programs have the
 * processors; 1 before a race. */
double rill_race_undisturbed(const struct rill_race_runner *runner);

/* Seconds of a step, over steps of all kinds, in the last race. */
double rill_race_seconds(const struct rill_race_runner *runner);

#endif
