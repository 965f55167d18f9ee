/* Determines which atoms of water written by another program are the oxygens, from the distances between the atoms.
 *
 * Six orders are common: three with one molecule after another, and three with the atoms of each kind in blocks. In a
 * water molecule both O-H distances are near 0.1 nm and the H-H distance is near 0.15 nm, so that at most one order
 * fits the positions of a frame. */
#ifndef RILL_OUTPUT_ATOM_ORDER_H
#define RILL_OUTPUT_ATOM_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* name, order of the atoms in the file */
#define RILL_ATOM_ORDER_LIST(X)                                                                                      \
  X(OHH, "O H H of each molecule")                                                                                   \
  X(HOH, "H O H of each molecule")                                                                                   \
  X(HHO, "H H O of each molecule")                                                                                   \
  X(O_THEN_HH, "all O, then H H of each molecule")                                                                   \
  X(HH_THEN_O, "H H of each molecule, then all O")                                                                   \
  X(O_H_H_BLOCKS, "all O, all first H, all second H")

enum rill_atom_order {
#define X(name, text) RILL_ATOMS_##name,
  RILL_ATOM_ORDER_LIST(X)
#undef X
      RILL_ATOM_ORDERS
};

const char *rill_atom_order_name(enum rill_atom_order order);

/* The index in the file of atom `atom` (0: O, 1 and 2: H) of a molecule. */
size_t rill_atom_place(enum rill_atom_order order, size_t molecules, size_t molecule, int atom);

/* positions: [3 molecules][3] nm, in the order of the file, finite; box: [3][3] nm, rows are the vectors, molecules
 * may be broken across it; NULL in vacuum.  False when no order fits; `misfit` is then the first molecule that does
 * not fit O H H. */
bool rill_atom_order_find(const double *positions, size_t molecules, const double *box, enum rill_atom_order *order,
                          size_t *misfit);

/* The two O-H distances and the H-H distance, nm, of a molecule in a given order. */
void rill_atom_distances(const double *positions, size_t molecules, size_t molecule, enum rill_atom_order order,
                         const double *box, double distances[3]);

/* Reorders atoms as O, H, H of each molecule.  from, to: [molecules][3][3]; they must not overlap. */
void rill_atom_order_apply(enum rill_atom_order order, size_t molecules, const double *from, double *to);

/* Moves the hydrogens of [molecules][3][3] by lattice vectors next to their oxygens; returns how many molecules were
 * broken. */
size_t rill_atoms_make_whole(double *positions, size_t molecules, const double *box);

#endif
