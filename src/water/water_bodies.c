#include "water/water_bodies.h"

#include "water/water_domain.h"
#include "water/water_evaluate.h"
#include "water/water_observe.h"
#include "water/water_passes.h"
#include "water/water_rescale.h"
#include "water/water_trouble.h"

static struct rill_drift_result drift_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  return water->body.flows->drift(&water->body.molecule, range, water->body.columns, pass->h, water->q);
}

static enum rill_status drift(void *self, double h, unsigned flags, struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h};
  struct rill_drift_result result;
  /* nothing to project; binding refuses difference quotients */
  rill_timers_start(water->options.timers);
  result = rill_water_over_molecules(&pass, drift_range);
  rill_water_moved(water);
  water->body.velocities_behind = true;
  if (result.iterations > water->iterations) water->iterations = result.iterations;
  rill_timers_stop(water->options.timers, RILL_PHASE_CONSTRAINTS);
  if (!result.failed) return rill_water_agree_on_drift(water, flags, RILL_OK, error);
  rill_water_trouble(water, RILL_ERROR_CONVERGENCE,
                     water->body.molecule.rotor == RILL_ROTOR_LGVI ? "LGVI found no rotation for the angular momentum"
                                                                   : "the attitude is not finite",
                     error);
  return rill_water_agree_on_drift(water, flags, error->status, error);
}

static struct rill_drift_result kick_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->body.flows->kick(&water->body.molecule, range, water->body.columns, water->f, pass->h);
  return (struct rill_drift_result){0};
}

static enum rill_status kick(void *self, double h, double h_base, const struct rill_filter *filter, unsigned flags,
                             struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h};
  (void)h_base;
  (void)filter; /* the identity: binding refuses others */
  rill_water_evaluate_for(water, flags);
  RILL_TRY(rill_water_field_failed(water, error));
  rill_water_over_molecules(&pass, kick_range);
  water->body.velocities_behind = true;
  return RILL_OK;
}

static struct rill_drift_result ou_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->body.flows->ou(&water->body.molecule, range, water->body.columns, &water->body.ou, pass->step, pass->use,
                        water->molecules);
  return (struct rill_drift_result){0};
}

static enum rill_status ou(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  struct rill_water *water = self;
  const struct rill_water_options *options = &water->options;
  struct rill_water_pass pass = {.water = water, .step = step, .use = use};
  (void)error;
  rill_timers_start(options->timers);
  if (water->ou_temperature != water->temperature || water->ou_step != h) {
    rill_body_prepare_ou(&water->body.molecule, options->friction_law == RILL_FRICTION_UNIFORM, options->friction,
                         options->rotation_friction, water->temperature, h, &water->body.ou);
    water->ou_temperature = water->temperature;
    water->ou_step = h;
  }
  rill_water_over_molecules(&pass, ou_range);
  water->body.velocities_behind = true;
  rill_timers_stop(options->timers, RILL_PHASE_THERMOSTAT);
  return RILL_OK;
}

static bool accepts(const void *self, const struct rill_filter *filter) {
  (void)self;
  return filter == &rill_filter_identity;
}

const struct rill_flow_ops rill_water_bodies_flow = {
    .drift_exact = false,
    .rigid_bodies = true,
    .drift = drift,
    .kick = kick,
    .ou = ou,
    .rescale = rill_water_rescale,
    .accepts = accepts,
    .observe_half_step = rill_water_observe_half_step,
};
const struct rill_flow_ops rill_water_bodies_flow_without_ou = {
    .drift_exact = false,
    .rigid_bodies = true,
    .drift = drift,
    .kick = kick,
    .accepts = accepts,
    .observe_half_step = rill_water_observe_half_step,
};
