#include "water/model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

static const double radians_per_degree = 3.14159265358979323846 / 180.0;

/* A hydrogen whose bisector or half separation is below this fraction of the bonds gives no reliable direction. */
static const double smallest_direction = 1e-6;

struct rill_water_model rill_water_model_make(const struct rill_water_species *species, double coulomb_constant) {
  const double sigma6 = pow(species->sigma, 6.0), half_angle = 0.5 * species->angle * radians_per_degree;
  struct rill_water_model model = {
      .coulomb_constant = coulomb_constant != 0.0 ? coulomb_constant : RILL_COULOMB_CONSTANT,
      .mass = {species->mass_o, species->mass_h, species->mass_h},
      .charge = {-2.0 * species->charge_h, species->charge_h, species->charge_h},
      .bond = {species->r_oh, species->r_oh, 2.0 * species->r_oh * sin(half_angle)},
      .c12 = species->c12,
      .c6 = species->c6,
      .site_weight = species->r_om / (2.0 * species->r_oh * cos(half_angle)),
  };
  if (species->epsilon > 0.0) {
    model.c6 = 4.0 * species->epsilon * sigma6;
    model.c12 = model.c6 * sigma6;
  }
  snprintf(model.name, sizeof model.name, "%s", species->name);
  return model;
}

enum rill_status rill_water_model_of(const struct rill_water_species *species, double coulomb_constant,
                                     struct rill_water_model *model, struct rill_error *error) {
  *model = rill_water_model_make(species, coulomb_constant);
  if (!(model->site_weight < 0.5))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "r_om = %g nm: the site M lies beyond the hydrogens, which are %g nm along the bisector",
                          species->r_om, 0.5 * species->r_om / model->site_weight);
  return RILL_OK;
}

enum rill_status rill_water_model_find(const char *name, double coulomb_constant, struct rill_water_model *model,
                                       struct rill_error *error) {
  const struct rill_water_species *species;
  RILL_TRY(rill_water_species_find(name, &species, error));
  return rill_water_model_of(species, coulomb_constant, model, error);
}

/* ---- the molecule ---- */

double rill_water_angle(const struct rill_water_model *model) {
  return 2.0 * asin(0.5 * model->bond[2] / model->bond[0]) / radians_per_degree;
}

/* From the oxygen to the middle of the hydrogens. */
static double height(const struct rill_water_model *model) {
  const double half = 0.5 * model->bond[2];
  return sqrt(model->bond[0] * model->bond[0] - half * half);
}

double rill_water_dipole(const struct rill_water_model *model) {
  return (2.0 * model->charge[1] + 2.0 * model->site_weight * model->charge[0]) * height(model);
}

/* About the bisector, and about the axis through the centre of mass that is parallel to H-H; of flat bodies the
 * third, across the plane, is the sum of these two. */
void rill_water_inertia(const struct rill_water_model *model, double moment[3]) {
  const double half = 0.5 * model->bond[2], hydrogens = 2.0 * model->mass[1];
  const double bisector = hydrogens * half * half;
  const double parallel = model->mass[0] * hydrogens / (model->mass[0] + hydrogens) * height(model) * height(model);
  moment[0] = fmin(bisector, parallel);
  moment[1] = fmax(bisector, parallel);
  moment[2] = bisector + parallel;
}

/* ---- the geometry of molecules ---- */

static double length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double distance(const double a[3], const double b[3]) {
  return length((const double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

double rill_water_deviation(const struct rill_water_model *model, const double *positions, size_t molecules,
                            size_t *worst) {
  double largest = 0.0;
  if (worst != NULL) *worst = 0;
  for (size_t m = 0; m < molecules; m++) {
    const double *atom = positions + RILL_COORDINATES * m;
    for (int k = 0; k < RILL_BONDS; k++) {
      double d = distance(atom + 3 * rill_bond_ends[k][0], atom + 3 * rill_bond_ends[k][1]);
      double deviation = fabs(d - model->bond[k]) / model->bond[k];
      if (deviation <= largest) continue;
      largest = deviation; /* also if it is NaN */
      if (worst != NULL) *worst = m;
      if (isnan(deviation)) return deviation;
    }
  }
  return largest;
}

bool rill_water_same_geometry(const struct rill_water_species *a, const struct rill_water_species *b) {
  return a->r_oh == b->r_oh && a->angle == b->angle;
}

const char *rill_water_geometry_names(const struct rill_water_species *species, char *text, size_t size) {
  size_t count, used = 0;
  const struct rill_water_species *rows = rill_water_species(&count);
  text[0] = '\0';
  for (size_t i = 0; i < count && used < size; i++)
    if (rill_water_same_geometry(&rows[i], species))
      used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", rows[i].name);
  return text;
}

const struct rill_water_species *rill_water_nearest_geometry(const double *positions, size_t molecules,
                                                             double *deviation, size_t *worst) {
  size_t count;
  const struct rill_water_species *rows = rill_water_species(&count), *nearest = &rows[0];
  for (size_t i = 0; i < count; i++) {
    const struct rill_water_model model = rill_water_model_make(&rows[i], 0);
    size_t molecule;
    const double found = rill_water_deviation(&model, positions, molecules, &molecule);
    if (i > 0 && !(found < *deviation)) continue;
    nearest = &rows[i];
    *deviation = found;
    *worst = molecule;
  }
  return nearest;
}

/* With unit vectors u1, u2 along the bonds, u1 + u2 is the bisector; u1 - u2 is perpendicular to it, in the plane. */
enum rill_status rill_water_rigidify(const struct rill_water_model *model, double *positions, size_t molecules,
                                     struct rill_error *error) {
  const double half = 0.5 * model->bond[2];
  const double heights[2] = {sqrt(model->bond[0] * model->bond[0] - half * half),
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
      h1[c] = o[c] + heights[0] / along * bisector[c] + half / aside * across[c];
      h2[c] = o[c] + heights[1] / along * bisector[c] - half / aside * across[c];
    }
  }
  return RILL_OK;
}
