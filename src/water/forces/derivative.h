/* The derivative of the pair forces along a direction: the product of minus the Hessian with a vector,
 * analytically. */
#ifndef RILL_WATER_FORCES_DERIVATIVE_H
#define RILL_WATER_FORCES_DERIVATIVE_H

#include <stddef.h>

#include "water/model/model.h"

/* out = d/de f(q + e u) at e = 0, of all pairs in vacuum as in forces.h: [9][stride], overwritten; 0 beyond the
 * molecules.  work: [18][stride] for a model with a site; not used for others. */
void rill_water_forces_derivative(const struct rill_water_model *model, size_t molecules, size_t stride,
                                  const double *q, const double *u, double *work, double *out);

#endif
