/* Constants of a rigid molecule of three atoms, for every constraint solver.
 *
 * Bonds c = 0, 1, 2 are O-H1, O-H2, H1-H2 with vectors r_c = x_j - x_i.  A solver's result is three impulses g_c (u
 * nm): atom i moves by (1/m_i) sum_c s_ic g_c r_c, where s = -1 for a bond's first atom, +1 for its second, and r_c
 * are the bonds before the move.  Impulses act along bonds, equal and opposite, so that momentum and angular momentum
 * are conserved to round-off. */
#ifndef RILL_WATER_CONSTRAINTS_RIGID_H
#define RILL_WATER_CONSTRAINTS_RIGID_H

#include <stdbool.h>

#include "base/choices.h"
#include "base/status.h"
#include "water/model/model.h"

static inline bool rill_constraint_solver_is_of_bodies(enum rill_constraint_solver solver) {
  return solver == RILL_BODIES_LGVI || solver == RILL_BODIES_ROTOR;
}

struct rill_constraint_options {
  enum rill_constraint_solver solver;
  double tolerance;          /* max |d - d0| / d0, for the iterative solvers */
  double velocity_tolerance; /* |v.r| / (|r| v_thermal) */
  double thermal_velocity;   /* nm/ps */
  unsigned max_iterations;
};

struct rill_rigid {
  enum rill_constraint_solver solver;
  double inverse_mass[RILL_ATOMS];
  double d2[RILL_BONDS];            /* squared lengths, nm2 */
  double a[RILL_BONDS][RILL_BONDS]; /* A_ce = sum_i s_ic s_ie / m_i, 1/u */
  double k[RILL_BONDS][RILL_BONDS]; /* inverse of A_ce r_c . r_e at the model's geometry: velocity projection */
  /* SETTLE: distances of O and of the H-H line from the centre of mass, half the H-H distance, mass fraction of H */
  double ra, rb, rc, hydrogen_fraction;
  double inverse_ra, half_inverse_rc, impulse_sum, impulse_third; /* its quotients */
  double tolerance, velocity_limit;                               /* of |d - d0| / d0; of |v.r| / |r|, nm/ps */
  unsigned max_iterations;
  unsigned velocity_passes; /* of the direct projection: more than one if lengths only approximate d0 */
};

/* Creates the constraints of a molecule of this model.  RILL_ERROR_INPUT for a geometry whose constraints are
 * singular (collinear), a mass that is not positive, and for SETTLE two different hydrogens. */
enum rill_status rill_rigid_create(const struct rill_water_model *model,
                                   const struct rill_constraint_options *options, struct rill_rigid *rigid,
                                   struct rill_error *error);

#endif
