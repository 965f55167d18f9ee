/* The averages of an ensemble's run, a row for each temperature, with the exchanges with the next one. */
#ifndef RILL_SIMULATION_AVERAGES_H
#define RILL_SIMULATION_AVERAGES_H

#include "simulation/run_parts.h"

/* Units are those of water. */
/* clang-format off */
#define RILL_AVERAGE_LIST(X)                                                                                         \
  X(rung, "") X(temperature, "K") X(samples, "") X(independent_samples, "") X(r_hat, "")                             \
  X(potential, "kJ/mol") X(potential_error, "kJ/mol")                                                                \
  X(heat_capacity_configurational, "R") X(heat_capacity_total, "R") X(heat_capacity_error, "R")                      \
  X(kinetic_temperature, "K")                                                                                        \
  X(acceptance, "") X(acceptance_error, "") X(tried, "") X(accepted, "") X(upward, "")
/* clang-format on */

enum rill_average_column {
#define X(name, unit) RILL_AVERAGE_##name,
  RILL_AVERAGE_LIST(X)
#undef X
      RILL_AVERAGE_COLUMNS
};

extern const char *const rill_average_names[RILL_AVERAGE_COLUMNS];

/* Fills in the units of the run; heat capacities are in units of k, which is R for a mole. */
void rill_averages_units(const struct rill_simulation *sim, const char *units[RILL_AVERAGE_COLUMNS]);

/* NaN where a column has no value, as acceptance at the highest temperature. */
void rill_averages_row(const struct rill_run *run, size_t rung, double row[RILL_AVERAGE_COLUMNS]);

/* Round trips of all replicas, from the lowest temperature to the highest and back. */
struct rill_round_trips {
  uint64_t count;
  double time; /* mean time of one, in the deck's units: time of all replicas over the count; NaN without any */
};
struct rill_round_trips rill_averages_round_trips(const struct rill_run *run);

#endif
