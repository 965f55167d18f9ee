#include "water/penalty/penalty.h"

#include <math.h>

enum rill_status rill_penalty_create(const struct rill_water_model *model, double stiffness,
                                     struct rill_penalty *penalty, struct rill_error *error) {
  *penalty = (struct rill_penalty){.stiffness2 = stiffness * stiffness};
  if (!(stiffness > 0) || !isfinite(penalty->stiffness2))
    return rill_error_set(error, RILL_ERROR_INPUT, "penalty stiffness %g sqrt(kJ/mol)/nm2; expected a number above 0",
                          stiffness);
  for (int i = 0; i < RILL_ATOMS; i++) {
    if (!(model->mass[i] > 0))
      return rill_error_set(error, RILL_ERROR_INPUT, "atom %d of model %s has mass %g u; masses must be positive", i,
                            model->name, model->mass[i]);
    penalty->mass[i] = model->mass[i];
    penalty->inverse_mass[i] = 1.0 / model->mass[i];
  }
  for (int c = 0; c < RILL_BONDS; c++) penalty->d2[c] = model->bond[c] * model->bond[c];
  return RILL_OK;
}

double rill_penalty_energy(const struct rill_penalty *penalty, size_t molecules, size_t stride, const double *q) {
  double sum = 0;
  for (size_t m = 0; m < molecules; m++)
    for (size_t b = 0; b < RILL_BONDS; b++) {
      double g = -penalty->d2[b];
      for (size_t c = 0; c < 3; c++) {
        double r = q[(3 * rill_bond_ends[b][1] + c) * stride + m] - q[(3 * rill_bond_ends[b][0] + c) * stride + m];
        g += r * r;
      }
      sum += g * g;
    }
  return 0.5 * penalty->stiffness2 * sum;
}

double rill_penalty_bond_constant(const struct rill_penalty *penalty, int bond) {
  return 4 * penalty->stiffness2 * penalty->d2[bond];
}

/* w^2 Dg M^-1 Dg^T = 4 w^2 A_ce r_c.r_e at the model's geometry; its largest eigenvalue, by the power method. */
double rill_penalty_frequency(const struct rill_penalty *penalty) {
  const double *d2 = penalty->d2, *b = penalty->inverse_mass, dot = 0.5 * (d2[0] + d2[1] - d2[2]);
  const double matrix[RILL_BONDS][RILL_BONDS] = {
      {(b[0] + b[1]) * d2[0], b[0] * dot, -b[1] * (dot - d2[0])},
      {b[0] * dot, (b[0] + b[2]) * d2[1], b[2] * (d2[1] - dot)},
      {-b[1] * (dot - d2[0]), b[2] * (d2[1] - dot), (b[1] + b[2]) * d2[2]}};
  double x[RILL_BONDS] = {1, 1, 1.5}, value = 0;
  for (int pass = 0; pass < 200; pass++) {
    double y[RILL_BONDS] = {0};
    value = 0;
    for (int c = 0; c < RILL_BONDS; c++) {
      for (int e = 0; e < RILL_BONDS; e++) y[c] += matrix[c][e] * x[e];
      value += y[c] * y[c];
    }
    value = sqrt(value);
    for (int c = 0; c < RILL_BONDS; c++) x[c] = y[c] / value;
  }
  return sqrt(4 * penalty->stiffness2 * value);
}
