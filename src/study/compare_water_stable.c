/* The largest stable step of a method on water. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/timers.h"
#include "base/units.h"
#include "deck/units.h"
#include "mech/driver.h"
#include "study/compare_water.h"

enum {
  REFINEMENTS = 2,
  SCAN_LOOKS = 50
}; /* refinements: bisections of the factor 2 between a stable and an unstable step */
static const double scan_range = 16; /* tries steps up to this many times longer or shorter than the deck's */

struct watch {
  const struct rill_system *system;
  double reference; /* K */
  bool thermostatted;
  double start, sum; /* energy; temperatures of the second half */
  size_t looks, counted;
};

/* A broken bond ends a run at once.  Without a thermostat, a rise of the energy by k T / 2 per degree of freedom does
 * so, too; with one, the temperature of the second half is judged. */
static enum rill_status look(void *self, uint64_t step, double time, struct rill_error *error) {
  struct watch *watch = self;
  struct rill_observation o;
  double kt = RILL_GAS_CONSTANT * watch->reference;
  (void)time;
  RILL_TRY(watch->system->ops->observe(watch->system->self, &o, error));
  if (step == 0) watch->start = o.kinetic + o.potential;
  if (!(o.position_deviation_max < RILL_WATER_BROKEN_BOND))
    return rill_error_set(error, RILL_ERROR_FAILED, "a bond is broken");
  if (!watch->thermostatted && kt > 0 &&
      o.kinetic + o.potential - watch->start > 0.5 * kt * watch->system->ops->degrees_of_freedom(watch->system->self))
    return rill_error_set(error, RILL_ERROR_FAILED, "the energy rises");
  if (watch->looks++ < SCAN_LOOKS / 2) return RILL_OK;
  watch->sum += o.temperature;
  watch->counted++;
  return RILL_OK;
}

static enum rill_status survives(struct rill_water_comparison *comparison, const char *label, double h, bool *stable,
                                 struct rill_error *error) {
  struct rill_water_candidate *candidate = calloc(1, sizeof *candidate);
  const struct rill_deck *deck = comparison->deck;
  char step[64], length[64], number[RILL_NUMBER_TEXT];
  struct watch watch = {0};
  uint64_t steps = (uint64_t)ceil(comparison->scan / h);
  enum rill_status status;
  if (candidate == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  snprintf(step, sizeof step, "%s ps", rill_number_format(h, number));
  snprintf(length, sizeof length, "integrator.steps=%" PRIu64, steps);
  status = rill_water_enter(comparison, label, step, length, 0, candidate, error);
  if (status == RILL_OK) status = rill_water_start(comparison, candidate, NULL, error);
  if (status == RILL_OK) {
    struct rill_observer observer = {1 + (steps - 1) / SCAN_LOOKS, look, &watch, false, false};
    struct rill_driver driver = {.system = &candidate->sim.system,
                                 .integrator = candidate->sim.integrator,
                                 .observers = &observer,
                                 .observer_count = 1,
                                 .last = steps,
                                 .stop = comparison->request->stop};
    watch.system = &candidate->sim.system;
    watch.thermostatted = deck->thermostat.method != RILL_NO_BATH;
    watch.reference = watch.thermostatted ? fmax(deck->thermostat.temperature[0], deck->thermostat.temperature[1])
                                          : deck->start.temperature;
    status = rill_driver_run(&driver, error);
    *stable =
        status == RILL_OK && !(watch.thermostatted && watch.sum > 1.5 * watch.reference * (double)watch.counted);
    if (!rill_water_ends_comparison(status)) {
      rill_error_clear(error);
      status = RILL_OK;
    }
  }
  rill_simulation_release(&candidate->sim);
  free(candidate);
  return status;
}

/* Doubles or halves the step until one is stable and the next is not; then bisects the factor between them. */
static enum rill_status scan(struct rill_water_comparison *comparison, const char *label, double h, double *largest,
                             struct rill_error *error) {
  double most = h * scan_range, least = h / scan_range, factor = 2;
  bool stable = false;
  *largest = NAN;
  RILL_TRY(survives(comparison, label, h, &stable, error));
  if (stable) {
    for (*largest = h; *largest * factor <= most; *largest *= factor) {
      RILL_TRY(survives(comparison, label, *largest * factor, &stable, error));
      if (!stable) break;
    }
  } else {
    while (!stable && (h /= factor) >= least) RILL_TRY(survives(comparison, label, h, &stable, error));
    if (stable) *largest = h;
  }
  for (int i = 0; i < REFINEMENTS && *largest < most; i++) {
    factor = sqrt(factor);
    RILL_TRY(survives(comparison, label, *largest * factor, &stable, error));
    if (stable) *largest *= factor;
  }
  return RILL_OK;
}

static void note_stable(const struct rill_water_comparison *comparison, const char *method, double largest,
                        double seconds) {
  if (isnan(largest)) rill_note(comparison->request->notes, "%s: no stable step (%.1f s)", method, seconds);
  else rill_note(comparison->request->notes, "%s: stable to %.3g fs (%.1f s)", method, largest * 1e3, seconds);
}

enum rill_status rill_water_scan_all(struct rill_water_comparison *comparison, struct rill_error *error) {
  for (size_t m = 0; m < comparison->method_count; m++) {
    const size_t first = m * comparison->step_count;
    double largest, begun = rill_clock();
    RILL_TRY(scan(comparison, comparison->methods[m], comparison->deck->integrator.step, &largest, error));
    for (size_t s = 0; s < comparison->step_count; s++)
      comparison->candidates[first + s]->row.numbers.stable_step_fs = largest * 1e3;
    note_stable(comparison, comparison->methods[m], largest, rill_clock() - begun);
  }
  return RILL_OK;
}
