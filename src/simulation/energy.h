/* Energy, forces and virial of water at given positions, in vacuum or in a periodic box, without a deck or
 * a system. */
#ifndef RILL_SIMULATION_ENERGY_H
#define RILL_SIMULATION_ENERGY_H

#include "base/notes.h"
#include "structure/structure.h"
#include "water/forces/lennard_jones.h"
#include "water/model/model.h"
#include "water/water_accuracy.h"

struct rill_energy_options {
  struct rill_water_model model;
  double stiffness; /* of stiff bonds, sqrt(kJ/mol)/nm2; their energy and forces are included; 0: none */
  bool rigid;       /* molecules are fitted to the model's geometry first */
  bool periodic;    /* uses the structure's box; otherwise all pairs, without a box */
  /* For a box: nm, nm (RILL_LJ_SWITCH), and the largest relative error of forces with a mesh. */
  double cutoff, switch_from, accuracy;
  enum rill_coulomb_kind coulomb; /* not `all`, which is for vacuum */
  bool direct;                    /* the direct Ewald sum instead, to assess the mesh */
  enum rill_lj_kind lj;
};

/* Defaults: the default model in vacuum; in a box PME to 1e-6 within 0.9 nm. */
enum rill_status rill_energy_defaults(struct rill_energy_options *options, struct rill_error *error);

/* In kJ/mol and nm.  Released by rill_energy_release. */
struct rill_energy {
  size_t molecules;
  bool periodic;
  double lj, coulomb, penalty; /* lj: without the tail */
  double potential;            /* the sum of the three */
  double virial;               /* in vacuum over atoms, sum of r . f; in a box over molecules, without the tail */
  double virial_molecular;     /* sum over molecules of R . F */
  double largest_force;        /* component, kJ/mol/nm */
  double deviation;            /* of the geometry as read, relative to a bond length */
  double *forces;              /* [molecules][3][3], kJ/mol/nm, without constraint forces; owned */
  /* For a box. */
  double volume; /* nm3 */
  double lj_tail, tail_virial;
  double real, excluded, reciprocal, self; /* the terms of coulomb */
  double virial_tensor[3][3];              /* over molecules; see water/forces/periodic.h */
  double pressure, pressure_tail;          /* bar, at zero velocities: from the virial, from the tail */
  struct rill_pme_parameters mesh;         /* as chosen */
  struct rill_force_accuracy measured;     /* with this mesh */
};

/* Evaluates a structure; options->rigid changes it.  path names it in messages, and notes (NULL: none) report by how
 * much.  RILL_ERROR_INPUT: a box that is missing, or too small for the cutoff or the accuracy, or overlapping
 * molecules.  RILL_ERROR_UNSUPPORTED: stiff bonds in a box. */
enum rill_status rill_energy_of_structure(struct rill_structure *structure, const char *path,
                                          const struct rill_energy_options *options, const struct rill_notes *notes,
                                          struct rill_energy *energy, struct rill_error *error);
/* The same for the first frame of a GRO, PDB or XYZ file. */
enum rill_status rill_energy_of(const char *path, const struct rill_energy_options *options,
                                const struct rill_notes *notes, struct rill_energy *energy, struct rill_error *error);
/* Accepts a zeroed structure. */
void rill_energy_release(struct rill_energy *energy);

/* The word for the Coulomb interaction in a box, a deck's or "ewald" for the direct sum; reading one: false when
 * unknown. */
const char *rill_energy_coulomb_name(const struct rill_energy_options *options);
bool rill_energy_coulomb_read(const char *word, struct rill_energy_options *options);
bool rill_energy_has_mesh(const struct rill_energy_options *options);

#endif
