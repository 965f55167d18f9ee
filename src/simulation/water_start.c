#include "simulation/water_start.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "simulation/water.h"
#include "simulation/field.h"
#include "water/relax/separate.h"
#include "water/water_sample.h"

/* Above this deviation a molecule is not that of a rigid model: any two of them are up to 0.16 apart (OPC and
 * TIP3P-FB). */
static const double geometry_limit = 0.20;
/* Molecules of another model are recognised, when they are this near to it: 3-decimal GRO. */
static const double geometry_alike = 0.01;
/* A deviation below this is not reported: it is the rounding of a file with 7 decimals. */
static const double geometry_notice = 1e-6;
/* A smaller loss of a file's kinetic energy is rounding: 4 decimals, 1 K. */
static const double kinetic_notice = 1e-5;

/* Says whose geometry the molecules have if it is that of another model; "" if none's. */
static const char *describe_other(const struct rill_structure *structure, double deviation, char text[256]) {
  char names[192];
  size_t worst;
  double nearest;
  const struct rill_water_species *species =
      rill_water_nearest_geometry(structure->positions, structure->molecules, &nearest, &worst);
  if (nearest < geometry_alike && nearest < 0.5 * deviation)
    snprintf(text, 256, "; theirs is that of %s", rill_water_geometry_names(species, names, sizeof names));
  else text[0] = '\0';
  return text;
}

void rill_start_note_geometry(const struct rill_water_model *model, const struct rill_structure *structure,
                              const char *path, const struct rill_notes *notes) {
  char other[256];
  size_t worst;
  const double deviation = rill_water_deviation(model, structure->positions, structure->molecules, &worst);
  if (describe_other(structure, deviation, other)[0] == '\0') return;
  rill_note(notes, "note: %s: bonds deviate from those of %s by up to %.2g of their length%s: --model names another",
            path, model->name, deviation, other);
}

enum rill_status rill_start_rigidify(const struct rill_water_model *model, struct rill_structure *structure,
                                     const char *path, const struct rill_notes *notes, struct rill_error *error) {
  char other[256];
  size_t worst;
  double deviation = rill_water_deviation(model, structure->positions, structure->molecules, &worst);
  if (!(deviation <= geometry_limit))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s: molecule %zu deviates from the geometry of %s by %.3g of a bond length (limit %.2g): "
                          "O-H %.5f nm, H-O-H %.2f degrees are expected; is this another model, or are lengths in "
                          "another unit?",
                          path, worst + 1, model->name, deviation, geometry_limit, model->bond[0],
                          rill_water_angle(model));
  if (notes != NULL && deviation > geometry_notice)
    rill_note(notes,
              "note: %s: molecules were fitted to the geometry of %s, from which they deviated by up to %.2g of a "
              "bond length (molecule %zu)%s",
              path, model->name, deviation, worst + 1, describe_other(structure, deviation, other));
  return rill_water_rigidify(model, structure->positions, structure->molecules, error);
}

enum rill_status rill_start_separate(struct rill_structure *structure, const char *path,
                                     const struct rill_notes *notes, struct rill_error *error) {
  const double(*box)[3] = structure->has_box ? (const double(*)[3])structure->box : NULL;
  struct rill_separation separation;
  if (rill_water_separate(structure->molecules, box, structure->positions, &separation, error) != RILL_OK)
    return rill_error_prefix(error, "%s", path);
  if (notes != NULL && separation.moved > 0)
    rill_note(
        notes,
        "note: %s: molecules %zu and %zu overlap, with atoms %.3g nm apart; before the minimisation %zu molecules "
        "were moved apart, by up to %.3g nm",
        path, separation.closest.first + 1, separation.closest.second + 1, separation.closest.distance,
        separation.moved, separation.farthest);
  return RILL_OK;
}

enum rill_status rill_start_choose_field(const struct rill_water_model *model, struct rill_structure *structure,
                                         const char *path, const struct rill_notes *notes,
                                         struct rill_field_options *field, struct rill_error *error) {
  static const double accuracy = 1e-6; /* the error of the mesh must not hide the minimum */
  double had;
  RILL_TRY(rill_start_separate(structure, path, notes, error)); /* the mesh is measured on the separated molecules */
  RILL_TRY(rill_field_choose(model, (const double(*)[3])structure->box, RILL_PRECISION_DOUBLE, field, error));
  RILL_TRY(rill_field_choose_finest(model, structure->molecules, structure->positions, accuracy, field, &had, error));
  if (had > accuracy && notes != NULL)
    rill_note(notes, "note: %s: with a cutoff of %.4g nm, the longest in this box, forces are accurate to %g, not %g",
              path, field->box.cutoff, had, accuracy);
  return RILL_OK;
}

enum rill_status rill_start_minimize(const struct rill_water_model *model,
                                     const struct rill_minimize_options *options, struct rill_structure *structure,
                                     const char *path, const struct rill_notes *notes,
                                     struct rill_minimize_report *report, struct rill_error *error) {
  RILL_TRY(rill_start_separate(structure, path, notes, error));
  if (rill_water_minimize(model, structure->molecules, options, structure->positions, report, error) == RILL_OK)
    return RILL_OK;
  if (error->status == RILL_ERROR_NOT_FINITE) error->status = RILL_ERROR_INPUT;
  return rill_error_prefix(error, "%s", path);
}

/* ---- velocities ---- */

static enum rill_status draw_and_remove(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  char place[RILL_DECK_PLACE];
  if (deck->start.velocities == RILL_VELOCITIES_MAXWELL)
    RILL_TRY(rill_water_draw_velocities(&sim->system, deck->start.temperature, deck->start.seed, error));
  if (rill_water_remove_momentum(&sim->system, deck->start.remove, error) != RILL_OK)
    return rill_error_prefix(error, "%s", rill_deck_place(deck, "start", "remove", place));
  return RILL_OK;
}

static double kinetic_energy(const struct rill_simulation *sim, const double *velocities) {
  double sum = 0;
  for (size_t i = 0; i < 9 * sim->structure.molecules; i++)
    sum += 0.5 * sim->model.mass[i / 3 % 3] * velocities[i] * velocities[i];
  return sum;
}

/* Reports the kinetic energy that a file's velocities lose before the run, if it is more than rounding.  *energy: the
 * energy before; replaced by what remains. */
static void note_loss(const struct rill_simulation *sim, double *energy, const char *what) {
  const double freedom = sim->system.ops->degrees_of_freedom(sim->system.self);
  const double left = rill_water_kinetic_energy(&sim->system), lost = *energy - left;
  if (lost > kinetic_notice * *energy)
    rill_note(
        sim->notes,
        "note: %s: %.3g %% of the kinetic energy of its velocities (%.4g of %.4g kJ/mol) is %s; %.4g kJ/mol is left, "
        "%.4g K",
        sim->deck.system.structure, 100 * lost / *energy, lost, *energy, what, left,
        2 * left / (freedom * RILL_GAS_CONSTANT));
  *energy = left;
}

enum rill_status rill_start_velocities(struct rill_simulation *sim, struct rill_error *error) {
  static const char along_bonds[] =
      "motion along bonds, which rigid molecules do not have, and is removed (velocities of a flexible model, or in "
      "another unit? start.velocities = maxwell draws new ones)";
  const struct rill_deck *deck = &sim->deck;
  double energy;
  if (sim->notes == NULL || sim->continued != NULL || deck->start.velocities != RILL_VELOCITIES_FILE)
    return draw_and_remove(sim, error);
  energy = kinetic_energy(sim, sim->structure.velocities);
  if (!(deck->penalty.stiffness > 0)) note_loss(sim, &energy, along_bonds);
  RILL_TRY(draw_and_remove(sim, error));
  note_loss(sim, &energy, "motion of the whole system, which start.remove removes");
  return RILL_OK;
}

enum rill_status rill_start_choose_boundary(const char *boundary, struct rill_structure *structure, const char *path,
                                            const struct rill_notes *notes, struct rill_error *error) {
  const bool periodic = boundary != NULL && strcmp(boundary, "periodic") == 0;
  if (periodic && !structure->has_box)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s has no box, but --boundary periodic needs one", path);
  if (structure->has_box && boundary == NULL)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s has a box: choose --boundary periodic, or vacuum, which does not use it", path);
  if (structure->has_box && !periodic)
    rill_note(notes, "note: %s: the file's box is ignored, --boundary vacuum", path);
  structure->has_box = periodic;
  return RILL_OK;
}
