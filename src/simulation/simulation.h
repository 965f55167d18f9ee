/* Making a simulation: a deck's system, water or small, bound to its method.  Each kind of system has a row of a
 * table (kind.h). */
#ifndef RILL_SIMULATION_SIMULATION_H
#define RILL_SIMULATION_SIMULATION_H

#include <stdbool.h>

#include "deck/deck.h"
#include "integrators/registry.h"
#include "integrators/splittings.h"
#include "simulation/parts.h"

/* The contents of the registries, for reading decks. */
extern const struct rill_deck_registry rill_deck_registry;

/* Reads the deck and finds what it names; nothing else is read, built or written yet.  overrides:
 * "section.key=value". */
enum rill_status rill_simulation_read(const char *deck_path, const char *const *overrides, size_t override_count,
                                      struct rill_simulation *sim, struct rill_error *error);
/* The same for sim->deck, which was already read. */
enum rill_status rill_simulation_find(struct rill_simulation *sim, struct rill_error *error);

/* The method's name as in the deck, or the present one where the deck has a former name. */
const char *rill_simulation_method(const struct rill_simulation *sim);

/* Writes a note with the deck's keys that overrides left without effect. */
void rill_simulation_note_dropped(const struct rill_simulation *sim);

/* Sets sim->threads, unless it is set: `most`, or where that is 0 what the machine and OMP_NUM_THREADS offer, but not
 * more than the deck says. */
void rill_simulation_choose_threads(struct rill_simulation *sim, int most);

/* Makes the rest: system, start, integrator; threads, notes and watch_build of sim are set before.  A simulation with
 * `continued` takes start and state from there. */
enum rill_status rill_simulation_create(struct rill_simulation *sim, struct rill_error *error);
/* The first part of it: makes the system, but no integrator. */
enum rill_status rill_simulation_create_system(struct rill_simulation *sim, struct rill_error *error);
/* The options of the deck for a binding. */
struct rill_binding_options rill_simulation_binding(const struct rill_simulation *sim);
/* Binds sim->method to a system: that of sim, or another one like it. */
enum rill_status rill_simulation_bind(const struct rill_simulation *sim, struct rill_system *system, const void *own,
                                      struct rill_integrator **integrator, struct rill_error *error);
/* Binds sim->method again, with rill_method_options.own; on error the previous integrator remains. */
enum rill_status rill_simulation_rebind(struct rill_simulation *sim, const void *own, struct rill_error *error);
/* Destroys what create made; keeps deck, method and parameters, so that it can be created again. */
void rill_simulation_clear(struct rill_simulation *sim);
/* Releases everything.  Accepts a zeroed or partly built simulation. */
void rill_simulation_release(struct rill_simulation *sim);

/* Writes the state of the system to an archive, or reads it from there. */
void rill_simulation_archive_system(struct rill_simulation *sim, struct rill_archive *archive);

/* Begins sim->guard: observes the start, or reads it from sim->continued, and sets the limits of [stop].
 * RILL_ERROR_INPUT when the start already exceeds them. */
enum rill_status rill_simulation_watch_limits(struct rill_simulation *sim, struct rill_error *error);

/* The system and its guard; of an ensemble, those of the first replica. */
const struct rill_system *rill_simulation_first_system(const struct rill_simulation *sim);
const struct rill_guard *rill_simulation_first_guard(const struct rill_simulation *sim);

/* The unit of energies: "kJ/mol", "J", or "". */
const char *rill_simulation_energy_unit(const struct rill_simulation *sim);
double rill_simulation_degrees_of_freedom(const struct rill_simulation *sim);

/* The deck's method; for an unknown one RILL_ERROR_INPUT, with the nearest name. */
enum rill_status rill_find_method(const struct rill_deck *deck, const struct rill_method **method,
                                  struct rill_error *error);
/* The deck's composition; NULL for none. */
enum rill_status rill_find_composition(const struct rill_deck *deck, const struct rill_composition **composition,
                                       struct rill_error *error);
/* A method's options from the deck, for the binding. */
struct rill_method_options rill_method_options_of(const struct rill_deck *deck);

/* The section of a deck for a small system's parameter: [penalty] for the stiffness of a formulation,
 * else [system]. */
const char *rill_parameter_section(const struct rill_parameter *parameter);
/* Whether the parameter has an effect for these values of the others. */
bool rill_parameter_has_effect(const struct rill_system_type *type, size_t index,
                               const struct rill_parameter_value *values);

#endif
