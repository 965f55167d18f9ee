/* Shared by all separable small systems: the state, how it is saved and observed, the flows, and the `mechanical` and
 * `lagrangian` capabilities.  A system supplies a model: masses, potential, constraints (mech/mechanical.h).
 *
 * Flows.  Without constraints the drift is exact.  With constraints g(q) = 0 it is
 *   q' = q + h M^-1 (p + Dg(q)^T mu),  g(q') = 0,  p' = p + Dg(q)^T mu,
 *   where Newton's method with the band matrix Dg(q') M^-1 Dg(q)^T gives mu, and one solve with Dg M^-1 Dg^T
 *   projects p onto the tangent space: kick-drift-kick is then RATTLE (Andersen 1983; Hairer, Lubich & Wanner,
 *   Geometric Numerical Integration, VII.1.4).  The cost is linear in n for a fixed band width.  The same solve
 *   projects the Ornstein-Uhlenbeck flow of a heat bath (heat_bath.h). */
#ifndef RILL_SYSTEMS_MECHANICAL_SYSTEM_H
#define RILL_SYSTEMS_MECHANICAL_SYSTEM_H

#include <stdbool.h>

#include "mech/system.h"

struct rill_mechanical_model {
  const char *name, *summary;
  const struct rill_mechanical_ops *ops;
  size_t n, m;
  size_t bandwidth, ring_bandwidth, reach; /* as in struct rill_mechanical */
  bool stiff;                              /* V has a part V_stiff, as in struct rill_mechanical */
  size_t penalties;                        /* length of s(q) */
  size_t spheres;                          /* as in struct rill_mechanical */
  double radius[RILL_SPHERES_MOST];        /* of those */
  bool constant_measure;                   /* det(Dg M^-1 Dg^T) is constant on g = 0; else add_product_gradient */
  const struct rill_nonholonomic_ops *nonholonomic; /* constraints on velocities, called with `self`; NULL: none */
  size_t velocity_constraints;                      /* their number */
  const double *mass;                               /* [n], copied */
  const double *q, *v;                              /* [n] initial positions and velocities, copied */
  void *self;                                       /* passed to the ops */
  void (*destroy)(void *self); /* the created system owns self; also called when creation fails */
  /* Linear momentum and angular momentum about the origin; NULL: not defined (NaN). */
  void (*momenta)(const void *self, const double *q, const double *p, double linear[3], double angular[3]);
  /* For penalties (NULL without): deviations s(q) and Ds(q) v, largest and root mean square; and the multipliers
   * -w^2 (s(q) + Ds(q) u): [penalties]. */
  void (*deviations)(const void *self, const double *q, const double *v, struct rill_observation *observation);
  void (*multipliers)(const void *self, const double *q, const double *u, double *multiplier);
};

/* The momenta are M v, projected onto the tangent space of the constraints; positions must satisfy the
 * constraints. */
enum rill_status rill_mechanical_system_create(const struct rill_mechanical_model *model, struct rill_system *system,
                                               struct rill_error *error);

enum { RILL_LAGRANGIAN_LARGEST = 100 }; /* coordinates up to which the dense lagrangian capability is offered */

#endif
