/* Leimkuhler & Patrick's integrator on a Riemannian manifold, on spheres: J. Nonlinear Sci. 6, 367 (1996). */
#ifndef RILL_INTEGRATORS_RIEMANNIAN_LEAPFROG_H
#define RILL_INTEGRATORS_RIEMANNIAN_LEAPFROG_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_riemannian_leapfrog;
/* With the misprint of section 5.1, to show what it does; in no registry. */
extern const struct rill_method rill_method_riemannian_leapfrog_printed;

/* A of (30)-(33) at q of the unit sphere for a tangent w, of the metric g = sum_i metric_i dq_i^2: A = g^sharp of the
 * covector that h = g - 1 gives, 0 for a multiple of the round metric.  printed: with the term of section 5.1 as the
 * paper has it, -(1/2) h(q, w) w for -h(q, w) w; the method is then not consistent. */
void rill_riemannian_correction(const double metric[3], bool printed, const double q[3], const double w[3],
                                double correction[3]);

/* exp_q w, as the rotation that takes q there: row major.  It is the parallel transport along the geodesic too. */
void rill_sphere_rotation(const double q[3], const double w[3], double rotation[9]);

#endif
