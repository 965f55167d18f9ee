#include "config.h" /* _GNU_SOURCE, for open_memstream */

#include "deck/edit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\f\v", byte_order_mark[] = "\xEF\xBB\xBF";

/* A line without its end. */
struct line {
  const char *start, *end, *next;
};

static struct line line_at(const char *at) {
  const char *end = at + strcspn(at, "\r\n");
  return (struct line){at, end, *end == '\0' ? end : end[0] == '\r' && end[1] == '\n' ? end + 2 : end + 1};
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && strchr(blanks, *at) != NULL) at++;
  return at;
}

/* Where trailing blanks begin. */
static const char *trim(const char *start, const char *end) {
  while (end > start && strchr(blanks, end[-1]) != NULL) end--;
  return end;
}

/* Where a comment begins: as in rill_ini_parse, a semicolon at the beginning of the line or behind a blank, or a # at
 * the beginning. */
static const char *comment_of(const char *start, const char *end) {
  for (const char *at = start; at < end; at++)
    if ((*at == ';' && (at == start || at[-1] == ' ' || at[-1] == '\t')) || (*at == '#' && at == start)) return at;
  return end;
}

static bool is(const char *start, const char *end, const char *word) {
  return (size_t)(end - start) == strlen(word) && memcmp(start, word, strlen(word)) == 0;
}

/* Where the change is made. */
struct place {
  const char *line, *above;  /* the line of the key, or NULL; the one before it, or NULL */
  const char *value, *after; /* of the key */
  const char *section_end;   /* behind the last key of the section, or its header; NULL: there is none */
};

static struct place find(const char *text, const char *section, const char *key) {
  struct place place = {0};
  const char *above = NULL;
  bool inside = false;
  if (strncmp(text, byte_order_mark, 3) == 0) text += 3;
  for (struct line line = line_at(text); line.start != line.next; line = line_at(line.next)) {
    const char *start = skip_blanks(line.start, line.end), *end = trim(start, comment_of(start, line.end));
    if (start < end && *start == '[') {
      const char *name = skip_blanks(start + 1, end);
      inside = is(name, trim(name, end - 1), section);
    } else if (inside && start < end) {
      const char *equals = start;
      while (equals < end && *equals != '=' && *equals != ':') equals++;
      if (equals < end && is(start, trim(start, equals), key)) {
        const char *value = skip_blanks(equals + 1, end);
        return (struct place){.line = line.start, .above = above, .value = value, .after = end};
      }
    }
    if (inside && start < end) place.section_end = line.next; /* comments may belong to the next section */
    above = line.start;
  }
  return place;
}

/* How the text ends its lines. */
static const char *line_end_of(const char *text) {
  const char *end = text + strcspn(text, "\r\n");
  if (*end == '\r') return end[1] == '\n' ? "\r\n" : "\r";
  return "\n";
}

static void put(FILE *out, const char *start, const char *end) { fwrite(start, 1, (size_t)(end - start), out); }

static void put_reason(FILE *out, const char *reason, const char *line_end) {
  if (reason != NULL) fprintf(out, "; %s%s", reason, line_end);
}

static void write_edited(FILE *out, const char *text, const struct place *place, const char *section, const char *key,
                         const char *value, const char *reason) {
  const char *line_end = line_end_of(text), *end = text + strlen(text);
  if (place->line != NULL) {
    put(out, text, place->line);
    put_reason(out, reason, line_end);
    put(out, place->line, place->value);
    if (place->value[-1] == '=') fputc(' ', out);
    fputs(value, out);
    put(out, place->after, end);
    return;
  }
  put(out, text, place->section_end != NULL ? place->section_end : end);
  if (place->section_end == NULL || place->section_end == end)
    if (end > text && end[-1] != '\n' && end[-1] != '\r') fputs(line_end, out);
  if (place->section_end == NULL) fprintf(out, "[%s]%s", section, line_end);
  put_reason(out, reason, line_end);
  fprintf(out, "%s = %s%s", key, value, line_end);
  if (place->section_end != NULL) put(out, place->section_end, end);
}

/* A text that is being written; finish returns it in *edited. */
struct writing {
  FILE *out;
  size_t length;
};

static enum rill_status begin(struct writing *writing, char **edited, struct rill_error *error) {
  *edited = NULL;
  writing->out = open_memstream(edited, &writing->length);
  if (writing->out != NULL) return RILL_OK;
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the text of a deck");
}

static enum rill_status finish(struct writing *writing, char **edited, struct rill_error *error) {
  if (!(ferror(writing->out) | fclose(writing->out))) return RILL_OK;
  free(*edited);
  *edited = NULL;
  return rill_error_set(error, RILL_ERROR_MEMORY, "no memory for the text of a deck");
}

enum rill_status rill_deck_edit(const char *text, const char *section, const char *key, const char *value,
                                const char *reason, char **edited, struct rill_error *error) {
  const struct place place = find(text, section, key);
  struct writing writing;
  RILL_TRY(begin(&writing, edited, error));
  write_edited(writing.out, text, &place, section, key, value, reason);
  return finish(&writing, edited, error);
}

enum rill_status rill_deck_comment_out(const char *text, const char *section, const char *key, const char *reason,
                                       char **edited, struct rill_error *error) {
  const struct place place = find(text, section, key);
  const char *from = place.line != NULL ? place.line : text;
  struct writing writing;
  RILL_TRY(begin(&writing, edited, error));
  put(writing.out, text, from);
  if (place.line != NULL) {
    put_reason(writing.out, reason, line_end_of(text));
    fputs("; ", writing.out);
  }
  fputs(from, writing.out);
  return finish(&writing, edited, error);
}

enum rill_status rill_deck_drop_comment(const char *text, const char *section, const char *key, const char *comment,
                                        char **edited, struct rill_error *error) {
  const struct place place = find(text, section, key);
  const char *from = text;
  struct writing writing;
  RILL_TRY(begin(&writing, edited, error));
  if (place.above != NULL) {
    const char *start = place.above, *end = line_at(start).end;
    if (end - start > 2 && memcmp(start, "; ", 2) == 0 && is(start + 2, end, comment)) {
      put(writing.out, text, start);
      from = place.line;
    }
  }
  fputs(from, writing.out);
  return finish(&writing, edited, error);
}

bool rill_deck_value(const char *text, const char *section, const char *key, char *value, size_t capacity) {
  const struct place place = find(text, section, key);
  const int length = place.line != NULL ? (int)(place.after - place.value) : 0;
  snprintf(value, capacity, "%.*s", length, place.line != NULL ? place.value : "");
  return place.line != NULL;
}
