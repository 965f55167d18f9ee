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

/* Kinetic energy, total and of the molecules' centres of mass, kJ/mol. */
void rill_water_kinetic(const struct rill_water *water, double *all, double *translation);

enum rill_status rill_water_observe(void *self, struct rill_observation *observation, struct rill_error *error);
void rill_water_observe_half_step(void *self);

/* Linear momentum, centre of mass, angular momentum about it, and the inertia tensor about it with the contribution
 * of the molecules' own inertia; any may be NULL. */
void rill_water_momenta(const struct rill_water *water, double momentum[3], double centre[3], double angular[3],
                        double inertia[3][3], double own_inertia[3][3]);

#endif
