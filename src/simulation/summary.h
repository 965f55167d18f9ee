/* The closing summary of a run, gathered row by row: its memory does not grow with the run. */
#ifndef RILL_SIMULATION_SUMMARY_H
#define RILL_SIMULATION_SUMMARY_H

#include "analysis/statistics.h"
#include "simulation/series_columns.h"
#include "deck/deck.h"

/* Columns of a series whose means are shown: over the rows from output.means_from onwards, and for the solvers' work
 * over all rows. */
/* clang-format off */
#define RILL_SUMMARY_MEANS(X)                                                                                       \
  X(potential) X(lj) X(coulomb) X(confine) X(penalty) X(kinetic) X(total)                                           \
  X(temperature) X(temperature_translation) X(temperature_rotation)                                                 \
  X(temperature_half) X(temperature_half_translation) X(temperature_half_rotation)                                  \
  X(pressure) X(pressure_xx) X(pressure_yy) X(pressure_zz) X(pressure_xy) X(pressure_xz) X(pressure_yz) \
  X(pressure_bath) X(volume) X(density) X(enthalpy) X(box_x) X(box_y) X(box_z) \
  X(field) X(effective)
/* clang-format on */

enum rill_summary_mean {
#define X(column) RILL_MEAN_##column,
  RILL_SUMMARY_MEANS(X)
#undef X
      RILL_SUMMARY_MEAN_COUNT
};

/* Zeroed before the first row. */
struct rill_summary {
  size_t rows, counted;                              /* all, and those from output.means_from onwards */
  struct rill_average mean[RILL_SUMMARY_MEAN_COUNT]; /* of the counted ones */
  struct rill_average temperature, iterations, evaluations;
  struct rill_trend energy;            /* total energy over time */
  double largest[RILL_SERIES_COLUMNS]; /* of all rows, at least 0 */
  bool bodies;                         /* there are rigid bodies with attitudes */
};

void rill_summary_add(struct rill_summary *summary, const struct rill_deck *deck,
                      const double row[RILL_SERIES_COLUMNS]);
void rill_summary_archive(struct rill_summary *summary, const struct rill_deck *deck, struct rill_archive *archive);

#endif
