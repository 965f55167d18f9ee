#include "mech/driver.h"

#include <math.h>

static double step_length(const struct rill_driver *driver) {
  return driver->integrator != NULL ? rill_integrator_step_length(driver->integrator) : driver->step;
}

/* Calls the observers whose interval divides the step, or the other ones. */
static enum rill_status observe(struct rill_driver *driver, uint64_t step, bool due, struct rill_error *error) {
  struct rill_timers *timers = driver->system->timers;
  double started = rill_clock();
  enum rill_status status = RILL_OK;
  for (size_t i = 0; status == RILL_OK && i < driver->observer_count; i++) {
    const struct rill_observer *observer = &driver->observers[i];
    if ((step % observer->interval == 0) != due) continue;
    status = observer->observe(observer->self, step, (double)step * step_length(driver), error);
  }
  if (timers != NULL) timers->seconds[RILL_PHASE_OBSERVATION] += rill_clock() - started;
  return status;
}

/* ---- checkpoints ---- */

/* Looks at the clock about once per millisecond. */
struct watch {
  double kept, looked;
  double longest_step, longest_keep; /* seconds: longest step between two looks at the clock; longest checkpoint */
  uint64_t stride, next;             /* steps */
  bool due;                          /* the checkpointer, by wall time */
};

/* Leaves time for the one more step that may be needed, and for the checkpoint. */
static bool is_near(const struct watch *watch, double deadline, double now) {
  return deadline > 0 && now + 2 * watch->longest_step + 2 * watch->longest_keep >= deadline;
}

static void look_at_the_clock(struct rill_driver *driver, struct watch *watch) {
  static const double often = 1e-3;
  const struct rill_checkpointer *checkpointer = driver->checkpointer;
  const bool by_the_clock = checkpointer != NULL && checkpointer->interval == 0 && checkpointer->seconds > 0;
  double now;
  if (driver->done < watch->next || (!by_the_clock && driver->deadline <= 0)) return;
  now = rill_clock();
  if (watch->stride == 1) watch->longest_step = fmax(watch->longest_step, now - watch->looked);
  if (now - watch->looked < often && watch->stride < UINT32_MAX) watch->stride *= 2;
  else if (now - watch->looked > 2 * often && watch->stride > 1) watch->stride /= 2;
  watch->looked = now;
  watch->next = driver->done + watch->stride;
  watch->due = by_the_clock && now - watch->kept >= checkpointer->seconds;
  driver->expired |= is_near(watch, driver->deadline, now);
}

static bool is_to_stop(const struct rill_driver *driver) {
  return driver->expired || (driver->stop != NULL && *driver->stop);
}

static enum rill_status keep(struct rill_driver *driver, enum rill_keep_reason reason, struct rill_error *error) {
  if (driver->checkpointer == NULL) return RILL_OK;
  if (driver->guard != NULL) driver->guard->now = driver->done;
  return driver->checkpointer->keep(driver->checkpointer->self, driver->done, reason, error);
}

static enum rill_status keep_when_due(struct rill_driver *driver, struct watch *watch, struct rill_error *error) {
  const struct rill_checkpointer *checkpointer = driver->checkpointer;
  const bool requested = driver->save != NULL && *driver->save;
  double started;
  if (checkpointer == NULL ||
      !(requested || watch->due || (checkpointer->interval > 0 && driver->done % checkpointer->interval == 0)))
    return RILL_OK;
  if (requested) *driver->save = 0;
  started = rill_clock();
  RILL_TRY(keep(driver, requested ? RILL_KEEP_REQUESTED : RILL_KEEP_DUE, error));
  watch->due = false;
  watch->kept = watch->looked = rill_clock();
  watch->longest_keep = fmax(watch->longest_keep, watch->kept - started);
  return RILL_OK;
}

/* At the end, for whatever reason: writes the checkpoint, then calls all observers. */
static enum rill_status finish(struct rill_driver *driver, struct rill_error *error) {
  RILL_TRY(keep(driver, RILL_KEEP_END, error));
  return observe(driver, driver->done, false, error);
}

/* ---- steps ---- */

/* Returns `next`, or the first multiple of the interval after `step` when that comes before. */
static uint64_t earlier(uint64_t next, uint64_t step, uint64_t interval) {
  const uint64_t due = (step / interval + 1) * interval;
  return due > step && due < next ? due : next;
}

/* The next step at which an observation is due, so that the loop need not look at all intervals at every step. */
static uint64_t next_observation(const struct rill_driver *driver, uint64_t step) {
  uint64_t next = driver->last;
  for (size_t i = 0; i < driver->observer_count; i++) next = earlier(next, step, driver->observers[i].interval);
  return next;
}

/* The next step whose state the guard examines: a multiple of its own interval, one that is recorded or checkpointed,
 * or the last. */
static uint64_t next_examination(const struct rill_driver *driver, uint64_t step) {
  uint64_t next = driver->last;
  next = earlier(next, step, driver->guard->interval);
  if (driver->checkpointer != NULL && driver->checkpointer->interval > 0)
    next = earlier(next, step, driver->checkpointer->interval);
  for (size_t i = 0; i < driver->observer_count; i++)
    if (driver->observers[i].records) next = earlier(next, step, driver->observers[i].interval);
  return next;
}

/* Whether an observer that is called after this step, or will be because the run is to stop, needs its middle. */
static bool is_halfway_due(const struct rill_driver *driver, uint64_t step) {
  const bool stops = step == driver->last || is_to_stop(driver);
  bool due = false;
  for (size_t i = 0; i < driver->observer_count; i++)
    due |= driver->observers[i].halfway && (stops || step % driver->observers[i].interval == 0);
  return due;
}

static enum rill_status step_once(struct rill_driver *driver, uint64_t step, bool halfway, struct rill_error *error) {
  struct rill_timers *timers = driver->system->timers;
  enum rill_status status;
  double started;
  if (timers == NULL || driver->timing_interval == 0 || step % driver->timing_interval != 0)
    return rill_integrator_step(driver->integrator, step, halfway, error);
  timers->on = 1;
  started = rill_clock();
  status = rill_integrator_step(driver->integrator, step, halfway, error);
  timers->seconds[RILL_PHASE_REST] += rill_clock() - started; /* the whole step; other phases are subtracted later */
  timers->on = 0;
  driver->timed++;
  return status;
}

/* Steps up to the next one at which something is due. */
static enum rill_status step_many(struct rill_driver *driver, uint64_t due, struct rill_error *error) {
  const struct rill_checkpointer *checkpointer = driver->checkpointer;
  uint64_t to = earlier(due, driver->done, driver->advance.most);
  if (checkpointer != NULL && checkpointer->interval > 0) to = earlier(to, driver->done, checkpointer->interval);
  return driver->advance.advance(driver->advance.self, driver->done, to, &driver->done, error);
}

static bool is_due(uint64_t interval, uint64_t step) { return interval > 0 && step % interval == 0; }

static enum rill_status make_steps(struct rill_driver *driver, uint64_t due, bool halfway, struct rill_error *error) {
  if (driver->advance.advance != NULL) return step_many(driver, due, error);
  if (is_due(driver->energy_interval, driver->done + 1)) rill_integrator_want(driver->integrator, RILL_FLOW_ENERGY);
  if (is_due(driver->virial_interval, driver->done + 1)) rill_integrator_want(driver->integrator, RILL_FLOW_VIRIAL);
  RILL_TRY(step_once(driver, driver->done, halfway, error));
  driver->done++;
  return RILL_OK;
}

static enum rill_status examine(struct rill_driver *driver, bool next_too, struct rill_error *error) {
  struct rill_timers *timers = driver->system->timers;
  const double started = rill_clock();
  const enum rill_status status = rill_guard_examine(driver->guard, driver->system, driver->done, next_too, error);
  if (timers != NULL) timers->seconds[RILL_PHASE_OBSERVATION] += rill_clock() - started;
  if (status != RILL_OK) driver->done = driver->guard->good_step;
  return status;
}

/* The state before the failed step is good, unless the guard finds that it had already left its limits.  Further
 * errors are added to the message. */
static enum rill_status fail(struct rill_driver *driver, struct rill_error *error) {
  struct rill_error fault = {0};
  if (driver->guard != NULL && driver->guard->good_step != driver->done && examine(driver, false, &fault) != RILL_OK)
    rill_error_add(error, fault.status, "%s", fault.text);
  rill_error_clear(&fault);
  if (keep(driver, RILL_KEEP_END, &fault) != RILL_OK) rill_error_add(error, fault.status, "%s", fault.text);
  return error->status;
}

enum rill_status rill_driver_run(struct rill_driver *driver, struct rill_error *error) {
  const double started = rill_clock();
  struct watch watch = {.stride = 1, .kept = started, .looked = started, .next = driver->first};
  struct rill_guard *guard = driver->guard;
  uint64_t due, examined = UINT64_MAX;
  driver->done = driver->first;
  driver->timed = 0;
  driver->expired = false;
  if (!driver->continued) RILL_TRY(observe(driver, driver->first, true, error));
  due = next_observation(driver, driver->first);
  if (guard != NULL) {
    if (!guard->kept) RILL_TRY(rill_guard_keep(guard, driver->system, driver->first, error));
    examined = next_examination(driver, driver->first);
  }
  while (driver->done < driver->last) {
    const bool halfway = is_halfway_due(driver, driver->done + 1);
    if (make_steps(driver, due, halfway, error) != RILL_OK) return fail(driver, error);
    if (driver->done == examined) {
      examined = next_examination(driver, driver->done);
      if (examine(driver, examined == driver->done + 1, error) != RILL_OK) return fail(driver, error);
    }
    if (driver->done == due) {
      RILL_TRY(observe(driver, driver->done, true, error));
      due = next_observation(driver, driver->done);
    }
    if (driver->done == driver->last) break;
    look_at_the_clock(driver, &watch);
    /* Makes one more step when the request to stop came after the middle of this one. */
    if (is_to_stop(driver) && halfway == is_halfway_due(driver, driver->done)) {
      RILL_TRY(finish(driver, error));
      return rill_error_set(error, RILL_INTERRUPTED, "stopped %s after step %llu",
                            driver->expired ? "at the time limit" : "by a signal", (unsigned long long)driver->done);
    }
    RILL_TRY(keep_when_due(driver, &watch, error));
  }
  return finish(driver, error);
}
