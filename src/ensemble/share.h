/* What ranks send each other about the replicas that they advance. */
#ifndef RILL_ENSEMBLE_SHARE_H
#define RILL_ENSEMBLE_SHARE_H

#include "base/ranks.h"
#include "mech/guard.h"
#include "mech/system.h"

/* How the last segment of a replica ended. */
struct rill_failure {
  uint64_t step;            /* UINT64_MAX: it did not fail */
  struct rill_error *error; /* freed with free(); NULL: none, or no memory for it */
};

/* A replica, as far as other ranks must know of it.  All borrowed. */
struct rill_shared {
  struct rill_system *system;
  struct rill_guard *guard;
  struct rill_failure *failure;
};

/* Brings the findings of the guards and the failures of all replicas to all ranks.  replica: [replicas]; the groups
 * are divided among ranks, `width` replicas in each but the last.  own: an error of this rank, of which all others
 * hear; the first of all ranks is returned. */
enum rill_status rill_share_findings(struct rill_ranks *ranks, const struct rill_shared *replica, size_t replicas,
                                     size_t width, const struct rill_error *own, struct rill_error *error);

/* Brings the states of all replicas to rank 0. */
enum rill_status rill_share_states(struct rill_ranks *ranks, const struct rill_shared *replica, size_t replicas,
                                   size_t width, struct rill_error *error);

/* The replicas [*first, *end) of a rank. */
void rill_share_of(const struct rill_ranks *ranks, int rank, size_t replicas, size_t width, size_t *first,
                   size_t *end);

#endif
