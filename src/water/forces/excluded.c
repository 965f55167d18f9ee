#include "water/forces/excluded.h"

#include <math.h>

#include "water/model/site.h"

struct rill_excluded rill_excluded_create(const struct rill_water_model *model, const struct rill_smooth *smooth) {
  const struct rill_water_model of = rill_water_charges(model);
  struct rill_excluded excluded = {
      .any = smooth->kind != RILL_COULOMB_CUT, .terms = 1, .smooth = *smooth, .site_weight = model->site_weight};
  /* The series is in powers of beta2 (r2 - bond2): the ninth power over 9! is below 1e-17 here. */
  excluded.trusted = 0.05 / fmax(smooth->beta * smooth->beta, 1e-3);
  for (int k = 0; k < RILL_BONDS; k++) {
    double factorial = 1.0;
    excluded.charges[k] = of.coulomb_constant * of.charge[rill_bond_ends[k][0]] * of.charge[rill_bond_ends[k][1]];
    excluded.bond2[k] = of.bond[k] * of.bond[k];
    for (int n = 0; n < RILL_EXCLUDED_TERMS; n++) {
      excluded.series[k][n] = rill_smooth_derivative(smooth, excluded.bond2[k], n) / factorial;
      if (excluded.series[k][n] != 0.0 && n >= excluded.terms) excluded.terms = n + 1;
      factorial *= n + 1;
    }
  }
  if (smooth->kind == RILL_COULOMB_REACTION_FIELD)
    for (int a = 0; a < RILL_ATOMS; a++)
      excluded.own -= 0.5 * of.coulomb_constant * of.charge[a] * of.charge[a] * smooth->constant;
  return excluded;
}

/* S and S' at r2. */
static void smooth_at(const struct rill_excluded *excluded, int bond, double r2, double *value, double *slope) {
  const double *series = excluded->series[bond], x = r2 - excluded->bond2[bond];
  double s = series[excluded->terms - 1], d = 0.0;
  if (!(fabs(x) <= excluded->trusted)) {
    *value = rill_smooth_derivative(&excluded->smooth, r2, 0);
    *slope = rill_smooth_derivative(&excluded->smooth, r2, 1);
    return;
  }
  for (int n = excluded->terms - 2; n >= 0; n--) {
    d = d * x + s;
    s = s * x + series[n];
  }
  *value = s;
  *slope = d;
}

/* One molecule: x and f are columns of rows that are `stride` apart. */
static void exclude(const struct rill_excluded *excluded, size_t stride, const double *x, double *f, double *energy) {
  *energy += excluded->own;
  for (int k = 0; k < RILL_BONDS; k++) {
    const size_t a = 3 * rill_bond_ends[k][0] * stride, b = 3 * rill_bond_ends[k][1] * stride;
    const double d[3] = {x[a] - x[b], x[a + stride] - x[b + stride], x[a + 2 * stride] - x[b + 2 * stride]};
    double value, slope, force_over_r;
    smooth_at(excluded, k, d[0] * d[0] + d[1] * d[1] + d[2] * d[2], &value, &slope);
    *energy -= excluded->charges[k] * value;
    force_over_r = 2.0 * excluded->charges[k] * slope;
    for (size_t c = 0; c < 3; c++) {
      f[a + c * stride] += force_over_r * d[c];
      f[b + c * stride] -= force_over_r * d[c];
    }
  }
}

static void exclude_with_site(const struct rill_excluded *excluded, size_t stride, const double *q, double *f,
                              double *energy) {
  double atoms[RILL_COORDINATES], charges[RILL_COORDINATES], forces[RILL_COORDINATES] = {0.0};
  for (size_t k = 0; k < RILL_COORDINATES; k++) atoms[k] = q[k * stride];
  rill_site_place(excluded->site_weight, 1, 0, 1, atoms, charges);
  exclude(excluded, 1, charges, forces, energy);
  rill_site_spread(excluded->site_weight, 1, 0, 1, forces);
  for (size_t k = 0; k < RILL_COORDINATES; k++) f[k * stride] += forces[k];
}

void rill_excluded_add(const struct rill_excluded *excluded, size_t stride, size_t first, size_t last,
                       const double *q, double *f, struct rill_exact_sum *energy) {
  if (!excluded->any) return;
  for (size_t m = first; m < last; m++) {
    double own = 0.0;
    if (excluded->site_weight != 0.0) exclude_with_site(excluded, stride, q + m, f + m, &own);
    else exclude(excluded, stride, q + m, f + m, &own);
    if (energy != NULL) rill_exact_add(energy, own);
  }
}
