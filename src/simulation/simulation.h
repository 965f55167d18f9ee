/* Making a simulation: a deck's system, water or small, bound to its method.  What belongs to one kind of system alone
 * stands behind a row of a table (kind.h). */
#ifndef RILL_SIMULATION_SIMULATION_H
#define RILL_SIMULATION_SIMULATION_H

#include <stdbool.h>

#include "deck/deck.h"
#include "integrators/registry.h"
#include "integrators/splittings.h"
#include "simulation/parts.h"

/* What the registries know, for the reading of decks. */
extern const struct rill_deck_registry rill_deck_registry;

/* Reads the deck and finds what it names; nothing else is read, built or written yet.  overrides: "section.key=value". */
enum rill_status rill_simulation_read(const char *deck_path, const char *const *overrides, size_t override_count,
                                      struct rill_simulation *sim, struct rill_error *error);
/* The same of a deck that was read already, which is sim->deck. */
enum rill_status rill_simulation_find(struct rill_simulation *sim, struct rill_error *error);

/* The rest: system, start, integrator; threads, notes and watch_build of sim are set before.  A simulation that is `continued` takes
 * start and state from there. */
enum rill_status rill_simulation_create(struct rill_simulation *sim, struct rill_error *error);
/* Its first part alone: the system is there, and no integrator. */
enum rill_status rill_simulation_create_system(struct rill_simulation *sim, struct rill_error *error);
/* Binds sim->method anew, with that in rill_method_options.own; on error the integrator is the one before. */
enum rill_status rill_simulation_rebind(struct rill_simulation *sim, const void *own, struct rill_error *error);
/* Destroys what create made; deck, method and parameters stay, so that it can be created again. */
void rill_simulation_clear(struct rill_simulation *sim);
/* Everything.  Accepts what is zeroed or half-built. */
void rill_simulation_release(struct rill_simulation *sim);

/* The state of the system, to an archive or from it. */
void rill_simulation_archive_system(struct rill_simulation *sim, struct rill_archive *archive);

/* Begins sim->guard: observes the start, or reads it from sim->continued, and sets the limits of [stop].  RILL_ERROR_INPUT when
 * the start is beyond them already. */
enum rill_status rill_simulation_watch_limits(struct rill_simulation *sim, struct rill_error *error);

/* The unit of energies: "kJ/mol", "J", or "". */
const char *rill_simulation_energy_unit(const struct rill_simulation *sim);
double rill_simulation_degrees_of_freedom(const struct rill_simulation *sim);

/* The deck's method; RILL_ERROR_INPUT with the nearest for an unknown one. */
enum rill_status rill_find_method(const struct rill_deck *deck, const struct rill_method **method,
                                  struct rill_error *error);
/* The deck's composition; NULL for none. */
enum rill_status rill_find_composition(const struct rill_deck *deck, const struct rill_composition **composition,
                                       struct rill_error *error);
/* What the deck says of a method's options, as the binding takes them. */
struct rill_method_options rill_method_options_of(const struct rill_deck *deck);

/* The section of a deck that a small system's parameter stands in: [penalty] for the stiffness of a formulation, else
 * [system]. */
const char *rill_parameter_section(const struct rill_parameter *parameter);
/* Whether the parameter has an effect with these values of the others. */
bool rill_parameter_has_effect(const struct rill_system_type *type, size_t index,
                               const struct rill_parameter_value *values);

#endif
