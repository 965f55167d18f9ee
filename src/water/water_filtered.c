#include "water/water_filtered.h"

#include <limits.h>

#include "base/memory.h"
#include "mech/pushforward.h"
#include "water/water_domain.h"
#include "water/water_evaluate.h"
#include "water/water_passes.h"
#include "water/water_trouble.h"

enum rill_status rill_water_stiff_create(struct rill_water *water, struct rill_error *error) {
  const size_t count = RILL_COORDINATES * water->stride;
  water->stiff.a = rill_allocate(count, sizeof *water->stiff.a);
  water->stiff.physical = rill_allocate(count, sizeof *water->stiff.physical);
  water->stiff.newmark = rill_allocate(count, sizeof *water->stiff.newmark);
  water->stiff.scratch = rill_allocate(count, sizeof *water->stiff.scratch);
  water->saved.newmark = rill_allocate(count, sizeof *water->stiff.newmark);
  if (water->stiff.a == NULL || water->stiff.physical == NULL || water->stiff.newmark == NULL ||
      water->stiff.scratch == NULL || water->saved.newmark == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", water->molecules);
  return rill_penalty_create(&water->options.model, water->options.stiffness, &water->stiff.penalty, error);
}

void rill_water_stiff_destroy(struct rill_water *water) {
  rill_pushforward_destroy(water->stiff.pushforward);
  rill_release(water->stiff.a);
  rill_release(water->stiff.physical);
  rill_release(water->stiff.newmark);
  rill_release(water->stiff.scratch);
  rill_release(water->saved.newmark);
}

static struct rill_drift_result filter_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  bool fine = water->flows->filter(&water->stiff.penalty, range, water->stride, pass->filter, water->q, water->f,
                                   pass->out, water->molecules);
  return (struct rill_drift_result){0, !fine};
}

/* Computes the acceleration from the soft forces in f and the stiff part at q; false if it is not finite. */
static bool apply_filter(struct rill_water *water, struct rill_stiff_filter filter, double *out) {
  struct rill_water_pass pass = {.water = water, .filter = &filter, .out = out};
  struct rill_drift_result result;
  rill_timers_start(water->options.timers);
  result = rill_water_over_molecules(&pass, filter_range);
  rill_timers_stop(water->options.timers, RILL_PHASE_CONSTRAINTS);
  return !result.failed;
}

static enum rill_status trouble(const struct rill_water *water, struct rill_error *error) {
  return rill_water_trouble(water, RILL_ERROR_NOT_FINITE, "the bonds flew apart: no finite acceleration", error);
}

/* a = (y - x) / scale with M (y - x) = scale F(y), starting from the linear filter's a. */
static enum rill_status push_forward(struct rill_water *water, const struct rill_filter *filter, double scale,
                                     struct rill_error *error) {
  const size_t n = water->implicit.capability.n;
  double *y = water->stiff.physical;
  if (water->stiff.pushforward == NULL)
    RILL_TRY(rill_pushforward_create(&water->implicit.capability, filter->nonlinear, filter->tolerance,
                                     filter->max_iterations, &water->stiff.pushforward, error));
  if (!apply_filter(water, (struct rill_stiff_filter){RILL_FILTER_LINEAR, false, scale}, water->stiff.a))
    return trouble(water, error);
  for (size_t i = 0; i < n; i++) y[i] = water->q[i] + scale * water->stiff.a[i];
  if (rill_pushforward_solve(water->stiff.pushforward, water->q, scale, y, error) != RILL_OK) return error->status;
  for (size_t i = 0; i < n; i++) water->stiff.a[i] = (y[i] - water->q[i]) / scale;
  return RILL_OK;
}

static bool same_filter(const struct rill_filter *a, const struct rill_filter *b) {
  return a->kind == b->kind && a->hessian == b->hessian && a->tolerance == b->tolerance &&
         a->nonlinear == b->nonlinear;
}

enum rill_status rill_water_accelerate(struct rill_water *water, const struct rill_filter *filter, double scale,
                                       unsigned flags, struct rill_error *error) {
  const struct rill_implicit_report report = water->implicit.report;
  if (water->stiff.filtered && water->stiff.scale == scale && same_filter(&water->stiff.filter, filter))
    return RILL_OK;
  if (!same_filter(&water->stiff.filter, filter)) { /* the solver was created for another filter */
    rill_pushforward_destroy(water->stiff.pushforward);
    water->stiff.pushforward = NULL;
  }
  rill_water_evaluate_for(water, flags);
  RILL_TRY(rill_water_field_failed(water, error));
  if (filter->kind == RILL_FILTER_PUSHFORWARD) {
    RILL_TRY(push_forward(water, filter, scale, error));
  } else {
    const bool finite = apply_filter(water, rill_water_stiff_filter(filter, scale), water->stiff.a);
    RILL_TRY(rill_water_agree(water, finite ? RILL_OK : trouble(water, error), error));
  }
  if (water->stiff.recalled && water->stiff.scale == scale && same_filter(&water->stiff.filter, filter))
    water->implicit.report = report;
  water->stiff.recalled = false;
  water->stiff.filter = *filter;
  water->stiff.scale = scale;
  water->stiff.filtered = true;
  return RILL_OK;
}

/* q + beta h^2 a, with the acceleration of the linear solve, without the third-derivative term. */
const double *rill_water_physical(struct rill_water *water) {
  const double *a = water->stiff.a;
  if (!water->penalised || water->stiff.filter.kind == RILL_FILTER_IDENTITY || water->stiff.scale == 0)
    return water->q;
  if (water->stiff.filter.kind == RILL_FILTER_THIRD) {
    struct rill_filter linear = water->stiff.filter;
    linear.kind = RILL_FILTER_LINEAR;
    rill_water_evaluate(water, NULL);
    (void)apply_filter(water, rill_water_stiff_filter(&linear, water->stiff.scale), water->stiff.scratch);
    a = water->stiff.scratch;
  } else if (!water->stiff.filtered) {
    struct rill_error error = {0};
    if (rill_water_accelerate(water, &water->stiff.filter, water->stiff.scale, 0, &error) != RILL_OK) return water->q;
  }
  for (size_t i = 0; i < RILL_COORDINATES * water->stride; i++)
    water->stiff.physical[i] = water->q[i] + water->stiff.scale * a[i];
  return water->stiff.physical;
}

void rill_water_archive_filter(struct rill_water *water, struct rill_archive *archive) {
  struct rill_filter *filter = &water->stiff.filter;
  uint64_t words[] = {filter->kind, filter->hessian, filter->takes_hessian, filter->max_iterations,
                      filter->nonlinear};
  double numbers[] = {filter->beta, filter->tolerance, water->stiff.scale};
  rill_archive_integers(archive, "filter", words, sizeof words / sizeof words[0]);
  rill_archive_reals(archive, "filter_options", numbers, sizeof numbers / sizeof numbers[0]);
  if (!archive->reading) return;
  if (words[0] > RILL_FILTER_PUSHFORWARD || words[1] > RILL_HESSIAN_GAUSS_NEWTON || words[3] > UINT_MAX ||
      words[4] > RILL_NEWTON_KRYLOV) {
    rill_archive_fail(archive, RILL_ERROR_INPUT, "there is no such filter");
    return;
  }
  filter->kind = (enum rill_filter_kind)words[0];
  filter->hessian = (enum rill_hessian_part)words[1];
  filter->takes_hessian = words[2] != 0;
  filter->max_iterations = (unsigned)words[3];
  filter->nonlinear = (enum rill_nonlinear_kind)words[4];
  filter->beta = numbers[0];
  filter->tolerance = numbers[1];
  water->stiff.scale = numbers[2];
}
