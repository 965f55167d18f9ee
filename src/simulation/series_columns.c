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

void rill_series_row(uint64_t step, double time, const struct rill_observation *o, double row[RILL_SERIES_COLUMNS]) {
#define X(name, unit, value) row[RILL_SERIES_##name] = value;
  RILL_SERIES_LIST(X)
#undef X
}
