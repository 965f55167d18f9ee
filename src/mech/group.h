/* The `group` capability: a system on a Lie group with a left-trivialised kinetic energy, for methods that step by a
 * retraction.  Elements are [element_size] doubles (a rotation matrix: 9, row major), algebra elements [dimension]. */
#ifndef RILL_MECH_GROUP_H
#define RILL_MECH_GROUP_H

#include <stddef.h>

struct rill_group_ops {
  /* product = element retract(xi) (Cayley map, or exponential map): [element_size]. */
  void (*advance)(const void *self, const double *element, const double *xi, double *product);
  /* momentum = (dretract^-1_xi)^* covector: [dimension]. */
  void (*tangent_inverse_dual)(const void *self, const double *xi, const double *covector, double *momentum);
  /* Ad^*_{retract(xi)} covector: [dimension]. */
  void (*coadjoint)(const void *self, const double *xi, const double *covector, double *out);
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
