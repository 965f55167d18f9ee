#include "output/atom_order.h"

#include <math.h>
#include <string.h>

/* nm: wide enough for every common model (O-H 0.0872 to 0.1012, H-H 0.137 to 0.165) and for hot flexible
 * molecules. */
static const double oh_least = 0.075, oh_most = 0.125, hh_least = 0.11, hh_most = 0.21;

const char *rill_atom_order_name(enum rill_atom_order order) {
  static const char *const names[] = {
#define X(name, text) text,
      RILL_ATOM_ORDER_LIST(X)
#undef X
  };
  return names[order];
}

size_t rill_atom_place(enum rill_atom_order order, size_t molecules, size_t molecule, int atom) {
  static const size_t triple[3][3] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
  const size_t hydrogen = (size_t)(atom - 1);
  switch (order) {
  case RILL_ATOMS_O_THEN_HH: return atom == 0 ? molecule : molecules + 2 * molecule + hydrogen;
  case RILL_ATOMS_HH_THEN_O: return atom == 0 ? 2 * molecules + molecule : 2 * molecule + hydrogen;
  case RILL_ATOMS_O_H_H_BLOCKS: return (size_t)atom * molecules + molecule;
  default: return 3 * molecule + triple[order][atom];
  }
}

/* Computes the reciprocal vectors, the transposed inverse of the box; false for a box without volume. */
static bool reciprocal(const double *box, double inverse[3][3]) {
  double volume = 0;
  for (int i = 0; i < 3; i++) {
    const double *b = box + 3 * ((i + 1) % 3), *c = box + 3 * ((i + 2) % 3);
    for (int d = 0; d < 3; d++) inverse[i][d] = b[(d + 1) % 3] * c[(d + 2) % 3] - b[(d + 2) % 3] * c[(d + 1) % 3];
  }
  for (int d = 0; d < 3; d++) volume += box[d] * inverse[0][d];
  for (int i = 0; i < 3; i++)
    for (int d = 0; d < 3; d++) inverse[i][d] /= volume;
  return isfinite(volume) && volume != 0;
}

/* Subtracts lattice vectors from a bond to reach its nearest image, in a skewed box too; the bond must be short
 * compared with the box. */
static bool shorten(const double *box, const double inverse[3][3], double bond[3]) {
  bool moved = false;
  double turns[3];
  for (int i = 0; i < 3; i++)
    turns[i] = nearbyint(bond[0] * inverse[i][0] + bond[1] * inverse[i][1] + bond[2] * inverse[i][2]);
  for (int i = 0; i < 3; i++) {
    if (turns[i] == 0) continue;
    for (int d = 0; d < 3; d++) bond[d] -= turns[i] * box[3 * i + d];
    moved = true;
  }
  return moved;
}

static double distance(const double *a, const double *b, const double *box, const double inverse[3][3]) {
  double bond[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  if (box != NULL) shorten(box, inverse, bond);
  return sqrt(bond[0] * bond[0] + bond[1] * bond[1] + bond[2] * bond[2]);
}

static void measure(const double *positions, size_t molecules, size_t molecule, enum rill_atom_order order,
                    const double *box, const double inverse[3][3], double distances[3]) {
  const double *atom[3];
  for (int a = 0; a < 3; a++) atom[a] = positions + 3 * rill_atom_place(order, molecules, molecule, a);
  distances[0] = distance(atom[0], atom[1], box, inverse);
  distances[1] = distance(atom[0], atom[2], box, inverse);
  distances[2] = distance(atom[1], atom[2], box, inverse);
}

void rill_atom_distances(const double *positions, size_t molecules, size_t molecule, enum rill_atom_order order,
                         const double *box, double distances[3]) {
  double inverse[3][3];
  if (box != NULL && !reciprocal(box, inverse)) box = NULL;
  measure(positions, molecules, molecule, order, box, (const double(*)[3])inverse, distances);
}

static bool is_water(const double d[3]) {
  return d[0] > oh_least && d[0] < oh_most && d[1] > oh_least && d[1] < oh_most && d[2] > hh_least && d[2] < hh_most;
}

bool rill_atom_order_find(const double *positions, size_t molecules, const double *box, enum rill_atom_order *order,
                          size_t *misfit) {
  double inverse[3][3], distances[3];
  if (box != NULL && !reciprocal(box, inverse)) box = NULL;
  for (int o = 0; o < RILL_ATOM_ORDERS; o++) {
    size_t m = 0;
    for (; m < molecules; m++) {
      measure(positions, molecules, m, (enum rill_atom_order)o, box, (const double(*)[3])inverse, distances);
      if (!is_water(distances)) break;
    }
    if (o == RILL_ATOMS_OHH) *misfit = m;
    if (m < molecules) continue;
    *order = (enum rill_atom_order)o;
    return true;
  }
  return false;
}

void rill_atom_order_apply(enum rill_atom_order order, size_t molecules, const double *from, double *to) {
  for (size_t m = 0; m < molecules; m++)
    for (int a = 0; a < 3; a++)
      memcpy(to + 9 * m + 3 * (size_t)a, from + 3 * rill_atom_place(order, molecules, m, a), 3 * sizeof *to);
}

size_t rill_atoms_make_whole(double *positions, size_t molecules, const double *box) {
  double inverse[3][3];
  size_t broken = 0;
  if (!reciprocal(box, inverse)) return 0;
  for (size_t m = 0; m < molecules; m++) {
    double *oxygen = positions + 9 * m;
    bool moved = false;
    for (int a = 1; a < 3; a++) {
      double *hydrogen = oxygen + 3 * a, bond[3];
      for (int d = 0; d < 3; d++) bond[d] = hydrogen[d] - oxygen[d];
      if (!shorten(box, (const double(*)[3])inverse, bond)) continue;
      for (int d = 0; d < 3; d++) hydrogen[d] = oxygen[d] + bond[d];
      moved = true;
    }
    broken += moved;
  }
  return broken;
}
