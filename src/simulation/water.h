/* Declarations shared by the parts of the water kind. */
#ifndef RILL_SIMULATION_WATER_H
#define RILL_SIMULATION_WATER_H

#include "simulation/outputs.h"
#include "simulation/simulation.h"

bool rill_water_is_periodic(const struct rill_deck *deck);

/* Finds model, method and instruction set; refuses keys that do not go together. */
enum rill_status rill_water_find(struct rill_simulation *sim, struct rill_error *error);
void rill_water_limit(struct rill_simulation *sim);

/* Saves the start, so that it need not be made again: molecules, box, built or minimised positions, the mesh. */
void rill_water_archive_start(struct rill_simulation *sim, struct rill_archive *archive);

double rill_water_checkpoint_bytes(const struct rill_simulation *sim);

#endif
