/* The plain loops: every pair of molecules, every pair of their atoms. */
#include <math.h>

#include "water/forces/pairs.h"

void rill_pairs_reference(const struct rill_water_model *model, size_t molecules, size_t stride, const double *q,
                          double *f, struct rill_water_energies *energies) {
  double lj = 0.0, coulomb = 0.0, virial = 0.0;
  for (size_t k = 0; k < RILL_COORDINATES * stride; k++) f[k] = 0.0;
  for (size_t i = 0; i < molecules; i++)
    for (size_t j = i + 1; j < molecules; j++)
      for (size_t a = 0; a < RILL_ATOMS; a++)
        for (size_t b = 0; b < RILL_ATOMS; b++) {
          double d[3], r2 = 0.0, r, charges, force_over_r;
          for (size_t c = 0; c < 3; c++) {
            d[c] = q[(3 * a + c) * stride + i] - q[(3 * b + c) * stride + j];
            r2 += d[c] * d[c];
          }
          r = sqrt(r2);
          charges = model->coulomb_constant * model->charge[a] * model->charge[b];
          coulomb += charges / r;
          force_over_r = charges / (r * r2);
          if (a == 0 && b == 0) {
            double r6 = r2 * r2 * r2;
            lj += (model->c12 / r6 - model->c6) / r6;
            force_over_r += (12.0 * model->c12 / r6 - 6.0 * model->c6) / (r6 * r2);
          }
          virial += force_over_r * r2;
          for (size_t c = 0; c < 3; c++) {
            f[(3 * a + c) * stride + i] += force_over_r * d[c];
            f[(3 * b + c) * stride + j] -= force_over_r * d[c];
          }
        }
  if (energies != NULL) *energies = (struct rill_water_energies){lj, coulomb, virial};
}
