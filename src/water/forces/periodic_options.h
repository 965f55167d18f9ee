/* The forces of a box, or of an open cluster with a cutoff: which they are, and how they are computed. */
#ifndef RILL_WATER_FORCES_PERIODIC_OPTIONS_H
#define RILL_WATER_FORCES_PERIODIC_OPTIONS_H

#include "base/choices.h"
#include "base/cpu.h"

struct rill_periodic_options {
  int open;         /* no box: a cluster in vacuum, with a cutoff */
  double box[3][3]; /* rows a, b, c: a lower triangle */
  double cutoff;
  enum rill_coulomb_kind coulomb;
  double beta;       /* of Ewald, 1/nm */
  double dielectric; /* of the reaction field; 0: infinite */
  enum rill_lj_kind lj;
  double switch_from;            /* of RILL_LJ_SWITCH */
  int tail;                      /* corrections for what the cutoff leaves out of Lennard-Jones */
  int excluded_elsewhere;        /* pairs within molecules: the mesh takes them off itself */
  int by_atom;                    /* atoms within the cutoff; else molecules whose oxygens are */
  enum rill_precision precision; /* mixed: pairs in single precision, their sums exact integers */
  int reference;                 /* the plain loops, in double */
  enum rill_isa isa;
  int threads;
  double buffer, inner_buffer; /* of the lists; 0: chosen */
  double bond_tolerance; /* bonds may be longer than the model's by this part; 0: 0.02, enough for short files */
};

#endif
