/* Options of the forces in a box, or of an open cluster with a cutoff: the interaction, and how it is computed. */
#ifndef RILL_WATER_FORCES_PERIODIC_OPTIONS_H
#define RILL_WATER_FORCES_PERIODIC_OPTIONS_H

#include "base/choices.h"
#include "base/cpu.h"
#include "base/ranks.h"
#include "parallel/bricks.h"

struct rill_periodic_options {
  int open;         /* no box: a cluster in vacuum, with a cutoff */
  double box[3][3]; /* rows a, b, c of a lower triangle */
  double cutoff;
  enum rill_coulomb_kind coulomb;
  double beta;       /* Ewald parameter, 1/nm */
  double dielectric; /* of the reaction field; 0: infinite */
  enum rill_lj_kind lj;
  double switch_from;            /* of RILL_LJ_SWITCH */
  int tail;                      /* corrections for the Lennard-Jones interaction beyond the cutoff */
  int excluded_elsewhere;        /* the mesh itself subtracts pairs within molecules */
  int by_atom;                   /* cut by the distance of atoms (charges); else by that of oxygens */
  enum rill_precision precision; /* mixed: pairs in single precision, their sums exact integers */
  int reference;                 /* the plain loops, in double */
  enum rill_isa isa;
  int threads;
  double buffer, inner_buffer; /* of the lists; 0: chosen here */
  /* Ranks that share a closed box, each a brick of it; NULL: all is here.  They call all functions together. */
  struct rill_ranks *ranks;
  struct rill_bricks bricks;
  int mesh_ranks;        /* that transform the mesh; 0: all */
  size_t all;            /* with ranks: molecules of the whole box */
  double bond_tolerance; /* bonds may exceed the model's by this fraction; 0: 0.02, enough for short files */
};

#endif
