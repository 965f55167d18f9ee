/* Steps and runs. */
#include "simulation/run.h"

#include <inttypes.h>
#include <stdlib.h>

#include "library/handle.h"

enum { WATCHERS = 8 };

enum rill_status rill_step(rill_simulation *handle, uint64_t steps, struct rill_error *error) {
  rill_error_clear(error);
  for (uint64_t i = 0; i < steps; i++) {
    const bool last = i + 1 == steps;
    RILL_TRY(rill_integrator_step(handle->sim.integrator, handle->done, last, error));
    handle->done++;
    handle->halfway = last;
    handle->sampled = false;
  }
  return RILL_OK;
}

/* ---- observers ---- */

static enum rill_status sample(void *self, uint64_t step, double time, struct rill_error *error) {
  rill_simulation *handle = self;
  const struct rill_observation *seen = rill_guard_observation(&handle->sim.guard, step);
  struct rill_observation own;
  double values[RILL_OBSERVABLES_MOST];
  (void)time;
  if (seen == NULL) {
    RILL_TRY(handle->sim.system.ops->observe(handle->sim.system.self, &own, error));
    seen = &own;
  }
  rill_library_values(handle, seen, values);
  for (size_t i = 0; i < rill_observable_count(handle); i++)
    if (handle->means[i].samples > 0 || values[i] == values[i]) rill_average_add(&handle->means[i], values[i]);
  return RILL_OK;
}

struct watching {
  rill_simulation *handle;
  const struct rill_watcher *watcher;
};

static enum rill_status watch(void *self, uint64_t step, double time, struct rill_error *error) {
  const struct watching *watching = self;
  watching->handle->done = step;
  if (watching->watcher->watch(watching->watcher->context, watching->handle, step, time) == 0) return RILL_OK;
  return rill_error_set(error, RILL_INTERRUPTED, "stopped by a watcher after step %" PRIu64, step);
}

static enum rill_status list(rill_simulation *handle, const struct rill_watcher *watchers, size_t count,
                             struct watching watching[WATCHERS], struct rill_observer *observers,
                             struct rill_error *error) {
  if (count > WATCHERS)
    return rill_error_set(error, RILL_ERROR_USAGE, "at most %d watchers can be given, found %zu", WATCHERS, count);
  for (size_t i = 0; i < count; i++) {
    watching[i] = (struct watching){handle, &watchers[i]};
    observers[i] =
        (struct rill_observer){watchers[i].every > 0 ? watchers[i].every : 1, watch, &watching[i], true, false};
  }
  return RILL_OK;
}

/* ---- runs ---- */

enum rill_status rill_run(rill_simulation *handle, uint64_t until, const struct rill_watcher *watchers, size_t count,
                          struct rill_error *error) {
  struct rill_simulation *sim = &handle->sim;
  struct watching watching[WATCHERS];
  struct rill_observer observers[1 + WATCHERS] = {{sim->deck.output.series_interval, sample, handle, true, true}};
  struct rill_driver driver = {.system = &sim->system,
                               .integrator = sim->integrator,
                               .guard = &sim->guard,
                               .observers = observers,
                               .observer_count = 1 + count,
                               .first = handle->done,
                               .continued = handle->sampled,
                               .last = until > 0 ? until : sim->deck.integrator.steps,
                               .stop = &handle->stop};
  rill_error_clear(error);
  RILL_TRY(list(handle, watchers, count, watching, observers + 1, error));
  if (driver.last < handle->done)
    return rill_error_set(error, RILL_ERROR_USAGE, "%" PRIu64 " steps are done already, more than %" PRIu64,
                          handle->done, driver.last);
  if (!handle->watched) RILL_TRY(rill_simulation_watch_limits(sim, error));
  handle->watched = true;
  (void)rill_driver_run(&driver, error);
  handle->done = driver.done;
  handle->sampled = true;
  handle->stop = 0;
  return error->status;
}

static enum rill_status run_files(rill_simulation *handle, struct rill_run *run,
                                  const struct rill_run_request *request, struct rill_error *error) {
  enum rill_status status;
  RILL_TRY(rill_run_prepare(run, &handle->sim, request, error));
  if (run->complete) {
    handle->done = run->checkpoint.step;
    return RILL_OK;
  }
  handle->done = run->checkpoint.step;
  RILL_TRY(rill_run_open(run, error));
  (void)rill_run_steps(run, error);
  handle->done = run->driver.done;
  status = rill_run_close(run, error);
  if (status != RILL_OK) rill_keeping_explain(&run->keeping, NULL, error);
  return status;
}

enum rill_status rill_run_files(rill_simulation *handle, const char *folder, unsigned flags,
                                const struct rill_watcher *watchers, size_t count, struct rill_error *error) {
  struct watching watching[WATCHERS];
  struct rill_observer observers[WATCHERS];
  struct rill_run_request request = {.folder = folder,
                                     .replace = (flags & RILL_RUN_REPLACE) != 0,
                                     .resume = (flags & RILL_RUN_RESUME) != 0,
                                     .stop = &handle->stop,
                                     .observers = observers,
                                     .observer_count = count};
  struct rill_run *run;
  rill_error_clear(error);
  if (handle->done > 0 || handle->method_name[0] != '\0')
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "a run with files must begin at the deck's start, with the deck's method: open the "
                          "simulation again");
  if (request.replace && request.resume)
    return rill_error_set(error, RILL_ERROR_USAGE,
                          "RILL_RUN_RESUME continues existing output, RILL_RUN_REPLACE replaces it: "
                          "give one of them");
  RILL_TRY(list(handle, watchers, count, watching, observers, error));
  run = calloc(1, sizeof *run);
  if (run == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  (void)run_files(handle, run, &request, error);
  rill_run_release(run);
  free(run);
  handle->watched = false;
  handle->stop = 0;
  return error->status;
}

void rill_stop(rill_simulation *handle) { handle->stop = 1; }
