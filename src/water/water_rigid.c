#include "water/water_rigid.h"

#include "water/water_bath.h"
#include "water/water_domain.h"
#include "water/water_evaluate.h"
#include "water/water_observe.h"
#include "water/water_passes.h"
#include "water/water_rescale.h"
#include "water/water_trouble.h"

static struct rill_columns columns(struct rill_water *water) {
  return (struct rill_columns){
      .stride = water->stride, .q = water->q, .v = water->v, .number = rill_water_numbers(water)};
}

static struct rill_drift_result drift_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  struct rill_drift_result result =
      water->flows->drift(&water->rigid, range, columns(water), pass->h, (pass->flags & RILL_FLOW_DIFFERENCE) != 0);
  if (!result.failed && (pass->flags & RILL_FLOW_PROJECT))
    result.failed = !water->flows->project(&water->rigid, range, columns(water));
  return result;
}

static enum rill_status drift(void *self, double h, unsigned flags, struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h, .flags = flags};
  struct rill_drift_result result;
  rill_timers_start(water->options.timers);
  result = rill_water_over_molecules(&pass, drift_range);
  rill_water_moved(water);
  if (result.iterations > water->iterations) water->iterations = result.iterations;
  rill_timers_stop(water->options.timers, RILL_PHASE_CONSTRAINTS);
  if (!result.failed) return rill_water_agree_on_drift(water, flags, RILL_OK, error);
  rill_water_trouble(water, RILL_ERROR_CONVERGENCE,
                     water->rigid.solver == RILL_SETTLE
                         ? "SETTLE cannot close the triangle"
                         : "the constraint solver reached its iteration limit at the bonds",
                     error);
  return rill_water_agree_on_drift(water, flags, error->status, error);
}

/* After a projection of velocities, which only sweeps can fail to converge. */
static enum rill_status judge_projection(struct rill_water *water, struct rill_drift_result result,
                                         struct rill_error *error) {
  if (result.failed)
    rill_water_trouble(water, RILL_ERROR_CONVERGENCE,
                       "the velocity projection reached its iteration limit at the bonds", error);
  if (water->rigid.solver != RILL_RATTLE_SHAKE) return result.failed ? error->status : RILL_OK;
  return rill_water_agree(water, result.failed ? error->status : RILL_OK, error);
}

static struct rill_drift_result kick_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  bool fine = water->flows->kick(&water->rigid, range, columns(water), pass->in, pass->h,
                                 (pass->flags & RILL_FLOW_PROJECT) != 0);
  return (struct rill_drift_result){0, !fine};
}

static enum rill_status kick(void *self, double h, double h_base, const struct rill_filter *filter, unsigned flags,
                             struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h, .flags = flags, .in = water->f};
  struct rill_drift_result result;
  (void)h_base;
  (void)filter; /* the identity: binding refuses others */
  if (flags & (RILL_FLOW_FAST | RILL_FLOW_SLOW)) {
    RILL_TRY(rill_water_evaluate_part(water, (flags & RILL_FLOW_SLOW) != 0, &pass.in, error));
  } else {
    rill_water_evaluate_for(water, flags);
    RILL_TRY(rill_water_field_failed(water, error));
  }
  rill_timers_start(water->options.timers);
  result = rill_water_over_molecules(&pass, kick_range);
  rill_timers_stop(water->options.timers, flags & RILL_FLOW_PROJECT ? RILL_PHASE_CONSTRAINTS : RILL_PHASE_KICK);
  return judge_projection(water, result, error);
}

static struct rill_drift_result ou_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  bool fine =
      water->flows->ou(&water->rigid, range, columns(water), &water->ou, pass->step, pass->use, water->molecules);
  return (struct rill_drift_result){0, !fine};
}

static enum rill_status ou(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h, .step = step, .use = use};
  struct rill_drift_result result;
  rill_timers_start(water->options.timers);
  rill_water_prepare_ou(water, h);
  result = rill_water_over_molecules(&pass, ou_range);
  rill_timers_stop(water->options.timers, RILL_PHASE_THERMOSTAT);
  return judge_projection(water, result, error);
}

static bool accepts(const void *self, const struct rill_filter *filter) {
  (void)self;
  return filter == &rill_filter_identity;
}

static bool divides(const void *self) {
  const struct rill_water *water = self;
  return rill_water_field_divides(water->field);
}

const struct rill_flow_ops rill_water_rigid_flow = {
    .drift_exact = false,
    .constrained = true,
    .drift = drift,
    .kick = kick,
    .ou = ou,
    .ou_commutes = rill_water_ou_commutes,
    .rescale = rill_water_rescale,
    .accepts = accepts,
    .divides = divides,
    .observe_half_step = rill_water_observe_half_step,
};
const struct rill_flow_ops rill_water_rigid_flow_without_ou = {
    .drift_exact = false,
    .constrained = true,
    .drift = drift,
    .kick = kick,
    .accepts = accepts,
    .divides = divides,
    .observe_half_step = rill_water_observe_half_step,
};
