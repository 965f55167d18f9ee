#include "water/forces/excluded.h"

#include <math.h>

struct rill_excluded rill_excluded_create(const struct rill_water_model *model, const struct rill_smooth *smooth) {
  struct rill_excluded excluded = {.any = smooth->kind != RILL_COULOMB_CUT, .smooth = *smooth};
  /* The series is in powers of beta2 (r2 - bond2): the ninth power over 9! is below 1e-17 here. */
  excluded.trusted = 0.05 / fmax(smooth->beta * smooth->beta, 1e-3);
  for (int k = 0; k < RILL_BONDS; k++) {
    double factorial = 1.0;
    excluded.charges[k] =
        model->coulomb_constant * model->charge[rill_bond_ends[k][0]] * model->charge[rill_bond_ends[k][1]];
    excluded.bond2[k] = model->bond[k] * model->bond[k];
    for (int n = 0; n < RILL_EXCLUDED_TERMS; n++) {
      excluded.series[k][n] = rill_smooth_derivative(smooth, excluded.bond2[k], n) / factorial;
      factorial *= n + 1;
    }
  }
  if (smooth->kind == RILL_COULOMB_REACTION_FIELD)
    for (int a = 0; a < RILL_ATOMS; a++)
      excluded.own -= 0.5 * model->coulomb_constant * model->charge[a] * model->charge[a] * smooth->constant;
  return excluded;
}

/* S and S' at r2. */
static void smooth_at(const struct rill_excluded *excluded, int bond, double r2, double *value, double *slope) {
  const double *series = excluded->series[bond], x = r2 - excluded->bond2[bond];
  double s = series[RILL_EXCLUDED_TERMS - 1], d = 0.0;
  if (!(fabs(x) <= excluded->trusted)) {
    *value = rill_smooth_derivative(&excluded->smooth, r2, 0);
    *slope = rill_smooth_derivative(&excluded->smooth, r2, 1);
    return;
  }
  for (int n = RILL_EXCLUDED_TERMS - 2; n >= 0; n--) {
    d = d * x + s;
    s = s * x + series[n];
  }
  *value = s;
  *slope = d;
}

double rill_excluded_add(const struct rill_excluded *excluded, size_t stride, size_t first, size_t last,
                         const double *q, double *f) {
  double energy = 0.0;
  if (!excluded->any) return 0.0;
  for (size_t m = first; m < last; m++) {
    energy += excluded->own;
    for (int k = 0; k < RILL_BONDS; k++) {
      const size_t a = 3 * rill_bond_ends[k][0] * stride + m, b = 3 * rill_bond_ends[k][1] * stride + m;
      const double d[3] = {q[a] - q[b], q[a + stride] - q[b + stride], q[a + 2 * stride] - q[b + 2 * stride]};
      double value, slope, force_over_r;
      smooth_at(excluded, k, d[0] * d[0] + d[1] * d[1] + d[2] * d[2], &value, &slope);
      energy -= excluded->charges[k] * value;
      force_over_r = 2.0 * excluded->charges[k] * slope;
      for (size_t c = 0; c < 3; c++) {
        f[a + c * stride] += force_over_r * d[c];
        f[b + c * stride] -= force_over_r * d[c];
      }
    }
  }
  return energy;
}
