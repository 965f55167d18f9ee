/* Declarations shared by the parts of the water kind. */
#ifndef RILL_SIMULATION_WATER_H
#define RILL_SIMULATION_WATER_H

#include "simulation/outputs.h"
#include "simulation/simulation.h"

bool rill_water_is_periodic(const struct rill_deck *deck);
bool rill_water_has_electric(const struct rill_deck *deck);

/* The deck's model: its row of the table, or the numbers of `custom`.  RILL_ERROR_INPUT says what is wrong with it.
 */
enum rill_status rill_water_model_of_deck(const struct rill_deck *deck, struct rill_water_species *species,
                                          struct rill_water_model *model, struct rill_error *error);

/* Finds model, method and instruction set; refuses keys that do not go together. */
enum rill_status rill_water_find(struct rill_simulation *sim, struct rill_error *error);
void rill_water_limit(struct rill_simulation *sim);

/* Saves the start, so that it need not be made again: molecules, box, built or minimised positions, the mesh. */
void rill_water_archive_start(struct rill_simulation *sim, struct rill_archive *archive);

/* What the ranks that share a box must know to make their parts of it. */
struct rill_water_share {
  size_t molecules;
  double box[3][3];
  struct rill_pme_parameters mesh;
  enum rill_isa isa; /* a resumed run has that of its checkpoint */
  struct rill_bricks bricks;
  int mesh_ranks;
};
void rill_water_describe_share(const struct rill_simulation *sim, struct rill_water_share *share);

/* Makes sim->system this rank's part, without molecules, in place of none. */
enum rill_status rill_water_create_share(struct rill_simulation *sim, const struct rill_water_share *share,
                                         struct rill_ranks *ranks, struct rill_error *error);

/* On rank 0, after all have made their parts: gives them the start, or the state of a resumed run.  Of sim->structure
 * remains what checkpoints need: positions that do not come from a file. */
enum rill_status rill_water_hand_out_start(struct rill_simulation *sim, struct rill_error *error);

double rill_water_checkpoint_bytes(const struct rill_simulation *sim);

#endif
