/* The time of a step of water, and of its parts. */
#include <math.h>

#include "mech/timing.h"
#include "study/compare_water.h"

static const double timed_seconds = 0.02; /* duration of one timed sequence of steps */

/* Derives results from the times of a stretch; a nonlinear solve is everything except forces and thermostat. */
static enum rill_status time_candidate(struct rill_water_candidate *candidate, struct rill_error *error) {
  const size_t r = candidate->timed;
  struct rill_step_times times;
  double known;
  RILL_TRY(rill_integrator_time(candidate->sim.integrator, &candidate->sim.timers, timed_seconds, &times, error));
  known = times.part[RILL_PHASE_FORCES] + times.part[RILL_PHASE_THERMOSTAT];
  candidate->step_seconds[r] = times.step;
  candidate->forces[r] = times.part[RILL_PHASE_FORCES];
  candidate->thermostat[r] = times.part[RILL_PHASE_THERMOSTAT];
  candidate->solve[r] = candidate->solves ? fmax(0, times.step - known) : times.part[RILL_PHASE_CONSTRAINTS];
  candidate->rest[r] = candidate->solves ? NAN : fmax(0, times.step - known - times.part[RILL_PHASE_CONSTRAINTS]);
  candidate->row.numbers.force_evaluations = times.intervals[RILL_PHASE_FORCES];
  candidate->timed++;
  return RILL_OK;
}

static double nanoseconds_a_day(double step, double seconds) {
  return seconds > 0 && step > 0 ? step * 1e-3 * 86400 / seconds : NAN;
}

static void conclude_times(struct rill_water_candidate *candidate) {
  struct rill_compare_numbers *n = &candidate->row.numbers;
  const size_t count = candidate->timed;
  double step;
  if (count == 0) return;
  step = rill_median(candidate->step_seconds, count);
  n->step_us = step * 1e6;
  n->step_least_us = candidate->step_seconds[0] * 1e6;
  n->step_most_us = candidate->step_seconds[count - 1] * 1e6;
  n->forces_us = rill_median(candidate->forces, count) * 1e6;
  n->solve_us = rill_median(candidate->solve, count) * 1e6;
  if (candidate->sim.deck.thermostat.method != RILL_NO_BATH)
    n->thermostat_us = rill_median(candidate->thermostat, count) * 1e6;
  n->rest_us = rill_median(candidate->rest, count) * 1e6;
  n->speed_ns_day = nanoseconds_a_day(candidate->row.step, step);
}

/* The candidates take turns, so that a busy moment of the machine affects all alike. */
enum rill_status rill_water_time_all(struct rill_water_comparison *comparison, struct rill_error *error) {
  for (size_t repeat = 0; repeat < comparison->repeats; repeat++)
    for (size_t i = 0; i < comparison->candidate_count; i++) {
      struct rill_water_candidate *candidate = comparison->candidates[i];
      if (rill_compare_is_stopped(comparison->request))
        return rill_error_set(error, RILL_INTERRUPTED, "stopped by a signal");
      if (candidate->row.failure[0] != '\0' || candidate->timed != repeat) continue;
      if (time_candidate(candidate, error) != RILL_OK)
        rill_error_clear(error); /* it fails after the length of the run: it is not timed again */
    }
  for (size_t i = 0; i < comparison->candidate_count; i++) conclude_times(comparison->candidates[i]);
  return RILL_OK;
}
