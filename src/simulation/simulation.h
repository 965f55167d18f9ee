/* A simulation: a deck's system, water or small, bound to its method.  What belongs to one kind of system alone stands behind a
 * row of a table (kind.h). */
#ifndef RILL_SIMULATION_SIMULATION_H
#define RILL_SIMULATION_SIMULATION_H

#include <stdbool.h>

#include "base/notes.h"
#include "deck/deck.h"
#include "integrators/registry.h"
#include "integrators/words.h"
#include "mech/guard.h"
#include "mech/integrator.h"
#include "structure/structure.h"
#include "systems/registry.h"
#include "water/relax/build.h"
#include "water/water_accuracy.h"
#include "water/water_system.h"

/* Zeroed before the first use.  Must stay where it is: the system borrows the timers. */
struct rill_simulation {
  struct rill_deck deck;
  const struct rill_simulation_kind *kind;
  const struct rill_method *method;
  const struct rill_composition *composition; /* of the method; NULL: none */
  struct rill_system system;
  struct rill_timers timers;
  struct rill_integrator *integrator;
  struct rill_guard guard;
  struct rill_archive *continued;     /* a resumed run: where its state is; borrowed; NULL for one that begins */
  const struct rill_notes *notes;     /* borrowed; NULL: none */
  int threads;                        /* 0: what the machine and OMP_NUM_THREADS offer */
  /* Sees how far the building of a start is; may be NULL.  As in rill_build_options. */
  bool (*watch_build)(void *context, const struct rill_build_progress *progress);
  void *watch_context;

  /* Water. */
  struct rill_structure structure;    /* as it starts: whole, rigid */
  struct rill_water_model model;
  enum rill_isa isa;
  struct rill_pme_parameters mesh;    /* of a periodic system with coulomb = pme */
  struct rill_force_accuracy accuracy; /* of its forces, measured at the start */

  /* A small system. */
  const struct rill_system_type *type;
  struct rill_parameter_value values[RILL_PARAMETERS];
};

/* What the registries know, for the reading of decks. */
extern const struct rill_deck_lore rill_deck_lore;

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
