/* Water molecules as plain arrays: what a frame of a file holds, and the formats of such files.
 *
 * They are O, H, H whatever the order in the file; `file_atom` remembers the order. */
#ifndef RILL_STRUCTURE_MOLECULES_H
#define RILL_STRUCTURE_MOLECULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum rill_format { RILL_FORMAT_GRO, RILL_FORMAT_PDB, RILL_FORMAT_XYZ, RILL_FORMAT_UNKNOWN };

/* Initialise with {0}; owns its arrays; release with rill_structure_release. */
struct rill_structure {
  size_t molecules;
  double *positions;     /* [molecules][3 atoms: O, H1, H2][3], nm; molecules whole */
  double *velocities;    /* the same shape, nm/ps; NULL when the file has none */
  size_t *file_atom;     /* [molecules][3]: index (from 0) of the atom in the file; NULL: the same order */
  bool has_box;
  double box[3][3];      /* rows are the box vectors, nm, lower triangular (GROMACS's convention) */
  char title[256];
  char unused[128];      /* what the file has beside these, in words; empty: nothing */
};

/* Allocates the arrays (positions; velocities too when asked for), zeroed. */
enum rill_status rill_structure_allocate(struct rill_structure *structure, size_t molecules, bool velocities,
                                         struct rill_error *error);

/* Accepts NULL and half-built structures. */
void rill_structure_release(struct rill_structure *structure);

#endif
