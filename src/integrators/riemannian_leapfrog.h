/* Leimkuhler & Patrick's integrator on a Riemannian manifold, on spheres: J. Nonlinear Sci. 6, 367 (1996). */
#ifndef RILL_INTEGRATORS_RIEMANNIAN_LEAPFROG_H
#define RILL_INTEGRATORS_RIEMANNIAN_LEAPFROG_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_riemannian_leapfrog;
/* With the misprint of section 5.1, for tests and demonstrations of its effect; not registered. */
extern const struct rill_method rill_method_riemannian_leapfrog_printed;

/* A of (30)-(33) at q on the unit sphere for a tangent w, in the metric g = sum_i metric_i dq_i^2: A is g^sharp of
 * the covector that follows from h = g - 1, and 0 for a multiple of the round metric.  printed: with the term of
 * section 5.1 as the paper has it, -(1/2) h(q, w) w for -h(q, w) w; the method is then not consistent. */
void rill_riemannian_correction(const double metric[3], bool printed, const double q[3], const double w[3],
                                double correction[3]);

/* exp_q w as the rotation matrix that takes q there, row major.  It is also the parallel transport along the
 * geodesic. */
void rill_sphere_rotation(const double q[3], const double w[3], double rotation[9]);

#endif
