/* Converts to text: the expanded deck of a run, and the schema as a reference of all keys. */
#include <stdlib.h>
#include <string.h>

#include "deck/deck.h"
#include "deck/kind.h"
#include "deck/schema.h"

static bool has_effect(const struct rill_key *key, const struct rill_deck *deck) {
  if (!rill_section_on(key->section, deck) || !rill_kind_is_set(key, deck)) return false;
  if (key->kind == RILL_KIND_DURATION) return false; /* replaced by the number of steps */
  return rill_key_without_effect(key, deck) == NULL;
}

/* [penalty] is written when the system has a key in it, [stop] when a limit is given. */
static bool section_has_effect(const struct rill_section *section, const struct rill_deck *deck) {
  if (!rill_section_on(section->name, deck) ||
      (section->condition != NULL && !rill_condition_holds(section->condition, deck)))
    return false;
  if (strcmp(section->name, "stop") == 0)
    return deck->stop.max_temperature > 0 || deck->stop.max_energy_change > 0 || deck->stop.max_bond > 0;
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

/* Writes text with special characters of roff escaped, and `code` in bold. */
static void put(const char *text, bool roff, FILE *stream) {
  bool code = false;
  if (roff && (*text == '.' || *text == '\'')) fputs("\\&", stream);
  for (; *text != '\0'; text++) {
    if (roff && *text == '\\') fputs("\\e", stream);
    else if (roff && *text == '-') fputs("\\-", stream);
    else if (roff && *text == '^') fputs("\\(ha", stream);
    else if (roff && *text == '`') fputs((code = !code) ? "\\fB" : "\\fR", stream);
    else fputc(*text, stream);
  }
}

/* Wraps text in lines of up to 78 characters, indented by four blanks; roff fills lines by itself. */
static void put_paragraph(const char *text, bool roff, FILE *stream) {
  size_t column = 0;
  if (roff) {
    put(text, roff, stream);
    fputc('\n', stream);
    return;
  }
  while (*text != '\0') {
    size_t length = strcspn(text, " ");
    if (column > 0 && column + 1 + length > 78) {
      fputc('\n', stream);
      column = 0;
    }
    column += (size_t)fprintf(stream, "%s%.*s", column > 0 ? " " : "    ", (int)length, text);
    text += length + strspn(text + length, " ");
  }
  fputc('\n', stream);
}

/* Describes what is expected: kind and range, units, default, condition. */
static void describe_key(const struct rill_key *key, FILE *line) {
  char units[128];
  rill_kind_describe(key, line);
  rill_dimension_list(key->dimension, key->other, units, sizeof units);
  if (key->dimension != RILL_DIMENSION_NONE) fprintf(line, "; in %s", units);
  if (key->dimension == RILL_DIMENSION_TIME && strcmp(key->section, "rdf") != 0)
    fputs(" (small systems: a pure number, or s, ms, us)", line);
  if (key->initial == NULL && key->instead != NULL) fprintf(line, "; this or %s must be given", key->instead);
  else if (key->initial == NULL) fputs("; must be given", line);
  else if (key->initial[0] == '@') fprintf(line, "; default that of %s", key->initial + 1);
  else if (key->initial[0] == '\0') {
    if (key->absent != NULL) fprintf(line, "; default %s", key->absent);
  } else if (key->vacuum != NULL) fprintf(line, "; default %s in a box, %s in vacuum", key->initial, key->vacuum);
  else fprintf(line, "; default %s", key->initial);
  if (key->small != NULL && key->small[0] != '\0') fprintf(line, ", for small systems %s", key->small);
  if (key->condition != NULL) fprintf(line, "; needs %s", key->condition->text);
}

static void put_help(const struct rill_key *key, FILE *line) {
  fputs(key->help, line);
  if (key->words == NULL || key->help[strlen(key->help) - 1] != '.') return;
  for (const struct rill_choice *choice = key->words; choice->word != NULL; choice++)
    fprintf(line, "%s %s: %s", choice != key->words ? ";" : "", choice->word, choice->summary);
}

/* The description of what is expected is a separate paragraph in roff, and otherwise in parentheses. */
static void write_key(const struct rill_key *key, bool roff, FILE *stream) {
  char *text = NULL;
  size_t length;
  FILE *line = open_memstream(&text, &length);
  if (line == NULL) return;
  put_help(key, line);
  fputs(roff ? "\n" : " (", line);
  describe_key(key, line);
  if (!roff) fputc(')', line);
  if (fclose(line) == 0) {
    fputs(roff ? ".TP\n.B " : "  ", stream);
    put(key->name, roff, stream);
    fputc('\n', stream);
    if (roff) {
      char *expected = strchr(text, '\n');
      *expected++ = '\0';
      put_paragraph(text, roff, stream);
      fputs(".br\n", stream);
      put_paragraph(expected, roff, stream);
    } else {
      put_paragraph(text, roff, stream);
    }
  }
  free(text);
}

static void put_section_condition(const struct rill_condition *condition, bool roff, FILE *stream) {
  char text[128];
  snprintf(text, sizeof text, "needs %s", condition->text);
  if (roff) fputs(".br\n", stream);
  put_paragraph(text, roff, stream);
}

void rill_deck_write_reference(FILE *stream, bool roff) {
  struct rill_c_locale locale;
  struct rill_error unused;
  size_t section_count, key_count;
  const struct rill_section *sections = rill_sections(&section_count);
  const struct rill_key *keys = rill_keys(&key_count);
  if (rill_c_locale_enter(&locale, &unused) != RILL_OK) return;
  for (size_t s = 0; s < section_count; s++) {
    if (roff) fprintf(stream, ".SS [%s]\n", sections[s].name);
    else fprintf(stream, "%s[%s]\n", s > 0 ? "\n" : "", sections[s].name);
    put_paragraph(sections[s].help, roff, stream);
    if (sections[s].condition != NULL) put_section_condition(sections[s].condition, roff, stream);
    for (size_t k = 0; k < key_count; k++)
      if (strcmp(keys[k].section, sections[s].name) == 0) write_key(&keys[k], roff, stream);
  }
  rill_c_locale_leave(&locale);
}
