#include "mech/driver.h"

static bool observed_at(const struct rill_driver *driver, uint64_t step) {
  if (step == driver->last) return true;
  for (size_t i = 0; i < driver->observer_count; i++)
    if (step % driver->observers[i].interval == 0) return true;
  return false;
}

static enum rill_status observe(struct rill_driver *driver, uint64_t step, bool all, struct rill_error *error) {
  struct rill_timers *timers = driver->system->timers;
  double started = rill_clock();
  enum rill_status status = RILL_OK;
  for (size_t i = 0; status == RILL_OK && i < driver->observer_count; i++) {
    const struct rill_observer *observer = &driver->observers[i];
    if (!all && step % observer->interval != 0) continue;
    status = observer->observe(observer->self, step, (double)step * rill_integrator_step_length(driver->integrator), error);
  }
  if (timers != NULL) timers->seconds[RILL_PHASE_OBSERVATION] += rill_clock() - started;
  return status;
}

/* The step before which the next observation is due, so that the loop asks about strides once in a while only. */
static uint64_t next_observation(const struct rill_driver *driver, uint64_t step) {
  uint64_t next = driver->last;
  for (size_t i = 0; i < driver->observer_count; i++) {
    uint64_t interval = driver->observers[i].interval, due = (step / interval + 1) * interval;
    if (due > step && due < next) next = due;
  }
  return next;
}

static enum rill_status step_once(struct rill_driver *driver, uint64_t step, bool observed, struct rill_error *error) {
  struct rill_timers *timers = driver->system->timers;
  enum rill_status status;
  double started;
  if (timers == NULL || driver->timing_interval == 0 || step % driver->timing_interval != 0)
    return rill_integrator_step(driver->integrator, step, observed, error);
  timers->on = 1;
  started = rill_clock();
  status = rill_integrator_step(driver->integrator, step, observed, error);
  timers->seconds[RILL_PHASE_REST] += rill_clock() - started; /* the whole step; the other phases are taken off later */
  timers->on = 0;
  driver->timed++;
  return status;
}

enum rill_status rill_driver_run(struct rill_driver *driver, struct rill_error *error) {
  uint64_t due;
  driver->done = driver->first;
  driver->timed = 0;
  RILL_TRY(observe(driver, driver->first, driver->first == driver->last, error));
  due = next_observation(driver, driver->first);
  while (driver->done < driver->last) {
    bool observed = driver->done + 1 == due;
    RILL_TRY(step_once(driver, driver->done, observed, error));
    driver->done++;
    if (observed) {
      RILL_TRY(observe(driver, driver->done, driver->done == driver->last, error));
      due = next_observation(driver, driver->done);
    }
    if (driver->stop != NULL && *driver->stop && driver->done < driver->last) {
      if (!observed_at(driver, driver->done)) RILL_TRY(observe(driver, driver->done, true, error));
      return rill_error_set(error, RILL_INTERRUPTED, "stopped by a signal after step %llu",
                            (unsigned long long)driver->done);
    }
  }
  return RILL_OK;
}
