/* The exact motion of Kepler's problem in the plane. */
#ifndef RILL_SYSTEMS_KEPLER_H
#define RILL_SYSTEMS_KEPLER_H

/* Position and velocity at the mean anomaly, on the ellipse of the semi-axis a and the eccentricity e, 0 <= e < 1,
 * about the origin with mu = G M; the pericentre is on the positive x-axis.  The mean anomaly is 2 pi t over the
 * period 2 pi sqrt(a^3/mu).  q, v: [2]. */
void rill_kepler_at(double a, double e, double mu, double mean_anomaly, double *q, double *v);

#endif
