/* Water molecules as plain arrays: the content of a frame of a file; and the formats of such files.
 *
 * Atoms are in the order O, H, H, whatever the order in the file; `file_atom` records the latter. */
#ifndef RILL_STRUCTURE_MOLECULES_H
#define RILL_STRUCTURE_MOLECULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum rill_format { RILL_FORMAT_GRO, RILL_FORMAT_PDB, RILL_FORMAT_XYZ, RILL_FORMAT_UNKNOWN };

/* A model as topologies give it.  charge: of the atoms O, H, H; with a massless site, of the site, H, H. */
struct rill_topology {
  const char *model;
  double mass[3], charge[3]; /* u, e */
};

/* Initialise with {0}; owns its arrays; release with rill_structure_release. */
struct rill_structure {
  size_t molecules;
  double *positions;  /* [molecules][3 atoms: O, H1, H2][3], nm; molecules whole */
  double *velocities; /* the same shape, nm/ps; NULL when the file has none */
  size_t *file_atom;  /* [molecules][3]: index (from 0) of the atom in the file, in which massless sites do not count;
                         NULL: the same order */
  bool has_box;
  double box[3][3];   /* rows are the box vectors, nm, lower triangular (GROMACS's convention) */
  double site_weight; /* a: writers add the massless site (1 - 2a) O + a H1 + a H2 to each molecule; 0: none */
  uint64_t step;      /* of the frame of a trajectory; else 0, like the time, ps */
  double time;
  const struct rill_topology *topology; /* borrowed; for PSF only */
  char title[256];
  char unused[128]; /* description of further data in the file, which are not used; "" when there are none */
};

/* Computes the site of a molecule from its atoms' positions, or velocities, x[9]. */
void rill_structure_site(const struct rill_structure *structure, const double *x, double site[3]);

/* Allocates the arrays, zeroed: positions, and velocities if `velocities`. */
enum rill_status rill_structure_allocate(struct rill_structure *structure, size_t molecules, bool velocities,
                                         struct rill_error *error);

/* Copies everything; *to is overwritten, and released by the caller. */
enum rill_status rill_structure_copy(const struct rill_structure *from, struct rill_structure *to,
                                     struct rill_error *error);

/* Accepts NULL and partially built structures. */
void rill_structure_release(struct rill_structure *structure);

#endif
