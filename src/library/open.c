/* Opening, closing, and properties of a simulation. */
#include "config.h"

#include <stdlib.h>

#include "library/handle.h"
#include "simulation/ensemble.h"

const char *rill_version(void) { return PACKAGE_VERSION; }

static enum rill_status finish_open(rill_simulation *handle, rill_simulation **out, struct rill_error *error) {
  if (rill_ensemble_refuse(&handle->sim.deck, "the library", error) != RILL_OK ||
      rill_simulation_find(&handle->sim, error) != RILL_OK ||
      rill_simulation_create(&handle->sim, error) != RILL_OK) {
    rill_close(handle);
    return error->status;
  }
  *out = handle;
  return RILL_OK;
}

static rill_simulation *make(const struct rill_open_options *options) {
  rill_simulation *handle = calloc(1, sizeof *handle);
  if (handle == NULL) return NULL;
  handle->sim.threads = options->threads;
  handle->notes = (struct rill_notes){options->note, options->context};
  if (options->note != NULL) handle->sim.notes = &handle->notes;
  return handle;
}

static const struct rill_open_options defaults;

enum rill_status rill_open(const char *deck_path, const struct rill_open_options *options, rill_simulation **sim,
                           struct rill_error *error) {
  const struct rill_open_options *o = options != NULL ? options : &defaults;
  rill_simulation *handle = make(o);
  *sim = NULL;
  rill_error_clear(error);
  if (handle == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (rill_deck_read_with(&rill_deck_registry, deck_path, o->overrides, o->override_count, &handle->sim.deck,
                          error) != RILL_OK) {
    rill_close(handle);
    return error->status;
  }
  return finish_open(handle, sim, error);
}

enum rill_status rill_open_text(const char *name, const char *text, const struct rill_open_options *options,
                                rill_simulation **sim, struct rill_error *error) {
  const struct rill_open_options *o = options != NULL ? options : &defaults;
  rill_simulation *handle = make(o);
  *sim = NULL;
  rill_error_clear(error);
  if (handle == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  if (rill_deck_read_text(&rill_deck_registry, name, text, o->overrides, o->override_count, &handle->sim.deck,
                          error) != RILL_OK) {
    rill_close(handle);
    return error->status;
  }
  return finish_open(handle, sim, error);
}

void rill_close(rill_simulation *handle) {
  if (handle == NULL) return;
  rill_simulation_release(&handle->sim);
  free(handle->deck_text);
  free(handle);
}

size_t rill_molecules(const rill_simulation *handle) { return handle->sim.structure.molecules; }

size_t rill_coordinates(const rill_simulation *handle) {
  return handle->sim.type == NULL ? 9 * handle->sim.structure.molecules : handle->sim.system.state->n;
}

uint64_t rill_steps_done(const rill_simulation *handle) { return handle->done; }
uint64_t rill_steps_planned(const rill_simulation *handle) { return handle->sim.deck.integrator.steps; }
double rill_step_length(const rill_simulation *handle) { return handle->sim.deck.integrator.step; }
const char *rill_time_unit(const rill_simulation *handle) { return rill_deck_time_unit(&handle->sim.deck); }

enum rill_status rill_steps_of(const rill_simulation *handle, const char *text, uint64_t *steps,
                               struct rill_error *error) {
  const struct rill_deck *deck = &handle->sim.deck;
  rill_error_clear(error);
  return rill_deck_count_steps(deck, text, steps, error);
}

const char *rill_deck_text(rill_simulation *handle) {
  if (handle->deck_text == NULL) handle->deck_text = rill_deck_expand(&handle->sim.deck);
  return handle->deck_text;
}
