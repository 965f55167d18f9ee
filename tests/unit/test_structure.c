/* structure: GRO, PDB and XYZ, read and written.  Letters with digits (G02, F10, ...) name kinds of faults that
 * readers and writers of these formats are known for. */
#include "config.h"

#include <dirent.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/units.h"
#include "structure/structure.h"
#include "suite.h"

#define DATA RILL_SOURCE_DIR "/tests/data/"

static struct rill_error error;
static struct rill_structure structure;
static char directory[256];

/* ---- helpers ---- */

static void set_up(void) {
  const char *parent = getenv("TMPDIR");
  snprintf(directory, sizeof directory, "%s/rill-structure-XXXXXX", parent != NULL ? parent : "/tmp");
  ck_assert_ptr_nonnull(mkdtemp(directory));
  rill_error_clear(&error);
}

static size_t files_here(bool remove) {
  DIR *stream = opendir(directory);
  size_t count = 0;
  ck_assert_ptr_nonnull(stream);
  for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    count++;
    if (remove) ck_assert_int_eq(unlinkat(dirfd(stream), entry->d_name, 0), 0);
  }
  closedir(stream);
  return count;
}

static void tear_down(void) {
  rill_structure_release(&structure);
  files_here(true);
  rmdir(directory);
}

static const char *path_of(const char *name) {
  static char paths[4][600];
  static int next;
  next = (next + 1) % 4;
  snprintf(paths[next], sizeof paths[next], "%s/%s", directory, name);
  return paths[next];
}

/* Whole text of a file, zero-terminated; release with rill_release. */
static char *load(const char *path) {
  FILE *stream = fopen(path, "rb");
  char *text;
  long length;
  ck_assert_msg(stream != NULL, "%s", path);
  fseek(stream, 0, SEEK_END);
  length = ftell(stream);
  rewind(stream);
  text = rill_allocate((size_t)length + 1, 1);
  ck_assert_uint_eq(fread(text, 1, (size_t)length, stream), (size_t)length);
  fclose(stream);
  return text;
}

static void save_bytes(const char *name, const char *bytes, size_t length) {
  FILE *stream = fopen(path_of(name), "wb");
  ck_assert_ptr_nonnull(stream);
  ck_assert_uint_eq(fwrite(bytes, 1, length, stream), length);
  ck_assert_int_eq(fclose(stream), 0);
}

static enum rill_status read_path(const char *path) {
  rill_structure_release(&structure);
  rill_error_clear(&error);
  return rill_structure_read(path, &structure, &error);
}

static void must_read(const char *path) {
  ck_assert_msg(read_path(path) == RILL_OK, "%s", error.text);
  for (size_t i = 0; i < 9 * structure.molecules; i++) ck_assert(isfinite(structure.positions[i]));
}

/* Reads text as a file of that name. */
static enum rill_status read_text(const char *name, const char *text) {
  save_bytes(name, text, strlen(text));
  return read_path(path_of(name));
}

/* Refused with one message, for this line (0: any) and with these words; nothing is left in the structure. */
static void must_refuse(const char *name, const char *text, int line, const char *words) {
  char place[32];
  snprintf(place, sizeof place, "%s:%d: ", name, line);
  ck_assert_msg(read_text(name, text) == RILL_ERROR_INPUT, "accepted:\n%s", text);
  if (line > 0) ck_assert_msg(strstr(error.text, place) != NULL, "no '%s' in: %s", place, error.text);
  ck_assert_msg(strstr(error.text, words) != NULL, "no '%s' in: %s", words, error.text);
  ck_assert_ptr_null(strchr(error.text, '\n'));
  ck_assert_ptr_null(structure.positions);
  ck_assert_uint_eq(structure.molecules, 0);
}

/* Puts `with` in the place of the first `what`. */
static char *replaced(const char *text, const char *what, const char *with) {
  static char results[2][1 << 16]; /* two, so that calls may be nested */
  static int next;
  char *result = results[next = !next];
  const char *at = strstr(text, what);
  ck_assert_msg(at != NULL, "'%s' is not in the text", what);
  ck_assert_int_lt(snprintf(result, sizeof results[0], "%.*s%s%s", (int)(at - text), text, with, at + strlen(what)),
                   (int)sizeof results[0]);
  return result;
}

static double bond(size_t molecule, int hydrogen) {
  const double *r = structure.positions + 9 * molecule;
  return sqrt(pow(r[3 * hydrogen] - r[0], 2) + pow(r[3 * hydrogen + 1] - r[1], 2) +
              pow(r[3 * hydrogen + 2] - r[2], 2));
}

/* Every O-H distance is the model's but for the rounding of both atoms' coordinates by at most `rounding` each. */
static void must_be_whole(double rounding) {
  for (size_t m = 0; m < structure.molecules; m++)
    for (int h = 1; h <= 2; h++) ck_assert_double_eq_tol(bond(m, h), 0.09572, 2 * sqrt(3) * rounding + 1e-10);
}

static void must_equal(const struct rill_structure *other, double tolerance) {
  ck_assert_uint_eq(structure.molecules, other->molecules);
  for (size_t i = 0; i < 9 * other->molecules; i++)
    ck_assert_double_le(fabs(structure.positions[i] - other->positions[i]), tolerance);
}

static const char gro[] =
    "one = two\n"
    "    6\n"
    "    1SOL     OW    1   0.150  -0.225   0.075\n"
    "    1SOL    HW1    2   0.132  -0.296   0.136\n"
    "    1SOL    HW2    3   0.234  -0.248   0.035\n"
    "    2SOL     OW    4   1.150  -0.225   0.075\n"
    "    2SOL    HW1    5   1.132  -0.296   0.136\n"
    "    2SOL    HW2    6   1.234  -0.248   0.035\n"
    "   0.00000   0.00000   0.00000\n";

static const char gro_velocities[] =
    "moving\n"
    "    3\n"
    "    1SOL     OW    1   0.150  -0.225   0.075 -0.1000  0.2000  0.3000\n"
    "    1SOL    HW1    2   0.132  -0.296   0.136  0.4000  0.5000 -0.6000\n"
    "    1SOL    HW2    3   0.234  -0.248   0.035  0.7000  0.8000  0.9000\n"
    "   2.00000   2.00000   2.00000\n";

static const char pdb[] =
    "TITLE     one = two\n"
    "CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1           1\n"
    "HETATM    1  O   HOH A   1       1.500  -2.250   0.750  1.00  0.00           O\n"
    "HETATM    2  H1  HOH A   1       1.320  -2.962   1.364  1.00  0.00           H\n"
    "HETATM    3  H2  HOH A   1       2.340  -2.482   0.354  1.00  0.00           H\n"
    "END\n";

static const char xyz[] =
    "3\n"
    "one = two\n"
    "O        1.5000000000      -2.2500000000       0.7500000000\n"
    "H        1.3202662913      -2.9616298889       1.3644188597\n"
    "H        2.3398813387      -2.4816257951       0.3535398280\n";

/* ---- reading ---- */

/* File, molecules, first atom of the file (nm; what another reader, MDAnalysis, gives), edge of the box or 0. */
static const struct {
  const char *file;
  size_t molecules;
  double first[3], box;
} readable[] = {
    {"hoh_hetatm.pdb", 20, {1.4463, 1.514, 1.4095}, 3},
    {"wat_atom.pdb", 20, {1.4463, 1.514, 1.4095}, 3},
    {"tip3_charmm.pdb", 20, {1.4463, 1.514, 1.4095}, 3},
    {"sol_gromacs.pdb", 20, {1.4463, 1.514, 1.4095}, 3},
    {"hoh_order.pdb", 20, {1.4974, 1.4499, 1.4589}, 3},
    {"crlf.pdb", 20, {1.4463, 1.514, 1.4095}, 3},
    {"hybrid36_small.pdb", 20, {1.4463, 1.514, 1.4095}, 3},
    {"serial_wrap.pdb", 20, {1.4463, 1.514, 1.4095}, 3},
    {"stars.pdb", 20, {1.4463, 1.514, 1.4095}, 3},
    {"short_lines.pdb", 20, {1.4463, 1.514, 1.4095}, 3},
    {"no_final_newline.pdb", 20, {1.4463, 1.514, 1.4095}, 3},
    {"remarks_models.pdb", 20, {1.4463, 1.514, 1.4095}, 3},
    {"cryst1_dummy.pdb", 20, {1.4463, 1.514, 1.4095}, 0},
    {"touching_columns.pdb", 20, {-88.5537, -88.486, -88.5905}, 0},
    {"wat_names.gro", 20, {1.446, 1.514, 1.41}, 3},
    {"tip3_names.gro", 20, {1.446, 1.514, 1.41}, 3},
    {"crlf.gro", 20, {1.446, 1.514, 1.41}, 3},
    {"prec6.gro", 20, {1.446311, 1.513993, 1.409522}, 3},
    {"velocities.gro", 20, {1.446, 1.514, 1.41}, 3},
    {"box9_rect.gro", 20, {1.446, 1.514, 1.41}, 3},
    {"two_frames.gro", 20, {1.446, 1.514, 1.41}, 3},
    {"wrapped_atoms.gro", 216, {0.23, 0.628, 0.113}, 1.86206},
    {"wrapped_atoms.pdb", 216, {0.23, 0.628, 0.113}, 1.8621},
    {"triclinic.gro", 210, {2.729, 1.523, 1.044}, 2.1},
    {"triclinic.pdb", 210, {2.729, 1.523, 1.044}, 2.1},
    {"crlf.xyz", 20, {-0.05368899059, 0.0139926219, -0.090478248}, 0},
    {"lower.xyz", 20, {-0.05368899059, 0.0139926219, -0.090478248}, 0},
    {"ff_names.xyz", 20, {-0.05368899059, 0.0139926219, -0.090478248}, 0},
    {"tabs.xyz", 20, {-0.05368899059, 0.0139926219, -0.090478248}, 0},
    {"exponent.xyz", 20, {-0.05368899059, 0.0139926219, -0.090478248}, 0},
    {"hho_order.xyz", 20, {-0.00258167128, -0.05013699503, -0.0411046463}, 0},
    {"o_then_h.xyz", 20, {-0.05368899059, 0.0139926219, -0.090478248}, 0},
};

START_TEST(readable_variants) {
  char path[512];
  const double *first;
  size_t at = 0;
  snprintf(path, sizeof path, DATA "variants/%s", readable[_i].file);
  must_read(path);
  ck_assert_uint_eq(structure.molecules, readable[_i].molecules);
  for (size_t i = 0; structure.file_atom != NULL && i < 3 * structure.molecules; i++)
    if (structure.file_atom[i] == 0) at = i;
  first = structure.positions + 3 * at;
  for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(first[k], readable[_i].first[k], 1e-13);
  ck_assert_int_eq(structure.has_box, readable[_i].box > 0);
  ck_assert_double_eq_tol(structure.box[0][0], readable[_i].box, 1e-13);
  must_be_whole(strstr(path, ".gro") != NULL ? 0.5e-3 : strstr(path, ".pdb") != NULL ? 0.5e-4 : 1e-10);
}
END_TEST

static const struct {
  const char *file;
  int line; /* 0: the file as a whole */
  const char *words;
} unreadable[] = {
    {"oxygen_only.pdb", 2, "0 hydrogens"},
    {"missing_h.pdb", 32, "O, H, O"},
    {"bad_number.pdb", 11, "columns 31-38 (x)"},
    {"nan.pdb", 11, "columns 31-38 (x): '     nan' is not a finite"},
    {"truncated.pdb", 25, "ends inside"},
    {"with_ion.pdb", 62, "residue 'NA'"},
    {"count_too_big.gro", 63, "atom 61 of 63"},
    {"count_too_small.gro", 60, "number of atoms in line 2"},
    {"no_box.gro", 63, "expected the box"},
    {"truncated.gro", 2, "1500 bytes"},
    {"empty.gro", 0, "empty"},
    {"title_only.gro", 2, "ends here"},
    {"negative_box.gro", 63, "-3 nm along x"},
    {"count_too_big.xyz", 63, "atom 61 of 66"},
};

START_TEST(unreadable_variants) {
  char path[512];
  char *text;
  snprintf(path, sizeof path, DATA "variants/%s", unreadable[_i].file);
  text = load(path);
  must_refuse(unreadable[_i].file, text, unreadable[_i].line, unreadable[_i].words);
  rill_release(text);
}
END_TEST

START_TEST(velocities_in_nm_per_ps) {
  static const double first[3] = {-0.2406, -0.3973, -0.0745}, last[3] = {0.1945, -0.0364, -0.0691};
  must_read(DATA "variants/velocities.gro");
  ck_assert_ptr_nonnull(structure.velocities);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq(structure.velocities[k], first[k]);
    ck_assert_double_eq(structure.velocities[9 * 19 + 6 + k], last[k]);
  }
  must_read(DATA "variants/wat_names.gro");
  ck_assert_ptr_null(structure.velocities);
}
END_TEST

/* One configuration in another order of atoms is the same configuration, to the bit. */
START_TEST(order_of_atoms_does_not_matter) {
  static const char *const others[] = {"hho_order.xyz", "o_then_h.xyz"};
  struct rill_structure reference;
  char path[512];
  must_read(DATA "structures/c020_a.xyz");
  reference = structure;
  structure = (struct rill_structure){0};
  ck_assert_ptr_null(reference.file_atom);
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, DATA "variants/%s", others[i]);
    must_read(path);
    must_equal(&reference, 0);
    ck_assert_ptr_nonnull(structure.file_atom);
  }
  ck_assert_uint_eq(structure.file_atom[3 * 7], 7);               /* oxygen of molecule 7 */
  ck_assert_uint_eq(structure.file_atom[3 * 7 + 2], 20 + 20 + 7); /* its second hydrogen */
  rill_structure_release(&reference);
}
END_TEST

/* Lines of atoms that records of other kinds separate: the fault is in molecule k, the last of its atoms far away. */
START_TEST(faults_name_lines_between_other_records) {
  enum { MOLECULES = 9 };
  for (int k = 0; k < MOLECULES; k++) {
    char text[MOLECULES * 4 * 90] = "", words[80];
    int at = 0, line = 0, faulty = 0;
    for (int m = 0; m < MOLECULES; m++) {
      for (int a = 0; a < 3; a++) {
        static const char *const names[3] = {"O ", "H1", "H2"};
        const double x = 5 * m + (a == 1 ? 0.96 : 0), y = a == 2 ? (m == k ? 3 : 0.96) : 0;
        at += snprintf(text + at, sizeof text - (size_t)at, "HETATM%5d  %s  HOH A%4d    %8.3f%8.3f%8.3f\n",
                       3 * m + a + 1, names[a], m + 1, x, y, 0.0);
        line++;
      }
      if (m == k) faulty = line;
      if (m % 3 != 2) { /* some molecules follow each other */
        at += snprintf(text + at, sizeof text - (size_t)at, "TER\n");
        line++;
      }
    }
    snprintf(words, sizeof words, "this hydrogen is 0.3 nm from its oxygen (line %d)", faulty - 2);
    must_refuse("a.pdb", text, faulty, words);
  }
}
END_TEST

/* GRO with 3 and 11 decimals of nm, PDB with 3 of Angstrom, XYZ with 10: they agree to half a unit of the last place,
 * so also in the unit (G15). */
START_TEST(formats_agree) {
  static const char *const names[] = {"c001",     "c002_close", "c002_min", "c007_liq",
                                      "c007_min", "c020_a",     "c020_b",   "c100_a"};
  static const struct {
    const char *suffix;
    double rounding;
  } others[] = {{"_hp.gro", 0.5e-11}, {".gro", 0.5e-3}, {".pdb", 0.5e-4}};
  char path[512];
  struct rill_structure reference;
  snprintf(path, sizeof path, DATA "structures/%s.xyz", names[_i]);
  must_read(path);
  must_be_whole(1e-10);
  reference = structure;
  structure = (struct rill_structure){0};
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, DATA "structures/%s%s", names[_i], others[i].suffix);
    must_read(path);
    must_equal(&reference, others[i].rounding * (1 + 1e-9) + 1e-11);
    ck_assert(!structure.has_box);
  }
  rill_structure_release(&reference);
}
END_TEST

/* Molecules cut by faces of the box.  In the wrapped file all atoms lie in the box; whole molecules stick out of it.
 */
START_TEST(cut_molecules_are_made_whole) {
  size_t outside = 0;
  must_read(DATA "variants/wrapped_atoms.gro");
  for (size_t i = 0; i < 9 * structure.molecules; i++)
    outside += structure.positions[i] < 0 || structure.positions[i] > structure.box[0][0];
  ck_assert_uint_gt(outside, 20);
}
END_TEST

/* Each atom moved by box vectors of its own, in a skewed box: the molecules come back. */
static void write_scattered(const struct rill_structure *whole, const char *name, bool oxygens_first) {
  FILE *stream = fopen(path_of(name), "w");
  size_t count = 3 * whole->molecules;
  ck_assert_ptr_nonnull(stream);
  if (oxygens_first) {
    fprintf(stream, "%zu\nLattice=\"", count);
    for (int i = 0; i < 9; i++) fprintf(stream, " %.10f", 10 * whole->box[i / 3][i % 3]);
    fprintf(stream, "\" pbc=\"T T T\" Properties=species:S:1:pos:R:3 scattered\n");
  } else {
    fprintf(stream, "scattered\n%zu\n", count);
  }
  for (size_t n = 0; n < count; n++) {
    size_t i = oxygens_first
                   ? (n < whole->molecules ? 3 * n : (n - whole->molecules) / 2 * 3 + 1 + (n - whole->molecules) % 2)
                   : n;
    double r[3];
    for (int k = 0; k < 3; k++) {
      r[k] = whole->positions[3 * i + (size_t)k];
      for (int v = 0; v < 3; v++) r[k] += whole->box[v][k] * (int)((i * 7 + i / 3 + (size_t)v * 5) % 5) - 2;
    }
    if (oxygens_first)
      fprintf(stream, "%c %.10f %.10f %.10f\n", i % 3 == 0 ? 'O' : 'H', 10 * r[0], 10 * r[1], 10 * r[2]);
    else
      fprintf(stream, "%5zu%-5s%5s%5zu%14.9f%14.9f%14.9f\n", i / 3 + 1, "HOH", i % 3 == 0 ? "O" : "H", i + 1, r[0],
              r[1], r[2]);
  }
  if (!oxygens_first)
    fprintf(stream, "%.9f %.9f %.9f 0 0 %.9f 0 %.9f %.9f\n", whole->box[0][0], whole->box[1][1], whole->box[2][2],
            whole->box[1][0], whole->box[2][0], whole->box[2][1]);
  fclose(stream);
}

START_TEST(cut_molecules_in_a_skewed_box) {
  struct rill_structure whole;
  must_read(DATA "variants/triclinic.gro");
  whole = structure;
  structure = (struct rill_structure){0};
  for (int oxygens_first = 0; oxygens_first < 2; oxygens_first++) {
    write_scattered(&whole, oxygens_first ? "s.xyz" : "s.gro", oxygens_first);
    must_read(path_of(oxygens_first ? "s.xyz" : "s.gro"));
    ck_assert_str_eq(structure.title, "scattered");
    ck_assert_uint_eq(structure.molecules, whole.molecules);
    for (int i = 0; i < 9; i++) ck_assert_double_eq_tol(structure.box[i / 3][i % 3], whole.box[i / 3][i % 3], 1e-14);
    for (size_t m = 0; m < whole.molecules; m++)
      for (size_t i = 3; i < 9; i++)
        ck_assert_double_eq_tol(structure.positions[9 * m + i] - structure.positions[9 * m + i % 3],
                                whole.positions[9 * m + i] - whole.positions[9 * m + i % 3], 1e-8);
  }
  rill_structure_release(&whole);
}
END_TEST

/* The rhombic dodecahedron of edge 2.1 nm: third vector (1.05, 1.05, 2.1/sqrt 2). */
START_TEST(skewed_cells) {
  static const double expected[3][3] = {{2.1, 0, 0}, {0, 2.1, 0}, {1.05, 1.05, 1.484924240491750}};
  must_read(DATA "variants/triclinic.pdb");
  for (int i = 0; i < 9; i++) ck_assert_double_eq_tol(structure.box[i / 3][i % 3], expected[i / 3][i % 3], 1e-14);
  must_read(DATA "variants/triclinic.gro");
  for (int i = 0; i < 9; i++) ck_assert_double_eq_tol(structure.box[i / 3][i % 3], expected[i / 3][i % 3], 5e-6);
  must_refuse("a.gro", replaced(gro, "   0.00000   0.00000   0.00000", "3 3 3 1 0 0 0 0 0"), 9, "along y");
  must_refuse("a.gro", replaced(gro, "   0.00000   0.00000   0.00000", "3 3 0"), 9, "0 nm along z");
  must_refuse("a.gro", replaced(gro, "   0.00000   0.00000   0.00000", "3 3"), 9, "2 words");
  must_refuse("a.gro", replaced(gro, "   0.00000   0.00000   0.00000", "3 3 nan"), 9, "not a finite");
  must_refuse("a.gro", replaced(gro, "   0.00000   0.00000   0.00000", "3 3 0.1"), 9, "less than a water");
  must_refuse("a.pdb", replaced(pdb, "90.00  90.00  90.00", "90.00  90.00 190.00"), 2, "190 degrees");
  must_refuse("a.pdb", replaced(pdb, "90.00  90.00  90.00", "20.00  90.00  20.00"), 2, "no cell");
  must_refuse("a.xyz", replaced(xyz, "one = two", "Lattice=\"9 0 0 0 9 0 0 0\""), 2, "Lattice");
  must_refuse("a.xyz", replaced(xyz, "one = two", "Lattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"T T F\""), 2, "directions");
  ck_assert_int_eq(read_text("a.xyz", replaced(xyz, "one = two", "a Lattice=\"9 0 0 0 9 0 0 0 9\" b")), RILL_OK);
  ck_assert(structure.has_box);
  ck_assert_double_eq_tol(structure.box[2][2], 0.9, 1e-15);
  ck_assert_int_eq(read_text("a.xyz", replaced(xyz, "one = two", "pbc=\"F F F\" Lattice=\"9 0 0 0 9 0 0 0 9\"")),
                   RILL_OK);
  ck_assert(!structure.has_box);
}
END_TEST

/* G05, G06: no box when the cell is blank, zero, the dummy of 1 Angstrom or missing; a mangled one is an error. */
START_TEST(no_box) {
  static const char cell[] = "CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1           1\n";
  static const char *const none[] = {"", "CRYST1\n", "CRYST1                                                P 1\n",
                                     "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n",
                                     "CRYST1    0.000    0.000    0.000  90.00  90.00  90.00 P 1           1\n"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    ck_assert_msg(read_text("a.pdb", replaced(pdb, cell, none[i])) == RILL_OK, "%s", error.text);
    ck_assert(!structure.has_box);
    ck_assert_double_eq(structure.box[0][0], 0);
  }
  must_refuse("a.pdb", replaced(pdb, "30.000  90.00", "       90.00"), 2, "(c)");
  must_refuse("a.gro", replaced(gro, "   0.00000   0.00000   0.00000\n", ""), 9, "expected the box");
  ck_assert_int_eq(read_text("a.gro", gro), RILL_OK);
  ck_assert(!structure.has_box);
}
END_TEST

/* G02: the width of GRO's numbers follows from the distance of the points, also when a minus sign fills it. */
START_TEST(any_number_of_decimals) {
  struct rill_structure reference;
  must_read(DATA "structures/c100_a_hp.gro");
  reference = structure;
  structure = (struct rill_structure){0};
  reference.positions[0] -= 300;
  reference.positions[3] -= 300;
  reference.positions[6] -= 300;
  for (int decimals = 3; decimals <= 15; decimals++) {
    ck_assert_msg(rill_structure_write(path_of("a.gro"), true, &reference, decimals, &error) == RILL_OK, "%s",
                  error.text);
    must_read(path_of("a.gro"));
    must_equal(&reference, 0.5000001 * pow(10, -decimals) + 1e-13);
  }
  rill_structure_release(&reference);
  /* other widths than decimals + 5 */
  ck_assert_int_eq(read_text("a.gro",
                             "t\n3\n"
                             "    1SOL     OW    1      0.1500     -0.2250      0.0750\n"
                             "    1SOL    HW1    2      0.1320     -0.2960      0.1360\n"
                             "    1SOL    HW2    3      0.2340     -0.2480      0.0350\n0 0 0\n"),
                   RILL_OK);
  ck_assert_double_eq(structure.positions[7], -0.248);
}
END_TEST

/* G03: 100 002 atoms.  Numbers wrap when written by us, and are hexadecimal, stars or letters when written by others.
 */
START_TEST(large_files) {
  enum { MOLECULES = 33334 };
  static const char *const names[] = {"a.gro", "a.pdb", "a.xyz"};
  struct rill_structure large = {0}, one;
  FILE *stream;
  must_read(DATA "structures/c001_hp.gro");
  one = structure;
  structure = (struct rill_structure){0};
  ck_assert_int_eq(rill_structure_allocate(&large, MOLECULES, false, &error), RILL_OK);
  for (size_t i = 0; i < 9 * MOLECULES; i++) /* 0.4 nm apart, molecule by molecule */
    large.positions[i] = one.positions[i % 9] + 0.4 * (double)((i % 3 == 0   ? i / 9
                                                                : i % 3 == 1 ? i / 288
                                                                             : i / 9216) %
                                                               32);
  for (int f = 0; f < 3; f++) {
    ck_assert_msg(rill_structure_write(path_of(names[f]), true, &large, 0, &error) == RILL_OK, "%s", error.text);
    must_read(path_of(names[f]));
    must_equal(&large, f == 0 ? 0.51e-6 : f == 1 ? 0.51e-4 : 1e-11);
    ck_assert_ptr_null(structure.file_atom);
  }
  stream = fopen(path_of("b.pdb"), "w");
  for (size_t i = 0; i < 3 * MOLECULES; i++) {
    char serial[32], residue[32];
    snprintf(serial, sizeof serial, i < 99999 ? "%5zu" : i % 2 ? "%5zx" : "*****", i + 1);
    if (i < 29997) snprintf(residue, sizeof residue, "%4zu", i / 3 + 1);
    else snprintf(residue, sizeof residue, i / 3 % 2 ? "%4zx" : "A%03zX", i / 3 % 4096);
    fprintf(stream, "ATOM  %5s  %-3s TIP3W%4s    %8.3f%8.3f%8.3f\n", serial,
            i % 3 == 0   ? "OH2"
            : i % 3 == 1 ? "H1"
                         : "H2",
            residue, 10 * large.positions[3 * i], 10 * large.positions[3 * i + 1], 10 * large.positions[3 * i + 2]);
  }
  fclose(stream);
  must_read(path_of("b.pdb"));
  must_equal(&large, 0.51e-4);
  rill_structure_release(&large);
  rill_structure_release(&one);
}
END_TEST

/* G08: a blank put in, or a character taken out, anywhere in a line: refused, or nothing changes.  Never other
 * numbers, least of all zeros. */
static void shift_every_column(const char *name, const char *text, bool *refused_some) {
  struct rill_structure reference;
  size_t length = strlen(text);
  char *shifted = rill_allocate(length + 2, 1);
  ck_assert_msg(read_text(name, text) == RILL_OK, "%s", error.text);
  reference = structure;
  structure = (struct rill_structure){0};
  for (size_t at = (size_t)(strstr(text, "    1") - text); at < length; at++) {
    if (text[at] == '\n') continue;
    for (int insert = 0; insert < 2; insert++) {
      memcpy(shifted, text, at);
      if (insert) shifted[at] = ' ';
      strcpy(shifted + at + insert, text + at + !insert);
      if (read_text(name, shifted) == RILL_OK && strchr(text + at, '\n')[1] != '\0') {
        must_equal(&reference, 0);
        if (reference.velocities != NULL) {
          ck_assert_ptr_nonnull(structure.velocities);
          ck_assert_mem_eq(structure.velocities, reference.velocities, 9 * reference.molecules * sizeof(double));
        }
      } else {
        *refused_some = true;
      }
    }
  }
  rill_structure_release(&reference);
  rill_release(shifted);
}

START_TEST(shifted_columns) {
  bool refused = false;
  shift_every_column("a.gro", gro, &refused);
  ck_assert(refused);
  shift_every_column("a.gro", gro_velocities, &refused);
  shift_every_column("a.pdb",
                     replaced(pdb, "CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1           1\n", ""),
                     &refused);
  must_refuse("a.pdb", replaced(pdb, "A   1       1.500", "A   1      1.500 "), 3, "columns 31-38 (x)");
  must_refuse("a.pdb", replaced(pdb, "A   1       1.500", "A   1   -1500.000"), 3, "columns 28-30 hold '  -'");
  must_refuse("a.pdb", replaced(pdb, " O   HOH A   1 ", "    O   HOH A   1 "), 3, "columns 17-17");
  must_refuse("a.pdb", replaced(pdb, "HETATM    2", " HETATM   2"), 4, "not a record");
  must_refuse("a.pdb", replaced(pdb, "   1.320  -2.962   1.364", "1.3200 -2.9620 1.3640  "), 4, "columns 31-38");
  must_refuse("a.gro", replaced(gro, "   0.132  -0.296   0.136", "                        "), 4, "is blank");
}
END_TEST

/* G09: a PDB needs no END; of several models or frames the first is read. */
START_TEST(first_frame) {
  char text[4096];
  const char *atoms = strstr(pdb, "HETATM"), *end = strstr(pdb, "END");
  int length = (int)(end - atoms);
  static const char *const frames[] = {"%2$.*1$s", "MODEL        1\n%2$.*1$sENDMDL\nMODEL        2\nnonsense\n",
                                       "MODEL 1\n%2$.*1$sMODEL 2\nnonsense\n", "%2$.*1$sTER\nEND\nnonsense\n"};
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, sizeof text, frames[i], length, atoms);
#pragma GCC diagnostic pop
    ck_assert_msg(read_text("a.pdb", text) == RILL_OK, "%s", error.text);
    ck_assert_uint_eq(structure.molecules, 1);
    ck_assert_double_eq_tol(structure.positions[8], 0.0354, 1e-15);
  }
  snprintf(text, sizeof text, "MODEL        1\n%.*s", length, atoms);
  must_refuse("a.pdb", text, 5, "ENDMDL");
  must_refuse("a.pdb", "REMARK nothing\nEND\n", 2, "no atoms");
  snprintf(text, sizeof text, "%s%s", xyz, xyz);
  ck_assert_int_eq(read_text("a.xyz", text), RILL_OK);
  ck_assert_uint_eq(structure.molecules, 1);
}
END_TEST

/* Frames of different sizes, with titles; what follows the last one is the end, or an error. */
static const char second_gro[] =
    "\n    3\n"
    "    1SOL     OW    1   0.250  -0.225   0.075\n"
    "    1SOL    HW1    2   0.232  -0.296   0.136\n"
    "    1SOL    HW2    3   0.334  -0.248   0.035\n"
    "   3.00000   3.00000   3.00000\n";
static const char second_pdb[] =
    "MODEL        2\n"
    "ATOM      1  O   HOH A   1       2.500  -2.250   0.750\n"
    "ATOM      2  H1  HOH A   1       2.320  -2.962   1.364\n"
    "ATOM      3  H2  HOH A   1       3.340  -2.482   0.354\n"
    "ENDMDL\n";
static const char second_xyz[] =
    "3\n\n"
    "O        2.5000000000      -2.2500000000       0.7500000000\n"
    "H        2.3202662913      -2.9616298889       1.3644188597\n"
    "H        3.3398813387      -2.4816257951       0.3535398280\n";

/* Reads all frames of the text: how many, or -1 at an error. */
static int count_frames(const char *name, const char *text, struct rill_structure frames[], int most) {
  struct rill_structure_reader *reader;
  enum rill_status status;
  bool found = true;
  int count = 0;
  save_bytes(name, text, strlen(text));
  rill_error_clear(&error);
  ck_assert_msg(rill_structure_open(path_of(name), &reader, &error) == RILL_OK, "%s", error.text);
  do {
    struct rill_structure frame;
    status = rill_structure_next(reader, &frame, &found);
    if (found && count < most) frames[count] = frame;
    else rill_structure_release(&frame);
    count += found;
  } while (status == RILL_OK && found);
  rill_structure_close(reader);
  return status == RILL_OK ? count : -1;
}

START_TEST(several_frames) {
  static const struct {
    const char *name, *first, *second, *rest; /* rest: blank lines that may follow */
    double boxes[2];
  } cases[] = {{"a.gro", gro, second_gro, "\n \n", {0, 3}},
               {"a.pdb", pdb, second_pdb, "END\n\n", {3, 3}},
               {"a.xyz", xyz, second_xyz, "\n\n", {0, 0}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int blank = 0; blank < 2; blank++) {
      struct rill_structure frames[3] = {0};
      char text[4096];
      snprintf(text, sizeof text, "%s%s%s", cases[i].first, cases[i].second, blank ? cases[i].rest : "");
      ck_assert_msg(count_frames(cases[i].name, text, frames, 3) == 2, "%s", error.text);
      ck_assert_uint_eq(frames[0].molecules, i == 0 ? 2 : 1);
      ck_assert_uint_eq(frames[1].molecules, 1);
      ck_assert_str_eq(frames[0].title, "one = two");
      ck_assert_str_eq(frames[1].title, "");
      for (int f = 0; f < 2; f++) {
        ck_assert_int_eq(frames[f].has_box, cases[i].boxes[f] > 0);
        ck_assert_double_eq_tol(frames[f].box[0][0], cases[i].boxes[f], 1e-14);
        ck_assert_double_eq_tol(frames[f].positions[0], f == 0 ? 0.15 : 0.25, 1e-14);
      }
      for (int f = 0; f < 2; f++) rill_structure_release(&frames[f]);
      snprintf(text, sizeof text, "%s%snonsense\n", cases[i].first, cases[i].second);
      ck_assert_int_eq(count_frames(cases[i].name, text, NULL, 0), -1);
      snprintf(text, sizeof text, "%s%.*s", cases[i].first, (int)strlen(cases[i].second) - 30, cases[i].second);
      ck_assert_int_eq(count_frames(cases[i].name, text, NULL, 0), -1);
    }
  ck_assert_int_eq(count_frames("a.pdb", pdb, NULL, 0), 1);
}
END_TEST

/* Written frame by frame: what is read back. */
START_TEST(frames_written) {
  static const char *const names[] = {"a.gro", "a.pdb", "a.xyz"};
  struct rill_structure sources[2];
  must_read(DATA "structures/c007_min_hp.gro");
  sources[0] = structure;
  structure = (struct rill_structure){0};
  must_read(DATA "variants/triclinic.gro");
  sources[1] = structure;
  structure = (struct rill_structure){0};
  for (int f = 0; f < 3; f++) {
    struct rill_structure_writer *writer;
    struct rill_structure frames[3] = {0};
    char *text;
    ck_assert_int_eq(rill_structure_create(path_of(names[f]), true, 0, true, &writer, &error), RILL_OK);
    for (int i = 0; i < 3; i++) ck_assert_int_eq(rill_structure_append(writer, &sources[i % 2]), RILL_OK);
    ck_assert_int_eq(rill_structure_finish(writer, RILL_OK), RILL_OK);
    text = load(path_of(names[f]));
    if (f == 1) {
      ck_assert_ptr_nonnull(strstr(text, "MODEL        3\n"));
      ck_assert_ptr_nonnull(strstr(text, "ENDMDL\nEND\n"));
    }
    ck_assert_msg(count_frames(names[f], text, frames, 3) == 3, "%s", error.text);
    rill_release(text);
    for (int i = 0; i < 3; i++) {
      structure = frames[i];
      must_equal(&sources[i % 2], f == 1 ? 0.51e-4 : 0.51e-6);
      ck_assert_int_eq(structure.has_box, i % 2 == 1);
      rill_structure_release(&structure);
    }
    ck_assert_int_eq(rill_structure_create(path_of(names[f]), true, 0, true, &writer, &error), RILL_OK);
    ck_assert_int_eq(rill_structure_finish(writer, RILL_ERROR_INPUT), RILL_ERROR_INPUT);
    ck_assert_uint_eq(files_here(true), 1); /* the old one stays */
  }
  for (int i = 0; i < 2; i++) rill_structure_release(&sources[i]);
}
END_TEST

/* G11: the count in the header is checked against the file before memory is allocated. */
START_TEST(counts) {
  static const char *const gro_counts[] = {"    7\n",         "    5\n", "    0\n", "   -3\n",
                                           "1000000000000\n", "1e12\n",  "6.0\n",   "99999999999999999999\n",
                                           "6 6\n",           "\n",      "    3\n"};
  static const char *const xyz_counts[] = {"4\n", "2\n", "0\n", "-3\n", "1000000000000\n", "1e12\n", "\n", "three\n"};
  ck_assert_int_eq(read_text("a.gro", gro), RILL_OK);
  ck_assert_int_eq(read_text("a.xyz", xyz), RILL_OK);
  for (size_t i = 0; i < sizeof gro_counts / sizeof *gro_counts; i++)
    must_refuse("a.gro", replaced(gro, "    6\n", gro_counts[i]), 0, i < 2 || i == 10 ? "line 2" : ":2: found ");
  must_refuse("a.gro", replaced(gro, "    6\n", "1000000000000\n"), 2, "too many for a file");
  for (size_t i = 0; i < sizeof xyz_counts / sizeof *xyz_counts; i++)
    must_refuse("a.xyz", replaced(xyz, "3\n", xyz_counts[i]), 0, i < 2 ? "line 1" : ":1: found ");
}
END_TEST

/* G12: titles are free text; remarks may stand anywhere. */
START_TEST(titles) {
  static const char *const names[] = {"a.gro", "a.pdb", "a.xyz"};
  const char *texts[] = {gro, pdb, xyz};
  char title[256];
  for (int f = 0; f < 3; f++) {
    ck_assert_int_eq(read_text(names[f], texts[f]), RILL_OK);
    ck_assert_str_eq(structure.title, "one = two");
  }
  ck_assert_int_eq(read_text("a.pdb", replaced(pdb, "HETATM    2", "REMARK ATOM 1 2 3\nHETATM    2")), RILL_OK);
  ck_assert_int_eq(read_text("a.gro", replaced(gro, "one = two", "\xEF\xBB\xBF")), RILL_OK);
  ck_assert_str_eq(structure.title, "");
  /* A title that is too long is cut between characters, not inside one. */
  memset(title, 'x', sizeof title);
  memcpy(title + 252, "\xC3\xA9", 3);
  for (int shift = 0; shift < 3; shift++) {
    char longer[300];
    snprintf(longer, sizeof longer, "%.*s%s tail", shift, "xxx", title);
    ck_assert_int_eq(read_text("a.gro", replaced(gro, "one = two", longer)), RILL_OK);
    ck_assert_uint_eq(strlen(structure.title), shift == 0 ? 255 : shift == 1 ? 255 : 254);
  }
}
END_TEST

/* G15: coordinates in the wrong unit of length. */
START_TEST(wrong_unit) {
  FILE *stream;
  must_read(DATA "structures/c007_min.xyz");
  stream = fopen(path_of("a.gro"), "w");
  fprintf(stream, "Angstrom\n21\n");
  for (size_t i = 0; i < 21; i++)
    fprintf(stream, "%5zuSOL  %5s%5zu%8.3f%8.3f%8.3f\n", i / 3 + 1, i % 3 ? "HW1" : "OW", i + 1,
            10 * structure.positions[3 * i], 10 * structure.positions[3 * i + 1],
            10 * structure.positions[3 * i + 2]);
  fprintf(stream, "3 3 3\n");
  fclose(stream);
  ck_assert_int_eq(read_path(path_of("a.gro")), RILL_ERROR_INPUT);
  ck_assert_msg(strstr(error.text, "look like Angstrom") != NULL, "%s", error.text);
  must_read(DATA "structures/c007_min.xyz");
  stream = fopen(path_of("a.xyz"), "w");
  fprintf(stream, "21\nnm\n");
  for (size_t i = 0; i < 21; i++)
    fprintf(stream, "%s %.8f %.8f %.8f\n", i % 3 ? "H" : "O", structure.positions[3 * i],
            structure.positions[3 * i + 1], structure.positions[3 * i + 2]);
  fclose(stream);
  ck_assert_int_eq(read_path(path_of("a.xyz")), RILL_ERROR_INPUT);
  ck_assert_msg(strstr(error.text, "look like nm") != NULL, "%s", error.text);
}
END_TEST

START_TEST(numbers_that_are_none) {
  static const char *const none[] = {"nan",  "-nan", "inf",   "-Inf", "infinity", "1e999",
                                     "0x10", "1,5",  "1.5.2", "--1",  "",         "."};
  char text[64];
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    snprintf(text, sizeof text, "%s", none[i]);
    must_refuse("a.xyz", replaced(xyz, "-2.9616298889", text), 4, none[i][0] == '\0' ? "z is missing" : "(y)");
    snprintf(text, sizeof text, "%8s", none[i]);
    must_refuse("a.gro", replaced(gro, "  -0.296", text), 4, "columns 29-36 (y)");
    must_refuse("a.pdb", replaced(pdb, "  -2.962", text), 4, "columns 39-46 (y)");
  }
  must_refuse("a.gro", replaced(gro, "  -0.296", "********"), 4, "too wide");
  must_refuse("a.gro", replaced(gro, "  -0.296", "   1.e+3"), 4, "columns 29-36 (y)");
  must_refuse("a.xyz", replaced(xyz, "-2.9616298889", "1e"), 4, "exponent");
  must_refuse("a.xyz", replaced(xyz, "0.3535398280", "0.3535398280 1.0"), 5, "more than the 4 words");
  must_refuse("a.xyz", replaced(xyz, "0.7500000000", "0.75 bonded"), 3, "'bonded' after z");
  must_refuse("a.xyz", replaced(xyz, "0.7500000000", ""), 3, "z is missing");
}
END_TEST

/* In the first atom's line too, from which the columns are found. */
START_TEST(no_numbers_in_the_first_line) {
  static const char *const none[] = {"     nan", "     inf", "    -nan", "    -inf", "     NaN", "********"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    const char *words = none[i][0] == '*' ? "too wide for its column" : "is not a finite number";
    must_refuse("a.gro", replaced(gro, "   0.150", none[i]), 3, words);
    must_refuse("a.gro", replaced(gro, "   0.075", none[i]), 3, words);
    must_refuse("a.gro", replaced(gro_velocities, "  0.2000", none[i]), 3, words);
    must_refuse("a.gro", replaced(gro, "   0.150  -0.225   0.075", "     nan     nan     nan"), 3, "not a finite");
  }
}
END_TEST

START_TEST(velocities_of_all_or_none) {
  static const char *const missing[] = {"  0.4000  0.5000 -0.6000", " -0.1000  0.2000  0.3000", "  0.9000",
                                        "  0.8000  0.9000"};
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
    must_refuse("a.gro", replaced(gro_velocities, missing[i], ""), 0, "a.gro:");
  must_refuse("a.gro", replaced(gro_velocities, missing[0], ""), 4, "no velocity");
  must_refuse("a.gro", replaced(gro_velocities, missing[1], ""), 4, "the atoms before it have no velocities");
  must_refuse("a.gro", replaced(gro_velocities, "  0.3000", ""), 3, "three velocities");
  must_refuse("a.gro", replaced(gro_velocities, "  0.9000", ""), 5, "velocity z");
}
END_TEST

START_TEST(other_molecules) {
  must_refuse("a.gro", replaced(gro, "2SOL     OW", "2NA      NA"), 6, "residue 'NA'");
  must_refuse("a.gro", replaced(gro, "HW2    6", " MW    6"), 8, "1 massless sites and 2 oxygens");
  must_refuse("a.gro", replaced(gro, "HW2    3", " OW    3"), 3, "O, H, O");
  must_refuse("a.pdb", replaced(pdb, "HETATM    3", "END\nHETATM    3"), 4, "2 of 3 atoms");
  must_refuse("a.pdb", replaced(pdb, "H1  HOH", "H1 AHOH"), 4, "alternate");
  must_refuse("a.xyz", replaced(xyz, "H        2.3", "C        2.3"), 5, "atom 'C'");
  must_refuse("a.gro", replaced(gro, "   1.132", "   1.532"), 7, "from its oxygen (line 6)");
}
END_TEST

/* The sites of four-site water, by the names that programs give them, are dropped: the same molecules remain. */
START_TEST(massless_sites) {
  static const char *const names[] = {"MW", "M", "EPW", "EP", "OM", "LP", "MW4"};
  char atom[128];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct rill_structure plain;
    ck_assert_int_eq(read_text("a.gro", gro), RILL_OK);
    plain = structure;
    structure = (struct rill_structure){0};
    snprintf(atom, sizeof atom, "0.035\n    1SOL  %5s    4   0.160  -0.235   0.075\n    2SOL ", names[i]);
    const char *one = replaced(gro, "0.035\n    2SOL ", atom);
    must_refuse("a.gro", replaced(one, "    6\n", "    7\n"), 6, "1 massless sites and 2 oxygens");
    snprintf(atom, sizeof atom, "0.035\n    2SOL  %5s    8   1.160  -0.235   0.075\n   0.00000", names[i]);
    one = replaced(gro, "0.035\n   0.00000", atom);
    snprintf(atom, sizeof atom, "0.035\n    1SOL  %5s    4   0.160  -0.235   0.075\n    2SOL ", names[i]);
    one = replaced(one, "0.035\n    2SOL ", atom);
    ck_assert_msg(read_text("a.gro", replaced(one, "    6\n", "    8\n")) == RILL_OK, "%s", error.text);
    must_equal(&plain, 0);
    ck_assert_ptr_null(structure.file_atom);
    ck_assert_msg(strstr(structure.unused, "2 massless sites") != NULL, "%s", structure.unused);
    rill_structure_release(&plain);
    snprintf(atom, sizeof atom, "HETATM    4  %-3s HOH A   1       1.600  -2.350   0.750\nEND", names[i]);
    ck_assert_msg(read_text("a.pdb", replaced(pdb, "END", atom)) == RILL_OK, "%s", error.text);
    ck_assert_uint_eq(structure.molecules, 1);
  }
  ck_assert_int_eq(read_text("a.xyz", replaced(replaced(xyz, "3\n", "4\n"), "H        1.3", "M 1.6 -2.4 0.7\nH 1.3")),
                   RILL_OK);
  ck_assert_uint_eq(structure.molecules, 1);
  snprintf(atom, sizeof atom, "LP1 1.4 -2.0 0.7\nLP2 1.5 -2.1 0.8\nH 1.3");
  must_refuse("a.xyz", replaced(replaced(xyz, "3\n", "5\n"), "H        1.3", atom), 4, "five-site water");
}
END_TEST

/* Sites are written on request, and dropped again when they are read. */
START_TEST(sites_are_written) {
  static const char *const names[] = {"a.gro", "a.pdb", "a.xyz"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct rill_structure plain;
    char *text;
    double site[3];
    ck_assert_int_eq(read_text("b.gro", gro), RILL_OK);
    plain = structure;
    structure = (struct rill_structure){0};
    plain.site_weight = 0.131937768;
    rill_structure_site(&plain, plain.positions, site);
    /* 0.15 + a (0.132 + 0.234 - 0.3) */
    ck_assert_double_eq_tol(site[0], 0.15 + 0.131937768 * 0.066, 1e-15);
    ck_assert_int_eq(rill_structure_write(path_of(names[i]), true, &plain, 0, &error), RILL_OK);
    text = load(path_of(names[i]));
    ck_assert_ptr_nonnull(strstr(text, i == 0 ? "\n    8\n" : i == 1 ? " MW  HOH A   2" : "8\n"));
    ck_assert_ptr_nonnull(strstr(text, i == 0 ? "  0.158708" : i == 1 ? "   1.587 " : "  1.58707"));
    rill_release(text);
    must_read(path_of(names[i]));
    must_equal(&plain, 1e-12);
    ck_assert_ptr_nonnull(strstr(structure.unused, "2 massless sites"));
    rill_structure_release(&plain);
  }
}
END_TEST

/* Names and elements: by the element where the name is nobody's, and without residues. */
START_TEST(other_names) {
  static const char *const residues[] = {"   ", "MOL", "UNL", "UNK", "WAT", "TP3", "H2O", "SOL", "TIP"};
  char residue[16];
  for (size_t i = 0; i < sizeof residues / sizeof *residues; i++) {
    snprintf(residue, sizeof residue, "1%-5s   OW", residues[i]);
    ck_assert_msg(read_text("a.gro", replaced(gro, "1SOL     OW", residue)) == RILL_OK, "%s", error.text);
    snprintf(residue, sizeof residue, " O   %-3s A", residues[i]);
    ck_assert_msg(read_text("a.pdb", replaced(pdb, " O   HOH A", residue)) == RILL_OK, "%s", error.text);
    ck_assert_uint_eq(structure.molecules, 1);
  }
  ck_assert_msg(read_text("a.pdb", replaced(pdb, " O   HOH", " OX3 HOH")) == RILL_OK, "%s", error.text);
  must_refuse("a.pdb",
              replaced(replaced(pdb, "1.364  1.00  0.00           H", "1.364  1.00  0.00           N"), " H1  HOH",
                       " N   HOH"),
              4, "atom 'N'");
  must_refuse("a.pdb", replaced(replaced(pdb, "1.364  1.00  0.00           H", "1.364"), " H1  HOH", " HX3 HOH"), 4,
              "atom 'HX3'");
  ck_assert_msg(read_text("a.xyz", replaced(xyz, "O  ", "8  ")) == RILL_OK, "%s", error.text);
}
END_TEST

/* Lines that end in a carriage return alone, of the old Macintosh, read like any others; so does CR LF. */
START_TEST(line_ends) {
  const char *texts[] = {gro, gro_velocities, pdb, xyz}, *names[] = {"a.gro", "a.gro", "a.pdb", "a.xyz"};
  for (int f = 0; f < 4; f++)
    for (int pair = 0; pair < 2; pair++) {
      struct rill_structure reference;
      char text[2048];
      size_t length = 0;
      for (const char *c = texts[f]; *c != '\0'; c++) {
        if (*c != '\n' || pair) text[length] = *c == '\n' ? '\r' : *c;
        if (*c != '\n' || pair) length++;
        if (*c == '\n') text[length++] = pair ? '\n' : '\r';
      }
      ck_assert_int_eq(read_text(names[f], texts[f]), RILL_OK);
      reference = structure;
      structure = (struct rill_structure){0};
      save_bytes(names[f], text, length);
      must_read(path_of(names[f]));
      must_equal(&reference, 0);
      ck_assert_str_eq(structure.title, reference.title);
      rill_structure_release(&reference);
    }
  must_refuse("a.xyz", "3\r\rO 0 0 0\rH 0.9572 0 x\rH -0.24 0.9266 0\r", 4, "(z): 'x' is not a number");
  ck_assert_msg(read_text("a.xyz", "3\r\rO 0 0 0\rH 0.9572 0 0\rH -0.24 0.9266 0\r") == RILL_OK, "%s", error.text);
}
END_TEST

/* Cells as packmol (two decimals), hand-written files and full columns have them; a symmetry and a second cell. */
START_TEST(cells) {
  static const char usual[] = "CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1           1";
  static const struct {
    const char *line;
    double a, b, c; /* nm; 0: no box */
  } good[] = {
      {"CRYST1    30.00    31.00    32.00  90.00  90.00  90.00 P 1           1", 3, 3.1, 3.2},
      {"CRYST1 30.0 31 32.0 90 90 90 P 1 1", 3, 3.1, 3.2},
      {"CRYST1   30.000   31.000   32.000  90.00  90.00  90.00", 3, 3.1, 3.2},
      {"CRYST1   30.000   31.000   32.000  90.00  90.00  90.00 P1", 3, 3.1, 3.2},
      {"CRYST1   30.000   31.000   32.000  90.00  90.00  90.00 P 1           4", 3, 3.1, 3.2},
      {"CRYST1  30.000    31.000   32.000  90.00  90.00  90.00 P 1           1", 3, 3.1, 3.2},
      {"CRYST120000.00030000.00040000.000  90.00  90.00  90.00 P 1           1", 2000, 3000, 4000},
      {"CRYST1    0.000    0.000    0.000   0.00   0.00   0.00 P 21 21 21    4", 0, 0, 0},
  };
  static const char *const symmetric[] = {
      "P 21 21 21    4", "P 1 21 1      2", "P 63/M C M   12", "F d -3 m", "P -1", "I 41/a m d", "P 2"};
  char line[128];
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    ck_assert_msg(read_text("a.pdb", replaced(pdb, usual, good[i].line)) == RILL_OK, "%s", error.text);
    ck_assert_int_eq(structure.has_box, good[i].a > 0);
    ck_assert_double_eq_tol(structure.box[0][0], good[i].a, 1e-11);
    ck_assert_double_eq_tol(structure.box[1][1], good[i].b, 1e-11);
    ck_assert_double_eq_tol(structure.box[2][2], good[i].c, 1e-11);
  }
  for (size_t i = 0; i < sizeof symmetric / sizeof *symmetric; i++) {
    snprintf(line, sizeof line, "CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 %s", symmetric[i]);
    must_refuse("a.pdb", replaced(pdb, usual, line), 2, symmetric[i]);
    ck_assert_ptr_nonnull(strstr(error.text, "expected P 1"));
  }
  snprintf(line, sizeof line, "%s\nHETATM    1", usual);
  ck_assert_int_eq(read_text("a.pdb", replaced(pdb, "HETATM    1", line)), RILL_OK); /* twice the same */
  must_refuse("a.pdb",
              replaced(pdb, "HETATM    1",
                       "CRYST1   30.000   30.000   31.000  90.00  90.00  90.00 P 1           1\nHETATM    1"),
              3, "second CRYST1, different from the one in line 2");
}
END_TEST

/* A file under another format's name, as text of that format. */
START_TEST(names_that_deceive) {
  static const struct {
    const char *text, *name, *words;
  } cases[] = {{pdb, "a.gro", "looks like PDB"}, {pdb, "a.xyz", "looks like PDB"},
               {gro, "a.pdb", "looks like GRO"}, {gro, "a.xyz", "looks like GRO"},
               {xyz, "a.gro", "looks like XYZ"}, {xyz, "a.pdb", "looks like XYZ"},
               {gro, "a.txt", "looks like GRO"}, {"?\n", "a.txt", ".gro, .pdb, .ent or .xyz"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    must_refuse(cases[i].name, cases[i].text, 0, cases[i].words);
  ck_assert_int_eq(rill_structure_format("dir.gro/b.PDB"), RILL_FORMAT_PDB);
  ck_assert_int_eq(rill_structure_format("x.ent"), RILL_FORMAT_PDB);
  ck_assert_int_eq(rill_structure_format("gro"), RILL_FORMAT_UNKNOWN);
  ck_assert_int_eq(read_path(path_of("missing.gro")), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "missing.gro: cannot be opened: No such file"));
  ck_assert_int_eq(mkdir(path_of("d.gro"), 0700), 0);
  ck_assert_int_eq(read_path(path_of("d.gro")), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "directory"));
  ck_assert_int_eq(rmdir(path_of("d.gro")), 0);
}
END_TEST

/* Cut anywhere, a file is refused, unless only line ends are lost, or (PDB has no count) whole molecules with their
 * lines, or (XYZ has no width) digits of the very last number. */
START_TEST(cut_files) {
  const char *texts[] = {gro, gro_velocities, pdb, xyz}, *names[] = {"a.gro", "a.gro", "a.pdb", "a.xyz"};
  for (int f = 0; f < 4; f++) {
    size_t length = strlen(texts[f]), accepted = 0;
    for (size_t cut = 0; cut < length; cut++) {
      save_bytes(names[f], texts[f], cut);
      accepted += read_path(path_of(names[f])) == RILL_OK;
    }
    if (f < 2) ck_assert_uint_eq(accepted, 1);
    /* the newline of the last atom, then "E", "EN" (no records), "END" */
    if (f == 2) ck_assert_uint_le(accepted, 3);
    if (f == 3) ck_assert_uint_le(accepted, 12);
  }
}
END_TEST

/* Random bytes changed: no crash (the sanitizers watch), and what is accepted is finite. */
START_TEST(damaged_files) {
  static const char *const files[] = {"a.gro", "a.gro", "a.pdb", "a.xyz"};
  const char *texts[] = {gro, gro_velocities, pdb, xyz};
  char text[1024];
  unsigned state = 1;
  for (int trial = 0; trial < 2000; trial++) {
    int f = trial % 4;
    size_t length = strlen(texts[f]);
    memcpy(text, texts[f], length);
    for (int change = 0; change < 1 + trial % 3; change++) {
      state = state * 1664525u + 1013904223u;
      text[(state >> 8) % length] = "0123456789.-+eE \n\r\tOHxN\"=\0\xFF"[(state >> 24) % 27];
    }
    save_bytes(files[f], text, length);
    if (read_path(path_of(files[f])) != RILL_OK) {
      ck_assert_int_eq(error.status, RILL_ERROR_INPUT);
      ck_assert_uint_gt(error.length, 0);
      continue;
    }
    for (size_t i = 0; i < 9 * structure.molecules; i++) ck_assert(isfinite(structure.positions[i]));
  }
}
END_TEST

START_TEST(long_lines_and_zero_bytes) {
  static char text[40000];
  memset(text, 'x', sizeof text - 1);
  must_refuse("a.gro", text, 1, "longer than");
  save_bytes("a.gro", "a\0b\n3\n", 6);
  ck_assert_int_eq(read_path(path_of("a.gro")), RILL_ERROR_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, ":1: column 2 holds a zero byte"));
}
END_TEST

/* A comma as the user's decimal point changes neither reading nor writing. */
START_TEST(decimal_comma) {
  static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR", "nl_NL.UTF-8"};
  struct rill_structure reference;
  char *before, *after;
  bool found = false;
  must_read(DATA "structures/c007_min_hp.gro");
  reference = structure;
  structure = (struct rill_structure){0};
  ck_assert_int_eq(rill_structure_write(path_of("a.gro"), true, &reference, 0, &error), RILL_OK);
  for (size_t i = 0; i < sizeof locales / sizeof *locales && !found; i++)
    found = setlocale(LC_ALL, locales[i]) != NULL && localeconv()->decimal_point[0] == ',';
  /* where no such locale is installed, the check is against the C locale itself */
  ck_assert_int_eq(rill_structure_write(path_of("b.gro"), true, &reference, 0, &error), RILL_OK);
  if (found) ck_assert_int_eq(localeconv()->decimal_point[0], ',');
  must_read(DATA "structures/c007_min_hp.gro");
  must_equal(&reference, 0);
  setlocale(LC_ALL, "C");
  before = load(path_of("a.gro"));
  after = load(path_of("b.gro"));
  ck_assert_str_eq(before, after);
  rill_release(before);
  rill_release(after);
  rill_structure_release(&reference);
}
END_TEST

/* ---- writing ---- */

START_TEST(written_text) {
  char *text;
  ck_assert_int_eq(read_text("a.gro", gro_velocities), RILL_OK);
  ck_assert_int_eq(rill_structure_write(path_of("b.gro"), true, &structure, 3, &error), RILL_OK);
  text = load(path_of("b.gro"));
  ck_assert_str_eq(text, gro_velocities);
  rill_release(text);
  ck_assert_int_eq(rill_structure_write(path_of("b.pdb"), true, &structure, 0, &error), RILL_OK);
  text = load(path_of("b.pdb"));
  ck_assert_str_eq(text,
                   "TITLE     moving\n"
                   "CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 1           1\n"
                   "HETATM    1  O   HOH A   1       1.500  -2.250   0.750  1.00  0.00           O\n"
                   "HETATM    2  H1  HOH A   1       1.320  -2.960   1.360  1.00  0.00           H\n"
                   "HETATM    3  H2  HOH A   1       2.340  -2.480   0.350  1.00  0.00           H\n"
                   "END\n");
  rill_release(text);
  structure.has_box = false;
  ck_assert_int_eq(rill_structure_write(path_of("b.xyz"), true, &structure, 4, &error), RILL_OK);
  text = load(path_of("b.xyz"));
  ck_assert_str_eq(text,
                   "3\nmoving\n"
                   "O       1.5000      -2.2500       0.7500\n"
                   "H       1.3200      -2.9600       1.3600\n"
                   "H       2.3400      -2.4800       0.3500\n");
  rill_release(text);
}
END_TEST

/* Through each format and back: positions to half a unit of the last place, boxes and titles, velocities in GRO. */
START_TEST(round_trips) {
  static const struct {
    const char *name;
    double rounding, box_rounding;
  } formats[] = {{"a.gro", 0.5e-6, 0.5e-6}, {"a.pdb", 0.5e-4, 1e-4}, {"a.xyz", 0.5e-11, 1e-12}};
  static const char *const sources[] = {"variants/velocities.gro", "variants/triclinic.gro",
                                        "structures/c100_a_hp.gro"};
  for (size_t s = 0; s < 3; s++)
    for (size_t f = 0; f < 3; f++) {
      struct rill_structure before;
      char path[512];
      snprintf(path, sizeof path, DATA "%s", sources[s]);
      must_read(path);
      before = structure;
      structure = (struct rill_structure){0};
      ck_assert_msg(rill_structure_write(path_of(formats[f].name), true, &before, 0, &error) == RILL_OK, "%s",
                    error.text);
      must_read(path_of(formats[f].name));
      must_equal(&before, formats[f].rounding * (1 + 1e-9) + 1e-14);
      ck_assert_str_eq(structure.title, before.title);
      ck_assert_int_eq(structure.has_box, before.has_box);
      for (int i = 0; i < 9; i++)
        ck_assert_double_eq_tol(structure.box[i / 3][i % 3], before.box[i / 3][i % 3], formats[f].box_rounding);
      ck_assert_int_eq(structure.velocities != NULL, before.velocities != NULL && f == 0);
      for (size_t i = 0; structure.velocities != NULL && i < 9 * before.molecules; i++)
        ck_assert_double_eq_tol(structure.velocities[i], before.velocities[i], 0.5e-7);
      rill_structure_release(&before);
    }
}
END_TEST

/* Boxes of any size read back: 1000 nm and more fill the columns of the classic GRO. */
/* Each tilt by itself, and angles that all differ. */
START_TEST(tilts) {
  static const double edges[5][3] = {
      {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0.5, -0.4, 0.3}, {-0.2, 0.3, 0.6}}; /* b_x, c_x, c_y */
  static const char *const names[] = {"a.gro", "a.pdb", "a.xyz"};
  for (size_t t = 0; t < 5; t++)
    for (int f = 0; f < 3; f++) {
      struct rill_structure before;
      must_read(DATA "structures/c007_min_hp.gro");
      before = structure;
      structure = (struct rill_structure){0};
      before.has_box = true;
      for (int k = 0; k < 3; k++) before.box[k][k] = 2;
      before.box[1][0] = edges[t][0];
      before.box[2][0] = edges[t][1];
      before.box[2][1] = edges[t][2];
      ck_assert_msg(rill_structure_write(path_of(names[f]), true, &before, 0, &error) == RILL_OK, "%s", error.text);
      must_read(path_of(names[f]));
      for (int k = 0; k < 9; k++)
        ck_assert_double_eq_tol(structure.box[k / 3][k % 3], before.box[k / 3][k % 3], f == 1 ? 5e-4 : 1e-5);
      rill_structure_release(&before);
    }
}
END_TEST

START_TEST(large_boxes) {
  static const double edges[] = {999.9999, 1000, 12345.678, 9999.999};
  static const struct {
    const char *name;
    int decimals;
  } formats[] = {{"a.gro", 3}, {"a.gro", 6}, {"a.gro", 9}, {"a.gro", 15}, {"a.pdb", 0}, {"a.xyz", 0}};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
      for (int skewed = 0; skewed < 2; skewed++) {
        struct rill_structure before;
        must_read(DATA "structures/c007_min_hp.gro");
        before = structure;
        structure = (struct rill_structure){0};
        before.has_box = true;
        for (int k = 0; k < 3; k++) before.box[k][k] = edges[i];
        if (skewed) before.box[2][0] = before.box[2][1] = -0.25 * edges[i];
        rill_error_clear(&error);
        if (rill_structure_write(path_of(formats[f].name), true, &before, formats[f].decimals, &error) != RILL_OK) {
          ck_assert_msg(strstr(error.text, "too wide") != NULL && f == 4 && edges[i] > 9999.9, "%s", error.text);
          rill_structure_release(&before);
          continue;
        }
        must_read(path_of(formats[f].name));
        for (int k = 0; k < 9; k++)
          ck_assert_double_eq_tol(structure.box[k / 3][k % 3], before.box[k / 3][k % 3],
                                  f == 4 ? 2e-4 * edges[i] : 1e-5);
        rill_structure_release(&before);
      }
}
END_TEST

/* Further columns are read over and named; Properties says where name and position are. */
START_TEST(columns_of_xyz) {
  static const char extended[] =
      "3\n"
      "Lattice=\"30 0 0 0 31 0 0 0 32\" Properties=id:I:1:species:S:1:forces:R:3:pos:R:3:magmoms:R:1 energy=-1.5 "
      "pbc=\"T T T\"\n"
      "1 O 9 9 9  1.50 -2.25 0.75 0\n"
      "2 H 9 9 9  1.3202662913 -2.9616298889 1.3644188597 0\n"
      "3 H 9 9 9  2.3398813387 -2.4816257951 0.3535398280 0\n";
  ck_assert_msg(read_text("a.xyz", extended) == RILL_OK, "%s", error.text);
  ck_assert_double_eq_tol(structure.positions[0], 0.15, 1e-15);
  ck_assert_double_eq_tol(structure.positions[8], 0.0353539828, 1e-15);
  ck_assert_double_eq_tol(structure.box[1][1], 3.1, 1e-15);
  ck_assert_str_eq(structure.unused, "column id, column forces, column magmoms");
  must_refuse("a.xyz", replaced(extended, "1 O 9 9 9", "1 O 9 9"), 3, "found 8 words");
  must_refuse("a.xyz", replaced(extended, "0.75 0", "0.75 0 0"), 3, "more than the 9 words");
  must_refuse("a.xyz", replaced(extended, "pos:R:3", "pos:R:2"), 2, "species:S:1:pos:R:3");
  must_refuse("a.xyz", replaced(extended, "forces:R:3", "forces:R"), 2, "species:S:1:pos:R:3");
  must_refuse("a.xyz", replaced(extended, "forces:R:3", "forces:R:0"), 2, "species:S:1:pos:R:3");
  /* without Properties: charges, or velocities */
  ck_assert_msg(read_text("a.xyz",
                          "3\ncharges\nO 1.5 -2.25 0.75 -0.834\nH 1.3202662913 -2.9616298889 1.3644188597 0.417\n"
                          "H 2.3398813387 -2.4816257951 0.3535398280 0.417\n") == RILL_OK,
                "%s", error.text);
  ck_assert_ptr_nonnull(strstr(structure.unused, "after z, in the first line from -0.834"));
  ck_assert_int_eq(read_text("a.xyz", xyz), RILL_OK);
  ck_assert_str_eq(structure.unused, "");
}
END_TEST

/* F10: what does not fit its columns is an error, not asterisks, and no file is left behind. */
START_TEST(too_wide) {
  static const struct {
    const char *name;
    int decimals;
    double fits, wide;
  } cases[] = {{"a.gro", 3, 9999.9, 12345.678},
               {"a.gro", 3, -999.9, -1234.5},
               {"a.gro", 0, 9999.9, 1e300},
               {"a.pdb", 0, 999.9, 1234.5678},
               {"a.pdb", 0, -99.9, -123.45}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ck_assert_int_eq(rill_structure_allocate(&structure, 2, true, &error), RILL_OK);
    structure.positions[17] = cases[i].fits;
    ck_assert_msg(
        rill_structure_write(path_of(cases[i].name), true, &structure, cases[i].decimals, &error) == RILL_OK, "%s",
        error.text);
    ck_assert_uint_eq(files_here(true), 1);
    structure.positions[17] = cases[i].wide;
    ck_assert_int_eq(rill_structure_write(path_of(cases[i].name), true, &structure, cases[i].decimals, &error),
                     RILL_ERROR_OUTPUT);
    ck_assert_msg(strstr(error.text, "molecule 2") != NULL && strchr(error.text, '*') == NULL, "%s", error.text);
    ck_assert_uint_eq(files_here(false), 0);
    rill_structure_release(&structure);
  }
  ck_assert_int_eq(rill_structure_allocate(&structure, 1, true, &error), RILL_OK);
  structure.velocities[8] = -1234;
  ck_assert_int_eq(rill_structure_write(path_of("a.gro"), true, &structure, 0, &error), RILL_ERROR_OUTPUT);
  structure.velocities[8] = 0;
  structure.positions[4] = NAN;
  ck_assert_int_eq(rill_structure_write(path_of("a.gro"), true, &structure, 0, &error), RILL_ERROR_OUTPUT);
  ck_assert_int_eq(rill_structure_write(path_of("a.xyz"), true, &structure, 0, &error), RILL_ERROR_OUTPUT);
  ck_assert_uint_eq(files_here(false), 0);
}
END_TEST

START_TEST(unusable_arguments) {
  ck_assert_int_eq(rill_structure_allocate(&structure, 1, false, &error), RILL_OK);
  ck_assert_int_eq(rill_structure_write(path_of("a.dat"), true, &structure, 0, &error), RILL_ERROR_USAGE);
  ck_assert_int_eq(rill_structure_write(path_of("a.gro"), true, &structure, -1, &error), RILL_ERROR_USAGE);
  ck_assert_int_eq(rill_structure_write(path_of("a.gro"), true, &structure, 16, &error), RILL_ERROR_USAGE);
  ck_assert_int_eq(rill_structure_write(path_of("a.pdb"), true, &structure, 6, &error), RILL_ERROR_UNSUPPORTED);
  ck_assert_int_eq(rill_structure_write(path_of("none/a.gro"), true, &structure, 0, &error), RILL_ERROR_OUTPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "none/a.gro: cannot be created: No such file"));
  rill_structure_release(&structure);
  ck_assert_int_eq(rill_structure_write(path_of("a.gro"), true, &structure, 0, &error), RILL_ERROR_USAGE);
  ck_assert_uint_eq(files_here(false), 0);
  rill_structure_release(NULL);
  ck_assert_int_eq(rill_structure_allocate(&structure, SIZE_MAX / 16, true, &error), RILL_ERROR_MEMORY);
}
END_TEST

/* A device that fills up in the middle: the old file stays as it was, nothing else is left. */
START_TEST(writing_that_fails) {
  struct rlimit usual, small;
  char *text;
  must_read(DATA "structures/c100_a.gro");
  save_bytes("a.gro", "old", 3);
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &usual), 0);
  small = usual;
  small.rlim_cur = 5000;
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
  ck_assert_int_eq(rill_structure_write(path_of("a.gro"), true, &structure, 0, &error), RILL_ERROR_WRITE);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &usual), 0);
  ck_assert_ptr_nonnull(strstr(error.text, "writing failed"));
  ck_assert_uint_eq(files_here(false), 1);
  text = load(path_of("a.gro"));
  ck_assert_str_eq(text, "old");
  rill_release(text);
  ck_assert_int_eq(rill_structure_write(path_of("a.gro"), true, &structure, 0, &error), RILL_OK);
  ck_assert_uint_eq(files_here(false), 1);
  must_read(path_of("a.gro"));
  ck_assert_uint_eq(structure.molecules, 100);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("structure");
  TCase *reading = tcase_create("reading"), *writing = tcase_create("writing");
  TCase *many = rill_long_cases(suite, 600);
  tcase_add_checked_fixture(reading, set_up, tear_down);
  tcase_add_checked_fixture(writing, set_up, tear_down);
  tcase_set_timeout(reading, 600);
  tcase_set_timeout(writing, 600);
  tcase_add_loop_test(reading, readable_variants, 0, sizeof readable / sizeof *readable);
  tcase_add_loop_test(reading, unreadable_variants, 0, sizeof unreadable / sizeof *unreadable);
  tcase_add_test(reading, velocities_in_nm_per_ps);
  tcase_add_test(reading, faults_name_lines_between_other_records);
  tcase_add_test(reading, order_of_atoms_does_not_matter);
  tcase_add_loop_test(reading, formats_agree, 0, 8);
  tcase_add_test(reading, cut_molecules_are_made_whole);
  tcase_add_test(reading, cut_molecules_in_a_skewed_box);
  tcase_add_test(reading, skewed_cells);
  tcase_add_test(reading, no_box);
  tcase_add_test(reading, any_number_of_decimals);
  tcase_add_test(reading, shifted_columns);
  tcase_add_test(reading, first_frame);
  tcase_add_test(reading, counts);
  tcase_add_test(reading, titles);
  tcase_add_test(reading, wrong_unit);
  tcase_add_test(reading, numbers_that_are_none);
  tcase_add_test(reading, velocities_of_all_or_none);
  tcase_add_test(reading, other_molecules);
  tcase_add_test(reading, names_that_deceive);
  tcase_add_test(reading, cut_files);
  tcase_add_test(reading, long_lines_and_zero_bytes);
  tcase_add_test(reading, decimal_comma);
  tcase_add_test(reading, no_numbers_in_the_first_line);
  tcase_add_test(reading, massless_sites);
  tcase_add_test(reading, sites_are_written);
  tcase_add_test(reading, other_names);
  tcase_add_test(reading, line_ends);
  tcase_add_test(reading, cells);
  tcase_add_test(reading, several_frames);
  tcase_add_test(reading, columns_of_xyz);
  tcase_add_test(writing, written_text);
  tcase_add_test(writing, round_trips);
  tcase_add_test(writing, frames_written);
  tcase_add_test(writing, tilts);
  tcase_add_test(writing, large_boxes);
  tcase_add_test(writing, too_wide);
  tcase_add_test(writing, unusable_arguments);
  tcase_add_test(writing, writing_that_fails);
  tcase_add_checked_fixture(many, set_up, tear_down);
  tcase_add_test(many, large_files);
  tcase_add_test(many, damaged_files);
  suite_add_tcase(suite, reading);
  suite_add_tcase(suite, writing);
  return rill_run_suite(suite);
}
