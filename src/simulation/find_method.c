/* Finds a deck's method. */
#include <string.h>

#include "base/nearest.h"
#include "deck/synonyms.h"
#include "integrators/action.h"
#include "simulation/simulation.h"

enum rill_status rill_find_method(const struct rill_deck *deck, const struct rill_method **method,
                                  struct rill_error *error) {
  const char *names[64], *nearest, *advice = rill_synonym_advice("integrator", "method", deck->integrator.method);
  size_t count, used = 0;
  const struct rill_method *const *methods = rill_methods(&count);
  char list[1024] = "", place[RILL_DECK_PLACE];
  *method = rill_method_find(deck->integrator.method);
  if (*method != NULL) return RILL_OK;
  if (advice != NULL)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: [integrator] method = %s: %s",
                          rill_deck_place(deck, "integrator", "method", place), deck->integrator.method, advice);
  for (size_t i = 0; i < count; i++) {
    names[used++] = methods[i]->name;
    if (methods[i]->alias != NULL) names[used++] = methods[i]->alias;
  }
  for (size_t i = 0; i < used; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
  nearest = rill_nearest(deck->integrator.method, names, used);
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [integrator] method = %s is not known%s%s%s; expected one of %s",
                        rill_deck_place(deck, "integrator", "method", place), deck->integrator.method,
                        nearest ? ": did you mean " : "", nearest ? nearest : "", nearest ? "?" : "", list);
}

enum rill_status rill_find_composition(const struct rill_deck *deck, const struct rill_composition **composition,
                                       struct rill_error *error) {
  const char *name = deck->integrator.composition, *names[16] = {"none"}, *nearest;
  char place[RILL_DECK_PLACE], list[256] = "none";
  size_t count;
  const struct rill_composition *compositions = rill_compositions(&count);
  *composition = NULL;
  if (strcmp(name, "none") == 0) return RILL_OK;
  *composition = rill_composition_find(name);
  if (*composition != NULL) return RILL_OK;
  for (size_t i = 0; i < count && i < 15; i++) {
    names[i + 1] = compositions[i].name;
    snprintf(list + strlen(list), sizeof list - strlen(list), ", %s", compositions[i].name);
  }
  nearest = rill_nearest(name, names, count + 1);
  return rill_error_set(error, RILL_ERROR_INPUT,
                        "%s: [integrator] composition = %s is not known%s%s%s; expected one of %s",
                        rill_deck_place(deck, "integrator", "composition", place), name,
                        nearest ? ": did you mean " : "", nearest ? nearest : "", nearest ? "?" : "", list);
}

struct rill_method_options rill_method_options_of(const struct rill_deck *deck) {
  struct rill_method_options options = deck->integrator.options;
  struct rill_error ignored = {0}; /* already checked; no method for water reads it */
  rill_action_quadrature_parse(deck->integrator.quadrature, &options.quadrature, &ignored);
  return options;
}
