/* What the files of the water system share; private to src/water/. */
#ifndef RILL_WATER_WATER_STATE_H
#define RILL_WATER_WATER_STATE_H

#include "water/flows/flows.h"
#include "water/forces/forces.h"
#include "water/water_system.h"

struct rill_water_snapshot {
  double *q, *v;          /* [9][stride] */
  double offset[3];
  bool fresh;
};

struct rill_water {
  struct rill_water_options options;      /* positions and velocities not kept */
  size_t molecules, stride;
  double *q, *v, *f;                      /* [9][stride]; columns beyond the molecules are inert */
  bool fresh;                             /* f belongs to q */
  double offset[3];                       /* unwrapped position = q + offset */
  struct rill_water_forces *forces;
  struct rill_rigid rigid;
  const struct rill_water_flow_table *flows;
  struct rill_ou ou;
  double ou_temperature, ou_step;         /* what ou was computed for */
  double temperature;                     /* of the bath, at the step under way */
  double removed_linear, removed_angular; /* degrees of freedom: 0 or 3 */
  double temperature_half, temperature_half_translation, temperature_half_rotation;
  double confine_energy;
  unsigned iterations;                    /* of the position solver, in the last step */
  struct rill_water_snapshot saved;
};

/* Forces at q when they are stale, or with energies. */
void rill_water_evaluate(struct rill_water *water, struct rill_water_energies *energies);

/* Adds the wall's forces to f; returns its energy. */
double rill_water_confine(const struct rill_water *water, double *f);

/* Degrees of freedom in all, of translation and of rotation. */
struct rill_water_freedom { double all, translation, rotation; };
struct rill_water_freedom rill_water_freedom(const struct rill_water *water);

/* K; NaN without degrees of freedom. */
double rill_water_temperature(double kinetic, double freedom);

/* Kinetic energy in all and of the molecules' centres of mass, kJ/mol. */
void rill_water_kinetic(const struct rill_water *water, double *all, double *translation);

enum rill_status rill_water_observe(void *self, struct rill_observation *observation, struct rill_error *error);

/* Linear momentum, centre of mass, angular momentum about it, and the inertia tensor about it with the part of the molecules'
 * own inertia; any may be NULL. */
void rill_water_momenta(const struct rill_water *water, double momentum[3], double centre[3], double angular[3],
                        double inertia[3][3], double own_inertia[3][3]);

static inline double rill_water_mass(const struct rill_water_model *model) {
  return model->mass[0] + model->mass[1] + model->mass[2];
}

#endif
