/* Which atoms of another program's water are the oxygens, told by the distances between them.
 *
 * Six orders are common: three with the molecules one after another, and three with the atoms of a kind in blocks.
 * In a water molecule both O-H distances are near 0.1 nm and the H-H distance is near 0.15 nm, so that at most one
 * order fits the positions of a frame. */
#ifndef RILL_OUTPUT_ATOM_ORDER_H
#define RILL_OUTPUT_ATOM_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* name, atoms as they stand in the file */
#define RILL_ATOM_ORDER_LIST(X)                       \
  X(OHH, "O H H of each molecule")                    \
  X(HOH, "H O H of each molecule")                    \
  X(HHO, "H H O of each molecule")                    \
  X(O_THEN_HH, "all O, then H H of each molecule")    \
  X(HH_THEN_O, "H H of each molecule, then all O")    \
  X(O_H_H_BLOCKS, "all O, all first H, all second H")

enum rill_atom_order {
#define X(name, text) RILL_ATOMS_##name,
  RILL_ATOM_ORDER_LIST(X)
#undef X
  RILL_ATOM_ORDERS
};

const char *rill_atom_order_name(enum rill_atom_order order);

/* Where in the file atom `atom` (0: O, 1 and 2: H) of a molecule stands. */
size_t rill_atom_place(enum rill_atom_order order, size_t molecules, size_t molecule, int atom);

/* positions: [3 molecules][3] nm as in the file, finite; box: rows nm, or NULL in vacuum: molecules may then be broken
 * across it.  False when no order fits; `misfit` then is the first molecule of O H H that is none. */
bool rill_atom_order_find(const double *positions, size_t molecules, const double *box, enum rill_atom_order *order,
                          size_t *misfit);

/* The O-H, O-H and H-H distances, nm, of a molecule under an order. */
void rill_atom_distances(const double *positions, size_t molecules, size_t molecule, enum rill_atom_order order,
                         const double *box, double distances[3]);

/* from, to: [molecules][3][3], not the same: O, H, H of each molecule. */
void rill_atom_order_apply(enum rill_atom_order order, size_t molecules, const double *from, double *to);

/* Puts the hydrogens of [molecules][3][3] next to their oxygens by vectors of the box; how many molecules were broken. */
size_t rill_atoms_make_whole(double *positions, size_t molecules, const double *box);

#endif
