#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "integrators/action.h"
#include "simulation/forcing.h"
#include "simulation/kind.h"
#include "simulation/sinks/sinks.h"
#include "simulation/small.h"

static const struct rill_deck_entry *entry_of(const struct rill_deck *deck, const struct rill_parameter *parameter) {
  for (size_t i = 0; i < deck->entry_count; i++)
    if (strcmp(deck->entries[i].key, parameter->name) == 0 &&
        strcmp(deck->entries[i].section, rill_parameter_section(parameter)) == 0)
      return &deck->entries[i];
  return NULL;
}

static void place_of(const struct rill_deck *deck, const struct rill_deck_entry *entry, char place[RILL_DECK_PLACE]) {
  if (entry->line > 0) snprintf(place, RILL_DECK_PLACE, "%.200s:%d", deck->path, entry->line);
  else snprintf(place, RILL_DECK_PLACE, "--set %s.%s", entry->section, entry->key);
}

/* A line of the deck that --set has made ineffective: ignored, as elsewhere in the deck. */
static bool pass_over(struct rill_deck *deck, const struct rill_system_type *type,
                      const struct rill_parameter *parameter) {
  const struct rill_deck_entry *entry = entry_of(deck, parameter),
                               *choice =
                                   entry_of(deck, &type->parameters[rill_parameter_index(type, parameter->with)]);
  size_t index = (size_t)(entry - deck->entries);
  if (entry->line < 0 || choice == NULL || choice->line >= 0) return false;
  deck->entry_count--;
  memmove(deck->entries + index, deck->entries + index + 1, (deck->entry_count - index) * sizeof deck->entries[0]);
  return true;
}

static enum rill_status read_values(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_system_type *type = sim->type;
  struct rill_deck *deck = &sim->deck;
  RILL_TRY(rill_parameters_default(type, sim->values, error));
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_deck_entry *entry = entry_of(deck, &type->parameters[i]);
    if (entry != NULL) RILL_TRY(rill_parameter_of_deck(type, i, entry->value, &sim->values[i], error));
  }
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_deck_entry *entry = entry_of(deck, &type->parameters[i]);
    char place[RILL_DECK_PLACE];
    if (entry == NULL || rill_parameter_has_effect(type, i, sim->values)) continue;
    if (pass_over(deck, type, &type->parameters[i])) continue;
    place_of(deck, entry, place);
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: [%s] %s has no effect here: it needs system.%s = %s", place,
                          entry->section, entry->key, type->parameters[i].with, type->parameters[i].with_word);
  }
  return RILL_OK;
}

/* Adds the defaults of the system's own keys, so that the expanded deck shows them. */
static enum rill_status add_defaults(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_system_type *type = sim->type;
  struct rill_deck *deck = &sim->deck;
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_parameter *parameter = &type->parameters[i];
    if (entry_of(deck, parameter) != NULL || !rill_parameter_has_effect(type, i, sim->values) ||
        parameter->fallback[0] == '\0')
      continue;
    RILL_TRY(
        rill_deck_add_entry(deck, rill_parameter_section(parameter), parameter->name, parameter->fallback, error));
  }
  return RILL_OK;
}

static enum rill_status check_quadrature(const struct rill_deck *deck, struct rill_error *error) {
  struct rill_action_quadrature quadrature;
  char place[RILL_DECK_PLACE];
  if (rill_action_quadrature_parse(deck->integrator.quadrature, &quadrature, error) == RILL_OK) return RILL_OK;
  return rill_error_prefix(error, "%s: [integrator] quadrature = %s",
                           rill_deck_place(deck, "integrator", "quadrature", place), deck->integrator.quadrature);
}

static enum rill_status find(struct rill_simulation *sim, struct rill_error *error) {
  sim->type = rill_system_type_find(sim->deck.system.kind);
  if (sim->type == NULL)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: [system] kind = %s is not a small system", sim->deck.path,
                          sim->deck.system.kind);
  RILL_TRY(rill_find_method(&sim->deck, &sim->method, error));
  RILL_TRY(rill_find_composition(&sim->deck, &sim->composition, error));
  RILL_TRY(check_quadrature(&sim->deck, error));
  RILL_TRY(read_values(sim, error));
  return add_defaults(sim, error);
}

static enum rill_status correct_measure(const struct rill_system *system, struct rill_error *error) {
  if (system->thermal->correct_measure != NULL) return system->thermal->correct_measure(system->self, error);
  return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                        "system %s has no constraints whose measure could be corrected; constrained is expected",
                        system->ops->name);
}

static enum rill_status couple(struct rill_simulation *sim, struct rill_error *error) {
  const struct rill_deck *deck = &sim->deck;
  const struct rill_bath bath = {.temperature = {deck->thermostat.temperature[0], deck->thermostat.temperature[1]},
                                 .steps = deck->integrator.steps,
                                 .law = deck->thermostat.friction_law,
                                 .friction = deck->thermostat.friction,
                                 .seed = deck->thermostat.seed};
  char place[RILL_DECK_PLACE];
  if (deck->thermostat.method == RILL_NO_BATH) return RILL_OK;
  if (deck->thermostat.method == RILL_V_RESCALE)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%s: [thermostat] method = v-rescale is for water: one factor for the few velocities of a "
                          "small system does not turn their directions; use gla or baoab",
                          rill_deck_place(deck, "thermostat", "method", place));
  if (sim->system.thermal == NULL)
    return rill_error_set(error, RILL_ERROR_UNSUPPORTED,
                          "%s: [thermostat] method: system %s has no velocities that a heat bath could act on; use "
                          "method = none",
                          rill_deck_place(deck, "thermostat", "method", place), sim->system.ops->name);
  if (sim->system.thermal->couple(sim->system.self, &bath, error) != RILL_OK)
    return rill_error_prefix(error, "%s: [thermostat] friction",
                             rill_deck_place(deck, "thermostat", "friction", place));
  if (deck->thermostat.measure == RILL_MEASURE_CONSTRAINED) return RILL_OK;
  if (correct_measure(&sim->system, error) == RILL_OK) return RILL_OK;
  return rill_error_prefix(error, "%s: [thermostat] measure = stiff-limit",
                           rill_deck_place(deck, "thermostat", "measure", place));
}

void rill_small_warn(const struct rill_simulation *sim, const struct rill_system *system) {
  const struct rill_deck *deck = &sim->deck;
  const double end = (double)deck->integrator.steps * deck->integrator.step;
  double least, most;
  if (sim->notes == NULL || deck->thermostat.method == RILL_NO_BATH) return;
  if (deck->output.means_from > end * (1 + 1e-12))
    rill_note(sim->notes,
              "warning: [output] means_from = %g is beyond the end of the run, %g: the summary will have no means",
              deck->output.means_from, end);
  system->thermal->rates(system->self, &least, &most);
  if (system->state->m > 0 && least < most && most * deck->integrator.step > 0.01)
    rill_note(sim->notes,
              "note: friction gamma h / m = %.2g for the least mass: with constraints, friction that depends on the "
              "mass shifts the kinetic temperature by about this fraction; a rate does not",
              most * deck->integrator.step);
}

static enum rill_status create(struct rill_simulation *sim, struct rill_error *error) {
  if (sim->type->create(sim->values, &sim->system, error) != RILL_OK)
    return rill_error_prefix(error, "%s", sim->deck.path);
  RILL_TRY(couple(sim, error));
  RILL_TRY(rill_simulation_force(sim, error));
  if (!sim->is_replica) rill_small_warn(sim, &sim->system);
  return RILL_OK;
}

static void clear(struct rill_simulation *sim) {
  rill_release(sim->forcing);
  sim->forcing = NULL;
}

static bool is_of(const struct rill_deck *deck) { return deck->units != RILL_UNITS_MOLECULAR; }

bool rill_small_moves_other_coordinates(const struct rill_simulation *sim) {
  const struct rill_filter *filter = sim->method->filter;
  return sim->system.state->position != NULL && filter != NULL && filter->kind != RILL_FILTER_IDENTITY;
}

size_t rill_small_multipliers(const struct rill_state *state) {
  if (state->multiplier == NULL) return 0;
  return state->multipliers > 0 ? state->multipliers : state->m;
}

/* Multipliers are observed with the state, not computed again. */
static void save(struct rill_simulation *sim, struct rill_archive *archive) {
  struct rill_state *state = sim->system.state;
  rill_simulation_archive_system(sim, archive);
  rill_archive_enter(archive, "observed");
  if (state->multiplier != NULL)
    rill_archive_reals(archive, "multiplier", state->multiplier, rill_small_multipliers(state));
  rill_archive_leave(archive);
  if (sim->forcing != NULL) rill_simulation_archive_forcing(sim, archive);
}

static enum rill_status restore(struct rill_simulation *sim, struct rill_error *error) {
  save(sim, sim->continued); /* when read, the archive restores what it would save */
  return rill_archive_status(sim->continued, error);
}

static const char *kernel(const struct rill_simulation *sim) {
  (void)sim;
  return "";
}

static void explain_stop(const struct rill_run *run, struct rill_error *error) {
  const struct rill_deck *deck = &run->sim->deck;
  const char *unit = rill_deck_time_unit(deck);
  rill_error_add(error, error->status, "the run stopped after step %" PRIu64 ", at time %.10g%s%s", run->driver.done,
                 (double)run->driver.done * deck->integrator.step, *unit ? " " : "", unit);
  if (run->outputs.trajectory[0] != '\0')
    rill_error_add(error, error->status, "all frames up to then are in %s", run->outputs.trajectory);
}

static double checkpoint_bytes(const struct rill_simulation *sim) { return 1e4 + 50 * (double)sim->system.state->n; }

static const struct rill_sink *const sinks[] = {RILL_SMALL_SINKS(RILL_SINK_ENTRY) NULL};

const struct rill_simulation_kind rill_small_kind = {
    .name = "small",
    .is_of = is_of,
    .find = find,
    .create = create,
    .clear = clear,
    .save = save,
    .restore = restore,
    .limit = rill_small_limit,
    .sinks = sinks,
    .checkpoint_bytes = checkpoint_bytes,
    .kernel = kernel,
    .explain_stop = explain_stop,
};
