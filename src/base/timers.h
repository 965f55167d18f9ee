/* Where the time goes: a few named phases, each with its accumulated seconds.  Read from the monotonic clock. */
#ifndef RILL_BASE_TIMERS_H
#define RILL_BASE_TIMERS_H

#include <stddef.h>

/* What a step is made of; then, in detail, what its forces are made of. */
enum rill_phase {
  RILL_PHASE_FORCES,
  RILL_PHASE_CONSTRAINTS, /* drifts and kicks with them */
  RILL_PHASE_THERMOSTAT,
  RILL_PHASE_KICK, /* kicks without a projection */
  RILL_PHASE_COPY, /* of the state, for a step that fails */
  RILL_PHASE_OBSERVATION,
  RILL_PHASE_REST,
  RILL_PHASE_PAIRS,  /* forces of pairs */
  RILL_PHASE_SHARES, /* positions to where the pairs want them, and the sums of the threads' or parts' forces */
  RILL_PHASE_COUNT,
  RILL_PHASE_DETAIL = RILL_PHASE_PAIRS /* the first of them */
};

/* Phases are timed only on sampled steps (a step of seven waters takes about a microsecond, less than reading the
 * clock around every part of it would leave undisturbed); `on` says whether this step is sampled. */
struct rill_timers {
  int on;
  int detail;                                /* what the forces are made of, too */
  double seconds[RILL_PHASE_COUNT];          /* on sampled steps; observation: always */
  unsigned long intervals[RILL_PHASE_COUNT]; /* that the seconds were added up from */
  double started, lap;
};

/* What reading the clock adds to an interval of no length, now: seconds, the median of many. */
double rill_timers_overhead(void);

/* Monotonic seconds from an arbitrary origin. */
double rill_clock(void);

const char *rill_phase_name(enum rill_phase phase);

/* All accept NULL, and do nothing when the timers are off. */
static inline void rill_timers_start(struct rill_timers *timers) {
  if (timers != NULL && timers->on) timers->started = timers->lap = rill_clock();
}
static inline void rill_timers_stop(struct rill_timers *timers, enum rill_phase phase) {
  if (timers == NULL || !timers->on) return;
  timers->seconds[phase] += rill_clock() - timers->started;
  timers->intervals[phase]++;
}

/* Within an interval: what passed since the last lap, or the interval's start, was a detail of it. */
static inline void rill_timers_lap(struct rill_timers *timers, enum rill_phase detail) {
  double now;
  if (timers == NULL || !timers->on || !timers->detail) return;
  now = rill_clock();
  timers->seconds[detail] += now - timers->lap;
  timers->intervals[detail]++;
  timers->lap = now;
}

#endif
