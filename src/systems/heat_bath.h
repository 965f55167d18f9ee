/* Heat baths of small systems: the exact Ornstein-Uhlenbeck flow of their momenta, shared by all of them.
 *
 *   dp = -rate p dt + sqrt(2 rate k T) M^(1/2) dW,
 *   p(h) = c p + sqrt(k T (1 - c^2)) M^(1/2) xi,   c = exp(-rate h),   xi standard normal,
 *
 * which has the invariant law N(0, k T M): Bou-Rabee & Owhadi, SIAM J. Numer. Anal. 48, 278 (2010).  With gamma in
 * place of a rate, dp = -gamma M^-1 p dt + sqrt(2 gamma k T) dW, a component of mass m has the rate gamma / m.  M may
 * depend on the positions, which the flow leaves as they are.  With constraints both terms are projected onto the
 * cotangent space afterwards, orthogonally in the metric M^-1; this is exact for a rate, and for gamma where all
 * masses are equal, and has otherwise an error of order gamma h / m.
 *
 * Temperatures are energies: k = 1.  The noise is a function of the seed and (step, use, component). */
#ifndef RILL_SYSTEMS_HEAT_BATH_H
#define RILL_SYSTEMS_HEAT_BATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "mech/thermal.h"

/* The first member of every small system, so that its address is also that of the bath. */
struct rill_heat_bath {
  const char *system; /* its name */
  size_t n;
  double *p;          /* [n] the system's momenta */
  const double *mass; /* [n] diagonal of M; NULL: another M, whose noise the system makes itself */
  struct rill_bath bath;
  bool on; /* false: no bath; the flow does nothing, since the friction is 0 */
  double temperature;
  struct rill_noise noise;
};

/* Called before each step: the temperature of a ramp. */
void rill_heat_bath_begin_step(struct rill_heat_bath *bath, uint64_t step);

/* The flow for a time h, without projection; needs the masses. */
void rill_heat_bath_flow(struct rill_heat_bath *bath, double h, uint64_t step, uint32_t use);

/* The two coefficients of the flow for a component of mass m: c, and sqrt(k T (1 - c^2)). */
struct rill_heat_bath_coefficients {
  double decay, amplitude;
};
struct rill_heat_bath_coefficients rill_heat_bath_coefficients(const struct rill_heat_bath *bath, double mass,
                                                               double h);

/* Standard normal numbers for (step, use): [count]. */
void rill_heat_bath_noise(const struct rill_heat_bath *bath, uint64_t step, uint32_t use, double *xi, size_t count);

/* 2 K / freedom; NaN without a bath or degrees of freedom. */
double rill_heat_bath_kinetic_temperature(const struct rill_heat_bath *bath, double kinetic, double freedom);

/* self: a system that begins with its bath. */
extern const struct rill_thermal_ops rill_heat_bath_thermal;

#endif
