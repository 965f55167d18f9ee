#include "systems/fixman.h"

#include <math.h>

enum rill_status rill_fixman_create(const struct rill_mechanical *mechanical, const double *inverse_mass,
                                    struct rill_fixman *fixman, struct rill_error *error) {
  *fixman = (struct rill_fixman){.mechanical = mechanical, .inverse_mass = inverse_mass};
  return rill_band_create(mechanical->m, mechanical->reach, &fixman->product, error);
}

void rill_fixman_destroy(struct rill_fixman *fixman) {
  rill_band_destroy(&fixman->product);
  *fixman = (struct rill_fixman){0};
}

double rill_fixman_potential(struct rill_fixman *fixman, double temperature, const double *q, double *gradient) {
  const struct rill_mechanical *mechanical = fixman->mechanical;
  const double scale = 0.5 * temperature;
  double log_determinant;
  rill_band_clear(&fixman->product);
  mechanical->ops->add_constraint_product(mechanical->self, q, fixman->inverse_mass, q, &fixman->product);
  if (!rill_band_invert_within(&fixman->product, &log_determinant)) return NAN;
  if (gradient != NULL)
    mechanical->ops->add_product_gradient(mechanical->self, q, fixman->inverse_mass, &fixman->product, scale,
                                          gradient);
  return scale * log_determinant;
}
