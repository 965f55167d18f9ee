#include "mech/timing.h"

#include <math.h>
#include <stdlib.h>

enum { PIECES = 32 };

static enum rill_status stretch(struct rill_integrator *integrator, uint64_t steps, double *seconds,
                                struct rill_error *error) {
  double begun = rill_clock();
  for (uint64_t k = 0; k < steps; k++) RILL_TRY(rill_integrator_step(integrator, k, false, error));
  *seconds = (rill_clock() - begun) / (double)steps;
  return RILL_OK;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double rill_median(double *values, size_t count) {
  qsort(values, count, sizeof *values, by_size);
  return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

/* Uses medians of many short pieces: a busy machine takes the processor away for milliseconds, which then spoil only
 * a few of them. */
enum rill_status rill_integrator_time(struct rill_integrator *integrator, struct rill_timers *timers, double seconds,
                                      struct rill_step_times *times, struct rill_error *error) {
  double guess, clocked, overhead = rill_timers_overhead(), step[PIECES], part[RILL_PHASE_COUNT][PIECES];
  uint64_t steps;
  RILL_TRY(stretch(integrator, 1, &guess, error));
  RILL_TRY(stretch(integrator, 1 + (uint64_t)(0.1 * seconds / guess), &guess, error));
  steps = 1 + (uint64_t)(seconds / PIECES / guess);
  for (int piece = 0; piece < PIECES; piece++) {
    enum rill_status status;
    RILL_TRY(stretch(integrator, steps, &step[piece], error));
    *timers = (struct rill_timers){.on = 1, .detail = timers->detail};
    status = stretch(integrator, steps, &clocked, error);
    timers->on = 0;
    if (status != RILL_OK) return status;
    for (int p = 0; p < RILL_PHASE_COUNT; p++) {
      double readings = times->intervals[p] = (double)timers->intervals[p] / (double)steps;
      if (p == RILL_PHASE_FORCES)
        for (int d = RILL_PHASE_DETAIL; d < RILL_PHASE_COUNT; d++)
          readings += (double)timers->intervals[d] / (double)steps;
      part[p][piece] = fmax(0, timers->seconds[p] / (double)steps - readings * overhead);
    }
  }
  times->step = rill_median(step, PIECES);
  times->least_step = step[0];
  for (int p = 0; p < RILL_PHASE_COUNT; p++) {
    times->part[p] = rill_median(part[p], PIECES); /* which sorts */
    times->least_part[p] = part[p][0];
  }
  return RILL_OK;
}
