/* The flows of penalised water: exact drifts, kicks by a filtered acceleration. */
#include <math.h>
#include <string.h>

#include "mech/pushforward.h"
#include "water/water_state.h"

static struct rill_drift_result drift_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->flows->advance(range, water->stride, pass->h, water->v, water->q);
  return (struct rill_drift_result){0};
}

static enum rill_status drift(void *self, double h, unsigned flags, struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h};
  (void)flags; /* nothing to project, and the difference quotient is the velocity */
  (void)error;
  rill_water_over_molecules(&pass, drift_range);
  rill_water_moved(water);
  return RILL_OK;
}

static struct rill_drift_result filter_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  bool fine = water->flows->filter(&water->penalty, range, water->stride, pass->filter, water->q, water->f, pass->out,
                                   water->molecules);
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

struct rill_stiff_filter rill_water_stiff_filter(const struct rill_filter *filter, double scale) {
  return (struct rill_stiff_filter){filter->kind, filter->hessian != RILL_HESSIAN_GAUSS_NEWTON, scale};
}

/* a = (y - x) / scale with M (y - x) = scale F(y), starting from the linear filter's a. */
static enum rill_status push_forward(struct rill_water *water, const struct rill_filter *filter, double scale,
                                     struct rill_error *error) {
  const size_t n = water->implicit.n;
  double *y = water->physical;
  if (water->pushforward == NULL)
    RILL_TRY(rill_pushforward_create(&water->implicit, filter->nonlinear, filter->tolerance, filter->max_iterations,
                                     &water->pushforward, error));
  if (!apply_filter(water, (struct rill_stiff_filter){RILL_FILTER_LINEAR, false, scale}, water->a))
    return trouble(water, error);
  for (size_t i = 0; i < n; i++) y[i] = water->q[i] + scale * water->a[i];
  if (rill_pushforward_solve(water->pushforward, water->q, scale, y, error) != RILL_OK) return error->status;
  for (size_t i = 0; i < n; i++) water->a[i] = (y[i] - water->q[i]) / scale;
  return RILL_OK;
}

static bool same_filter(const struct rill_filter *a, const struct rill_filter *b) {
  return a->kind == b->kind && a->hessian == b->hessian && a->tolerance == b->tolerance &&
         a->nonlinear == b->nonlinear;
}

/* Computes the filtered acceleration at q, unless it is already known for this filter. */
static enum rill_status accelerate(struct rill_water *water, const struct rill_filter *filter, double scale,
                                   unsigned flags, struct rill_error *error) {
  const struct rill_implicit_report report = water->report;
  if (water->filtered && water->filter_scale == scale && same_filter(&water->filter, filter)) return RILL_OK;
  if (!same_filter(&water->filter, filter)) { /* the solver was created for another filter */
    rill_pushforward_destroy(water->pushforward);
    water->pushforward = NULL;
  }
  rill_water_evaluate_for(water, flags);
  RILL_TRY(rill_water_field_failed(water, error));
  if (filter->kind == RILL_FILTER_PUSHFORWARD) RILL_TRY(push_forward(water, filter, scale, error));
  else if (!apply_filter(water, rill_water_stiff_filter(filter, scale), water->a)) return trouble(water, error);
  if (water->recalled && water->filter_scale == scale && same_filter(&water->filter, filter)) water->report = report;
  water->recalled = false;
  water->filter = *filter;
  water->filter_scale = scale;
  water->filtered = true;
  return RILL_OK;
}

static struct rill_drift_result kick_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->flows->advance(range, water->stride, pass->h, water->a, water->v);
  return (struct rill_drift_result){0};
}

static enum rill_status kick(void *self, double h, double h_base, const struct rill_filter *filter, unsigned flags,
                             struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h};
  RILL_TRY(accelerate(water, filter, filter->beta * h_base * h_base, flags, error));
  rill_water_over_molecules(&pass, kick_range);
  return RILL_OK;
}

/* rill_water_physical evaluates the acceleration when it is needed. */
static void expect(void *self, double h_base, const struct rill_filter *filter) {
  struct rill_water *water = self;
  if (water->filtered || water->recalled) return; /* a resumed state has its own filter */
  water->filter = *filter;
  water->filter_scale = filter->beta * h_base * h_base;
}

static struct rill_drift_result ou_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->flows->ou(NULL, range, (struct rill_columns){water->stride, water->q, water->v}, &water->ou, pass->step,
                   pass->use, water->molecules);
  return (struct rill_drift_result){0};
}

static enum rill_status ou(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h, .step = step, .use = use};
  (void)error;
  rill_timers_start(water->options.timers);
  rill_water_prepare_ou(water, h);
  rill_water_over_molecules(&pass, ou_range);
  rill_timers_stop(water->options.timers, RILL_PHASE_THERMOSTAT);
  return RILL_OK;
}

/* A linear solve with the Hessian of the whole potential would couple all molecules; Z&S uses the stiff part's. */
static bool accepts(const void *self, const struct rill_filter *filter) {
  (void)self;
  return filter->kind != RILL_FILTER_LINEAR || filter->hessian != RILL_HESSIAN_FULL;
}

const struct rill_flow_ops rill_water_penalised_flow = {
    .drift_exact = true,
    .stiff = true,
    .drift = drift,
    .kick = kick,
    .expect = expect,
    .ou = ou,
    .ou_commutes = rill_water_ou_commutes,
    .accepts = accepts,
    .observe_half_step = rill_water_observe_half_step,
};
const struct rill_flow_ops rill_water_penalised_flow_without_ou = {
    .drift_exact = true,
    .stiff = true,
    .drift = drift,
    .kick = kick,
    .expect = expect,
    .accepts = accepts,
    .observe_half_step = rill_water_observe_half_step,
};

/* q + beta h^2 a, with the acceleration of the linear solve, without the third-derivative term. */
const double *rill_water_physical(struct rill_water *water) {
  const double *a = water->a;
  if (!water->penalised || water->filter.kind == RILL_FILTER_IDENTITY || water->filter_scale == 0) return water->q;
  if (water->filter.kind == RILL_FILTER_THIRD) {
    struct rill_filter linear = water->filter;
    linear.kind = RILL_FILTER_LINEAR;
    rill_water_evaluate(water, NULL);
    (void)apply_filter(water, rill_water_stiff_filter(&linear, water->filter_scale), water->scratch);
    a = water->scratch;
  } else if (!water->filtered) {
    struct rill_error error = {0};
    if (accelerate(water, &water->filter, water->filter_scale, 0, &error) != RILL_OK) return water->q;
  }
  for (size_t i = 0; i < water->implicit.n; i++) water->physical[i] = water->q[i] + water->filter_scale * a[i];
  return water->physical;
}
