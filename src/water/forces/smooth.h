/* The smooth part of an electrostatic interaction.
 *
 * Every real-space Coulomb interaction here has the form of 1/r less a function that is smooth in r2:
 *   energy / charges        1/r  - S(r2)
 *   (force / r) / charges   1/r3 - P(r2),   P = -2 S' Ewald's real part has S = erf(beta r) / r; a reaction field S =
 *   c - k r2; a plain cutoff S = 0.  The pair kernels take S and P as polynomials: no erfc, no table. */
#ifndef RILL_WATER_FORCES_SMOOTH_H
#define RILL_WATER_FORCES_SMOOTH_H

#include "base/choices.h"

struct rill_smooth {
  enum rill_coulomb_kind kind;
  double beta;            /* Ewald: 1/nm */
  double field, constant; /* reaction field: k and c */
};

/* dielectric: the reaction field's constant; 0 means infinite.  k = (e - 1) / ((2 e + 1) rc3), c = 1/rc + k rc2. */
struct rill_smooth rill_smooth_create(enum rill_coulomb_kind kind, double beta, double cutoff, double dielectric);

/* S and its derivatives with respect to r2: order 0, 1, ... at r2 >= 0.  P = -2 S'. */
double rill_smooth_derivative(const struct rill_smooth *smooth, double r2, int order);

enum { RILL_SMOOTH_DEGREE_MAX = 63 };

/* Coefficients of degree + 1 Chebyshev polynomials in u = 2 r2 / limit2 - 1, interpolating S and P between 0 and
 * limit2. */
struct rill_smooth_fit {
  int degree;
  double limit2;
  double energy[RILL_SMOOTH_DEGREE_MAX + 1], force[RILL_SMOOTH_DEGREE_MAX + 1];
  double energy_error, force_error; /* largest found: of S, and of r P */
};
void rill_smooth_fit(const struct rill_smooth *smooth, double limit2, int degree, struct rill_smooth_fit *fit);

/* The same polynomial in powers of u. */
void rill_smooth_powers(int degree, const double *chebyshev, double *power);

#endif
