/* Discrete Euler-Lagrange equations for any Lagrangian, in constrained or generalised coordinates.
 * Wendlandt & Marsden, Physica D 106, 223 (1997), sections 4.1 to 4.4. */
#ifndef RILL_INTEGRATORS_DISCRETE_LAGRANGIAN_H
#define RILL_INTEGRATORS_DISCRETE_LAGRANGIAN_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_dvp, rill_method_dvp_onepoint, rill_method_variational_euler,
    rill_method_dvp_generalised;

/* The discrete momenta and energy of a pair x = q_k, y = q_k+1 of the midpoint discrete Lagrangian (4.1), Ld(x,
 * y) = h L((x + y)/2, (y - x)/h): p_x = -D1 Ld, p_y = D2 Ld, [n]; with constraints they are determined up to rows of
 * Dg at x and y.  A two-point run of the paper is the one-step run from (x, p_x), or from (y, p_y).
 * energy = v.L_v - L at the midpoint.  Any output may be NULL.  work: [4 n]. */
void rill_discrete_pair(const struct rill_lagrangian *lagrangian, double h, const double *x, const double *y,
                        double *p_x, double *p_y, double *energy, double *work);

#endif
