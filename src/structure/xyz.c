/* XYZ: number of atoms, comment, then name, x, y, z (Angstrom) separated by blanks or tabs, and perhaps further
 * columns, which are not used.  In the comment of the extended format Lattice="..." gives the box, and Properties=...
 * the meaning of the columns. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "structure/frame.h"

enum { SHORTEST_LINE = 8 /* "O 0 0 0\n" */ };

/* Finds key=value or key="value" in the current line: returns the whole entry, of length 0 when there is none, and
 * sets *value. */
static struct rill_span find_entry(const struct rill_text *text, const char *key, struct rill_span *value) {
  size_t key_length = strlen(key);
  struct rill_span entry = {0, 0};
  for (size_t i = 0; i + key_length < text->length; i++) {
    const char *at = text->text + i, *from, *end;
    if ((i > 0 && at[-1] != ' ' && at[-1] != '\t') || at[key_length] != '=' || strncasecmp(at, key, key_length) != 0)
      continue;
    from = at + key_length + 1;
    end = *from == '"' ? strchr(from + 1, '"') : from + strcspn(from, " \t");
    if (end == NULL) continue;
    if (*from == '"') from++;
    *value = (struct rill_span){(size_t)(from - text->text), (size_t)(end - from)};
    entry = (struct rill_span){i, (size_t)(end - at) + (*end == '"')};
    return entry;
  }
  return entry;
}

static void blank_out(struct rill_text *text, struct rill_span span) {
  memset(text->text + span.first, ' ', span.length);
}

static enum rill_status read_lattice(struct rill_text *text, struct rill_span value, struct rill_frame *frame) {
  struct rill_span word = {value.first, 0};
  for (int i = 0; i < 9; i++) {
    word = rill_text_word(text, word.first + word.length);
    if (word.first + word.length > value.first + value.length)
      word.length = word.first < value.first + value.length ? value.first + value.length - word.first : 0;
    RILL_TRY(rill_text_number(text, word, "a number of Lattice", &frame->box[i / 3][i % 3]));
    frame->box[i / 3][i % 3] *= RILL_ANGSTROM;
  }
  word = rill_text_word(text, word.first + word.length);
  if (word.first < value.first + value.length)
    return rill_text_fault(text, text->line, "Lattice has more than 9 numbers");
  return rill_frame_accept_box(frame, text);
}

/* Positions of the name and the coordinates among the words of an atom's line, from 0, and the number of its
 * words. */
struct columns {
  size_t species, position, count;
};

/* Appends to the list of unused data; text that does not fit is omitted. */
static void note_unused(struct rill_frame *frame, const char *what, const struct rill_text *text,
                        struct rill_span span) {
  const size_t used = strlen(frame->unused);
  char quoted[32];
  snprintf(frame->unused + used, sizeof frame->unused - used, "%s%s%s", used > 0 ? ", " : "", what,
           rill_text_copy(text, span, quoted, sizeof quoted));
}

/* The next part of name:type:count:name:type:count..., up to a colon or the end. */
static struct rill_span next_part(const struct rill_text *text, struct rill_span value, size_t from) {
  size_t end = from;
  while (end < value.first + value.length && text->text[end] != ':') end++;
  return (struct rill_span){from, end - from};
}

static bool is_part(const struct rill_text *text, struct rill_span part, const char *word) {
  return part.length == strlen(word) && strncmp(text->text + part.first, word, part.length) == 0;
}

/* Reads the columns from Properties=name:type:count:..., which must include species:S:1 and pos:R:3. */
static enum rill_status read_properties(struct rill_text *text, struct rill_span value, struct rill_frame *frame,
                                        struct columns *columns) {
  enum { MANY = 1000 };
  const size_t end = value.first + value.length;
  bool species = false, position = false;
  char quoted[64];
  columns->count = 0;
  for (size_t at = value.first; at < end;) {
    struct rill_span name = next_part(text, value, at), type = next_part(text, value, name.first + name.length + 1);
    struct rill_span number = next_part(text, value, type.first + type.length + 1);
    size_t words = 0;
    for (size_t i = 0; i < number.length && words < MANY; i++) {
      const char c = text->text[number.first + i];
      words = c >= '0' && c <= '9' ? 10 * words + (size_t)(c - '0') : MANY;
    }
    if (type.length != 1 || words == 0 || words >= MANY) break;
    if (is_part(text, name, "species") && words == 1) {
      species = true;
      columns->species = columns->count;
    } else if (is_part(text, name, "pos") && words == 3) {
      position = true;
      columns->position = columns->count;
    } else {
      note_unused(frame, "column ", text, name);
    }
    columns->count += words;
    at = number.first + number.length + 1;
    if (at >= end && species && position) return RILL_OK;
  }
  return rill_text_fault(
      text, text->line,
      "the columns are '%s', expected 'species:S:1:pos:R:3' among columns of the form name:type:count",
      rill_text_copy(text, value, quoted, sizeof quoted));
}

/* Reads box and columns from the comment; the rest is the title. */
static enum rill_status read_comment(struct rill_text *text, struct rill_frame *frame, struct columns *columns) {
  struct rill_span entry, value;
  char quoted[64];
  entry = find_entry(text, "Properties", &value);
  if (entry.length > 0) {
    RILL_TRY(read_properties(text, value, frame, columns));
    blank_out(text, entry);
  }
  entry = find_entry(text, "Lattice", &value);
  if (entry.length > 0) {
    RILL_TRY(read_lattice(text, value, frame));
    blank_out(text, entry);
  }
  entry = find_entry(text, "pbc", &value);
  if (entry.length > 0) {
    bool some = false, all = true;
    for (size_t i = 0; i < value.length; i++) {
      char c = text->text[value.first + i];
      if (c == 'T' || c == '1') some = true;
      if (c == 'F' || c == '0') all = false;
    }
    if (some && !all)
      return rill_text_fault(text, text->line, "pbc=\"%s\": periodic in some directions only; expected all or none",
                             rill_text_copy(text, value, quoted, sizeof quoted));
    frame->has_box = frame->has_box && some;
    blank_out(text, entry);
  }
  rill_text_copy(text, rill_text_trim(text, (struct rill_span){0, text->length}), frame->title, sizeof frame->title);
  return RILL_OK;
}

/* Without Properties all lines must have as many words as the first: name, x, y, z, and perhaps further numbers, such
 * as charges or velocities. */
static enum rill_status count_columns(struct rill_text *text, struct rill_frame *frame, struct columns *columns) {
  struct rill_span word = rill_text_word(text, 0), first = {0, 0};
  char quoted[48];
  for (columns->count = 0; word.length > 0; columns->count++) {
    if (columns->count == 4) first = word;
    if (columns->count >= 4 && !rill_text_is_number(text, word))
      return rill_text_fault(text, text->line, "found '%s' after z, expected name, x, y, z, or further numbers",
                             rill_text_copy(text, word, quoted, sizeof quoted));
    word = rill_text_word(text, word.first + word.length);
  }
  if (columns->count > 4) note_unused(frame, "the numbers after z, in the first line from ", text, first);
  if (columns->count < 4) columns->count = 4; /* a missing one is reported when it is read */
  return RILL_OK;
}

static enum rill_status read_atom(struct rill_text *text, struct rill_frame *frame, const struct columns *columns) {
  static const char *const names[3] = {"x", "y", "z"};
  struct rill_file_atom atom = {0};
  struct rill_span word = rill_text_word(text, 0);
  for (size_t i = 0; i < columns->count; i++) {
    if (i == columns->species) RILL_TRY(rill_water_atom(text, word, (struct rill_span){0, 0}, &atom));
    if (i >= columns->position && i < columns->position + 3) {
      double *x = &atom.position[i - columns->position];
      RILL_TRY(rill_text_number(text, word, names[i - columns->position], x));
      *x *= RILL_ANGSTROM;
    }
    if (word.length == 0)
      return rill_text_fault(text, text->line, "found %zu words, expected %zu as the comment or the first atom has",
                             i, columns->count);
    word = rill_text_word(text, word.first + word.length);
  }
  if (word.length == 0) return rill_frame_append(frame, text, &atom);
  return rill_text_fault(text, text->line, "found more than the %zu words given by the comment or the first atom",
                         columns->count);
}

/* Advances to the line with the number of atoms, for a further frame past blank lines. */
static enum rill_status find_count(struct rill_text *text, struct rill_frame *frame) {
  do RILL_TRY(rill_text_next(text));
  while (frame->number > 0 && !text->ended && text->length == 0);
  frame->missing = frame->number > 0 && text->ended;
  return RILL_OK;
}

enum rill_status rill_xyz_read(struct rill_text *text, struct rill_frame *frame) {
  struct columns columns = {.species = 0, .position = 1};
  unsigned long long count, following;
  size_t count_line;
  RILL_TRY(find_count(text, frame));
  if (frame->missing) return RILL_OK;
  RILL_TRY(rill_text_count(text, &count));
  count_line = text->line;
  if (text->bytes >= 0 && count > (unsigned long long)text->bytes / SHORTEST_LINE)
    return rill_text_fault(text, text->line,
                           "found %llu as the number of atoms, too many for a file of %lld bytes; is it truncated?",
                           count, text->bytes);
  RILL_TRY(rill_text_next(text));
  RILL_TRY(read_comment(text, frame, &columns));
  for (unsigned long long i = 0; i < count; i++) {
    RILL_TRY(rill_text_next(text));
    if (text->ended || text->length == 0)
      return rill_text_fault(text, text->line,
                             "the file ends here, expected atom %llu of %llu (line %zu); is it truncated?", i + 1,
                             count, count_line);
    if (columns.count == 0) RILL_TRY(count_columns(text, frame, &columns));
    RILL_TRY(read_atom(text, frame, &columns));
  }
  /* Only another frame may follow. */
  do RILL_TRY(rill_text_next(text));
  while (!text->ended && text->length == 0);
  rill_text_back(text);
  if (text->ended || rill_text_count(text, &following) == RILL_OK) return RILL_OK;
  return rill_text_fault(text, text->line,
                         "text after atom %llu, the last according to line %zu; is that number correct?", count,
                         count_line);
}

/* ---- writing ---- */

static enum rill_status write_atom(struct rill_file *file, size_t molecule, const char *name, const double *position,
                                   int decimals) {
  fputs(name, file->stream);
  for (size_t k = 0; k < 3; k++)
    RILL_TRY(rill_file_word(file, position[k] / RILL_ANGSTROM, decimals + 8, decimals, "the position", molecule + 1));
  putc('\n', file->stream);
  return RILL_OK;
}

enum rill_status rill_xyz_write(struct rill_file *file, const struct rill_structure *structure, int decimals) {
  const size_t sites = structure->site_weight != 0 ? 4 : 3;
  fprintf(file->stream, "%zu\n", sites * structure->molecules);
  rill_file_title(file, structure->title, (int)sizeof structure->title);
  if (structure->has_box) {
    fputs(structure->title[0] == '\0' ? "Lattice=\"" : " Lattice=\"", file->stream);
    for (int i = 0; i < 9; i++)
      fprintf(file->stream, "%s%.*g", i == 0 ? "" : " ", 15, structure->box[i / 3][i % 3] / RILL_ANGSTROM);
    fputs("\" Properties=species:S:1:pos:R:3", file->stream);
  }
  putc('\n', file->stream);
  for (size_t m = 0; m < structure->molecules; m++) {
    const double *x = structure->positions + 9 * m;
    double site[3];
    for (size_t a = 0; a < 3; a++) RILL_TRY(write_atom(file, m, a == 0 ? "O" : "H", x + 3 * a, decimals));
    if (sites == 3) continue;
    rill_structure_site(structure, x, site);
    RILL_TRY(write_atom(file, m, "M", site, decimals));
  }
  return RILL_OK;
}
