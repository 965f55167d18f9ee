#include "study/method_label.h"

#include <stdio.h>
#include <string.h>

#include "deck/schema.h"
#include "integrators/action.h"
#include "integrators/splittings.h"

/* Keys whose words are options of a method, and the kinds of systems that have them. For a switch, the name of the
 * key is the option. */
static const struct {
  const char *section, *name;
  bool water, small;
} named[] = {
    {"constraints", "solver", true, false},     {"integrator", "hessian", true, true},
    {"integrator", "newton_start", true, true}, {"integrator", "nonlinear", true, false},
    {"integrator", "rotation", false, true},    {"integrator", "compensated", false, true},
    {"integrator", "base", false, true},        {"integrator", "forces", false, true},
};
enum { NAMED = sizeof named / sizeof named[0] };

static const char penalised[] = "penalised";

static const struct rill_key *key_of(size_t index) {
  size_t count;
  return &rill_keys(&count)[rill_key_find(named[index].section, named[index].name)];
}

/* The key that has this option; NULL if there is none. */
static const struct rill_key *find_key(const char *option, bool water) {
  for (size_t i = 0; i < NAMED; i++) {
    const struct rill_key *key = key_of(i);
    if (!(water ? named[i].water : named[i].small)) continue;
    if (key->kind == RILL_KIND_SWITCH ? strcmp(option, key->name) == 0 : rill_choice_find(key->words, option) != NULL)
      return key;
  }
  return NULL;
}

static enum rill_status refuse(const char *text, const char *option, bool water, struct rill_error *error) {
  rill_error_set(error, RILL_ERROR_USAGE, "--methods %s: '%s' is not an option of a method; expected ", text, option);
  for (size_t i = 0; i < NAMED; i++) {
    const struct rill_key *key = key_of(i);
    char list[128];
    if (!(water ? named[i].water : named[i].small)) continue;
    if (key->kind == RILL_KIND_SWITCH) rill_error_append(error, "%s, ", key->name);
    else rill_error_append(error, "%s (%s), ", rill_choice_list(key->words, " or ", list, sizeof list), key->name);
  }
  if (!water) rill_error_append(error, "a degree or a quadrature such as lobatto4, a composition such as yoshida4, ");
  return rill_error_append(error, "constrained, penalised, or a stiffness such as %s", water ? "w=20akma" : "w=20");
}

static bool is_quadrature(const char *option) {
  struct rill_action_quadrature quadrature;
  struct rill_error none = {0};
  return rill_action_quadrature_parse(option, &quadrature, &none) == RILL_OK;
}

static const char *formulation_of(const char *option) {
  static const char *const words[] = {"constrained", penalised, "group"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(option, words[i]) == 0) return words[i];
  return NULL;
}

/* Of water the formulation follows from the stiffness; a small system has a key for it. */
static enum rill_status put_formulation(const char *text, const char *word, bool water,
                                        struct rill_method_label *label, struct rill_overrides *o,
                                        struct rill_error *error) {
  if (label->formulation != NULL && strcmp(label->formulation, word) != 0)
    return rill_error_set(error, RILL_ERROR_USAGE, "--methods %s: %s and %s exclude each other%s", text,
                          label->formulation, word,
                          label->names_stiffness ? " (a stiffness is that of penalties)" : "");
  if (label->formulation == NULL && !water) rill_overrides_put(o, "system.formulation=%s", word);
  label->formulation = word;
  return RILL_OK;
}

static enum rill_status put_stiffness(const char *text, const char *stiffness, bool water,
                                      struct rill_method_label *label, struct rill_overrides *o,
                                      struct rill_error *error) {
  if (label->names_stiffness)
    return rill_error_set(error, RILL_ERROR_USAGE, "--methods %s: the stiffness is given twice", text);
  label->names_stiffness = true;
  rill_overrides_put(o, "penalty.stiffness=%s", stiffness);
  return put_formulation(text, penalised, water, label, o, error);
}

static enum rill_status put_option(const char *text, const char *option, bool water, struct rill_method_label *label,
                                   struct rill_overrides *o, struct rill_error *error) {
  const struct rill_key *key = find_key(option, water);
  const bool number = option[0] >= '0' && option[0] <= '9';
  if (key != NULL) {
    rill_overrides_put(o, "%s.%s=%s", key->section, key->name, key->kind == RILL_KIND_SWITCH ? "yes" : option);
    if (strcmp(key->section, "constraints") == 0) label->names_solver = true;
  } else if (strncmp(option, "w=", 2) == 0) {
    return put_stiffness(text, option + 2, water, label, o, error);
  } else if (water && number) {
    return put_stiffness(text, option, water, label, o, error);
  } else if (formulation_of(option) != NULL && !(water && strcmp(option, "group") == 0)) {
    return put_formulation(text, formulation_of(option), water, label, o, error);
  } else if (!water && rill_composition_find(option) != NULL) {
    rill_overrides_put(o, "integrator.composition=%s", option);
  } else if (!water && number && strspn(option, "0123456789") == strlen(option)) {
    rill_overrides_put(o, "integrator.degree=%s", option);
  } else if (!water && is_quadrature(option)) {
    rill_overrides_put(o, "integrator.quadrature=%s", option);
  } else {
    return refuse(text, option, water, error);
  }
  return RILL_OK;
}

enum rill_status rill_method_label_read(const char *text, bool water, struct rill_method_label *label,
                                        struct rill_overrides *overrides, struct rill_error *error) {
  char copy[RILL_METHOD_LABEL], *rest = copy, *option;
  const char *name;
  size_t options = 0;
  *label = (struct rill_method_label){0};
  if (strlen(text) >= sizeof copy)
    return rill_error_set(error, RILL_ERROR_USAGE, "--methods %.60s...: the name is too long", text);
  snprintf(copy, sizeof copy, "%s", text);
  name = strsep(&rest, "/");
  label->method = rill_method_find(name);
  if (rill_method_name_is_former(name)) name = label->method->name;
  snprintf(label->text, sizeof label->text, "%s%s%s", name, rest != NULL ? "/" : "", rest != NULL ? rest : "");
  rill_overrides_put(overrides, "integrator.method=%s", name);
  while ((option = strsep(&rest, "/")) != NULL) {
    if (options++ == RILL_METHOD_OPTIONS)
      return rill_error_set(error, RILL_ERROR_USAGE, "--methods %s: too many options", text);
    RILL_TRY(put_option(text, option, water, label, overrides, error));
  }
  return RILL_OK;
}

bool rill_method_label_is_penalised(const struct rill_method_label *label) { return label->formulation == penalised; }

void rill_method_labels_note_former(const char *const *labels, size_t count, const struct rill_notes *notes) {
  for (size_t i = 0; i < count; i++) {
    char name[RILL_METHOD_LABEL];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(labels[i], "/"), labels[i]);
    if (rill_method_name_is_former(name))
      rill_note(notes, "note: --methods %s: the method %s is called %s now; the former name is still accepted",
                labels[i], name, rill_method_find(name)->name);
  }
}
