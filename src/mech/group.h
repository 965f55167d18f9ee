/* The `group` capability: a system on a Lie group G with L = xi.I xi / 2 - V(g), xi = g^-1 g' the body velocity, for
 * methods that step by a retraction tau from the Lie algebra to G.  Elements are [element_size] doubles (a rotation
 * matrix: 9, row major), algebra elements and their duals [dimension].  dtau is the right-trivialised tangent of the
 * retraction.  Outputs may not be arguments. */
#ifndef RILL_MECH_GROUP_H
#define RILL_MECH_GROUP_H

#include <stdbool.h>
#include <stddef.h>

struct rill_group_ops {
  /* product = element tau(xi): [element_size]. */
  void (*advance)(const void *self, const double *element, const double *xi, double *product);
  /* momentum = (dtau^-1_xi)^* covector: [dimension].  With -xi it is Ad^*_{tau(xi)} of the same result. */
  void (*tangent_inverse_dual)(const void *self, const double *xi, const double *covector, double *momentum);
  /* Its derivative with respect to xi, in the direction `along`: [dimension]. */
  void (*tangent_inverse_dual_derivative)(const void *self, const double *xi, const double *covector,
                                          const double *along, double *out);
  /* Body momentum I xi, and its inverse. */
  void (*inertia)(const void *self, const double *xi, double *momentum);
  void (*inertia_inverse)(const void *self, const double *momentum, double *xi);
  /* Reduced force: left-trivialised -dV(R), [dimension]; and V. */
  void (*force)(const void *self, const double *element, double *force);
  double (*potential)(const void *self, const double *element);
  /* Derivative of the force along a change of the element's entries [element_size]: [dimension]. */
  void (*force_derivative)(const void *self, const double *element, const double *change, double *out);

  /* --- independent of the retraction --- */
  /* product = element exp(xi), and product = element cay(xi): [element_size].  The mean of the latter and the
   * element is the midpoint of the implicit midpoint rule for g' = g xi^. */
  void (*exponential)(const void *self, const double *element, const double *xi, double *product);
  void (*cayley)(const void *self, const double *element, const double *xi, double *product);
  /* change = d/de element exp(e xi) at e = 0: [element_size]. */
  void (*tangent)(const void *self, const double *element, const double *xi, double *change);
  /* out = ad^*_xi momentum: the rate of a free body's momentum for xi = I^-1 momentum. */
  void (*bracket)(const void *self, const double *xi, const double *momentum, double *out);
  /* out = Ad^*_{exp(-xi)} momentum: the body momentum at g, for the body momentum at g exp(xi). */
  void (*coadjoint)(const void *self, const double *xi, const double *momentum, double *out);
  /* The tangent of the exponential map, left-trivialised: g exp(xi(t)) has the body velocity dexp_xi xi'.  out =
   * dexp_xi v; its derivative in xi along a; its second derivative along a and b. */
  void (*dexp)(const void *self, const double *xi, const double *v, double *out);
  void (*dexp_derivative)(const void *self, const double *xi, const double *a, const double *v, double *out);
  void (*dexp_second)(const void *self, const double *xi, const double *a, const double *b, const double *v,
                      double *out);
};

struct rill_group {
  const struct rill_group_ops *ops;
  size_t dimension, element_size;
  bool rotations; /* the group is SO(3): elements are rotation matrices, xi rotation vectors, all as in so3.h */
  const void *self;
};

#endif
