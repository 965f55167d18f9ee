/* What a force evaluation sums up if requested: energies in kJ/mol, and virials. */
#ifndef RILL_WATER_FORCES_ENERGIES_H
#define RILL_WATER_FORCES_ENERGIES_H

/* Beside forces, which are the same bytes in each case.  The virial alone costs a quarter of an evaluation. */
enum rill_wanted { RILL_WANT_FORCES, RILL_WANT_VIRIAL, RILL_WANT_ENERGIES };

/* In vacuum. */
struct rill_water_energies {
  double lj, coulomb;
  double virial; /* sum over atoms of r . f, without constraint forces */
};

/* In a box, or in an open cluster with a cutoff. */
struct rill_periodic_energies {
  double lj, lj_tail;
  double coulomb;      /* within the cutoff */
  double excluded;     /* of pairs within molecules, which the reciprocal (or reaction field) part includes wrongly */
  double virial[3][3]; /* molecular: sum over pairs of (R_i - R_j) (x) F_ij, centres of mass; without the tail */
  double tail_virial;  /* trace */
};

#endif
