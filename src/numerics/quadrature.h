/* Quadrature rules on [0, 1], and Lagrange's polynomials: what Galerkin and shooting methods integrate an action with. */
#ifndef RILL_NUMERICS_QUADRATURE_H
#define RILL_NUMERICS_QUADRATURE_H

#include "base/status.h"

enum rill_quadrature_kind {
  RILL_QUADRATURE_GAUSS,      /* n nodes: order 2 n */
  RILL_QUADRATURE_LOBATTO     /* n >= 2 nodes, both ends among them: order 2 n - 2; n = 2 trapezoid, n = 3 Simpson */
};

enum { RILL_QUADRATURE_NODES = 64 };

struct rill_quadrature {
  enum rill_quadrature_kind kind;
  unsigned count;
  int order;                                                               /* exact for polynomials of degree < order */
  double node[RILL_QUADRATURE_NODES], weight[RILL_QUADRATURE_NODES];       /* [count], nodes rising */
};

/* To the last digit or so.  RILL_ERROR_USAGE when there is no such rule or room for it. */
enum rill_status rill_quadrature_set(enum rill_quadrature_kind kind, unsigned count, struct rill_quadrature *rule,
                                     struct rill_error *error);

/* Values and derivatives at x of the polynomials that are 1 at one of count >= 1 distinct points and 0 at the others:
 * [count] each. */
void rill_lagrange(unsigned count, const double *point, double x, double *value, double *derivative);

#endif
