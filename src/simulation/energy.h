/* Energy, forces and virial of water where it stands, in vacuum or in a periodic box: no deck, no system, no motion.
 */
#ifndef RILL_SIMULATION_ENERGY_H
#define RILL_SIMULATION_ENERGY_H

#include "base/notes.h"
#include "structure/structure.h"
#include "water/forces/lennard_jones.h"
#include "water/model/model.h"
#include "water/water_accuracy.h"

struct rill_energy_options {
  struct rill_water_model model;
  double stiffness; /* of stiff bonds, sqrt(kJ/mol)/nm2, whose energy and forces count as well; 0: none */
  bool rigid;       /* molecules are put to the model's geometry first */
  bool periodic;    /* the structure's box counts; otherwise all pairs do, as they are */
  /* In a box: nm, nm of RILL_LJ_SWITCH, and the largest relative error of the forces with a mesh. */
  double cutoff, switch_from, accuracy;
  enum rill_coulomb_kind coulomb; /* not `all`, which is that of vacuum */
  bool direct;                    /* in its place the direct Ewald sum, which judges the mesh */
  enum rill_lj_kind lj;
};

/* TIP3P in vacuum; in a box PME to 1e-6 within 0.9 nm. */
enum rill_status rill_energy_defaults(struct rill_energy_options *options, struct rill_error *error);

/* kJ/mol, nm.  Released by rill_energy_release. */
struct rill_energy {
  size_t molecules;
  bool periodic;
  double lj, coulomb, penalty; /* lj: without the tail */
  double potential;            /* the sum of the three */
  double virial;               /* in vacuum of atoms, sum of r . f; in a box of molecules, without the tail */
  double virial_molecular;     /* sum over molecules of R . F */
  double largest_force;        /* component, kJ/mol/nm */
  double deviation;            /* of the geometry as it was read, of a bond length */
  double *forces;              /* [molecules][3][3], kJ/mol/nm, without constraint forces; owned */
  /* Of a box. */
  double volume;                            /* nm3 */
  double lj_tail, tail_virial;
  double real, excluded, reciprocal, self;  /* what coulomb is the sum of */
  double virial_tensor[3][3];               /* over molecules; see water/forces/periodic.h */
  double pressure, pressure_tail;           /* bar, at zero velocities: of the virial, and what the tail adds */
  struct rill_pme_parameters mesh;          /* that was chosen */
  struct rill_force_accuracy measured;      /* of the forces with it */
};

/* Evaluates a structure, which options->rigid changes; path names it in messages, and notes (NULL: none) say by how
 * much it was changed.  RILL_ERROR_INPUT: a box that is missing, too small for the cutoff or for the accuracy, and
 * molecules on top of each other.  RILL_ERROR_UNSUPPORTED: stiff bonds in a box. */
enum rill_status rill_energy_of_structure(struct rill_structure *structure, const char *path,
                                          const struct rill_energy_options *options, const struct rill_notes *notes,
                                          struct rill_energy *energy, struct rill_error *error);
/* The same of the first frame of a GRO, PDB or XYZ file. */
enum rill_status rill_energy_of(const char *path, const struct rill_energy_options *options,
                                const struct rill_notes *notes, struct rill_energy *energy, struct rill_error *error);
/* Accepts what is zeroed. */
void rill_energy_release(struct rill_energy *energy);

/* Coulomb's word in a box, those of decks and "ewald" for the direct sum; false for another word. */
const char *rill_energy_coulomb_name(const struct rill_energy_options *options);
bool rill_energy_coulomb_read(const char *word, struct rill_energy_options *options);
bool rill_energy_has_mesh(const struct rill_energy_options *options);

#endif
