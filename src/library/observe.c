/* Observables: for water the columns of its series, for small systems those of their series. */
#include <math.h>
#include <string.h>

#include "library/handle.h"
#include "simulation/series_columns.h"
#include "simulation/small_columns.h"

enum { FIRST = 2 /* after step and time */, OF_WATER = RILL_SERIES_COLUMNS - FIRST };
_Static_assert((int)OF_WATER <= (int)RILL_OBSERVABLES_MOST, "all columns of the series");

static bool is_water(const rill_simulation *handle) { return handle->sim.type == NULL; }

static size_t columns_of_small(const rill_simulation *handle, const struct rill_observation *o, const char **name,
                               const char **unit, double *value) {
  return rill_small_columns(&handle->sim, 0, 0, o, name, unit, value);
}

size_t rill_observable_count(const rill_simulation *handle) {
  return is_water(handle) ? rill_series_columns_of(&handle->sim.deck) - FIRST
                          : columns_of_small(handle, NULL, NULL, NULL, NULL) - FIRST;
}

const char *rill_observable_name(const rill_simulation *handle, size_t index) {
  const char *name[RILL_SMALL_COLUMNS_MOST];
  if (index >= rill_observable_count(handle)) return NULL;
  if (is_water(handle)) return rill_series_names[FIRST + index];
  columns_of_small(handle, NULL, name, NULL, NULL);
  return name[FIRST + index];
}

const char *rill_observable_unit(const rill_simulation *handle, size_t index) {
  const char *unit[RILL_SMALL_COLUMNS_MOST];
  if (index >= rill_observable_count(handle)) return NULL;
  if (is_water(handle)) return rill_series_units[FIRST + index];
  columns_of_small(handle, NULL, NULL, unit, NULL);
  return unit[FIRST + index];
}

void rill_library_values(const rill_simulation *handle, const struct rill_observation *o, double *values) {
  double row[(int)RILL_SERIES_COLUMNS > (int)RILL_SMALL_COLUMNS_MOST ? (int)RILL_SERIES_COLUMNS
                                                                     : (int)RILL_SMALL_COLUMNS_MOST];
  if (is_water(handle)) rill_series_row(0, 0, o, row);
  else columns_of_small(handle, o, NULL, NULL, row);
  memcpy(values, row + FIRST, rill_observable_count(handle) * sizeof *values);
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
