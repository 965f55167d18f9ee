#include "water/constraints/rigid.h"

#include <math.h>

#include "numerics/mat3.h"

static double sign(int bond, size_t atom) {
  return rill_bond_ends[bond][0] == atom ? -1.0 : rill_bond_ends[bond][1] == atom ? 1.0 : 0.0;
}

/* r_c . r_e at the model's geometry, from the lengths by the law of cosines (r_2 = r_1 - r_0). */
static void bond_products(const double d2[RILL_BONDS], double product[RILL_BONDS][RILL_BONDS]) {
  double dot = 0.5 * (d2[0] + d2[1] - d2[2]);
  product[0][0] = d2[0];
  product[1][1] = d2[1];
  product[2][2] = d2[2];
  product[0][1] = product[1][0] = dot;
  product[0][2] = product[2][0] = dot - d2[0];
  product[1][2] = product[2][1] = d2[1] - dot;
}

/* Each pass of Newton's method with the exact inverse at d0 reduces the error by a factor of about 10 times the
 * deviation. */
static unsigned projection_passes(const struct rill_constraint_options *options) {
  double left = 1.0;
  unsigned passes = 0;
  if (options->solver == RILL_SETTLE) return 1;
  while (left > options->velocity_tolerance && passes < 20) {
    left *= 10.0 * options->tolerance;
    passes++;
  }
  return passes;
}

/* The solvers stop slightly below the tolerance, so that the deviation that is measured afterwards does not exceed
 * it: that is |d - d0| / d0 of rounded positions, whereas the solvers use (d^2 - d0^2) / 2 d0^2. */
static double tighten(double tolerance) { return (1 - 1e-4) * tolerance - 3e-15; }

enum rill_status rill_rigid_create(const struct rill_water_model *model,
                                   const struct rill_constraint_options *options, struct rill_rigid *rigid,
                                   struct rill_error *error) {
  double product[RILL_BONDS][RILL_BONDS], metric[RILL_BONDS][RILL_BONDS], total = 0, height;
  *rigid = (struct rill_rigid){0};
  for (int i = 0; i < RILL_ATOMS; i++) {
    if (!(model->mass[i] > 0))
      return rill_error_set(error, RILL_ERROR_INPUT, "atom %d of model %s has mass %g u; masses must be positive", i,
                            model->name, model->mass[i]);
    rigid->inverse_mass[i] = 1.0 / model->mass[i];
    total += model->mass[i];
  }
  if (options->solver == RILL_SETTLE && (model->mass[1] != model->mass[2] || model->bond[0] != model->bond[1]))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "SETTLE needs two equal hydrogens (masses %g and %g u); take solver = mshake or shake",
                          model->mass[1], model->mass[2]);
  for (int c = 0; c < RILL_BONDS; c++) rigid->d2[c] = model->bond[c] * model->bond[c];
  bond_products(rigid->d2, product);
  for (int c = 0; c < RILL_BONDS; c++)
    for (int e = 0; e < RILL_BONDS; e++) {
      for (int i = 0; i < RILL_ATOMS; i++)
        rigid->a[c][e] += sign(c, (size_t)i) * sign(e, (size_t)i) * rigid->inverse_mass[i];
      metric[c][e] = rigid->a[c][e] * product[c][e];
    }
  if (!(rigid->d2[0] * rigid->d2[1] - product[0][1] * product[0][1] > 1e-6 * rigid->d2[0] * rigid->d2[1]) ||
      !rill_mat3_inverse(metric, rigid->k))
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "the three constraints of model %s (%g, %g, %g nm) are singular: the molecule is collinear",
                          model->name, model->bond[0], model->bond[1], model->bond[2]);
  rigid->solver = options->solver;
  rigid->rc = 0.5 * model->bond[2];
  height = sqrt(rigid->d2[0] - rigid->rc * rigid->rc);
  rigid->hydrogen_fraction = model->mass[1] / total;
  rigid->ra = 2 * rigid->hydrogen_fraction * height;
  rigid->rb = height - rigid->ra;
  rigid->inverse_ra = 1.0 / rigid->ra;
  rigid->half_inverse_rc = 0.5 / rigid->rc;
  rigid->impulse_sum = 1.0 / (2.0 * rigid->inverse_mass[0] + rigid->inverse_mass[1]);
  rigid->impulse_third = 0.25 / rigid->inverse_mass[1];
  rigid->tolerance = tighten(options->tolerance);
  rigid->velocity_limit = tighten(options->velocity_tolerance) * options->thermal_velocity;
  rigid->max_iterations = options->max_iterations;
  rigid->velocity_passes = projection_passes(options);
  return RILL_OK;
}
