/* Methods that are words in flows. */
#ifndef RILL_INTEGRATORS_WORDS_H
#define RILL_INTEGRATORS_WORDS_H

#include "mech/integrator.h"

/* Velocity Verlet's word, kick-drift-kick: the base of filters and compositions. */
extern const struct rill_word rill_word_verlet;

extern const struct rill_method rill_method_verlet, rill_method_shake, rill_method_yoshida4;

#endif
