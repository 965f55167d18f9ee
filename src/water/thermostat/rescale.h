/* Stochastic velocity rescaling: the motion of the kinetic energy in a heat bath. */
#ifndef RILL_WATER_THERMOSTAT_RESCALE_H
#define RILL_WATER_THERMOSTAT_RESCALE_H

#include <stdint.h>

#include "base/random.h"

/* The kinetic energy after a time h = -tau ln(decay), from `kinetic`: the exact solution of
 *   dK = (mean - K) dt / tau + 2 sqrt(K mean / (freedom tau)) dW,
 * whose stationary law is mean (2/freedom) Gamma(freedom/2).  freedom: degrees of freedom, at least 3; mean:
 * freedom kT/2.  Bussi, Donadio & Parrinello, J. Chem. Phys. 126, 014101 (2007), (A7). */
double rill_rescaled_kinetic(const struct rill_noise *noise, uint64_t step, double kinetic, double mean,
                             double freedom, double decay);

#endif
