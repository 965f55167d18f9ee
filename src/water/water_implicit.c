#include "water/water_implicit.h"

#include <math.h>

#include "base/memory.h"
#include "numerics/mat3.h"
#include "water/forces/derivative.h"
#include "water/water_evaluate.h"
#include "water/water_passes.h"
#include "water/water_trouble.h"

static const struct rill_drift_result fine = {0};

static struct rill_drift_result product_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->flows->stiff_product(&water->stiff.penalty, range, water->stride, pass->full, pass->q, pass->in, pass->out,
                              water->molecules);
  return fine;
}

static void stiff_product(void *self, enum rill_hessian_part part, const double *q, const double *u, double *out) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {
      .water = water, .full = part != RILL_HESSIAN_GAUSS_NEWTON, .q = q, .in = u, .out = out};
  rill_water_over_molecules(&pass, product_range);
}

static struct rill_drift_result add_range(const struct rill_water_pass *pass, struct rill_range range) {
  pass->water->flows->advance(range, pass->water->stride, pass->h, pass->in, pass->out);
  return fine;
}

static void add(struct rill_water *water, double factor, const double *in, double *out) {
  struct rill_water_pass pass = {.water = water, .h = factor, .in = in, .out = out};
  rill_water_over_molecules(&pass, add_range);
}

static void force(void *self, const double *q, double *f) {
  struct rill_water *water = self;
  rill_timers_start(water->options.timers);
  rill_water_evaluate_at(water, q, f, NULL);
  rill_water_add_outside(water, q, f, true);
  rill_timers_stop(water->options.timers, RILL_PHASE_FORCES);
  if (!water->penalised) return;
  stiff_product(water, RILL_HESSIAN_STIFF, q, NULL, water->stiff.scratch);
  add(water, 1.0, water->stiff.scratch, f);
}

/* The derivative of the wall and of a trap is omitted: it is small, and Newton's method converges without it. */
static void force_derivative(void *self, const double *q, const double *u, double *out) {
  struct rill_water *water = self;
  rill_timers_start(water->options.timers);
  rill_water_forces_derivative(&water->options.model, water->molecules, water->stride, q, u,
                               water->implicit.derivative_work, out);
  rill_timers_stop(water->options.timers, RILL_PHASE_FORCES);
  if (!water->penalised) return;
  stiff_product(water, RILL_HESSIAN_STIFF, q, u, water->stiff.scratch);
  add(water, -1.0, water->stiff.scratch, out);
}

static struct rill_drift_result solve_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->flows->stiff_solve(&water->stiff.penalty, range, water->stride, pass->full, pass->scale, pass->q, pass->in,
                            pass->out, water->molecules);
  return fine;
}

static void stiff_solve(void *self, enum rill_hessian_part part, double scale, const double *q, const double *b,
                        double *out) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {
      .water = water, .full = part != RILL_HESSIAN_GAUSS_NEWTON, .scale = scale, .q = q, .in = b, .out = out};
  if (water->penalised) {
    rill_water_over_molecules(&pass, solve_range);
    return;
  }
  for (size_t i = 0; i < water->implicit.capability.n; i++) out[i] = b[i] / water->implicit.masses[i];
}

static enum rill_status drift(void *self, double h, double *q, double *v, struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_drift_result result;
  if (water->penalised) {
    add(water, h, v, q);
    return RILL_OK;
  }
  result = water->flows->drift(&water->rigid, rill_water_columns(water),
                               (struct rill_columns){.stride = water->stride, .q = q, .v = v}, h, false);
  if (result.iterations > water->iterations) water->iterations = result.iterations;
  if (!result.failed) return RILL_OK;
  return rill_water_trouble(water, RILL_ERROR_CONVERGENCE, "the constraint solver cannot close the bonds", error);
}

static void bonds_of(const struct rill_water *water, const double *q, size_t m, double r[RILL_BONDS][3]) {
  for (size_t b = 0; b < RILL_BONDS; b++)
    for (size_t c = 0; c < 3; c++)
      r[b][c] = q[(3 * rill_bond_ends[b][1] + c) * water->stride + m] -
                q[(3 * rill_bond_ends[b][0] + c) * water->stride + m];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void project(void *self, const double *along, const double *at, double *u) {
  struct rill_water *water = self;
  if (water->penalised) return;
  for (size_t m = 0; m < water->molecules; m++) {
    double old[RILL_BONDS][3], now[RILL_BONDS][3], w[RILL_BONDS][3], matrix[3][3], inverse[3][3];
    bonds_of(water, along, m, old);
    bonds_of(water, at, m, now);
    bonds_of(water, u, m, w);
    for (int b = 0; b < RILL_BONDS; b++)
      for (int e = 0; e < RILL_BONDS; e++) matrix[b][e] = water->rigid.a[b][e] * dot(now[b], old[e]);
    if (!rill_mat3_inverse(matrix, inverse)) continue;
    for (int b = 0; b < RILL_BONDS; b++) {
      double g = 0;
      for (int e = 0; e < RILL_BONDS; e++) g += inverse[b][e] * dot(now[e], w[e]);
      for (size_t c = 0; c < 3; c++) {
        u[(3 * rill_bond_ends[b][0] + c) * water->stride + m] +=
            water->rigid.inverse_mass[rill_bond_ends[b][0]] * g * old[b][c];
        u[(3 * rill_bond_ends[b][1] + c) * water->stride + m] -=
            water->rigid.inverse_mass[rill_bond_ends[b][1]] * g * old[b][c];
      }
    }
  }
}

static void moved(void *self) {
  struct rill_water *water = self;
  rill_water_moved(water);
  water->stiff.scale = 0; /* q is the physical position */
}

/* Masses of all coordinates, and room for the derivative of a cluster of a model with a site. */
static enum rill_status begin(void *self, struct rill_error *error) {
  struct rill_water *water = self;
  const struct rill_water_options *options = &water->options;
  const size_t count = RILL_COORDINATES * water->stride;
  const bool has_site = options->model.site_weight != 0.0 && !options->periodic && !options->box.open;
  if (water->implicit.masses != NULL) return RILL_OK;
  water->implicit.masses = rill_allocate(count, sizeof *water->implicit.masses);
  if (has_site) water->implicit.derivative_work = rill_allocate(2 * count, sizeof *water->implicit.derivative_work);
  if (water->implicit.masses == NULL || (has_site && water->implicit.derivative_work == NULL)) {
    rill_water_implicit_destroy(water);
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", water->molecules);
  }
  for (size_t i = 0; i < count; i++) water->implicit.masses[i] = options->model.mass[i / water->stride / 3];
  water->implicit.capability.mass = water->implicit.masses;
  return RILL_OK;
}

static const struct rill_implicit_ops implicit_ops = {
    .begin = begin,
    .force = force,
    .force_derivative = force_derivative,
    .stiff_solve = stiff_solve,
    .stiff_product = stiff_product,
    .drift = drift,
    .project = project,
    .moved = moved,
};

/* In a box the derivative of the mesh's forces is not available. */
static const struct rill_implicit_ops box_implicit_ops = {
    .begin = begin,
    .force = force,
    .stiff_solve = stiff_solve,
    .stiff_product = stiff_product,
    .drift = drift,
    .project = project,
    .moved = moved,
};

/* Tolerances of positions are relative to this length: 1e-13 of it, the default, is 1e-12 nm. */
static const double length = 10; /* nm */

void rill_water_implicit_create(struct rill_water *water) {
  const struct rill_water_options *options = &water->options;
  water->implicit.report.residual = NAN;
  water->implicit.capability =
      (struct rill_implicit){.ops = options->periodic || options->box.open ? &box_implicit_ops : &implicit_ops,
                             .n = RILL_COORDINATES * water->stride,
                             .q = water->q,
                             .v = water->v,
                             .acceleration = water->stiff.newmark,
                             .constrained = !water->penalised,
                             .stiff = water->penalised,
                             .length = length,
                             .report = &water->implicit.report,
                             .self = water};
}

void rill_water_implicit_destroy(struct rill_water *water) {
  rill_release(water->implicit.masses);
  rill_release(water->implicit.derivative_work);
  water->implicit.masses = water->implicit.derivative_work = NULL;
}
