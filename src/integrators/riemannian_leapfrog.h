/* Leimkuhler & Patrick's integrator on a Riemannian manifold, on spheres: J. Nonlinear Sci. 6, 367 (1996). */
#ifndef RILL_INTEGRATORS_RIEMANNIAN_LEAPFROG_H
#define RILL_INTEGRATORS_RIEMANNIAN_LEAPFROG_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_riemannian_leapfrog;
/* With the misprint of section 5.1, for tests and demonstrations of its effect; not registered. */
extern const struct rill_method rill_method_riemannian_leapfrog_printed;

/* The metric of rods in a row, the first from the origin, with a mass at the end of each: on unit vectors u_a, the
 * sum over k and i of mass[k][i] (sum over a <= k of length[a] du_a,i)^2.  One rod of length 1: any constant diagonal
 * metric of R^3, restricted to the sphere. */
struct rill_rods {
  size_t count;         /* at most RILL_SPHERES_MOST */
  const double *length; /* [count] */
  const double *mass;   /* [count][3] */
};

/* A of (30)-(33) at q on a product of unit spheres for a tangent w, in the metric g of the rods, along geodesics of
 * round spheres: A is g^sharp of the covector that follows from g less a round metric on each sphere, and 0 for such
 * a metric.  printed: with the term of section 5.1 as the paper has it, -(1/2) h(q, w) w for -h(q, w) w; the method
 * is then not consistent.  Vectors: [count][3]. */
void rill_riemannian_correction(const struct rill_rods *rods, bool printed, const double *q, const double *w,
                                double *correction);

/* exp_q w on one unit sphere as the rotation matrix that takes q there, row major.  It is also the parallel transport
 * along the geodesic. */
void rill_sphere_rotation(const double q[3], const double w[3], double rotation[9]);

#endif
