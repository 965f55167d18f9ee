/* Water as rigid bodies: its flows, and how atoms and bodies are kept consistent. */
#include <math.h>
#include <string.h>

#include "water/water_state.h"

static struct rill_drift_result drift_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  return water->body_flows->drift(&water->body, range, water->bodies, pass->h, water->q);
}

static enum rill_status drift(void *self, double h, unsigned flags, struct rill_error *error) {
  struct rill_water *water = self;
  struct rill_water_pass pass = {.water = water, .h = h};
  struct rill_drift_result result;
  (void)flags; /* nothing to project; binding refuses difference quotients */
  rill_timers_start(water->options.timers);
  result = rill_water_over_molecules(&pass, drift_range);
  rill_water_moved(water);
  water->velocities_behind = true;
  if (result.iterations > water->iterations) water->iterations = result.iterations;
  rill_timers_stop(water->options.timers, RILL_PHASE_CONSTRAINTS);
  if (!result.failed) return RILL_OK;
  return rill_water_trouble(water, RILL_ERROR_CONVERGENCE,
                            water->body.rotor == RILL_ROTOR_LGVI ? "LGVI found no rotation for the angular momentum"
                                                                 : "the attitude is not finite",
                            error);
}

static struct rill_drift_result kick_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->body_flows->kick(&water->body, range, water->bodies, water->f, pass->h);
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
  water->velocities_behind = true;
  return RILL_OK;
}

static struct rill_drift_result ou_range(const struct rill_water_pass *pass, struct rill_range range) {
  struct rill_water *water = pass->water;
  water->body_flows->ou(&water->body, range, water->bodies, &water->body_ou, pass->step, pass->use, water->molecules);
  return (struct rill_drift_result){0};
}

static enum rill_status ou(void *self, double h, uint64_t step, uint32_t use, struct rill_error *error) {
  struct rill_water *water = self;
  const struct rill_water_options *options = &water->options;
  struct rill_water_pass pass = {.water = water, .step = step, .use = use};
  (void)error;
  rill_timers_start(options->timers);
  if (water->ou_temperature != water->temperature || water->ou_step != h) {
    rill_body_prepare_ou(&water->body, options->friction_law == RILL_FRICTION_UNIFORM, options->friction,
                         water->temperature, h, &water->body_ou);
    water->ou_temperature = water->temperature;
    water->ou_step = h;
  }
  rill_water_over_molecules(&pass, ou_range);
  water->velocities_behind = true;
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

/* ---- atoms and bodies ---- */

static struct rill_range all_of(const struct rill_water *water) { return (struct rill_range){0, water->stride}; }

void rill_water_bodies_adopt(struct rill_water *water) {
  if (!water->of_bodies) return;
  rill_bodies_adopt(&water->body, all_of(water), (struct rill_columns){water->stride, water->q, water->v},
                    water->bodies);
  water->body_flows->place(&water->body, all_of(water), water->bodies, water->q, water->v);
  water->velocities_behind = false;
  rill_water_moved(water);
}

void rill_water_bodies_follow(struct rill_water *water) {
  if (!water->of_bodies || !water->velocities_behind) return;
  water->body_flows->place(&water->body, all_of(water), water->bodies, NULL, water->v);
  water->velocities_behind = false;
}

void rill_water_bodies_changed(struct rill_water *water) {
  if (!water->of_bodies) return;
  water->body_flows->place(&water->body, all_of(water), water->bodies, water->q, NULL);
  water->velocities_behind = true;
  rill_water_moved(water);
}

void rill_water_bodies_shift(struct rill_water *water, const double shift[3]) {
  for (size_t c = 0; c < 3; c++)
    for (size_t m = 0; m < water->molecules; m++) water->bodies.centre[c * water->stride + m] -= shift[c];
  rill_water_bodies_changed(water);
}

static size_t bytes_of(const struct rill_water *water) {
  return RILL_BODY_ROWS * water->stride * sizeof *water->body_block;
}

void rill_water_bodies_reverse(struct rill_water *water) {
  const struct rill_bodies *bodies = &water->bodies;
  for (size_t i = 0; i < 3 * water->stride; i++) {
    bodies->momentum[i] = -bodies->momentum[i];
    bodies->spin[i] = -bodies->spin[i];
  }
  water->velocities_behind = true;
}

void rill_water_bodies_save(struct rill_water *water) {
  memcpy(water->saved.bodies, water->body_block, bytes_of(water));
}

void rill_water_bodies_restore(struct rill_water *water) {
  memcpy(water->body_block, water->saved.bodies, bytes_of(water));
  rill_water_bodies_changed(water);
}

void rill_water_bodies_archive(struct rill_water *water, struct rill_archive *archive) {
  rill_archive_reals(archive, "bodies", water->body_block, RILL_BODY_ROWS * water->stride);
  if (archive->reading) rill_water_bodies_changed(water);
}

void rill_water_bodies_place_saved(const struct rill_water *water) {
  if (!water->of_bodies) return;
  water->body_flows->place(&water->body, all_of(water), rill_bodies_of(water->saved.bodies, water->stride),
                           water->saved.q, NULL);
}
