#include "water/forces/oxygens.h"

#include "base/memory.h"
#include "base/simd/lanes.h"

bool rill_oxygens_create(const struct rill_water_model *model, size_t molecules, size_t width,
                         struct rill_oxygens *oxygens) {
  *oxygens = (struct rill_oxygens){.repulsion = 12.0 * model->c12,
                                   .attraction = -6.0 * model->c6,
                                   .width = width,
                                   .columns = molecules * width,
                                   .room = rill_padded(2 * molecules * width) + RILL_LANES};
  oxygens->x = rill_allocate(3 * oxygens->room, sizeof *oxygens->x);
  return oxygens->x != NULL;
}

void rill_oxygens_take(struct rill_oxygens *oxygens, size_t stride, const double *q) {
  for (size_t c = 0; c < 3; c++) {
    double *x = oxygens->x + c * oxygens->room;
    for (size_t k = 0; k < oxygens->columns; k++) x[k] = q[c * stride + k];
    for (size_t k = oxygens->columns; k < oxygens->room; k++) x[k] = x[k - oxygens->columns];
  }
}

void rill_oxygens_sum(size_t molecules, size_t stride, const double *q, double *r12, double *r6) {
  *r12 = *r6 = 0.0;
  for (size_t i = 0; i < molecules; i++)
    for (size_t j = i + 1; j < molecules; j++) {
      double r2 = 0.0, i6;
      for (size_t c = 0; c < 3; c++) {
        const double d = q[c * stride + i] - q[c * stride + j];
        r2 += d * d;
      }
      i6 = 1.0 / (r2 * r2 * r2);
      *r6 += i6;
      *r12 += i6 * i6;
    }
}
