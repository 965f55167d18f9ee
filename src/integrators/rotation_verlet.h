/* Velocity Verlet on SO(3), half a kick, a discrete step of the free body, half a kick, where the free step comes
 * from one of two discrete Lagrangians.  For body momentum Pi, inertia J and a step h the free step is R' = R F,
 * Pi' = F^T Pi with
 *
 *  LGVI          F J_d - J_d F^T = h Pi^,  J_d = (tr J) / 2 - J
 *                (Leok & Shingel, eqs (5)-(9); Lee, Leok & McClamroch, CMAME 196, 2907 (2007))
 *  Lie-Poisson   F = exp(w^),  J w + w x J w / 2 - (1 - x cot x) (J w)_perp = h Pi,  x = |w| / 2
 *                (Leimkuhler & Patrick, J. Nonlinear Sci. 6, 367 (1996), eqs (46), (47), corrected)
 *
 * Both are symplectic, symmetric and of order 2, and conserve R Pi.  LGVI conserves the kinetic energy too: its free
 * motion is the exact one with rescaled time.  The Lie-Poisson step follows from the Lagrangian w.J w / 2 h: it is
 * lie-verlet's with the exponential map. */
#ifndef RILL_INTEGRATORS_ROTATION_VERLET_H
#define RILL_INTEGRATORS_ROTATION_VERLET_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_lgvi, rill_method_lie_poisson;
/* With (45) as printed, for tests and demonstrations of the misprint's effect; not registered. */
extern const struct rill_method rill_method_lie_poisson_printed;

/* Matrices are row major.  The solves iterate to round-off; *iterations receives their number.
 * RILL_ERROR_CONVERGENCE: there is no solution near 0, because the step is too long. */

/* g = G(f) of (5) for F = exp(f^). */
void rill_lgvi_map(const double inertia[9], const double f[3], double g[3]);

/* f with F = exp(f^) for g = h Pi, by Newton's method (7). */
enum rill_status rill_lgvi_solve_exponential(const double inertia[9], const double g[3], double f[3],
                                             unsigned *iterations, struct rill_error *error);

/* f with F = (1 + f^) (1 - f^)^-1, by Newton's method on (9). */
enum rill_status rill_lgvi_solve_cayley(const double inertia[9], const double g[3], double f[3], unsigned *iterations,
                                        struct rill_error *error);

/* u with F the rotation by the unit quaternion (s, u), s = (1 - |u|^2)^(1/2), by Newton's method on the discrete
 * Euler-Poincare equation 2 (s J u + u x J u) = g.  It is what left translation leaves of Wendlandt & Marsden's
 * discrete Lagrangian (5.8), 2 u.J u / h for (s, u) = conj(q_k) q_k+1. */
enum rill_status rill_lgvi_solve_quaternion(const double inertia[9], const double g[3], double u[3],
                                            unsigned *iterations, struct rill_error *error);

/* The factor of (J w)_perp. */
enum rill_lie_poisson_form {
  RILL_LIE_POISSON,        /* 1 - x cot x */
  RILL_LIE_POISSON_PRINTED /* as (45), (46) print it: not a Poisson map, although of order 2 and conserving |Pi| */
};

/* w for h Pi = g, by fixed-point iteration from w = J^-1 g until the change is below tolerance |w|, or
 * to round-off. */
enum rill_status rill_lie_poisson_solve(const double inertia[9], const double inverse[9],
                                        enum rill_lie_poisson_form form, const double g[3], double tolerance,
                                        unsigned max_iterations, double w[3], unsigned *iterations,
                                        struct rill_error *error);

#endif
