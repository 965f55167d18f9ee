/* Energies, forces and virial of water in a periodic box, for one structure. */
#ifndef RILL_CLI_ENERGY_PERIODIC_H
#define RILL_CLI_ENERGY_PERIODIC_H

#include "cli/command.h"
#include "structure/structure.h"
#include "water/forces/lennard_jones.h"
#include "water/model/model.h"
#include "water/water_accuracy.h"

enum rill_box_coulomb { RILL_BOX_PME, RILL_BOX_EWALD, RILL_BOX_REACTION_FIELD, RILL_BOX_CUT };

struct rill_box_energies {
  /* What was asked for. */
  double cutoff, switch_from, accuracy;       /* nm, nm; of the mesh, relative */
  enum rill_box_coulomb coulomb;
  enum rill_lj_kind lj_kind;
  /* What was chosen: of the mesh. */
  struct rill_pme_parameters mesh;
  struct rill_force_accuracy measured;        /* of the forces with a mesh */
  /* What came out, kJ/mol and nm3. */
  double lj, lj_tail;
  double coulomb_energy, real, excluded, reciprocal, self;  /* the first is the sum of the others */
  double virial[3][3], tail_virial;                         /* over molecules; see water/forces/periodic.h */
  double volume;
};

/* The options cutoff, coulomb, lj, switch-from and accuracy, with their defaults. */
enum rill_status rill_box_energies_choose(const struct rill_arguments *arguments, struct rill_box_energies *box,
                                          struct rill_error *error);

/* forces: [molecules][3][3], kJ/mol/nm.  RILL_ERROR_INPUT for a structure without a box, for a cutoff that the box
 * does not hold or that is too short, and for an accuracy that cannot be had. */
enum rill_status rill_box_energies_evaluate(const struct rill_water_model *model,
                                            const struct rill_structure *structure, struct rill_box_energies *box,
                                            double *forces, struct rill_error *error);

/* Pressures in bar at zero velocities, of the virial and of what the tail adds. */
double rill_box_pressure(const struct rill_box_energies *box);
double rill_box_tail_pressure(const struct rill_box_energies *box);

const char *rill_box_coulomb_name(enum rill_box_coulomb coulomb);
const char *rill_lj_kind_name(enum rill_lj_kind kind);

#endif
