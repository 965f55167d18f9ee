/* Reads a deck: entries (ini.c) are bound to keys of the schema (schema.c) and their values read (kind.c); then
 * missing keys, contradictory keys and keys without effect are found.  Faults are collected and reported together. */
#include "deck/deck.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "deck/ini.h"
#include "deck/kind.h"
#include "deck/schema.h"
#include "deck/synonyms.h"

enum {
  KEYS = RILL_DECK_KEYS,
  SECTIONS = 64,
  FAULTS = 40,
  FAULT_TEXT = 512,
  FOUND = 60,
  MISSING = 1 << 30,
  OVERRIDE = 1 << 29
};

/* Faults are sorted by line: those of overrides follow those of the file, and missing keys come last. */
struct fault {
  size_t order;
  char text[FAULT_TEXT];
};

struct state {
  const char *path;
  const struct rill_key *keys;
  const struct rill_section *sections;
  int key_count, section_count;
  struct rill_ini ini;                        /* entries of the file, followed by the overrides */
  size_t overrides_from;                      /* index of the first override in ini */
  const struct rill_ini_entry *in_file[KEYS]; /* the entry that sets a key; NULL where none does */
  const struct rill_ini_entry *overriding[KEYS];
  const struct rill_ini_entry *given[KEYS];  /* the one of the two that applies */
  bool dropped[KEYS];                        /* by overrides of other keys */
  const struct rill_deck_registry *registry; /* may be NULL */
  const char *kind;                          /* of the system; "water" when none is given */
  enum rill_deck_units units;
  bool unknown_kind; /* already reported; checks that depend on the kind are skipped */
  const struct rill_ini_entry *own[RILL_DECK_ENTRIES]; /* keys that belong to a small system */
  size_t own_count;
  const struct rill_ini_entry *header[SECTIONS]; /* the entry that first mentions a section */
  bool suggested[KEYS];  /* a misspelling of this key was reported: it does not count as missing */
  bool faulty[SECTIONS]; /* the section has a fault: checks that depend on its values are skipped */
  bool on[SECTIONS];     /* the section is present */
  struct rill_reading reading;
  struct fault faults[FAULTS];
  size_t fault_count, fault_total;
  char folder[RILL_DECK_STRING];
};

static void add_fault(struct state *state, size_t order, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_fault(struct state *state, size_t order, const char *format, ...) {
  size_t at = state->fault_count;
  va_list arguments;
  state->fault_total++;
  while (at > 0 && state->faults[at - 1].order > order) at--;
  if (at == FAULTS) return;
  if (state->fault_count == FAULTS) state->fault_count--;
  memmove(&state->faults[at + 1], &state->faults[at], (state->fault_count - at) * sizeof state->faults[0]);
  state->fault_count++;
  state->faults[at].order = order;
  va_start(arguments, format);
  vsnprintf(state->faults[at].text, FAULT_TEXT, format, arguments);
  va_end(arguments);
}

static bool is_override(const struct state *state, const struct rill_ini_entry *entry) {
  return (size_t)(entry - state->ini.entries) >= state->overrides_from;
}

/* Writes "deck.ini:12: " or "--set section.key: " to text; returns the position of the entry among the faults. */
static size_t locate(const struct state *state, const struct rill_ini_entry *entry, char *text, size_t size) {
  if (is_override(state, entry)) {
    snprintf(text, size, "--set %.50s.%.50s: ", entry->section, entry->key);
    return OVERRIDE + entry->line;
  }
  snprintf(text, size, "%.200s:%zu: ", state->path, entry->line);
  return entry->line;
}

static const char advice_on_comments[] = "a comment at the end of a line begins with a blank";

/* Whether a value is no number because of a character that looks like a blank or a sign. */
static bool has_foreign_character(const char *value, const char *message) {
  const bool number = strstr(message, "not a number") != NULL || strstr(message, "unknown unit") != NULL;
  while (*value != '\0' && (unsigned char)*value < 0x80) value++;
  return number && *value != '\0';
}

/* Whether the value contains what is a comment in another language. */
static bool has_foreign_comment(const char *value) {
  for (const char *mark = value; (mark = strpbrk(mark, "#/")) != NULL; mark++)
    if ((mark == value || strchr(" \t", mark[-1]) != NULL) && (mark[0] == '#' || mark[1] == '/')) return true;
  return false;
}

/* Reports a fault of one entry as "place: [section] key = value: message".  Advice on what the value probably means
 * precedes the message. */
static void fault_of_value(struct state *state, const struct rill_ini_entry *entry, const char *message) {
  const char *advice = rill_synonym_advice(entry->section, entry->key, entry->value);
  char place[256], extended[FAULT_TEXT];
  size_t order = locate(state, entry, place, sizeof place), length = strlen(entry->value);
  int section = rill_section_find(entry->section);
  if (section >= 0) state->faulty[section] = true;
  if (advice != NULL) {
    message = advice;
  } else if (has_foreign_comment(entry->value) && strstr(message, advice_on_comments) == NULL) {
    snprintf(extended, sizeof extended, "%s and ; (%.300s)", advice_on_comments, message);
    message = extended;
  } else if (has_foreign_character(entry->value, message)) {
    snprintf(extended, sizeof extended,
             "it contains a character that is not plain ASCII, such as a no-break space or a typographic minus "
             "(%.300s)",
             message);
    message = extended;
  }
  if (is_override(state, entry)) /* its place contains the key already */
    add_fault(state, order, "%s%.*s%s: %s", place, FOUND, entry->value, length > FOUND ? "..." : "", message);
  else
    add_fault(state, order, "%s[%s] %s = %.*s%s: %s", place, entry->section, entry->key, FOUND, entry->value,
              length > FOUND ? "..." : "", message);
}

/* Reports a fault of one entry that does not concern its value as "place: message". */
static void fault_of_entry(struct state *state, const struct rill_ini_entry *entry, const char *message) {
  char place[256];
  size_t order = locate(state, entry, place, sizeof place);
  int section = rill_section_find(entry->section);
  if (section >= 0) state->faulty[section] = true;
  add_fault(state, order, "%s%s", place, message);
}

static void fault_of_line(void *context, size_t line, const char *message) {
  struct state *state = context;
  add_fault(state, line, "%.200s:%zu: %s", state->path, line, message);
}

/* Names of keys or sections, joined by commas in a text of fixed size. */
struct list {
  size_t length;
  char text[FAULT_TEXT];
};

static void list_add(struct list *list, const char *joint, const char *before, const char *name, const char *after) {
  size_t room = sizeof list->text - list->length;
  int written =
      snprintf(list->text + list->length, room, "%s%s%s%s", list->length > 0 ? joint : "", before, name, after);
  if (written > 0) list->length += (size_t)written < room ? (size_t)written : room - 1;
}

static void fault_unknown_section(struct state *state, const struct rill_ini_entry *entry) {
  const char *nearest = NULL;
  struct list list = {0};
  int distance = RILL_FAR;
  char message[FAULT_TEXT];
  for (int i = 0; i < state->section_count; i++) {
    int far = rill_slip_distance(entry->section, state->sections[i].name);
    list_add(&list, ", ", "", state->sections[i].name, "");
    if (far >= distance) continue;
    distance = far;
    nearest = state->sections[i].name;
  }
  if (nearest != NULL)
    snprintf(message, sizeof message, "unknown section [%.49s]: did you mean [%s]?", entry->section, nearest);
  else
    snprintf(message, sizeof message, "unknown section [%.49s]; the sections are %.300s", entry->section, list.text);
  fault_of_entry(state, entry, message);
}

/* Lists the sections that have a key of this name, "[start] or [thermostat]"; the key is not reported as missing
 * there, too. */
static void list_homes(struct state *state, const char *name, struct list *list) {
  for (int i = 0; i < state->key_count; i++) {
    if (strcmp(state->keys[i].name, name) != 0) continue;
    list_add(list, " or ", "[", state->keys[i].section, "]");
    state->suggested[i] = true;
  }
}

/* For an unknown key, suggests the sections where it belongs, or else the nearest key, preferably of its own section,
 * or else the keys of its section. */
static void fault_unknown_key(struct state *state, const struct rill_ini_entry *entry) {
  struct list homes = {0}, here = {0};
  int near_here = -1, near = -1, distance_here = RILL_FAR, distance = RILL_FAR;
  char message[FAULT_TEXT];
  for (int i = 0; i < state->key_count; i++) {
    const struct rill_key *key = &state->keys[i];
    bool same_section = strcmp(key->section, entry->section) == 0;
    int far = rill_slip_distance(entry->key, key->name);
    if (same_section) list_add(&here, ", ", "", key->name, "");
    if (same_section && far < distance_here) {
      distance_here = far;
      near_here = i;
    }
    if (far < distance) {
      distance = far;
      near = i;
    }
  }
  list_homes(state, entry->key, &homes);
  if (homes.length > 0) {
    snprintf(message, sizeof message, "unknown key %.60s in [%s]: it belongs in %.200s", entry->key, entry->section,
             homes.text);
  } else if (near_here >= 0) {
    state->suggested[near_here] = true;
    snprintf(message, sizeof message, "unknown key %.60s in [%s]: did you mean %s?", entry->key, entry->section,
             state->keys[near_here].name);
  } else if (near >= 0) {
    list_homes(state, state->keys[near].name, &homes);
    snprintf(message, sizeof message, "unknown key %.60s in [%s]: did you mean %s in %.200s?", entry->key,
             entry->section, state->keys[near].name, homes.text);
  } else {
    snprintf(message, sizeof message, "unknown key %.60s in [%s]; its keys are %.300s", entry->key, entry->section,
             here.text);
  }
  fault_of_entry(state, entry, message);
}

/* Reports a key before the first section header. */
static void fault_no_section(struct state *state, const struct rill_ini_entry *entry) {
  struct list list = {0};
  char message[FAULT_TEXT];
  list_homes(state, entry->key, &list);
  snprintf(message, sizeof message, "%.60s stands before the first [section]%s%.200s", entry->key,
           list.length > 0 ? "; it belongs in " : "", list.text);
  fault_of_entry(state, entry, message);
}

static void fault_twice(struct state *state, const struct rill_ini_entry *entry, const struct rill_ini_entry *first) {
  char message[FAULT_TEXT];
  if (is_override(state, entry))
    snprintf(message, sizeof message, "given twice on the command line, as `%.60s` and as `%.60s`", first->value,
             entry->value);
  else
    snprintf(message, sizeof message, "[%s] %s is given twice, first in line %zu", entry->section, entry->key,
             first->line);
  fault_of_entry(state, entry, message);
}

/* Finds the value of system.kind, and what the registry knows about it.  An override takes precedence over the
 * file. */
static void find_kind(struct state *state) {
  const struct rill_ini_entry *found = NULL;
  struct rill_error message = {0};
  state->kind = "water";
  if (state->registry == NULL) return;
  for (size_t i = 0; i < state->ini.count; i++)
    if (strcmp(state->ini.entries[i].section, "system") == 0 && strcmp(state->ini.entries[i].key, "kind") == 0 &&
        (found == NULL || is_override(state, &state->ini.entries[i])))
      found = &state->ini.entries[i];
  if (found == NULL || found->value[0] == '\0') return;
  if (state->registry->system(found->value, &state->units, &message) == RILL_OK) {
    state->kind = found->value;
    return;
  }
  state->unknown_kind = true;
  fault_of_value(state, found, message.text);
}

/* Whether the key belongs to a small system. */
static bool is_own(const struct state *state, const struct rill_ini_entry *entry) {
  if (state->units == RILL_UNITS_MOLECULAR || entry->key[0] == '\0') return false;
  return strcmp(entry->section, "penalty") == 0 ||
         (strcmp(entry->section, "system") == 0 && strcmp(entry->key, "kind") != 0);
}

/* Keeps a key that belongs to a small system; an override replaces the entry of the file. */
static void bind_own(struct state *state, const struct rill_ini_entry *entry) {
  for (size_t i = 0; i < state->own_count; i++) {
    const struct rill_ini_entry **own = &state->own[i];
    if (strcmp((*own)->section, entry->section) != 0 || strcmp((*own)->key, entry->key) != 0) continue;
    if (is_override(state, entry) == is_override(state, *own)) fault_twice(state, entry, *own);
    else *own = entry;
    return;
  }
  if (state->own_count < RILL_DECK_ENTRIES) state->own[state->own_count++] = entry;
  else fault_of_entry(state, entry, "more keys are given than the system has");
}

/* Copies the kept keys into the deck; each is checked against the parameter table of the system if `report`. */
static enum rill_status fill_own(struct state *state, bool report, struct rill_deck *deck, struct rill_error *error) {
  for (size_t i = 0; i < state->own_count; i++) {
    const struct rill_ini_entry *entry = state->own[i];
    struct rill_error message = {0};
    bool known = true;
    enum rill_status status =
        report ? state->registry->entry(state->kind, entry->section, entry->key, entry->value, &known, &message)
               : RILL_OK;
    if (status != RILL_OK) {
      if (known) fault_of_value(state, entry, message.text);
      else fault_of_entry(state, entry, message.text);
      continue;
    }
    if (strlen(entry->key) >= sizeof deck->entries[0].key || strlen(entry->value) >= sizeof deck->entries[0].value) {
      if (report) fault_of_entry(state, entry, "the key or its value is too long");
      continue;
    }
    RILL_TRY(rill_deck_add_entry(deck, entry->section, entry->key, entry->value, error));
    deck->entries[deck->entry_count - 1].line = is_override(state, entry) ? -1 : (int)entry->line;
  }
  return RILL_OK;
}

/* Finds the key of each entry. */
static void bind_entries(struct state *state) {
  for (size_t i = 0; i < state->ini.count; i++) {
    const struct rill_ini_entry *entry = &state->ini.entries[i], **bound;
    int section = rill_section_find(entry->section), key = rill_key_find(entry->section, entry->key);
    bool override = is_override(state, entry);
    if (section < 0) {
      if (entry->section[0] == '\0') fault_no_section(state, entry);
      else if (entry->key[0] == '\0' || override) fault_unknown_section(state, entry); /* once for all its keys */
      continue;
    }
    state->on[section] = true;
    if (state->header[section] == NULL) state->header[section] = entry;
    if (entry->key[0] == '\0' && !override) continue;
    if (is_own(state, entry)) {
      bind_own(state, entry);
      continue;
    }
    if (key < 0) {
      if (state->unknown_kind && (strcmp(entry->section, "system") == 0 || strcmp(entry->section, "penalty") == 0))
        continue;
      fault_unknown_key(state, entry);
      continue;
    }
    bound = override ? &state->overriding[key] : &state->in_file[key];
    if (*bound != NULL) fault_twice(state, entry, *bound);
    else *bound = entry;
  }
}

/* Chooses the entries that apply: overrides replace those of the file; of two alternative keys (time, steps) the one
 * given by an override replaces the other. */
static void choose_entries(struct state *state) {
  for (int i = 0; i < state->key_count; i++) {
    const struct rill_key *key = &state->keys[i];
    int other = key->instead != NULL ? rill_key_find(key->section, key->instead) : -1;
    state->given[i] = state->overriding[i] != NULL ? state->overriding[i] : state->in_file[i];
    if (other >= 0 && state->overriding[i] == NULL && state->overriding[other] != NULL) state->given[i] = NULL;
  }
}

/* Whether the section of a key has no effect, so that its value cannot be checked: times of water in a deck of pure
 * numbers. */
static bool without_effect_here(const struct rill_key *key, const struct rill_deck *deck) {
  const struct rill_condition *condition = rill_key_without_effect(key, deck);
  return deck->units != RILL_UNITS_MOLECULAR && condition != NULL && condition != key->condition;
}

/* Whether this is the word for omitting the key. */
static bool is_absent(const struct rill_key *key, const char *value) {
  return key->absent != NULL && strcmp(key->absent, value) == 0;
}

/* Reads the values of `entries`, and defaults for all other keys, into deck; faults are reported only if `report`. */
static enum rill_status fill(struct state *state, const struct rill_ini_entry *const *entries, bool report,
                             struct rill_deck *deck, struct rill_error *error) {
  memset(deck, 0, sizeof *deck);
  snprintf(deck->path, sizeof deck->path, "%s", state->path);
  deck->units = state->reading.units = state->units;
  for (int i = 0; i < state->section_count; i++)
    if (state->sections[i].on != RILL_NO_OFFSET) *((bool *)deck + state->sections[i].on) = state->on[i];
  for (int timed = 0; timed <= 1; timed++) {
    state->reading.step = timed ? deck->integrator.step : 0;
    if (timed && state->registry != NULL)
      deck->integrator.reads = state->registry->method_reads(deck->integrator.method);
    for (int i = 0; i < state->key_count; i++) {
      const struct rill_key *key = &state->keys[i];
      const bool given = entries[i] != NULL && !is_absent(key, entries[i]->value);
      const char *text = given ? entries[i]->value : rill_key_initial(key, deck);
      if (rill_kind_needs_step(key->kind) != (timed == 1) || text == NULL ||
          (!given && (text[0] == '\0' || text[0] == '@')) || without_effect_here(key, deck))
        continue;
      state->reading.lenient = !given;
      rill_error_clear(error);
      if (rill_kind_read(key, text, &state->reading, deck, error) == RILL_OK) continue;
      if (!given) return rill_error_prefix(error, "default of %s.%s", key->section, key->name);
      if (report && !(state->unknown_kind && key->dimension == RILL_DIMENSION_TIME)) /* the kind sets its unit */
        fault_of_value(state, entries[i], error->text);
    }
  }
  for (int i = 0; i < state->key_count; i++) {
    const struct rill_key *key = &state->keys[i];
    char section[64], *dot;
    int from;
    if (entries[i] != NULL || key->initial == NULL || key->initial[0] != '@') continue;
    snprintf(section, sizeof section, "%s", key->initial + 1);
    dot = strchr(section, '.');
    *dot = '\0';
    from = rill_key_find(section, dot + 1);
    memcpy(rill_key_field(key, deck), rill_key_value(&state->keys[from], deck), key->size);
  }
  for (int i = 0; i < state->section_count; i++) { /* overrides may have left a section without effect */
    const struct rill_section *section = &state->sections[i];
    if (section->on != RILL_NO_OFFSET && section->condition != NULL &&
        !rill_condition_holds(section->condition, deck))
      *((bool *)deck + section->on) = false;
  }
  rill_error_clear(error);
  return RILL_OK;
}

static void check_missing(struct state *state, const struct rill_deck *deck) {
  for (int i = 0; i < state->key_count; i++) {
    const struct rill_key *key = &state->keys[i];
    int other = key->instead != NULL ? rill_key_find(key->section, key->instead) : -1;
    if (key->initial != NULL || !rill_section_on(key->section, deck) || rill_key_without_effect(key, deck) != NULL)
      continue;
    if (other >= 0 && state->given[i] != NULL && state->given[other] != NULL && other < i) {
      const struct rill_ini_entry *first = state->given[other], *second = state->given[i];
      char message[FAULT_TEXT];
      if (!is_override(state, second) && first->line > second->line) {
        first = second;
        second = state->given[other];
      }
      if (is_override(state, second))
        snprintf(message, sizeof message, "either %s or %s, not both on the command line", second->key, first->key);
      else
        snprintf(message, sizeof message, "[%s] has either %s or %s, and %s is given in line %zu", key->section,
                 second->key, first->key, first->key, first->line);
      fault_of_entry(state, second, message);
    }
    if (state->given[i] != NULL || state->suggested[i]) continue;
    if (other >= 0 && (other < i || state->given[other] != NULL || state->suggested[other])) continue;
    add_fault(state, MISSING, "%.200s: [%s] %s%s%s is missing: %s", state->path, key->section, key->name,
              other >= 0 ? " or " : "", other >= 0 ? key->instead : "", key->help);
  }
}

/* A key without effect is a fault, unless it had an effect before the overrides (a thermostatted deck turned into NVE
 * by --set thermostat.method=none): then the key gets its default. */
static void check_effect(struct state *state, const struct rill_deck *deck,
                         const struct rill_deck *without_overrides) {
  for (int i = 0; i < state->key_count; i++) {
    const struct rill_key *key = &state->keys[i];
    const struct rill_ini_entry *entry = state->given[i];
    char message[FAULT_TEXT];
    const struct rill_condition *condition = rill_key_without_effect(key, deck);
    if (entry == NULL || condition == NULL) continue;
    if (state->faulty[rill_section_find(key->section)]) continue;
    if (!is_override(state, entry) && rill_condition_holds(condition, without_overrides)) {
      state->given[i] = NULL;
      state->dropped[i] = true;
      continue;
    }
    snprintf(message, sizeof message, "[%s] %s has no effect here: it needs %s", key->section, key->name,
             condition->text);
    fault_of_entry(state, entry, message);
    state->faulty[rill_section_find(key->section)] = false; /* further keys without effect are reported, too */
  }
}

/* Reports a section that does not apply to the system, unless one of its keys was reported for that. */
static void check_sections(struct state *state, const struct rill_deck *deck) {
  for (int i = 0; i < state->section_count; i++) {
    const struct rill_condition *condition = state->sections[i].condition;
    char message[FAULT_TEXT];
    bool key_given = false;
    if (state->header[i] == NULL || condition == NULL || rill_condition_holds(condition, deck)) continue;
    for (int k = 0; k < state->key_count; k++)
      key_given =
          key_given || (state->given[k] != NULL && strcmp(state->keys[k].section, state->sections[i].name) == 0);
    if (key_given) continue;
    snprintf(message, sizeof message, "[%s] has no effect here: it needs %s", state->sections[i].name,
             condition->text);
    fault_of_entry(state, state->header[i], message);
  }
}

/* There is no default for numbers whose scale is that of the user's system. */
static void check_bath_of_small(struct state *state, const struct rill_deck *deck) {
  const bool si = deck->units == RILL_UNITS_SI,
             ladder = deck->ensemble.on && state->given[rill_key_find("ensemble", "temperatures")] != NULL;
  const int temperature = rill_key_find("thermostat", "temperature"),
            friction = rill_key_find("thermostat", "friction");
  if (deck->units == RILL_UNITS_MOLECULAR || deck->thermostat.method == RILL_NO_BATH) return;
  if (state->given[temperature] == NULL && !state->suggested[temperature] && !ladder)
    add_fault(state, MISSING, "%.200s: [thermostat] temperature is missing: the energy k T, for example `%s`",
              state->path, si ? "0.1 J" : "0.1");
  if (state->given[friction] == NULL && !state->suggested[friction] && deck->thermostat.method != RILL_V_RESCALE)
    add_fault(state, MISSING, "%.200s: [thermostat] friction is missing: a rate, for example `%s`", state->path,
              si ? "1 /s" : "1");
}

static void check_combinations(struct state *state, const struct rill_deck *deck) {
  int velocities = rill_key_find("start", "velocities"), structure = rill_key_find("system", "structure");
  int penalty = rill_section_find("penalty"), stiffness = rill_key_find("penalty", "stiffness"),
      record = rill_key_find("penalty", "record"), temperature = rill_key_find("thermostat", "temperature");
  if (!state->unknown_kind) check_bath_of_small(state, deck);
  if (deck->units == RILL_UNITS_MOLECULAR && state->header[penalty] != NULL && state->given[stiffness] == NULL &&
      state->given[record] == NULL && !state->suggested[stiffness] && !state->unknown_kind)
    fault_of_entry(state, state->header[penalty],
                   "[penalty] has neither stiffness, for example `stiffness = 20 akma`, nor record");
  if (deck->ensemble.on && deck->ensemble.temperatures.count > 0 && state->given[temperature] != NULL)
    fault_of_value(state, state->given[temperature], "ensemble.temperatures replace it: remove one of them");
  if (deck->start.velocities == RILL_VELOCITIES_FILE && state->given[structure] == NULL &&
      state->given[velocities] != NULL && !state->suggested[structure])
    fault_of_value(state, state->given[velocities],
                   "there is no file to read velocities from: it needs system.structure");
}

/* Length of text up to `end`, without trailing blanks. */
static size_t trimmed_length(const char *text, const char *end) {
  while (end > text && strchr(" \t", end[-1]) != NULL) end--;
  return (size_t)(end - text);
}

static bool has_control(const char *text) {
  for (; *text != '\0'; text++)
    if ((unsigned char)*text < ' ' || *text == 127) return true;
  return false;
}

/* Splits "section.key=value"; false when the text has another form. */
static bool split_override(const char *text, char section[50], char key[62], const char **value) {
  const char *equals = strchr(text, '='), *dot = strchr(text, '.');
  size_t section_length, key_length;
  if (equals == NULL || dot == NULL || dot > equals) return false;
  text += strspn(text, " \t");
  section_length = trimmed_length(text, dot);
  key_length = trimmed_length(dot + 1, equals);
  if (section_length == 0 || section_length >= 50 || key_length == 0 || key_length >= 62) return false;
  snprintf(section, section_length + 1, "%s", text);
  snprintf(key, key_length + 1, "%s", dot + 1);
  *value = equals + 1 + strspn(equals + 1, " \t");
  return true;
}

static enum rill_status append_overrides(struct state *state, const char *const *overrides, size_t count,
                                         struct rill_error *error) {
  state->overrides_from = state->ini.count;
  for (size_t i = 0; i < count; i++) {
    char section[50], key[62], content[RILL_DECK_STRING];
    const char *value;
    size_t length;
    if (has_control(overrides[i])) {
      add_fault(state, OVERRIDE + i, "--set, number %zu: text without control characters is expected", i + 1);
      continue;
    }
    if (!split_override(overrides[i], section, key, &value)) {
      add_fault(state, OVERRIDE + i, "--set %.60s: section.key=value is expected, for example integrator.step=1fs",
                overrides[i]);
      continue;
    }
    length = trimmed_length(value, value + strlen(value));
    if (length >= sizeof content) {
      add_fault(state, OVERRIDE + i, "--set %s.%s: the value is longer than %d characters", section, key,
                RILL_DECK_STRING - 1);
      continue;
    }
    snprintf(content, length + 1, "%s", value);
    RILL_TRY(rill_ini_append(&state->ini, section, key, content, i, error));
  }
  return RILL_OK;
}

static enum rill_status report(const struct state *state, struct rill_error *error) {
  rill_error_clear(error);
  for (size_t i = 0; i < state->fault_count; i++)
    rill_error_add(error, RILL_ERROR_INPUT, "%s", state->faults[i].text);
  if (state->fault_total > state->fault_count)
    rill_error_add(error, RILL_ERROR_INPUT, "%.200s: and %zu more faults", state->path,
                   state->fault_total - state->fault_count);
  return error->status;
}

static void note_lines(const struct state *state, struct rill_deck *deck) {
  for (int i = 0; i < state->key_count; i++) {
    deck->dropped[i] = state->dropped[i];
    if (state->given[i] != NULL)
      deck->line[i] = is_override(state, state->given[i]) ? -1 : (int)state->given[i]->line;
  }
}

bool rill_deck_dropped(const struct rill_deck *deck, char text[RILL_DECK_STRING]) {
  size_t count, length = 0;
  const struct rill_key *keys = rill_keys(&count);
  text[0] = '\0';
  for (size_t i = 0; i < count; i++)
    if (deck->dropped[i] && length < RILL_DECK_STRING)
      length += (size_t)snprintf(text + length, RILL_DECK_STRING - length, "%s%s.%s", length > 0 ? ", " : "",
                                 keys[i].section, keys[i].name);
  return length > 0;
}

const char *rill_deck_place(const struct rill_deck *deck, const char *section, const char *key,
                            char place[RILL_DECK_PLACE]) {
  int index = rill_key_find(section, key), line = index >= 0 ? deck->line[index] : 0;
  if (line > 0) snprintf(place, RILL_DECK_PLACE, "%.200s:%d", deck->path, line);
  else if (line < 0) snprintf(place, RILL_DECK_PLACE, "--set %s.%s", section, key);
  else snprintf(place, RILL_DECK_PLACE, "%.200s", deck->path);
  return place;
}

bool rill_deck_gives(const struct rill_deck *deck, const char *section, const char *key) {
  return deck->line[rill_key_find(section, key)] != 0;
}

static enum rill_status read_entries(struct state *state, const char *const *overrides, size_t count,
                                     struct rill_deck *deck, struct rill_error *error) {
  struct rill_deck *without_overrides = NULL;
  enum rill_status status;
  RILL_TRY(append_overrides(state, overrides, count, error));
  find_kind(state);
  bind_entries(state);
  choose_entries(state);
  without_overrides = rill_allocate(1, sizeof *without_overrides);
  if (without_overrides == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a deck");
  status = fill(state, state->in_file, false, without_overrides, error);
  if (status == RILL_OK) status = fill(state, state->given, true, deck, error);
  if (status == RILL_OK) status = fill_own(state, true, deck, error);
  if (status == RILL_OK) {
    if (!state->unknown_kind) {
      check_missing(state, deck);
      check_sections(state, deck);
      check_effect(state, deck, without_overrides);
      check_combinations(state, deck);
    }
    status = report(state, error);
  }
  if (status == RILL_OK) status = fill(state, state->given, false, deck, error);
  if (status == RILL_OK) status = fill_own(state, false, deck, error);
  if (status == RILL_OK) note_lines(state, deck);
  rill_release(without_overrides);
  return status;
}

enum rill_status rill_deck_read(const char *path, const char *const *overrides, size_t count, struct rill_deck *deck,
                                struct rill_error *error) {
  return rill_deck_read_with(NULL, path, overrides, count, deck, error);
}

enum rill_status rill_deck_add_entry(struct rill_deck *deck, const char *section, const char *key, const char *value,
                                     struct rill_error *error) {
  struct rill_deck_entry *entry = &deck->entries[deck->entry_count];
  if (deck->entry_count == RILL_DECK_ENTRIES || strlen(section) >= sizeof entry->section ||
      strlen(key) >= sizeof entry->key || strlen(value) >= sizeof entry->value)
    return rill_error_set(error, RILL_ERROR_INPUT,
                          "[%s] %s: a deck has room for %d keys of a system, of up to %d characters", section, key,
                          RILL_DECK_ENTRIES, RILL_DECK_STRING - 1);
  *entry = (struct rill_deck_entry){.line = 0};
  strcpy(entry->section, section);
  strcpy(entry->key, key);
  strcpy(entry->value, value);
  deck->entry_count++;
  return RILL_OK;
}

/* given: the text of the deck; NULL: read from the file. */
static enum rill_status read_deck(const struct rill_deck_registry *registry, const char *path, const char *given,
                                  const char *const *overrides, size_t count, struct rill_deck *deck,
                                  struct rill_error *error) {
  struct rill_c_locale locale;
  enum rill_status status;
  const char *slash = strrchr(path, '/');
  struct state *state;
  char *text = NULL;
  size_t length, key_count, section_count;
  memset(deck, 0, sizeof *deck);
  if (strlen(path) >= sizeof deck->path)
    return rill_error_set(error, RILL_ERROR_INPUT, "%.60s...: the path is longer than %zu characters", path,
                          sizeof deck->path - 1);
  RILL_TRY(rill_c_locale_enter(&locale, error));
  state = rill_allocate(1, sizeof *state);
  if (state == NULL) {
    status = rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a deck");
    goto done;
  }
  state->path = path;
  state->registry = registry;
  state->keys = rill_keys(&key_count);
  state->sections = rill_sections(&section_count);
  if (key_count > KEYS || section_count > SECTIONS) {
    status =
        rill_error_set(error, RILL_ERROR_MEMORY, "the schema has more than %d keys or %d sections", KEYS, SECTIONS);
    goto done;
  }
  state->key_count = (int)key_count;
  state->section_count = (int)section_count;
  if (slash != NULL) snprintf(state->folder, sizeof state->folder, "%.*s", (int)(slash - path + 1), path);
  state->reading.folder = state->folder;
  status = given != NULL ? RILL_OK : rill_ini_load(path, &text, &length, error);
  if (status == RILL_OK)
    status = rill_ini_parse(given != NULL ? given : text, fault_of_line, state, &state->ini, error);
  if (status == RILL_OK && state->ini.count == 0 && state->fault_count > 1)
    status = rill_error_set(error, RILL_ERROR_INPUT,
                            "%s: no line has the form [section] or key = value; is it a deck?", path);
  if (status == RILL_OK) status = read_entries(state, overrides, count, deck, error);
done:
  rill_release(text);
  if (state != NULL) rill_ini_clear(&state->ini);
  rill_release(state);
  rill_c_locale_leave(&locale);
  return status;
}

enum rill_status rill_deck_read_with(const struct rill_deck_registry *registry, const char *path,
                                     const char *const *overrides, size_t count, struct rill_deck *deck,
                                     struct rill_error *error) {
  return read_deck(registry, path, NULL, overrides, count, deck, error);
}

enum rill_status rill_deck_read_text(const struct rill_deck_registry *registry, const char *name, const char *text,
                                     const char *const *overrides, size_t count, struct rill_deck *deck,
                                     struct rill_error *error) {
  return read_deck(registry, name, text, overrides, count, deck, error);
}

enum rill_status rill_deck_count_steps(const struct rill_deck *deck, const char *text, uint64_t *steps,
                                       struct rill_error *error) {
  const struct rill_reading reading = {.folder = "", .units = deck->units, .step = deck->integrator.step};
  struct rill_deck *scratch = rill_allocate(1, sizeof *scratch);
  struct rill_c_locale locale;
  enum rill_status status;
  size_t count;
  if (scratch == NULL) return rill_error_set(error, RILL_ERROR_MEMORY, "out of memory for a deck");
  status = rill_c_locale_enter(&locale, error);
  if (status == RILL_OK) {
    status = rill_kind_read(&rill_keys(&count)[rill_key_find("output", "interval")], text, &reading, scratch, error);
    rill_c_locale_leave(&locale);
    if (status != RILL_OK) rill_error_prefix(error, "`%s`", text);
  }
  *steps = scratch->output.interval;
  rill_release(scratch);
  return status;
}
