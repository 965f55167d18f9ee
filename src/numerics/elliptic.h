/* Jacobi's elliptic functions and integrals by the arithmetic-geometric mean and by Carlson's duplication. */
#ifndef RILL_NUMERICS_ELLIPTIC_H
#define RILL_NUMERICS_ELLIPTIC_H

/* K(m), parameter m = k^2 in [0, 1); infinite at m = 1. */
double rill_elliptic_quarter_period(double m);

/* F(phi | m) = integral from 0 to phi of (1 - m sin^2)^(-1/2), any phi for m < 1, |phi| < pi/2 for m = 1. */
double rill_elliptic_first_kind(double phi, double m);

/* sn, cn, dn of (u | m), m in [0, 1].  Abramowitz & Stegun 16.4. */
void rill_elliptic_functions(double u, double m, double *sn, double *cn, double *dn);

#endif
