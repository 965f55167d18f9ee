/* The `lagrangian` capability: L(q, v) with its derivatives, and holonomic constraints, dense (n up to about 100).
 * The discrete Euler-Lagrange equations are written over it, for any L, in constrained or generalised coordinates. */
#ifndef RILL_MECH_LAGRANGIAN_H
#define RILL_MECH_LAGRANGIAN_H

#include <stdbool.h>
#include <stddef.h>

/* Matrices are [n][n], row major. */
struct rill_lagrangian_values {
  double value;
  double *dq, *dv;         /* [n] */
  double *dqq, *dqv, *dvv; /* dqv[i][j] = d2L / dq_i dv_j */
};

struct rill_lagrangian_ops {
  /* Fills the members of values that are not NULL. */
  void (*evaluate)(const void *self, const double *q, const double *v, struct rill_lagrangian_values *values);
  void (*constraint)(const void *self, const double *q, double *g);      /* [m]; NULL when m = 0 */
  void (*jacobian)(const void *self, const double *q, double *jacobian); /* [m][n], overwritten */
  /* hessian = sum_c multiplier_c D2g_c: [n][n], overwritten. */
  void (*constraint_hessian)(const void *self, const double *multiplier, const double *q, double *hessian);
};

struct rill_chart;

struct rill_lagrangian {
  const struct rill_lagrangian_ops *ops;
  size_t n, m;
  bool quadratic;                 /* at most quadratic in v: the Legendre transform is then one linear solve */
  const struct rill_chart *chart; /* of generalised coordinates; NULL: none */
  const void *self;
};

/* Generalised coordinates q as a chart psi of the constraint manifold in the space of an embedding Lagrangian:
 * v = psi(q), L(q, q') = embedding L(psi(q), Dpsi(q) q').  Wendlandt & Marsden, section 4.2. */
struct rill_chart_ops {
  void (*embed)(const void *self, const double *q, double *v);         /* [N], N = embedding->n */
  void (*tangent)(const void *self, const double *q, double *tangent); /* Dpsi: [N][n], row major, overwritten */
};

struct rill_chart {
  const struct rill_chart_ops *ops;
  const struct rill_lagrangian *embedding;
  const void *self;
};

#endif
