/* Replicas of one system that are advanced together, and exchange their temperatures.
 *
 * A replica is an ordinary system, bound to an ordinary integrator.  Between exchanges and observations replicas are
 * independent: each is advanced through a whole segment of steps before the next one is, groups of them in the lanes
 * of vectors where the system offers that, and threads share the groups.  None of this shows in the results.
 *
 * At the end of each segment every replica is examined by its guard.  When a replica fails, all go back to the
 * beginning of the segment, so that they stand at the same step.
 *
 * Over ranks, each rank has all replicas, and advances a contiguous part of the groups.  After each segment all ranks
 * receive the observations of all replicas, so that each of them decides all exchanges, and decides alike; the states
 * go to rank 0 when it asks for them.  Rank 0 calls rill_ensemble_advance, rill_ensemble_collect and at the end
 * rill_ensemble_dismiss, while the others are in rill_ensemble_serve and do their part. */
#ifndef RILL_ENSEMBLE_ENSEMBLE_H
#define RILL_ENSEMBLE_ENSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/ranks.h"
#include "base/team.h"
#include "ensemble/exchange.h"
#include "ensemble/share.h"
#include "mech/guard.h"
#include "mech/integrator.h"

enum { RILL_WIDEST_GROUP = 16 };

struct rill_replica {
  struct rill_system system;          /* owned, as are the integrator and the guard */
  struct rill_integrator *integrator; /* bound to `system`, whose place must not change */
  struct rill_guard guard;
  uint64_t seed;
  uint64_t left_out; /* the step of its last state when it has failed and was left out; UINT64_MAX: it has not */
};

struct rill_ensemble {
  size_t replicas;
  struct rill_replica *replica; /* [replicas] */
  double *temperature;          /* [rungs]; K for water */
  bool exchanging, leaves_out;
  uint64_t interval; /* steps between exchanges */
  struct rill_exchange exchange;
  /* Groups of replicas that are advanced together; without lanes each is a group. */
  size_t width, groups;
  struct rill_system *group; /* [threads] systems of `width` lanes, each used by one thread at a time; NULL without */
  struct rill_integrator **group_integrator;
  _Atomic bool *taken; /* [threads] */
  struct rill_team *team;
  int threads;
  struct rill_ranks *ranks;   /* borrowed; NULL: this process alone */
  bool current;               /* all states are here; otherwise only those of this rank's replicas */
  struct rill_failure *ended; /* [replicas]: the last segment of each */
  struct rill_shared *shared; /* [replicas] */
  double *potential;          /* [replicas], for exchanges */
  struct rill_error failure;  /* of the last replica that was left out */
};

struct rill_ensemble_options {
  size_t replicas, rungs;    /* rungs divides replicas */
  const double *temperature; /* [rungs], increasing */
  bool exchanging, leaves_out;
  uint64_t interval; /* steps between exchanges */
  uint64_t seed;     /* of the exchanges */
  int threads;       /* at least 1 */
};

/* Allocates an ensemble whose replicas are zeroed: the caller makes them, each at the temperature of its rung.
 * Released by rill_ensemble_destroy, also after errors. */
enum rill_status rill_ensemble_create(const struct rill_ensemble_options *options, struct rill_ensemble **ensemble,
                                      struct rill_error *error);

/* Joins replicas into lanes, with integrators bound as those of the replicas.  Without an effect where the system
 * does not offer it. */
enum rill_status rill_ensemble_use_lanes(struct rill_ensemble *ensemble, const struct rill_method *method,
                                         const struct rill_binding_options *binding, struct rill_error *error);

size_t rill_ensemble_ladder(const struct rill_ensemble *ensemble, size_t replica);
size_t rill_ensemble_rung(const struct rill_ensemble *ensemble, size_t replica);

/* The observation of a replica after step `step`, the last one of a segment or the first of the run.  NULL with an
 * error: it could not be observed.  Over ranks: called on rank 0. */
const struct rill_observation *rill_ensemble_observe(struct rill_ensemble *ensemble, size_t replica, uint64_t step,
                                                     struct rill_error *error);

/* Rungs and potential energies of all replicas after step `step`, [replicas] each; -1 and NaN: left out. */
enum rill_status rill_ensemble_sample(struct rill_ensemble *ensemble, uint64_t step, double *rung, double *potential,
                                      struct rill_error *error);

/* Advances from step first to step last, with an exchange before each step that follows a multiple of the interval.
 * *done: the step at which all replicas stand, also after an error, which names the replica. */
enum rill_status rill_ensemble_advance(void *ensemble, uint64_t first, uint64_t last, uint64_t *done,
                                       struct rill_error *error);

/* Has the groups advanced by all ranks, which have the same ensemble at the same step.  ranks: borrowed. */
void rill_ensemble_use_ranks(struct rill_ensemble *ensemble, struct rill_ranks *ranks);

/* On rank 0, before the states of replicas are read.  Without ranks nothing needs to be done. */
enum rill_status rill_ensemble_collect(struct rill_ensemble *ensemble, struct rill_error *error);

/* On the other ranks: does what rank 0 calls for, until rill_ensemble_dismiss, whose number is *end.  Errors of
 * replicas are reported by rank 0; an error is returned when the ranks cannot go on together. */
enum rill_status rill_ensemble_serve(struct rill_ensemble *ensemble, uint64_t *end, struct rill_error *error);
enum rill_status rill_ensemble_dismiss(struct rill_ensemble *ensemble, uint64_t end, struct rill_error *error);

/* Sets the temperatures of the rungs at which the replicas are, after they were read from an archive. */
void rill_ensemble_set_temperatures(struct rill_ensemble *ensemble);

/* Exchange and replicas left out; replicas are archived by the caller. */
void rill_ensemble_archive(struct rill_ensemble *ensemble, struct rill_archive *archive);

void rill_ensemble_destroy(struct rill_ensemble *ensemble);

/* The ensemble as a system: degrees of freedom are those of a replica, observations of energies and temperature the
 * means of all. */
extern const struct rill_system_ops rill_ensemble_ops;

#endif
