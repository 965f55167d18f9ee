#include "simulation/averages.h"

#include <math.h>
#include <string.h>

#include "simulation/simulation.h"

#define NAME(name, unit) #name,
#define UNIT(name, unit) unit,
const char *const rill_average_names[RILL_AVERAGE_COLUMNS] = {RILL_AVERAGE_LIST(NAME)};
static const char *const units_of_water[RILL_AVERAGE_COLUMNS] = {RILL_AVERAGE_LIST(UNIT)};

/* Temperatures of small systems are energies. */
void rill_averages_units(const struct rill_simulation *sim, const char *units[RILL_AVERAGE_COLUMNS]) {
  for (int c = 0; c < RILL_AVERAGE_COLUMNS; c++) {
    const char *unit = units_of_water[c];
    const bool of_energy = strcmp(unit, "K") == 0 || strcmp(unit, "kJ/mol") == 0;
    units[c] = sim->type == NULL ? unit : of_energy ? rill_simulation_energy_unit(sim) : *unit != '\0' ? "k" : "";
  }
}

static double share(uint64_t part, uint64_t all) { return all > 0 ? (double)part / (double)all : NAN; }

static void put_exchanges(const struct rill_exchange *exchange, size_t rung, double row[RILL_AVERAGE_COLUMNS]) {
  const struct rill_mean probability = rill_average_mean(&exchange->probability[rung]);
  const bool has_next = rung + 1 < exchange->rungs && exchange->attempts > 0;
  uint64_t tried = 0, accepted = 0;
  for (size_t l = 0; l < exchange->ladders; l++) {
    tried += exchange->tried[l * exchange->rungs + rung];
    accepted += exchange->accepted[l * exchange->rungs + rung];
  }
  row[RILL_AVERAGE_acceptance] = has_next && tried > 0 ? probability.mean : NAN;
  row[RILL_AVERAGE_acceptance_error] = has_next && tried > 0 ? probability.error : NAN;
  row[RILL_AVERAGE_tried] = has_next ? (double)tried : NAN;
  row[RILL_AVERAGE_accepted] = has_next ? (double)accepted : NAN;
  row[RILL_AVERAGE_upward] = share(exchange->upward[rung], exchange->upward[rung] + exchange->downward[rung]);
}

void rill_averages_row(const struct rill_run *run, size_t rung, double row[RILL_AVERAGE_COLUMNS]) {
  const struct rill_ensemble *ensemble = run->sim->ensemble;
  const double freedom = rill_simulation_degrees_of_freedom(run->sim), *bath = run->sim->deck.thermostat.temperature;
  const bool ramp = bath[0] != bath[1]; /* heat capacities belong to one temperature */
  const double temperature = ramp ? NAN : ensemble->temperature[rung];
  const struct rill_thermal_ops *thermal = ensemble->replica[0].system.thermal;
  const double boltzmann = thermal != NULL ? thermal->boltzmann : NAN;
  const struct rill_rung_estimate estimate = rill_estimate(&run->estimates, rung, boltzmann * temperature);
  row[RILL_AVERAGE_rung] = (double)rung;
  row[RILL_AVERAGE_temperature] = temperature;
  row[RILL_AVERAGE_samples] = (double)estimate.samples;
  row[RILL_AVERAGE_independent_samples] = estimate.independent;
  row[RILL_AVERAGE_r_hat] = estimate.spread;
  row[RILL_AVERAGE_potential] = estimate.potential;
  row[RILL_AVERAGE_potential_error] = estimate.potential_error;
  row[RILL_AVERAGE_heat_capacity_configurational] = estimate.fluctuation;
  row[RILL_AVERAGE_heat_capacity_total] = estimate.fluctuation + freedom / 2;
  row[RILL_AVERAGE_heat_capacity_error] = estimate.fluctuation_error;
  row[RILL_AVERAGE_kinetic_temperature] = 2 * estimate.kinetic / (freedom * boltzmann);
  put_exchanges(&ensemble->exchange, rung, row);
}

struct rill_round_trips rill_averages_round_trips(const struct rill_run *run) {
  const struct rill_ensemble *ensemble = run->sim->ensemble;
  const uint64_t count = rill_exchange_round_trips(&ensemble->exchange);
  const double time = (double)(ensemble->exchange.attempts * ensemble->interval) * run->sim->deck.integrator.step;
  return (struct rill_round_trips){count, count > 0 ? time * (double)ensemble->replicas / (double)count : NAN};
}
