/* The observables of water: kinetic energies, temperatures, momenta, deviations from the constraints. */
#ifndef RILL_WATER_WATER_OBSERVE_H
#define RILL_WATER_WATER_OBSERVE_H

#include "water/water_state.h"

/* Degrees of freedom: total, of translation and of rotation. */
struct rill_water_freedom {
  double all, translation, rotation;
};
struct rill_water_freedom rill_water_freedom(const struct rill_water *water);
double rill_water_freedom_of_all(const struct rill_water *water);

/* Temperature, K; NaN without degrees of freedom. */
double rill_water_temperature(double kinetic, double freedom);

/* These are exact sums over the molecules (base/exact_sum.h), so that they do not depend on their order.
 *
 * Kinetic energy, total and of the molecules' centres of mass, which may be NULL, kJ/mol; linear momentum, u nm/ps;
 * energy of stiff bonds at q [9][stride], 0 without them, kJ/mol; sum of M V (x) V over the centres of mass, kJ/mol.
 */
void rill_water_kinetic(const struct rill_water *water, double *all, double *translation);
void rill_water_momentum(const struct rill_water *water, double momentum[3]);
double rill_water_penalty_energy(const struct rill_water *water, const double *q);
void rill_water_flux(const struct rill_water *water, double flux[3][3]);

enum rill_status rill_water_observe(void *self, struct rill_observation *observation, struct rill_error *error);
void rill_water_observe_half_step(void *self);

/* Linear momentum, centre of mass, angular momentum about it, and the inertia tensor about it with the contribution
 * of the molecules' own inertia; any may be NULL.  Plain sums in the order of the molecules, on which starts and
 * clusters in vacuum depend. */
void rill_water_momenta(const struct rill_water *water, double momentum[3], double centre[3], double angular[3],
                        double inertia[3][3], double own_inertia[3][3]);

#endif
