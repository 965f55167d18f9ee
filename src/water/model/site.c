#include "water/model/site.h"

#include <math.h>

/* From M to H1 is (1 - a) b1 - a b2, with b1 and b2 the bonds of the oxygen. */
static double from_site(double a, double own, double other, double product) {
  return sqrt((1.0 - a) * (1.0 - a) * own * own + a * a * other * other - 2.0 * a * (1.0 - a) * product);
}

struct rill_water_model rill_water_charges(const struct rill_water_model *model) {
  const double a = model->site_weight, *bond = model->bond, *mass = model->mass;
  const double product = 0.5 * (bond[0] * bond[0] + bond[1] * bond[1] - bond[2] * bond[2]);
  struct rill_water_model charges = *model;
  if (a == 0.0) return charges;
  charges.c12 = charges.c6 = charges.site_weight = 0.0;
  charges.bond[0] = from_site(a, bond[0], bond[1], product);
  charges.bond[1] = from_site(a, bond[1], bond[0], product);
  charges.mass[0] = mass[0] / (1.0 - 2.0 * a);
  charges.mass[1] = mass[1] - a * charges.mass[0];
  charges.mass[2] = mass[2] - a * charges.mass[0];
  return charges;
}

void rill_site_effective_charges(const struct rill_water_model *model, double charge[RILL_ATOMS]) {
  const double part = model->site_weight * model->charge[0];
  charge[0] = model->charge[0] - 2.0 * part;
  charge[1] = model->charge[1] + part;
  charge[2] = model->charge[2] + part;
}

void rill_site_place(double weight, size_t stride, size_t first, size_t last, const double *q, double *charges) {
  const double rest = 1.0 - 2.0 * weight;
  for (size_t c = 0; c < 3; c++) {
    const double *o = q + c * stride, *h1 = o + 3 * stride, *h2 = o + 6 * stride;
    double *m = charges + c * stride;
#pragma omp simd
    for (size_t k = first; k < last; k++) {
      m[k] = rest * o[k] + weight * (h1[k] + h2[k]);
      m[3 * stride + k] = h1[k];
      m[6 * stride + k] = h2[k];
    }
  }
}

void rill_site_spread(double weight, size_t stride, size_t first, size_t last, double *f) {
  const double rest = 1.0 - 2.0 * weight;
  for (size_t c = 0; c < 3; c++) {
    double *o = f + c * stride, *h1 = o + 3 * stride, *h2 = o + 6 * stride;
#pragma omp simd
    for (size_t k = first; k < last; k++) {
      const double part = weight * o[k];
      o[k] *= rest;
      h1[k] += part;
      h2[k] += part;
    }
  }
}

void rill_site_add(double weight, size_t stride, size_t first, size_t last, const double *g, double *f) {
  const double rest = 1.0 - 2.0 * weight;
  for (size_t c = 0; c < 3; c++) {
    const double *on_m = g + c * stride, *on_h1 = on_m + 3 * stride, *on_h2 = on_m + 6 * stride;
    double *o = f + c * stride, *h1 = o + 3 * stride, *h2 = o + 6 * stride;
#pragma omp simd
    for (size_t k = first; k < last; k++) {
      o[k] += rest * on_m[k];
      h1[k] += on_h1[k] + weight * on_m[k];
      h2[k] += on_h2[k] + weight * on_m[k];
    }
  }
}
