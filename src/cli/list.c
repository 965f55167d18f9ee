/* rill list: what there is, from the registries and tables. */
#include <string.h>

#include "base/cpu.h"
#include "base/nearest.h"
#include "cli/command.h"
#include "deck/deck.h"
#include "integrators/registry.h"
#include "water/water_system.h"

struct topic {
  const char *name;
  enum rill_status (*write)(const char *wanted, bool json, struct rill_error *error);
};

struct entry {
  const char *name, *summary, *source;
};

static void json_string(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    putchar(*text);
  }
  putchar('"');
}

static enum rill_status no_entry(const char *topic, const char *wanted, const char *const *names, size_t count,
                                 struct rill_error *error) {
  const char *nearest = rill_nearest(wanted, names, count);
  return rill_error_set(error, RILL_ERROR_USAGE, "no %s has the name %s%s%s%s", topic, wanted, nearest ? "; did you mean " : "",
                        nearest ? nearest : "", nearest ? "?" : "");
}

static enum rill_status write_entries(const char *topic, const struct entry *entries, size_t count, const char *wanted, bool json,
                                      struct rill_error *error) {
  const char *names[32];
  bool found = false;
  if (json) printf("[");
  for (size_t i = 0; i < count; i++) {
    names[i] = entries[i].name;
    if (wanted != NULL && strcmp(wanted, entries[i].name) != 0) continue;
    if (json) {
      printf("%s\n  {\"name\": ", found ? "," : "");
      json_string(entries[i].name);
      printf(", \"summary\": ");
      json_string(entries[i].summary);
      printf(", \"source\": ");
      json_string(entries[i].source);
      printf("}");
    } else {
      printf("%-10s %s\n           %s\n", entries[i].name, entries[i].summary, entries[i].source);
    }
    found = true;
  }
  if (json) printf("\n]\n");
  return found ? RILL_OK : no_entry(topic, wanted, names, count, error);
}

static enum rill_status write_integrators(const char *wanted, bool json, struct rill_error *error) {
  size_t count, used = 0;
  const struct rill_method *const *methods = rill_methods(&count);
  const char *names[64];
  bool found = false;
  if (json) printf("[");
  for (size_t i = 0; i < count; i++) {
    const struct rill_method *m = methods[i];
    names[used++] = m->name;
    if (m->alias != NULL) names[used++] = m->alias;
    if (wanted != NULL && strcmp(wanted, m->name) != 0 && (m->alias == NULL || strcmp(wanted, m->alias) != 0)) continue;
    if (json) {
      printf("%s\n  {\"name\": \"%s\", \"alias\": ", found ? "," : "", m->name);
      if (m->alias != NULL)
        json_string(m->alias);
      else
        printf("null");
      printf(", \"summary\": ");
      json_string(m->summary);
      printf(", \"source\": ");
      json_string(m->citation);
      printf(", \"order\": %d, \"symmetric\": %s, \"symplectic\": %s, \"filter\": \"%s\"}", m->order, m->symmetric ? "true" : "false",
             m->symplectic ? "true" : "false", m->filter->name);
    } else {
      printf("%s%s%s\n  %s\n  order %d, %ssymmetric, %ssymplectic\n  %s\n", m->name, m->alias ? ", also " : "",
             m->alias ? m->alias : "", m->summary, m->order, m->symmetric ? "" : "not ", m->symplectic ? "" : "not ", m->citation);
    }
    found = true;
  }
  if (json) printf("\n]\n");
  return found ? RILL_OK : no_entry("integrator", wanted, names, used, error);
}

static enum rill_status write_systems(const char *wanted, bool json, struct rill_error *error) {
  static const struct entry entries[] = {
      {"water", "rigid TIP3P water in vacuum: nm, ps, u, kJ/mol, K", "Jorgensen et al., J. Chem. Phys. 79, 926 (1983)"}};
  return write_entries("system", entries, 1, wanted, json, error);
}

static const struct entry thermostats[] = {
    {"none", "constant energy", "-"},
    {"gla", "geometric Langevin: a step of the method, the exact Ornstein-Uhlenbeck flow, projection; trust the on-step temperature",
     "Bou-Rabee & Owhadi, SIAM J. Numer. Anal. 48, 278 (2010); Tao & Owhadi 2016, section 4.3"},
    {"baoab", "geodesic BAOAB: the Ornstein-Uhlenbeck flow in the middle of the drift; trust the half-step temperature",
     "Leimkuhler & Matthews, Proc. R. Soc. A 472, 20160138 (2016)"}};

static enum rill_status write_thermostats(const char *wanted, bool json, struct rill_error *error) {
  return write_entries("thermostat", thermostats, sizeof thermostats / sizeof thermostats[0], wanted, json, error);
}

static enum rill_status write_constraints(const char *wanted, bool json, struct rill_error *error) {
  static const struct entry entries[] = {
      {"settle", "analytic, exact to round-off; for molecules with two equal hydrogens",
       "Miyamoto & Kollman, J. Comput. Chem. 13, 952 (1992)"},
      {"mshake", "Newton's method for a molecule's three multipliers together, to a tolerance",
       "Kraeutler, van Gunsteren & Huenenberger, J. Comput. Chem. 22, 501 (2001)"},
      {"shake", "Gauss-Seidel sweeps over the bonds, to a tolerance, for positions and velocities",
       "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977); Andersen, J. Comput. Phys. 52, 24 (1983)"}};
  return write_entries("constraint solver", entries, sizeof entries / sizeof entries[0], wanted, json, error);
}

static enum rill_status write_forces(const char *wanted, bool json, struct rill_error *error) {
  static const struct entry entries[] = {
      {"auto", "all pairs, exact Coulomb, double precision, with the widest vectors of the processor", "-"},
      {"reference", "all pairs in plain loops: the judge of the others", "-"},
      {"portable", "all pairs in the compiler's generic vectors", "-"},
      {"avx2", "all pairs with AVX2 and FMA", "-"},
      {"avx512", "all pairs with AVX-512", "-"}};
  return write_entries("force kernel", entries, sizeof entries / sizeof entries[0], wanted, json, error);
}

static enum rill_status write_units(const char *wanted, bool json, struct rill_error *error) {
  if (wanted != NULL) return rill_error_set(error, RILL_ERROR_USAGE, "rill list units takes no name");
  rill_deck_write_units(stdout, json);
  return RILL_OK;
}

/* What binds is asked of the binding itself, on a molecule of water. */
static enum rill_status write_combinations(const char *wanted, bool json, struct rill_error *error) {
  static const struct { const char *name; enum rill_insertion insertion; } insertions[] = {
      {"none", RILL_OU_NONE}, {"gla", RILL_OU_AFTER}, {"baoab", RILL_OU_INSIDE}};
  const double molecule[9] = {0, 0, 0, 0.07569503272636612, 0.05858822760456832, 0, -0.07569503272636612, 0.05858822760456832, 0};
  struct rill_water_options options = {.molecules = 1,
                                       .positions = molecule,
                                       .constraints = {RILL_SETTLE, 1e-10, 1e-10, 1, 100},
                                       .thermostat = true,
                                       .isa = RILL_ISA_PORTABLE,
                                       .threads = 1};
  struct rill_system system;
  size_t count;
  const struct rill_method *const *methods = rill_methods(&count);
  const char *separator = "";
  if (wanted != NULL) return rill_error_set(error, RILL_ERROR_USAGE, "rill list combinations takes no name");
  RILL_TRY(rill_water_model_find("tip3p", 0, &options.model, error));
  RILL_TRY(rill_water_create(&options, &system, error));
  if (json) printf("[");
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < sizeof insertions / sizeof insertions[0]; k++) {
      const char *refusal = rill_method_refusal(methods[i], &system, insertions[k].insertion);
      if (json) {
        printf("%s\n  {\"system\": \"water\", \"method\": \"%s\", \"thermostat\": \"%s\", \"binds\": %s, \"reason\": ", separator,
               methods[i]->name, insertions[k].name, refusal == NULL ? "true" : "false");
        json_string(refusal != NULL ? refusal : "");
        printf("}");
        separator = ",";
      } else {
        printf("water  %-10s %-6s %s%s\n", methods[i]->name, insertions[k].name, refusal == NULL ? "binds" : "no: ",
               refusal != NULL ? refusal : "");
      }
    }
  printf(json ? "\n]\n" : "every constraint solver (settle, mshake, shake) goes with every one that binds\n");
  system.ops->destroy(system.self);
  return RILL_OK;
}

static const struct topic topics[] = {
    {"integrators", write_integrators}, {"systems", write_systems}, {"thermostats", write_thermostats},
    {"constraints", write_constraints}, {"forces", write_forces},   {"units", write_units},
    {"combinations", write_combinations},
};

static enum rill_status list(const struct rill_arguments *arguments, struct rill_error *error) {
  const char *names[sizeof topics / sizeof topics[0]], *nearest;
  size_t count = sizeof topics / sizeof topics[0];
  for (size_t i = 0; i < count; i++) {
    names[i] = topics[i].name;
    if (strcmp(topics[i].name, arguments->positional[0]) == 0)
      return topics[i].write(arguments->positional_count > 1 ? arguments->positional[1] : NULL,
                             rill_argument_given(arguments, "json"), error);
  }
  nearest = rill_nearest(arguments->positional[0], names, count);
  return rill_error_set(error, RILL_ERROR_USAGE,
                        "rill list %s: expected integrators, systems, thermostats, constraints, forces, units or combinations%s%s%s",
                        arguments->positional[0], nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

static const struct rill_option_row options[] = {{"json", 0, NULL, "print JSON"}};

const struct rill_command rill_command_list = {
    .name = "list",
    .positional = "TOPIC [NAME]",
    .positional_min = 1,
    .positional_max = 2,
    .summary = "integrators, systems, thermostats, constraints, forces, units, combinations",
    .description = "Lists what there is, with sources: integrators, systems, thermostats, constraints, forces, units, and combinations "
                   "(which method binds with which thermostat, and why not).",
    .options = options,
    .option_count = 1,
    .run = list,
};
