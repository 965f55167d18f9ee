/* The parameters of a mesh. */
#ifndef RILL_WATER_PME_PARAMETERS_H
#define RILL_WATER_PME_PARAMETERS_H

#include <stddef.h>

/* Higher orders gain nothing in single precision: rounding limits the accuracy first. */
enum { RILL_PME_ORDER_MAX = 12, RILL_PME_ORDER_MAX_SINGLE = 8 };

enum rill_mesh_precision {
  RILL_MESH_DOUBLE,
  RILL_MESH_SINGLE /* weights, mesh and transforms in float; positions and forces stay double */
};

struct rill_pme_parameters {
  double beta;    /* 1/nm: the screened charges are Gaussians exp(-beta2 r2) */
  int order;      /* of the splines: 4 ... rill_pme_order_max(precision) */
  size_t grid[3]; /* points along the box vectors a, b, c; each at least the order; even along c */
  enum rill_mesh_precision precision;
};

/* What a choice of parameters must keep to; zeros: nothing. */
struct rill_pme_wish {
  int order;
  size_t grid[3];
};

static inline int rill_pme_order_max(enum rill_mesh_precision precision) {
  return precision == RILL_MESH_SINGLE ? RILL_PME_ORDER_MAX_SINGLE : RILL_PME_ORDER_MAX;
}

#endif
