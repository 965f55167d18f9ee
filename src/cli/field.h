/* How forces in a box are evaluated where no deck says it. */
#ifndef RILL_CLI_FIELD_H
#define RILL_CLI_FIELD_H

#include "water/water_field.h"

/* Particle-mesh Ewald of the given accuracy with a cutoff of 0.9 nm, or half of the shortest lattice vector of a box
 * that does not hold that.  box: [3][3], nm. */
enum rill_status rill_field_choose(const struct rill_water_model *model, size_t molecules, const double box[3][3],
                                   enum rill_precision precision, double accuracy, struct rill_field_options *field,
                                   struct rill_error *error);

#endif
