/* What the parts of the small kind share. */
#ifndef RILL_SIMULATION_SMALL_H
#define RILL_SIMULATION_SMALL_H

#include "simulation/outputs.h"
#include "simulation/simulation.h"

/* Parses the text of a small system's key; a message without the place in front, which the deck gives. */
enum rill_status rill_parameter_of_deck(const struct rill_system_type *type, size_t index, const char *text,
                                        struct rill_parameter_value *value, struct rill_error *error);

/* Columns of the series of a small system: fixed ones, and coordinates and momenta of those with no more than so many. */
enum { RILL_SMALL_SERIES_FIXED = 14, RILL_SMALL_SERIES_COORDINATES = 100 };

/* Whether the coordinates that the method moves are not the positions: those of the Zhang-Skeel family. */
bool rill_small_moves_other_coordinates(const struct rill_simulation *sim);
/* How many multipliers a state has: of constraints or of penalties. */
size_t rill_small_multipliers(const struct rill_state *state);

void rill_small_limit(struct rill_simulation *sim);

double rill_small_disk(const struct rill_simulation *sim, const struct rill_outputs *outputs);

#endif
