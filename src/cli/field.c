#include "cli/field.h"

#include <math.h>
#include <string.h>

#include "water/neighbours/box.h"
#include "water/pme/accuracy.h"

static const double usual_cutoff = 0.9; /* nm */

enum rill_status rill_field_choose(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                   enum rill_precision precision, double accuracy, struct rill_field_options *field,
                                   struct rill_error *error) {
  const enum rill_mesh_precision mesh = precision == RILL_PRECISION_MIXED ? RILL_MESH_SINGLE : RILL_MESH_DOUBLE;
  struct rill_box cell;
  *field = (struct rill_field_options){.periodic = true};
  RILL_TRY(rill_box_create(box, &cell, error));
  memcpy(field->box.box, box, sizeof field->box.box);
  field->box.cutoff = fmin(usual_cutoff, 0.5 * cell.shortest);
  field->box.coulomb = RILL_COULOMB_EWALD;
  field->box.lj = RILL_LJ_SHIFT;
  field->box.precision = precision;
  RILL_TRY(rill_pme_choose(model, molecules, box, field->box.cutoff, accuracy, mesh, &field->mesh, error));
  field->box.beta = field->mesh.beta;
  return RILL_OK;
}
