/* GRO (GROMACS): title, number of atoms, one atom per line in fixed columns (residue number 1-5, residue 6-10, atom
 * 11-15, atom number 16-20, then positions and perhaps velocities, nm and nm/ps), box.  The width of a number follows
 * from the distance between decimal points; residue and atom numbers wrap in large files and are not read. */
#include <string.h>

#include "structure/frame.h"

enum { NUMBERS = 20 /* where the numbers begin */, SHORTEST_LINE = NUMBERS + 3 * 4 /* of any number of decimals */ };

/* The columns of the numbers, the same for all atoms of a file. */
struct layout {
  size_t width, decimals, velocity_decimals;
  bool velocities;
};

static enum rill_status find_layout(struct rill_text *text, struct layout *layout) {
  size_t points[6], count = 0, end;
  RILL_TRY(rill_text_check_words(text, NUMBERS));
  for (size_t i = NUMBERS; i < text->length && count < 6; i++)
    if (text->text[i] == '.') points[count++] = i;
  if (count < 3)
    return rill_text_fault(text, text->line,
                           "found %zu decimal points from column 21 on, expected the three "
                           "coordinates of an atom (nm)",
                           count);
  layout->width = points[1] - points[0];
  end = NUMBERS + layout->width;
  if (points[2] - points[1] != layout->width || points[0] + 1 >= end || layout->width > 60)
    return rill_text_fault(text, text->line,
                           "the decimal points are in columns %zu, %zu, %zu, expected equal distances and the first "
                           "number to begin in column 21; are the columns shifted?",
                           points[0] + 1, points[1] + 1, points[2] + 1);
  layout->decimals = end - points[0] - 1;
  end = NUMBERS + 3 * layout->width;
  layout->velocities = text->length > end;
  if (layout->velocities && (count < 6 || points[3] < end || points[3] >= end + layout->width))
    return rill_text_fault(text, text->line,
                           "found %zu characters after z, expected three velocities of %zu columns each "
                           "(nm/ps) or nothing",
                           text->length - end, layout->width);
  if (layout->velocities) layout->velocity_decimals = end + layout->width - points[3] - 1;
  return RILL_OK;
}

static enum rill_status read_atom(struct rill_text *text, const struct layout *layout, struct rill_frame *frame) {
  static const char *const names[6] = {"x", "y", "z", "velocity x", "velocity y", "velocity z"};
  size_t columns = layout->velocities ? 6 : 3, end = NUMBERS + columns * layout->width;
  struct rill_file_atom atom = {0};
  RILL_TRY(rill_water_residue(text, (struct rill_span){5, 5}));
  RILL_TRY(rill_water_atom(text, (struct rill_span){10, 5}, (struct rill_span){0, 0}, &atom));
  if (layout->velocities && text->length <= NUMBERS + 3 * layout->width)
    return rill_text_fault(text, text->line, "this atom has no velocity, others before it have; give all or none");
  for (size_t k = 0; k < columns; k++) {
    struct rill_span span = {NUMBERS + k * layout->width, layout->width};
    double *value = k < 3 ? &atom.position[k] : &atom.velocity[k - 3];
    RILL_TRY(rill_text_column(text, span, k < 3 ? layout->decimals : layout->velocity_decimals, names[k], value));
  }
  if (text->length > end)
    return rill_text_fault(text, text->line, "found %zu characters after column %zu, expected the end of the line%s",
                           text->length - end, end,
                           layout->velocities ? "" : " (the atoms before it have no velocities)");
  return rill_frame_append(frame, text, &atom);
}

/* Whether this is the box line, rather than the line of an atom. */
static bool is_numeric(const struct rill_text *text) {
  return text->length > 0 && strspn(text->text, " \t+-.0123456789") == text->length;
}

static enum rill_status read_atoms(struct rill_text *text, struct rill_frame *frame, unsigned long long count) {
  const size_t count_line = text->line;
  struct layout layout = {0};
  for (unsigned long long i = 0; i < count; i++) {
    RILL_TRY(rill_text_next(text));
    if (text->ended)
      return rill_text_fault(text, text->line,
                             "the file ends here, expected atom %llu of %llu (line %zu); is it truncated?", i + 1,
                             count, count_line);
    if (text->length < NUMBERS || is_numeric(text))
      return rill_text_fault(
          text, text->line,
          "found no atom, expected atom %llu of %llu; is the file truncated, or the number in line %zu "
          "wrong?",
          i + 1, count, count_line);
    if (i == 0) RILL_TRY(find_layout(text, &layout));
    frame->has_velocities = layout.velocities;
    RILL_TRY(read_atom(text, &layout, frame));
  }
  return RILL_OK;
}

static size_t decimals(const struct rill_text *text, struct rill_span word) {
  const char *point = memchr(text->text + word.first, '.', word.length);
  return point == NULL ? 0 : (size_t)(text->text + word.first + word.length - point) - 1;
}

/* In the order v1x v2y v3z, and for a skewed box v1y v1z v2x v2z v3x v3y. */
static enum rill_status read_box(struct rill_text *text, struct rill_frame *frame, size_t count_line) {
  static const int vector[9] = {0, 1, 2, 0, 0, 1, 1, 2, 2}, component[9] = {0, 1, 2, 1, 2, 0, 2, 0, 1};
  struct rill_span words[9], word;
  size_t count = 0;
  RILL_TRY(rill_text_next(text));
  if (text->ended)
    return rill_text_fault(text, text->line,
                           "the file ends here, expected the box (three zeros: no box); is it truncated?");
  for (word = rill_text_word(text, 0); word.length > 0; word = rill_text_word(text, word.first + word.length)) {
    if (count < 9) words[count] = word;
    count++;
  }
  memset(frame->box, 0, sizeof frame->box);
  if (count != 3 && count != 9)
    return rill_text_fault(text, text->line,
                           "found %zu words, expected the box: 3 or 9 numbers (nm); is the number of atoms in line "
                           "%zu wrong?",
                           count, count_line);
  if (count == 9 && text->length > NUMBERS && rill_is_water_residue(text, (struct rill_span){5, 5}))
    return rill_text_fault(text, text->line,
                           "found an atom, expected the box: 3 or 9 numbers (nm); is the number of atoms in line %zu "
                           "wrong?",
                           count_line);
  for (size_t i = 0; i < count; i++)
    RILL_TRY(rill_text_number(text, words[i], "box", &frame->box[vector[i]][component[i]]));
  if (!text->terminated && decimals(text, words[count - 1]) < decimals(text, words[0]))
    return rill_text_fault(text, text->line, "the file ends inside this line: the last number is incomplete");
  return rill_frame_accept_box(frame, text);
}

/* Finds the title of a further frame.  A title may be blank; blank lines at the end of the file are no title. */
static enum rill_status find_title(struct rill_text *text, struct rill_frame *frame) {
  for (;;) {
    RILL_TRY(rill_text_next(text));
    if (text->length > 0) return RILL_OK;
    frame->missing = text->ended;
    if (text->ended) return RILL_OK;
    RILL_TRY(rill_text_next(text));
    rill_text_back(text);
    if (rill_text_is_count(text)) { /* the blank line before it was the title */
      frame->title[0] = '\0';
      return RILL_OK;
    }
  }
}

static enum rill_status read_title(struct rill_text *text, struct rill_frame *frame) {
  RILL_TRY(frame->number == 0 ? rill_text_next(text) : find_title(text, frame));
  if (frame->missing || text->again) return RILL_OK;
  rill_text_copy(text, rill_text_trim(text, (struct rill_span){0, text->length}), frame->title, sizeof frame->title);
  return RILL_OK;
}

enum rill_status rill_gro_read(struct rill_text *text, struct rill_frame *frame) {
  unsigned long long count;
  size_t count_line;
  RILL_TRY(read_title(text, frame));
  if (frame->missing) return RILL_OK;
  RILL_TRY(rill_text_next(text));
  if (frame->number > 0 && !rill_text_is_count(text))
    return rill_text_fault(text, text->line,
                           "the text after the box of frame %zu (counted from 0) is not another frame; expected a "
                           "title and the number of atoms, or the end of the file",
                           frame->number - 1);
  RILL_TRY(rill_text_count(text, &count));
  count_line = text->line;
  if (text->bytes >= 0 && count > (unsigned long long)text->bytes / SHORTEST_LINE)
    return rill_text_fault(text, text->line,
                           "found %llu as the number of atoms, too many for a file of %lld bytes; is it truncated?",
                           count, text->bytes);
  RILL_TRY(read_atoms(text, frame, count));
  return read_box(text, frame, count_line);
}

/* ---- writing ---- */

static enum rill_status write_box(struct rill_file *file, const struct rill_structure *structure, int digits) {
  const double(*box)[3] = structure->box;
  double numbers[9] = {box[0][0], box[1][1], box[2][2], 0, 0, box[1][0], 0, box[2][0], box[2][1]};
  int count = box[1][0] == 0 && box[2][0] == 0 && box[2][1] == 0 ? 3 : 9;
  digits = digits < 5 ? 5 : digits;
  /* separated by blanks instead of in columns, where 1000 nm would leave no blank between them */
  for (int i = 0; i < count; i++)
    RILL_TRY(rill_file_word(file, structure->has_box ? numbers[i] : 0, digits + 4, digits, "the box", 0));
  putc('\n', file->stream);
  return RILL_OK;
}

/* velocity: NULL for none. */
static enum rill_status write_atom(struct rill_file *file, size_t molecule, const char *name, size_t number,
                                   const double *position, const double *velocity, int digits) {
  fprintf(file->stream, "%5zu%-5s%5s%5zu", (molecule + 1) % 100000, "SOL", name, number % 100000);
  for (int k = 0; k < 3; k++)
    RILL_TRY(rill_file_column(file, position[k], digits + 5, digits, "the position", molecule + 1));
  for (int k = 0; velocity != NULL && k < 3; k++)
    RILL_TRY(rill_file_column(file, velocity[k], digits + 5, digits + 1, "the velocity", molecule + 1));
  putc('\n', file->stream);
  return RILL_OK;
}

enum rill_status rill_gro_write(struct rill_file *file, const struct rill_structure *structure, int digits) {
  static const char *const names[3] = {"OW", "HW1", "HW2"};
  const size_t sites = structure->site_weight != 0 ? 4 : 3;
  rill_file_title(file, structure->title, (int)sizeof structure->title);
  fprintf(file->stream, "\n%5zu\n", sites * structure->molecules);
  for (size_t m = 0; m < structure->molecules; m++) {
    const double *x = structure->positions + 9 * m;
    const double *v = structure->velocities != NULL ? structure->velocities + 9 * m : NULL;
    double site[3], site_velocity[3];
    for (size_t a = 0; a < 3; a++)
      RILL_TRY(write_atom(file, m, names[a], sites * m + a + 1, x + 3 * a, v != NULL ? v + 3 * a : NULL, digits));
    if (sites == 3) continue;
    rill_structure_site(structure, x, site);
    if (v != NULL) rill_structure_site(structure, v, site_velocity);
    RILL_TRY(write_atom(file, m, "MW", sites * m + 4, site, v != NULL ? site_velocity : NULL, digits));
  }
  return write_box(file, structure, digits);
}
