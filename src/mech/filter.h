/* A filter turns the raw force into the acceleration that a kick uses.
 *
 * Every method whose kick uses an acceleration f(x; h) is the same kick-drift-kick splitting with a filter (Tao &
 * Owhadi 2016, section 1; Zhang & Skeel 1997).  The identity gives velocity Verlet.  A system reports which filters
 * its kick can apply; binding refuses the others, and names them.
 *
 * With H the Hessian or the named part of it, h the base step of the splitting, and everything evaluated at x:
 *   identity     f = -M^-1 grad V
 *   linear       (M + beta h^2 H) f = -grad V                                        Z&Ss, and its simplified forms
 *   third        f = a - (1/2) beta^2 h^4 M^-1 (a . D3V . a), a from the linear one  Z&S
 *   pushforward  f = -M^-1 grad V(x + beta h^2 f), solved to round-off               Newmark's method in x
 *
 * The third filter is a gradient, so Z&S is symplectic.  The physical position is q = x + beta h^2 a; x is what the
 * splitting moves. */
#ifndef RILL_MECH_FILTER_H
#define RILL_MECH_FILTER_H

#include "mech/mechanical.h"
#include "numerics/nonlinear.h"

enum rill_filter_kind { RILL_FILTER_IDENTITY, RILL_FILTER_LINEAR, RILL_FILTER_THIRD, RILL_FILTER_PUSHFORWARD };

struct rill_filter {
  const char *name; /* "identity" for none */
  const char *citation;
  enum rill_filter_kind kind;
  enum rill_hessian_part hessian;
  bool takes_hessian; /* `hessian` is the option's: stiff or gauss-newton */
  /* Set from the options at binding: */
  double beta;      /* the Newmark parameter */
  double tolerance; /* of a nonlinear filter: largest change, relative to the largest acceleration */
  unsigned max_iterations;
  enum rill_nonlinear_kind nonlinear; /* of large systems */
};

extern const struct rill_filter rill_filter_identity;

#endif
