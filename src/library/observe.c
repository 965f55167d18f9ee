/* Observables: for water the columns of its series, for small systems those of their series. */
#include <math.h>
#include <string.h>

#include "library/handle.h"
#include "simulation/series_columns.h"

enum { FIRST = 2 /* after step and time */, OF_WATER = RILL_SERIES_COLUMNS - FIRST };
_Static_assert((int)OF_WATER <= (int)RILL_OBSERVABLES_MOST, "all columns of the series");

static const char *const of_small[] = {"kinetic",
                                       "potential",
                                       "total",
                                       "momentum_x",
                                       "momentum_y",
                                       "momentum_z",
                                       "angular_momentum_x",
                                       "angular_momentum_y",
                                       "angular_momentum_z",
                                       "position_residual",
                                       "velocity_residual",
                                       "iterations"};
enum { OF_SMALL = sizeof of_small / sizeof of_small[0] };

static bool is_water(const rill_simulation *handle) { return handle->sim.type == NULL; }

size_t rill_observable_count(const rill_simulation *handle) { return is_water(handle) ? OF_WATER : OF_SMALL; }

const char *rill_observable_name(const rill_simulation *handle, size_t index) {
  if (index >= rill_observable_count(handle)) return NULL;
  return is_water(handle) ? rill_series_names[FIRST + index] : of_small[index];
}

const char *rill_observable_unit(const rill_simulation *handle, size_t index) {
  if (index >= rill_observable_count(handle)) return NULL;
  if (is_water(handle)) return rill_series_units[FIRST + index];
  if (index < 3) return rill_simulation_energy_unit(&handle->sim);
  return !handle->sim.type->si || index > 8 ? "" : index < 6 ? "kg m/s" : "kg m2/s";
}

void rill_library_values(const rill_simulation *handle, const struct rill_observation *o, double *values) {
  double row[RILL_SERIES_COLUMNS];
  const double small[OF_SMALL] = {o->kinetic,
                                  o->potential,
                                  o->kinetic + o->potential,
                                  o->momentum[0],
                                  o->momentum[1],
                                  o->momentum[2],
                                  o->angular_momentum[0],
                                  o->angular_momentum[1],
                                  o->angular_momentum[2],
                                  o->position_deviation_max,
                                  o->velocity_deviation_max,
                                  o->iterations};
  if (is_water(handle)) {
    rill_series_row(0, 0, o, row);
    memcpy(values, row + FIRST, OF_WATER * sizeof *values);
  } else {
    memcpy(values, small, sizeof small);
  }
}

enum rill_status rill_observe(rill_simulation *handle, double *values, struct rill_error *error) {
  const struct rill_system *system = &handle->sim.system;
  struct rill_observation o;
  rill_error_clear(error);
  RILL_TRY(system->ops->observe(system->self, &o, error));
  rill_library_values(handle, &o, values);
  return RILL_OK;
}

struct rill_mean_value rill_mean(const rill_simulation *handle, size_t index) {
  struct rill_mean mean;
  if (index >= rill_observable_count(handle) || handle->means[index].samples == 0)
    return (struct rill_mean_value){0, NAN, NAN};
  mean = rill_average_mean(&handle->means[index]);
  if (handle->sim.deck.thermostat.method == RILL_NO_BATH && strcmp(rill_observable_name(handle, index), "total") == 0)
    mean.error = NAN; /* it is conserved except for a drift */
  return (struct rill_mean_value){mean.samples, mean.mean, mean.error};
}
