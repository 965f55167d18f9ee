/* The columns of a run's series. */
#ifndef RILL_SIMULATION_SERIES_COLUMNS_H
#define RILL_SIMULATION_SERIES_COLUMNS_H

#include <stdint.h>

#include "base/units.h"
#include "deck/fields.h"
#include "mech/system.h"

/* name, unit, value */
#define RILL_SERIES_LIST(X)                                                                                          \
  X(step, "1", (double)step)                                                                                         \
  X(time_ps, "ps", time)                                                                                             \
  X(kinetic, "kJ/mol", o->kinetic)                                                                                   \
  X(lj, "kJ/mol", o->part[0])                                                                                        \
  X(coulomb, "kJ/mol", o->part[1])                                                                                   \
  X(confine, "kJ/mol", o->part[2])                                                                                   \
  X(penalty, "kJ/mol", o->part[3])                                                                                   \
  X(potential, "kJ/mol", o->potential)                                                                               \
  X(total, "kJ/mol", o->kinetic + o->potential)                                                                      \
  X(temperature, "K", o->temperature)                                                                                \
  X(temperature_half, "K", o->temperature_half)                                                                      \
  X(temperature_translation, "K", o->temperature_translation)                                                        \
  X(temperature_rotation, "K", o->temperature_rotation)                                                              \
  X(temperature_half_translation, "K", o->temperature_half_translation)                                              \
  X(temperature_half_rotation, "K", o->temperature_half_rotation)                                                    \
  X(momentum_x, "u nm/ps", o->momentum[0])                                                                           \
  X(momentum_y, "u nm/ps", o->momentum[1])                                                                           \
  X(momentum_z, "u nm/ps", o->momentum[2])                                                                           \
  X(angular_momentum_x, "u nm2/ps", o->angular_momentum[0])                                                          \
  X(angular_momentum_y, "u nm2/ps", o->angular_momentum[1])                                                          \
  X(angular_momentum_z, "u nm2/ps", o->angular_momentum[2])                                                          \
  X(position_deviation_max, "1", o->position_deviation_max)                                                          \
  X(position_deviation_rms, "1", o->position_deviation_rms)                                                          \
  X(velocity_deviation_max, "1", o->velocity_deviation_max)                                                          \
  X(velocity_deviation_rms, "1", o->velocity_deviation_rms)                                                          \
  X(iterations, "1", o->iterations)                                                                                  \
  X(evaluations, "1", o->evaluations)                                                                                \
  X(residual, "nm", o->residual)                                                                                     \
  X(pressure, "bar", o->pressure / RILL_BAR)                                                                         \
  X(attitude_deviation, "1", o->attitude_deviation)                                                                  \
  X(pressure_xx, "bar", o->pressure_tensor[0][0] / RILL_BAR)                                                         \
  X(pressure_yy, "bar", o->pressure_tensor[1][1] / RILL_BAR)                                                         \
  X(pressure_zz, "bar", o->pressure_tensor[2][2] / RILL_BAR)                                                         \
  X(pressure_xy, "bar", rill_symmetric(o->pressure_tensor, 0, 1) / RILL_BAR)                                         \
  X(pressure_xz, "bar", rill_symmetric(o->pressure_tensor, 0, 2) / RILL_BAR)                                         \
  X(pressure_yz, "bar", rill_symmetric(o->pressure_tensor, 1, 2) / RILL_BAR)                                         \
  X(pressure_bath, "bar", o->pressure_bath / RILL_BAR)                                                               \
  X(volume, "nm3", o->volume)                                                                                        \
  X(density, "g/cm3", o->density / RILL_GRAM_PER_CM3)                                                                \
  X(enthalpy, "kJ/mol", o->enthalpy)                                                                                 \
  X(box_x, "nm", o->edge[0])                                                                                         \
  X(box_y, "nm", o->edge[1])                                                                                         \
  X(box_z, "nm", o->edge[2])                                                                                         \
  X(field, "kJ/mol", o->part[4])                                                                                     \
  X(effective, "kJ/mol", o->effective)

/* The molecular virial is symmetric only on average. */
static inline double rill_symmetric(const double tensor[3][3], int i, int j) {
  return 0.5 * (tensor[i][j] + tensor[j][i]);
}

enum rill_series_column {
#define X(name, unit, value) RILL_SERIES_##name,
  RILL_SERIES_LIST(X)
#undef X
      RILL_SERIES_COLUMNS
};

/* The columns of a deck's series: the last two are those of decks with [field] or thermostat.method = v-rescale. */
size_t rill_series_columns_of(const struct rill_deck *deck);

extern const char *const rill_series_names[RILL_SERIES_COLUMNS];
extern const char *const rill_series_units[RILL_SERIES_COLUMNS];

void rill_series_row(uint64_t step, double time, const struct rill_observation *o, double row[RILL_SERIES_COLUMNS]);

#endif
