/* Energy minimisation of penalised water in vacuum: L-BFGS over the Cartesian coordinates of the atoms,
 * preconditioned by the stiff part's Gauss-Newton Hessian, so that the number of iterations does not depend on the
 * penalty's stiffness. */
#ifndef RILL_WATER_RELAX_FLEXIBLE_H
#define RILL_WATER_RELAX_FLEXIBLE_H

#include "water/penalty/penalty.h"
#include "water/relax/minimize.h"

struct rill_flexible_report {
  enum rill_minimize_reason reason;
  size_t iterations, evaluations;
  double before, after; /* kJ/mol, total */
  double penalty;       /* part of it, at the end */
  double maximum_force; /* kJ/mol/nm, of a component, at the end */
};

/* positions: [molecules][3][3] nm.  The options used are force_tolerance, maximum_iterations, maximum_displacement
 * (of an atom in one iteration), isa and threads.  Errors leave the positions unchanged: RILL_ERROR_NOT_FINITE if
 * there is no finite energy to start from, RILL_ERROR_FAILED if molecules fused (as in minimize.h). */
enum rill_status rill_water_minimize_flexible(const struct rill_water_model *model, double stiffness,
                                              size_t molecules, const struct rill_minimize_options *options,
                                              double *positions, struct rill_flexible_report *report,
                                              struct rill_error *error);

#endif
