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

enum rill_status rill_frame_append(struct rill_frame *frame, const struct rill_text *text,
                                   const struct rill_file_atom *atom) {
  if (rill_file_atoms_append(&frame->atoms, atom, frame->has_velocities, text->line)) return RILL_OK;
  return rill_error_set(text->error, RILL_ERROR_MEMORY, "%s: out of memory at atom %zu", text->path,
                        frame->atoms.count + 1);
}

static size_t count_oxygens(const struct rill_frame *frame) {
  size_t oxygens = 0;
  for (size_t i = 0; i < frame->atoms.count; i++) oxygens += rill_file_atom_is_oxygen(&frame->atoms, i);
  return oxygens;
}

enum rill_status rill_frame_check_sites(struct rill_frame *frame, struct rill_text *text) {
  const size_t sites = frame->atoms.sites, oxygens = count_oxygens(frame), used = strlen(frame->unused);
  if (sites == 0) return RILL_OK;
  if (sites == 2 * oxygens)
    return rill_text_fault(text, frame->atoms.first_site,
                           "%zu massless sites of %zu molecules, two each: this is five-site water (TIP5P), which "
                           "rill does not have; remove the sites (GRO, XYZ: and correct the number of atoms)",
                           sites, oxygens);
  if (sites != oxygens)
    return rill_text_fault(text, frame->atoms.first_site,
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
  const double *positions = frame->atoms.positions;
  for (size_t k = 0; k < 3; k++) r[k] = positions[3 * hydrogen + k] - positions[3 * oxygen + k];
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
    if (rill_file_atom_is_oxygen(&frame->atoms, i)) {
      oxygens++;
      molecule->atoms[0] = i;
    } else if (hydrogens < 2) {
      molecule->atoms[1 + hydrogens++] = i;
    }
  return oxygens == 1;
}

/* Whether each three consecutive atoms, in any order, are a molecule.  *where: otherwise the first three that are
 * not. */
static bool is_in_order(const struct rill_frame *frame, size_t *where) {
  struct molecule unused;
  for (size_t i = 0; i + 3 <= frame->atoms.count; i += 3)
    if (!consecutive(frame, i, &unused)) {
      *where = i;
      return false;
    }
  return true;
}

/* molecules: NULL where each three consecutive atoms are one. */
static struct molecule molecule_at(const struct rill_frame *frame, const struct molecule *molecules, size_t m) {
  struct molecule molecule = {{3 * m, 3 * m, 3 * m}};
  if (molecules != NULL) return molecules[m];
  (void)consecutive(frame, 3 * m, &molecule);
  return molecule;
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
  double period = frame->has_box ? frame->box[2][2] : INFINITY, z = frame->atoms.positions[3 * hydrogen + 2],
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
  for (size_t i = 0; status == RILL_OK && i < frame->atoms.count; i++) {
    double z = frame->atoms.positions[3 * i + 2];
    if (!rill_file_atom_is_oxygen(&frame->atoms, i)) continue;
    if (frame->has_box) z -= floor(z / frame->box[2][2]) * frame->box[2][2];
    molecules[oxygen].atoms[0] = i;
    oxygens[oxygen] = (struct ordered_oxygen){z, i, oxygen};
    oxygen++;
  }
  if (status == RILL_OK) qsort(oxygens, count, sizeof *oxygens, by_z);
  for (size_t i = 0; status == RILL_OK && i < frame->atoms.count; i++) {
    size_t m;
    if (rill_file_atom_is_oxygen(&frame->atoms, i)) continue;
    m = nearest_oxygen(frame, oxygens, count, i);
    if (hydrogens[m] < 2) molecules[m].atoms[1 + hydrogens[m]] = i;
    hydrogens[m]++;
  }
  for (size_t m = 0; status == RILL_OK && m < count; m++)
    if (hydrogens[m] != 2)
      status =
          rill_text_fault(text, rill_file_atom_line(&frame->atoms, molecules[m].atoms[0]),
                          "this oxygen is the nearest one of %u hydrogens, expected 2; write the atoms molecule by "
                          "molecule",
                          hydrogens[m]);
  rill_release(oxygens);
  rill_release(hydrogens);
  return status;
}

static char symbol_of(const struct rill_frame *frame, size_t i) {
  return rill_file_atom_is_oxygen(&frame->atoms, i) ? 'O' : 'H';
}

/* *molecules: as in molecule_at; released by the caller. */
static enum rill_status group(const struct rill_frame *frame, struct rill_text *text, struct molecule **molecules) {
  const size_t atoms = frame->atoms.count, oxygens = count_oxygens(frame);
  size_t where = 0;
  const bool in_order = is_in_order(frame, &where);
  *molecules = NULL;
  if (in_order && atoms % 3 == 0) return RILL_OK;
  /* Atoms may be in any order: XYZ has no residues, and those of PDB and GRO give no more information. */
  if (atoms == 3 * oxygens) {
    *molecules = rill_allocate(oxygens, sizeof **molecules);
    if (*molecules != NULL) return group_by_distance(frame, text, *molecules, oxygens);
    return rill_error_set(text->error, RILL_ERROR_MEMORY, "%s: out of memory for %zu molecules", text->path, oxygens);
  }
  if (in_order)
    return rill_text_fault(text, rill_file_atom_line(&frame->atoms, atoms - 1),
                           "the last molecule has %zu of 3 atoms (%zu oxygens, %zu hydrogens in the file); add the "
                           "missing ones",
                           atoms % 3, oxygens, atoms - oxygens);
  return rill_text_fault(text, rill_file_atom_line(&frame->atoms, where),
                         "found %c, %c, %c in a row, expected one O and two H for each molecule (%zu oxygens, %zu "
                         "hydrogens in the file); add missing hydrogens, write the atoms molecule by molecule",
                         symbol_of(frame, where), symbol_of(frame, where + 1), symbol_of(frame, where + 2), oxygens,
                         atoms - oxygens);
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
  for (size_t m = 0; m < count; m++) {
    const struct molecule molecule = molecule_at(frame, molecules, m);
    for (int h = 1; h <= 2; h++) {
      double r[3], distance;
      difference(frame, molecule.atoms[0], molecule.atoms[h], r);
      distance = length(r);
      for (int k = 0; k < 2; k++)
        if (fabs(log(distance / (usual_bond * (k == 0 ? 10 : 0.1)))) < 0.15) {
          votes[k]++;
          sums[k] += distance;
        }
    }
  }
  for (int k = 0; k < 2; k++)
    if (votes[k] > count)
      return rill_text_fault(
          text, rill_file_atom_line(&frame->atoms, 0),
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
  const double *atoms = frame->atoms.positions, *oxygen = atoms + 3 * molecule->atoms[0];
  memcpy(positions[0], oxygen, sizeof positions[0]);
  for (int h = 1; h <= 2; h++) {
    const double *hydrogen = atoms + 3 * molecule->atoms[h];
    double r[3], distance;
    bool moved;
    difference(frame, molecule->atoms[0], molecule->atoms[h], r);
    moved = minimum_image(frame, r);
    distance = length(r);
    for (int k = 0; k < 3; k++) positions[h][k] = moved ? oxygen[k] + r[k] : hydrogen[k];
    if (!(distance > shortest_bond && distance < longest_bond))
      return rill_text_fault(
          text, rill_file_atom_line(&frame->atoms, molecule->atoms[h]),
          "this hydrogen is %.4g nm from its oxygen (line %zu), expected about %.2g nm; is an atom "
          "missing before it%s?",
          distance, rill_file_atom_line(&frame->atoms, molecule->atoms[0]), usual_bond,
          frame->has_box ? "" : ", or is the molecule broken across a box that the file does not give");
  }
  return RILL_OK;
}

/* Molecules may be where their atoms were: a molecule is read before it is written. */
static enum rill_status copy_molecules(const struct rill_frame *frame, struct rill_text *text,
                                       const struct molecule *molecules, struct rill_structure *structure,
                                       bool *reordered) {
  *reordered = false;
  for (size_t m = 0; m < structure->molecules; m++) {
    const struct molecule molecule = molecule_at(frame, molecules, m);
    double positions[3][3], velocities[3][3];
    RILL_TRY(copy_molecule(frame, text, &molecule, positions));
    for (size_t a = 0; a < 3; a++) {
      if (frame->has_velocities)
        memcpy(velocities[a], frame->atoms.velocities + 3 * molecule.atoms[a], sizeof velocities[a]);
      *reordered = *reordered || molecule.atoms[a] != 3 * m + a;
    }
    memcpy(structure->positions + 9 * m, positions, sizeof positions);
    if (frame->has_velocities) memcpy(structure->velocities + 9 * m, velocities, sizeof velocities);
  }
  return RILL_OK;
}

static enum rill_status record_order(const struct rill_frame *frame, struct rill_text *text,
                                     const struct molecule *molecules, struct rill_structure *structure) {
  const size_t count = structure->molecules;
  structure->file_atom = rill_allocate(count * 3, sizeof *structure->file_atom);
  if (structure->file_atom == NULL)
    return rill_error_set(text->error, RILL_ERROR_MEMORY, "%s: out of memory for %zu molecules", text->path, count);
  for (size_t m = 0; m < count; m++) {
    const struct molecule molecule = molecule_at(frame, molecules, m);
    for (size_t a = 0; a < 3; a++) structure->file_atom[3 * m + a] = molecule.atoms[a];
  }
  return RILL_OK;
}

enum rill_status rill_frame_assemble(struct rill_frame *frame, struct rill_text *text,
                                     struct rill_structure *structure) {
  const size_t count = (frame->atoms.count + 2) / 3;
  struct molecule *molecules;
  enum rill_status status = group(frame, text, &molecules);
  bool reordered = false;
  if (status == RILL_OK) status = check_unit(frame, text, molecules, count);
  if (status == RILL_OK && molecules != NULL)
    status = rill_structure_allocate(structure, count, frame->has_velocities, text->error);
  if (status == RILL_OK && molecules == NULL) {
    rill_file_atoms_trim(&frame->atoms);
    structure->molecules = count;
    structure->positions = frame->atoms.positions;
    structure->velocities = frame->atoms.velocities;
  }
  if (status == RILL_OK) status = copy_molecules(frame, text, molecules, structure, &reordered);
  if (status == RILL_OK && reordered) status = record_order(frame, text, molecules, structure);
  if (structure->positions == frame->atoms.positions) frame->atoms.positions = frame->atoms.velocities = NULL;
  if (status == RILL_OK) {
    structure->has_box = frame->has_box;
    memcpy(structure->box, frame->box, sizeof structure->box);
    memcpy(structure->title, frame->title, sizeof structure->title);
    memcpy(structure->unused, frame->unused, sizeof structure->unused);
  }
  rill_release(molecules);
  return status;
}
