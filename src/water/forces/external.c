#include "water/forces/external.h"

#include "water/model/site.h"

/* The charge of a site M acts through the atoms that M is computed from. */
static void add_electric(const double field[3], const struct rill_water_model *model, size_t molecules, size_t stride,
                         const double *q, double *f, struct rill_exact_sum *energy) {
  double charge[RILL_ATOMS];
  rill_site_effective_charges(model, charge);
  for (size_t m = 0; m < molecules; m++) {
    double own = 0.0;
    for (size_t k = 0; k < RILL_COORDINATES; k++) {
      const double force = charge[k / 3] * field[k % 3];
      f[k * stride + m] += force;
      own -= force * q[k * stride + m];
    }
    rill_exact_add(energy, own);
  }
}

static void add_trap(double stiffness, const double centre[3], const struct rill_water_model *model, size_t molecules,
                     size_t stride, const double *q, double *f, struct rill_exact_sum *energy) {
  const double *mass = model->mass, total = mass[0] + mass[1] + mass[2];
  for (size_t c = 0; c < 3; c++)
    for (size_t m = 0; m < molecules; m++) {
      double d = -centre[c];
      for (size_t a = 0; a < RILL_ATOMS; a++) d += mass[a] / total * q[(3 * a + c) * stride + m];
      for (size_t a = 0; a < RILL_ATOMS; a++) f[(3 * a + c) * stride + m] -= stiffness * d * mass[a] / total;
      rill_exact_add(energy, 0.5 * stiffness * d * d);
    }
}

void rill_external_evaluate(const struct rill_external *external, const struct rill_water_model *model,
                            size_t molecules, size_t stride, const double offset[3], const double *q, double *f,
                            struct rill_exact_sum energy[2]) {
  if (rill_external_has_electric(external))
    add_electric(external->electric, model, molecules, stride, q, f, &energy[0]);
  if (rill_external_has_trap(external)) {
    const double centre[3] = {external->centre[0] - offset[0], external->centre[1] - offset[1],
                              external->centre[2] - offset[2]};
    add_trap(external->trap, centre, model, molecules, stride, q, f, &energy[1]);
  }
}
