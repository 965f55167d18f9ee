#include "water/water_penalised.h"

#include "water/water_bath.h"
#include "water/water_domain.h"
#include "water/water_filtered.h"
#include "water/water_observe.h"
#include "water/water_passes.h"

static struct rill_drift_result drift_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->flows->advance(range, water->stride, pass->h, water->v, water->q);
  return (struct rill_drift_result){0};
}

static enum rill_status drift(void *self, double h, unsigned flags, struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h};
  /* nothing to project, and the difference quotient is the velocity */
  rill_water_over_molecules(&pass, drift_range);
  rill_water_moved(water);
  return rill_water_agree_on_drift(water, flags, RILL_OK, error);
}

static struct rill_drift_result kick_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->flows->advance(range, water->stride, pass->h, water->stiff.a, water->v);
  return (struct rill_drift_result){0};
}

static enum rill_status kick(void *self, double h, double h_base, const struct rill_filter *filter, unsigned flags,
                             struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h};
  RILL_TRY(rill_water_accelerate(water, filter, filter->beta * h_base * h_base, flags, error));
  rill_water_over_molecules(&pass, kick_range);
  return RILL_OK;
}

/* rill_water_physical evaluates the acceleration when it is needed. */
static void expect(void *self, double h_base, const struct rill_filter *filter) {
  struct rill_water *water = self;
  if (water->stiff.filtered || water->stiff.recalled) return; /* a resumed state has its own filter */
  water->stiff.filter = *filter;
  water->stiff.scale = filter->beta * h_base * h_base;
}

static struct rill_drift_result ou_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->flows->ou(NULL, range,
                   (struct rill_columns){
                       .stride = water->stride, .q = water->q, .v = water->v, .number = rill_water_numbers(water)},
                   &water->ou, pass->step, pass->use, water->molecules);
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
