#include "water/model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

static const double radians_per_degree = 3.14159265358979323846 / 180.0;

/* A hydrogen whose bisector or half separation is below this fraction of the bonds gives no reliable direction. */
static const double smallest_direction = 1e-6;

enum rill_status rill_water_model_find(const char *name, double coulomb_constant, struct rill_water_model *model,
                                       struct rill_error *error) {
  double sigma6 = pow(RILL_TIP3P_SIGMA, 6.0);
  *model = (struct rill_water_model){
      .coulomb_constant = coulomb_constant != 0.0 ? coulomb_constant : RILL_COULOMB_CONSTANT,
      .mass = {RILL_MASS_O, RILL_MASS_H, RILL_MASS_H},
      .charge = {RILL_TIP3P_CHARGE_O, RILL_TIP3P_CHARGE_H, RILL_TIP3P_CHARGE_H},
      .bond = {RILL_TIP3P_OH, RILL_TIP3P_OH,
               2.0 * RILL_TIP3P_OH * sin(0.5 * RILL_TIP3P_ANGLE_DEGREES * radians_per_degree)},
  };
  if (strcmp(name, "tip3p") == 0) {
    model->c6 = 4.0 * RILL_TIP3P_EPSILON * sigma6;
    model->c12 = model->c6 * sigma6;
  } else if (strcmp(name, "tip3p-ac") == 0) {
    model->c6 = RILL_TIP3P_AC_C;
    model->c12 = RILL_TIP3P_AC_A;
  } else {
    return rill_error_set(error, RILL_ERROR_INPUT, "unknown water model '%s'; known: tip3p, tip3p-ac", name);
  }
  snprintf(model->name, sizeof model->name, "%s", name);
  return RILL_OK;
}

static double length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double distance(const double a[3], const double b[3]) {
  return length((const double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

double rill_water_deviation(const struct rill_water_model *model, const double *positions, size_t molecules,
                            size_t *worst) {
  static const int ends[RILL_BONDS][2] = {{0, 1}, {0, 2}, {1, 2}};
  double largest = 0.0;
  if (worst != NULL) *worst = 0;
  for (size_t m = 0; m < molecules; m++) {
    const double *atom = positions + RILL_COORDINATES * m;
    for (int k = 0; k < RILL_BONDS; k++) {
      double d = distance(atom + 3 * ends[k][0], atom + 3 * ends[k][1]);
      double deviation = fabs(d - model->bond[k]) / model->bond[k];
      if (deviation <= largest) continue;
      largest = deviation; /* also if it is NaN */
      if (worst != NULL) *worst = m;
      if (isnan(deviation)) return deviation;
    }
  }
  return largest;
}

/* With unit vectors u1, u2 along the bonds, u1 + u2 is the bisector; u1 - u2 is perpendicular to it, in the plane. */
enum rill_status rill_water_rigidify(const struct rill_water_model *model, double *positions, size_t molecules,
                                     struct rill_error *error) {
  const double half = 0.5 * model->bond[2];
  const double height[2] = {sqrt(model->bond[0] * model->bond[0] - half * half),
                            sqrt(model->bond[1] * model->bond[1] - half * half)};
  for (size_t m = 0; m < molecules; m++) {
    double *o = positions + RILL_COORDINATES * m, *h1 = o + 3, *h2 = o + 6;
    double bond1 = distance(h1, o), bond2 = distance(h2, o), bisector[3], across[3], along, aside;
    for (int c = 0; c < 3; c++) {
      double u1 = (h1[c] - o[c]) / bond1, u2 = (h2[c] - o[c]) / bond2;
      bisector[c] = u1 + u2;
      across[c] = u1 - u2;
    }
    along = length(bisector);
    aside = length(across);
    if (!(along > smallest_direction && aside > smallest_direction))
      return rill_error_set(error, RILL_ERROR_INPUT,
                            "molecule %zu: O-H distances %g and %g nm, H-H %g nm give no plane to rebuild the "
                            "molecule in; expected about %g, %g and %g",
                            m + 1, bond1, bond2, distance(h1, h2), model->bond[0], model->bond[1], model->bond[2]);
    for (int c = 0; c < 3; c++) {
      h1[c] = o[c] + height[0] / along * bisector[c] + half / aside * across[c];
      h2[c] = o[c] + height[1] / along * bisector[c] - half / aside * across[c];
    }
  }
  return RILL_OK;
}
