/* Replica exchange: temperatures change hands between the replicas of a ladder.
 *
 * Neighbours at temperatures T_i < T_j are exchanged with the probability
 *   min(1, exp((1 / k T_i - 1 / k T_j) (U_i - U_j))),
 * U the potential energies with all external potentials.  Velocities are rescaled by sqrt(T_new / T_old), so that
 * kinetic energies do not enter (Sugita & Okamoto, Chem. Phys. Lett. 314, 141 (1999)).  Even pairs are tried at even
 * attempts, odd ones at odd attempts (Syed et al., J. R. Stat. Soc. B 84, 321 (2022)).  A random number is a function
 * of (seed; attempt, ladder, pair): there is no state but the permutation and the counts. */
#ifndef RILL_ENSEMBLE_EXCHANGE_H
#define RILL_ENSEMBLE_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/statistics.h"
#include "base/archive.h"
#include "base/random.h"

/* Replica r belongs to ladder r / rungs for ever, and begins at rung r % rungs. */
struct rill_exchange {
  size_t ladders, rungs;
  double *beta; /* [rungs] 1 / k T, decreasing */
  struct rill_noise noise;
  uint64_t attempts;
  uint64_t last;                    /* the step of the last attempt; 0: none */
  size_t *rung;                     /* [ladders * rungs]: of each replica */
  uint64_t *tried, *accepted;       /* [ladders][rungs]: of the pair (rung, rung + 1); the last one is unused */
  struct rill_average *probability; /* [rungs]: of a pair's exchange, the mean of the ladders at each attempt */
  /* Walks: where each replica last was, the bottom or the top of its ladder, and how often it came back to the bottom
   * by way of the top; how often replicas were at a rung after attempts, coming from the bottom and from the top. */
  uint64_t *end, *trips;       /* [ladders * rungs] */
  uint64_t *upward, *downward; /* [rungs] */
  uint64_t *visits;            /* [ladders * rungs][rungs] */
};

/* beta: [rungs], copied.  RILL_ERROR_MEMORY. */
enum rill_status rill_exchange_create(size_t ladders, size_t rungs, const double *beta, uint64_t seed,
                                      struct rill_exchange *exchange, struct rill_error *error);

/* Attempt number `attempt`: changes rung[], and counts.  potential: [ladders * rungs], of the replicas. */
void rill_exchange_attempt(struct rill_exchange *exchange, uint64_t attempt, const double *potential);

/* The replica at a rung of a ladder. */
size_t rill_exchange_holder(const struct rill_exchange *exchange, size_t ladder, size_t rung);

/* Sums over all replicas. */
uint64_t rill_exchange_round_trips(const struct rill_exchange *exchange);

/* Reading: RILL_ERROR_INPUT when the rungs of a ladder are no permutation. */
void rill_exchange_archive(struct rill_exchange *exchange, struct rill_archive *archive);

void rill_exchange_release(struct rill_exchange *exchange);

#endif
