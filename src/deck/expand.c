/* Converts to text: the expanded deck of a run, and the description of a key. */
#include <stdlib.h>
#include <string.h>

#include "deck/deck.h"
#include "deck/kind.h"
#include "deck/schema.h"

/* Replicas have temperatures of a ladder, and draw their velocities with seeds and temperatures of their own, unless
 * the deck gives them. */
static bool is_each_replicas(const struct rill_key *key, const struct rill_deck *deck) {
  const bool ladder = deck->ensemble.on && deck->ensemble.temperatures.count > 0;
  if (strcmp(key->section, "thermostat") == 0 && strcmp(key->name, "temperature") == 0) return ladder;
  if (!deck->ensemble.on || strcmp(key->section, "start") != 0 || rill_deck_gives(deck, "start", key->name))
    return false;
  return strcmp(key->name, "seed") == 0 || (strcmp(key->name, "temperature") == 0 && ladder);
}

static bool has_effect(const struct rill_key *key, const struct rill_deck *deck) {
  if (!rill_section_on(key->section, deck) || !rill_kind_is_set(key, deck)) return false;
  if (is_each_replicas(key, deck)) return false;
  if (key->kind == RILL_KIND_DURATION) return false; /* replaced by the number of steps */
  return rill_key_without_effect(key, deck) == NULL;
}

/* [thermostat] of a small system is written when there is one, [penalty] when the system has a key in it, [stop] when
 * a limit is given. */
static bool section_has_effect(const struct rill_section *section, const struct rill_deck *deck) {
  if (!rill_section_on(section->name, deck) ||
      (section->condition != NULL && !rill_condition_holds(section->condition, deck)))
    return false;
  if (strcmp(section->name, "stop") == 0)
    return deck->stop.max_temperature > 0 || deck->stop.max_energy_change > 0 || deck->stop.max_bond > 0;
  if (strcmp(section->name, "thermostat") == 0)
    return deck->units == RILL_UNITS_MOLECULAR || deck->thermostat.method != RILL_NO_BATH;
  if (strcmp(section->name, "penalty") != 0 || deck->penalty.stiffness > 0 || deck->penalty.record) return true;
  for (size_t i = 0; i < deck->entry_count; i++)
    if (strcmp(deck->entries[i].section, section->name) == 0) return true;
  return false;
}

char *rill_deck_expand(const struct rill_deck *deck) {
  struct rill_c_locale locale;
  struct rill_error unused;
  size_t section_count, key_count, length;
  const struct rill_section *sections = rill_sections(&section_count);
  const struct rill_key *keys = rill_keys(&key_count);
  char *text = NULL;
  bool failed;
  FILE *stream;
  if (rill_c_locale_enter(&locale, &unused) != RILL_OK) return NULL;
  stream = open_memstream(&text, &length);
  if (stream == NULL) goto done;
  for (size_t s = 0; s < section_count; s++) {
    if (!section_has_effect(&sections[s], deck)) continue;
    fprintf(stream, "[%s]\n", sections[s].name);
    for (size_t k = 0; k < key_count; k++) {
      if (strcmp(keys[k].section, sections[s].name) != 0 || !has_effect(&keys[k], deck)) continue;
      fprintf(stream, "%s = ", keys[k].name);
      rill_kind_write(&keys[k], deck, stream);
      fputc('\n', stream);
    }
    for (size_t i = 0; i < deck->entry_count; i++)
      if (strcmp(deck->entries[i].section, sections[s].name) == 0)
        fprintf(stream, "%s = %s\n", deck->entries[i].key, deck->entries[i].value);
  }
  failed = ferror(stream) != 0;
  failed = fclose(stream) != 0 || failed;
  if (failed) {
    free(text);
    text = NULL;
  }
done:
  rill_c_locale_leave(&locale);
  return text;
}

/* The help names the words of a choice, with a summary of each, where it ends with a full stop. */
static bool help_names_words(const struct rill_key *key) {
  return key->words != NULL && key->help[strlen(key->help) - 1] == '.';
}

static void put_help(const struct rill_key *key, FILE *stream) {
  fputs(key->help, stream);
  if (!help_names_words(key)) return;
  for (const struct rill_choice *choice = key->words; choice->word != NULL; choice++)
    fprintf(stream, "%s %s: %s", choice != key->words ? ";" : "", choice->word, choice->summary);
}

/* Kind and range, units, default, condition. */
static void put_expectation(const struct rill_key *key, FILE *stream) {
  const char *separator = "";
  if (!help_names_words(key)) {
    rill_kind_describe(key, stream);
    separator = "; ";
  }
  if (key->dimension != RILL_DIMENSION_NONE) {
    char units[128];
    rill_dimension_list(key->dimension, key->other, units, sizeof units);
    fprintf(stream, "%sin %s", separator, units);
    separator = "; ";
  }
  if (key->initial == NULL && key->instead != NULL)
    fprintf(stream, "%sthis or %s must be given", separator, key->instead);
  else if (key->initial == NULL) fprintf(stream, "%smust be given", separator);
  else if (key->initial[0] == '@') fprintf(stream, "%sdefault that of %s", separator, key->initial + 1);
  else if (key->initial[0] != '\0') fprintf(stream, "%sdefault %s", separator, key->initial);
  else if (key->absent != NULL) fprintf(stream, "%sdefault %s", separator, key->absent);
  if (key->vacuum != NULL) fprintf(stream, " in a box, %s in vacuum", key->vacuum);
  if (key->small != NULL && key->small[0] != '\0') fprintf(stream, ", for small systems %s", key->small);
  if (key->condition != NULL) fprintf(stream, "; needs %s", key->condition->text);
}

void rill_key_describe(const struct rill_key *key, FILE *stream) {
  struct rill_c_locale locale;
  struct rill_error unused;
  if (rill_c_locale_enter(&locale, &unused) != RILL_OK) return;
  put_help(key, stream);
  fputs(" (", stream);
  put_expectation(key, stream);
  fputc(')', stream);
  rill_c_locale_leave(&locale);
}

bool rill_key_is_read_option(const struct rill_key *key, const struct rill_deck *deck) {
  return key->condition != NULL && (key->condition->reads & deck->integrator.reads) != 0 && has_effect(key, deck);
}

bool rill_deck_same_options(const struct rill_deck *a, const struct rill_deck *b) {
  size_t count;
  const struct rill_key *keys = rill_keys(&count);
  bool same = true;
  for (size_t k = 0; same && k < count; k++) {
    char text[2][64] = {"", ""};
    if (!rill_key_is_read_option(&keys[k], a)) continue;
    for (int i = 0; i < 2; i++) {
      FILE *stream = fmemopen(text[i], sizeof text[i], "w");
      if (stream == NULL) return false;
      rill_kind_write(&keys[k], i == 0 ? a : b, stream);
      fclose(stream);
    }
    same = strcmp(text[0], text[1]) == 0;
  }
  return same;
}
