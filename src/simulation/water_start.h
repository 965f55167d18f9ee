/* Starts of water: fitting structures to a model's geometry, separating molecules, minimising; velocities. */
#ifndef RILL_SIMULATION_WATER_START_H
#define RILL_SIMULATION_WATER_START_H

#include "base/notes.h"
#include "simulation/simulation.h"
#include "water/relax/minimize.h"

/* Uses a structure's box, or ignores it in vacuum, with a note.  boundary: "vacuum", "periodic", or NULL, which is
 * RILL_ERROR_INPUT where the file has a box; so is "periodic" where it has none. */
enum rill_status rill_start_choose_boundary(const char *boundary, struct rill_structure *structure, const char *path,
                                            const struct rill_notes *notes, struct rill_error *error);

/* Writes a note when the molecules have the geometry of another model than this. */
void rill_start_note_geometry(const struct rill_water_model *model, const struct rill_structure *structure,
                              const char *path, const struct rill_notes *notes);

/* Fits molecules to the model's geometry; a note says by how much they change; a deviation above 20 % is refused.
 * path: for messages. */
enum rill_status rill_start_rigidify(const struct rill_water_model *model, struct rill_structure *structure,
                                     const char *path, const struct rill_notes *notes, struct rill_error *error);

/* Separates overlapping molecules; a note says how far they move. */
enum rill_status rill_start_separate(struct rill_structure *structure, const char *path,
                                     const struct rill_notes *notes, struct rill_error *error);

/* How forces in the structure's box are evaluated while it is minimised: with a mesh accurate to 1e-6, or, with a
 * note, as fine as the box allows; overlapping molecules are separated first. */
enum rill_status rill_start_choose_field(const struct rill_water_model *model, struct rill_structure *structure,
                                         const char *path, const struct rill_notes *notes,
                                         struct rill_field_options *field, struct rill_error *error);

/* Minimises the rigid molecules of the structure that path names; a start that cannot be minimised is unusable input.
 * A note says how far overlapping molecules were moved. */
enum rill_status rill_start_minimize(const struct rill_water_model *model,
                                     const struct rill_minimize_options *options, struct rill_structure *structure,
                                     const char *path, const struct rill_notes *notes,
                                     struct rill_minimize_report *report, struct rill_error *error);

/* Velocities according to the deck: drawn, from the file, or none, without the momenta that start.remove removes.
 * Notes say what a file's velocities lose. */
enum rill_status rill_start_velocities(struct rill_simulation *sim, struct rill_error *error);

/* The part of the title of the last frame of a thermostatted run before GROMACS's ", t= 1.5 step= 750": its seed. */
#define RILL_TITLE_SEED ", seed "

#endif
