#include "simulation/water_amount.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "simulation/field.h"

static const double least_density = 0.01, most_density = 1.5; /* g/cm3 */
/* Accuracy of the forces while a box is relaxed: that of a run. */
static const double accuracy = 5e-4;

enum rill_status rill_water_amount_complete(const struct rill_water_model *model, struct rill_water_amount *amount,
                                            struct rill_error *error) {
  const double mass = model->mass[0] + model->mass[1] + model->mass[2];
  double volume = amount->edge[0] * amount->edge[1] * amount->edge[2], number;
  if (volume > 0 && amount->molecules > 0) amount->density = (double)amount->molecules * mass / volume;
  if (!(amount->density >= least_density * RILL_GRAM_PER_CM3 && amount->density <= most_density * RILL_GRAM_PER_CM3))
    return rill_error_set(error, RILL_ERROR_USAGE, "a density of %g g/cm3; expected %g to %g",
                          amount->density / RILL_GRAM_PER_CM3, least_density, most_density);
  if (amount->molecules == 0) {
    number = nearbyint(volume * amount->density / mass);
    if (!(number >= 1 && number <= RILL_MOST_OF_BOXES))
      return rill_error_set(error, RILL_ERROR_USAGE, "a box of %g nm3 holds %.0f molecules; expected 1 to %d", volume,
                            number, RILL_MOST_OF_BOXES);
    amount->molecules = (size_t)number;
  }
  if (!(volume > 0)) {
    for (int i = 0; i < 3; i++) amount->edge[i] = cbrt((double)amount->molecules * mass / amount->density);
    volume = amount->edge[0] * amount->edge[1] * amount->edge[2];
  }
  amount->density = (double)amount->molecules * mass / volume;
  return RILL_OK;
}

static enum rill_status fill_box(const struct rill_water_model *model, const struct rill_water_amount *amount,
                                 const struct rill_build_options *options, struct rill_structure *structure,
                                 struct rill_build_report *report, struct rill_error *error) {
  struct rill_field_options field;
  structure->has_box = true;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) structure->box[i][j] = i == j ? amount->edge[i] : 0;
  RILL_TRY(rill_field_choose(model, (const double(*)[3])structure->box, RILL_PRECISION_MIXED, &field, error));
  RILL_TRY(rill_water_estimate_mesh(model, structure->molecules, accuracy, &field, error));
  return rill_water_build_box(model, structure->molecules, &field, options, structure->positions, report, error);
}

enum rill_status rill_water_amount_build(const struct rill_water_model *model, const struct rill_water_amount *amount,
                                         const struct rill_build_options *options, struct rill_structure *structure,
                                         struct rill_build_report *report, struct rill_error *error) {
  RILL_TRY(rill_structure_allocate(structure, amount->molecules, false, error));
  if (amount->boxed) RILL_TRY(fill_box(model, amount, options, structure, report, error));
  else RILL_TRY(rill_water_build_cluster(model, amount->molecules, options, structure->positions, report, error));
  snprintf(structure->title, sizeof structure->title, "%zu water molecules (%s), relaxed, seed %" PRIu64,
           amount->molecules, model->name, options->seed);
  return RILL_OK;
}
