/* The manual page rill-combinations(7): methods, thermostats, constraint solvers and systems with their sources, and
 * which methods bind to which systems; from the registries and the choices. */
#include <string.h>

#include "cli/command.h"
#include "cli/roff.h"
#include "integrators/registry.h"
#include "simulation/refusals.h"
#include "simulation/simulation.h"
#include "study/combinations.h"
#include "systems/registry.h"

enum { MOST_METHODS = 64, THERMOSTATS = RILL_V_RESCALE + 1, NAME = 64 };

static void write_methods(FILE *stream) {
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  fputs(".SH METHODS\n", stream);
  rill_roff_line(
      stream, "",
      "What `integrator.method` may be. A method is symmetric and symplectic unless the list says otherwise.");
  fputs(RILL_ROFF_COMPACT, stream);
  for (size_t i = 0; i < count; i++) {
    const struct rill_method *m = methods[i];
    fprintf(stream, ".TP\n\\fB%s\\fR", m->name);
    if (m->alias != NULL) fprintf(stream, ", also \\fB%s\\fR", m->alias);
    if (m->former != NULL) fprintf(stream, ", formerly \\fB%s\\fR", m->former);
    fputc('\n', stream);
    rill_roff_line(stream, "", m->summary);
    fprintf(stream, ".br\norder %d%s%s%s; ", m->order, m->symmetric ? "" : ", not symmetric",
            m->symplectic ? "" : ", not symplectic", m->specialise != NULL ? ", with its default options" : "");
    rill_roff_line(stream, "", m->citation);
  }
  fputs(RILL_ROFF_SPACED, stream);
}

static void write_choices(FILE *stream, const struct rill_choice *choices) {
  fputs(RILL_ROFF_COMPACT, stream);
  for (const struct rill_choice *choice = choices; choice->word != NULL; choice++) {
    rill_roff_tagged(stream, choice->word, choice->summary);
    if (choice->source != NULL) rill_roff_line(stream, ".br\n", choice->source);
  }
  fputs(RILL_ROFF_SPACED, stream);
}

static void write_parameters(FILE *stream, const struct rill_system_type *type) {
  for (size_t i = 0; i < type->parameter_count; i++) {
    const struct rill_parameter *parameter = &type->parameters[i];
    fprintf(stream, ".TP\n[%s] \\fB%s\\fR = ", rill_parameter_section(parameter), parameter->name);
    rill_roff_line(stream, "", parameter->fallback);
    rill_roff_line(stream, "", parameter->help);
  }
}

static void write_small_systems(FILE *stream) {
  size_t count;
  const struct rill_system_type *const *types = rill_system_types(&count);
  fputs(".SH SMALL SYSTEMS\n", stream);
  rill_roff_line(
      stream, "",
      "What `system.kind` may be besides `water`, with the keys of each and their defaults. Times are pure "
      "numbers, or in s, ms or us where the system is in SI units.");
  for (size_t i = 0; i < count; i++) {
    fprintf(stream, ".SS %s\n", types[i]->name);
    rill_roff_line(stream, "", types[i]->summary);
    fprintf(stream, ".br\n%s; ", types[i]->si ? "SI units" : "dimensionless");
    rill_roff_line(stream, "", types[i]->source);
    fputs(RILL_ROFF_COMPACT, stream);
    write_parameters(stream, types[i]);
    fputs(RILL_ROFF_SPACED, stream);
  }
}

/* ---- which methods bind ---- */

/* Answers for one system, until the next one is visited. */
struct answers {
  FILE *stream;
  char system[NAME];
  enum rill_refusal refusal[THERMOSTATS][MOST_METHODS];
};

static bool has_answer(const struct answers *at, unsigned thermostat, enum rill_refusal refusal, size_t method) {
  return at->refusal[thermostat][method] == refusal;
}

static bool same_methods(const struct answers *at, enum rill_refusal refusal, unsigned s, unsigned t) {
  size_t count;
  (void)rill_methods(&count);
  for (size_t m = 0; m < count; m++)
    if (has_answer(at, s, refusal, m) != has_answer(at, t, refusal, m)) return false;
  return true;
}

/* "binds", "refused with gla, baoab": the thermostats from this one on with the same methods. */
static void write_tag(const struct answers *at, unsigned thermostat, enum rill_refusal refusal) {
  const char *separator = " with ";
  fprintf(at->stream, ".TP\n%s", refusal == RILL_BINDS ? "\\fBbinds\\fR" : "refused");
  for (unsigned t = thermostat; t < THERMOSTATS; t++) {
    if (!same_methods(at, refusal, thermostat, t)) continue;
    fprintf(at->stream, "%s%s", separator, rill_choice_word(rill_thermostat_choices, t));
    separator = ", ";
  }
  fputc('\n', at->stream);
}

static void write_answer(const struct answers *at, unsigned thermostat, enum rill_refusal refusal) {
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  const char *separator = "";
  char why[RILL_REFUSAL_TEXT];
  write_tag(at, thermostat, refusal);
  if (refusal != RILL_BINDS) {
    rill_roff_line(at->stream, "", rill_refusal_text(refusal, why));
    fputs(".br\n", at->stream);
  }
  for (size_t m = 0; m < count; m++) {
    if (!has_answer(at, thermostat, refusal, m)) continue;
    fputs(separator, at->stream);
    rill_roff_text(at->stream, methods[m]->name);
    separator = ", ";
  }
  fputc('\n', at->stream);
}

/* The method is the first with its answer, and no earlier thermostat has the same methods. */
static bool is_new(const struct answers *at, unsigned thermostat, size_t method) {
  const enum rill_refusal refusal = at->refusal[thermostat][method];
  for (size_t m = 0; m < method; m++)
    if (has_answer(at, thermostat, refusal, m)) return false;
  for (unsigned t = 0; t < thermostat; t++)
    if (same_methods(at, refusal, t, thermostat)) return false;
  return true;
}

static void write_system(const struct answers *at) {
  size_t count;
  (void)rill_methods(&count);
  if (at->system[0] == '\0') return;
  fprintf(at->stream, ".SS %s\n" RILL_ROFF_COMPACT, at->system);
  for (int refused = 0; refused <= 1; refused++)
    for (unsigned t = 0; t < THERMOSTATS; t++)
      for (size_t m = 0; m < count; m++)
        if ((at->refusal[t][m] != RILL_BINDS) == refused && is_new(at, t, m)) write_answer(at, t, at->refusal[t][m]);
  fputs(RILL_ROFF_SPACED, at->stream);
}

static void take(void *context, const char *system, const struct rill_method *method, enum rill_thermostat thermostat,
                 enum rill_refusal refusal) {
  struct answers *at = context;
  if (strcmp(at->system, system) != 0) {
    write_system(at);
    snprintf(at->system, sizeof at->system, "%s", system);
  }
  at->refusal[thermostat][rill_method_index(method)] = refusal;
}

static enum rill_status write_combinations(FILE *stream, struct rill_error *error) {
  struct answers at = {.stream = stream};
  fputs(".SH WHICH METHODS BIND\n", stream);
  rill_roff_line(
      stream, "",
      "By system, formulation and thermostat. Rigid water is `water` "
      "with constraints.solver = settle, mshake or shake, which all bind alike, and `water/bodies` with lgvi "
      "or rotor. `rill list combinations` prints a matrix.");
  RILL_TRY(rill_water_combinations_each(take, &at, error));
  RILL_TRY(rill_small_combinations_each(take, &at, error));
  write_system(&at);
  return RILL_OK;
}

enum rill_status rill_write_combinations_manual(FILE *stream, struct rill_error *error) {
  rill_roff_title(stream, "rill-combinations", 7, "methods, thermostats, constraint solvers and systems of rill");
  write_methods(stream);
  fputs(".SH THERMOSTATS\n", stream);
  rill_roff_line(stream, "", "What `thermostat.method` may be.");
  write_choices(stream, rill_thermostat_choices);
  fputs(".SH CONSTRAINT SOLVERS\n", stream);
  rill_roff_line(stream, "", "What `constraints.solver` may be.");
  write_choices(stream, rill_constraint_solver_choices);
  write_small_systems(stream);
  RILL_TRY(write_combinations(stream, error));
  fputs(".SH SEE ALSO\n", stream);
  rill_roff_line(stream, "", "`rill`(1)");
  return RILL_OK;
}
