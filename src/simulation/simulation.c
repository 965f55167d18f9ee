#include "simulation/simulation.h"

#include <omp.h>
#include <string.h>

#include "simulation/kind.h"
#include "simulation/refusals.h"

static const struct rill_simulation_kind *const kinds[] = {&rill_ensemble_kind, &rill_small_ensemble_kind,
                                                           &rill_water_kind, &rill_small_kind};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

enum rill_status rill_simulation_find(struct rill_simulation *sim, struct rill_error *error) {
  for (size_t i = 0; i < KINDS && sim->kind == NULL; i++)
    if (kinds[i]->is_of(&sim->deck)) sim->kind = kinds[i];
  return sim->kind->find(sim, error);
}

enum rill_status rill_simulation_read(const char *deck_path, const char *const *overrides, size_t override_count,
                                      struct rill_simulation *sim, struct rill_error *error) {
  memset(sim, 0, sizeof *sim);
  RILL_TRY(rill_deck_read_with(&rill_deck_registry, deck_path, overrides, override_count, &sim->deck, error));
  return rill_simulation_find(sim, error);
}

struct rill_binding_options rill_simulation_binding(const struct rill_simulation *sim) {
  const struct rill_deck *deck = &sim->deck;
  return (struct rill_binding_options){.step = deck->integrator.step,
                                       .insertion = deck->thermostat.method,
                                       .geodesic_steps = (unsigned)deck->thermostat.geodesic_steps,
                                       .trial_steps = (unsigned)deck->thermostat.trial_steps,
                                       .composition = sim->composition,
                                       .method = rill_method_options_of(deck)};
}

enum rill_status rill_simulation_bind(const struct rill_simulation *sim, struct rill_system *system, const void *own,
                                      struct rill_integrator **integrator, struct rill_error *error) {
  struct rill_binding_options binding = rill_simulation_binding(sim);
  const char *advice;
  char place[RILL_DECK_PLACE];
  binding.method.own = own;
  advice = rill_refusal_advice(rill_binding_refusal(sim->method, system, &binding));
  if (rill_integrator_create(sim->method, system, &binding, integrator, error) == RILL_OK) return RILL_OK;
  if (advice != NULL) rill_error_append(error, "; %s", advice);
  return rill_error_prefix(error, "%s", rill_deck_place(&sim->deck, "integrator", "method", place));
}

enum rill_status rill_simulation_rebind(struct rill_simulation *sim, const void *own, struct rill_error *error) {
  struct rill_integrator *integrator;
  RILL_TRY(rill_simulation_bind(sim, &sim->system, own, &integrator, error));
  rill_integrator_destroy(sim->integrator);
  sim->integrator = integrator;
  return RILL_OK;
}

void rill_simulation_choose_threads(struct rill_simulation *sim, int most) {
  if (sim->threads > 0) return;
  sim->threads = most > 0 ? most : omp_get_max_threads();
  if (sim->deck.forces.threads > 0 && sim->deck.forces.threads < (uint64_t)sim->threads)
    sim->threads = (int)sim->deck.forces.threads;
}

enum rill_status rill_simulation_create_system(struct rill_simulation *sim, struct rill_error *error) {
  rill_simulation_choose_threads(sim, 0);
  return sim->kind->create(sim, error);
}

const char *rill_simulation_method(const struct rill_simulation *sim) {
  const char *given = sim->deck.integrator.method;
  return rill_method_name_is_former(given) ? sim->method->name : given;
}

void rill_simulation_note_dropped(const struct rill_simulation *sim) {
  char keys[RILL_DECK_STRING];
  if (rill_deck_dropped(&sim->deck, keys))
    rill_note(sim->notes, "note: without effect in this run, because of overrides: %s", keys);
}

enum rill_status rill_simulation_create(struct rill_simulation *sim, struct rill_error *error) {
  if (rill_method_name_is_former(sim->deck.integrator.method))
    rill_note(sim->notes, "note: integrator.method = %s is called %s now; the former name is still accepted",
              sim->deck.integrator.method, sim->method->name);
  RILL_TRY(rill_simulation_create_system(sim, error));
  return sim->ensemble != NULL ? RILL_OK : rill_simulation_rebind(sim, NULL, error);
}

enum rill_status rill_simulation_plan(const struct rill_simulation *sim, struct rill_outputs *outputs,
                                      struct rill_error *error) {
  for (const struct rill_sink *const *sink = sim->kind->sinks; *sink != NULL; sink++)
    if ((*sink)->plan != NULL) RILL_TRY((*sink)->plan(outputs, &sim->deck, error));
  return rill_outputs_plan(outputs, &sim->deck, error);
}

void rill_simulation_archive_system(struct rill_simulation *sim, struct rill_archive *archive) {
  rill_archive_enter(archive, "system");
  sim->system.ops->archive(sim->system.self, archive);
  rill_archive_leave(archive);
}

void rill_simulation_clear(struct rill_simulation *sim) {
  rill_guard_release(&sim->guard);
  rill_integrator_destroy(sim->integrator);
  if (sim->system.ops != NULL) sim->system.ops->destroy(sim->system.self);
  if (sim->kind != NULL) sim->kind->clear(sim);
  sim->guard = (struct rill_guard){0};
  sim->ensemble = NULL;
  sim->integrator = NULL;
  sim->system = (struct rill_system){0};
}

void rill_simulation_release(struct rill_simulation *sim) {
  rill_simulation_clear(sim);
  memset(sim, 0, sizeof *sim);
}

const char *rill_simulation_energy_unit(const struct rill_simulation *sim) {
  if (sim->deck.units == RILL_UNITS_MOLECULAR) return "kJ/mol";
  return sim->deck.units == RILL_UNITS_SI ? "J" : "";
}

double rill_simulation_degrees_of_freedom(const struct rill_simulation *sim) {
  return sim->system.ops->degrees_of_freedom(sim->system.self);
}

const struct rill_system *rill_simulation_first_system(const struct rill_simulation *sim) {
  return sim->ensemble != NULL ? &sim->ensemble->replica[0].system : &sim->system;
}

const struct rill_guard *rill_simulation_first_guard(const struct rill_simulation *sim) {
  return sim->ensemble != NULL ? &sim->ensemble->replica[0].guard : &sim->guard;
}
