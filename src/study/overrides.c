#include "study/overrides.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deck/schema.h"
#include "simulation/simulation.h"

void rill_overrides_put(struct rill_overrides *o, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(o->text[o->texts], sizeof o->text[0], format, arguments);
  va_end(arguments);
  o->list[o->count++] = o->text[o->texts++];
}

enum { SECTION = 50, KEY = 62 };

static bool read_name(const char *override, char section[SECTION], char key[KEY]) {
  return sscanf(override, " %49[^. =] . %61[^ =]", section, key) == 2;
}

/* The key that an override sets; NULL if the schema has no such key. */
static const struct rill_key *key_of(const char *override) {
  char section[SECTION], key[KEY];
  size_t count;
  int index;
  if (!read_name(override, section, key)) return NULL;
  index = rill_key_find(section, key);
  return index >= 0 ? &rill_keys(&count)[index] : NULL;
}

static bool is(const struct rill_key *key, const char *section, const char *name) {
  return key != NULL && strcmp(key->section, section) == 0 && (name == NULL || strcmp(key->name, name) == 0);
}

/* Keys that a comparison sets. */
static bool is_decided(const struct rill_key *key) {
  return is(key, "integrator", "method") || is(key, "integrator", "step") || is(key, "integrator", "time") ||
         is(key, "integrator", "steps");
}

/* Keys that only some methods read. */
static bool depends_on_method(const struct rill_key *key) {
  return is(key, "constraints", NULL) || (is(key, "integrator", NULL) && !is_decided(key));
}

/* Whether the deck has an override of its own for this key; a small system's keys are not in the schema. */
static bool sets(const struct rill_overrides *o, const char *override) {
  char section[SECTION], key[KEY], own_section[SECTION], own_key[KEY];
  if (!read_name(override, section, key)) return false;
  for (size_t i = 0; i < o->texts; i++)
    if (read_name(o->text[i], own_section, own_key) && strcmp(section, own_section) == 0 && strcmp(key, own_key) == 0)
      return true;
  return false;
}

static bool concerns(const struct rill_overrides *o, const char *override) {
  return !(o->without_penalty && is(key_of(override), "penalty", NULL));
}

void rill_overrides_put_common(const struct rill_given_overrides *given, struct rill_overrides *o) {
  for (size_t i = 0; i < given->count; i++)
    if (!depends_on_method(key_of(given->list[i])) && concerns(o, given->list[i]) && !sets(o, given->list[i]))
      o->list[o->count++] = given->list[i];
}

enum rill_status rill_overrides_put_given(struct rill_given_overrides *given, const char *path,
                                          struct rill_overrides *o, struct rill_error *error) {
  bool waits[RILL_GIVEN_OVERRIDES] = {false};
  struct rill_deck *probe;
  enum rill_status status;
  for (size_t i = 0; i < given->count; i++) {
    const struct rill_key *key = key_of(given->list[i]);
    bool set = sets(o, given->list[i]) || is_decided(key);
    if (!concerns(o, given->list[i])) continue;
    waits[i] = !set && depends_on_method(key);
    if (!waits[i]) given->used[i] = true;
    if (!waits[i] && !set) o->list[o->count++] = given->list[i];
  }
  probe = calloc(1, sizeof *probe);
  if (probe == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "no memory");
  status = rill_deck_read_with(&rill_deck_registry, path, o->list, o->count, probe, error);
  for (size_t i = 0; status == RILL_OK && i < given->count; i++) {
    if (!waits[i] || rill_key_without_effect(key_of(given->list[i]), probe) != NULL) continue;
    given->used[i] = true;
    o->list[o->count++] = given->list[i];
  }
  free(probe);
  return status;
}

enum rill_status rill_overrides_check(const struct rill_given_overrides *given, struct rill_error *error) {
  for (size_t i = 0; i < given->count; i++)
    if (!given->used[i])
      return rill_error_set(error, RILL_ERROR_USAGE, "--set %s: none of the methods reads it", given->list[i]);
  return RILL_OK;
}
