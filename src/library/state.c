/* The state: positions, velocities, forces, and saving and restoring it. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "library/handle.h"
#include "output/checkpoint.h"
#include "simulation/kind.h"

static bool is_water(const rill_simulation *handle) { return handle->sim.type == NULL; }

void rill_get_positions(const rill_simulation *handle, double *out) {
  const struct rill_state *state = handle->sim.system.state;
  if (is_water(handle)) rill_water_copy_positions(&handle->sim.system, out);
  else memcpy(out, state->position != NULL ? state->position : state->q, state->n * sizeof *out);
}

void rill_get_velocities(const rill_simulation *handle, double *out) {
  const struct rill_state *state = handle->sim.system.state;
  if (is_water(handle)) rill_water_copy_state(&handle->sim.system, NULL, out);
  else memcpy(out, state->p, state->n * sizeof *out);
}

enum rill_status rill_get_forces(rill_simulation *handle, double *out, struct rill_error *error) {
  const struct rill_mechanical *mechanical = handle->sim.system.mechanical;
  rill_error_clear(error);
  if (is_water(handle)) return rill_water_copy_forces(&handle->sim.system, out, error);
  if (mechanical == NULL)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED, "%s has no forces that depend on positions alone",
                          handle->sim.type->name);
  mechanical->ops->gradient(mechanical->self, handle->sim.system.state->q, out);
  for (size_t i = 0; i < mechanical->n; i++) out[i] = -out[i];
  return RILL_OK;
}

static enum rill_status check_finite(const rill_simulation *handle, const double *in, const char *what,
                                     struct rill_error *error) {
  rill_error_clear(error);
  for (size_t i = 0; i < rill_coordinates(handle); i++)
    if (!isfinite(in[i]))
      return rill_error_set(error, RILL_ERROR_NOT_FINITE, "%s: number %zu is not finite; nothing was changed", what,
                            i);
  return RILL_OK;
}

/* Makes the limits of [stop] relative to the new state. */
static void changed(rill_simulation *handle) {
  rill_guard_release(&handle->sim.guard);
  handle->sim.guard = (struct rill_guard){0};
  handle->watched = handle->sampled = handle->halfway = false;
}

enum rill_status rill_set_positions(rill_simulation *handle, const double *in, struct rill_error *error) {
  struct rill_state *state = handle->sim.system.state;
  RILL_TRY(check_finite(handle, in, "positions", error));
  if (is_water(handle)) {
    rill_water_set_state(&handle->sim.system, in, NULL);
  } else {
    memcpy(state->q, in, state->n * sizeof *in);
    if (state->position != NULL) memcpy(state->position, in, state->n * sizeof *in);
    if (state->acceleration != NULL) state->acceleration[0] = NAN;
    if (state->history != NULL) state->history[0] = NAN;
    if (state->compensation != NULL) memset(state->compensation, 0, state->n * sizeof *in);
  }
  changed(handle);
  return RILL_OK;
}

enum rill_status rill_set_velocities(rill_simulation *handle, const double *in, struct rill_error *error) {
  struct rill_state *state = handle->sim.system.state;
  RILL_TRY(check_finite(handle, in, "velocities", error));
  if (is_water(handle)) {
    rill_water_set_state(&handle->sim.system, NULL, in);
  } else {
    memcpy(state->p, in, state->n * sizeof *in);
    if (state->history != NULL) state->history[0] = NAN;
  }
  changed(handle);
  return RILL_OK;
}

bool rill_get_box(const rill_simulation *handle, double box[9]) {
  if (!handle->sim.structure.has_box) return false;
  memcpy(box, rill_water_cell(&handle->sim.system)->vector, 9 * sizeof *box);
  return true;
}

/* ---- energies elsewhere ---- */

static enum rill_status evaluate(rill_simulation *handle, const double *positions, double *potential, double *forces,
                                 struct rill_error *error) {
  struct rill_system *system = &handle->sim.system;
  struct rill_observation o;
  if (is_water(handle)) rill_water_set_state(system, positions, NULL);
  else memcpy(system->state->q, positions, system->state->n * sizeof *positions);
  RILL_TRY(system->ops->observe(system->self, &o, error));
  *potential = o.potential;
  return forces != NULL ? rill_get_forces(handle, forces, error) : RILL_OK;
}

/* Restores from the archive everything that a step depends on. */
enum rill_status rill_energy_at(rill_simulation *handle, const double *positions, double *potential, double *forces,
                                struct rill_error *error) {
  struct rill_system *system = &handle->sim.system;
  struct rill_archive kept = {0}, back;
  struct rill_error unused = {0};
  RILL_TRY(check_finite(handle, positions, "positions", error));
  system->ops->archive(system->self, &kept);
  if (rill_archive_status(&kept, error) == RILL_OK) {
    (void)evaluate(handle, positions, potential, forces, error);
    if (rill_archive_open(kept.bytes, kept.length, &back, &unused) == RILL_OK)
      system->ops->archive(system->self, &back);
  }
  rill_archive_release(&kept);
  return error->status;
}

/* ---- files ---- */

enum rill_status rill_save(rill_simulation *handle, const char *path, bool replace, struct rill_error *error) {
  struct rill_simulation *sim = &handle->sim;
  struct rill_checkpoint facts = {
      .deck = rill_deck_text(handle), .step = handle->done, .step_length = sim->deck.integrator.step};
  struct rill_archive archive;
  rill_error_clear(error);
  if (facts.deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the deck's text");
  snprintf(facts.version, sizeof facts.version, "%s", PACKAGE_VERSION);
  snprintf(facts.kind, sizeof facts.kind, "%s", sim->deck.system.kind);
  snprintf(facts.kernel, sizeof facts.kernel, "%s", sim->kind->kernel(sim));
  rill_checkpoint_begin(&archive, &facts);
  sim->kind->save(sim, &archive);
  if (rill_archive_status(&archive, error) == RILL_OK)
    (void)rill_checkpoint_write(path, replace, &archive, false, error);
  rill_archive_release(&archive);
  return error->status;
}

static enum rill_status restore(rill_simulation *handle, struct rill_checkpoint *checkpoint, const char *path,
                                struct rill_error *error) {
  struct rill_simulation *sim = &handle->sim;
  const char *deck = rill_deck_text(handle);
  if (deck == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the deck's text");
  if (strcmp(checkpoint->kind, sim->deck.system.kind) != 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s is for system %s, but %s has [system] kind = %s", path,
                          checkpoint->kind, sim->deck.path, sim->deck.system.kind);
  if (strcmp(checkpoint->deck, deck) != 0)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "%s was saved with another deck than %s; open the one that it holds", path, sim->deck.path);
  rill_simulation_clear(sim);
  sim->continued = &checkpoint->archive;
  if (rill_simulation_create(sim, error) == RILL_OK && sim->kind->restore != NULL)
    (void)sim->kind->restore(sim, error);
  if (error->status == RILL_OK && handle->method_name[0] != '\0') (void)rill_simulation_rebind(sim, handle, error);
  sim->continued = NULL;
  if (error->status != RILL_OK) return error->status;
  changed(handle);
  handle->done = checkpoint->step;
  return RILL_OK;
}

enum rill_status rill_load(rill_simulation *handle, const char *path, struct rill_error *error) {
  struct rill_checkpoint *checkpoint = rill_allocate(1, sizeof *checkpoint);
  struct rill_error first = {0};
  bool missing;
  rill_error_clear(error);
  if (checkpoint == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (rill_checkpoint_load(path, checkpoint, &missing, &first, error) == RILL_OK)
    (void)restore(handle, checkpoint, path, error);
  rill_checkpoint_release(checkpoint);
  rill_release(checkpoint);
  return error->status;
}
