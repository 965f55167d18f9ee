#include "water/pme/lattice.h"

#include <math.h>
#include <string.h>

enum rill_status rill_lattice_find(const struct rill_water_model *model, const double box[3][3],
                                   struct rill_lattice *lattice, struct rill_error *error) {
  const double net = model->charge[0] + model->charge[1] + model->charge[2];
  double(*v)[3] = lattice->inverse;
  if (!(fabs(net) < 1e-10))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "molecules of model %s have the charge %g e; the Ewald sum of a periodic box needs neutral "
                          "ones: an infinite charged system has no finite energy",
                          model->name, net);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      if (!isfinite(box[i][j]) || (j > i && box[i][j] != 0.0) || (j == i && box[i][j] <= 0.0))
        return rill_error_set(error, RILL_ERROR_INPUT,
                              "box vector %c has the %c component %g nm; expected a lower triangular box, "
                              "a = (ax, 0, 0), b = (bx, by, 0), c = (cx, cy, cz), with ax, by, cz > 0",
                              'a' + i, 'x' + j, box[i][j]);
    }
  memcpy(lattice->box, box, sizeof lattice->box);
  memset(v, 0, sizeof lattice->inverse);
  for (int i = 0; i < 3; i++) v[i][i] = 1.0 / box[i][i];
  v[1][0] = -box[1][0] * v[0][0] * v[1][1];
  v[2][1] = -box[2][1] * v[1][1] * v[2][2];
  v[2][0] = -(box[2][0] * v[0][0] + box[2][1] * v[1][0]) * v[2][2];
  lattice->volume = box[0][0] * box[1][1] * box[2][2];
  return RILL_OK;
}

void rill_virial_of_molecules(const struct rill_water_model *model, size_t molecules, size_t stride, const double *q,
                              const double *f, const double atomic[3][3], double molecular[3][3]) {
  const double mass = model->mass[0] + model->mass[1] + model->mass[2];
  memcpy(molecular, atomic, 9 * sizeof(double));
  for (size_t m = 0; m < molecules; m++)
    for (size_t i = 0; i < 3; i++) {
      double centre = 0.0;
      for (size_t a = 0; a < RILL_ATOMS; a++) centre += model->mass[a] / mass * q[(3 * a + i) * stride + m];
      for (size_t j = 0; j < 3; j++)
        for (size_t a = 0; a < RILL_ATOMS; a++)
          molecular[i][j] -= (q[(3 * a + i) * stride + m] - centre) * f[(3 * a + j) * stride + m];
    }
}
