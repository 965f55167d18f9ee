/* A potential of the angle between two bonds that share a particle:
 *   V = (stiffness / 2) (u - cosine)^2,   u = (q_i - q_j) . (q_k - q_j) / lengths,
 * where u is the cosine of the angle at j for bonds at their lengths; quadratic in the positions, so that all
 * derivatives of V are polynomials. */
#ifndef RILL_SYSTEMS_BEND_H
#define RILL_SYSTEMS_BEND_H

#include <stddef.h>

#include "numerics/band.h"

struct rill_bend {
  size_t i, j, k;                    /* particles */
  double lengths, stiffness, cosine; /* lengths: the product of the two */
};

/* q, a, out: [particles][dimension], dimension 2 or 3. */
double rill_bend_potential(const struct rill_bend *bend, size_t dimension, const double *q);
/* out += grad V. */
void rill_bend_add_gradient(const struct rill_bend *bend, size_t dimension, const double *q, double *out);
/* hessian += scale D2V. */
void rill_bend_add_hessian(const struct rill_bend *bend, size_t dimension, double scale, const double *q,
                           struct rill_band *hessian);
/* out += D3V(a, a, .). */
void rill_bend_add_third(const struct rill_bend *bend, size_t dimension, const double *q, const double *a,
                         double *out);

#endif
