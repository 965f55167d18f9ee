/* Small systems on the command line: from a deck to a system of the registry bound to a method. */
#ifndef RILL_CLI_SMALL_H
#define RILL_CLI_SMALL_H

#include <stdio.h>

#include "deck/deck.h"
#include "integrators/registry.h"
#include "integrators/words.h"
#include "mech/integrator.h"
#include "systems/registry.h"

/* Zeroed before the first use; must stay where it is. */
struct rill_small {
  const struct rill_system_type *type;
  const struct rill_method *method;
  const struct rill_composition *composition;   /* of the method; NULL: none */
  struct rill_parameter_value values[RILL_PARAMETERS];
  struct rill_system system;
  struct rill_integrator *integrator;
};

/* What the registries know, for the reading of decks. */
extern const struct rill_deck_lore rill_deck_lore;

/* The section of a deck that a parameter stands in: [penalty] for the stiffness of a formulation, else [system]. */
const char *rill_parameter_section(const struct rill_system_type *type, const struct rill_parameter *parameter);
/* Whether the parameter has an effect with these values of the others. */
bool rill_parameter_has_effect(const struct rill_system_type *type, size_t index,
                               const struct rill_parameter_value *values);

/* What the deck says of a method's options: as the binding takes them, and in words, ", beta 0.4" and so on. */
struct rill_method_options rill_method_options_of(const struct rill_deck *deck);
void rill_method_options_describe(const struct rill_deck *deck, FILE *stream);

/* Finds type and method, and the values of all parameters; defaults are added to deck->entries, so that the expanded
 * deck has them. */
enum rill_status rill_small_read(struct rill_deck *deck, struct rill_small *small, struct rill_error *error);
/* The system at its start. */
enum rill_status rill_small_create_system(struct rill_small *small, struct rill_error *error);
/* Binds the deck's method to the system. */
enum rill_status rill_small_bind(struct rill_small *small, const struct rill_deck *deck, struct rill_error *error);
/* Unbinds, and destroys the system; type, method and values stay. */
void rill_small_destroy(struct rill_small *small);

/* Lines that say what would run. */
void rill_small_describe(const struct rill_small *small, const struct rill_deck *deck, FILE *stream);

#endif
