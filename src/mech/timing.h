/* Where the time of a step goes. */
#ifndef RILL_MECH_TIMING_H
#define RILL_MECH_TIMING_H

#include "mech/integrator.h"

struct rill_step_times {
  double step;                                     /* seconds per step, without reading the clock inside */
  double part[RILL_PHASE_COUNT];                   /* of these, by phase; the overhead of the clock is subtracted */
  double least_step, least_part[RILL_PHASE_COUNT]; /* minima instead of medians: for a machine that others use */
  double intervals[RILL_PHASE_COUNT];              /* how often a step enters the phase */
};

/* Takes steps from the system's present state, numbered from 0: alternately without the clock and with it read in
 * each step, for about `seconds` each; returns medians.  timers: those that the system was created with; if their
 * `detail` is set, details are measured too. */
enum rill_status rill_integrator_time(struct rill_integrator *integrator, struct rill_timers *timers, double seconds,
                                      struct rill_step_times *times, struct rill_error *error);

/* The median; values are sorted in place. */
double rill_median(double *values, size_t count);

#endif
