/* The columns of a small system's series before its coordinates: energies, momenta, residuals, and those of its heat
 * bath. */
#ifndef RILL_SIMULATION_SMALL_COLUMNS_H
#define RILL_SIMULATION_SMALL_COLUMNS_H

#include <stdint.h>

#include "simulation/simulation.h"

enum { RILL_SMALL_COLUMNS_MOST = 18 };

/* Writes the columns that the deck has, and returns their number; an argument that is NULL is not written.  o may be
 * NULL if value is.  [RILL_SMALL_COLUMNS_MOST] each; names and units are static. */
size_t rill_small_columns(const struct rill_simulation *sim, uint64_t step, double time,
                          const struct rill_observation *o, const char **name, const char **unit, double *value);

#endif
