/* The start of a run of water: Maxwell velocities, removal of momenta. */
#include <math.h>

#include "base/random.h"
#include "base/units.h"
#include "water/water_atoms.h"
#include "water/water_bath.h"
#include "water/water_domain.h"
#include "water/water_hand_out.h"
#include "water/water_lead.h"
#include "water/water_momenta.h"
#include "water/water_system.h"

enum rill_status rill_water_draw_velocities(struct rill_system *system, double temperature, uint64_t seed,
                                            struct rill_error *error) {
  struct rill_water *water = system->self;
  struct rill_noise noise = rill_noise_create(seed, RILL_STREAM_VELOCITIES);
  enum rill_status status = RILL_OK;
  RILL_TRY(rill_water_lead_message(
      water, (struct rill_water_message){.command = RILL_LEAD_DRAW, .temperature = temperature, .seed = seed},
      error));
  for (size_t m = 0; m < water->molecules; m++) {
    const uint32_t number = (uint32_t)rill_water_number(water, m);
    double z[12];
    for (uint32_t block = 0; block < 3; block++) rill_noise_normal(&noise, 0, number, block, z + 4 * block);
    for (size_t k = 0; k < RILL_COORDINATES; k++)
      water->v[k * water->stride + m] =
          sqrt(RILL_GAS_CONSTANT * temperature / water->options.model.mass[k / 3]) * z[k];
  }
  if (water->penalised) return RILL_OK;
  if (water->of_bodies) {
    rill_water_bodies_adopt(water);
    return RILL_OK;
  }
  if (!water->flows->project(&water->rigid, rill_water_columns(water),
                             (struct rill_columns){.stride = water->stride, .q = water->q, .v = water->v}))
    status = rill_error_set(error, RILL_ERROR_CONVERGENCE,
                            "the projection of the initial velocities reached its iteration limit (%u); raise "
                            "constraints.max_iterations or constraints.velocity_tolerance",
                            water->rigid.max_iterations);
  return rill_water_agree(water, status, error);
}

enum rill_status rill_water_remove_momentum(struct rill_system *system, enum rill_momentum_removal removal,
                                            struct rill_error *error) {
  struct rill_water *water = system->self;
  const struct rill_external *external = &water->options.external;
  const bool noise = water->options.thermostat && !rill_water_rescales(water);
  const bool noise_pushes = noise && water->options.friction > 0;
  const bool noise_turns = noise_pushes || (noise && water->options.rotation_friction > 0);
  const bool electric = rill_external_has_electric(external), trapped = rill_external_has_trap(external);
  RILL_TRY(rill_water_lead_message(
      water, (struct rill_water_message){.command = RILL_LEAD_REMOVE, .removal = removal}, error));
  if (removal == RILL_REMOVE_AUTO)
    removal = rill_water_all(water) < 2 || trapped  ? RILL_KEEP_MOMENTUM
              : water->options.periodic || electric ? RILL_REMOVE_LINEAR_MOMENTUM
                                                    : RILL_REMOVE_ALL_MOMENTA;
  if (removal == RILL_KEEP_MOMENTUM) return RILL_OK;
  if (rill_water_all(water) < 2)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "removing the momentum of a single molecule would stop it; set start.remove = none");
  rill_water_bodies_follow(water);
  /* twice: the second pass removes the round-off of the first */
  for (int pass = 0; pass < 2; pass++) {
    RILL_TRY(rill_water_remove_linear(water, error));
    if (removal == RILL_REMOVE_ALL_MOMENTA) RILL_TRY(rill_water_remove_angular(water, error));
  }
  rill_water_bodies_adopt(water);
  /* a trap pulls at the whole, and a field turns it */
  water->removed_linear = noise_pushes || trapped ? 0 : 3;
  water->removed_angular = noise_turns || electric || removal != RILL_REMOVE_ALL_MOMENTA ? 0 : 3;
  return RILL_OK;
}
