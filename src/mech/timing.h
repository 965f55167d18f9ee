/* Where the time of a step goes. */
#ifndef RILL_MECH_TIMING_H
#define RILL_MECH_TIMING_H

#include "mech/integrator.h"

struct rill_step_times {
  double step;                   /* seconds of a whole step, the clock not read in it */
  double part[RILL_PHASE_COUNT]; /* of it, by phases that the system tells apart; the clock's own time taken off */
  double least_step, least_part[RILL_PHASE_COUNT]; /* the least, instead of medians: for a machine that others use */
  double intervals[RILL_PHASE_COUNT]; /* how often a step entered the phase */
};

/* Steps from where the system stands, numbered from 0: for about `seconds` without the clock, for as long with it read in
 * each, in turns; medians.  timers: those that the system was created with; with their `detail` set, that is measured too. */
enum rill_status rill_integrator_time(struct rill_integrator *integrator, struct rill_timers *timers, double seconds,
                                      struct rill_step_times *times, struct rill_error *error);

/* The median; values are sorted on the way. */
double rill_median(double *values, size_t count);

#endif
