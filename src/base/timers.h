/* Timings: a few named phases, each with its accumulated seconds, from the monotonic clock. */
#ifndef RILL_BASE_TIMERS_H
#define RILL_BASE_TIMERS_H

#include <stddef.h>

/* The phases of a step, followed by the details of its forces. */
enum rill_phase {
  RILL_PHASE_FORCES,
  RILL_PHASE_CONSTRAINTS, /* constrained drifts and kicks */
  RILL_PHASE_THERMOSTAT,
  RILL_PHASE_KICK, /* kicks without a projection */
  RILL_PHASE_COPY, /* copies of the state, kept in case a step fails */
  RILL_PHASE_OBSERVATION,
  RILL_PHASE_REST,
  RILL_PHASE_PAIRS,  /* pair forces */
  RILL_PHASE_SHARES, /* gathering positions for the pairs, and summing the forces of threads or parts */
  RILL_PHASE_COUNT,
  RILL_PHASE_DETAIL = RILL_PHASE_PAIRS /* the first detail */
};

/* Only sampled steps are timed: a step of seven waters takes about a microsecond, and reading the clock around each
 * of its parts would disturb it.  `on` is set when the current step is sampled. */
struct rill_timers {
  int on;
  int detail;                                /* whether the details of the forces are timed, too */
  double seconds[RILL_PHASE_COUNT];          /* on sampled steps; for observation, on all steps */
  unsigned long intervals[RILL_PHASE_COUNT]; /* number of intervals summed */
  double started, lap;
};

/* Current overhead of timing an empty interval, in seconds: the median of many measurements. */
double rill_timers_overhead(void);

/* Monotonic seconds from an arbitrary origin. */
double rill_clock(void);

const char *rill_phase_name(enum rill_phase phase);

/* All accept NULL, and do nothing while the timers are off. */
static inline void rill_timers_start(struct rill_timers *timers) {
  if (timers != NULL && timers->on) timers->started = timers->lap = rill_clock();
}
static inline void rill_timers_stop(struct rill_timers *timers, enum rill_phase phase) {
  if (timers == NULL || !timers->on) return;
  timers->seconds[phase] += rill_clock() - timers->started;
  timers->intervals[phase]++;
}

/* Within an interval: attributes the time since the last lap, or since the start of the interval, to a detail. */
static inline void rill_timers_lap(struct rill_timers *timers, enum rill_phase detail) {
  double now;
  if (timers == NULL || !timers->on || !timers->detail) return;
  now = rill_clock();
  timers->seconds[detail] += now - timers->lap;
  timers->intervals[detail]++;
  timers->lap = now;
}

#endif
