#include "water/relax/flexible.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd/lanes.h"
#include "water/flows/flows.h"

enum { MEMORY = 12, BACKTRACKS = 30 };

/* The curvature of the soft part that the preconditioner assumes for every coordinate: that of a hydrogen bond,
 * kJ/mol/nm2. */
static const double soft_curvature = 3e4;
static const double sufficient_decrease = 1e-4; /* Armijo's constant */
static const double fused = -1e5;               /* kJ/mol per molecule: no water is bound so strongly */

struct relaxation {
  struct rill_water_model model;
  struct rill_penalty penalty, preconditioner; /* the latter with the curvature in place of masses */
  struct rill_water_forces *forces;
  const struct rill_water_flow_table *flows;
  size_t molecules, stride, n, evaluations;
  double *x, *trial, *gradient, *trial_gradient, *direction, *work; /* [9][stride] */
  double *step[MEMORY], *change[MEMORY], curvature[MEMORY];
  size_t kept; /* pairs, newest last */
};

static double dot(const struct relaxation *r, const double *a, const double *b) {
  double sum = 0;
  for (size_t i = 0; i < r->n; i++) sum += a[i] * b[i];
  return sum;
}

static double largest(const struct relaxation *r, const double *a) {
  double most = 0;
  for (size_t i = 0; i < r->n; i++)
    if (!(fabs(a[i]) <= most)) most = fabs(a[i]); /* NaN propagates */
  return most;
}

static struct rill_range all(const struct relaxation *r) { return (struct rill_range){0, r->stride}; }

/* Computes energy and gradient; round_off: of the energy. */
static double evaluate(struct relaxation *r, const double *x, double *gradient, double *round_off) {
  struct rill_water_energies energies;
  double penalty = rill_penalty_energy(&r->penalty, r->molecules, r->stride, x);
  r->evaluations++;
  rill_water_forces_evaluate(r->forces, x, gradient, &energies);
  r->flows->stiff_product(&r->penalty, all(r), r->stride, true, x, NULL, r->work, r->molecules);
  for (size_t i = 0; i < r->n; i++) gradient[i] = -gradient[i] - r->work[i];
  *round_off = 16 * DBL_EPSILON * (fabs(energies.lj) + fabs(energies.coulomb) + penalty) * sqrt((double)r->molecules);
  return energies.lj + energies.coulomb + penalty;
}

/* direction = -H gradient by the two loops of L-BFGS about the preconditioner. */
static void find_direction(struct relaxation *r) {
  double alpha[MEMORY];
  for (size_t i = 0; i < r->n; i++) r->work[i] = r->gradient[i];
  for (size_t k = r->kept; k-- > 0;) {
    alpha[k] = dot(r, r->step[k], r->work) / r->curvature[k];
    for (size_t i = 0; i < r->n; i++) r->work[i] -= alpha[k] * r->change[k][i];
  }
  r->flows->stiff_solve(&r->preconditioner, all(r), r->stride, false, 1.0, r->x, r->work, r->direction, r->molecules);
  for (size_t k = 0; k < r->kept; k++) {
    double beta = dot(r, r->change[k], r->direction) / r->curvature[k];
    for (size_t i = 0; i < r->n; i++) r->direction[i] += (alpha[k] - beta) * r->step[k][i];
  }
  for (size_t i = 0; i < r->n; i++) r->direction[i] = -r->direction[i];
}

static void remember(struct relaxation *r) {
  double *s, *y, curvature;
  if (r->kept == MEMORY) {
    s = r->step[0];
    y = r->change[0];
    memmove(r->step, r->step + 1, (MEMORY - 1) * sizeof *r->step);
    memmove(r->change, r->change + 1, (MEMORY - 1) * sizeof *r->change);
    memmove(r->curvature, r->curvature + 1, (MEMORY - 1) * sizeof *r->curvature);
    r->step[MEMORY - 1] = s;
    r->change[MEMORY - 1] = y;
    r->kept--;
  }
  s = r->step[r->kept];
  y = r->change[r->kept];
  for (size_t i = 0; i < r->n; i++) {
    s[i] = r->trial[i] - r->x[i];
    y[i] = r->trial_gradient[i] - r->gradient[i];
  }
  curvature = dot(r, s, y);
  if (curvature > 1e-12 * dot(r, y, y) / soft_curvature) r->curvature[r->kept++] = curvature;
}

static void swap(double **a, double **b) {
  double *c = *a;
  *a = *b;
  *b = c;
}

/* Searches along the direction until the energy decreases; at round-off until the slope does. */
static bool search(struct relaxation *r, double cap, double *energy, double *round_off) {
  double slope = dot(r, r->direction, r->gradient), size = largest(r, r->direction), factor = 1;
  if (!(slope < 0)) return false;
  if (size > cap) factor = cap / size;
  for (int i = 0; i < BACKTRACKS; i++, factor *= 0.5) {
    double tried, noise;
    for (size_t k = 0; k < r->n; k++) r->trial[k] = r->x[k] + factor * r->direction[k];
    tried = evaluate(r, r->trial, r->trial_gradient, &noise);
    if (!(tried <= *energy + sufficient_decrease * factor * slope) &&
        !(tried <= *energy + noise && fabs(dot(r, r->direction, r->trial_gradient)) < -0.9 * slope))
      continue;
    *energy = tried;
    *round_off = noise;
    remember(r);
    swap(&r->x, &r->trial);
    swap(&r->gradient, &r->trial_gradient);
    return true;
  }
  return false;
}

static enum rill_minimize_reason descend(struct relaxation *r, const struct rill_minimize_options *options,
                                         double *energy, double *round_off, size_t *iterations) {
  for (*iterations = 0; *iterations < options->maximum_iterations; ++*iterations) {
    if (largest(r, r->gradient) <= options->force_tolerance) return RILL_MINIMIZE_CONVERGED;
    find_direction(r);
    if (search(r, options->maximum_displacement, energy, round_off)) continue;
    if (r->kept == 0) return RILL_MINIMIZE_ROUND_OFF;
    r->kept = 0; /* once more, with the memory cleared */
  }
  return RILL_MINIMIZE_ITERATION_LIMIT;
}

static void release(struct relaxation *r) {
  double *const arrays[] = {r->x, r->trial, r->gradient, r->trial_gradient, r->direction, r->work};
  rill_water_forces_destroy(r->forces);
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) rill_release(arrays[i]);
  for (int k = 0; k < MEMORY; k++) {
    rill_release(r->step[k]);
    rill_release(r->change[k]);
  }
}

static enum rill_status prepare(struct relaxation *r, const struct rill_water_model *model, double stiffness,
                                size_t molecules, const struct rill_minimize_options *options,
                                struct rill_error *error) {
  double **const arrays[] = {&r->x, &r->trial, &r->gradient, &r->trial_gradient, &r->direction, &r->work};
  r->model = *model;
  r->molecules = molecules;
  r->stride = rill_padded(molecules);
  r->n = RILL_COORDINATES * r->stride;
  r->flows = rill_water_flow_table(options->isa);
  RILL_TRY(rill_penalty_create(model, stiffness, &r->penalty, error));
  r->preconditioner = r->penalty;
  for (int i = 0; i < RILL_ATOMS; i++) {
    r->preconditioner.mass[i] = soft_curvature;
    r->preconditioner.inverse_mass[i] = 1 / soft_curvature;
  }
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if ((*arrays[i] = rill_allocate(r->n, sizeof(double))) == NULL) goto memory;
  for (int k = 0; k < MEMORY; k++)
    if ((r->step[k] = rill_allocate(r->n, sizeof(double))) == NULL ||
        (r->change[k] = rill_allocate(r->n, sizeof(double))) == NULL)
      goto memory;
  return rill_water_forces_create(model, molecules, r->stride, options->reference, options->isa, options->threads,
                                  &r->forces, error);
memory:
  return rill_error_set(error, RILL_ERROR_MEMORY, "minimisation: no memory for %zu molecules", molecules);
}

static enum rill_status run(struct relaxation *r, const struct rill_minimize_options *options, double *positions,
                            struct rill_flexible_report *report, struct rill_error *error) {
  double energy, round_off;
  for (size_t m = 0; m < r->molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++) r->x[k * r->stride + m] = positions[RILL_COORDINATES * m + k];
  energy = report->before = evaluate(r, r->x, r->gradient, &round_off);
  if (!isfinite(energy) || !isfinite(largest(r, r->gradient)))
    return rill_error_set(
        error, RILL_ERROR_NOT_FINITE,
        "minimisation: no finite energy to start from: atoms of two molecules lie on top of each other");
  report->reason = descend(r, options, &energy, &round_off, &report->iterations);
  if (energy < fused * (double)r->molecules)
    return rill_error_set(
        error, RILL_ERROR_FAILED,
        "minimisation: molecules have fused (energy %.6g kJ/mol): a hydrogen and another molecule's oxygen "
        "were too close at the start",
        energy);
  for (size_t m = 0; m < r->molecules; m++)
    for (size_t k = 0; k < RILL_COORDINATES; k++) positions[RILL_COORDINATES * m + k] = r->x[k * r->stride + m];
  report->after = energy;
  report->penalty = rill_penalty_energy(&r->penalty, r->molecules, r->stride, r->x);
  report->maximum_force = largest(r, r->gradient);
  report->evaluations = r->evaluations;
  return RILL_OK;
}

enum rill_status rill_water_minimize_flexible(const struct rill_water_model *model, double stiffness,
                                              size_t molecules, const struct rill_minimize_options *options,
                                              double *positions, struct rill_flexible_report *report,
                                              struct rill_error *error) {
  struct relaxation *r = rill_allocate(1, sizeof *r);
  enum rill_status status;
  memset(report, 0, sizeof *report);
  if (r == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "minimisation: no memory");
  status = prepare(r, model, stiffness, molecules, options, error);
  if (status == RILL_OK) status = run(r, options, positions, report, error);
  release(r);
  rill_release(r);
  return status;
}
