/* Galerkin variational integrators on vector spaces: Marsden & West, Acta Numerica 10, 357 (2001), section 2.2.6;
 * Leok & Shingel, section 2. */
#ifndef RILL_INTEGRATORS_GALERKIN_H
#define RILL_INTEGRATORS_GALERKIN_H

#include "integrators/action.h"

extern const struct rill_method rill_method_galerkin;

/* Degree and quadrature for these options. Defaults: degree 2, and Gauss's rule with as many nodes as the degree, or
 * Lobatto's with one more. */
struct rill_action_quadrature rill_galerkin_choice(const struct rill_method_options *options, unsigned *degree);

/* Why degree and quadrature do not go together; NULL when they do.  With fewer nodes than the degree there is a curve
 * whose velocity vanishes at all of them, and the equations are singular. */
const char *rill_galerkin_refusal(const struct rill_method_options *options);

#endif
