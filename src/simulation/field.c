#include "simulation/field.h"

#include <math.h>
#include <string.h>

#include "water/cell.h"

static const double usual_cutoff = 0.9; /* nm */
/* Bytes of a mesh that is too large for few molecules: liquid water needs some 300 per molecule. */
static const double large_mesh = 1e9, mesh_of_molecule = 1e5;

enum rill_status rill_cutoff_check(const struct rill_water_model *model, double cutoff, const double box[3][3],
                                   struct rill_error *error) {
  const double least = pow(2.0 * model->c12 / model->c6, 1.0 / 6.0);
  struct rill_cell cell;
  if (box != NULL) {
    RILL_TRY(rill_cell_create(box, &cell, error));
    if (0.5 * cell.shortest < least)
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "the box is too small: its shortest lattice vector, %.4g nm, allows a cutoff of %.4g nm, "
                            "and cutoffs below %.4g nm, where Lennard-Jones has its minimum, omit the nearest "
                            "neighbours; use a box of at least %.4g nm across (a crystal's cell can be repeated)",
                            cell.shortest, 0.5 * cell.shortest, least, 2.0 * least);
  }
  if (!(cutoff >= least))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "a cutoff of %g nm is shorter than the distance where Lennard-Jones has its minimum, %.4g "
                          "nm, and omits the nearest neighbours; %g nm or more is usual",
                          cutoff, least, usual_cutoff);
  return box != NULL ? rill_cell_holds(&cell, cutoff, error) : RILL_OK;
}

enum rill_status rill_field_choose(const struct rill_water_model *model, const double box[3][3],
                                   enum rill_precision precision, struct rill_field_options *field,
                                   struct rill_error *error) {
  struct rill_cell cell;
  *field = (struct rill_field_options){.periodic = true, .isa = rill_isa_best(), .threads = 1};
  RILL_TRY(rill_cell_create(box, &cell, error));
  memcpy(field->box.box, box, sizeof field->box.box);
  field->box.cutoff = fmin(usual_cutoff, 0.5 * cell.shortest);
  field->box.coulomb = RILL_COULOMB_EWALD;
  field->box.lj = RILL_LJ_SHIFT;
  field->box.precision = precision;
  return rill_cutoff_check(model, field->box.cutoff, box, error);
}

/* Refuses meshes of many GB for a few molecules before they are allocated for the measurement.  At usual accuracies
 * points are a seventh of the cutoff apart, and each takes 16 bytes. */
static enum rill_status check_mesh(size_t molecules, const struct rill_field_options *field,
                                   struct rill_error *error) {
  static const double spacing = 1.0 / 7, of_point = 16;
  const double(*box)[3] = (const double(*)[3])field->box.box;
  const double bytes = of_point * box[0][0] * box[1][1] * box[2][2] / pow(spacing * field->box.cutoff, 3);
  if (bytes <= large_mesh || bytes <= mesh_of_molecule * (double)molecules) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "a mesh of about %.2g GB for %zu molecule%s: the box is too large for particle-mesh Ewald; "
                        "use a smaller box or boundary = vacuum, or for a single energy rill energy --coulomb "
                        "ewald",
                        bytes / 1e9, molecules, molecules == 1 ? "" : "s");
}

enum rill_status rill_field_choose_mesh(const struct rill_water_model *model, size_t molecules,
                                        const double *positions, double accuracy, struct rill_field_options *field,
                                        struct rill_force_accuracy *measured, struct rill_error *error) {
  const struct rill_positions q = rill_positions_by_molecule(positions);
  RILL_TRY(check_mesh(molecules, field, error));
  return rill_water_choose_mesh(model, molecules, &q, accuracy, field, measured, error);
}

enum rill_status rill_field_choose_finest(const struct rill_water_model *model, size_t molecules,
                                          const double *positions, double accuracy, struct rill_field_options *field,
                                          double *had, struct rill_error *error) {
  struct rill_force_accuracy measured;
  enum rill_status status;
  for (*had = accuracy;; *had = fmin(10.0 * *had, 1e-2)) {
    status = rill_field_choose_mesh(model, molecules, positions, *had, field, &measured, error);
    if (status == RILL_OK || status == RILL_ERROR_MEMORY || *had >= 1e-2) break;
  }
  if (status == RILL_OK) rill_error_clear(error);
  return status;
}
