/* PDB: records in fixed columns, Angstrom.  Atoms: name 13-16, residue 18-21 (four letters in CHARMM's files), x
 * 31-38, y 39-46, z 47-54 with three decimals; serial and residue numbers (wrapped, hexadecimal, hybrid-36, stars)
 * are not read.  To detect shifted lines, columns that must be blank are checked, and a record that the format does
 * not have is an error. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "structure/frame.h"

static const double pi = 3.14159265358979323846;

/* Records that are ignored. */
static const char *const other_records[] = {
    "ANISOU", "AUTHOR", "CAVEAT", "CISPEP", "COMPND", "CONECT", "DBREF",  "DBREF1", "DBREF2", "EXPDTA", "FORMUL",
    "FTNOTE", "HEADER", "HELIX",  "HET",    "HETNAM", "HETSYN", "HYDBND", "JRNL",   "KEYWDS", "LINK",   "MASTER",
    "MDLTYP", "MODRES", "MTRIX1", "MTRIX2", "MTRIX3", "NUMMDL", "OBSLTE", "ORIGX1", "ORIGX2", "ORIGX3", "REMARK",
    "REVDAT", "SCALE1", "SCALE2", "SCALE3", "SEQADV", "SEQRES", "SHEET",  "SIGATM", "SIGUIJ", "SITE",   "SLTBRG",
    "SOURCE", "SPLIT",  "SPRSDE", "SSBOND", "TER",    "TURN",   "TVECT",  "USER"};

/* Whether columns 1-6 contain this name (blank-padded). */
static bool is_record(const struct rill_text *text, const char *name) {
  size_t length = strlen(name);
  return strncmp(text->text, name, length) == 0 && rill_text_blank(text, (struct rill_span){length, 6 - length});
}

static bool is_other_record(const struct rill_text *text) {
  for (size_t i = 0; i < sizeof other_records / sizeof *other_records; i++)
    if (is_record(text, other_records[i])) return true;
  return text->length == 0;
}

static bool is_atom(const struct rill_text *text) { return is_record(text, "ATOM") || is_record(text, "HETATM"); }

static enum rill_status expect_blank(struct rill_text *text, struct rill_span span, const char *why) {
  char quoted[8];
  if (rill_text_blank(text, span)) return RILL_OK;
  return rill_text_fault(text, text->line, "columns %zu-%zu hold '%s', expected blanks (%s)", span.first + 1,
                         span.first + span.length, rill_text_copy(text, span, quoted, sizeof quoted), why);
}

static enum rill_status read_atom(struct rill_text *text, struct rill_frame *frame) {
  static const char *const names[3] = {"x", "y", "z"};
  struct rill_file_atom atom = {0};
  RILL_TRY(expect_blank(text, (struct rill_span){11, 1}, "between serial number and name; are the columns shifted?"));
  RILL_TRY(expect_blank(text, (struct rill_span){16, 1}, "alternate locations: keep one of them"));
  RILL_TRY(rill_water_residue(text, (struct rill_span){17, 4}));
  RILL_TRY(rill_water_atom(text, (struct rill_span){12, 4}, (struct rill_span){76, 2}, &atom));
  RILL_TRY(expect_blank(text, (struct rill_span){27, 3}, "before x; are the columns shifted?"));
  for (size_t k = 0; k < 3; k++) {
    RILL_TRY(rill_text_column(text, (struct rill_span){30 + 8 * k, 8}, 3, names[k], &atom.position[k]));
    atom.position[k] *= RILL_ANGSTROM;
  }
  return rill_frame_append(frame, text, &atom);
}

static double cosine(double degrees) {
  if (degrees == 90) return 0;
  if (degrees == 60 || degrees == 120) return degrees == 60 ? 0.5 : -0.5;
  return cos(degrees * pi / 180);
}

/* Converts the unit cell a, b, c, alpha, beta, gamma to lower triangular box vectors. */
static enum rill_status box_of_cell(struct rill_text *text, const double cell[6], double box[3][3]) {
  double a = cell[0] * RILL_ANGSTROM, b = cell[1] * RILL_ANGSTROM, c = cell[2] * RILL_ANGSTROM;
  double cos_alpha = cosine(cell[3]), cos_beta = cosine(cell[4]), cos_gamma = cosine(cell[5]);
  double sin_gamma = sqrt(1 - cos_gamma * cos_gamma), x, y, square;
  for (int i = 3; i < 6; i++)
    if (!(cell[i] > 0 && cell[i] < 180))
      return rill_text_fault(text, text->line, "the cell has an angle of %g degrees, expected one between 0 and 180",
                             cell[i]);
  x = cos_beta;
  y = (cos_alpha - cos_beta * cos_gamma) / sin_gamma;
  square = 1 - x * x - y * y;
  if (!(square > 0))
    return rill_text_fault(text, text->line, "no cell has the angles %g, %g, %g", cell[3], cell[4], cell[5]);
  memcpy(box, (double[3][3]){{a, 0, 0}, {b * cos_gamma, b * sin_gamma, 0}, {c * x, c * y, c * sqrt(square)}},
         sizeof(double[3][3]));
  return RILL_OK;
}

static const char *const cell_names[6] = {"a", "b", "c", "alpha", "beta", "gamma"};

/* Whether a line has six numbers separated by blanks, in any columns; *end: the column after the last. */
static bool is_cell_in_words(const struct rill_text *text, struct rill_span words[6], size_t *end) {
  *end = 6;
  for (int i = 0; i < 6; i++) {
    words[i] = rill_text_word(text, *end);
    if (!rill_text_is_number(text, words[i])) return false;
    *end = words[i].first + words[i].length;
  }
  return true;
}

/* Reads lengths and angles from fixed columns or as words: writers differ in their decimals, and some in their
 * columns. */
static enum rill_status read_cell_numbers(struct rill_text *text, double cell[6], size_t *end) {
  static const struct rill_span columns[6] = {{6, 9}, {15, 9}, {24, 9}, {33, 7}, {40, 7}, {47, 7}};
  struct rill_span words[6];
  if (is_cell_in_words(text, words, end)) {
    for (int i = 0; i < 6; i++) RILL_TRY(rill_text_number(text, words[i], cell_names[i], &cell[i]));
    return RILL_OK;
  }
  *end = 54;
  for (int i = 0; i < 6; i++) RILL_TRY(rill_text_field(text, columns[i], cell_names[i], &cell[i]));
  return RILL_OK;
}

/* Checks the space group: there must be no symmetry, so only P 1 or nothing is accepted, perhaps followed by Z. */
static enum rill_status check_space_group(struct rill_text *text, size_t from) {
  struct rill_span group = rill_text_trim(text, (struct rill_span){from, text->length}), after;
  const char *at = text->text + group.first;
  char quoted[32];
  if (group.length == 0) return RILL_OK;
  if (at[0] == 'P' || at[0] == 'p') {
    after = rill_text_word(text, group.first + 1); /* "P 1", "P1" */
    if (after.length == 1 && text->text[after.first] == '1') {
      struct rill_span copies = rill_text_word(text, after.first + 1);
      if (copies.length == 0 ||
          (rill_text_is_number(text, copies) && rill_text_word(text, copies.first + copies.length).length == 0))
        return RILL_OK;
    }
  }
  return rill_text_fault(text, text->line,
                         "the cell has the symmetry '%s' (space group, Z), and the file contains one asymmetric unit "
                         "only; expected P 1: write out all the copies of the cell with a crystallography program, "
                         "or remove the CRYST1 line for these molecules in vacuum",
                         rill_text_copy(text, group, quoted, sizeof quoted));
}

/* In files without a crystal the record is blank, zero, or has the dummy cell of 1 Angstrom. */
static enum rill_status read_cell(struct rill_text *text, struct rill_frame *frame) {
  double cell[6];
  size_t end;
  frame->has_box = false;
  memset(frame->box, 0, sizeof frame->box);
  if (rill_text_blank(text, (struct rill_span){6, 48})) return RILL_OK;
  RILL_TRY(read_cell_numbers(text, cell, &end));
  if (cell[0] == 0 && cell[1] == 0 && cell[2] == 0) return RILL_OK;
  if (cell[0] == 1 && cell[1] == 1 && cell[2] == 1) return RILL_OK;
  RILL_TRY(check_space_group(text, end));
  RILL_TRY(box_of_cell(text, cell, frame->box));
  return rill_frame_accept_box(frame, text);
}

/* A second CRYST1 record of a frame must be equal to the first; *line: the line of the first, 0 before it. */
static enum rill_status read_cell_once(struct rill_text *text, struct rill_frame *frame, size_t *line) {
  const bool had_box = frame->has_box;
  double before[3][3];
  memcpy(before, frame->box, sizeof before);
  RILL_TRY(read_cell(text, frame));
  if (*line > 0 && (had_box != frame->has_box || memcmp(before, frame->box, sizeof before) != 0))
    return rill_text_fault(text, text->line,
                           "a second CRYST1, different from the one in line %zu; expected one cell for these atoms: "
                           "remove the other",
                           *line);
  *line = text->line;
  return RILL_OK;
}

/* The records of a frame found so far. */
struct progress {
  size_t model_line, cell_line, atom_length; /* 0: none yet */
  bool done;
};

static enum rill_status read_record(struct rill_text *text, struct rill_frame *frame, struct progress *at) {
  char record[8];
  if (is_atom(text)) {
    /* A file truncated inside an atom's line is detected because the line is shorter than the one before. */
    if (!text->terminated && (at->atom_length == 0 || text->length < at->atom_length))
      return rill_text_fault(text, text->line, "the file ends inside this atom's line; is it truncated?");
    at->atom_length = text->length;
    return read_atom(text, frame);
  }
  if (is_record(text, "CRYST1")) return read_cell_once(text, frame, &at->cell_line);
  if (is_record(text, "MODEL")) {
    at->done = rill_frame_read_so_far(frame) > 0;
    if (at->done) rill_text_back(text);
    else at->model_line = text->line;
  } else if (is_record(text, "ENDMDL") || is_record(text, "END")) {
    at->done = rill_frame_read_so_far(frame) > 0 || frame->number == 0;
  } else if (is_record(text, "TITLE")) {
    if (frame->title[0] == '\0')
      rill_text_copy(text, rill_text_trim(text, (struct rill_span){10, text->length}), frame->title,
                     sizeof frame->title);
  } else if (!is_other_record(text)) {
    return rill_text_fault(text, text->line,
                           "'%s' is not a record of a PDB file, expected ATOM, HETATM, CRYST1, ... from column 1 on; "
                           "comments begin with REMARK",
                           rill_text_copy(text, (struct rill_span){0, 6}, record, sizeof record));
  }
  return RILL_OK;
}

enum rill_status rill_pdb_read(struct rill_text *text, struct rill_frame *frame) {
  struct progress at = {0};
  while (!at.done) {
    RILL_TRY(rill_text_next(text));
    if (text->ended) break;
    RILL_TRY(read_record(text, frame, &at));
  }
  if (rill_frame_read_so_far(frame) == 0 && frame->number > 0 && at.model_line == 0) {
    frame->missing = true;
    return RILL_OK;
  }
  if (rill_frame_read_so_far(frame) == 0)
    return rill_text_fault(text, text->line, "no atoms before the end, expected ATOM or HETATM records of water");
  if (at.model_line > 0 && !at.done)
    return rill_text_fault(text, text->line,
                           "the file ends here, expected ENDMDL (MODEL: line %zu); is it truncated?", at.model_line);
  return RILL_OK;
}

/* ---- writing ---- */

static double norm(const double r[3]) { return sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]); }

static double angle(const double a[3], const double b[3]) {
  double cosine_of = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (norm(a) * norm(b));
  return acos(fmax(-1, fmin(1, cosine_of))) * 180 / pi;
}

static enum rill_status write_cell(struct rill_file *file, const struct rill_structure *structure) {
  const double *a = structure->box[0], *b = structure->box[1], *c = structure->box[2];
  double lengths[3] = {norm(a), norm(b), norm(c)}, angles[3] = {angle(b, c), angle(a, c), angle(a, b)};
  fputs("CRYST1", file->stream);
  for (int i = 0; i < 3; i++) RILL_TRY(rill_file_column(file, lengths[i] / RILL_ANGSTROM, 9, 3, "the box", 0));
  for (int i = 0; i < 3; i++) RILL_TRY(rill_file_column(file, angles[i], 7, 2, "the box", 0));
  fputs(" P 1           1\n", file->stream);
  return RILL_OK;
}

static enum rill_status write_atom(struct rill_file *file, size_t molecule, const char *name, size_t number,
                                   const double *position, char element) {
  fprintf(file->stream, "HETATM%5zu %s HOH A%4zu    ", number % 100000, name, (molecule + 1) % 10000);
  for (int k = 0; k < 3; k++)
    RILL_TRY(rill_file_column(file, position[k] / RILL_ANGSTROM, 8, 3, "the position", molecule + 1));
  fprintf(file->stream, "  1.00  0.00           %c\n", element);
  return RILL_OK;
}

enum rill_status rill_pdb_write(struct rill_file *file, const struct rill_structure *structure, size_t model,
                                bool dummy_cell) {
  static const char *const names[3] = {" O  ", " H1 ", " H2 "};
  const size_t sites = structure->site_weight != 0 ? 4 : 3;
  if (structure->title[0] != '\0') {
    fputs("TITLE     ", file->stream);
    rill_file_title(file, structure->title, 70);
    putc('\n', file->stream);
  }
  if (structure->has_box) RILL_TRY(write_cell(file, structure));
  else if (dummy_cell)
    fputs("CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n", file->stream);
  if (model > 0) fprintf(file->stream, "MODEL     %4zu\n", model % 10000);
  for (size_t m = 0; m < structure->molecules; m++) {
    const double *x = structure->positions + 9 * m;
    double site[3];
    for (size_t a = 0; a < 3; a++) RILL_TRY(write_atom(file, m, names[a], sites * m + a + 1, x + 3 * a, names[a][1]));
    if (sites == 3) continue;
    rill_structure_site(structure, x, site);
    RILL_TRY(write_atom(file, m, " MW ", sites * m + 4, site, ' '));
  }
  if (model > 0) fputs("ENDMDL\n", file->stream);
  return RILL_OK;
}
