/* Quadrature rules on [0, 1] and Lagrange polynomials, with which Galerkin and shooting methods integrate an
 * action. */
#ifndef RILL_NUMERICS_QUADRATURE_H
#define RILL_NUMERICS_QUADRATURE_H

#include "base/status.h"

enum rill_quadrature_kind {
  RILL_QUADRATURE_GAUSS,  /* n nodes: order 2 n */
  RILL_QUADRATURE_LOBATTO /* n >= 2 nodes including both ends: order 2 n - 2; n = 2 trapezoid, n = 3 Simpson */
};

enum { RILL_QUADRATURE_NODES = 64 };

struct rill_quadrature {
  enum rill_quadrature_kind kind;
  unsigned count;
  int order;                                                         /* exact for polynomials of lower degree */
  double node[RILL_QUADRATURE_NODES], weight[RILL_QUADRATURE_NODES]; /* [count], nodes in increasing order */
};

/* Accurate to about the last digit.  RILL_ERROR_USAGE when no such rule exists or it has too many nodes. */
enum rill_status rill_quadrature_set(enum rill_quadrature_kind kind, unsigned count, struct rill_quadrature *rule,
                                     struct rill_error *error);

/* Values and derivatives at x, [count] each, of the polynomials that are 1 at one of count >= 1 distinct points and 0
 * at the others. */
void rill_lagrange(unsigned count, const double *point, double x, double *value, double *derivative);

#endif
