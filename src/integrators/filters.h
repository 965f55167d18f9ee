/* The Zhang-Skeel family: the Verlet splitting under filters (mech/filter.h). */
#ifndef RILL_INTEGRATORS_FILTERS_H
#define RILL_INTEGRATORS_FILTERS_H

#include "mech/integrator.h"

extern const struct rill_method rill_method_zs, rill_method_zss, rill_method_zss_simplified,
    rill_method_newmark_pushforward;

#endif
