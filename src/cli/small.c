#include "cli/small.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "cli/setup.h"
#include "integrators/action.h"

const char *rill_parameter_section(const struct rill_system_type *type, const struct rill_parameter *parameter) {
  bool of_penalty = strcmp(parameter->name, "stiffness") == 0 && parameter->with != NULL;
  (void)type;
  return of_penalty ? "penalty" : "system";
}

bool rill_parameter_has_effect(const struct rill_system_type *type, size_t index,
                               const struct rill_parameter_value *values) {
  const struct rill_parameter *parameter = &type->parameters[index];
  size_t choice = parameter->with != NULL ? rill_parameter_index(type, parameter->with) : type->parameter_count;
  return choice == type->parameter_count ||
         strcmp(type->parameters[choice].words[values[choice].word], parameter->with_word) == 0;
}

/* ---- the lore ---- */

/* Have two names a part between hyphens in common? */
static bool shares_a_part(const char *one, const char *other) {
  for (const char *part = one; *part != '\0'; part += strspn(part, "-_")) {
    const size_t length = strcspn(part, "-_");
    for (const char *at = other; *at != '\0'; at += strspn(at, "-")) {
      const size_t size = strcspn(at, "-");
      if (size == length && length > 2 && strncasecmp(part, at, length) == 0) return true;
      at += size;
    }
    part += length;
  }
  return false;
}

static enum rill_status look_up_system(const char *kind, enum rill_deck_units *units, struct rill_error *error) {
  const struct rill_system_type *type = rill_system_type_find(kind);
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  const char *names[64] = {"water"}, *nearest;
  char list[1024] = "water", related[512] = "";
  *units = RILL_UNITS_MOLECULAR;
  if (strcmp(kind, "water") == 0) return RILL_OK;
  if (type != NULL) {
    *units = type->si ? RILL_UNITS_SI : RILL_UNITS_NONE;
    return RILL_OK;
  }
  for (size_t i = 0; i < count; i++) {
    names[i + 1] = types[i]->name;
    snprintf(list + strlen(list), sizeof list - strlen(list), ", %s", types[i]->name);
  }
  nearest = rill_nearest(kind, names, count + 1);
  for (size_t i = 0; i <= count; i++)
    if (names[i] != nearest && shares_a_part(kind, names[i]))
      snprintf(related + strlen(related), sizeof related - strlen(related), "%s%s", *related ? ", " : "", names[i]);
  if (nearest != NULL)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "no such system; did you mean %s?%s%s%s `rill list systems` tells what each is", nearest,
                          *related ? " Near are also " : "", related, *related ? ";" : "");
  if (*related != '\0')
    return rill_error_set(error, RILL_ERROR_INPUT, "no such system; near are %s; `rill list systems` tells what each is",
                          related);
  return rill_error_set(error, RILL_ERROR_INPUT, "no such system; expected one of %s", list);
}

static enum rill_status unknown_key(const struct rill_system_type *type, const char *section, const char *key,
                                    struct rill_error *error) {
  const char *names[RILL_PARAMETERS], *nearest;
  char list[512] = "";
  size_t count = 0;
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_parameter *parameter = &type->parameters[i];
    if (strcmp(rill_parameter_section(type, parameter), section) != 0) {
      if (strcmp(parameter->name, key) == 0)
        return rill_error_set(error, RILL_ERROR_INPUT, "unknown key %.60s in [%s]: it belongs in [%s]", key, section,
                              rill_parameter_section(type, parameter));
      continue;
    }
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", count > 0 ? ", " : "", parameter->name);
    names[count++] = parameter->name;
  }
  if (count == 0)
    return rill_error_set(error, RILL_ERROR_INPUT, "unknown key %.60s in [%s]: %s has no keys there", key, section,
                          type->name);
  nearest = rill_nearest(key, names, count);
  if (nearest != NULL)
    return rill_error_set(error, RILL_ERROR_INPUT, "unknown key %.60s in [%s]: did you mean %s?", key, section,
                          nearest);
  return rill_error_set(error, RILL_ERROR_INPUT, "unknown key %.60s in [%s]; the keys of %s there are %s%s", key,
                        section, type->name, strcmp(section, "system") == 0 ? "kind, " : "", list);
}

/* The message of rill_parameter_parse without the place in front, which the deck gives. */
static enum rill_status parse(const struct rill_system_type *type, size_t index, const char *text,
                              struct rill_parameter_value *value, struct rill_error *error) {
  struct rill_error own = {0};
  const char *message;
  if (rill_parameter_parse(type, &type->parameters[index], type->parameters[index].name, text, value, &own) ==
      RILL_OK)
    return RILL_OK;
  message = strstr(own.text, ": ");
  return rill_error_set(error, own.status, "%s", message != NULL ? message + 2 : own.text);
}

static enum rill_status check_entry(const char *kind, const char *section, const char *key, const char *value,
                                    bool *known, struct rill_error *error) {
  const struct rill_system_type *type = rill_system_type_find(kind);
  size_t index = rill_parameter_index(type, key);
  struct rill_parameter_value parsed;
  *known =
      index < type->parameter_count && strcmp(rill_parameter_section(type, &type->parameters[index]), section) == 0;
  if (!*known) return unknown_key(type, section, key, error);
  if (value[0] == '\0') return rill_error_set(error, RILL_ERROR_INPUT, "a value is expected after the =");
  return parse(type, index, value, &parsed, error);
}

static unsigned method_reads(const char *name) {
  const struct rill_method *method = rill_method_find(name);
  unsigned reads, options = 0;
  if (method == NULL) return ~0u;
  reads = rill_method_reads(method);
  if (reads & RILL_READS_BETA) options |= RILL_OPTION_BETA;
  if (reads & RILL_READS_HESSIAN) options |= RILL_OPTION_HESSIAN;
  if (reads & RILL_READS_NEWTON_START) options |= RILL_OPTION_NEWTON_START;
  if (reads & RILL_READS_SOLVER) options |= RILL_OPTION_SOLVER;
  if (reads & RILL_READS_ROTATION) options |= RILL_OPTION_ROTATION;
  if (reads & RILL_READS_DEGREE) options |= RILL_OPTION_DEGREE;
  if (reads & RILL_READS_QUADRATURE) options |= RILL_OPTION_QUADRATURE;
  if (reads & RILL_READS_BASE) options |= RILL_OPTION_BASE;
  if (reads & RILL_READS_SUBSTEPS) options |= RILL_OPTION_SUBSTEPS;
  return options;
}

const struct rill_deck_lore rill_deck_lore = {look_up_system, check_entry, method_reads};

/* ---- from the deck ---- */

static const struct rill_deck_entry *entry_of(const struct rill_deck *deck, const struct rill_system_type *type,
                                              const struct rill_parameter *parameter) {
  for (size_t i = 0; i < deck->entry_count; i++)
    if (strcmp(deck->entries[i].key, parameter->name) == 0 &&
        strcmp(deck->entries[i].section, rill_parameter_section(type, parameter)) == 0)
      return &deck->entries[i];
  return NULL;
}

static void place_of(const struct rill_deck *deck, const struct rill_deck_entry *entry, char place[RILL_DECK_PLACE]) {
  if (entry->line > 0)
    snprintf(place, RILL_DECK_PLACE, "%.200s:%d", deck->path, entry->line);
  else
    snprintf(place, RILL_DECK_PLACE, "--set %s.%s", entry->section, entry->key);
}

/* A line of the deck that --set has left without effect: passed over, as elsewhere in the deck. */
static bool pass_over(struct rill_deck *deck, const struct rill_system_type *type, const struct rill_parameter *parameter) {
  const struct rill_deck_entry *entry = entry_of(deck, type, parameter),
                               *choice = entry_of(deck, type, &type->parameters[rill_parameter_index(type, parameter->with)]);
  size_t index = (size_t)(entry - deck->entries);
  if (entry->line < 0 || choice == NULL || choice->line >= 0) return false;
  deck->entry_count--;
  memmove(deck->entries + index, deck->entries + index + 1, (deck->entry_count - index) * sizeof deck->entries[0]);
  return true;
}

static enum rill_status read_values(struct rill_deck *deck, struct rill_small *small, struct rill_error *error) {
  const struct rill_system_type *type = small->type;
  RILL_TRY(rill_parameters_default(type, small->values, error));
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_deck_entry *entry = entry_of(deck, type, &type->parameters[i]);
    if (entry != NULL) RILL_TRY(parse(type, i, entry->value, &small->values[i], error));
  }
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_deck_entry *entry = entry_of(deck, type, &type->parameters[i]);
    char place[RILL_DECK_PLACE];
    if (entry == NULL || rill_parameter_has_effect(type, i, small->values)) continue;
    if (pass_over(deck, type, &type->parameters[i])) continue;
    place_of(deck, entry, place);
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: [%s] %s has no effect here: it needs system.%s = %s", place,
                          entry->section, entry->key, type->parameters[i].with, type->parameters[i].with_word);
  }
  return RILL_OK;
}

static enum rill_status add_defaults(struct rill_deck *deck, const struct rill_small *small,
                                     struct rill_error *error) {
  const struct rill_system_type *type = small->type;
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_parameter *parameter = &type->parameters[i];
    if (entry_of(deck, type, parameter) != NULL || !rill_parameter_has_effect(type, i, small->values) ||
        parameter->fallback[0] == '\0')
      continue;
    RILL_TRY(rill_deck_add_entry(deck, rill_parameter_section(type, parameter), parameter->name, parameter->fallback,
                                 error));
  }
  return RILL_OK;
}

static enum rill_status find_composition(const struct rill_deck *deck, struct rill_small *small,
                                         struct rill_error *error) {
  const char *name = deck->integrator.composition, *names[16] = {"none"}, *nearest;
  char place[RILL_DECK_PLACE], list[256] = "none";
  size_t count;
  const struct rill_composition *compositions = rill_compositions(&count);
  if (strcmp(name, "none") == 0) return RILL_OK;
  small->composition = rill_composition_find(name);
  if (small->composition != NULL) return RILL_OK;
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

static enum rill_status check_quadrature(const struct rill_deck *deck, struct rill_error *error) {
  struct rill_action_quadrature quadrature;
  char place[RILL_DECK_PLACE];
  if (rill_action_quadrature_parse(deck->integrator.quadrature, &quadrature, error) == RILL_OK) return RILL_OK;
  return rill_error_prefix(error, "%s: [integrator] quadrature = %s",
                           rill_deck_place(deck, "integrator", "quadrature", place), deck->integrator.quadrature);
}

enum rill_status rill_small_read(struct rill_deck *deck, struct rill_small *small, struct rill_error *error) {
  memset(small, 0, sizeof *small);
  small->type = rill_system_type_find(deck->system.kind);
  if (small->type == NULL)
    return rill_error_set(error, RILL_ERROR_INPUT, "%s: [system] kind = %s is no small system", deck->path,
                          deck->system.kind);
  RILL_TRY(rill_setup_find_method(deck, &small->method, error));
  RILL_TRY(find_composition(deck, small, error));
  RILL_TRY(check_quadrature(deck, error));
  RILL_TRY(read_values(deck, small, error));
  return add_defaults(deck, small, error);
}

enum rill_status rill_small_create_system(struct rill_small *small, struct rill_error *error) {
  return small->type->create(small->values, &small->system, error);
}

struct rill_method_options rill_method_options_of(const struct rill_deck *deck) {
  static const enum rill_shooting_base bases[] = {[RILL_CHOICE_RK4] = RILL_BASE_RK4,
                                                  [RILL_CHOICE_EXPLICIT_MIDPOINT] = RILL_BASE_EXPLICIT_MIDPOINT,
                                                  [RILL_CHOICE_IMPLICIT_MIDPOINT] = RILL_BASE_IMPLICIT_MIDPOINT};
  struct rill_action_quadrature quadrature = {RILL_ACTION_AUTO, 0};
  struct rill_error ignored = {0}; /* rill_small_read has checked it; no method for water reads it */
  rill_action_quadrature_parse(deck->integrator.quadrature, &quadrature, &ignored);
  return (struct rill_method_options){
      .beta = deck->integrator.beta,
      .hessian = deck->integrator.hessian == RILL_CHOICE_FULL ? RILL_HESSIAN_STIFF : RILL_HESSIAN_GAUSS_NEWTON,
      .newton_start = (char)('A' + (int)deck->integrator.newton_start),
      .nonlinear = deck->integrator.nonlinear == RILL_CHOICE_NEWTON_KRYLOV ? RILL_NEWTON_KRYLOV : RILL_ANDERSON,
      .tolerance = deck->integrator.tolerance,
      .max_iterations = (unsigned)deck->integrator.max_iterations,
      .rotation = deck->integrator.rotation == RILL_CHOICE_EXPONENTIAL ? RILL_ROTATION_EXPONENTIAL : RILL_ROTATION_CAYLEY,
      .compensated = deck->integrator.compensated,
      .degree = (unsigned)deck->integrator.degree,
      .quadrature = quadrature,
      .base = bases[deck->integrator.base],
      .substeps = (unsigned)deck->integrator.substeps,
  };
}

enum rill_status rill_small_bind(struct rill_small *small, const struct rill_deck *deck, struct rill_error *error) {
  struct rill_binding_options binding = {.step = deck->integrator.step,
                                         .insertion = RILL_OU_NONE,
                                         .geodesic_steps = 1,
                                         .composition = small->composition,
                                         .method = rill_method_options_of(deck)};
  char place[RILL_DECK_PLACE];
  if (rill_integrator_create(small->method, &small->system, &binding, &small->integrator, error) == RILL_OK)
    return RILL_OK;
  return rill_error_prefix(error, "%s", rill_deck_place(deck, "integrator", "method", place));
}

void rill_small_destroy(struct rill_small *small) {
  rill_integrator_destroy(small->integrator);
  small->integrator = NULL;
  if (small->system.ops != NULL) small->system.ops->destroy(small->system.self);
  small->system = (struct rill_system){0};
}

/* ---- in words ---- */

void rill_method_options_describe(const struct rill_deck *deck, FILE *stream) {
  static const char *const parts[] = {"Gauss-Newton", "full stiff"};
  static const char *const bases[] = {"rk4", "explicit midpoint", "implicit midpoint"};
  unsigned reads = deck->integrator.reads;
  if (reads & RILL_OPTION_BETA) fprintf(stream, ", beta %g", deck->integrator.beta);
  if (reads & RILL_OPTION_HESSIAN) fprintf(stream, ", %s Hessian", parts[deck->integrator.hessian]);
  if (reads & RILL_OPTION_SUBSTEPS) fprintf(stream, ", %" PRIu64 " substeps", deck->integrator.substeps);
  if (reads & RILL_OPTION_NEWTON_START)
    fprintf(stream, ", Newton start %c", 'A' + (int)deck->integrator.newton_start);
  if (reads & RILL_OPTION_ROTATION)
    fprintf(stream, ", rotation by its %s%s",
            deck->integrator.rotation == RILL_CHOICE_EXPONENTIAL ? "rotation vector" : "Cayley coordinates",
            deck->integrator.compensated ? ", compensated" : "");
  if (reads & RILL_OPTION_DEGREE) fprintf(stream, ", degree %" PRIu64, deck->integrator.degree);
  if (reads & RILL_OPTION_BASE) fprintf(stream, ", from %s", bases[deck->integrator.base]);
  if (reads & RILL_OPTION_QUADRATURE) fprintf(stream, ", quadrature %s", deck->integrator.quadrature);
  if (reads & RILL_OPTION_SOLVER)
    fprintf(stream, ", solved to %g in at most %" PRIu64 " iterations", deck->integrator.tolerance,
            deck->integrator.max_iterations);
  if ((reads & RILL_OPTION_SOLVER) && deck->units == RILL_UNITS_MOLECULAR)
    fprintf(stream, " by %s",
            deck->integrator.nonlinear == RILL_CHOICE_NEWTON_KRYLOV ? "Newton-Krylov" : "Anderson acceleration");
}

void rill_small_describe(const struct rill_small *small, const struct rill_deck *deck, FILE *stream) {
  const struct rill_state *state = small->system.state;
  const char *unit = rill_deck_time_unit(deck), *space = unit[0] != '\0' ? " " : "";
  fprintf(stream, "  system       %s: %zu coordinate%s, %zu constraint%s, %g degrees of freedom, %s\n",
          small->type->name, state->n, state->n == 1 ? "" : "s", state->m, state->m == 1 ? "" : "s",
          small->system.ops->degrees_of_freedom(small->system.self), small->type->si ? "SI units" : "dimensionless");
  fprintf(stream, "  integrator   %s", deck->integrator.method);
  if (small->composition != NULL) fprintf(stream, ", composed by %s", small->composition->name);
  rill_method_options_describe(deck, stream);
  fprintf(stream, "\n  run          %" PRIu64 " steps of %g%s%s = %g%s%s\n", deck->integrator.steps,
          deck->integrator.step, space, unit, (double)deck->integrator.steps * deck->integrator.step, space, unit);
}
