/* XYZ: number of atoms, comment, then name, x, y, z (Angstrom) separated by blanks or tabs.  The extended form's
 * Lattice="..." in the comment is the box. */
#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "structure/frame.h"

enum { SHORTEST_LINE = 8 /* "O 0 0 0\n" */ };

/* The value of key=value or key="value" in the current line, and the whole entry; length 0 when it is not there. */
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

/* Box from the comment, what remains is the title. */
static enum rill_status read_comment(struct rill_text *text, struct rill_frame *frame) {
  static const char columns[] = "species:S:1:pos:R:3";
  struct rill_span entry, value;
  char quoted[64];
  entry = find_entry(text, "Properties", &value);
  if (entry.length > 0) {
    if (value.length != sizeof columns - 1 || strncmp(text->text + value.first, columns, value.length) != 0)
      return rill_text_fault(text, text->line, "the columns are '%s', expected '%s'; write name, x, y, z only",
                             rill_text_copy(text, value, quoted, sizeof quoted), columns);
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

static enum rill_status read_atom(struct rill_text *text, struct rill_frame *frame) {
  static const char *const names[3] = {"x", "y", "z"};
  struct rill_file_atom *atom = rill_frame_append(frame, text);
  struct rill_span word = rill_text_word(text, 0);
  char quoted[48];
  if (atom == NULL) return RILL_ERROR_MEMORY;
  RILL_TRY(rill_water_atom(text, word, &atom->oxygen));
  for (int k = 0; k < 3; k++) {
    word = rill_text_word(text, word.first + word.length);
    RILL_TRY(rill_text_number(text, word, names[k], &atom->position[k]));
    atom->position[k] *= RILL_ANGSTROM;
  }
  word = rill_text_word(text, word.first + word.length);
  if (word.length > 0)
    return rill_text_fault(text, text->line, "found '%s' after z, expected name, x, y, z and nothing else",
                           rill_text_copy(text, word, quoted, sizeof quoted));
  return RILL_OK;
}

enum rill_status rill_xyz_read(struct rill_text *text, struct rill_frame *frame) {
  unsigned long long count, following;
  RILL_TRY(rill_text_next(text));
  RILL_TRY(rill_text_count(text, &count));
  if (text->bytes >= 0 && count > (unsigned long long)text->bytes / SHORTEST_LINE)
    return rill_text_fault(text, text->line,
                           "found %llu as the number of atoms, the file of %lld bytes cannot hold them; is it cut?",
                           count, text->bytes);
  RILL_TRY(rill_text_next(text));
  RILL_TRY(read_comment(text, frame));
  for (unsigned long long i = 0; i < count; i++) {
    RILL_TRY(rill_text_next(text));
    if (text->ended || text->length == 0)
      return rill_text_fault(text, text->line, "the file ends here, expected atom %llu of %llu (line 1); is it cut?",
                             i + 1, count);
    RILL_TRY(read_atom(text, frame));
  }
  /* Nothing may follow but another frame. */
  do RILL_TRY(rill_text_next(text));
  while (!text->ended && text->length == 0);
  if (text->ended) return RILL_OK;
  if (rill_text_count(text, &following) == RILL_OK) return RILL_OK;
  return rill_text_fault(text, text->line,
                         "text after atom %llu, the number that line 1 gives; does it agree with the "
                         "file?",
                         count);
}

/* ---- writing ---- */

enum rill_status rill_xyz_write(struct rill_file *file, const struct rill_structure *structure, int decimals) {
  fprintf(file->stream, "%zu\n", 3 * structure->molecules);
  rill_file_title(file, structure->title, (int)sizeof structure->title);
  if (structure->has_box) {
    fputs(structure->title[0] == '\0' ? "Lattice=\"" : " Lattice=\"", file->stream);
    for (int i = 0; i < 9; i++)
      fprintf(file->stream, "%s%.*g", i == 0 ? "" : " ", 15, structure->box[i / 3][i % 3] / RILL_ANGSTROM);
    fputs("\" Properties=species:S:1:pos:R:3", file->stream);
  }
  putc('\n', file->stream);
  for (size_t i = 0; i < 3 * structure->molecules; i++) {
    fputs(i % 3 == 0 ? "O" : "H", file->stream);
    for (size_t k = 0; k < 3; k++)
      RILL_TRY(rill_file_word(file, structure->positions[3 * i + k] / RILL_ANGSTROM, decimals + 8, decimals,
                              "the position", i / 3 + 1));
    putc('\n', file->stream);
  }
  return RILL_OK;
}
