#include "water/water_atoms.h"

#include <string.h>

#include "base/memory.h"
#include "water/water_domain.h"

enum rill_status rill_water_bodies_create(struct rill_water *water, struct rill_error *error) {
  const enum rill_rotor rotor =
      water->options.constraints.solver == RILL_BODIES_LGVI ? RILL_ROTOR_LGVI : RILL_ROTOR_AXES;
  water->body.block = rill_allocate(RILL_BODY_ROWS * water->stride, sizeof *water->body.block);
  water->saved.bodies = rill_allocate(RILL_BODY_ROWS * water->stride, sizeof *water->saved.bodies);
  if (water->body.block == NULL || water->saved.bodies == NULL)
    return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for %zu molecules", water->molecules);
  water->body.columns = rill_bodies_of(water->body.block, water->stride);
  water->body.columns.number = rill_water_numbers(water);
  water->body.flows = rill_body_table(water->options.isa);
  water->body.ou.noise = rill_noise_create(water->options.seed, RILL_STREAM_THERMOSTAT);
  water->body.ou.single = water->ou.single;
  return rill_body_create(&water->options.model, rotor, &water->body.molecule, error);
}

void rill_water_bodies_destroy(struct rill_water *water) {
  rill_release(water->body.block);
  rill_release(water->saved.bodies);
}

void rill_water_bodies_adopt(struct rill_water *water) {
  const struct rill_range all = {0, water->stride}; /* inert columns, too */
  if (!water->of_bodies) return;
  rill_bodies_adopt(&water->body.molecule, all,
                    (struct rill_columns){.stride = water->stride, .q = water->q, .v = water->v},
                    water->body.columns);
  water->body.flows->place(&water->body.molecule, all, water->body.columns, water->q, water->v);
  water->body.velocities_behind = false;
  rill_water_moved(water);
  if (water->body.inert_known) return;
  for (size_t k = 0; k < RILL_BODY_ROWS; k++) water->body.inert[k] = water->body.block[(k + 1) * water->stride - 1];
  water->body.inert_known = true;
}

void rill_water_bodies_follow(struct rill_water *water) {
  if (!water->of_bodies || !water->body.velocities_behind) return;
  water->body.flows->place(&water->body.molecule, rill_water_columns(water), water->body.columns, NULL, water->v);
  water->body.velocities_behind = false;
}

void rill_water_bodies_changed(struct rill_water *water) {
  if (!water->of_bodies) return;
  water->body.flows->place(&water->body.molecule, rill_water_columns(water), water->body.columns, water->q, NULL);
  water->body.velocities_behind = true;
  rill_water_moved(water);
}

void rill_water_bodies_shift(struct rill_water *water, const double shift[3]) {
  for (size_t c = 0; c < 3; c++)
    for (size_t m = 0; m < water->molecules; m++) water->body.columns.centre[c * water->stride + m] -= shift[c];
  rill_water_bodies_changed(water);
}

static size_t bytes_of(const struct rill_water *water) {
  return RILL_BODY_ROWS * water->stride * sizeof *water->body.block;
}

void rill_water_bodies_reverse(struct rill_water *water) {
  const struct rill_bodies *bodies = &water->body.columns;
  for (size_t i = 0; i < 3 * water->stride; i++) {
    bodies->momentum[i] = -bodies->momentum[i];
    bodies->spin[i] = -bodies->spin[i];
  }
  water->body.velocities_behind = true;
}

void rill_water_bodies_save(struct rill_water *water) {
  memcpy(water->saved.bodies, water->body.block, bytes_of(water));
}

void rill_water_bodies_restore(struct rill_water *water) {
  memcpy(water->body.block, water->saved.bodies, bytes_of(water));
  rill_water_bodies_changed(water);
}

/* Columns beyond the molecules are written as they were at the start, whatever drifts have made of them. */
void rill_water_bodies_archive(struct rill_water *water, struct rill_archive *archive) {
  for (size_t k = 0; k < RILL_BODY_ROWS && !archive->reading; k++)
    for (size_t m = water->molecules; m < water->stride; m++)
      water->body.block[k * water->stride + m] = water->body.inert[k];
  rill_water_archive_columns(water, archive, "bodies", water->body.block, RILL_BODY_ROWS);
  if (archive->reading) rill_water_bodies_changed(water);
}

void rill_water_bodies_place_saved(const struct rill_water *water) {
  if (!water->of_bodies) return;
  water->body.flows->place(&water->body.molecule, rill_water_columns(water),
                           rill_bodies_of(water->saved.bodies, water->stride), water->saved.q, NULL);
}
