/* Fixman's potential, by which rods have the law of positions that stiff springs have: Fixman, Proc. Natl. Acad. Sci.
 * USA 71, 3050 (1974).
 *
 * In a heat bath, springs with the energy (w^2/2) |g(q)|^2 have for w -> infinity the density exp(-V / k T) delta(g)
 * dq, and rods g(q) = 0 the density exp(-V / k T) det(G)^(1/2) delta(g) dq, with G = Dg M^-1 Dg^T, since their
 * momenta are tangent.  Rods in the potential V + (k T / 2) ln det G therefore have the law of the springs' limit.
 * The gradient is (k T / 2) tr(G^-1 grad G), which needs G^-1 only where G has entries: for chains the cost is linear
 * in their length. */
#ifndef RILL_SYSTEMS_FIXMAN_H
#define RILL_SYSTEMS_FIXMAN_H

#include "mech/mechanical.h"

struct rill_fixman {
  const struct rill_mechanical *mechanical; /* borrowed; NULL: zeroed */
  const double *inverse_mass;               /* [n], borrowed */
  struct rill_band product;                 /* G, then the entries of G^-1 within its band */
};

/* For constraints that offer add_product_gradient.  RILL_ERROR_MEMORY. */
enum rill_status rill_fixman_create(const struct rill_mechanical *mechanical, const double *inverse_mass,
                                    struct rill_fixman *fixman, struct rill_error *error);
void rill_fixman_destroy(struct rill_fixman *fixman); /* accepts a zeroed struct */

/* (k T / 2) ln det G at q, and its gradient, added to `gradient`: [n], or NULL.  NaN, and nothing added, where the
 * gradients of the constraints are linearly dependent. */
double rill_fixman_potential(struct rill_fixman *fixman, double temperature, const double *q, double *gradient);

#endif
