#include "simulation/series_columns.h"

const char *const rill_series_names[RILL_SERIES_COLUMNS] = {
#define X(name, unit, value) #name,
    RILL_SERIES_LIST(X)
#undef X
};

const char *const rill_series_units[RILL_SERIES_COLUMNS] = {
#define X(name, unit, value) unit,
    RILL_SERIES_LIST(X)
#undef X
};

size_t rill_series_columns_of(const struct rill_deck *deck) {
  const bool all = deck->field.on || deck->thermostat.method == RILL_V_RESCALE;
  return all ? RILL_SERIES_COLUMNS : RILL_SERIES_field;
}

void rill_series_row(uint64_t step, double time, const struct rill_observation *o, double row[RILL_SERIES_COLUMNS]) {
#define X(name, unit, value) row[RILL_SERIES_##name] = value;
  RILL_SERIES_LIST(X)
#undef X
}
