/* Where the time goes: a few named phases, each with its accumulated seconds.  Read from the monotonic clock. */
#ifndef RILL_BASE_TIMERS_H
#define RILL_BASE_TIMERS_H

enum rill_phase {
  RILL_PHASE_FORCES,
  RILL_PHASE_CONSTRAINTS,
  RILL_PHASE_THERMOSTAT,
  RILL_PHASE_OBSERVATION,
  RILL_PHASE_REST,
  RILL_PHASE_COUNT
};

/* Phases are timed only on sampled steps (a step of seven waters takes about a microsecond, less than reading the
 * clock around every part of it would leave undisturbed); `on` says whether this step is sampled. */
struct rill_timers {
  int on;
  double seconds[RILL_PHASE_COUNT]; /* on sampled steps; observation: always */
  unsigned long intervals[RILL_PHASE_COUNT]; /* that the seconds were added up from */
  double started;
};

/* What reading the clock adds to an interval of no length, now: seconds, the median of many. */
double rill_timers_overhead(void);

/* Monotonic seconds from an arbitrary origin. */
double rill_clock(void);

const char *rill_phase_name(enum rill_phase phase);

/* Both accept NULL and do nothing when the timers are off. */
void rill_timers_start(struct rill_timers *timers);
void rill_timers_stop(struct rill_timers *timers, enum rill_phase phase);

#endif
