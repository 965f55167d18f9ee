/* The forces of [force], [control] and [friction] on a small system. */
#ifndef RILL_SIMULATION_FORCING_H
#define RILL_SIMULATION_FORCING_H

#include "simulation/simulation.h"

/* Reads them from the deck, and its table from its file, into sim->forcing, which sim->system then refers to; nothing
 * without these sections.  RILL_ERROR_INPUT: numbers for another number of coordinates, a table that does not cover
 * the run, or an ensemble. */
enum rill_status rill_simulation_force(struct rill_simulation *sim, struct rill_error *error);

/* Writes the table to a checkpoint, or reads it from there: a resumed run does not depend on the file. */
void rill_simulation_archive_forcing(struct rill_simulation *sim, struct rill_archive *archive);

#endif
