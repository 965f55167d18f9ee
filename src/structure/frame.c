#include "structure/frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Names that programs write: GROMACS, AMBER, CHARMM, the Protein Data Bank, Tinker, plain elements. */
static const char *const residue_names[] = {"SOL", "HOH", "WAT", "H2O",  "TIP",  "TIP3",  "TIP3P", "T3P",  "TP3P",
                                            "TP3", "T3H", "SPC", "SPCE", "OH2",  "WTR",   "W",     "TIP4", "TIP4P",
                                            "T4P", "TP4", "T4E", "T4H",  "TIP5", "TIP5P", "T5P",   "OPC",  "OPC3"};
/* Residue names of programs without residues: ASE, Open Babel, MDAnalysis, ... */
static const char *const nameless[] = {"", "MOL", "UNL", "UNK", "UNX", "LIG", "RES", "SYSTEM", "XXX", "DUM", "1DUM"};
static const char *const oxygen_names[] = {"O", "OW", "OH2", "OW1", "OWT", "OT", "O1", "OWT3", "OWT4", "8"};
static const char *const hydrogen_names[] = {"H",   "H1",  "H2",   "HW",   "HW1", "HW2", "HW3",
                                             "HT",  "HT1", "HT2",  "1H",   "2H",  "1HW", "2HW",
                                             "H01", "H02", "HWT3", "HWT4", "HH1", "HH2", "1"};
/* Massless sites of water models with four sites, and with five. */
static const char *const massless_names[] = {"M",  "MW",  "MW1", "MW2", "MW4", "M4", "OM", "EP",  "EPW", "EP1", "EP2",
                                             "LP", "LP1", "LP2", "LA",  "VS",  "V",  "IW", "MCH", "XP",  "X"};

/* nm: O-H distances of water models are 0.087 to 0.101, which tells Angstrom from nm; in a file they may be those of
 * flexible or of stretched molecules. */
static const double usual_bond = 0.096, shortest_bond = 0.048, longest_bond = 0.192;

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

static bool listed(const struct rill_text *text, struct rill_span word, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < word.length && names[i][k] != '\0' && upper(text->text[word.first + k]) == names[i][k]) k++;
    if (k == word.length && names[i][k] == '\0') return true;
  }
  return false;
}
#define LISTED(text, word, names) listed(text, word, names, sizeof names / sizeof *names)

enum rill_status rill_water_atom(struct rill_text *text, struct rill_span span, struct rill_span element,
                                 struct rill_file_atom *atom) {
  struct rill_span word = rill_text_trim(text, span), symbol = rill_text_trim(text, element);
  char name[16];
  atom->site = LISTED(text, word, massless_names);
  atom->oxygen = LISTED(text, word, oxygen_names);
  if (atom->site || atom->oxygen || LISTED(text, word, hydrogen_names)) return RILL_OK;
  if (symbol.length == 1) {
    atom->oxygen = upper(text->text[symbol.first]) == 'O';
    if (atom->oxygen || upper(text->text[symbol.first]) == 'H') return RILL_OK;
  }
  return rill_text_fault(
      text, text->line,
      "atom '%s' is not of water, expected O, OW, OH2 or H, H1, H2, HW, HW1, HW2, or the site M, MW, EP, EPW of a "
      "four-site model; remove other molecules",
      rill_text_copy(text, word, name, sizeof name));
}

bool rill_is_water_residue(const struct rill_text *text, struct rill_span span) {
  struct rill_span word = rill_text_trim(text, span);
  return LISTED(text, word, residue_names);
}

enum rill_status rill_water_residue(struct rill_text *text, struct rill_span span) {
  struct rill_span word = rill_text_trim(text, span);
  char name[16];
  if (LISTED(text, word, residue_names) || LISTED(text, word, nameless)) return RILL_OK;
  return rill_text_fault(text, text->line,
                         "residue '%s' is not water, expected SOL, HOH, WAT, H2O, TIP3, TIP3P, T3P, SPC or the like; "
                         "remove ions and other molecules; are the columns shifted?",
                         rill_text_copy(text, word, name, sizeof name));
}

struct rill_file_atom *rill_frame_append(struct rill_frame *frame, const struct rill_text *text) {
  if (frame->count == frame->capacity) {
    size_t capacity = frame->capacity == 0 ? 512 : 2 * frame->capacity;
    struct rill_file_atom *atoms = rill_allocate(capacity, sizeof *atoms);
    if (atoms == NULL) {
      rill_error_set(text->error, RILL_ERROR_MEMORY, "%s: out of memory at atom %zu", text->path, frame->count + 1);
      return NULL;
    }
    if (frame->count > 0) memcpy(atoms, frame->atoms, frame->count * sizeof *atoms);
    rill_release(frame->atoms);
    frame->atoms = atoms;
    frame->capacity = capacity;
  }
  frame->atoms[frame->count].line = text->line;
  return &frame->atoms[frame->count++];
}

enum rill_status rill_frame_drop_sites(struct rill_frame *frame, struct rill_text *text) {
  size_t oxygens = 0, kept = 0, sites, used = strlen(frame->unused);
  size_t first = 0; /* line of the first site */
  for (size_t i = 0; i < frame->count; i++) {
    const struct rill_file_atom atom = frame->atoms[i];
    oxygens += atom.oxygen;
    if (atom.site && first == 0) first = atom.line;
    if (!atom.site) frame->atoms[kept++] = atom;
  }
  sites = frame->count - kept;
  frame->count = kept;
  if (sites == 0) return RILL_OK;
  if (sites == 2 * oxygens)
    return rill_text_fault(text, first,
                           "%zu massless sites of %zu molecules, two each: this is five-site water (TIP5P), which "
                           "rill does not have; remove the sites (GRO, XYZ: and correct the number of atoms)",
                           sites, oxygens);
  if (sites != oxygens)
    return rill_text_fault(text, first,
                           "%zu massless sites and %zu oxygens; expected one site for each molecule of a four-site "
                           "model, or none",
                           sites, oxygens);
  snprintf(frame->unused + used, sizeof frame->unused - used,
           "%s%zu massless sites: a four-site model, if one is chosen, rebuilds them from O, H, H",
           used > 0 ? ", " : "", sites);
  return RILL_OK;
}

enum rill_status rill_frame_accept_box(struct rill_frame *frame, struct rill_text *text) {
  static const char *const names[3] = {"first", "second", "third"};
  bool zero = true;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) zero = zero && frame->box[i][k] == 0;
  frame->has_box = !zero;
  if (zero) return RILL_OK;
  for (int i = 0; i < 3; i++) {
    for (int k = i + 1; k < 3; k++)
      if (frame->box[i][k] != 0)
        return rill_text_fault(
            text, text->line,
            "the %s box vector has a component %g nm along %c, expected 0; rotate the system so that "
            "the first vector lies along x and the second in the xy plane",
            names[i], frame->box[i][k], "xyz"[k]);
    if (!(frame->box[i][i] > 0))
      return rill_text_fault(text, text->line,
                             "the box measures %g nm along %c, expected more than 0 (or all zeros: no box)",
                             frame->box[i][i], "xyz"[i]);
    /* In a smaller box the image of the oxygen nearest to a hydrogen may belong to another molecule. */
    if (frame->box[i][i] < 3 * usual_bond)
      return rill_text_fault(text, text->line,
                             "the box measures %g nm along %c, less than a water molecule; all zeros mean no box",
                             frame->box[i][i], "xyz"[i]);
  }
  return RILL_OK;
}

/* ---- molecules ---- */

struct molecule {
  size_t atoms[3]; /* O, H, H: indices into the frame */
};

static double length(const double r[3]) { return sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]); }

/* The vector from oxygen to hydrogen, as in the file. */
static void difference(const struct rill_frame *frame, size_t oxygen, size_t hydrogen, double r[3]) {
  for (int k = 0; k < 3; k++) r[k] = frame->atoms[hydrogen].position[k] - frame->atoms[oxygen].position[k];
}

/* Shifts r by box vectors into the brick |r_k| <= box_kk / 2.  Because the box is lower triangular, only one image
 * lies inside, so bonds shorter than half the diagonal of the box are found exactly, in a skewed box too.  Returns
 * whether r changed. */
static bool minimum_image(const struct rill_frame *frame, double r[3]) {
  bool moved = false;
  if (!frame->has_box) return false;
  for (int i = 2; i >= 0; i--) {
    double turns = nearbyint(r[i] / frame->box[i][i]);
    if (turns == 0) continue;
    for (int k = 0; k <= i; k++) r[k] -= turns * frame->box[i][k];
    moved = true;
  }
  return moved;
}

/* Whether the three atoms from `first` on are an oxygen and two hydrogens. */
static bool consecutive(const struct rill_frame *frame, size_t first, struct molecule *molecule) {
  size_t oxygens = 0, hydrogens = 0;
  for (size_t i = first; i < first + 3; i++)
    if (frame->atoms[i].oxygen) {
      oxygens++;
      molecule->atoms[0] = i;
    } else if (hydrogens < 2) {
      molecule->atoms[1 + hydrogens++] = i;
    }
  return oxygens == 1;
}

/* Groups each three consecutive atoms, in any order, into a molecule.  False when three atoms are not an O and two H;
 * *where is then the first such triple. */
static bool group_in_order(const struct rill_frame *frame, struct molecule *molecules, size_t *where) {
  for (size_t i = 0; i + 3 <= frame->count; i += 3)
    if (!consecutive(frame, i, &molecules[i / 3])) {
      *where = i;
      return false;
    }
  return true;
}

struct ordered_oxygen {
  double z;
  size_t atom, molecule;
};

static int by_z(const void *left, const void *right) {
  const struct ordered_oxygen *a = left, *b = right;
  return (a->z > b->z) - (a->z < b->z);
}

/* Finds the nearest oxygen: searches from the hydrogen downwards and upwards in z, until the distance in z alone
 * exceeds that of the nearest one found.  Only the third box vector has a z component, so z is periodic by itself. */
static size_t nearest_oxygen(const struct rill_frame *frame, const struct ordered_oxygen *oxygens, size_t count,
                             size_t hydrogen) {
  double period = frame->has_box ? frame->box[2][2] : INFINITY, z = frame->atoms[hydrogen].position[2],
         best = INFINITY;
  size_t nearest = 0, start = 0, end = count;
  if (frame->has_box) z -= floor(z / period) * period;
  while (start < end) {
    size_t middle = (start + end) / 2;
    if (oxygens[middle].z < z) start = middle + 1;
    else end = middle;
  }
  for (int direction = -1; direction <= 1; direction += 2)
    for (size_t step = 0; step < count; step++) {
      ptrdiff_t index = direction > 0 ? (ptrdiff_t)(start + step) : (ptrdiff_t)start - 1 - (ptrdiff_t)step;
      bool around = index < 0 || index >= (ptrdiff_t)count;
      const struct ordered_oxygen *oxygen = &oxygens[(size_t)(index + (ptrdiff_t)count) % count];
      double distance, r[3];
      if (around && !frame->has_box) break;
      if (direction * (oxygen->z - z) + (around ? period : 0) > best) break;
      difference(frame, oxygen->atom, hydrogen, r);
      minimum_image(frame, r);
      distance = length(r);
      if (distance < best) {
        best = distance;
        nearest = oxygen->molecule;
      }
    }
  return nearest;
}

/* Groups atoms by distance: each hydrogen belongs to the nearest oxygen, and each oxygen must get two. */
static enum rill_status group_by_distance(const struct rill_frame *frame, struct rill_text *text,
                                          struct molecule *molecules, size_t count) {
  struct ordered_oxygen *oxygens = rill_allocate(count, sizeof *oxygens);
  unsigned *hydrogens = rill_allocate(count, sizeof *hydrogens);
  enum rill_status status = RILL_OK;
  size_t oxygen = 0;
  if (oxygens == NULL || hydrogens == NULL)
    status = rill_error_set(text->error, RILL_ERROR_MEMORY, "%s: out of memory for %zu molecules", text->path, count);
  for (size_t i = 0; status == RILL_OK && i < frame->count; i++) {
    double z = frame->atoms[i].position[2];
    if (!frame->atoms[i].oxygen) continue;
    if (frame->has_box) z -= floor(z / frame->box[2][2]) * frame->box[2][2];
    molecules[oxygen].atoms[0] = i;
    oxygens[oxygen] = (struct ordered_oxygen){z, i, oxygen};
    oxygen++;
  }
  if (status == RILL_OK) qsort(oxygens, count, sizeof *oxygens, by_z);
  for (size_t i = 0; status == RILL_OK && i < frame->count; i++) {
    size_t m;
    if (frame->atoms[i].oxygen) continue;
    m = nearest_oxygen(frame, oxygens, count, i);
    if (hydrogens[m] < 2) molecules[m].atoms[1 + hydrogens[m]] = i;
    hydrogens[m]++;
  }
  for (size_t m = 0; status == RILL_OK && m < count; m++)
    if (hydrogens[m] != 2)
      status =
          rill_text_fault(text, frame->atoms[molecules[m].atoms[0]].line,
                          "this oxygen is the nearest one of %u hydrogens, expected 2; write the atoms molecule by "
                          "molecule",
                          hydrogens[m]);
  rill_release(oxygens);
  rill_release(hydrogens);
  return status;
}

static enum rill_status group(const struct rill_frame *frame, struct rill_text *text, struct molecule *molecules) {
  size_t oxygens = 0, where = 0;
  bool in_order = group_in_order(frame, molecules, &where);
  for (size_t i = 0; i < frame->count; i++) oxygens += frame->atoms[i].oxygen;
  if (in_order && frame->count % 3 == 0) return RILL_OK;
  /* Atoms may be in any order: XYZ has no residues, and those of PDB and GRO give no more information. */
  if (frame->count == 3 * oxygens) return group_by_distance(frame, text, molecules, oxygens);
  if (in_order)
    return rill_text_fault(text, frame->atoms[frame->count - 1].line,
                           "the last molecule has %zu of 3 atoms (%zu oxygens, %zu hydrogens in the file); add the "
                           "missing ones",
                           frame->count % 3, oxygens, frame->count - oxygens);
  return rill_text_fault(text, frame->atoms[where].line,
                         "found %c, %c, %c in a row, expected one O and two H for each molecule (%zu oxygens, %zu "
                         "hydrogens in the file); add missing hydrogens, write the atoms molecule by molecule",
                         frame->atoms[where].oxygen ? 'O' : 'H', frame->atoms[where + 1].oxygen ? 'O' : 'H',
                         frame->atoms[where + 2].oxygen ? 'O' : 'H', oxygens, frame->count - oxygens);
}

/* Detects a wrong unit of length: most O-H distances are ten times too long or too short. */
static enum rill_status check_unit(const struct rill_frame *frame, struct rill_text *text,
                                   const struct molecule *molecules, size_t count) {
  static const struct {
    const char *names[2]; /* when 10 times too long, when 10 times too short */
    const char *expected;
  } units[] = {{{"Angstrom", "units of 10 nm"}, "nm (GRO)"},
               {{"units of 0.1 Angstrom", "nm"}, "Angstrom (PDB)"},
               {{"units of 0.1 Angstrom", "nm"}, "Angstrom (XYZ)"}};
  size_t votes[2] = {0, 0};
  double sums[2] = {0, 0};
  for (size_t m = 0; m < count; m++)
    for (int h = 1; h <= 2; h++) {
      double r[3], distance;
      difference(frame, molecules[m].atoms[0], molecules[m].atoms[h], r);
      distance = length(r);
      for (int k = 0; k < 2; k++)
        if (fabs(log(distance / (usual_bond * (k == 0 ? 10 : 0.1)))) < 0.15) {
          votes[k]++;
          sums[k] += distance;
        }
    }
  for (int k = 0; k < 2; k++)
    if (votes[k] > count)
      return rill_text_fault(
          text, frame->atoms[0].line,
          "the O-H distances are about %.3g nm, expected about %.2g nm: the coordinates look like %s, "
          "expected %s; scale them by %s",
          sums[k] / (double)votes[k], usual_bond, units[frame->format].names[k], units[frame->format].expected,
          k == 0 ? "0.1" : "10");
  return RILL_OK;
}

/* Copies a molecule, moving its hydrogens next to its oxygen.  A hydrogen that needs no shift keeps its coordinates
 * exactly. */
static enum rill_status copy_molecule(const struct rill_frame *frame, struct rill_text *text,
                                      const struct molecule *molecule, double (*positions)[3]) {
  const struct rill_file_atom *oxygen = &frame->atoms[molecule->atoms[0]];
  memcpy(positions[0], oxygen->position, sizeof positions[0]);
  for (int h = 1; h <= 2; h++) {
    const struct rill_file_atom *hydrogen = &frame->atoms[molecule->atoms[h]];
    double r[3], distance;
    bool moved;
    difference(frame, molecule->atoms[0], molecule->atoms[h], r);
    moved = minimum_image(frame, r);
    distance = length(r);
    for (int k = 0; k < 3; k++) positions[h][k] = moved ? oxygen->position[k] + r[k] : hydrogen->position[k];
    if (!(distance > shortest_bond && distance < longest_bond))
      return rill_text_fault(
          text, hydrogen->line,
          "this hydrogen is %.4g nm from its oxygen (line %zu), expected about %.2g nm; is an atom "
          "missing before it%s?",
          distance, oxygen->line, usual_bond,
          frame->has_box ? "" : ", or is the molecule broken across a box that the file does not give");
  }
  return RILL_OK;
}

enum rill_status rill_frame_assemble(const struct rill_frame *frame, struct rill_text *text,
                                     struct rill_structure *structure) {
  size_t count = (frame->count + 2) / 3;
  struct molecule *molecules = rill_allocate(count, sizeof *molecules);
  enum rill_status status = RILL_OK;
  bool reordered = false;
  if (molecules == NULL)
    status = rill_error_set(text->error, RILL_ERROR_MEMORY, "%s: out of memory for %zu molecules", text->path, count);
  if (status == RILL_OK) status = group(frame, text, molecules);
  if (status == RILL_OK) status = check_unit(frame, text, molecules, count);
  if (status == RILL_OK) status = rill_structure_allocate(structure, count, frame->has_velocities, text->error);
  for (size_t m = 0; status == RILL_OK && m < count; m++) {
    status = copy_molecule(frame, text, &molecules[m], (double(*)[3])structure->positions + 3 * m);
    for (size_t a = 0; a < 3; a++) {
      const struct rill_file_atom *atom = &frame->atoms[molecules[m].atoms[a]];
      if (frame->has_velocities) memcpy(structure->velocities + 9 * m + 3 * a, atom->velocity, sizeof atom->velocity);
      reordered = reordered || molecules[m].atoms[a] != 3 * m + a;
    }
  }
  if (status == RILL_OK && reordered) {
    structure->file_atom = rill_allocate(count * 3, sizeof *structure->file_atom);
    if (structure->file_atom == NULL)
      status =
          rill_error_set(text->error, RILL_ERROR_MEMORY, "%s: out of memory for %zu molecules", text->path, count);
    else
      for (size_t i = 0; i < 3 * count; i++) structure->file_atom[i] = molecules[i / 3].atoms[i % 3];
  }
  if (status == RILL_OK) {
    structure->has_box = frame->has_box;
    memcpy(structure->box, frame->box, sizeof structure->box);
    memcpy(structure->title, frame->title, sizeof structure->title);
    memcpy(structure->unused, frame->unused, sizeof structure->unused);
  }
  rill_release(molecules);
  return status;
}
