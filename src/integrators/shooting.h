/* Shooting-based variational integrators, from a one-step method and a quadrature: Leok & Shingel, section 3. */
#ifndef RILL_INTEGRATORS_SHOOTING_H
#define RILL_INTEGRATORS_SHOOTING_H

#include "integrators/action.h"

extern const struct rill_method rill_method_shooting;

#endif
