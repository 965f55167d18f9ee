/* The guard ends a run whose state has left the range of a sensible simulation, before the state is recorded.
 *
 * The driver has the guard examine the state after steps whose number is a multiple of the guard's interval, after
 * every step whose state an observer records, and after the last step.  These steps are fixed by the deck, so that
 * neither threads nor interruptions change the findings.  When a state exceeds a limit, the system is restored to the
 * last state that did not. */
#ifndef RILL_MECH_GUARD_H
#define RILL_MECH_GUARD_H

#include "mech/system.h"

enum { RILL_GUARD_INTERVAL = 1000 }; /* steps: one observation in this many costs next to nothing */

/* Largest values that are accepted, in the system's units; INFINITY: no limit. */
struct rill_limits {
  double temperature;   /* K */
  double energy_change; /* |E - E0|; with a bath the gain beyond what the bath can have supplied */
  double bond;          /* |d - d0| / d0 */
};

/* References of the limits: from the first state of the run, however often it was resumed. */
struct rill_guard_start {
  double energy;
  double temperature;  /* K; NaN where there is none */
  double energy_scale; /* K0 + |V0| + |grad V0| |q0|: the size of the energies that the motion can exchange */
};

/* A heat bath of friction g supplies g (f k T - 2 K) of energy per unit of time to f degrees of freedom, on average;
 * K = 0 gives the maximum.  The total energy of an exact motion therefore stays below
 *   floor(n + 1) = min(floor(n) + supply, E),  floor(0) = E0
 * except for fluctuations: noise adds sqrt(2 x) k T in the time in which the supply is x k T, so that c standard
 * deviations never exceed it by more than max(c sqrt(2 x) - x) = c^2 / 2 in units of k T. */
struct rill_guard_bath {
  bool on;
  double supply; /* energy per step */
};
struct rill_guard_floor {
  double energy;
  uint64_t step; /* a multiple of the interval, so that output intervals and the end of the run do not affect it */
};

struct rill_guard {
  uint64_t interval; /* steps; at least 1 */
  struct rill_limits limits;
  struct rill_guard_bath bath; /* set by the caller, like the limits */
  struct rill_guard_floor floor;
  struct rill_guard_start start;
  struct rill_observation observation; /* of step `observed` */
  uint64_t observed;                   /* UINT64_MAX: none */
  uint64_t now;                        /* steps done: set by the driver */
  uint64_t good_step;                  /* of the last state within the limits */
  bool kept;                           /* that state is in `good`; otherwise it is the system's own saved state */
  struct rill_archive good;            /* owned */
};

/* Observes the first state.  RILL_ERROR_NOT_FINITE or the system's error when that fails.  The caller sets the
 * limits. */
enum rill_status rill_guard_begin(struct rill_guard *guard, const struct rill_system *system,
                                  struct rill_error *error);

/* RILL_ERROR_FAILED with a message that names the limit that the values observed after that step exceed;
 * RILL_ERROR_NOT_FINITE. */
enum rill_status rill_guard_judge(const struct rill_guard *guard, const struct rill_observation *observation,
                                  uint64_t step, struct rill_error *error);

/* The two halves of an examination, for several systems that stop or continue together: observes and judges the
 * state, and leaves it as it is; and, once all are within their limits, saves it.  system: NULL when another process
 * has the state. */
enum rill_status rill_guard_look(struct rill_guard *guard, const struct rill_system *system, uint64_t step,
                                 struct rill_error *error);
enum rill_status rill_guard_accept(struct rill_guard *guard, const struct rill_system *system, uint64_t step,
                                   struct rill_error *error);

/* Examines the state after step `step`, and saves it when it is within the limits (next_too: the next step is
 * examined as well, and the system's own saved state suffices).  When it is not, or cannot be observed, the system is
 * restored to the state of good_step, and the message says so. */
enum rill_status rill_guard_examine(struct rill_guard *guard, const struct rill_system *system, uint64_t step,
                                    bool next_too, struct rill_error *error);

/* Saves the present state as that of good_step without examining it. */
enum rill_status rill_guard_keep(struct rill_guard *guard, const struct rill_system *system, uint64_t step,
                                 struct rill_error *error);

/* Restores the state of good_step. */
enum rill_status rill_guard_restore(struct rill_guard *guard, const struct rill_system *system,
                                    struct rill_error *error);

/* The guard's observation of that step; NULL when it made none. */
const struct rill_observation *rill_guard_observation(const struct rill_guard *guard, uint64_t step);

/* Everything that a resumed run needs: the start, the floor, and the state of good_step when that is not the present
 * one. */
void rill_guard_archive(struct rill_guard *guard, struct rill_archive *archive);

/* After the last step: releases the state that was kept. */
void rill_guard_forget(struct rill_guard *guard);
void rill_guard_release(struct rill_guard *guard);

#endif
