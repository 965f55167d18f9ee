#include "simulation/small_columns.h"

#include <math.h>

size_t rill_small_columns(const struct rill_simulation *sim, uint64_t step, double time,
                          const struct rill_observation *o, const char **name, const char **unit, double *value) {
  static const struct rill_observation none;
  const struct rill_deck *deck = &sim->deck;
  const char *energy = rill_simulation_energy_unit(sim), *momentum = sim->type->si ? "kg m/s" : "",
             *angular_momentum = sim->type->si ? "kg m2/s" : "";
  if (o == NULL) o = &none;
  const struct {
    const char *name, *unit;
    double value;
    bool absent;
  } columns[RILL_SMALL_COLUMNS_MOST] = {
      {"step", "", (double)step, false},
      {"t", rill_deck_time_unit(deck), time, false},
      {"kinetic", energy, o->kinetic, false},
      {"potential", energy, o->potential, false},
      {"total", energy, o->kinetic + o->potential, false},
      {"momentum_x", momentum, o->momentum[0], false},
      {"momentum_y", momentum, o->momentum[1], false},
      {"momentum_z", momentum, o->momentum[2], false},
      {"angular_momentum_x", angular_momentum, o->angular_momentum[0], false},
      {"angular_momentum_y", angular_momentum, o->angular_momentum[1], false},
      {"angular_momentum_z", angular_momentum, o->angular_momentum[2], false},
      {"position_residual", "", o->position_deviation_max, false},
      {"velocity_residual", "", o->velocity_deviation_max, false},
      {"iterations", "", o->iterations, false},
      /* of steps that vary in length: the time, where t counts steps */
      {"clock", rill_deck_time_unit(deck), sim->method->varies ? sim->system.state->clock[RILL_CLOCK_TIME] : 0,
       !sim->method->varies},
      /* of a heat bath: kinetic temperatures, and the part of the potential that corrects the measure */
      {"temperature", energy, o->temperature, deck->thermostat.method == RILL_NO_BATH},
      {"temperature_half", energy, o->temperature_half, deck->thermostat.method != RILL_BAOAB},
      {"correction", energy, o->correction, deck->thermostat.measure == RILL_MEASURE_CONSTRAINED},
  };
  size_t count = 0;
  for (int i = 0; i < RILL_SMALL_COLUMNS_MOST; i++) {
    if (columns[i].absent) continue;
    if (name != NULL) name[count] = columns[i].name;
    if (unit != NULL) unit[count] = columns[i].unit;
    if (value != NULL) value[count] = columns[i].value;
    count++;
  }
  return count;
}
