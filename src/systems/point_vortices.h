/* The exact motion of two point vortices. */
#ifndef RILL_SYSTEMS_POINT_VORTICES_H
#define RILL_SYSTEMS_POINT_VORTICES_H

/* Both positions at the time t from those at 0, x: [2], y: [2].  They turn about the centre of vorticity at the rate
 * (G1 + G2) / (2 pi d^2), d their distance; with G1 + G2 = 0 they move straight ahead. */
void rill_two_vortices_at(const double circulation[2], double t, double x[2], double y[2]);

#endif
