/* Newmark's method in the physical positions, gamma = 1/2; and its one-step variants. */
#ifndef RILL_INTEGRATORS_NEWMARK_H
#define RILL_INTEGRATORS_NEWMARK_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_newmark, rill_method_newmark_onestep;

#endif
