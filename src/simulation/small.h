/* Declarations shared by the parts of the small kind. */
#ifndef RILL_SIMULATION_SMALL_H
#define RILL_SIMULATION_SMALL_H

#include "simulation/outputs.h"
#include "simulation/simulation.h"

/* Parses the text of a small system's key; the message has no leading position, which the deck adds. */
enum rill_status rill_parameter_of_deck(const struct rill_system_type *type, size_t index, const char *text,
                                        struct rill_parameter_value *value, struct rill_error *error);

/* The series of a small system has coordinates and momenta if there are no more than this many. */
enum { RILL_SMALL_SERIES_COORDINATES = 100 };

/* Whether the method moves other coordinates than the positions, as the Zhang-Skeel family does. */
bool rill_small_moves_other_coordinates(const struct rill_simulation *sim);
/* The number of multipliers of a state: of constraints or of penalties. */
size_t rill_small_multipliers(const struct rill_state *state);

void rill_small_limit(struct rill_simulation *sim);

/* Writes notes about a heat bath: means that begin after the end of the run, and friction that shifts temperatures.
 * system: that of the deck, or a replica of it. */
void rill_small_warn(const struct rill_simulation *sim, const struct rill_system *system);

#endif
