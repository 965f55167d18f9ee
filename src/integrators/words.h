/* Methods that are words in flows. */
#ifndef RILL_INTEGRATORS_WORDS_H
#define RILL_INTEGRATORS_WORDS_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_verlet, rill_method_shake, rill_method_yoshida4;

#endif
