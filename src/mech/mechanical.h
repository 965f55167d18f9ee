/* The `mechanical` capability: a separable system H = p M^-1 p / 2 + V(q), M diagonal and constant, with holonomic
 * constraints g(q) = 0.  Implicit methods, RATTLE with Newton's method and the Zhang-Skeel filters use it.
 *
 * V = V_soft + V_stiff, where V_stiff = (w^2/2) |s(q)|^2 is the penalty of a penalised system (0 otherwise). */
#ifndef RILL_MECH_MECHANICAL_H
#define RILL_MECH_MECHANICAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/choices.h"
#include "numerics/band.h"

struct rill_mechanical_ops {
  double (*potential)(const void *self, const double *q);
  void (*gradient)(const void *self, const double *q, double *gradient); /* of V: [n], overwritten */
  /* hessian += scale * (part's Hessian); symmetric, within `bandwidth`. */
  void (*add_hessian)(const void *self, enum rill_hessian_part part, double scale, const double *q,
                      struct rill_band *hessian);
  /* out = sum_jk d3V / dq_i dq_j dq_k a_j a_k: [n], overwritten. */
  void (*third)(const void *self, const double *q, const double *a, double *out);
  /* Constraints; NULL when m = 0. */
  void (*constraint)(const void *self, const double *q, double *g); /* [m] */
  /* out += sum_c multiplier_c Dg_c: [n]. */
  void (*add_constraint_force)(const void *self, const double *q, const double *multiplier, double *out);
  /* out_c = Dg_c(q) . u: [m], overwritten. */
  void (*constraint_rate)(const void *self, const double *q, const double *u, double *out);
  /* product += Dg(q) W Dg(q0)^T with diagonal weights W [n]: [m][m], within `reach`. */
  void (*add_constraint_product)(const void *self, const double *q, const double *weight, const double *q0,
                                 struct rill_band *product);
  /* out += scale grad tr(S Dg W Dg^T): [n]; S symmetric and constant; only its entries within `reach` matter. */
  void (*add_product_gradient)(const void *self, const double *q, const double *weight, const struct rill_band *s,
                               double scale, double *out);
  /* hessian += sum_c multiplier_c D2g_c. */
  void (*add_constraint_hessian)(const void *self, const double *multiplier, const double *q,
                                 struct rill_band *hessian);
  /* How long steps should be at q, relative to each other, with the gradient [n].  NULL: not known. */
  double (*step_size)(const void *self, const double *q, double *gradient);
  /* Dg, dense: [m][n], row major, overwritten; for dense Newton methods. */
  void (*jacobian)(const void *self, const double *q, double *jacobian);
};

enum { RILL_SPHERES_MOST = 4 };

struct rill_mechanical {
  const struct rill_mechanical_ops *ops;
  size_t n, m;
  size_t bandwidth;      /* Hessian entries with |i - j| > bandwidth vanish; n - 1 for dense ones */
  size_t ring_bandwidth; /* not 0: entries vanish beyond this distance around the ring of indices */
  size_t reach;          /* the bandwidth of Dg M^-1 Dg^T */
  const double *mass;    /* [n] */
  bool stiff;            /* there is a V_stiff */
  /* Not 0: the configurations are a product of spheres, n = 3 spheres.  The point k is at the end of rods of these
   * lengths in a row from the origin, sum over a <= k of radius[a] u_a, |u_a| = 1; there is no other constraint. */
  size_t spheres;
  double radius[RILL_SPHERES_MOST];
  const void *self;
};

/* Makes a matrix of the smallest width that holds the Hessian. */
enum rill_status rill_mechanical_hessian_create(const struct rill_mechanical *mechanical, struct rill_band *hessian,
                                                struct rill_error *error);

/* Solves for the accelerations of implicit methods; its matrices and scratch are reused. */
struct rill_acceleration_solver {
  const struct rill_mechanical *mechanical;
  struct rill_band matrix;             /* M + scale H */
  double *gradient, *change, *shifted; /* [n] scratch */
  unsigned iterations;                 /* of the last pushforward */
  double residual;                     /* its last change */
};

enum rill_status rill_acceleration_solver_create(const struct rill_mechanical *mechanical,
                                                 struct rill_acceleration_solver *solver, struct rill_error *error);
void rill_acceleration_solver_destroy(struct rill_acceleration_solver *solver); /* accepts a zeroed struct */

/* (M + scale H(q)) a = -grad V(q) - H(q) shift, shift NULL for 0: the force linearised at q, where the position is
 * q + shift + scale a.  Overwrites a: [n]. */
enum rill_status rill_acceleration_linear(struct rill_acceleration_solver *solver, enum rill_hessian_part part,
                                          double scale, const double *q, const double *shift, double *a,
                                          struct rill_error *error);

/* M a = -grad V(x + scale a), by Newton's method from a = 0, whose first iterate is the linear acceleration above;
 * until the change is below tolerance times the largest |a|, or round-off stops the decrease. RILL_ERROR_CONVERGENCE.
 */
enum rill_status rill_acceleration_pushforward(struct rill_acceleration_solver *solver, enum rill_hessian_part part,
                                               double scale, const double *x, double tolerance,
                                               unsigned max_iterations, double *a, struct rill_error *error);

#endif
