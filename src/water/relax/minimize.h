/* Energy minimisation of rigid water, in vacuum or in a periodic box.
 *
 * L-BFGS (Liu & Nocedal, Math. Program. 45, 503 (1989)) over the poses of the molecules: a molecule's six coordinates
 * are the displacement of its centre of mass and `length` times a rotation vector about it, taken from its present
 * pose and applied by the exponential map.  The molecules stay rigid by construction and no orientation is singular.
 *
 * A step of a molecule is capped and shortened until the energy decreases; while molecules overlap, steps go along
 * the forces alone.  Near a minimum the energy no longer resolves a step; there a step counts as downhill by the
 * slope at its end (the approximate Wolfe condition of Hager & Zhang, SIAM J. Optim. 16, 170 (2005)), so that the
 * forces, which are first order in the distance to the minimum, can be brought to their own round-off.
 *
 * The generalised force of a molecule is two numbers in kJ/mol/nm: the length of the net force on it, and the length
 * of the torque about its centre of mass divided by `length`, the root mean square distance of its sites from it
 * (0.075 nm for TIP3P).  `maximum` is the largest of all, `rms` the root mean square of the 2 N. */
#ifndef RILL_WATER_RELAX_MINIMIZE_H
#define RILL_WATER_RELAX_MINIMIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cpu.h"
#include "base/status.h"
#include "water/forces/forces.h"
#include "water/forces/wall.h"
#include "water/model/model.h"
#include "water/water_field.h"

struct rill_minimize_progress {
  size_t iteration;
  double energy;                   /* kJ/mol */
  double maximum_force, rms_force; /* kJ/mol/nm, as above */
};

struct rill_minimize_options {
  double force_tolerance; /* kJ/mol/nm, for the maximum force; 0 means down to round-off */
  size_t maximum_iterations;
  double maximum_displacement; /* nm, of a centre of mass in one iteration */
  double maximum_rotation;     /* rad, likewise */
  bool reference;              /* the plain force loops */
  enum rill_isa isa;
  int threads;
  /* A periodic box, and how forces are evaluated in it (with isa, threads and reference from above); NULL: vacuum.
   * Borrowed while the minimiser is created.  A truncated Lennard-Jones potential is shifted here, so that the energy
   * has no steps; the forces are the same. */
  const struct rill_field_options *box;
  const struct rill_wall *wall; /* confines a cluster; copied; NULL: none */
  size_t memory;                /* pairs that L-BFGS stores, up to 12; each takes 96 bytes per molecule */
  /* Called at the start (iteration 0) and after each iteration; if it returns false, the minimisation ends there.
   * May be NULL. */
  bool (*observe)(void *context, const struct rill_minimize_progress *progress);
  void *context;
};

/* 1e-3 kJ/mol/nm, 10000 iterations, 0.02 nm, 0.2 rad, the widest vectors, one thread, vacuum, 12 pairs. */
struct rill_minimize_options rill_minimize_defaults(void);

/* name, meaning */
#define RILL_MINIMIZE_REASON_LIST(X)                                                                                 \
  X(CONVERGED, "the largest force is below the tolerance")                                                           \
  X(ROUND_OFF, "round-off reached: neither energy nor forces can be lowered")                                        \
  X(ITERATION_LIMIT, "the limit of iterations is reached")                                                           \
  X(STOPPED, "stopped on request")

enum rill_minimize_reason {
#define X(name, meaning) RILL_MINIMIZE_##name,
  RILL_MINIMIZE_REASON_LIST(X)
#undef X
};

const char *rill_minimize_reason_meaning(enum rill_minimize_reason reason);

struct rill_minimize_report {
  enum rill_minimize_reason reason;
  size_t iterations, evaluations;           /* steps taken, force evaluations */
  struct rill_water_energies before, after; /* kJ/mol, without the wall's */
  double wall;                              /* kJ/mol, at the end */
  double maximum_force, rms_force;          /* kJ/mol/nm, at the end */
  double length;                            /* nm, by which torques are divided */
  double deviation;                         /* max |d - d0| / d0 of the returned positions */
};

struct rill_minimizer;

/* Allocates all workspace for this number of molecules.  RILL_ERROR_USAGE for invalid options; errors of the forces
 * are passed on. */
enum rill_status rill_minimizer_create(const struct rill_water_model *model, size_t molecules,
                                       const struct rill_minimize_options *options, struct rill_minimizer **minimizer,
                                       struct rill_error *error);

/* Minimises positions [molecules][3][3] nm, which are first restored to the model's geometry; the centre of mass of
 * the system is unchanged; molecules may leave a box.  May be called again for other positions.  Each reason to end
 * that a report can name gives RILL_OK.
 * Positions are unchanged on
 *   RILL_ERROR_INPUT       a position that is not finite, a molecule without a plane;
 *   RILL_ERROR_NOT_FINITE  molecules on top of each other: no finite energy to start from;
 *   RILL_ERROR_FAILED      molecules fused: a hydrogen fell onto another molecule's oxygen, where point charges
 *                          without a repulsion of their own have no lowest energy. */
enum rill_status rill_minimizer_run(struct rill_minimizer *minimizer, double *positions,
                                    struct rill_minimize_report *report, struct rill_error *error);

/* Accepts NULL. */
void rill_minimizer_destroy(struct rill_minimizer *minimizer);

/* Create, run and destroy in one call. */
enum rill_status rill_water_minimize(const struct rill_water_model *model, size_t molecules,
                                     const struct rill_minimize_options *options, double *positions,
                                     struct rill_minimize_report *report, struct rill_error *error);

#endif
