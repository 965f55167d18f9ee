/* The `group` capability: a system on a Lie group G with L = xi.I xi / 2 - V(g), xi = g^-1 g' the body velocity, for
 * methods that step by a retraction tau from the Lie algebra to G.  Elements are [element_size] doubles (a rotation
 * matrix: 9, row major), algebra elements and their duals [dimension].  dtau is the right-trivialised tangent of the
 * retraction.  Outputs may not be arguments. */
#ifndef RILL_MECH_GROUP_H
#define RILL_MECH_GROUP_H

#include <stddef.h>

struct rill_group_ops {
  /* product = element tau(xi): [element_size]. */
  void (*advance)(const void *self, const double *element, const double *xi, double *product);
  /* momentum = (dtau^-1_xi)^* covector: [dimension].  With -xi it is Ad^*_{tau(xi)} of the same. */
  void (*tangent_inverse_dual)(const void *self, const double *xi, const double *covector, double *momentum);
  /* Its derivative in xi, along `along`: [dimension]. */
  void (*tangent_inverse_dual_derivative)(const void *self, const double *xi, const double *covector,
                                          const double *along, double *out);
  /* Body momentum I xi, and its inverse. */
  void (*inertia)(const void *self, const double *xi, double *momentum);
  void (*inertia_inverse)(const void *self, const double *momentum, double *xi);
  /* Reduced force: -dV(R) left-trivialised, [dimension]; and V. */
  void (*force)(const void *self, const double *element, double *force);
  double (*potential)(const void *self, const double *element);
};

struct rill_group {
  const struct rill_group_ops *ops;
  size_t dimension, element_size;
  const void *self;
};

#endif
