/* The equation M (y - c) = s F(y) of implicit methods for large systems: s = beta h^2, c = x gives pushforward
 * Newmark's acceleration F(y)/M = (y - c)/s (Tao & Owhadi 2016, (2.3)); s = h^2/4, c = q + (h/2) v gives the midpoint
 * y of the implicit midpoint rule.
 *
 * The fixed-point map is y - (M + s H(y))^-1 (M (y - c) - s F(y)), where H is the Gauss-Newton Hessian of the stiff
 * part: a Newton step in the stiff part, a Picard step in the soft one. */
#ifndef RILL_MECH_PUSHFORWARD_H
#define RILL_MECH_PUSHFORWARD_H

#include "mech/implicit.h"
#include "numerics/nonlinear.h"

struct rill_pushforward;

/* tolerance is relative to implicit->length. */
enum rill_status rill_pushforward_create(const struct rill_implicit *implicit, enum rill_nonlinear_kind kind,
                                         double tolerance, unsigned max_iterations,
                                         struct rill_pushforward **pushforward, struct rill_error *error);

/* y: [n], start in, solution out; the total of M (y - c) is zero to round-off.  c: [n], must not be y.  Adds to the
 * implicit capability's report. */
enum rill_status rill_pushforward_solve(struct rill_pushforward *pushforward, const double *c, double s, double *y,
                                        struct rill_error *error);

void rill_pushforward_destroy(struct rill_pushforward *pushforward); /* accepts NULL */

#endif
